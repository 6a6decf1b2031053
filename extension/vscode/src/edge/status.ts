/** Shows how things are: an entry of the status bar, and a language status item. */

import * as vscode from "vscode";
import { view } from "../core/status";
import type { Facts } from "../core/status";

/** Milliseconds that one may think without saying so: most answers are there before. */
const THINKING_MS = 150;

export class StatusView implements vscode.Disposable {
    private readonly bar = vscode.window.createStatusBarItem(
        "sidecar",
        vscode.StatusBarAlignment.Right,
        90,
    );
    private readonly item = vscode.languages.createLanguageStatusItem("sidecar", { pattern: "**" });
    private facts: Facts = {
        installed: true,
        enabled: true,
        pausedUntil: 0,
        now: 0,
        thinking: false,
        server: undefined,
        phase: "",
        model: "",
        stats: undefined,
        failure: "",
    };
    private waiting: NodeJS.Timeout | undefined;

    constructor() {
        this.bar.name = "sidecar";
        this.item.name = "sidecar";
        this.show();
        this.bar.show();
    }

    get current(): Facts {
        return this.facts;
    }

    set(changes: Partial<Facts>): void {
        this.facts = { ...this.facts, ...changes };
        this.show();
    }

    thinking(busy: boolean): void {
        clearTimeout(this.waiting);
        if (!busy) {
            if (this.facts.thinking) {
                this.set({ thinking: false });
            }
            return;
        }
        this.waiting = setTimeout(() => this.set({ thinking: true }), THINKING_MS);
    }

    dispose(): void {
        clearTimeout(this.waiting);
        this.bar.dispose();
        this.item.dispose();
    }

    private show(): void {
        const shown = view({ ...this.facts, now: Date.now() });
        this.bar.text = shown.text;
        const tooltip = new vscode.MarkdownString();
        for (const line of shown.tooltip) {
            tooltip.appendText(line);
            tooltip.appendMarkdown("\n\n");
        }
        this.bar.tooltip = tooltip;
        this.bar.command = shown.command;
        this.bar.accessibilityInformation = { label: `sidecar: ${shown.detail}` };
        this.bar.backgroundColor =
            shown.severity === "information"
                ? undefined
                : new vscode.ThemeColor(`statusBarItem.${shown.severity}Background`);
        this.item.text = "sidecar";
        this.item.detail = shown.detail;
        this.item.busy = shown.busy;
        this.item.severity = {
            information: vscode.LanguageStatusSeverity.Information,
            warning: vscode.LanguageStatusSeverity.Warning,
            error: vscode.LanguageStatusSeverity.Error,
        }[shown.severity];
        this.item.command = { title: "Menu", command: shown.command };
    }
}
