import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import test from "node:test";
import { forFolder, nested } from "../src/core/settings";
import type { Setting } from "../src/core/settings";
import { effective, isInside, mayRun } from "../src/core/trust";
import { SERVER_SETTINGS } from "../src/generated/settings";

interface Manifest {
    readonly capabilities: {
        readonly untrustedWorkspaces: {
            readonly supported: string;
            readonly restrictedConfigurations: string[];
        };
    };
    readonly contributes: {
        readonly configuration: { readonly properties: Record<string, { scope: string; markdownDescription: string }> }[];
        readonly commands: { readonly command: string }[];
        readonly keybindings: { readonly command: string; readonly key: string; readonly when: string }[];
    };
    readonly extensionKind: string[];
    readonly enabledApiProposals?: unknown;
}

const manifest = JSON.parse(readFileSync("package.json", "utf8")) as Manifest;
const properties = Object.assign({}, ...manifest.contributes.configuration.map((each) => each.properties)) as Record<
    string,
    { scope: string; markdownDescription: string }
>;
const machine: Setting = { key: "model.path", scope: "machine", default: "" };
const resource: Setting = { key: "completion.enabled", scope: "resource", default: true };

test("a workspace does not choose what belongs to the machine", () => {
    const found = { globalValue: "/mine", workspaceValue: "/theirs", workspaceFolderValue: "/theirs" };
    assert.equal(effective(machine, found), "/mine");
    assert.equal(effective(machine, { workspaceValue: "/theirs", defaultValue: "" }), "");
});

test("a workspace chooses what is suggested in it", () => {
    assert.equal(effective(resource, { globalValue: true, workspaceValue: false }), false);
    assert.equal(effective(resource, { workspaceValue: false, workspaceFolderValue: true }), true);
    assert.equal(effective(resource, undefined), true);
});

for (const [program, trusted, may] of [
    ["/work/project/.venv/bin/sidecar", false, false],
    ["/work/project/.venv/bin/sidecar", true, true],
    ["/work/project-2/bin/sidecar", false, true],
    ["/usr/bin/sidecar", false, true],
    ["bin/sidecar", true, false],
    ["sidecar", true, false],
] as const) {
    test(`${program} ${may ? "may" : "may not"} be run where the workspace is ${trusted ? "" : "not "}trusted`, () => {
        assert.equal(mayRun(program, ["/work/project"], trusted), may);
    });
}

test("what is inside of a folder", () => {
    assert.equal(isInside("/a/b", "/a"), true);
    assert.equal(isInside("/a", "/a"), true);
    assert.equal(isInside("/ab", "/a"), false);
    assert.equal(isInside("/", "/a"), false);
});

test("every setting of the machine is restricted, and no other is named", () => {
    const wanted = Object.keys(properties).filter((key) => properties[key]?.scope === "machine");
    assert.equal(manifest.capabilities.untrustedWorkspaces.supported, "limited");
    assert.deepEqual(manifest.capabilities.untrustedWorkspaces.restrictedConfigurations, wanted.toSorted());
    for (const key of ["sidecar.server.path", "sidecar.model.path", "sidecar.engine.remote", "sidecar.install.wheelIndex", "sidecar.log.file"]) {
        assert.ok(wanted.includes(key), key);
    }
});

test("every setting that sounds like a program, a path or an address is the machine's", () => {
    for (const [key, { scope }] of Object.entries(properties)) {
        if (/(path|file|remote|program|index|url)$/i.test(key)) {
            assert.equal(scope, "machine", key);
        }
    }
});

test("every setting is told in a sentence", () => {
    for (const [key, { markdownDescription }] of Object.entries(properties)) {
        assert.match(markdownDescription, /\.$/, key);
    }
});

test("the manifest has every setting of the server, only stable API, and runs where the code is", () => {
    for (const { key } of SERVER_SETTINGS) {
        assert.ok(`sidecar.${key}` in properties, key);
    }
    assert.equal(manifest.enabledApiProposals, undefined);
    assert.deepEqual(manifest.extensionKind, ["workspace"]);
});

test("no key of ours is taken where nothing is shown, and Tab is none of them", () => {
    for (const { key, when } of manifest.contributes.keybindings) {
        assert.match(when, /inlineSuggestionVisible|editorTextFocus/);
        assert.doesNotMatch(key, /tab/i);
    }
});

test("the server is told what differs from its defaults, of a folder nothing that is the machine's", () => {
    assert.deepEqual(
        nested([machine, resource], ({ key }) => (key === "model.path" ? "/m.gguf" : true)),
        { model: { path: "/m.gguf" } },
    );
    const raw = { model: { path: "/theirs" }, completion: { enabled: false }, server: { path: "/x" }, trace: {} };
    assert.deepEqual(forFolder([machine, resource], raw), { completion: { enabled: false } });
    assert.deepEqual(forFolder([machine, resource], null), {});
});
