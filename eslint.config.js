import js from "@eslint/js";
import tseslint from "typescript-eslint";

/** Files in which a function is longer than 60 lines, each with the reason. */
const LONG_FUNCTIONS = {
  "dashboard/chart.tsx": "a component is its markup",
  "dashboard/flame.tsx": "a component is its markup",
  "src/cairo/machine.ts": "the machine's loop: a call in it costs a tenth of the speed",
  "src/plugin/actions/service-actions.ts": "the members of hdp.storageProof in one object",
  "src/plugin/config/config.ts": "a row for each option",
  "src/plugin/config/validate.ts": "a row for each option",
  "src/plugin/hdp.ts": "a row for each member of hdp",
  "src/tasks/ui/progress.ts": "the listeners of one wait over shared state",
};

/** Files of more than 400 lines, each with the reason. */
const LONG_FILES = {
  "src/cairo/machine.ts": "the machine's loop",
  "src/errors/*-messages.ts": "a template for each error",
  "src/submission/remote-submissions.ts": "submissions to a service, from sending to results",
  "src/tasks/commands.ts": "the definitions of all commands",
};

/** Spreads of literals, which hide what they hold from the formatter. */
const SPREADS_OF_LITERALS = [
  {
    selector: "ObjectExpression > SpreadElement > ObjectExpression",
    message: "Write the properties themselves, a line each.",
  },
  {
    selector:
      "ArrayExpression > SpreadElement > :matches(ArrayExpression, TSAsExpression > ArrayExpression)",
    message: "Write the elements themselves.",
  },
  {
    selector: "JSXSpreadAttribute > ObjectExpression",
    message: "Write the attributes themselves.",
  },
];

/** Titles of tests without a statement: "is refused" does not say what refuses it. */
const TITLES = {
  selector:
    "CallExpression[callee.name='it'] > :matches(Literal[value=/^(is|are|has) /], TemplateLiteral[quasis.0.value.raw=/^(is|are|has) /]).arguments:first-child",
  message: 'Say what acts and what it does: "refuses a proof of another account".',
};

/** What the codebases worth imitating do rarely or never. */
const READABLE = {
  "no-nested-ternary": "error",
  "max-depth": ["error", 4],
  "max-lines": ["error", { max: 400 }],
  "max-lines-per-function": ["error", { max: 60, skipComments: true, skipBlankLines: true }],
};

export default tseslint.config(
  {
    ignores: [
      "dist",
      "site/**",
      ".types",
      "coverage",
      "reports",
      ".toolchain",
      "**/generated/**",
      "test/fixture-project",
      "test/fixture-remote",
      "test/fixture-ethers",
      "test/fixture-node-test",
      "examples",
      "**/*.d.ts",
    ],
  },
  js.configs.recommended,
  {
    files: ["**/*.ts", "**/*.tsx"],
    extends: [...tseslint.configs.strictTypeChecked, ...tseslint.configs.stylisticTypeChecked],
    languageOptions: {
      parserOptions: {
        project: ["./tsconfig.json", "./dashboard/tsconfig.json"],
        tsconfigRootDir: import.meta.dirname,
      },
    },
    rules: {
      "@typescript-eslint/consistent-type-imports": "error",
      // An import of types alone would load its file: only `import type` is left out of what runs.
      "@typescript-eslint/no-import-type-side-effects": "error",
      "@typescript-eslint/explicit-module-boundary-types": "error",
      "@typescript-eslint/return-await": ["error", "always"],
      "@typescript-eslint/restrict-template-expressions": ["error", { allowNumber: true }],
      "@typescript-eslint/switch-exhaustiveness-check": "error",
      "@typescript-eslint/no-non-null-assertion": "error",
      "@typescript-eslint/no-confusing-void-expression": ["error", { ignoreArrowShorthand: true }],
      // Ports and hooks are async by type; an implementation that has nothing to wait for is still right.
      "@typescript-eslint/require-await": "off",
      "no-duplicate-imports": ["error", { allowSeparateTypeImports: true }],
      eqeqeq: "error",
      "no-restricted-syntax": ["error", ...SPREADS_OF_LITERALS],
    },
  },
  { files: ["src/**/*.ts", "dashboard/**/*.{ts,tsx}"], rules: READABLE },
  { files: Object.keys(LONG_FUNCTIONS), rules: { "max-lines-per-function": "off" } },
  { files: Object.keys(LONG_FILES), rules: { "max-lines": "off" } },
  { files: ["src/cairo/machine.ts"], rules: { "max-depth": "off" } },
  {
    files: ["src/submission/**/*.ts", "src/plugin/delivery.ts"],
    rules: {
      // What was paid for is recorded here. `void` says that it does not matter whether a row was changed.
      "no-restricted-syntax": [
        "error",
        ...SPREADS_OF_LITERALS,
        {
          selector:
            "ExpressionStatement > CallExpression[callee.property.name=/^(move|recordOutcome|run)$/]",
          message: "A write that changed no row may have been lost: use its result, or write void.",
        },
      ],
      "@typescript-eslint/strict-void-return": "error",
    },
  },
  {
    // Files of users' projects, which have a configuration of their own.
    files: ["templates/**/*.ts"],
    ...tseslint.configs.disableTypeChecked,
  },
  {
    files: ["test/**/*.ts", "bench/**/*.ts"],
    rules: {
      // chai assertions are property accesses.
      "@typescript-eslint/no-unused-expressions": "off",
      "@typescript-eslint/explicit-module-boundary-types": "off",
      "no-restricted-syntax": ["error", ...SPREADS_OF_LITERALS, TITLES],
    },
  },
  {
    files: ["**/*.mjs", "**/*.js"],
    languageOptions: {
      globals: Object.fromEntries(
        ["process", "console", "URL", "setTimeout", "clearTimeout", "setImmediate", "fetch"].map(
          (name) => [name, "readonly"],
        ),
      ),
    },
  },
);
