/** Infers partial accepts from changes of the document, and tells the server of them, marked so. */

import * as vscode from "vscode";
import { partlyAccepted } from "../core/feedback";
import type { Offer } from "../core/generation";
import { placeOf, spanOf } from "./lines";
import type { WireItem } from "./wire";
import type { Server } from "./server";

interface Shown {
    readonly document: vscode.TextDocument;
    readonly cursor: vscode.Position;
    readonly offer: Offer;
    readonly item: () => WireItem;
}

export class Feedback implements vscode.Disposable {
    private shown: Shown | undefined;
    private readonly listening: vscode.Disposable;

    constructor(private readonly server: () => Server | undefined) {
        this.listening = vscode.workspace.onDidChangeTextDocument((event) => this.changed(event));
    }

    offered(shown: Shown): void {
        this.shown = shown;
    }

    forget(): void {
        this.shown = undefined;
    }

    dispose(): void {
        this.listening.dispose();
    }

    private changed({ document, contentChanges }: vscode.TextDocumentChangeEvent): void {
        const shown = this.shown;
        if (shown === undefined || shown.document !== document || contentChanges.length === 0) {
            return;
        }
        // What is shown next is told by the provider.
        this.shown = undefined;
        const changes = contentChanges.map(({ range, text }) => ({ span: spanOf(range), text }));
        const acceptedLength = partlyAccepted(shown.offer, placeOf(shown.cursor), changes);
        if (acceptedLength !== undefined) {
            const item = shown.item();
            this.server()?.notify("textDocument/didPartiallyAcceptCompletion", {
                item,
                acceptedLength,
                inferred: true,
            });
        }
    }
}
