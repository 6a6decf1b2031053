import assert from "node:assert/strict";
import test from "node:test";
import { failure, isProblem, plan, pulled, sizeText } from "../src/core/install";
import type { Command, Machine } from "../src/core/install";

const machine: Machine = {
    platform: "linux",
    pythons: [
        { program: "/usr/bin/python3.9", version: [3, 9], hasPip: true },
        { program: "/usr/bin/python3.12", version: [3, 12], hasPip: true },
    ],
    compiler: "/usr/bin/c++",
    wheelIndex: "",
};

function commands(changes: Partial<Machine> = {}): Command[] {
    const planned = plan({ ...machine, ...changes }, "/ext/server/sidecar.whl", "/store/environment");
    assert.ok(!isProblem(planned));
    return planned;
}

test("an environment of its own, then the wheel, with nothing of the workspace's on the path", () => {
    const [make, install] = commands();
    assert.equal(make?.program, "/usr/bin/python3.12");
    assert.deepEqual(make.args, ["-I", "-m", "venv", "--clear", "/store/environment"]);
    assert.equal(install?.program, "/store/environment/bin/python");
    assert.equal(install.args[0], "-I");
    assert.equal(install.args.at(-1), "/ext/server/sidecar.whl");
    assert.match(install.env.CMAKE_ARGS ?? "", /GGML_NATIVE=OFF/);
});

test("with an index nothing is built, and no compiler is needed", () => {
    const install = commands({ compiler: undefined, wheelIndex: "https://wheels.example.com/cpu" })[1];
    assert.deepEqual(install?.env, {});
    assert.ok(install.args.includes("--only-binary=llama-cpp-python"));
    assert.equal(install.args[install.args.indexOf("--extra-index-url") + 1], "https://wheels.example.com/cpu");
    assert.ok(commands({ wheelIndex: "/mnt/wheels" })[1]?.args.includes("--find-links"));
});

for (const [name, changes, action, says] of [
    ["no Python", { pythons: [] }, "python", /Python 3\.11/],
    ["an old Python only", { pythons: machine.pythons.slice(0, 1) }, "python", /Python 3\.11/],
    ["a Python without venv", { pythons: [{ program: "/usr/bin/python3", version: [3, 12], hasPip: false }] }, "again", /python3-venv/],
    ["no compiler and no index", { compiler: undefined }, "compiler", /compiler/],
    ["an index over plain http", { wheelIndex: "http://wheels.example.com" }, "settings", /https/],
    ["an index that is no address", { wheelIndex: "--pre" }, "settings", /wheelIndex/],
    ["Windows", { platform: "win32" }, "windows", /WSL/],
] as [string, Partial<Machine>, string, RegExp][]) {
    test(`${name}: one sentence and a button, before anything is done`, () => {
        const planned = plan({ ...machine, ...changes }, "/w.whl", "/e");
        assert.ok(isProblem(planned));
        assert.equal(planned.action, action);
        assert.match(planned.sentence, says);
        assert.match(planned.sentence, /^[^.]+(\.[^ ][^.]*)*\.$/, "one sentence");
        assert.ok(planned.button.length > 0);
    });
}

test("without a wheel nothing is taken from an index by its name", () => {
    const planned = plan(machine, undefined, "/e");
    assert.ok(isProblem(planned));
    assert.equal(planned.action, "settings");
});

for (const [output, action] of [
    ["ERROR: Could not install packages due to an OSError: [Errno 28] No space left on device", "again"],
    ["WARNING: Retrying … NewConnectionError('…: Failed to establish')", "again"],
    ["ERROR: No matching distribution found for llama-cpp-python==0.3.36", "settings"],
    ["CMake Error at CMakeLists.txt:1\nERROR: Failed building wheel for llama-cpp-python", "log"],
    ["Traceback", "log"],
] as const) {
    test(`pip's "${output.slice(0, 30)}…" is told in a sentence`, () => {
        assert.equal(failure(output).action, action);
    });
}

test("progress of a download", () => {
    assert.equal(pulled("downloading: 30 % of 491 MB"), 0.3);
    assert.equal(pulled("checking the digest: 491 MB"), undefined);
    assert.equal(sizeText(491_400_064), "491 MB");
    assert.equal(sizeText(1_117_320_768), "1.1 GB");
});
