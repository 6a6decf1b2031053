/** Looks at what this machine has: Pythons, compilers, Python environments, programs on the PATH. */

import { execFile } from "node:child_process";
import { constants } from "node:fs";
import { access } from "node:fs/promises";
import * as path from "node:path";
import * as vscode from "vscode";
import { COMPILER_NAMES, PYTHON_NAMES } from "../core/install";
import type { Machine, Python } from "../core/install";
import { own } from "./config";

const QUESTION =
    "import importlib.util as u,sys;print(sys.version_info[0],sys.version_info[1],int(all(u.find_spec(m) for m in ('venv','ensurepip'))))";

export async function look(): Promise<Machine> {
    const pythons: Python[] = [];
    for (const name of PYTHON_NAMES) {
        const program = await onPath(name);
        const python = program && (await ask(program));
        if (python) {
            pythons.push(python);
        }
    }
    let compiler: string | undefined;
    for (const name of COMPILER_NAMES) {
        compiler ??= await onPath(name);
    }
    return { platform: process.platform, pythons, compiler, wheelIndex: own("install.wheelIndex") };
}

/** Return interpreters or folders of the environments that are active. */
export async function environments(): Promise<string[]> {
    const found: string[] = [];
    const python = vscode.extensions.getExtension<PythonApi>("ms-python.python");
    // Only asked where it runs already: starting it is not for us to decide.
    if (python?.isActive === true) {
        const folder = vscode.workspace.workspaceFolders?.[0]?.uri;
        const active = python.exports.environments?.getActiveEnvironmentPath(folder);
        const resolved = active && (await python.exports.environments?.resolveEnvironment(active));
        const program = resolved?.executable.uri?.fsPath;
        if (program !== undefined) {
            found.push(program);
        }
    }
    const { VIRTUAL_ENV: environment } = process.env;
    return environment !== undefined && path.isAbsolute(environment)
        ? [...found, environment]
        : found;
}

interface PythonApi {
    readonly environments?: {
        getActiveEnvironmentPath(resource?: vscode.Uri): { readonly path: string };
        resolveEnvironment(environment: {
            readonly path: string;
        }): Promise<{ readonly executable: { readonly uri?: vscode.Uri } } | undefined>;
    };
}

async function onPath(name: string): Promise<string | undefined> {
    for (const folder of (process.env.PATH ?? "").split(path.delimiter)) {
        const program = path.join(folder, name);
        if (path.isAbsolute(folder) && (await isExecutable(program))) {
            return program;
        }
    }
    return undefined;
}

async function isExecutable(program: string): Promise<boolean> {
    try {
        await access(program, constants.X_OK);
        return true;
    } catch {
        return false;
    }
}

function ask(program: string): Promise<Python | undefined> {
    return new Promise((resolve) => {
        const options = { timeout: 10_000, cwd: path.dirname(program) };
        execFile(program, ["-I", "-c", QUESTION], options, (error, stdout) => {
            const [major, minor, pip] = stdout.trim().split(" ").map(Number);
            if (error !== null || major === undefined || minor === undefined) {
                resolve(undefined);
            } else {
                resolve({ program, version: [major, minor], hasPip: pip === 1 });
            }
        });
    });
}
