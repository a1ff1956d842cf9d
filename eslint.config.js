import js from "@eslint/js";
import tseslint from "typescript-eslint";

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
    },
  },
  {
    files: ["src/submission/**/*.ts"],
    rules: {
      // What was paid for is recorded here. `void` says that it does not matter whether a row was changed.
      "no-restricted-syntax": [
        "error",
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
