/**
 * Which settings go to the server, and how. The list is generated from the server's schema, so there
 * is one source of truth. It must never know VS Code.
 */

export interface Setting {
    /** Without the prefix `sidecar.`. */
    readonly key: string;
    readonly scope: "machine" | "resource" | "window";
    readonly default: unknown;
}

type Groups = Record<string, Record<string, unknown>>;

/** Return settings as the nested object that the server reads; what is at its default is left out. */
export function nested(
    settings: readonly Setting[],
    valueOf: (setting: Setting) => unknown,
): Groups {
    const groups: Groups = {};
    for (const setting of settings) {
        const value = valueOf(setting);
        if (value === undefined || same(value, setting.default)) {
            continue;
        }
        const [group, name] = setting.key.split(".", 2) as [string, string];
        (groups[group] ??= {})[name] = value;
    }
    return groups;
}

/**
 * Return what `workspace/configuration` is answered: the server's settings that a folder may have.
 * Ours are none of its business, and those of the machine were told at the start.
 */
export function forFolder(settings: readonly Setting[], raw: unknown): Groups {
    return nested(
        settings.filter((setting) => setting.scope !== "machine"),
        (setting) => at(raw, setting.key),
    );
}

/** Tell whether two values of settings are the same. */
export function same(a: unknown, b: unknown): boolean {
    return JSON.stringify(a) === JSON.stringify(b);
}

function at(value: unknown, key: string): unknown {
    for (const name of key.split(".")) {
        if (typeof value !== "object" || value === null) {
            return undefined;
        }
        value = (value as Record<string, unknown>)[name];
    }
    return value;
}
