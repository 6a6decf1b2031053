/** Reads our settings from VS Code, with the rules of `core/trust`. */

import * as vscode from "vscode";
import { steps } from "../core/migration";
import { nested } from "../core/settings";
import { effective } from "../core/trust";
import { SERVER_SETTINGS } from "../generated/settings";

/** Return the value of a setting that the user wrote; what a workspace says does not count. */
export function own(key: "server.path" | "install.wheelIndex"): string {
    const value = effective({ key, scope: "machine", default: "" }, inspect(key));
    return typeof value === "string" ? value : "";
}

/** Return a setting of the completion for a document. */
export function ofDocument<T>(key: string, uri: vscode.Uri | undefined, otherwise: T): T {
    return vscode.workspace.getConfiguration("sidecar", uri).get<T>(key, otherwise);
}

/** Return the settings of the machine, as the server wants them in its initialization options. */
export function ofMachine(): Record<string, Record<string, unknown>> {
    return nested(
        SERVER_SETTINGS.filter((setting) => setting.scope === "machine"),
        (setting) => effective(setting, inspect(setting.key)),
    );
}

/** Tell whether suggestions are wanted in a document. */
export function isEnabled(document: vscode.TextDocument): boolean {
    const languages = ofDocument<unknown>("completion.disabledLanguages", document.uri, []);
    return (
        ofDocument<boolean>("completion.enabled", document.uri, true) &&
        !(Array.isArray(languages) && languages.includes(document.languageId))
    );
}

/** Tell whether a change touches a setting that the server learns at its start only. */
export function needsRestart(event: vscode.ConfigurationChangeEvent): boolean {
    return (
        event.affectsConfiguration("sidecar.server.path") ||
        SERVER_SETTINGS.some(
            ({ key, scope }) => scope === "machine" && event.affectsConfiguration(`sidecar.${key}`),
        )
    );
}

/** Bring settings of earlier versions to their new names. */
export async function migrate(log: vscode.LogOutputChannel): Promise<void> {
    const targets = {
        global: vscode.ConfigurationTarget.Global,
        workspace: vscode.ConfigurationTarget.Workspace,
        folder: vscode.ConfigurationTarget.WorkspaceFolder,
    };
    const configuration = vscode.workspace.getConfiguration();
    for (const { place, key, value } of steps((name) => configuration.inspect(name))) {
        try {
            await configuration.update(key, value, targets[place]);
        } catch {
            log.info(`The setting ${key} could not be moved; its new place counts.`);
        }
    }
}

function inspect(key: string): ReturnType<vscode.WorkspaceConfiguration["inspect"]> {
    return vscode.workspace.getConfiguration("sidecar").inspect(key);
}
