/** The entry of the extension: begins and ends it, and nothing else. */

import type * as vscode from "vscode";
import { App } from "./edge/app";

let app: App | undefined;

export function activate(context: vscode.ExtensionContext): void {
    app = new App(context);
    context.subscriptions.push(app);
    // Not waited for: it may ask the user something, and VS Code takes that for a slow extension.
    void app.start(context);
}

export async function deactivate(): Promise<void> {
    await app?.stop();
    app = undefined;
}
