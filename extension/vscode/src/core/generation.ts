/**
 * One answer of the server while it grows, and what of it still fits the document.
 *
 * The server's text begins at the start of the cursor's line and contains what was typed there. While
 * the user types along, what is left of it is offered without asking again; what disagrees with it is
 * no longer offered. It must never know VS Code.
 */

import { isBefore, isSubsequence, textBetween, withNewlines } from "./text";
import type { Lines, Place, Span } from "./text";

/** What the menu of completions has selected: only what extends it is shown beside the menu. */
export interface Selected {
    readonly text: string;
    readonly span: Span;
}

/** A text to offer, the span on one line that it replaces, and what is new in it. */
export interface Offer {
    readonly insertText: string;
    readonly span: Span;
    /** What would appear behind the cursor: never empty. */
    readonly rest: string;
    /** What the user has typed of the server's text. */
    readonly typed: string;
}

export type Source = "model" | "index";

/** One may choose from so many. */
const MOST_VARIANTS = 3;

/** Characters that editors add behind the cursor by themselves. */
const CLOSERS = /^[)\]}>"'`]*$/;

export class Generation {
    /** The whole text so far; it only ever grows, or is replaced when the model corrects the index. */
    text: string | undefined;
    span: Span | undefined;
    source: Source = "model";
    done = false;
    /** What the index offered before the model answered. */
    offered: string | undefined;
    /** What else the server answered someone who asked. */
    others: readonly string[] = [];
    /** Set when the document changed at another place: the text no longer belongs there. */
    stale = false;
    private readonly waiting: (() => void)[] = [];

    /**
     * @param key Names the document.
     * @param at Where the cursor stood.
     * @param before The line before the cursor, at that time.
     * @param after The line behind the cursor, at that time.
     */
    constructor(
        readonly key: string,
        readonly at: Place,
        readonly before: string,
        readonly after: string,
    ) {}

    /** Take a piece: the whole text so far. */
    grow(text: string, span: Span, source: Source = "model"): void {
        if (this.done) {
            return;
        }
        this.text = withNewlines(text);
        this.span = span;
        this.source = source;
        if (source === "index") {
            this.offered = this.text;
        }
        this.wake();
    }

    /** Take the final answer; without one, nothing is offered. */
    finish(answer?: { text: string; span: Span }): void {
        this.done = true;
        this.text = answer && withNewlines(answer.text);
        this.span = answer?.span;
        this.source = "model";
        this.wake();
    }

    /** Resolve when there is something new to look at. */
    changed(): Promise<void> {
        if (this.done) {
            return Promise.resolve();
        }
        return new Promise((resolve) => this.waiting.push(resolve));
    }

    /**
     * Tell whether the user is still where this was asked for: text may have been typed behind the
     * cursor, and the end of the line is as it was, but for closers that the editor added.
     */
    isNear(lines: Lines, at: Place): boolean {
        if (this.stale || isBefore(at, this.at) || at.line >= lines.lineCount) {
            return false;
        }
        return (
            lines.line(this.at.line).startsWith(this.before) &&
            this.added(lines.line(at.line).slice(at.character)) !== undefined
        );
    }

    /** Return what is left to offer at a place now, if the document agrees with the text so far. */
    fit(lines: Lines, at: Place): Offer | undefined {
        const typed = this.agreed(lines, at)?.typed;
        const text = typed === undefined ? undefined : this.visible(typed.length);
        return text === undefined ? undefined : this.fitText(text, lines, at);
    }

    /** Return all that is left of the text so far, shown yet or not. */
    agreed(lines: Lines, at: Place): Offer | undefined {
        return this.text === undefined ? undefined : this.fitText(this.text, lines, at);
    }

    /**
     * Return how much of the text may be seen while so much of it is typed.
     *
     * Editors draw the lines below the cursor's own anew with each change, so what is seen of them would
     * go and come back: only the cursor's line grows, and the others come once all are there. Where the
     * cursor's line gets nothing, the first line that does comes as soon as it is whole.
     */
    visible(typed: number): string | undefined {
        const { text } = this;
        if (text === undefined || this.done) {
            return text;
        }
        const rest = text.slice(typed);
        const word = rest.search(/\S/);
        const end = word < 0 ? -1 : rest.indexOf("\n", word);
        if (end >= 0) {
            return text.slice(0, typed + end);
        }
        return rest.includes("\n") ? undefined : text;
    }

    /** The same for another text at the same place. */
    fitText(text: string, lines: Lines, at: Place): Offer | undefined {
        if (this.span === undefined || !this.isNear(lines, at)) {
            return undefined;
        }
        const typed = textBetween(lines, this.span.start, at);
        const rest = text.slice(typed.length);
        if (!text.startsWith(typed) || rest === "") {
            return undefined;
        }
        const behind = lines.line(at.line).slice(at.character);
        const added = this.added(behind) ?? "";
        // What was to be replaced behind the cursor then stands behind it still.
        const replaced = Math.max(0, this.span.end.character - this.at.character);
        const end = at.character + added.length + replaced;
        if (!isSubsequence(behind.slice(0, added.length + replaced), rest)) {
            return undefined;
        }
        // VS Code takes spans on one line only.
        const newline = typed.lastIndexOf("\n");
        const start = newline < 0 ? this.span.start : { line: at.line, character: 0 };
        return {
            insertText: text.slice(newline + 1),
            span: { start, end: { line: at.line, character: end } },
            rest,
            typed,
        };
    }

    /** Return the closers that stand behind the cursor since, or undefined if anything else does. */
    private added(behind: string): string | undefined {
        if (behind === this.after) {
            return "";
        }
        const added = behind.slice(0, Math.max(0, behind.length - this.after.length));
        return added !== "" && behind.endsWith(this.after) && CLOSERS.test(added)
            ? added
            : undefined;
    }

    private wake(): void {
        for (const resolve of this.waiting.splice(0)) {
            resolve();
        }
    }
}

/** Narrow an offer to what the menu has selected; undefined when it does not go on so. */
export function narrowed(offer: Offer, selected: Selected | undefined): Offer | undefined {
    if (selected === undefined) {
        return offer;
    }
    const { start, end } = offer.span;
    const wanted = selected.span;
    const ahead = wanted.start.character - start.character;
    if (
        ahead < 0 ||
        wanted.start.line !== start.line ||
        wanted.end.line !== end.line ||
        wanted.end.character !== end.character
    ) {
        return undefined;
    }
    const insertText = offer.insertText.slice(ahead);
    return insertText.startsWith(selected.text)
        ? { ...offer, insertText, span: wanted }
        : undefined;
}

/**
 * Return up to three different offers, for someone who asked for them: the answer, what else the model
 * said, the answer's first line, and what the index had offered.
 */
export function variants(generation: Generation, lines: Lines, at: Place): Offer[] {
    const whole = generation.fit(lines, at);
    if (whole === undefined || generation.text === undefined) {
        return [];
    }
    const found = [whole];
    const newline = whole.rest.indexOf("\n");
    const texts = [
        ...generation.others,
        newline > 0 ? whole.typed + whole.rest.slice(0, newline) : undefined,
        generation.offered,
    ];
    for (const text of texts) {
        const offer = text === undefined ? undefined : generation.fitText(text, lines, at);
        if (offer !== undefined && !found.some((other) => other.insertText === offer.insertText)) {
            found.push(offer);
        }
    }
    return found.slice(0, MOST_VARIANTS);
}
