/**
 * Moves settings of earlier versions to the names that they have now. It must never know VS Code.
 */

import type { Inspected } from "./trust";

export interface Move {
    readonly from: string;
    readonly to: string;
    /** What the old value is in the new setting; undefined when it has no counterpart. */
    convert(value: unknown): unknown;
}

/** Where a value stands; the same words as VS Code's `ConfigurationTarget`. */
export type Place = "global" | "workspace" | "folder";

export interface Step {
    readonly place: Place;
    readonly key: string;
    /** Undefined removes the setting. */
    readonly value: unknown;
}

const boolean = (value: unknown): unknown => (typeof value === "boolean" ? value : undefined);
const text = (value: unknown): unknown => (typeof value === "string" ? value : undefined);
const list = (value: unknown): unknown => (Array.isArray(value) ? value : undefined);

/** Names that settings had before the first release. */
export const MOVES: readonly Move[] = [
    { from: "sidecar.enabled", to: "sidecar.completion.enabled", convert: boolean },
    { from: "sidecar.disabledLanguages", to: "sidecar.completion.disabledLanguages", convert: list },
    { from: "sidecar.disabledFiles", to: "sidecar.completion.disabledFiles", convert: list },
    { from: "sidecar.serverPath", to: "sidecar.server.path", convert: text },
    { from: "sidecar.modelPath", to: "sidecar.model.path", convert: text },
    { from: "sidecar.wheelIndex", to: "sidecar.install.wheelIndex", convert: text },
];

/** Keys whose values only the user may write: their old names count in the user's settings only. */
const OF_THE_USER: ReadonlySet<string> = new Set([
    "sidecar.server.path",
    "sidecar.model.path",
    "sidecar.install.wheelIndex",
]);

/**
 * Return the changes that bring old settings to their new names, in the file where each stands. A new
 * setting that the user has written already is left alone.
 */
export function steps(
    inspect: (key: string) => Inspected | undefined,
    moves: readonly Move[] = MOVES,
): Step[] {
    const found: Step[] = [];
    for (const move of moves) {
        const old = inspect(move.from);
        const now = inspect(move.to);
        const places: [Place, unknown, unknown][] = [
            ["global", old?.globalValue, now?.globalValue],
            ["workspace", old?.workspaceValue, now?.workspaceValue],
            ["folder", old?.workspaceFolderValue, now?.workspaceFolderValue],
        ];
        for (const [place, before, after] of places) {
            if (before === undefined) {
                continue;
            }
            const value = move.convert(before);
            const allowed = place === "global" || !OF_THE_USER.has(move.to);
            if (value !== undefined && after === undefined && allowed) {
                found.push({ place, key: move.to, value });
            }
            found.push({ place, key: move.from, value: undefined });
        }
    }
    return found;
}
