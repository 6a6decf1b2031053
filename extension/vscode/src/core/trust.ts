/**
 * Who may choose what. A workspace may say what is suggested in it; programs, models, addresses and
 * paths are the user's alone, in Restricted Mode and out of it. It must never know VS Code.
 */

import * as path from "node:path";
import type { Setting } from "./settings";

/** The values of a setting by who wrote them, as VS Code's `inspect` tells them. */
export interface Inspected {
    readonly defaultValue?: unknown;
    readonly globalValue?: unknown;
    readonly workspaceValue?: unknown;
    readonly workspaceFolderValue?: unknown;
}

/** Return the value that counts: of settings of the machine only what the user wrote. */
export function effective(setting: Setting, found: Inspected | undefined): unknown {
    const own = found?.globalValue ?? found?.defaultValue ?? setting.default;
    if (setting.scope === "machine") {
        return own;
    }
    return found?.workspaceFolderValue ?? found?.workspaceValue ?? own;
}

/**
 * Tell whether a program may be started: never one that is named by a relative path, and in
 * Restricted Mode none that lies in the workspace, for that came with it.
 *
 * @param program Its path, with links resolved.
 * @param folders The workspace's folders, with links resolved.
 */
export function mayRun(program: string, folders: readonly string[], trusted: boolean): boolean {
    if (!path.isAbsolute(program)) {
        return false;
    }
    return trusted || !folders.some((folder) => isInside(program, folder));
}

export function isInside(file: string, folder: string): boolean {
    const relative = path.relative(folder, file);
    return relative === "" || (!relative.startsWith("..") && !path.isAbsolute(relative));
}
