import assert from "node:assert/strict";
import test from "node:test";
import { steps } from "../src/core/migration";
import type { Step } from "../src/core/migration";
import type { Inspected } from "../src/core/trust";

function check(settings: Record<string, Inspected>, expected: Step[]): void {
    assert.deepEqual(steps((key) => settings[key]), expected);
}

test("nothing old, nothing to do", () => {
    check({ "sidecar.completion.enabled": { globalValue: false } }, []);
});

test("a value goes to its new name in the file where it stands", () => {
    check({ "sidecar.enabled": { globalValue: false, workspaceFolderValue: true } }, [
        { place: "global", key: "sidecar.completion.enabled", value: false },
        { place: "global", key: "sidecar.enabled", value: undefined },
        { place: "folder", key: "sidecar.completion.enabled", value: true },
        { place: "folder", key: "sidecar.enabled", value: undefined },
    ]);
});

test("what is set under the new name stays", () => {
    check(
        {
            "sidecar.disabledLanguages": { globalValue: ["go"] },
            "sidecar.completion.disabledLanguages": { globalValue: ["python"] },
        },
        [{ place: "global", key: "sidecar.disabledLanguages", value: undefined }],
    );
});

test("what has no counterpart is dropped", () => {
    check({ "sidecar.enabled": { globalValue: "sometimes" } }, [
        { place: "global", key: "sidecar.enabled", value: undefined },
    ]);
});

test("no path comes out of a workspace's file this way", () => {
    check({ "sidecar.serverPath": { workspaceValue: "/theirs/sidecar" } }, [
        { place: "workspace", key: "sidecar.serverPath", value: undefined },
    ]);
});
