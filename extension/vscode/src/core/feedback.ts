/**
 * What became of an offer, inferred from how the document changed. VS Code's stable API tells of a
 * whole accept only (it runs the item's command), so the rest is a guess and is marked as one. It
 * never leaves the machine. It must never know VS Code.
 */

import type { Offer } from "./generation";
import type { Place, Span } from "./text";

export interface TextChange {
    readonly span: Span;
    readonly text: string;
}

/**
 * Return how much of the server's text stands in the document after a part of it was accepted, in
 * UTF-16 units from its start; undefined when the change looks like anything else.
 *
 * One character is taken for typing: an accepted bracket looks the same, and typing is likelier.
 */
export function partlyAccepted(
    offer: Offer,
    cursor: Place,
    changes: readonly TextChange[],
): number | undefined {
    const [change, ...more] = changes;
    if (change === undefined || more.length > 0) {
        return undefined;
    }
    const { start, end } = change.span;
    const inserted =
        start.line === end.line &&
        start.character === end.character &&
        start.line === cursor.line &&
        start.character === cursor.character;
    const text = change.text.replace(/\r\n?/g, "\n");
    if (!inserted || text.length < 2 || text.length >= offer.rest.length) {
        return undefined;
    }
    // An editor that indents after Enter inserts blanks only; a word has something to see.
    if (text.trim() === "" || !offer.rest.startsWith(text)) {
        return undefined;
    }
    return offer.typed.length + text.length;
}
