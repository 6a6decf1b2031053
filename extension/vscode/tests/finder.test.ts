import assert from "node:assert/strict";
import { chmod, mkdir, mkdtemp, realpath, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import test from "node:test";
import { candidates, find, versionOf } from "../src/core/finder";
import type { Where } from "../src/core/finder";

const nowhere: Where = {
    setting: "",
    environments: [],
    searchPath: "",
    installed: "/nowhere/environment",
    platform: "linux",
};

const ANSWER = JSON.stringify({ product: "sidecar-completion", version: "0.1.0", protocol: 4 });

async function folder(): Promise<string> {
    return realpath(await mkdtemp(path.join(tmpdir(), "finder-")));
}

/** Write a program that prints something. */
async function program(file: string, prints: string, code = 0): Promise<string> {
    await mkdir(path.dirname(file), { recursive: true });
    await writeFile(file, `#!/bin/sh\necho '${prints}'\nexit ${code}\n`);
    await chmod(file, 0o755);
    return file;
}

test("environments come before the PATH, and what we installed comes last", () => {
    const found = candidates({
        ...nowhere,
        environments: ["/env/bin/python3", "/other"],
        searchPath: "/usr/bin:relative:/usr/bin::/env/bin",
    });
    assert.deepEqual(
        found.map(({ program }) => program),
        ["/env/bin/sidecar", "/other/bin/sidecar", "/usr/bin/sidecar", "/nowhere/environment/bin/sidecar"],
    );
});

test("the one that is set is the only one", () => {
    const found = candidates({ ...nowhere, setting: " /opt/sidecar ", searchPath: "/usr/bin" });
    assert.deepEqual(found, [{ program: "/opt/sidecar", origin: "setting" }]);
});

test("a real program is asked, and another one of that name is passed over", async () => {
    const root = await folder();
    await program(path.join(root, "a", "sidecar"), "sidecar proxy 4.2");
    await program(path.join(root, "b", "sidecar"), ANSWER, 1);
    await program(path.join(root, "c", "sidecar"), JSON.stringify({ product: "motorcycle", version: "9.0" }));
    const right = await program(path.join(root, "d", "sidecar"), ANSWER);
    const searchPath = ["a", "b", "c", "d"].map((name) => path.join(root, name)).join(path.delimiter);
    const { found, refused } = await find({ ...nowhere, searchPath }, [], true);
    assert.equal(found?.program, right);
    assert.equal(found.version, "0.1.0");
    assert.deepEqual(
        refused.map(({ reason }) => reason),
        ["it is another program of that name", "it cannot be started", "it is another program of that name"],
    );
});

test("a program that is set and is not there is told of", async () => {
    const { found, refused } = await find({ ...nowhere, setting: "/nowhere/sidecar" }, [], true);
    assert.equal(found, undefined);
    assert.equal(refused[0]?.reason, "there is no such file");
});

test("nothing that came with an untrusted workspace is started, not even through a link", async () => {
    const root = await folder();
    const workspace = path.join(root, "workspace");
    const inside = await program(path.join(workspace, ".venv", "bin", "sidecar"), ANSWER);
    await mkdir(path.join(root, "bin"));
    await symlink(inside, path.join(root, "bin", "sidecar"));
    const where = {
        ...nowhere,
        environments: [path.join(workspace, ".venv")],
        searchPath: path.join(root, "bin"),
    };
    const started: string[] = [];
    const probe = (file: string): Promise<string> => {
        started.push(file);
        return Promise.resolve(ANSWER);
    };
    const { found, refused } = await find(where, [workspace], false, probe);
    assert.equal(found, undefined);
    assert.deepEqual(started, []);
    assert.equal(refused.length, 2);
    assert.equal((await find(where, [workspace], true, probe)).found?.program, inside);
});

for (const [answer, expected] of [
    [ANSWER, "0.1.0"],
    [ANSWER.replace("0.1.0", "0.2.0-rc1"), "0.2.0-rc1"],
    [ANSWER.replace("0.1.0", "1.0"), "1.0"],
    [ANSWER.replace("0.1.0", "0.0.9"), undefined],
    [ANSWER.replace("0.1.0", "new"), undefined],
    ["null", undefined],
    ["", undefined],
    ['{"product": "sidecar-completion"}', undefined],
] as const) {
    test(`the answer ${answer} is ${expected ?? "not believed"}`, () => {
        if (expected === undefined) {
            assert.throws(() => versionOf(answer));
        } else {
            assert.equal(versionOf(answer), expected);
        }
    });
}
