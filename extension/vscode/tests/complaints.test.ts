// What users of other completers complained of, as far as it can go wrong in this extension. The
// numbers are those of the repository's tests/complaints; that folder checks that none is missing.

import assert from "node:assert/strict";
import test from "node:test";
import { Generation } from "../src/core/generation";
import { StreamBuffer } from "../src/core/stream";
import { view } from "../src/core/status";
import type { Facts } from "../src/core/status";
import { effective } from "../src/core/trust";
import { SERVER_SETTINGS } from "../src/generated/settings";
import { Clock, end, grow, marked, SERVING, span } from "./fixtures";

function offered(asked: string, text: string, now: string) {
    const then = marked(asked);
    const generation = new Generation("a", then.at, then.before, then.after);
    end(generation, text);
    const { lines, at } = marked(now);
    return generation.fit(lines, at);
}

/** The line that stands there once an offer is accepted. */
function accepted(asked: string, text: string, now: string): string | undefined {
    const offer = offered(asked, text, now);
    const { lines, at } = marked(now);
    const line = lines.line(at.line);
    return offer && line.slice(0, offer.span.start.character) + offer.insertText + line.slice(offer.span.end.character);
}

test("complaint 1: keys that agree with what is shown ask for nothing", () => {
    const buffer = new StreamBuffer(() => undefined, new Clock());
    const { at, before, after } = marked("ret|");
    const generation = buffer.begin("a", at, before, after);
    grow(generation, "return total");
    for (const typed of ["retu|", "retur|", "return|", "return t|"]) {
        const { lines, at: now } = marked(typed);
        assert.equal(buffer.serving("a", lines, now), generation, typed);
    }
});

test("complaint 3: an error says its reason, and nothing goes on thinking behind it", () => {
    const server = { busy: false, message: "the model needs 6 GB, and 2 GB are free", kind: "Error" };
    const shown = view({ ...SERVING, thinking: true, server, phase: "failed" });
    assert.equal(shown.state, "error");
    assert.equal(shown.busy, false);
    assert.match(shown.tooltip.join(), /needs 6 GB/);
});

test("complaint 5: what stands behind the cursor is neither covered nor taken away", () => {
    assert.equal(accepted("f(|, other)", "f(first", "f(|, other)"), "f(first, other)");
    assert.equal(offered("f(|, other)", "f(first", "f(|, another)"), undefined);
});

test("complaint 7: the first line keeps the indentation that was typed, whatever it is", () => {
    for (const indentation of ["    ", "\t", "  "]) {
        assert.equal(accepted(`${indentation}|`, `${indentation}return 1`, `${indentation}|`), `${indentation}return 1`);
        assert.equal(offered(`${indentation}|`, `${indentation}return 1`, `${indentation} |`), undefined);
    }
});

test("complaint 14: a bracket that the editor has closed is not closed twice", () => {
    assert.equal(accepted("print|", "print(x)", "print(|)"), "print(x)");
    assert.equal(accepted("x = [|", "x = [1, 2]", "x = [|]"), "x = [1, 2]");
});

test("complaint 17: line endings of the server are no part of what is compared", () => {
    assert.equal(offered("if x:|", "if x:\r\n    pass", "if x:|")?.rest, "\n    pass");
});

test("complaint 18: columns behind wide characters are where the editor has them", () => {
    assert.equal(accepted('s = "μ😀|', 's = "μ😀!"', 's = "μ😀|'), 's = "μ😀!"');
    assert.deepEqual(offered("é😀|", "é😀é", "é😀|")?.span, span(0, 0, 3));
});

test("complaint 22: no timer stays of texts that grew, however often one goes on", () => {
    const clock = new Clock();
    const buffer = new StreamBuffer(() => undefined, clock);
    const { at, before, after, lines } = marked("ret|");
    for (let count = 0; count < 50; count += 1) {
        const generation = buffer.begin("a", at, before, after);
        grow(generation, "retu");
        buffer.gave(generation, generation.fit(lines, at));
        grow(generation, "retur");
        buffer.grown(generation);
        grow(generation, "return");
        buffer.grown(generation);
        buffer.end();
    }
    assert.equal(clock.pending, 0);
    assert.equal(buffer.growing, false);
});

test("complaint 23: a workspace chooses neither program nor model nor address", () => {
    const chosen = SERVER_SETTINGS.filter((setting) => /^(model|engine)\./.test(setting.key));
    assert.ok(chosen.length > 5);
    for (const setting of chosen) {
        assert.equal(effective(setting, { workspaceValue: "theirs", workspaceFolderValue: "theirs" }), setting.default, setting.key);
    }
});

test("complaint 24: what was deleted does not come back, and no text survives an edit elsewhere", () => {
    assert.equal(offered("total = a + b|", "total = a + b + c", "total = a|"), undefined);
    const { at, before, after, lines } = marked("ret|");
    const generation = new Generation("a", at, before, after);
    grow(generation, "return 1");
    generation.stale = true;
    assert.equal(generation.fit(lines, at), undefined);
});

test("complaint 25: whatever keeps it from completing is told, with what to do about it", () => {
    for (const changes of [
        { installed: false, server: undefined },
        { server: { busy: false, message: "no model is installed", kind: "Error" }, phase: "no-model" },
        { failure: "the language server keeps ending; the log tells why" },
        { enabled: false },
        { pausedUntil: 61_000 },
    ] as Partial<Facts>[]) {
        const shown = view({ ...SERVING, ...changes });
        assert.notEqual(shown.state, "ready");
        assert.match(shown.tooltip.join(), /^sidecar: \w/);
        assert.ok(shown.command.startsWith("sidecar."));
    }
});
