/**
 * How sidecar is installed from the wheel inside the extension: the commands, and whether they can
 * work here, decided before anything is done. llama-cpp-python comes as source only, so either a
 * compiler or an index with built wheels is needed. It must never know VS Code.
 */

import * as path from "node:path";

export interface Python {
    readonly program: string;
    readonly version: readonly [number, number];
    /** Whether it can make environments that hold pip. */
    readonly hasPip: boolean;
}

export interface Machine {
    readonly platform: NodeJS.Platform;
    readonly pythons: readonly Python[];
    /** The path of a C++ compiler, if there is one. */
    readonly compiler: string | undefined;
    /** `sidecar.install.wheelIndex`. */
    readonly wheelIndex: string;
}

export interface Command {
    readonly program: string;
    readonly args: readonly string[];
    readonly env: Readonly<Record<string, string>>;
    readonly says: string;
}

/** One sentence, and what the button under it does. */
export interface Problem {
    readonly sentence: string;
    readonly button: string;
    readonly action: "python" | "compiler" | "settings" | "log" | "again" | "windows";
}

export const OLDEST_PYTHON = [3, 11] as const;

/** The names under which a Python that is new enough goes, newest first. */
export const PYTHON_NAMES = ["python3.14", "python3.13", "python3.12", "python3.11", "python3", "python"];
export const COMPILER_NAMES = ["c++", "g++", "clang++"];

/** Return the commands that install into a folder, or why they would fail. */
export function plan(
    machine: Machine,
    wheel: string | undefined,
    folder: string,
): Command[] | Problem {
    if (machine.platform === "win32") {
        return {
            sentence: "sidecar does not run on Windows itself yet; open the folder in WSL.",
            button: "About WSL",
            action: "windows",
        };
    }
    if (wheel === undefined) {
        // Never by name from an index: there it might be anybody's.
        return {
            sentence: "This build of the extension holds no sidecar to install; name one in sidecar.server.path.",
            button: "Open Settings",
            action: "settings",
        };
    }
    const python = machine.pythons.find(
        ({ version: [major, minor] }) =>
            major > OLDEST_PYTHON[0] || (major === OLDEST_PYTHON[0] && minor >= OLDEST_PYTHON[1]),
    );
    if (python === undefined) {
        return {
            sentence: `sidecar needs Python ${OLDEST_PYTHON.join(".")} or newer, and there is none on the PATH.`,
            button: "Get Python",
            action: "python",
        };
    }
    if (!python.hasPip) {
        return {
            sentence: `${path.basename(python.program)} cannot make environments; install its venv package (Debian: python3-venv).`,
            button: "Try Again",
            action: "again",
        };
    }
    const index = machine.wheelIndex.trim();
    if (index !== "" && !isAddress(index)) {
        return {
            sentence: "The setting sidecar.install.wheelIndex must be an https address or an absolute folder.",
            button: "Open Settings",
            action: "settings",
        };
    }
    if (index === "" && machine.compiler === undefined) {
        return {
            sentence:
                "llama.cpp comes as source only and there is no C++ compiler here; install one, or name an index with built wheels.",
            button: "What to Install",
            action: "compiler",
        };
    }
    const inside = path.join(folder, "bin", "python");
    const build: Record<string, string> =
        index === ""
            ? { CMAKE_ARGS: "-DGGML_NATIVE=OFF -DGGML_CUDA=OFF -DGGML_VULKAN=OFF" + metal(machine) }
            : {};
    const from =
        index === ""
            ? []
            : [
                  ...(path.isAbsolute(index) ? ["--find-links", index] : ["--extra-index-url", index]),
                  "--only-binary=llama-cpp-python",
              ];
    return [
        {
            program: python.program,
            args: ["-I", "-m", "venv", "--clear", folder],
            env: {},
            says: "Making an environment",
        },
        {
            program: inside,
            args: [
                "-I", "-m", "pip", "install", "--no-input", "--disable-pip-version-check",
                "--progress-bar=off", ...from, wheel,
            ],
            env: build,
            says:
                index === ""
                    ? "Installing sidecar and building llama.cpp (5 to 10 minutes)"
                    : "Installing sidecar",
        },
    ];
}

export function isProblem(planned: Command[] | Problem): planned is Problem {
    return !Array.isArray(planned);
}

/** Tell what a failed installation comes to, from what pip wrote. */
export function failure(output: string): Problem {
    if (/No space left on device/i.test(output)) {
        return {
            sentence: "The disk is full: sidecar and its model need about 2 GB.",
            button: "Try Again",
            action: "again",
        };
    }
    if (/NewConnectionError|Temporary failure in name resolution|ConnectTimeout|ProxyError/i.test(output)) {
        return {
            sentence: "The Python package index cannot be reached from here.",
            button: "Try Again",
            action: "again",
        };
    }
    if (/No matching distribution found for llama.cpp.python/i.test(output)) {
        return {
            sentence: "The wheel index holds no llama-cpp-python for this Python and system.",
            button: "Open Settings",
            action: "settings",
        };
    }
    if (/CMake Error|Failed building wheel|CMAKE_CXX_COMPILER/i.test(output)) {
        return {
            sentence: "llama.cpp could not be built here; the log tells why.",
            button: "Show Log",
            action: "log",
        };
    }
    return {
        sentence: "sidecar could not be installed; the log tells why.",
        button: "Show Log",
        action: "log",
    };
}

/** Return the share that a line of `sidecar models pull` tells, from 0 to 1. */
export function pulled(line: string): number | undefined {
    const found = /^downloading: (\d+) % of /.exec(line.trim());
    return found === null ? undefined : Number(found[1]) / 100;
}

export function sizeText(bytes: number): string {
    return bytes >= 1e9 ? `${(bytes / 1e9).toFixed(1)} GB` : `${Math.round(bytes / 1e6)} MB`;
}

function metal(machine: Machine): string {
    return machine.platform === "darwin" ? "" : " -DGGML_METAL=OFF";
}

function isAddress(text: string): boolean {
    if (path.isAbsolute(text)) {
        return true;
    }
    try {
        return new URL(text).protocol === "https:";
    } catch {
        return false;
    }
}
