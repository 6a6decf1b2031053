/** The commands that change where and when suggestions are offered. */

import * as vscode from "vscode";

type Languages = readonly string[];

/** Switch suggestions on or off for the user, or for the workspace. */
export async function setEnabled(value: boolean, target: vscode.ConfigurationTarget): Promise<void> {
    const configuration = vscode.workspace.getConfiguration("sidecar");
    await configuration.update("completion.enabled", value, target);
}

export async function toggleWorkspace(): Promise<void> {
    if (vscode.workspace.workspaceFolders === undefined) {
        void vscode.window.showInformationMessage("No folder is open; use the command for everywhere.");
        return;
    }
    const now = vscode.workspace.getConfiguration("sidecar").get<boolean>("completion.enabled", true);
    await setEnabled(!now, vscode.ConfigurationTarget.Workspace);
}

/** Switch suggestions on or off for the language of the document in view. */
export async function toggleLanguage(): Promise<void> {
    const document = vscode.window.activeTextEditor?.document;
    if (document === undefined) {
        void vscode.window.showInformationMessage("Open a file of the language first.");
        return;
    }
    const configuration = vscode.workspace.getConfiguration("sidecar");
    const before = configuration.inspect<Languages>("completion.disabledLanguages")?.globalValue ?? [];
    const language = document.languageId;
    const after = before.includes(language)
        ? before.filter((each) => each !== language)
        : [...before, language];
    await configuration.update(
        "completion.disabledLanguages",
        after.length > 0 ? after : undefined,
        vscode.ConfigurationTarget.Global,
    );
    void vscode.window.setStatusBarMessage(
        `sidecar: suggestions in ${language} are ${after.includes(language) ? "off" : "on"}`,
        3000,
    );
}

/** Ask for how many minutes to pause; 0 ends a pause. */
export async function askMinutes(isPaused: boolean): Promise<number | undefined> {
    const choices = [5, 15, 30, 60, 240].map((minutes) => ({
        label: minutes < 60 ? `${minutes} minutes` : minutes === 60 ? "an hour" : "4 hours",
        minutes,
    }));
    const picks = isPaused ? [{ label: "Go on now", minutes: 0 }, ...choices] : choices;
    return (await vscode.window.showQuickPick(picks, { title: "Pause suggestions for" }))?.minutes;
}

export async function showMenu(): Promise<void> {
    const document = vscode.window.activeTextEditor?.document;
    const entries: [string, string][] = [
        ["$(play) Complete now", "sidecar.complete"],
        ["$(list-tree) Show context card", "sidecar.showContextCard"],
        ["$(debug-pause) Pause…", "sidecar.pause"],
        ["$(globe) Switch on or off everywhere", "sidecar.toggle"],
        ...(document === undefined
            ? []
            : [[`$(code) Switch on or off for ${document.languageId}`, "sidecar.toggleLanguage"] as [string, string]]),
        ["$(root-folder) Switch on or off in this workspace", "sidecar.toggleWorkspace"],
        ["$(package) Select model", "sidecar.selectModel"],
        ["$(graph) Show statistics", "sidecar.showStatistics"],
        ["$(output) Show log", "sidecar.showLog"],
        ["$(refresh) Restart", "sidecar.restart"],
    ];
    const pick = await vscode.window.showQuickPick(
        entries.map(([label, command]) => ({ label, command })),
        { title: "sidecar" },
    );
    if (pick !== undefined) {
        await vscode.commands.executeCommand(pick.command);
    }
}
