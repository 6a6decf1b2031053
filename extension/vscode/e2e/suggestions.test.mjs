// What a person does with suggestions, in one session with the real model. Each step asserts what the
// saved file holds, for the editor draws only what is in view, and what a person would see.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { Editor, sleep, until } from "./editor.mjs";

const SHAPES = `import math


class Circle:
    def __init__(self, radius: float) -> None:
        self.radius = radius

    def area(self) -> float:
        return math.pi * self.radius ** 2

    def circumference(self) -> float:


class Square:
    def __init__(self, side: float) -> None:
        self.side = side

    def area(self) -> float:
        return self.side ** 2
`;

const CART = `interface Item {
    name: string;
    price: number;
    quantity: number;
}

export function total(items: Item[]): number {
    return items.reduce((sum, item) => sum + item.price * item.quantity, 0);
}

export function names(items: Item[]): string[] {
    
}
`;

const BOXES = `class Box:
    def __init__(self, width: float, height: float, depth: float) -> None:
`;

/** The line of `shapes.py` whose body is missing, and that of `boxes.py` (from 1). */
const LINE = 11;
const LAST = 2;

const BOOK = JSON.stringify({
    cells: [{ cell_type: "code", execution_count: null, metadata: {}, outputs: [], source: ["def area(width, height):\n", "    "] }],
    metadata: { language_info: { name: "python" } },
    nbformat: 4,
    nbformat_minor: 5,
});

/** What lies in the folder; VS Code finds late what comes later. */
const FILES = {};

let editor;

before(async () => {
    // This runs when the first step is named; the files of all are known once the last is.
    await sleep(0);
    editor = await Editor.start({
        files: FILES,
        // Other sources of ghost text and of characters must not blur what ours are.
        settings: {
            "editor.autoClosingBrackets": "never",
            "editor.quickSuggestions": { other: "off" },
            "editor.suggestOnTriggerCharacters": false,
            "files.hotExit": "off",
            "files.defaultLanguage": "python",
        },
    });
    try {
        await editor.status(/ready/);
        await editor.logLevel("Debug");
    } catch (error) {
        await editor.failed("start");
        throw error;
    }
});

after(() => editor?.stop());

/** One step, with files of its own; when it fails, what one saw is kept, and the next one begins with nothing. */
function step(name, files, run) {
    Object.assign(FILES, files);
    test(name, async () => {
        try {
            await run(...Object.keys(files));
        } catch (error) {
            await editor?.failed(name.replace(/\W+/g, "-"));
            throw error;
        } finally {
            await editor?.clear();
        }
    });
}

/** Open a file, and begin a line below one. */
async function below(file, line, typed = "") {
    await editor.open(file, line);
    await editor.press("Enter");
    if (typed !== "") {
        await editor.type(typed);
    }
}

/** How often the server was asked for a suggestion so far. */
function asked() {
    return editor.log().split("The server is asked.").length - 1;
}

step("ghost text appears while one types Python, Tab takes all of it, and one undo takes it back", { "area.py": SHAPES }, async (file) => {
    await below(file, LINE, "ret");
    const ghost = await editor.still();
    assert.match(ghost, /^urn /);
    await editor.screenshot("python");
    await editor.press("Tab");
    await editor.gone();
    const text = await editor.saved(file);
    assert.ok(text.includes(`        ret${ghost.split("\n")[0]}\n`), text);
    await editor.press("Control+z");
    assert.match(await editor.saved(file), /-> float:\n {8}ret\n/);
});

step("a word is taken, then another", { "words.py": SHAPES }, async (file) => {
    await below(file, LINE, "ret");
    const ghost = await editor.still();
    await editor.press("Control+ArrowRight");
    const rest = await editor.seen((text) => text !== "" && ghost.endsWith(text) && text.length < ghost.length);
    assert.match(await editor.saved(file), /\n {8}return\b/);
    await editor.press("Control+ArrowRight");
    await editor.seen((text) => text !== "" && rest.endsWith(text) && text.length < rest.length);
});

step("what is typed along leaves the rest, without a new request", { "along.py": SHAPES }, async (file) => {
    await below(file, LINE, "ret");
    const ghost = await editor.still();
    const before = asked();
    assert.ok(before > 0);
    await editor.type("urn");
    assert.match(await editor.seen((text) => text === ghost.slice(3)), /^ /);
    assert.equal(asked(), before);
    assert.match(await editor.saved(file), /\n {8}return\n/);
});

const GROWING = { "box.py": BOXES, "crate.py": BOXES.replace("Box", "Crate"), "parcel.py": BOXES.replace("Box", "Parcel") };

