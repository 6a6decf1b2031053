/** One question to the server: what it has answered so far, and what it is told became of that. */

import * as vscode from "vscode";
import type { BaseLanguageClient } from "vscode-languageclient/node";
import type { Generation } from "../core/generation";
import { answers, textOf } from "./wire";
import type { WireItem, WireRange } from "./wire";

/** The end of an answer, where there is one. */
export type Answer = { text: string; span: WireRange } | undefined;

export class Asked {
    /** When the request was sent, and when there was something to show first. */
    readonly sent = performance.now();
    first: number | undefined;
    /** What the server answered; the first is what is shown to someone who did not ask. */
    private items: readonly WireItem[] = [];
    private shown: WireItem | undefined;
    /** Whether the server has answered: the first text is done before others are there. */
    answered = false;
    /** Ends when the server has been asked for more than one. */
    private chosen: Promise<unknown> | undefined;
    private readonly cancelling = new vscode.CancellationTokenSource();

    /**
     * @param number Names it, and the pieces of its answer.
     * @param generation What grows of it.
     * @param document Where it was asked.
     * @param client The server that is asked.
     */
    constructor(
        readonly number: number,
        readonly generation: Generation,
        readonly document: vscode.TextDocument,
        private readonly client: BaseLanguageClient,
    ) {}

    /** The server's item, as far as it is known. */
    get item(): WireItem {
        const { at, text, span } = this.generation;
        return this.items[0] ?? { insertText: text ?? "", range: span ?? { start: at, end: at } };
    }

    /** Send it, and return the end of what is answered. */
    async send(position: vscode.Position, explicit: boolean): Promise<Answer> {
        const { client, document } = this;
        const streamToken = String(this.number);
        const answering = answers(client, { document, position, explicit, streamToken }, this.cancelling.token);
        this.chosen = explicit ? answering : undefined;
        this.items = await answering;
        this.answered = true;
        this.cancelling.dispose();
        this.first ??= performance.now();
        this.generation.others = this.items.slice(1).map(textOf);
        const item = this.items[0];
        return item && { text: item.insertText, span: item.range };
    }

    /** Ask for other answers, if that was not done yet. */
    async choose(position: vscode.Position, token: vscode.CancellationToken): Promise<void> {
        const { client, document } = this;
        this.chosen ??= answers(client, { document, position, explicit: true }, token).then((items) => {
            this.items = [...this.items, ...items];
            this.generation.others = items.map(textOf);
            if (token.isCancellationRequested) {
                this.chosen = undefined;
            }
        });
        await this.chosen;
    }

    cancel(): void {
        this.cancelling.cancel();
    }

    /** It is on the screen; the server is told the first time. */
    show(): void {
        if (this.shown === undefined) {
            this.notify("textDocument/didShowCompletion", { item: this.item });
        }
        this.shown = this.item;
    }

    /** All that was on the screen was taken; of what still grew that is a part. */
    accepted(text: unknown): void {
        const item = this.items.find((each) => textOf(each) === text) ?? this.items[0];
        if (item === undefined) {
            const acceptedLength = typeof text === "string" ? text.length : 0;
            this.notify("textDocument/didPartiallyAcceptCompletion", { item: this.shown ?? this.item, acceptedLength });
        } else if (this.client.isRunning()) {
            const { command = "sidecar.accept", arguments: which = [] } = item.command ?? {};
            const params = { command, arguments: which };
            void this.client.sendRequest("workspace/executeCommand", params).catch(() => undefined);
        }
    }

    private notify(method: string, params: unknown): void {
        if (this.client.isRunning()) {
            void this.client.sendNotification(method, params).catch(() => undefined);
        }
    }
}
