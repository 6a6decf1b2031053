/** Runs a program that takes long: cancelled by its token, its output to the log, nothing else. */

import { spawn } from "node:child_process";
import type * as vscode from "vscode";

/** Characters of the output that are kept, to tell what a failure comes to. */
const KEPT = 20_000;

export interface Ran {
    readonly ok: boolean;
    readonly cancelled: boolean;
    readonly output: string;
}

export function run(
    program: string,
    args: readonly string[],
    options: {
        readonly cwd: string;
        readonly env?: Readonly<Record<string, string>>;
        readonly token: vscode.CancellationToken;
        /** Interrupted programs may keep what they have, as a download does. */
        readonly signal?: NodeJS.Signals;
        line(text: string): void;
    },
): Promise<Ran> {
    return new Promise((resolve) => {
        let output = "";
        let partial = "";
        // A group of its own, so that a build's compilers end with it.
        const child = spawn(program, args, {
            cwd: options.cwd,
            env: { ...process.env, ...options.env },
            stdio: ["ignore", "pipe", "pipe"],
            detached: true,
        });
        const kill = (signal: NodeJS.Signals): void => {
            try {
                process.kill(-(child.pid ?? 0), signal);
            } catch {
                // It has ended by itself.
            }
        };
        let force: NodeJS.Timeout | undefined;
        const listening = options.token.onCancellationRequested(() => {
            kill(options.signal ?? "SIGTERM");
            force = setTimeout(() => kill("SIGKILL"), 5000);
        });
        const take = (data: Buffer): void => {
            const text = data.toString();
            output = (output + text).slice(-KEPT);
            const lines = (partial + text).split(/\r?\n/);
            partial = lines.pop() ?? "";
            for (const line of lines) {
                options.line(line);
            }
        };
        child.stdout.on("data", take);
        child.stderr.on("data", take);
        const end = (ok: boolean): void => {
            listening.dispose();
            clearTimeout(force);
            resolve({ ok, cancelled: options.token.isCancellationRequested, output });
        };
        child.on("error", (error) => {
            output += String(error);
            end(false);
        });
        child.on("close", (code) => end(code === 0));
    });
}
