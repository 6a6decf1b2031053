/**
 * Answers VS Code's requests for ghost text: from the generation that is under way while the document
 * agrees with it, else from a new one. VS Code is made to ask again when the text grows.
 */

import * as vscode from "vscode";
import type { BaseLanguageClient } from "vscode-languageclient/node";
import { narrowed, variants } from "../core/generation";
import type { Offer, Selected } from "../core/generation";
import { StreamBuffer } from "../core/stream";
import type { Stats } from "../core/status";
import { Again } from "./again";
import { Asked } from "./asked";
import type { Answer } from "./asked";
import { isEnabled } from "./config";
import { inEnding, linesOf, placeOf, rangeOf, spanOf } from "./lines";
import { PROGRESS } from "./wire";
import type { Piece, WireItem } from "./wire";

/** The command that a whole accept runs; not contributed, for nobody calls it by hand. */
export const ACCEPTED = "sidecar.accepted";

export interface Listener {
    thinking(busy: boolean): void;
    answered(stats: Stats): void;
    /** An offer is on the screen, for all that the stable API lets us know. */
    offered(document: vscode.TextDocument, cursor: vscode.Position, offer: Offer, item: () => WireItem): void;
    accepted(): void;
    /** Milliseconds that VS Code waited for an answer: for us, and for the server. */
    timed(own: number, server: number): void;
}

export class Provider implements vscode.Disposable {
    private client: BaseLanguageClient | undefined;
    private asked: Asked | undefined;
    /** VS Code may ask anew before it runs the command of what was accepted. */
    private recent: Asked[] = [];
    private numbers = 0;
    private streaming = false;
    private readonly buffer: StreamBuffer;
    private readonly again = new Again((...asked) => this.provide(...asked));
    private readonly disposables: vscode.Disposable[] = [];

    constructor(
        private readonly isPaused: () => boolean,
        private readonly listener: Listener,
    ) {
        this.buffer = new StreamBuffer(() => void this.look(), {
            now: () => performance.now(),
            later: (run, ms) => {
                const timer = setTimeout(run, ms);
                return () => clearTimeout(timer);
            },
        });
        this.disposables.push(
            vscode.workspace.onDidChangeTextDocument((event) => this.changed(event)),
            vscode.commands.registerCommand(ACCEPTED, (...what: unknown[]) => this.accept(what[0], what[1])),
        );
    }

    /** Listen to a client; what an earlier one said is forgotten. */
    attach(client: BaseLanguageClient): void {
        this.drop();
        this.client = client;
        client.onNotification(PROGRESS, (piece: Piece) => this.piece(piece));
    }

    detach(): void {
        this.drop();
        this.recent = [];
        this.client = undefined;
    }

    /** Forget what is under way, because the user does not want it. */
    dismiss(): void {
        this.drop();
    }

    async provide(
        document: vscode.TextDocument,
        position: vscode.Position,
        context: vscode.InlineCompletionContext,
        token: vscode.CancellationToken,
    ): Promise<vscode.InlineCompletionItem[] | undefined> {
        const invoked = context.triggerKind === vscode.InlineCompletionTriggerKind.Invoke;
        const ours = this.buffer.isOurs();
        const client = this.client;
        if (client === undefined || this.isPaused() || !isEnabled(document)) {
            this.drop();
            return undefined;
        }
        const lines = linesOf(document);
        const place = placeOf(position);
        const explicit = invoked && !ours;
        const begun = performance.now();
        const serving = this.buffer.serving(document.uri.toString(), lines, place);
        if (ours && serving === undefined && this.buffer.current?.isNear(lines, place) === true) {
            // In the end there was nothing.
            return undefined;
        }
        const asked =
            serving !== undefined && this.asked?.generation === serving
                ? this.asked
                : this.ask(client, document, position, explicit);
        if (explicit && asked.generation === serving) {
            // What is there is shown already: one wants others.
            await Promise.race([this.choices(asked, position, token), cancelled(token)]);
        }
        const answer = await this.answer(asked, document, position, explicit, selectedOf(context), token);
        if (answer !== undefined && !ours) {
            const waited = Math.max(0, (asked.first ?? begun) - Math.max(begun, asked.sent));
            this.listener.timed(performance.now() - begun - waited, waited);
        }
        return answer;
    }

    dispose(): void {
        this.detach();
        this.again.dispose();
        for (const each of this.disposables) {
            each.dispose();
        }
    }

    private async answer(
        asked: Asked,
        document: vscode.TextDocument,
        position: vscode.Position,
        explicit: boolean,
        selected: Selected | undefined,
        token: vscode.CancellationToken,
    ): Promise<vscode.InlineCompletionItem[] | undefined> {
        const { generation } = asked;
        const lines = linesOf(document);
        const place = placeOf(position);
        const gone = cancelled(token);
        while (
            !generation.done &&
            !token.isCancellationRequested &&
            generation.fit(lines, place) === undefined
        ) {
            await Promise.race([generation.changed(), gone]);
        }
        if (token.isCancellationRequested) {
            // Nobody waits any more. The server keeps what has words already, for the next key.
            if (asked === this.asked && !generation.done && generation.text === undefined) {
                asked.cancel();
            }
            return undefined;
        }
        const whole = generation.fit(lines, place);
        this.buffer.gave(generation, whole);
        if (whole === undefined) {
            return undefined;
        }
        const offers = explicit ? variants(generation, lines, place) : [whole];
        const fitting = offers
            .map((offer) => narrowed(offer, selected))
            .filter((offer): offer is Offer => offer !== undefined);
        const first = fitting[0];
        if (first === undefined) {
            return undefined;
        }
        void this.markStreaming();
        this.listener.offered(document, position, whole, () => asked.item);
        asked.show();
        return fitting.map((offer) => {
            const item = new vscode.InlineCompletionItem(
                inEnding(offer.insertText, document),
                rangeOf(offer.span),
            );
            const text = offer.typed + offer.rest;
            item.command = { title: "Accepted", command: ACCEPTED, arguments: [asked.number, text] };
            return item;
        });
    }

