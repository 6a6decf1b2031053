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

const FILES = {
    "shapes.py": SHAPES,
    "cart.ts": CART,
    "windows.py": SHAPES.replaceAll("\n", "\r\n"),
    "boxes.py": BOXES,
};

/** The line of `shapes.py` whose body is missing (from 1). */
const LINE = 11;

let editor;

before(async () => {
    editor = await Editor.start({
        files: FILES,
        // Other sources of ghost text and of characters must not blur what ours are.
        settings: { "editor.autoClosingBrackets": "never", "editor.quickSuggestions": { other: "off" }, "editor.suggestOnTriggerCharacters": false },
    });
});

after(() => editor?.stop());

/** One step; when it fails, what one saw is kept. */
function step(name, run) {
    test(name, async () => {
        try {
            await run();
        } catch (error) {
            await editor?.failed(name.replace(/\W+/g, "-"));
            throw error;
        }
    });
}

/** Bring the file back to what it was, and the cursor below the line whose body is missing. */
async function anew(typed) {
    await editor.open("shapes.py", LINE);
    await editor.press("Enter");
    if (typed !== "") {
        await editor.type(typed);
    }
}

async function undone() {
    await editor.press("Escape", "Escape");
    for (let count = 0; count < 60 && (await editor.saved("shapes.py")) !== SHAPES; count += 1) {
        await editor.press("Control+z");
    }
    assert.equal(await editor.saved("shapes.py"), SHAPES);
}

step("the status says that the model is ready", async () => {
    await editor.open("shapes.py", LINE);
    await editor.status(/ready/);
});

step("ghost text appears while one types Python, and Tab takes all of it", async () => {
    await anew("ret");
    const ghost = await editor.still();
    assert.match(ghost, /^urn /);
    await editor.screenshot("python");
    await editor.press("Tab");
    await editor.gone();
    const text = await editor.saved("shapes.py");
    assert.ok(text.includes(`        ret${ghost.split("\n")[0]}\n`), text);
});

step("one undo takes the whole suggestion back", async () => {
    await editor.press("Control+z");
    const text = await editor.saved("shapes.py");
    assert.match(text, /-> float:\n {8}ret\n/);
    await undone();
});

step("a word is taken, then another", async () => {
    await anew("ret");
    const ghost = await editor.still();
    await editor.press("Control+ArrowRight");
    await editor.seen((text) => text !== "" && ghost.endsWith(text) && text.length < ghost.length);
    assert.match(await editor.saved("shapes.py"), /\n {8}return\b/);
    const rest = await editor.ghost();
    await editor.press("Control+ArrowRight");
    await editor.seen((text) => text.length < rest.length);
    await undone();
});

step("what is typed along leaves the rest, without a new request", async () => {
    await anew("ret");
    const ghost = await editor.still();
    await editor.type("urn");
    const rest = await editor.seen((text) => text === ghost.slice(3));
    assert.match(rest, /^ /);
    await undone();
});

step("ghost text grows without going away in between", async () => {
    // What was said while the cursor rested would be there at once.
    await editor.configure({ "sidecar.completion.speculate": false });
    await editor.open("boxes.py", 2);
    const watched = await editor.watch();
    await editor.press("Enter");
    await editor.still((text) => text.includes("\n"));
    const seen = await watched();
    await editor.configure({});
    // Once something is shown it is never nothing again, and each text has the one before in it.
    const shown = seen.slice(seen.findIndex((text) => text !== ""));
    assert.ok(shown.length > 1, JSON.stringify(seen));
    assert.ok(shown.every((text, index) => index === 0 || text.startsWith(shown[index - 1])), JSON.stringify(seen));
    await editor.press("Escape", "Control+z");
    assert.equal(await editor.saved("boxes.py"), BOXES);
});

step("a key that disagrees takes the suggestion away or brings another", async () => {
    await anew("ret");
    const ghost = await editor.still();
    await editor.type("_");
    await until(() => editor.ghost(), (text) => text !== ghost, "something else");
    await undone();
});

step("Escape dismisses it, also while it grows", async () => {
    await anew("ret");
    await editor.seen();
    await editor.press("Escape");
    await editor.gone();
    await sleep(1500);
    assert.equal(await editor.ghost(), "");
    await undone();
});

step("asking shows ghost text, and cycling shows no error", async () => {
    await anew("");
    await editor.command("sidecar: Complete Now");
    await editor.seen();
    await editor.press("Alt+]");
    await editor.seen();
    await editor.screenshot("cycling");
    await undone();
});

step("a line is taken of several", async () => {
    await editor.open("boxes.py", 2);
    await editor.press("Enter");
    const [first, second] = (await editor.still((text) => text.includes("\n"))).split("\n");
    await editor.press("Control+Alt+ArrowRight");
    await editor.seen((text) => text !== "" && !text.includes(first));
    const text = await editor.saved("boxes.py");
    assert.ok(text.includes(`        ${first.trim()}\n`), text);
    assert.ok(!text.includes(second.trim()), text);
});

step("ghost text appears while one types TypeScript", async () => {
    await editor.open("cart.ts", 12);
    await editor.type("return items.");
    const ghost = await editor.still();
    await editor.screenshot("typescript");
    await editor.press("Tab");
    await editor.gone();
    assert.ok((await editor.saved("cart.ts")).includes(`return items.${ghost.split("\n")[0]}`));
});

step("a file with CRLF keeps its line endings", async () => {
    await editor.open("windows.py", LINE);
    await editor.press("Enter");
    await editor.type("ret");
    await editor.still();
    await editor.press("Tab");
    await editor.gone();
    const text = await editor.saved("windows.py");
    assert.match(text, /\r\n {8}return [^\r\n]+\r\n/);
    assert.doesNotMatch(text, /[^\r]\n/);
});

step("nothing is suggested in a language that is switched off, and again when it is on", async () => {
    await editor.open("shapes.py", LINE);
    await editor.command("sidecar: Switch On or Off for This Language");
    await editor.status(/off/);
    await anew("ret");
    await sleep(2000);
    assert.equal(await editor.ghost(), "");
    await editor.command("sidecar: Switch On or Off for This Language");
    await editor.status(/ready|thinking/);
    await editor.type("u");
    await editor.seen();
    await undone();
});

step("the context card shows parts and their tokens", async () => {
    await anew("ret");
    await editor.still();
    await editor.command("sidecar: Show Context Card");
    const card = editor.page.frameLocator("iframe.webview").frameLocator("iframe");
    await card.locator("h1").filter({ hasText: "What the model was shown" }).waitFor();
    await card.locator("details").first().click();
    await editor.screenshot("context-card");
    assert.ok((await card.locator("details").count()) >= 3);
    await editor.command("View: Close All Editors in Group");
    await undone();
});

step("an engine that is killed is told of and comes back", async () => {
    const [pid] = editor.engines();
    assert.ok(pid > 0);
    process.kill(pid, "SIGKILL");
    await until(() => editor.engines(), (pids) => pids.length > 0 && !pids.includes(pid), "another engine");
    await editor.status(/ready/);
    await anew("ret");
    assert.match(await editor.still(), /^urn /);
    await undone();
});
