/**
 * Has VS Code ask for ghost text again, so that what it shows grows in place.
 *
 * The stable API has no call for that, and its trigger command alone does not do: an explicit trigger
 * keeps what is shown in front of what is new, and an automatic one is not carried out while an answer
 * of the same providers for the same text is there. An automatic one of a provider that has not
 * answered yet is, and what it answers takes the place of what is shown in one step, without a flicker.
 * So each time one is registered that lives until the next has answered.
 */

import * as vscode from "vscode";

/** All providers of this extension, in the words of the command; the newest comes first. */
const OURS = "sidecar.sidecar:*";

/** The first VS Code that this was tried in; those before may not know the command's arguments. */
const SINCE = [1, 139] as const;

/** Milliseconds after which VS Code shows something else than the answer of a text before. */
const REPLACED_MS = 1000;

export class Again implements vscode.Disposable {
    private registered: vscode.Disposable | undefined;
    private turn: Promise<void> = Promise.resolve();

    constructor(private readonly provide: vscode.InlineCompletionItemProvider["provideInlineCompletionItems"]) {}

    /** Resolve when VS Code has asked and shows the answer. */
    ask(document: vscode.TextDocument): Promise<void> {
        this.turn = this.turn.then(() => (inPlace() ? this.replace(document) : flicker())).catch(() => undefined);
        return this.turn;
    }

    /** End with a text: VS Code asks for another one. */
    settle(): void {
        const registered = this.registered;
        this.registered = undefined;
        if (registered !== undefined) {
            // VS Code gives an answer back to the provider that gave it.
            setTimeout(() => void registered.dispose(), REPLACED_MS);
        }
    }

    dispose(): void {
        this.registered?.dispose();
        this.registered = undefined;
    }

    private async replace(document: vscode.TextDocument): Promise<void> {
        const before = this.registered;
        this.registered = vscode.languages.registerInlineCompletionItemProvider(
            { scheme: document.uri.scheme, language: document.languageId },
            { provideInlineCompletionItems: (...asked) => this.provide(...asked) },
        );
        await vscode.commands.executeCommand("editor.action.inlineSuggest.trigger", {
            explicit: false,
            providerId: OURS,
        });
        before?.dispose();
    }
}

function inPlace(): boolean {
    const [major = 0, minor = 0] = vscode.version.split(".").map(Number);
    return major > SINCE[0] || (major === SINCE[0] && minor >= SINCE[1]);
}

/** What is shown is taken away first, for else it would be kept; one may see that for a frame. */
async function flicker(): Promise<void> {
    await vscode.commands.executeCommand("editor.action.inlineSuggest.hide");
    await vscode.commands.executeCommand("editor.action.inlineSuggest.trigger");
}
