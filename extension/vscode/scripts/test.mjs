// Bundles the unit tests and runs them with Node's own runner.
import { spawnSync } from "node:child_process";
import { readdirSync, rmSync } from "node:fs";
import { build } from "esbuild";

rmSync("out", { recursive: true, force: true });
await build({
    entryPoints: readdirSync("tests")
        .filter((name) => name.endsWith(".test.ts"))
        .map((name) => `tests/${name}`),
    outdir: "out",
    bundle: true,
    platform: "node",
    format: "cjs",
    target: "node20",
    logLevel: "warning",
});
const files = readdirSync("out").map((name) => `out/${name}`);
process.exit(spawnSync(process.execPath, ["--test", ...files], { stdio: "inherit" }).status ?? 1);
