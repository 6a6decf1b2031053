/** Shows the context card and the statistics beside the code. */

import { randomBytes } from "node:crypto";
import * as path from "node:path";
import * as vscode from "vscode";
import { cardPage, statsPage } from "../core/pages";
import type { Card, Summary } from "../core/pages";
import { placeOf } from "./lines";
import type { Server } from "./server";

export class Pages implements vscode.Disposable {
    private readonly panels = new Map<string, vscode.WebviewPanel>();

    async card(server: Server): Promise<void> {
        const editor = vscode.window.activeTextEditor;
        const client = server.running;
        if (editor === undefined || client === undefined) {
            void vscode.window.showInformationMessage("Open a file to see what the model is shown there.");
            return;
        }
        const card = await server.request<Card | null>("sidecar/contextCard", {
            textDocument: { uri: client.code2ProtocolConverter.asUri(editor.document.uri) },
            position: placeOf(editor.selection.active),
        });
        if (!card) {
            void vscode.window.showInformationMessage("Nothing is suggested in this document, so nothing is shown to the model.");
            return;
        }
        this.show("card", "sidecar: context card", cardPage(card, nonce(), inFolder), editor.document.uri);
    }

    async stats(server: Server): Promise<void> {
        const summary = await server.request<Summary>("sidecar/stats");
        if (summary === undefined) {
            void vscode.window.showInformationMessage("sidecar is not running, so there is nothing to count.");
            return;
        }
        this.show("stats", "sidecar: statistics", statsPage(summary, nonce()), undefined);
    }

    dispose(): void {
        for (const panel of this.panels.values()) {
            panel.dispose();
        }
    }

    private show(kind: string, title: string, html: string, of: vscode.Uri | undefined): void {
        let panel = this.panels.get(kind);
        if (panel === undefined) {
            panel = vscode.window.createWebviewPanel(
                `sidecar.${kind}`,
                title,
                { viewColumn: vscode.ViewColumn.Beside, preserveFocus: true },
                { enableScripts: true, localResourceRoots: [] },
            );
            this.panels.set(kind, panel);
            panel.onDidDispose(() => this.panels.delete(kind));
            panel.webview.onDidReceiveMessage((message: { open?: unknown }) => {
                if (typeof message.open === "string") {
                    void open(message.open, of);
                }
            });
        }
        panel.webview.html = html;
        panel.reveal(undefined, true);
    }
}

/** Open the file of a part: one of the folder that the document is in, or one that is installed. */
async function open(name: string, beside: vscode.Uri | undefined): Promise<void> {
    const folder = beside && vscode.workspace.getWorkspaceFolder(beside);
    const uri = path.isAbsolute(name)
        ? vscode.Uri.file(name)
        : folder && vscode.Uri.joinPath(folder.uri, name);
    try {
        if (uri !== undefined) {
            const document = await vscode.workspace.openTextDocument(uri);
            await vscode.window.showTextDocument(document, vscode.ViewColumn.One);
        }
    } catch {
        void vscode.window.showInformationMessage(`${name} cannot be opened.`);
    }
}

/** Write a file of the folder as people know it: without what leads to the folder. */
function inFolder(name: string): string {
    return path.isAbsolute(name) ? vscode.workspace.asRelativePath(name) : name;
}

function nonce(): string {
    return randomBytes(16).toString("base64url");
}
