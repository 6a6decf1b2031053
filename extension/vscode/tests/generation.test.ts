import assert from "node:assert/strict";
import test from "node:test";
import { Generation, narrowed, variants } from "../src/core/generation";
import type { Offer } from "../src/core/generation";
import { end, grow, marked, span } from "./fixtures";

/** Ask at `asked`, let all of `text` come, or as much as was said yet, and look from `now`. */
function fit(asked: string, text: string, now: string, replaced = 0, come = end): Offer | undefined {
    const then = marked(asked);
    const generation = new Generation("a", then.at, then.before, then.after);
    come(generation, text, replaced);
    const { lines, at } = marked(now);
    return generation.fit(lines, at);
}

test("what was not typed yet is offered, from the start of the line", () => {
    const offer = fit("x\n    ret|", "    return 1", "x\n    ret|");
    assert.deepEqual(offer, {
        insertText: "    return 1",
        span: span(1, 0, 7),
        rest: "urn 1",
        typed: "    ret",
    });
});

test("typing along leaves the rest, for the same text and a longer span", () => {
    const offer = fit("ret|", "return 1", "retur|");
    assert.equal(offer?.rest, "n 1");
    assert.deepEqual(offer.span, span(0, 0, 5));
});

for (const [name, asked, text, now] of [
    ["typing something else", "ret|", "return 1", "rex|"],
    ["going back before the place that was asked about", "ret|", "return 1", "re|"],
    ["typing all of it", "ret|", "return", "return|"],
    ["text that came behind the cursor", "f(|", "f(a)", "f(a| b"],
    ["another line", "ret|\n", "return 1", "ret\n|"],
    ["a line that changed before the cursor", "a ret|", "a return", "b ret|"],
] as const) {
    test(`nothing is offered after ${name}`, () => {
        assert.equal(fit(asked, text, now), undefined);
    });
}

test("a newline that was typed along moves the span to the cursor's line", () => {
    const offer = fit("if x:|", "if x:\n    pass\n    y()", "if x:\n    pa|");
    assert.equal(offer?.insertText, "    pass\n    y()");
    assert.deepEqual(offer.span, span(1, 0, 6));
});

test("documents and servers with CRLF agree", () => {
    assert.equal(fit("if x:|", "if x:\r\n    pass", "if x:\n  |")?.rest, "  pass");
});

test("a closer that the editor added is replaced where the text has it", () => {
    const offer = fit("print|", "print(x)", "print(|)");
    assert.equal(offer?.rest, "x)");
    assert.deepEqual(offer.span, span(0, 0, 7));
});

test("a closer that the editor added and the text lacks ends the offer", () => {
    assert.equal(fit("print|", "print(x, y", "print(|)"), undefined);
});

test("closers behind the cursor that were to be replaced still are, further right", () => {
    const offer = fit("f(|)", "f(ab)", "f(a|)", 1);
    assert.deepEqual(offer?.span, span(0, 0, 4));
});

test("columns are UTF-16 units, also in wide characters and from right to left", () => {
    const offer = fit('s = "😀שלום|', 's = "😀שלום עולם"', 's = "😀שלום ע|');
    assert.equal(offer?.rest, 'ולם"');
    assert.equal(offer.span.end.character, 's = "😀שלום ע'.length);
});

for (const [name, text, now, rest] of [
    ["the cursor's line", "return a", "ret|", "urn a"],
    ["the cursor's line alone while others come", "return a\nretu", "ret|", "urn a"],
    ["a line that is whole where the cursor's gets nothing", "if x:\n    pass\n    y", "if x:|", "\n    pass"],
    ["nothing where that line is not whole yet", "if x:\n    pas", "if x:|", undefined],
    ["the next line, once one has typed to it", "if x:\n    pass", "if x:\n    p|", "ass"],
    ["no line twice, where one has typed beyond what was shown", "a\nb\nc", "a\n|", "b"],
] as const) {
    test(`of a text that grows one sees ${name}`, () => {
        assert.equal(fit(text.startsWith("if") ? "if x:|" : text.startsWith("a") ? "a|" : "ret|", text, now, 0, grow)?.rest, rest);
    });
}

test("once it is whole one sees all of it, and what is not shown yet agrees all the same", () => {
    const { lines, at, before, after } = marked("if x:|");
    const generation = new Generation("a", at, before, after);
    grow(generation, "if x:\n    pas");
    assert.equal(generation.fit(lines, at), undefined);
    assert.equal(generation.agreed(lines, at)?.rest, "\n    pas");
    generation.finish({ text: "if x:\n    pass\n    y", span: span(0, 0, 5) });
    assert.equal(generation.fit(lines, at)?.rest, "\n    pass\n    y");
});

test("an edit elsewhere makes the text stale", () => {
    const { at, before, after, lines } = marked("ret|");
    const generation = new Generation("a", at, before, after);
    grow(generation, "return 1");
    generation.stale = true;
    assert.equal(generation.fit(lines, at), undefined);
});

test("the final answer wins over pieces that come late, and its absence takes the offer away", () => {
    const { at, before, after, lines } = marked("ret|");
    const generation = new Generation("a", at, before, after);
    grow(generation, "return 1");
    generation.finish({ text: "return 2", span: span(0, 0, 3) });
    grow(generation, "return 1");
    assert.equal(generation.fit(lines, at)?.rest, "urn 2");
    const refused = new Generation("a", at, before, after);
    grow(refused, "return 1");
    refused.finish();
    assert.equal(refused.fit(lines, at), undefined);
});

test("who waits is woken by each piece, and not at all once it is done", async () => {
    const { at, before, after } = marked("ret|");
    const generation = new Generation("a", at, before, after);
    const first = generation.changed();
    grow(generation, "return 1");
    await first;
    const second = generation.changed();
    generation.finish();
    await second;
    await generation.changed();
});

const offer: Offer = { insertText: "x.append(1)", span: span(0, 0, 4), rest: "pend(1)", typed: "x.ap" };

for (const [name, text, selected, expected] of [
    ["extends it", "append", span(0, 2, 4), "append(1)"],
    ["is something else", "apply", span(0, 2, 4), undefined],
    ["ends elsewhere", "append", span(0, 2, 3), undefined],
    ["begins before the text", "append", { ...span(0, 2, 4), start: { line: 1, character: 2 } }, undefined],
] as const) {
    test(`beside the menu an offer is narrowed to what is selected: ${name}`, () => {
        assert.equal(narrowed(offer, { text, span: selected })?.insertText, expected);
    });
}

test("without a menu an offer stays", () => {
    assert.equal(narrowed(offer, undefined), offer);
});

test("who asks gets up to three different ones", () => {
    const { at, before, after, lines } = marked("self.|");
    const generation = new Generation("a", at, before, after);
    generation.grow("self.name", span(0, 0, 5), "index");
    generation.finish({ text: "self.load()\nself.run()", span: span(0, 0, 5) });
    const texts = (): string[] => variants(generation, lines, at).map(({ insertText }) => insertText);
    assert.deepEqual(texts(), ["self.load()\nself.run()", "self.load()", "self.name"]);
    generation.others = ["self.load()\nself.run()", "self.stop()", "other"];
    assert.deepEqual(texts(), ["self.load()\nself.run()", "self.stop()", "self.load()"]);
});

test("the same text is not offered twice", () => {
    const { at, before, after, lines } = marked("self.|");
    const generation = new Generation("a", at, before, after);
    generation.grow("self.name", span(0, 0, 5), "index");
    generation.finish({ text: "self.name", span: span(0, 0, 5) });
    assert.equal(variants(generation, lines, at).length, 1);
});
