// Without a model: one is offered, nothing is downloaded unasked, and the status says so.

import assert from "node:assert/strict";
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import test from "node:test";
import { Editor } from "./editor.mjs";

test("a start without a model offers one, with size and licence", async () => {
    const cache = mkdtempSync(path.join(tmpdir(), "sc-"));
    let editor;
    try {
        editor = await Editor.start({
            files: { "a.py": "def f():\n    ret\n" },
            environment: { SIDECAR_CACHE_DIR: cache },
        });
        await editor.status(/no model/i);
        const offer = editor.notification("needs a model");
        await offer.waitFor();
        assert.match(await offer.innerText(), /MB, Apache-2\.0|GB, Apache-2\.0/);
        await editor.screenshot("no-model");
        assert.deepEqual(readdirSync(cache).filter((name) => name === "models"), []);
        await editor.command("sidecar: Select Model");
        await editor.page.locator(".quick-input-list .monaco-list-row").filter({ hasText: "Suits this machine" }).first().waitFor();
        await editor.screenshot("select-model");
    } catch (error) {
        await editor?.failed("no-model");
        throw error;
    } finally {
        await editor?.stop();
        rmSync(cache, { recursive: true, force: true });
    }
});

test("in Restricted Mode a workspace chooses no program", async () => {
    const cache = mkdtempSync(path.join(tmpdir(), "sc-"));
    let editor;
    try {
        editor = await Editor.start({
            files: {
                "a.py": "def f():\n    ret\n",
                ".vscode/settings.json": JSON.stringify({ "sidecar.server.path": "/nowhere/theirs", "sidecar.model.path": "/nowhere/theirs.gguf" }),
            },
            restricted: true,
            environment: { SIDECAR_CACHE_DIR: cache },
        });
        // The one of the user runs, and what the workspace says is not even looked at.
        await editor.status(/no model/i);
        assert.equal(await editor.notification("/nowhere/theirs").count(), 0);
    } catch (error) {
        await editor?.failed("restricted");
        throw error;
    } finally {
        await editor?.stop();
        rmSync(cache, { recursive: true, force: true });
    }
});
