/** Wires the parts of the extension together; the only place that knows all of them. */

import * as vscode from "vscode";
import { askMinutes, setEnabled, showMenu, toggleLanguage, toggleWorkspace } from "./commands";
import { isEnabled, migrate, needsRestart, ofDocument } from "./config";
import { Feedback } from "./feedback";
import { Pages } from "./pages";
import { followPresence } from "./presence";
import { Provider } from "./provider";
import { Server } from "./server";
import { Setup } from "./setup";
import { StatusView } from "./status";

interface EngineStatus {
    readonly engine?: { readonly phase?: string; readonly model?: string };
}

export class App implements vscode.Disposable {
    private readonly log = vscode.window.createOutputChannel("sidecar", { log: true });
    private readonly status = new StatusView();
    private readonly pages = new Pages();
    private readonly setup: Setup;
    private readonly provider: Provider;
    private readonly server: Server;
    private readonly feedback: Feedback;
    private readonly disposables: vscode.Disposable[];
    private program: string | undefined;
    private pausedUntil = 0;
    private pauseEnds: NodeJS.Timeout | undefined;
    private offeredModel = false;

    constructor(context: vscode.ExtensionContext) {
        this.setup = new Setup(context, this.log);
        this.feedback = new Feedback(() => this.server);
        this.provider = new Provider(() => this.isPaused(), {
            thinking: (busy) => {
                if (busy) {
                    this.log.debug("The server is asked.");
                }
                this.status.thinking(busy);
            },
            answered: (stats) => this.status.set({ stats }),
            offered: (document, cursor, offer, item) =>
                this.feedback.offered({ document, cursor, offer, item }),
            accepted: () => this.feedback.forget(),
            timed: (own, server) =>
                this.log.debug(`An answer: ${own.toFixed(2)} ms here, ${server.toFixed(1)} ms of the server.`),
        });
        this.server = new Server(
            this.provider,
            {
                status: (server) => void this.serverSaid(server),
                failed: (failure) => this.failed(failure),
            },
            this.log,
            context.globalStorageUri.fsPath,
        );
        this.disposables = [
            this.log,
            this.status,
            this.pages,
            this.feedback,
            this.provider,
            this.server,
            followPresence(this.server),
            vscode.workspace.onDidChangeConfiguration((event) => {
                if (needsRestart(event)) {
                    void this.restart();
                }
                if (event.affectsConfiguration("sidecar.completion")) {
                    this.provider.dismiss();
                    this.showEnabled();
                }
            }),
            vscode.workspace.onDidGrantWorkspaceTrust(() => {
                if (this.program === undefined) {
                    void this.restart();
                }
            }),
            vscode.window.onDidChangeActiveTextEditor(() => this.showEnabled()),
            ...this.commands(),
        ];
    }

    async start(context: vscode.ExtensionContext): Promise<void> {
        await migrate(this.log);
        await vscode.workspace.fs.createDirectory(context.globalStorageUri);
        this.showEnabled();
        await this.restart();
        if (this.program === undefined && context.globalState.get("offered") !== true) {
            await context.globalState.update("offered", true);
            const pressed = await vscode.window.showInformationMessage(
                "sidecar completes code with a model on your own machine. It is not installed yet.",
                "Set Up",
            );
            if (pressed !== undefined) {
                await this.setUp();
            }
        }
    }

    dispose(): void {
        clearTimeout(this.pauseEnds);
        for (const each of this.disposables.toReversed()) {
            each.dispose();
        }
    }

    /** End the server; VS Code waits for it. */
    async stop(): Promise<void> {
        await this.server.stop();
    }

