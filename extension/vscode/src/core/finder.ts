/**
 * Finds a sidecar to run: the one that is set, that of the active Python environment, one on the
 * PATH, or the one that this extension installed. A program is believed to be one only when it answers
 * `--version --json` with our product. It must never know VS Code.
 */

import { execFile } from "node:child_process";
import { realpath } from "node:fs/promises";
import * as path from "node:path";
import { mayRun } from "./trust";

export type Origin = "setting" | "environment" | "path" | "installed";

export interface Candidate {
    readonly program: string;
    readonly origin: Origin;
}

export interface Found extends Candidate {
    readonly version: string;
}

/** Why a candidate was not taken, for the log and for the one that was set. */
export interface Refused extends Candidate {
    readonly reason: string;
}

export interface Where {
    /** `sidecar.server.path`, as the user wrote it. */
    readonly setting: string;
    /** The interpreter that is active in the editor, or its environment's folder. */
    readonly environments: readonly string[];
    /** The value of PATH. */
    readonly searchPath: string;
    /** Where this extension installs. */
    readonly installed: string;
    readonly platform: NodeJS.Platform;
}

export const PRODUCT = "sidecar-completion";

/** The oldest server that this extension speaks with. */
export const OLDEST = [0, 1, 0] as const;

const ANSWER_MS = 20_000;

/** Return the places to look at, in the order in which they count; each once. */
export function candidates(where: Where): Candidate[] {
    const windows = where.platform === "win32";
    const name = windows ? "sidecar.exe" : "sidecar";
    const scripts = windows ? "Scripts" : "bin";
    if (where.setting.trim() !== "") {
        // Who names one means that one: to run another instead would only puzzle.
        return [{ program: where.setting.trim(), origin: "setting" }];
    }
    const found: Candidate[] = [];
    for (const environment of where.environments) {
        const isProgram = /^python[\d.]*(\.exe)?$/i.test(path.basename(environment));
        const folder = isProgram ? path.dirname(environment) : path.join(environment, scripts);
        found.push({ program: path.join(folder, name), origin: "environment" });
    }
    for (const folder of where.searchPath.split(path.delimiter)) {
        // A relative entry would mean the workspace.
        if (path.isAbsolute(folder)) {
            found.push({ program: path.join(folder, name), origin: "path" });
        }
    }
    found.push({ program: path.join(where.installed, scripts, name), origin: "installed" });
    const seen = new Set<string>();
    return found.filter(({ program }) => !seen.has(program) && seen.add(program));
}

/**
 * Return the first candidate that is a sidecar.
 *
 * @param folders The workspace's folders.
 * @param trusted Whether the workspace is trusted.
 * @param probe Starts a program and returns what it says of its version.
 */
export async function find(
    where: Where,
    folders: readonly string[],
    trusted: boolean,
    probe: (program: string) => Promise<string> = ask,
): Promise<{ found?: Found; refused: Refused[] }> {
    const refused: Refused[] = [];
    const resolved = await Promise.all(folders.map((folder) => realpath(folder).catch(() => folder)));
    for (const candidate of candidates(where)) {
        let real: string;
        try {
            real = await realpath(candidate.program);
        } catch {
            if (candidate.origin === "setting") {
                refused.push({ ...candidate, reason: "there is no such file" });
            }
            continue;
        }
        // Neither the link nor what it leads to may have come with the workspace.
        if (![candidate.program, real].every((each) => mayRun(each, [...folders, ...resolved], trusted))) {
            refused.push({ ...candidate, reason: "it lies in a workspace that is not trusted" });
            continue;
        }
        try {
            const version = versionOf(await probe(candidate.program));
            return { found: { ...candidate, version }, refused };
        } catch (error) {
            refused.push({ ...candidate, reason: error instanceof Error ? error.message : "failed" });
        }
    }
    return { refused };
}

/** Return the version in an answer to `--version --json`; throws when it is none of ours. */
export function versionOf(answer: string): string {
    let said: unknown;
    try {
        said = JSON.parse(answer);
    } catch {
        throw new Error("it is another program of that name");
    }
    const { product, version } = (said ?? {}) as { product?: unknown; version?: unknown };
    if (product !== PRODUCT || typeof version !== "string") {
        throw new Error("it is another program of that name");
    }
    const numbers = version.split(/[.+-]/).slice(0, 3).map(Number);
    for (const [index, least] of OLDEST.entries()) {
        const number = numbers[index] ?? 0;
        if (number > least) {
            break;
        }
        if (!(number >= least)) {
            throw new Error(`it is version ${version}, and ${OLDEST.join(".")} is needed`);
        }
    }
    return version;
}

/** Start a program from its own folder, so that nothing of the workspace is loaded with it. */
function ask(program: string): Promise<string> {
    return new Promise((resolve, reject) => {
        const options = { timeout: ANSWER_MS, cwd: path.dirname(program), maxBuffer: 1 << 16 };
        execFile(program, ["--version", "--json"], options, (error, stdout) => {
            if (error) {
                reject(new Error(error.killed ? "it does not answer" : "it cannot be started"));
            } else {
                resolve(stdout);
            }
        });
    });
}
