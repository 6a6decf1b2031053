/**
 * Answers VS Code's requests for ghost text: from the generation that is under way while the document
 * agrees with it, else from a new one. VS Code is made to ask again when the text grows.
 */

import * as vscode from "vscode";
import type { BaseLanguageClient } from "vscode-languageclient/node";
import { narrowed, variants } from "../core/generation";
import type { Generation, Offer, Selected, Source } from "../core/generation";
import { StreamBuffer } from "../core/stream";
import type { Stats } from "../core/status";
import { Again } from "./again";
import { isEnabled, ofDocument } from "./config";
import { inEnding, linesOf, placeOf, rangeOf, spanOf } from "./lines";

/** The command that a whole accept runs; not contributed, for nobody calls it by hand. */
export const ACCEPTED = "sidecar.accepted";

const PROGRESS = "sidecar/inlineCompletionProgress";

interface Piece {
    readonly streamToken: string;
    readonly text: string;
    readonly range?: WireRange;
    readonly done: boolean;
    readonly source?: Source;
    readonly stats?: Stats | null;
}

type WireRange = { start: { line: number; character: number }; end: { line: number; character: number } };

export interface WireItem {
    readonly insertText: string;
    readonly range: WireRange;
    readonly command?: { readonly title: string; readonly command: string; readonly arguments?: unknown[] };
}

/** A generation, and what belongs to it on this side. */
interface Asked {
    readonly number: number;
    readonly generation: Generation;
    readonly document: vscode.TextDocument;
    readonly cancel: vscode.CancellationTokenSource;
    item: WireItem | undefined;
    told: boolean;
    /** When the request was sent, and when there was something to show first. */
    readonly sent: number;
    first: number | undefined;
}

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
            vscode.commands.registerCommand(ACCEPTED, (number: unknown) => this.accept(number)),
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
                asked.cancel.cancel();
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
        this.listener.offered(document, position, whole, () => itemOf(asked));
        this.show(asked);
        return fitting.map((offer) => {
            const item = new vscode.InlineCompletionItem(
                inEnding(offer.insertText, document),
                rangeOf(offer.span),
            );
            item.command = { title: "Accepted", command: ACCEPTED, arguments: [asked.number] };
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
        const asked: Asked = {
            number: this.numbers,
            generation,
            document,
            cancel: new vscode.CancellationTokenSource(),
            item: undefined,
            told: false,
            sent: performance.now(),
            first: undefined,
        };
        this.asked = asked;
        this.recent = [asked, ...this.recent].slice(0, 4);
        this.listener.thinking(true);
        void this.request(client, asked, position, explicit);
        return asked;
    }

    private async request(
        client: BaseLanguageClient,
        asked: Asked,
        position: vscode.Position,
        explicit: boolean,
    ): Promise<void> {
        const params = {
            textDocument: { uri: client.code2ProtocolConverter.asUri(asked.document.uri) },
            position: placeOf(position),
            context: { triggerKind: explicit ? 1 : 2 },
            streamToken: String(asked.number),
            ...moment(client, asked.document),
        };
        let item: WireItem | undefined;
        try {
            const answer = await client.sendRequest<{ items: WireItem[] } | WireItem[] | null>(
                "textDocument/inlineCompletion",
                params,
                asked.cancel.token,
            );
            item = (Array.isArray(answer) ? answer : answer?.items)?.[0];
        } catch {
            // Cancelled, or the server has gone; the status tells of that.
        } finally {
            asked.cancel.dispose();
        }
        asked.item = item;
        asked.first ??= performance.now();
        asked.generation.finish(item && { text: item.insertText, span: item.range });
        if (this.asked === asked) {
            this.listener.thinking(false);
            this.buffer.grown(asked.generation);
            void this.markStreaming();
        }
    }

    private piece(piece: Piece): void {
        if (piece.done && piece.stats) {
            this.listener.answered(piece.stats);
        }
        const asked = this.asked;
        // The answer itself tells of the end.
        if (asked === undefined || piece.done || piece.streamToken !== String(asked.number)) {
            return;
        }
        if (piece.range !== undefined) {
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

    private accept(number: unknown): void {
        const command = this.recent.find((asked) => asked.number === number)?.item?.command;
        this.listener.accepted();
        if (this.asked?.number === number) {
            this.drop();
        }
        if (this.client?.isRunning() === true) {
            void this.client.sendRequest("workspace/executeCommand", {
                command: command?.command ?? "sidecar.accept",
                arguments: command?.arguments ?? [],
            }).catch(() => undefined);
        }
    }

    /** Tell the server once that a suggestion is shown. */
    private show(asked: Asked): void {
        if (!asked.told && this.client !== undefined) {
            asked.told = true;
            void this.client
                .sendNotification("textDocument/didShowCompletion", { item: itemOf(asked) })
                .catch(() => undefined);
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
        if (!asked.generation.done) {
            this.listener.thinking(false);
            // One that has words goes on in the server for a moment, in case the next key agrees.
            asked.cancel.cancel();
            asked.generation.finish();
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

function itemOf(asked: Asked): WireItem {
    const { generation } = asked;
    const nowhere = { start: generation.at, end: generation.at };
    return asked.item ?? { insertText: generation.text ?? "", range: generation.span ?? nowhere };
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

/** Return what no server is told otherwise, where the user wants it used. */
function moment(
    client: BaseLanguageClient,
    document: vscode.TextDocument,
): { sidecar?: Record<string, unknown> } {
    const sources = ofDocument<unknown>("context.sources", document.uri, []);
    const wanted = (name: string): boolean => Array.isArray(sources) && sources.includes(name);
    const said: Record<string, unknown> = {};
    const converter = client.code2ProtocolConverter;
    if (wanted("diagnostics")) {
        const reported = vscode.languages.getDiagnostics(document.uri);
        said.diagnostics = reported.map((each) => ({
            range: converter.asRange(each.range),
            severity: each.severity + 1,
            message: each.message,
        }));
    }
    if (wanted("selection")) {
        const editor = vscode.window.visibleTextEditors.find(
            (each) => !each.selection.isEmpty && each.document.uri.scheme !== "output",
        );
        said.selection = editor
            ? {
                  textDocument: { uri: converter.asUri(editor.document.uri) },
                  range: converter.asRange(editor.selection),
              }
            : null;
    }
    return Object.keys(said).length > 0 ? { sidecar: said } : {};
}
