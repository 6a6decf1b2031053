// Drives a real VS Code (code-server) in headless Chromium, with the real extension and the real server.
//
// From the environment, as `scripts/test-vscode` sets it: CODE_SERVER (its entry.js), CODE_SERVER_NODE,
// CHROMIUM, PLAYWRIGHT (the folder of playwright-core), SIDECAR (the program), VSIX, ARTEFACTS.

import assert from "node:assert/strict";
import { spawn, spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import path from "node:path";

const { CODE_SERVER, CODE_SERVER_NODE, CHROMIUM, PLAYWRIGHT, SIDECAR, VSIX, ARTEFACTS } = process.env;
const { chromium } = createRequire(import.meta.url)(PLAYWRIGHT);

/** How long anything may take; a model on two slow cores takes seconds for its first prompt. */
const PATIENCE = Number(process.env.PATIENCE ?? 120_000);

/** What ghost text is made of: behind the cursor, inside the line, and the lines below. */
const GHOST = ".ghost-text-decoration, .ghost-text-decoration-preview, .suggest-preview-text .view-line, .ghost-text";

const STATUS = '.statusbar-item[id*="sidecar"]';

/** In the page: the ghost text that one sees, its lines as they stand. */
function defineGhostText(selector) {
    window.ghostText = () => {
        // Coloured text stands in a piece for each colour, so what is on one height is one line.
        const lines = new Map();
        for (const each of document.querySelectorAll(selector)) {
            const [place] = each.getClientRects();
            if (place !== undefined && !each.parentElement.closest(".ghost-text-decoration")) {
                const height = Math.round(place.top);
                lines.set(height, [...(lines.get(height) ?? []), { left: place.left, text: each.textContent }]);
            }
        }
        return [...lines]
            .sort(([a], [b]) => a - b)
            .map(([, pieces]) => pieces.sort((a, b) => a.left - b.left).map(({ text }) => text).join(""))
            .join("\n")
            .replace(/\u00a0/g, " ");
    };
}

export class Editor {
    /** Start everything with files in a folder of their own. */
    static async start({ files, settings = {}, environment = {}, restricted = false }) {
        const editor = new Editor();
        // Who stops the tests wants nothing to be left of them.
        process.once("SIGTERM", () => void editor.stop().finally(() => process.exit(1)));
        // Short: a Unix socket's path has room for about 100 bytes.
        editor.root = mkdtempSync(path.join(tmpdir(), "sv-"));
        editor.folder = path.join(editor.root, "project");
        for (const [name, text] of Object.entries(files)) {
            const file = path.join(editor.folder, name);
            mkdirSync(path.dirname(file), { recursive: true });
            writeFileSync(file, text);
        }
        const data = path.join(editor.root, "data");
        const machine = { "sidecar.server.path": SIDECAR, "sidecar.engine.keepLanesMb": 0, "sidecar.engine.warming": "off", ...(process.env.TRACE ? { "sidecar.trace.server": process.env.TRACE } : {}) };
        const user = {
            "security.workspace.trust.enabled": restricted,
            "workbench.startupEditor": "none",
            "workbench.colorTheme": "Default Dark Modern",
            "chat.disableAIFeatures": true,
            "workbench.secondarySideBar.defaultVisibility": "hidden",
            "editor.fontSize": 15,
            "editor.minimap.enabled": false,
            "editor.formatOnSave": false,
            "files.autoSave": "off",
            "telemetry.telemetryLevel": "off",
            ...(process.env.TRACE ? { "sidecar.trace.server": process.env.TRACE } : {}),
            ...settings,
        };
        for (const [place, values] of Object.entries({ Machine: { ...machine, ...settings }, User: user })) {
            mkdirSync(path.join(data, place), { recursive: true });
            writeFileSync(path.join(data, place, "settings.json"), JSON.stringify(values));
        }
        const common = [
            CODE_SERVER, "--config", path.join(editor.root, "config.yaml"),
            "--user-data-dir", data, "--extensions-dir", path.join(editor.root, "extensions"),
        ];
        writeFileSync(path.join(editor.root, "config.yaml"), "auth: none\n");
        const env = {
            ...process.env,
            SIDECAR_RUNTIME_DIR: path.join(editor.root, "run"),
            SIDECAR_LANES_DIR: path.join(editor.root, "lanes"),
            ...environment,
        };
        mkdirSync(env.SIDECAR_RUNTIME_DIR, { mode: 0o700 });
        const installed = spawnSync(CODE_SERVER_NODE, [...common, "--install-extension", VSIX], { env, encoding: "utf8" });
        assert.equal(installed.status, 0, installed.stderr);
        editor.server = spawn(
            CODE_SERVER_NODE,
            [
                ...common, "--auth", "none", "--bind-addr", "127.0.0.1:0", "--disable-telemetry",
                "--disable-update-check", "--disable-getting-started-override", editor.folder,
            ],
            { env, stdio: ["ignore", "pipe", "pipe"], detached: true },
        );
        const address = await editor.listening();
        editor.browser = await chromium.launch({
            executablePath: CHROMIUM,
            args: [
                "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
                "--disable-background-networking", "--disable-component-update", "--disable-sync",
            ],
        });
        editor.page = await editor.browser.newPage({ viewport: { width: 1100, height: 640 } });
        editor.page.setDefaultTimeout(PATIENCE);
        await editor.page.addInitScript(defineGhostText, GHOST);
        await editor.page.goto(`${address}?folder=${encodeURIComponent(editor.folder)}`, { waitUntil: "commit" });
        await editor.page.waitForSelector(".monaco-workbench .statusbar");
        return editor;
    }

    /** End everything that was started, engines included. */
    async stop() {
        await this.browser?.close().catch(() => undefined);
        try {
            process.kill(-this.server.pid, "SIGTERM");
        } catch {
            // It has ended.
        }
        await Promise.race([new Promise((resolve) => this.server.once("exit", resolve)), sleep(5000)]);
        for (const pid of this.engines()) {
            process.kill(pid, "SIGTERM");
        }
        await sleep(500);
        if (process.env.KEEP === undefined) {
            rmSync(this.root, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
        }
    }

    /** The processes that run our model: those with our runtime directory. */
    engines() {
        // A process that ends meanwhile cannot be read; one that has ended has no environment.
        return readdirSync("/proc")
            .filter((name) => /^\d+$/.test(name))
            .map(Number)
            .filter((pid) => {
                try {
                    return (
                        readFileSync(`/proc/${pid}/cmdline`, "utf8").includes("sidecar.engine") &&
                        readFileSync(`/proc/${pid}/environ`, "utf8").includes(`${this.root}/run`)
                    );
                } catch {
                    return false;
                }
            });
    }

    /** Open the input that a key opens; a workbench that just came into view, or whose focus moves, loses keys. */
    async quickInput(key) {
        const input = this.page.locator(".quick-input-widget input").first();
        await until(
            async () => {
                await this.page.keyboard.press(key);
                return input.waitFor({ state: "visible", timeout: 5000 }).then(() => true, () => false);
            },
            (open) => open,
            `what ${key} opens`,
        );
        return input;
    }

    /** Run a command from the palette, by its title. */
    async command(title) {
        const input = await this.quickInput("F1");
        await input.fill(`>${title}`);
        // Which row is the first depends on what was run before, and before they are filtered nothing is highlighted.
        const label = this.page
            .locator(".label-name")
            .filter({ hasText: new RegExp(`^(\\w+: )?${title}(\\.\\.\\.)?$`), has: this.page.locator(".highlight") });
        await this.page.locator(".quick-input-list .monaco-list-row").filter({ has: label }).first().click();
        await this.page.locator(".quick-input-widget").filter({ hasText: title }).first().waitFor({ state: "hidden" });
    }

    /** Show a file, with the cursor at the end of a line (the first is 1). */
    async open(name, line) {
        const input = await this.quickInput("Control+p");
        await input.fill(name);
        // The list is that of all files at first: what Enter takes is the row with the focus.
        await this.page.locator(".quick-input-list .monaco-list-row.focused").filter({ hasText: path.basename(name) }).first().waitFor();
        await this.page.keyboard.press("Enter");
        await this.page.locator(".tab.active").filter({ hasText: path.basename(name) }).waitFor();
        await this.page.locator(".monaco-editor .view-lines").first().waitFor();
        if (line !== undefined) {
            await this.quickInput("Control+g");
            await input.fill(`:${line}`);
            await this.page.keyboard.press("Enter");
            // Keys that come while the focus goes back are lost.
            await input.waitFor({ state: "hidden" });
            await this.page.locator(".statusbar-item").filter({ hasText: `Ln ${line},` }).first().waitFor();
            await this.page.locator(".monaco-editor.focused").first().waitFor();
            await this.page.keyboard.press("End");
        }
    }

    async type(text, delay = 60) {
        await this.page.keyboard.type(text, { delay });
    }

    async press(...keys) {
        for (const key of keys) {
            await this.page.keyboard.press(key);
        }
    }

    /** The ghost text that one sees, its lines as they stand; empty when there is none. */
    async ghost() {
        return this.page.evaluate(() => window.ghostText());
    }

    /** Wait until one sees ghost text that is as it should be. */
    async seen(accept = (text) => text.trim() !== "", patience = PATIENCE) {
        return until(() => this.ghost(), accept, "ghost text", patience);
    }

    async gone() {
        return until(() => this.ghost(), (text) => text === "", "no ghost text");
    }

    /** Look at each frame from now on; returns what ends that and tells the texts that were seen, in order. */
    async watch() {
        await this.page.evaluate(() => {
            const seen = [""];
            const look = () => {
                const text = window.ghostText();
                if (text !== seen.at(-1)) {
                    seen.push(text);
                }
                if (window.watched === seen) {
                    requestAnimationFrame(look);
                }
            };
            window.watched = seen;
            requestAnimationFrame(look);
        });
        return () =>
            this.page.evaluate(() => {
                const seen = window.watched;
                delete window.watched;
                return seen;
            });
    }

    /** Wait until ghost text is whole: the server has no more to say, and VS Code shows all of it. */
    async still(accept = (text) => text.trim() !== "") {
        let before;
        return until(
            async () => {
                const now = await this.ghost();
                const rests = !/thinking/.test(await this.label());
                const still = rests && now === before && accept(now);
                before = rests ? now : undefined;
                return still ? now : undefined;
            },
            (text) => text !== undefined,
            "ghost text that rests",
            PATIENCE,
            900,
        );
    }

    /** From a key to the next ghost text that answers it, in ms of the page's clock; undefined when none comes. */
    async keyToGhost(key, patience = 3000) {
        const before = await this.ghost();
        const seen = this.page.evaluate(
            ([before, patience]) =>
                new Promise((resolve) => {
                    let pressed;
                    const listen = (event) => (pressed ??= event.timeStamp);
                    document.addEventListener("keydown", listen, { capture: true, once: true });
                    document.body.dataset.watching = "";
                    const look = (now) => {
                        const shown = window.ghostText();
                        const answered = pressed !== undefined && shown.trim() !== "" && shown !== before;
                        if (answered || (pressed !== undefined && now - pressed > patience)) {
                            delete document.body.dataset.watching;
                            resolve(answered ? performance.now() - pressed : undefined);
                        } else {
                            requestAnimationFrame(look);
                        }
                    };
                    requestAnimationFrame(look);
                }),
            [before, patience],
        );
        await this.page.locator("body[data-watching]").waitFor({ state: "attached" });
        await this.page.keyboard.type(key);
        return seen;
    }

    /** Have the extension write more into its log. */
    async logLevel(level) {
        await this.command("Developer: Set Log Level");
        const input = this.page.locator(".quick-input-widget input").first();
        await input.fill("sidecar");
        await this.page.locator(".quick-input-list .monaco-list-row").filter({ hasText: "sidecar" }).first().waitFor();
        await this.page.keyboard.press("Enter");
        const row = this.page.locator(".quick-input-list .monaco-list-row").filter({ hasText: level }).first();
        await row.waitFor();
        await row.click();
    }

    /** The status bar's entry: its text for people who do not see icons. */
    async label() {
        return (await this.page.locator(`${STATUS} a`).first().getAttribute("aria-label")) ?? "";
    }

    async status(accept) {
        return until(() => this.label(), (text) => accept.test(text), `a status like ${accept}`);
    }

    /** Note all that stands in the status bar's entry from now on; returns what tells it. */
    async watchStatus() {
        await this.page.evaluate((selector) => {
            const look = () => {
                const text = document.querySelector(selector)?.textContent.trim() ?? "";
                if (text !== window.said.at(-1)) {
                    window.said.push(text);
                }
            };
            window.said = [];
            look();
            new MutationObserver(look).observe(document.querySelector(".statusbar"), { subtree: true, childList: true, characterData: true });
        }, STATUS);
        return () => this.page.evaluate(() => window.said);
    }

    notification(text) {
        return this.page.locator(".notification-toast, .notification-list-item").filter({ hasText: text }).first();
    }

    /** Close everything without keeping it, whatever is open, so that the next one begins with nothing. */
    async clear() {
        for (let count = 0; count < 20; count += 1) {
            await this.press("Escape", "Escape");
            const dirty = this.page.locator(".tab.dirty").first();
            if ((await this.page.locator(".tab").count()) === 0) {
                return;
            }
            if ((await dirty.count()) > 0) {
                // The editor before may only now be about to close.
                await dirty.click({ timeout: 2000 }).catch(() => undefined);
            }
            await this.command("View: Revert and Close Editor");
            await sleep(200);
        }
        assert.fail("editors are open that cannot be closed");
    }

    /** Save the document in view, and return what the file holds. */
    async saved(name) {
        await this.page.keyboard.press("Control+s");
        await this.page.locator(".tab.active:not(.dirty)").filter({ hasText: path.basename(name) }).waitFor();
        return readFileSync(path.join(this.folder, name), "utf8");
    }

    /** Give the folder settings of its own; none take them away. */
    async configure(values) {
        const told = () => this.log().split("settings changed").length;
        const before = told();
        mkdirSync(path.join(this.folder, ".vscode"), { recursive: true });
        writeFileSync(path.join(this.folder, ".vscode", "settings.json"), JSON.stringify(values));
        // VS Code watches the file, and tells the server.
        await until(told, (count) => count > before, "settings that the server was told");
    }

    async screenshot(name) {
        mkdirSync(ARTEFACTS, { recursive: true });
        await this.page.screenshot({ path: path.join(ARTEFACTS, `${name}.png`) });
    }

    /** The extension's log, as Show Log shows it. */
    log() {
        const logs = path.join(this.root, "data", "logs");
        const names = readdirSync(logs, { recursive: true }).filter((name) => /sidecar\.log$/.test(name));
        return names.map((name) => readFileSync(path.join(logs, name), "utf8")).join("\n");
    }

    /** Keep what tells why a test failed. */
    async failed(name) {
        mkdirSync(ARTEFACTS, { recursive: true });
        const log = this.log();
        writeFileSync(path.join(ARTEFACTS, `${name}-failed.log`), log);
        console.error(log.trimEnd().split("\n").slice(-20).join("\n"));
        console.error(`${name}: status ${JSON.stringify(await this.label().catch(String))}, ghost text ${JSON.stringify(await this.ghost().catch(String))}`);
        await this.screenshot(`${name}-failed`).catch(() => undefined);
    }

    listening() {
        return new Promise((resolve, reject) => {
            let said = "";
            const take = (data) => {
                said += data;
                const found = /listening on (http:\/\/\S+)/.exec(said);
                if (found) {
                    resolve(found[1]);
                }
            };
            this.server.stdout.on("data", take);
            this.server.stderr.on("data", take);
            this.server.once("exit", () => reject(new Error(`code-server has ended: ${said}`)));
        });
    }
}

export function sleep(ms) {
    return new Promise((resolve) => setTimeout(resolve, ms));
}

/** Look until what one sees is as it should be. */
export async function until(look, accept, what, patience = PATIENCE, between = 100) {
    const end = Date.now() + patience;
    let seen;
    for (;;) {
        seen = await look();
        if (accept(seen)) {
            return seen;
        }
        assert.ok(Date.now() < end, `expected ${what}, saw ${JSON.stringify(seen)}`);
        await sleep(between);
    }
}
