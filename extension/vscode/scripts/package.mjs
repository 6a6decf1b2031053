// Makes the .vsix: the bundle, the wheel of the server if `--wheel FILE` names one, pictures and pages.
import { spawnSync } from "node:child_process";
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { brotliCompressSync } from "node:zlib";
import "./build.mjs";

const at = process.argv.indexOf("--wheel");
rmSync("server", { recursive: true, force: true });
if (at > 0) {
    const wheel = process.argv[at + 1];
    mkdirSync("server");
    // A wheel packs each of its many small files by itself; as one stream it is half as large.
    writeFileSync(
        path.join("server", `${path.basename(wheel)}.br`),
        brotliCompressSync(readFileSync(wheel)),
    );
}
const vsce = path.join("node_modules", "@vscode", "vsce", "vsce");
const done = spawnSync(
    process.execPath,
    [vsce, "package", "--no-dependencies", "--allow-missing-repository", "--no-rewrite-relative-links", "--out", "dist/sidecar.vsix"],
    { stdio: "inherit" },
);
process.exit(done.status ?? 1);