step("ghost text grows without going away in between", GROWING, async (...files) => {
    // What was said while the cursor rested would be there at once.
    await editor.configure({ "sidecar.completion.speculate": false });
    try {
        const grown = [];
        // How often it grows is a matter of how fast model and editor are; that it does is not.
        for (const file of files) {
            await editor.open(file, LAST);
            const watched = await editor.watch();
            await editor.press("Enter");
            await editor.still((ghost) => ghost.includes("\n"));
            const seen = await watched();
            // Once something is shown it is never nothing again, and each text has the one before in it.
            const shown = seen.slice(seen.findIndex((ghost) => ghost !== ""));
            assert.ok(shown.every((ghost, at) => at === 0 || ghost.startsWith(shown[at - 1])), JSON.stringify(seen));
            grown.push(shown);
            await editor.press("Escape");
            await editor.gone();
            assert.equal((await editor.saved(file)).trimEnd(), GROWING[file].trimEnd());
        }
        assert.ok(grown.some((shown) => shown.length > 1), JSON.stringify(grown));
    } finally {
        await editor.configure({});
    }
});

step("Tab takes what one sees of a text that grows, and the rest follows", { "chest.py": BOXES.replace("Box", "Chest") }, async (file) => {
    await editor.configure({ "sidecar.completion.speculate": false });
    try {
        await below(file, LAST);
        const seen = await editor.seen();
        await editor.press("Tab");
        // It may have been all there was.
        const rest = await editor.still(() => true);
        if (rest !== "") {
            await editor.press("Tab");
            await editor.gone();
        }
        const text = await editor.saved(file);
        const [first, ...more] = text.split("\n").slice(LAST).map((line) => line.trim());
        assert.ok(first.startsWith(seen.split("\n")[0].trim()), text);
        assert.ok(rest === "" || /^self\.\w+ = \w+$/.test(first), text);
        assert.ok(!more.includes(first), text);
    } finally {
        await editor.configure({});
    }
});

step("a key that disagrees takes the suggestion away or brings another", { "other.py": SHAPES }, async (file) => {
    await below(file, LINE, "ret");
    const ghost = await editor.still();
    await editor.type("_");
    await until(() => editor.ghost(), (text) => text !== ghost, "something else");
    assert.match(await editor.saved(file), /\n {8}ret_\n/);
});

step("Escape dismisses it, also while it grows", { "dismissed.py": SHAPES }, async (file) => {
    await below(file, LINE, "ret");
    await editor.seen();
    await editor.press("Escape");
    await editor.gone();
    // It does not come back.
    await sleep(1500);
    assert.equal(await editor.ghost(), "");
    assert.match(await editor.saved(file), /\n {8}ret\n/);
});

step("who asks may choose: Alt+] shows another one, Alt+[ the first again, and Tab takes what is shown", { "choice.py": BOXES }, async (file) => {
    await below(file, LAST);
    await editor.command("sidecar: Complete Now");
    const first = await editor.still((text) => text.includes("\n"));
    await editor.press("Alt+]");
    const second = await editor.still((text) => text.trim() !== "" && text !== first);
    await editor.screenshot("cycling");
    await editor.press("Alt+[");
    await editor.seen((text) => text === first);
    await editor.press("Alt+]");
    await editor.seen((text) => text === second);
    await editor.press("Tab");
    await editor.gone();
    const text = await editor.saved(file);
    assert.equal(text.slice(BOXES.length).trim(), second.trim());
});

step("a line is taken of several", { "lines.py": BOXES }, async (file) => {
    await below(file, LAST);
    const [first, second] = (await editor.still((text) => text.includes("\n"))).split("\n");
    await editor.press("Control+Alt+ArrowRight");
    await editor.seen((text) => text !== "" && !text.includes(first));
    const text = await editor.saved(file);
    assert.ok(text.includes(`        ${first.trim()}\n`), text);
    assert.ok(!text.includes(second.trim()), text);
});

step("ghost text appears while one types TypeScript", { "cart.ts": CART }, async (file) => {
    await editor.open(file, 12);
    await editor.type("return items.");
    const ghost = await editor.still();
    await editor.screenshot("typescript");
    await editor.press("Tab");
    await editor.gone();
    assert.ok((await editor.saved(file)).includes(`return items.${ghost.split("\n")[0]}`));
});

step("a file with CRLF keeps its line endings", { "windows.py": SHAPES.replaceAll("\n", "\r\n") }, async (file) => {
    await below(file, LINE, "ret");
    await editor.still();
    await editor.press("Tab");
    await editor.gone();
    const text = await editor.saved(file);
    assert.match(text, /\r\n {8}return [^\r\n]+\r\n/);
    assert.doesNotMatch(text, /[^\r]\n/);
});

