/**
 * Set-up: finds a sidecar or installs one, and offers a model. Nothing is installed or downloaded
 * unasked, everything long can be cancelled, and every failure ends in one sentence with a button.
 */

import { mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import * as path from "node:path";
import { promisify } from "node:util";
import { brotliDecompress } from "node:zlib";
import * as vscode from "vscode";
import { find } from "../core/finder";
import type { Found } from "../core/finder";
import { failure, isProblem, plan, pulled, sizeText } from "../core/install";
import type { Problem } from "../core/install";
import { own } from "./config";
import { environments, look } from "./machine";
import { run } from "./run";

interface Model {
    readonly name: string;
    readonly title: string;
    readonly bytes: number;
    readonly bytes_exact: boolean;
    readonly installed: boolean;
    readonly default: boolean;
    readonly licence: string;
    readonly terms: string;
    readonly min_memory_bytes: number;
}

const PAGES: Partial<Record<Problem["action"], string>> = {
    python: "https://www.python.org/downloads/",
    compiler: "https://github.com/abetlen/llama-cpp-python#installation",
    windows: "https://code.visualstudio.com/docs/remote/wsl",
};

export class Setup {
    private readonly environment: string;

    constructor(
        private readonly context: vscode.ExtensionContext,
        private readonly log: vscode.LogOutputChannel,
    ) {
        this.environment = path.join(context.globalStorageUri.fsPath, "environment");
    }

    /** Return the sidecar to run, and say in the log why others are not. */
    async find(): Promise<Found | undefined> {
        const where = {
            setting: own("server.path"),
            environments: await environments(),
            searchPath: process.env.PATH ?? "",
            installed: this.environment,
            platform: process.platform,
        };
        const folders = (vscode.workspace.workspaceFolders ?? []).map(({ uri }) => uri.fsPath);
        const { found, refused } = await find(where, folders, vscode.workspace.isTrusted);
        for (const { program, reason } of refused) {
            this.log.info(`Not taken: ${program}: ${reason}.`);
        }
        if (found !== undefined) {
            this.log.info(`Found sidecar ${found.version} (${found.origin}): ${found.program}`);
        }
        const set = refused.find(({ origin }) => origin === "setting");
        if (set !== undefined) {
            void this.tell({
                sentence: `The program in sidecar.server.path is not taken: ${set.reason}.`,
                button: "Open Settings",
                action: "settings",
            });
        }
        return found;
    }

    /** Offer to install, and do it if the user agrees; true when it is there afterwards. */
    async install(): Promise<boolean> {
        const planned = plan(await look(), await this.wheel(), this.environment);
        if (isProblem(planned)) {
            void this.tell(planned);
            return false;
        }
        const builds = planned.some(({ env }) => "CMAKE_ARGS" in env);
        const agreed = await vscode.window.showInformationMessage(
            "Install sidecar for this editor?",
            {
                modal: true,
                detail: `It gets a Python environment of its own (about 500 MB${builds ? "; llama.cpp is built, which takes 5 to 10 minutes" : ""}). Python packages are downloaded from your package index.`,
            },
            "Install",
        );
        if (agreed === undefined) {
            return false;
        }
        const done = await vscode.window.withProgress(
            {
                location: vscode.ProgressLocation.Notification,
                title: "sidecar",
                cancellable: true,
            },
            async (progress, token) => {
                await vscode.workspace.fs.createDirectory(this.context.globalStorageUri);
                for (const { program, args, env, says } of planned) {
                    progress.report({ message: `${says}…` });
                    const ran = await run(program, args, {
                        cwd: this.context.globalStorageUri.fsPath,
                        env,
                        token,
                        line: (line) => this.log.info(line),
                    });
                    if (!ran.ok) {
                        await this.remove();
                        return ran.cancelled ? undefined : failure(ran.output);
                    }
                }
                return true;
            },
        );
        if (done !== true) {
            void this.tell(
                done ?? {
                    sentence: "The installation was stopped, and nothing is left of it.",
                    button: "Try Again",
                    action: "again",
                },
            );
            return false;
        }
        return true;
    }

    /** Let the user choose a model and have it downloaded; undefined when nothing was chosen. */
    async selectModel(program: string): Promise<string | undefined> {
        const models = await this.models(program);
        if (models === undefined) {
            return undefined;
        }
        const picks = models
            .toSorted((a, b) => Number(b.default) - Number(a.default))
            .map((model) => ({
                label: `${model.installed ? "$(check)" : "$(cloud-download)"} ${model.title}`,
                description: `${model.bytes_exact ? "" : "about "}${sizeText(model.bytes)}, ${model.licence}`,
                detail: [
                    model.default ? "Suits this machine." : "",
                    `Needs ${sizeText(model.min_memory_bytes)} of memory.`,
                    model.terms,
                ]
                    .filter((text) => text !== "")
                    .join(" "),
                model,
            }));
        const pick = await vscode.window.showQuickPick(picks, {
            title: "Model that completes your code",
            matchOnDescription: true,
        });
        if (pick === undefined || !(pick.model.installed || (await this.pull(program, pick.model)))) {
            return undefined;
        }
        await vscode.workspace
            .getConfiguration("sidecar")
            .update(
                "model.name",
                pick.model.default ? undefined : pick.model.name,
                vscode.ConfigurationTarget.Global,
            );
        return pick.model.name;
    }

    /** Offer the model that suits this machine; true when it was downloaded. */
    async offerModel(program: string): Promise<boolean> {
        const model = (await this.models(program))?.find((each) => each.default);
        if (model === undefined || model.installed) {
            return false;
        }
        const answer = await vscode.window.showInformationMessage(
            `sidecar needs a model. ${model.title} suits this machine: ${sizeText(model.bytes)}, ${model.licence}.`,
            "Download",
            "Choose Another",
        );
        if (answer === "Download") {
            return this.pull(program, model);
        }
        return answer === "Choose Another" && (await this.selectModel(program)) !== undefined;
    }

    /** Say a sentence with its button, and do what the button says. */
    async tell(problem: Problem): Promise<void> {
        const pressed = await vscode.window.showErrorMessage(problem.sentence, problem.button);
        if (pressed === undefined) {
            return;
        }
        const page = PAGES[problem.action];
        if (page !== undefined) {
            await vscode.env.openExternal(vscode.Uri.parse(page));
        } else if (problem.action === "settings") {
            await vscode.commands.executeCommand("workbench.action.openSettings", "@ext:sidecar.sidecar");
        } else if (problem.action === "log") {
            this.log.show();
        } else {
            await vscode.commands.executeCommand("sidecar.setUp");
        }
    }

    private async pull(program: string, model: Model): Promise<boolean> {
        const ran = await vscode.window.withProgress(
            {
                location: vscode.ProgressLocation.Notification,
                title: `Downloading ${model.title}`,
                cancellable: true,
            },
            (progress, token) => {
                let before = 0;
                return run(program, ["models", "pull", model.name], {
                    cwd: path.dirname(program),
                    token,
                    // What is there stays, and the next download goes on from it.
                    signal: "SIGINT",
                    line: (line) => {
                        this.log.info(line);
                        const share = pulled(line);
                        if (share !== undefined) {
                            progress.report({
                                message: `${Math.round(share * 100)} % of ${sizeText(model.bytes)}`,
                                increment: (share - before) * 100,
                            });
                            before = share;
                        }
                    },
                });
            },
        );
        if (ran.ok) {
            return true;
        }
        const said = ran.output.trim().split("\n").at(-1) ?? "";
        const again = await vscode.window.showErrorMessage(
            ran.cancelled
                ? "The download was stopped; it goes on from there when you start it again."
                : `The model was not downloaded: ${said.replace(/^sidecar: /, "")}`,
            "Try Again",
        );
        return again !== undefined && this.pull(program, model);
    }

    private async models(program: string): Promise<Model[] | undefined> {
        const source = new vscode.CancellationTokenSource();
        let text = "";
        const ran = await run(program, ["models", "list", "--json"], {
            cwd: path.dirname(program),
            token: source.token,
            line: (line) => (text += `${line}\n`),
        });
        source.dispose();
        try {
            return (JSON.parse(text) as { models: Model[] }).models;
        } catch {
            this.log.error(ran.output);
            void this.tell({
                sentence: "sidecar does not tell which models there are; the log tells why.",
                button: "Show Log",
                action: "log",
            });
            return undefined;
        }
    }

    /** Unpack the wheel that comes with the extension; undefined when there is none. */
    private async wheel(): Promise<string | undefined> {
        const folder = path.join(this.context.extensionPath, "server");
        const names = await readdir(folder).catch(() => []);
        const packed = names.find((name) => name.endsWith(".whl.br"));
        if (packed === undefined) {
            return undefined;
        }
        const storage = this.context.globalStorageUri.fsPath;
        await mkdir(storage, { recursive: true });
        const wheel = path.join(storage, packed.slice(0, -".br".length));
        const data = await readFile(path.join(folder, packed));
        await writeFile(wheel, await promisify(brotliDecompress)(data));
        return wheel;
    }

    private async remove(): Promise<void> {
        try {
            await vscode.workspace.fs.delete(vscode.Uri.file(this.environment), { recursive: true });
        } catch {
            // It was never made.
        }
    }
}
