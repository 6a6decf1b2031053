// Looks into the .vsix: no source maps, no tests, no sources, no paths of this machine, under 1 MB.
import { spawnSync } from "node:child_process";
import { readFileSync, statSync } from "node:fs";
import { homedir } from "node:os";

const [file] = process.argv.slice(2);
const problems = [];
const size = statSync(file).size;
if (size >= 1_000_000) {
    problems.push(`${size} bytes, and 1,000,000 are the most`);
}
const python = process.env.SIDECAR_PYTHON ?? "python3";
const listed = spawnSync(python, ["-m", "zipfile", "-l", file], { encoding: "utf8" });
const names = listed.stdout
    .split("\n")
    .slice(1)
    .map((line) => line.replace(/\s+\d{4}-\d\d-\d\d .*$/, ""))
    .filter((name) => name !== "");
const allowed =
    /^(\[Content_Types\]\.xml|extension\.vsixmanifest|extension\/(package\.json|readme\.md|changelog\.md|LICENSE(\.txt)?|dist\/extension\.js|media\/[\w-]+\.(png|svg|jpg)|server\/[\w.-]+\.whl\.br))$/i;
for (const name of names) {
    if (!allowed.test(name)) {
        problems.push(`${name} does not belong there`);
    }
}
for (const needed of ["extension/dist/extension.js", "extension/package.json"]) {
    if (!names.includes(needed)) {
        problems.push(`${needed} is missing`);
    }
}
const bundle = readFileSync("dist/extension.js", "utf8");
for (const found of [process.cwd(), homedir() + "/", "sourceMappingURL"]) {
    if (bundle.includes(found)) {
        problems.push(`the bundle holds ${found}`);
    }
}
for (const problem of problems) {
    console.error(`scripts/inspect.mjs: ${problem}`);
}
console.error(`${names.length} files, ${Math.round(size / 1000)} kB`);
process.exit(problems.length > 0 ? 1 : 0);