step("nothing is suggested in a language that is switched off, and again when it is on", { "off.py": SHAPES }, async (file) => {
    await editor.open(file, LINE);
    await editor.command("sidecar: Switch On or Off for This Language");
    try {
        await editor.status(/off/);
        const before = asked();
        await below(file, LINE, "ret");
        await sleep(1500);
        assert.equal(await editor.ghost(), "");
        assert.equal(asked(), before);
    } finally {
        await editor.command("sidecar: Switch On or Off for This Language");
    }
    await editor.status(/ready|thinking/);
    await editor.type("u");
    await editor.seen();
    assert.match(await editor.saved(file), /\n {8}retu\n/);
});

step("in another file one gets what fits there", { "here.py": SHAPES, "there.ts": CART }, async (file, other) => {
    await below(file, LINE, "ret");
    await editor.still();
    await editor.open(other, 12);
    await editor.gone();
    await editor.type("return items.");
    const ghost = await editor.still();
    await editor.press("Tab");
    await editor.gone();
    assert.ok((await editor.saved(other)).includes(`return items.${ghost.split("\n")[0]}`));
    await editor.open(file);
    assert.match(await editor.saved(file), /\n {8}ret\n/);
});

step("the context card shows parts and their tokens", { "card.py": SHAPES }, async (file) => {
    await below(file, LINE, "ret");
    await editor.still();
    await editor.command("sidecar: Show Context Card");
    const card = editor.page.frameLocator("iframe.webview").frameLocator("iframe");
    await card.locator("h1").filter({ hasText: "What the model was shown" }).waitFor();
    await card.locator("details").first().click();
    await editor.screenshot("context-card");
    assert.ok((await card.locator("details").count()) >= 3);
});

step("beside the menu of completions Tab takes what the menu has selected, and nothing twice", { "menu.py": SHAPES }, async (file) => {
    await below(file, LINE, "return self.ra");
    await editor.press("Escape", "Control+Space");
    const menu = editor.page.locator(".suggest-widget.visible .monaco-list-row.focused");
    await menu.filter({ hasText: "radius" }).waitFor();
    await editor.press("Tab");
    await menu.waitFor({ state: "hidden" });
    assert.match(await editor.saved(file), /\n {8}return self\.radius\n/);
});

step("two cursors type the same, and no ghost text gets in between", { "cursors.py": "class A:\n    x = 1\n    y = 2\n" }, async (file) => {
    await editor.open(file, 2);
    await editor.command("Add Cursor Below");
    await editor.type(" + tot");
    await editor.press("Escape");
    assert.equal(await editor.saved(file), "class A:\n    x = 1 + tot\n    y = 2 + tot\n");
});

step("a cell of a notebook is completed", { "book.ipynb": BOOK }, async (file) => {
    await editor.open(file);
    const cell = editor.page.locator(".notebookOverlay .monaco-editor").first();
    await cell.locator(".view-line").first().click();
    await editor.press("Control+End");
    await editor.type("ret");
    assert.match(await editor.still(), /^urn /);
    await editor.press("Tab");
    await editor.gone();
    const { cells } = JSON.parse(await editor.saved(file));
    assert.match(cells[0].source.join(""), /\n {4}return \S/);
});

step("a document that was never saved is completed", {}, async () => {
    await editor.command("File: New Untitled Text File");
    assert.match(await written(".monaco-editor"), /return\s\S/);
});

step("in a comparison the side that one writes to is completed", {}, async () => {
    await editor.command("Compare New Untitled Text Files");
    assert.match(await written(".editor.modified"), /return\s\S/);
});

/** Type and accept in what has no file; returns what one sees then, which is little enough to be drawn. */
async function written(where) {
    await editor.page.locator(`${where}.focused, ${where} .focused`).first().waitFor();
    await editor.type("def area(width, height):\nret");
    assert.match(await editor.still(), /^urn /);
    await editor.press("Tab");
    await editor.gone();
    // In a comparison lines of the other side are drawn in between, in places of their own.
    return editor.page.locator(`${where} .lines-content > .view-lines`).first().innerText();
}

step("an engine that is killed is told of and comes back", { "killed.py": SHAPES }, async (file) => {
    const [pid] = editor.engines();
    assert.ok(pid > 0);
    const said = await editor.watchStatus();
    process.kill(pid, "SIGKILL");
    await until(() => editor.engines(), (pids) => pids.length > 0 && !pids.includes(pid), "another engine");
    await until(said, (texts) => texts.some((text) => /the engine (ended|is started again)/.test(text)), "a status that says so");
    await editor.status(/ready/);
    assert.equal((await said()).at(-1), "sidecar");
    await below(file, LINE, "ret");
    assert.match(await editor.still(), /^urn /);
    assert.match(await editor.saved(file), /\n {8}ret\n/);
});
