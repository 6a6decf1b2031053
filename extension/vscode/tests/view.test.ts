import assert from "node:assert/strict";
import test from "node:test";
import { partlyAccepted } from "../src/core/feedback";
import { cardPage, statsPage } from "../src/core/pages";
import { view } from "../src/core/status";
import type { Facts } from "../src/core/status";
import { SERVING, span } from "./fixtures";

for (const [changes, state, severity] of [
    [{}, "ready", "information"],
    [{ thinking: true }, "thinking", "information"],
    [{ installed: false, server: undefined }, "setup", "warning"],
    [{ server: undefined }, "starting", "information"],
    [{ server: { busy: true, message: "loading", kind: "Normal" } }, "starting", "information"],
    [{ server: { busy: false, message: "no model", kind: "Error" }, phase: "no-model" }, "no-model", "warning"],
    [{ server: { busy: false, message: "out of memory", kind: "Error" }, phase: "failed" }, "error", "error"],
    [{ pausedUntil: 61_000 }, "paused", "information"],
    [{ pausedUntil: 500 }, "ready", "information"],
    [{ enabled: false }, "off", "information"],
    [{ failure: "it keeps ending" }, "error", "error"],
] as [Partial<Facts>, string, string][]) {
    test(`${JSON.stringify(changes)} is shown as ${state}`, () => {
        const shown = view({ ...SERVING, ...changes });
        assert.equal(shown.state, state);
        assert.equal(shown.severity, severity);
        assert.ok(shown.detail.length > 0);
    });
}

test("an error says why", () => {
    const server = { busy: false, message: "the model needs 6 GB, and 2 GB are free", kind: "Error" };
    assert.match(view({ ...SERVING, server, phase: "failed" }).tooltip.join(), /needs 6 GB/);
});

for (const [name, changes, text] of [
    ["well", {}, "sidecar"],
    ["being started again", { server: { busy: true, message: "the engine ended", kind: "Normal" } }, "sidecar: the engine ended"],
    ["broken", { failure: "the language server keeps ending; the log tells why" }, "sidecar: the language server keeps ending"],
    ["broken at length", { failure: "x".repeat(60) }, `sidecar: ${"x".repeat(39)}…`],
] as [string, Partial<Facts>, string][]) {
    test(`the status bar's words when all is ${name}`, () => {
        assert.equal(view({ ...SERVING, ...changes }).text.replace(/^\$\(\S+\) /, ""), text);
    });
}

test("the tooltip tells model, speed and tokens of the last request", () => {
    const stats = { evaluated: 2, reused: 410, generated: 11, first_token_ms: 40, total_ms: 540 };
    const text = view({ ...SERVING, stats }).tooltip.join("\n");
    assert.match(text, /Model: qwen/);
    assert.match(text, /2 tokens evaluated, 410 reused/);
    assert.match(text, /20 tokens per second/);
});

const offer = { insertText: "return add(a)", span: span(0, 0, 3), rest: "urn add(a)", typed: "ret" };

for (const [name, text, from, expected] of [
    ["a word", "urn ", 3, 7],
    ["a key", "u", 3, undefined],
    ["all of it", "urn add(a)", 3, undefined],
    ["something else", "urgent", 3, undefined],
    ["the same text elsewhere", "urn ", 9, undefined],
] as const) {
    test(`partial accept: ${name}`, () => {
        const changes = [{ span: span(0, from, from), text }];
        assert.equal(partlyAccepted(offer, { line: 0, character: 3 }, changes), expected);
    });
}

test("several cursors are not taken for an accept, nor is what an editor indents", () => {
    const change = { span: span(0, 3, 3), text: "urn " };
    assert.equal(partlyAccepted(offer, { line: 0, character: 3 }, [change, change]), undefined);
    const blank = { ...offer, rest: "\n    x = 1" };
    const indent = { span: span(0, 3, 3), text: "\r\n    " };
    assert.equal(partlyAccepted(blank, { line: 0, character: 3 }, [indent]), undefined);
});

const part = { part: "repo", source: "similar", path: "src/a.py", reason: "shares names", tokens: 30, score: 0.5, reused: true };

test("the card shows every part with its share, and opens its file", () => {
    const html = cardPage({ parts: [part, { ...part, part: "typed", source: "typed", path: "", tokens: 10, reused: false }], notes: ["2 secrets blanked"], unchanged_tokens: 30 }, "n0nce", String);
    assert.match(html, /flex:30/);
    assert.match(html, /30 tokens, reused/);
    assert.match(html, /10 tokens, evaluated/);
    assert.match(html, /data-path="src\/a\.py"/);
    assert.match(html, /40 tokens, 30 of them read before/);
    assert.match(html, /2 secrets blanked/);
});

test("the card never tells of more tokens reused than there are", () => {
    const stats = { evaluated: 0, reused: 34 };
    assert.match(cardPage({ parts: [part], stats }, "n0nce", String), /30 tokens, all of them read before/);
});

test("a file is written as people know it, and opened as the server does", () => {
    const html = cardPage({ parts: [{ ...part, path: "/home/me/project/a.py" }] }, "n0nce", (path) => path.slice("/home/me/project/".length));
    assert.match(html, /data-path="\/home\/me\/project\/a\.py">a\.py</);
});

test("names of files are text and nothing else", () => {
    const path = `"><img src=x onerror=alert(1)>.py`;
    const html = cardPage({ parts: [{ ...part, path, reason: "<script>" }] }, "n0nce", String);
    assert.doesNotMatch(html, /<img/);
    assert.equal(html.match(/<script/g)?.length, 1);
    assert.match(html, /default-src 'none'/);
});

test("statistics show rates, times and counters", () => {
    const html = statsPage({ counters: { "feedback.shown": 3 }, histograms: { request_ms: { p50: 12.34, p90: 20, p95: 30 } }, rates: { cache: 0.5, joined: null } }, "n");
    assert.match(html, /feedback shown<\/td><td class="num">3/);
    assert.match(html, /12\.3/);
    assert.match(html, /50 %/);
    assert.doesNotMatch(html, /joined/);
});
