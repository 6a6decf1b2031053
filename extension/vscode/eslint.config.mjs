import tseslint from "typescript-eslint";

export default tseslint.config(
    { ignores: ["dist/", "out/", "node_modules/", "server/", "**/*.mjs"] },
    ...tseslint.configs.strictTypeChecked,
    {
        languageOptions: {
            parserOptions: {
                project: ["./tsconfig.json", "./tests/tsconfig.json"],
                tsconfigRootDir: import.meta.dirname,
            },
        },
        rules: {
            "@typescript-eslint/consistent-type-imports": "error",
            "@typescript-eslint/restrict-template-expressions": ["error", { allowNumber: true }],
            "@typescript-eslint/no-confusing-void-expression": ["error", { ignoreArrowShorthand: true }],
            // What implements VS Code's Disposable need not be made by its constructor.
            "@typescript-eslint/no-unsafe-class-instance-assignment": "off",
            "no-console": "error",
            eqeqeq: "error",
        },
    },
    {
        // What the unit tests run: it must not know the editor.
        files: ["src/core/**", "tests/**"],
        rules: {
            "no-restricted-imports": [
                "error",
                { paths: ["vscode"], patterns: ["vscode-languageclient*", "**/edge/*"] },
            ],
        },
    },
    {
        // node:test returns promises that nobody has to wait for.
        files: ["tests/**"],
        rules: { "@typescript-eslint/no-floating-promises": "off" },
    },
);
