/** What several tests share: documents with the cursor marked by `|`, a server at rest, and a clock that stands still. */

import type { Generation } from "../src/core/generation";
import type { Facts } from "../src/core/status";
import type { Timers } from "../src/core/stream";
import type { Lines, Place, Span } from "../src/core/text";

export interface Marked {
    readonly lines: Lines;
    readonly at: Place;
    readonly before: string;
    readonly after: string;
}

export function marked(text: string): Marked {
    const [head = ""] = text.split("|", 1);
    const rows = text.replace("|", "").split("\n");
    const line = head.split("\n").length - 1;
    const character = head.length - (head.lastIndexOf("\n") + 1);
    const row = rows[line] ?? "";
    return {
        lines: { lineCount: rows.length, line: (index) => rows[index] ?? "" },
        at: { line, character },
        before: row.slice(0, character),
        after: row.slice(character),
    };
}

export function span(line: number, from: number, to: number): Span {
    return { start: { line, character: from }, end: { line, character: to } };
}

/** Let a generation have a text for the line that the cursor is in. */
export function grow(generation: Generation, text: string, replaced = 0): void {
    const { line, character } = generation.at;
    generation.grow(text, span(line, 0, character + replaced));
}

/** Let it have all of its text. */
export function end(generation: Generation, text: string, replaced = 0): void {
    const { line, character } = generation.at;
    generation.finish({ text, span: span(line, 0, character + replaced) });
}

/** A server whose model is loaded, and that rests. */
export const SERVING: Facts = {
    installed: true,
    enabled: true,
    pausedUntil: 0,
    now: 1000,
    thinking: false,
    server: { busy: false, message: "qwen is ready", kind: "Normal" },
    phase: "ready",
    model: "qwen",
    stats: undefined,
    failure: "",
};

export class Clock implements Timers {
    time = 1000;
    private waiting: { run: () => void; at: number }[] = [];

    now(): number {
        return this.time;
    }

    later(run: () => void, ms: number): () => void {
        const entry = { run, at: this.time + ms };
        this.waiting.push(entry);
        return () => {
            this.waiting = this.waiting.filter((each) => each !== entry);
        };
    }

    get pending(): number {
        return this.waiting.length;
    }

    advance(ms: number): void {
        this.time += ms;
        const due = this.waiting.filter(({ at }) => at <= this.time);
        this.waiting = this.waiting.filter(({ at }) => at > this.time);
        for (const { run } of due) {
            run();
        }
    }
}