    private commands(): vscode.Disposable[] {
        const global = vscode.ConfigurationTarget.Global;
        const all: Record<string, () => unknown> = {
            enable: () => setEnabled(true, global),
            disable: () => setEnabled(false, global),
            toggle: () => setEnabled(!ofDocument("completion.enabled", undefined, true), global),
            toggleLanguage,
            toggleWorkspace,
            restart: () => this.restart(true),
            setUp: () => this.setUp(),
            selectModel: () => this.selectModel(),
            showContextCard: () => this.pages.card(this.server),
            showStatistics: () => this.pages.stats(this.server),
            showLog: () => this.log.show(),
            showMenu,
            pause: async (minutes?: unknown) =>
                this.pause(typeof minutes === "number" ? minutes : await askMinutes(this.isPaused())),
            complete: () => vscode.commands.executeCommand("editor.action.inlineSuggest.trigger"),
            dismiss: () => {
                this.provider.dismiss();
                return vscode.commands.executeCommand("editor.action.inlineSuggest.hide");
            },
        };
        return Object.entries(all).map(([name, run]) =>
            vscode.commands.registerCommand(`sidecar.${name}`, run),
        );
    }

    private isPaused(): boolean {
        return Date.now() < this.pausedUntil;
    }

    private pause(minutes: number | undefined): void {
        if (minutes === undefined) {
            return;
        }
        clearTimeout(this.pauseEnds);
        this.pausedUntil = minutes > 0 ? Date.now() + minutes * 60_000 : 0;
        this.status.set({ pausedUntil: this.pausedUntil });
        if (minutes > 0) {
            this.provider.dismiss();
            this.pauseEnds = setTimeout(() => this.pause(0), minutes * 60_000);
        }
    }

    private showEnabled(): void {
        const document = vscode.window.activeTextEditor?.document;
        const enabled = document ? isEnabled(document) : ofDocument("completion.enabled", undefined, true);
        if (enabled !== this.status.current.enabled) {
            this.status.set({ enabled });
        }
    }

    /** Find a sidecar and run it, in place of the one that runs. */
    private async restart(all = false): Promise<void> {
        if (all) {
            // The engine is shared by editors, so it is ended only when the user says so.
            await this.server.request("workspace/executeCommand", { command: "sidecar.restartEngine" });
        }
        this.program = (await this.setup.find())?.program;
        void context("installed", this.program !== undefined);
        this.status.set({ installed: this.program !== undefined, failure: "", phase: "" });
        this.offeredModel = false;
        if (this.program === undefined) {
            await this.server.stop();
        } else {
            await this.server.start(this.program);
        }
    }

    private async setUp(): Promise<void> {
        if (this.program === undefined && !(await this.setup.install())) {
            return;
        }
        if (this.program === undefined) {
            await this.restart();
        }
        if (this.program !== undefined && (await this.setup.offerModel(this.program))) {
            await this.restart();
        }
    }

    private async selectModel(): Promise<void> {
        if (this.program === undefined) {
            await this.setUp();
        } else if ((await this.setup.selectModel(this.program)) !== undefined) {
            await this.restart();
        }
    }

    private failed(failure: string): void {
        this.status.set({ failure });
        void this.setup.tell({
            sentence: `sidecar: ${failure}.`,
            button: "Show Log",
            action: "log",
        });
    }

    private async serverSaid(server: typeof this.status.current.server): Promise<void> {
        this.status.set(server === undefined ? { server, phase: "" } : { server });
        if (server === undefined || server.busy) {
            return;
        }
        const engine = (await this.server.request<EngineStatus>("sidecar/status", {}))?.engine;
        this.status.set({ phase: engine?.phase ?? "", model: engine?.model ?? "" });
        void context("ready", engine?.phase === "ready");
        if (engine?.phase === "no-model" && !this.offeredModel && this.program !== undefined) {
            this.offeredModel = true;
            if (await this.setup.offerModel(this.program)) {
                await this.restart();
            }
        }
    }
}

/** Tell the walkthrough how far the set-up has come. */
async function context(name: string, value: boolean): Promise<void> {
    await vscode.commands.executeCommand("setContext", `sidecar.${name}`, value);
}