    /** Send a request, and let its answer come. */
    private ask(
        client: BaseLanguageClient,
        document: vscode.TextDocument,
        position: vscode.Position,
        explicit: boolean,
    ): Asked {
        this.drop();
        const line = document.lineAt(position.line).text;
        const generation = this.buffer.begin(
            document.uri.toString(),
            placeOf(position),
            line.slice(0, position.character),
            line.slice(position.character),
        );
        this.numbers += 1;
        const asked = new Asked(this.numbers, generation, document, client);
        this.asked = asked;
        this.recent = [asked, ...this.recent].slice(0, 4);
        this.listener.thinking(true);
        void asked.send(position, explicit).then((answer) => {
            if (!generation.done) {
                this.finish(asked, answer);
            }
            if (this.asked === asked) {
                this.listener.thinking(false);
            }
        });
        return asked;
    }

    /** Ask the server for other answers, once the first is whole. */
    private async choices(asked: Asked, position: vscode.Position, token: vscode.CancellationToken): Promise<void> {
        const { generation } = asked;
        while (!generation.done && !token.isCancellationRequested) {
            await Promise.race([generation.changed(), cancelled(token)]);
        }
        if (!token.isCancellationRequested && asked === this.asked) {
            await asked.choose(position, token);
        }
    }

    /** Take the end of an answer: of that one nothing more comes, though others may. */
    private finish(asked: Asked, answer: Answer): void {
        asked.generation.finish(answer);
        if (this.asked === asked) {
            this.buffer.grown(asked.generation);
            void this.markStreaming();
        }
    }

    private piece(piece: Piece): void {
        if (piece.done && piece.stats) {
            this.listener.answered(piece.stats);
        }
        const asked = this.asked;
        if (asked === undefined || piece.streamToken !== String(asked.number)) {
            return;
        }
        if (piece.done) {
            this.finish(asked, piece.range && { text: piece.text, span: piece.range });
        } else if (piece.range !== undefined) {
            asked.first ??= performance.now();
            asked.generation.grow(piece.text, piece.range, piece.source);
            this.buffer.grown(asked.generation);
        }
    }

    /** Make VS Code ask again, where it shows the text that has grown. */
    private async look(): Promise<void> {
        const editor = vscode.window.activeTextEditor;
        const asked = this.asked;
        if (
            asked === undefined ||
            editor?.document !== asked.document ||
            !asked.generation.isNear(linesOf(editor.document), placeOf(editor.selection.active))
        ) {
            this.buffer.unmark();
            return;
        }
        await this.again.ask(editor.document);
        this.buffer.unmark();
    }

    /** Edits at other places make the text another one's. */
    private changed(event: vscode.TextDocumentChangeEvent): void {
        const asked = this.asked;
        if (asked === undefined || event.document !== asked.document) {
            return;
        }
        const first = asked.generation.at.line;
        for (const change of event.contentChanges) {
            const last = first + (asked.generation.text?.split("\n").length ?? 1);
            if (change.range.start.line < first || change.range.end.line > last) {
                asked.generation.stale = true;
            }
        }
    }

    private accept(number: unknown, text: unknown): void {
        const asked = this.recent.find((each) => each.number === number);
        this.listener.accepted();
        asked?.accepted(text);
        // What still grows was taken as far as one saw it: the rest comes as it would have.
        if (asked?.generation.done === true && asked === this.asked) {
            this.drop();
        }
    }

    private drop(): void {
        const asked = this.asked;
        if (asked === undefined) {
            return;
        }
        this.asked = undefined;
        this.buffer.end();
        this.again.settle();
        if (!asked.answered) {
            this.listener.thinking(false);
            // One that has words goes on in the server for a moment, in case the next key agrees.
            asked.cancel();
            if (!asked.generation.done) {
                asked.generation.finish();
            }
        }
        void this.markStreaming();
    }

    /** Let Escape end the growth as well as what is shown. */
    private async markStreaming(): Promise<void> {
        if (this.streaming !== this.buffer.growing) {
            this.streaming = this.buffer.growing;
            await vscode.commands.executeCommand("setContext", "sidecar.streaming", this.streaming);
        }
    }
}

function selectedOf(context: vscode.InlineCompletionContext): Selected | undefined {
    const info = context.selectedCompletionInfo;
    return info && { text: info.text, span: spanOf(info.range) };
}

function cancelled(token: vscode.CancellationToken): Promise<void> {
    return new Promise((resolve) => {
        const listening = token.onCancellationRequested(() => {
            listening.dispose();
            resolve();
        });
    });
}
