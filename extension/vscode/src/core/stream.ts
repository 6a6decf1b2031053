/**
 * The stream buffer: which generation answers a key, and when the editor has to be told that there is
 * more. VS Code takes one answer to a request; a text that grows is shown by asking it to ask again
 * and answering that from here, so one request to the server serves many of VS Code's.
 *
 * One generation is kept. It must never know VS Code.
 */

import { Generation } from "./generation";
import type { Offer } from "./generation";
import type { Lines, Place } from "./text";

/** Milliseconds between two looks at a text that grows: VS Code waits for 50 of them before it asks. */
export const GROWTH_MS = 120;

export interface Timers {
    now(): number;
    /** Call once later; returns what takes that back. */
    later(run: () => void, ms: number): () => void;
}

export class StreamBuffer {
    current: Generation | undefined;
    private shown: string | undefined;
    /** How much of that is typed. */
    private typed = 0;
    private marked = false;
    private lastLook = -Infinity;
    private takeBack: (() => void) | undefined;

    /**
     * @param look Makes the editor ask again.
     * @param timers The clock.
     */
    constructor(
        private readonly look: () => void,
        private readonly timers: Timers,
    ) {}

    /** Begin a generation; what was there before is forgotten. */
    begin(key: string, at: Place, before: string, after: string): Generation {
        this.end();
        this.current = new Generation(key, at, before, after);
        return this.current;
    }

    /** Return the generation that still answers at a place, if there is one. */
    serving(key: string, lines: Lines, at: Place): Generation | undefined {
        const known = this.current;
        if (known === undefined || known.key !== key || !known.isNear(lines, at)) {
            return undefined;
        }
        const undecided = !known.done && known.text === undefined;
        if (undecided) {
            // Whether what was typed since agrees with it is not known yet; only the server can tell.
            return at.line === known.at.line && at.character === known.at.character
                ? known
                : undefined;
        }
        return known.agreed(lines, at) ? known : undefined;
    }

    /** Remember what the editor was given. */
    gave(generation: Generation, offer: Offer | undefined): void {
        if (generation === this.current) {
            this.shown = offer === undefined ? undefined : offer.typed + offer.rest;
            this.typed = offer?.typed.length ?? 0;
        }
    }

    /** Tell that a generation has grown: have the editor look, now or soon, if it shows less. */
    grown(generation: Generation): void {
        // Before the first answer was given the editor is waiting, and needs no telling.
        if (generation !== this.current || this.shown === undefined) {
            return;
        }
        if (generation.visible(this.typed) === this.shown) {
            return;
        }
        this.takeBack?.();
        this.takeBack = undefined;
        const wait = generation.done ? 0 : this.lastLook + GROWTH_MS - this.timers.now();
        if (wait <= 0) {
            this.trigger();
        } else {
            this.takeBack = this.timers.later(() => {
                this.takeBack = undefined;
                if (generation === this.current) {
                    this.trigger();
                }
            }, wait);
        }
    }

    /** Tell whether a request of the editor is the one that `look` caused; asked once for each. */
    isOurs(): boolean {
        const ours = this.marked;
        this.marked = false;
        return ours;
    }

    /** Take the mark back when the editor has not asked. */
    unmark(): void {
        this.marked = false;
    }

    /** Whether more text may come. */
    get growing(): boolean {
        return this.current !== undefined && !this.current.done && this.shown !== undefined;
    }

    /** Forget the generation, for example because the user dismissed it. */
    end(): void {
        this.takeBack?.();
        this.takeBack = undefined;
        this.current = undefined;
        this.shown = undefined;
        this.marked = false;
    }

    private trigger(): void {
        this.lastLook = this.timers.now();
        this.marked = true;
        this.look();
    }
}
