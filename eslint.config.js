/* What eslint holds the web's modules to; how they are set in lines is prettier's. */
import js from "@eslint/js";
import globals from "globals";

export default [
  { ignores: ["assets/web/vendor/**", "assets/web/bundle/**", "core/**", "node_modules/**", ".venv/**"] },
  js.configs.recommended,
  {
    files: ["assets/web/**/*.js"],
    languageOptions: { ecmaVersion: 2024, sourceType: "module", globals: globals.browser },
  },
  {
    files: ["assets/dash/**/*.js", "app/routescope_app/figures.js"],
    languageOptions: { ecmaVersion: 2024, sourceType: "script", globals: globals.browser },
  },
  {
    files: ["tests/web/**/*.js", "scripts/**/*.mjs", "eslint.config.js"],
    languageOptions: { ecmaVersion: 2024, sourceType: "module", globals: globals.node },
  },
  {
    rules: {
      eqeqeq: "error",
      "no-shadow": "off",
      "no-unused-vars": ["error", { argsIgnorePattern: "^_", varsIgnorePattern: "^_", ignoreRestSiblings: true }],
      "no-var": "error",
      "prefer-const": ["error", { destructuring: "all" }],
      "object-shorthand": "error",
      "no-duplicate-imports": ["error", { allowSeparateTypeImports: true }],
      "no-implicit-globals": "error",
    },
  },
];
