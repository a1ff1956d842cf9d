import js from "@eslint/js";
import tseslint from "typescript-eslint";

/**
 * The floors of ARCHITECTURE.md, from the ground up. A folder may import the folders of its own row's `may`
 * and nothing else of `src/`: imports go down only.
 */
const floors = {
  request: [],
  store: ["request"],
  service: ["request"],
  journal: ["request"],
  local: ["request", "store", "service"],
  plugin: ["request", "store", "service", "journal", "local"],
  tasks: ["plugin", "request"],
};

const floorRules = Object.entries(floors).map(([folder, may]) => {
  const forbidden = Object.keys(floors).filter((other) => other !== folder && !may.includes(other));
  return {
    files: [`src/${folder}/**/*.ts`],
    rules: {
      "no-restricted-imports": [
        "error",
        {
          patterns: [
            {
              regex: `^(\\.\\./)+(${forbidden.join("|")})/`,
              message: `src/${folder} may import only: ${["itself", ...may].join(", ")} (see ARCHITECTURE.md, floors).`,
            },
            ...(folder === "plugin" || folder === "tasks"
              ? []
              : [
                  {
                    regex: "^hardhat(/|$)",
                    message: "Floors below src/plugin know nothing of Hardhat.",
                  },
                ]),
          ],
        },
      ],
    },
  };
});

export default tseslint.config(
  {
    ignores: [
      "dist",
      "coverage",
      ".toolchain",
      "**/generated/**",
      "test/fixture-project",
      "test/fixture-remote",
      "examples",
      "**/*.d.ts",
    ],
  },
  js.configs.recommended,
  {
    files: ["**/*.ts"],
    extends: [...tseslint.configs.strictTypeChecked, ...tseslint.configs.stylisticTypeChecked],
    languageOptions: { parserOptions: { project: "./tsconfig.json", tsconfigRootDir: import.meta.dirname } },
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
      eqeqeq: "error",
    },
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
        ["process", "console", "URL", "setTimeout", "clearTimeout", "setImmediate", "fetch"].map((name) => [
          name,
          "readonly",
        ]),
      ),
    },
  },
  ...floorRules,
);
