/**
 * Tells the server where the user is, so that it can prepare the places where one is likely to type:
 * the document in view and the cursor in it. Moves that an edit causes are no news.
 */

import * as vscode from "vscode";
import { placeOf } from "./lines";
import type { Server } from "./server";

const SCHEMES = new Set(["file", "untitled", "vscode-notebook-cell"]);

export function followPresence(server: Server): vscode.Disposable {
    const focus = (editor: vscode.TextEditor | undefined): void => {
        if (editor === undefined || !SCHEMES.has(editor.document.uri.scheme)) {
            return;
        }
        server.notify("textDocument/didFocus", {
            textDocument: { uri: uriOf(server, editor) },
            position: placeOf(editor.selection.active),
        });
    };
    return vscode.Disposable.from(
        vscode.window.onDidChangeActiveTextEditor(focus),
        vscode.window.onDidChangeWindowState((state) => {
            if (state.focused) {
                focus(vscode.window.activeTextEditor);
            }
        }),
        vscode.window.onDidChangeTextEditorSelection(({ textEditor, kind, selections }) => {
            // Edits move the cursor without a kind; several cursors are no place to prepare.
            if (kind === undefined || selections.length !== 1) {
                return;
            }
            if (SCHEMES.has(textEditor.document.uri.scheme)) {
                server.notify("sidecar/didMoveCursor", {
                    textDocument: { uri: uriOf(server, textEditor) },
                    position: placeOf(textEditor.selection.active),
                });
            }
        }),
    );
}

function uriOf(server: Server, editor: vscode.TextEditor): string {
    const uri = editor.document.uri;
    return server.running?.code2ProtocolConverter.asUri(uri) ?? uri.toString();
}
