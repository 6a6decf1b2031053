/** What goes between the server and us for ghost text: the question, its answer, and the pieces of one. */

import * as vscode from "vscode";
import type { BaseLanguageClient } from "vscode-languageclient/node";
import type { Source } from "../core/generation";
import type { Stats } from "../core/status";
import { withNewlines } from "../core/text";
import { ofDocument } from "./config";
import { placeOf } from "./lines";

export const PROGRESS = "sidecar/inlineCompletionProgress";

export interface Piece {
    readonly streamToken: string;
    readonly text: string;
    readonly range?: WireRange;
    readonly done: boolean;
    readonly source?: Source;
    readonly stats?: Stats | null;
}

export type WireRange = { start: { line: number; character: number }; end: { line: number; character: number } };

export interface WireItem {
    readonly insertText: string;
    readonly range: WireRange;
    readonly command?: { readonly title: string; readonly command: string; readonly arguments?: unknown[] };
}

interface Question {
    readonly document: vscode.TextDocument;
    readonly position: vscode.Position;
    /** Whether the user asked, rather than a key: then there may be several answers. */
    readonly explicit: boolean;
    /** Names the pieces that come meanwhile; without it none do. */
    readonly streamToken?: string;
}

export function textOf(item: WireItem): string {
    return withNewlines(item.insertText);
}

/** Return what the server answers; nothing where it does not. */
export async function answers(
    client: BaseLanguageClient,
    { document, position, explicit, streamToken }: Question,
    token: vscode.CancellationToken,
): Promise<readonly WireItem[]> {
    const params = {
        textDocument: { uri: client.code2ProtocolConverter.asUri(document.uri) },
        position: placeOf(position),
        context: { triggerKind: explicit ? 1 : 2 },
        ...(streamToken !== undefined && { streamToken }),
        ...moment(client, document),
    };
    try {
        const answer = await client.sendRequest<{ items: WireItem[] } | WireItem[] | null>(
            "textDocument/inlineCompletion",
            params,
            token,
        );
        return (Array.isArray(answer) ? answer : answer?.items) ?? [];
    } catch {
        // Cancelled, or the server has gone; the status tells of that.
        return [];
    }
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
