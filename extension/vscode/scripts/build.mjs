// Bundles the extension. No source map: it would hold the paths of the machine that built it.
import { build } from "esbuild";

await build({
    entryPoints: ["src/extension.ts"],
    outfile: "dist/extension.js",
    bundle: true,
    minify: true,
    platform: "node",
    format: "cjs",
    target: "node20",
    external: ["vscode"],
    legalComments: "none",
    logLevel: "warning",
});
