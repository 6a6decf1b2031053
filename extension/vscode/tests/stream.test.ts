import assert from "node:assert/strict";
import test from "node:test";
import { GROWTH_MS, StreamBuffer } from "../src/core/stream";
import { Clock, grow, marked, span } from "./fixtures";

function begun(text: string) {
    const clock = new Clock();
    const looks: number[] = [];
    const buffer = new StreamBuffer(() => looks.push(clock.now()), clock);
    const document = marked(text);
    const generation = buffer.begin("a", document.at, document.before, document.after);
    return { clock, looks, buffer, document, generation };
}

test("the first text is what the editor waits for: it is not told to look", () => {
    const { buffer, generation, looks } = begun("ret|");
    grow(generation, "return");
    buffer.grown(generation);
    assert.deepEqual(looks, []);
});

test("text that grows makes the editor look, not more often than is useful", () => {
    const { buffer, generation, looks, clock, document } = begun("ret|");
    grow(generation, "retu");
    buffer.gave(generation, generation.fit(document.lines, document.at));
    for (const text of ["retur", "return", "return ", "return 1"]) {
        grow(generation, text);
        buffer.grown(generation);
        clock.advance(GROWTH_MS / 5);
    }
    assert.equal(looks.length, 1);
    clock.advance(GROWTH_MS);
    assert.equal(looks.length, 2);
    assert.equal(clock.pending, 0);
});

test("the end is shown at once, and only if it is something new", () => {
    const { buffer, generation, looks, document } = begun("ret|");
    grow(generation, "return 1");
    buffer.gave(generation, generation.fit(document.lines, document.at));
    generation.finish({ text: "return 1", span: span(0, 0, 3) });
    buffer.grown(generation);
    assert.equal(looks.length, 0);
    const other = begun("ret|");
    grow(other.generation, "return");
    other.buffer.gave(other.generation, other.generation.fit(document.lines, document.at));
    other.generation.finish({ text: "return 1", span: span(0, 0, 3) });
    other.buffer.grown(other.generation);
    assert.equal(other.looks.length, 1);
});

test("lines below the cursor's make the editor look once, when all are there", () => {
    const { buffer, generation, looks, clock, document } = begun("ret|");
    grow(generation, "return");
    buffer.gave(generation, generation.fit(document.lines, document.at));
    for (const text of ["return 1", "return 1\n", "return 1\n\ndef", "return 1\n\ndef f():"]) {
        grow(generation, text);
        buffer.grown(generation);
        buffer.gave(generation, generation.fit(document.lines, document.at));
        clock.advance(GROWTH_MS * 2);
    }
    assert.equal(looks.length, 1);
    generation.finish({ text: "return 1\n\ndef f(): pass", span: span(0, 0, 3) });
    buffer.grown(generation);
    assert.equal(looks.length, 2);
});

test("what the model says instead of the index replaces it", () => {
    const { buffer, generation, looks, document } = begun("self.|");
    generation.grow("self.name", span(0, 0, 5), "index");
    buffer.gave(generation, generation.fit(document.lines, document.at));
    generation.grow("self.load", span(0, 0, 5));
    buffer.grown(generation);
    assert.equal(looks.length, 1);
    assert.equal(generation.fit(document.lines, document.at)?.rest, "load");
});

test("our own look is told from the user's request, once", () => {
    const { buffer, generation, document } = begun("ret|");
    assert.equal(buffer.isOurs(), false);
    grow(generation, "retu");
    buffer.gave(generation, generation.fit(document.lines, document.at));
    grow(generation, "retur");
    buffer.grown(generation);
    assert.equal(buffer.isOurs(), true);
    assert.equal(buffer.isOurs(), false);
});

test("a look that did not happen leaves no mark", () => {
    const { buffer, generation, document } = begun("ret|");
    grow(generation, "retu");
    buffer.gave(generation, generation.fit(document.lines, document.at));
    grow(generation, "retur");
    buffer.grown(generation);
    buffer.unmark();
    assert.equal(buffer.isOurs(), false);
});

test("a generation serves its own document only, and while that agrees", () => {
    const { buffer, generation } = begun("ret|");
    grow(generation, "return 1");
    for (const [key, text, serves] of [
        ["a", "retu|", true],
        ["a", "rex|", false],
        ["b", "retu|", false],
    ] as const) {
        const { lines, at } = marked(text);
        assert.equal(buffer.serving(key, lines, at) === generation, serves, `${key} ${text}`);
    }
});

test("before anything came, only the same place waits for it", () => {
    const { buffer, generation } = begun("ret|");
    const same = marked("ret|");
    assert.equal(buffer.serving("a", same.lines, same.at), generation);
    const further = marked("retu|");
    assert.equal(buffer.serving("a", further.lines, further.at), undefined);
});

test("what was dismissed neither serves nor makes anybody look", () => {
    const { buffer, generation, looks, clock, document } = begun("ret|");
    grow(generation, "retu");
    buffer.gave(generation, generation.fit(document.lines, document.at));
    grow(generation, "retur");
    buffer.grown(generation);
    grow(generation, "return");
    buffer.grown(generation);
    buffer.end();
    clock.advance(1000);
    assert.equal(looks.length, 1);
    assert.equal(clock.pending, 0);
    assert.equal(buffer.serving("a", document.lines, document.at), undefined);
    assert.equal(buffer.growing, false);
});

test("a new generation takes the place of the old one, whose pieces change nothing", () => {
    const { buffer, generation, looks, document } = begun("ret|");
    grow(generation, "retu");
    buffer.gave(generation, generation.fit(document.lines, document.at));
    buffer.begin("a", document.at, document.before, document.after);
    grow(generation, "return");
    buffer.grown(generation);
    assert.equal(looks.length, 0);
});
