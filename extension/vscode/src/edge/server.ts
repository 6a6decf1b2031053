/**
 * The language server of this window: started, watched, started again, ended. One is there at most,
 * whatever is asked of it in whatever order.
 */

import type * as vscode from "vscode";
import { CloseAction, ErrorAction, LanguageClient, RevealOutputChannelOn } from "vscode-languageclient/node";
import type { LanguageClientOptions, ServerOptions } from "vscode-languageclient/node";
import { forFolder } from "../core/settings";
import type { ServerStatus } from "../core/status";
import { SERVER_SETTINGS } from "../generated/settings";
import { ofMachine } from "./config";
import type { Provider } from "./provider";

/** The server's life is the user's to begin again after so many ends within so long. */
const MOST_ENDS = 4;
const ENDS_MS = 180_000;

export interface ServerListener {
    status(status: ServerStatus | undefined): void;
    failed(reason: string): void;
}

export class Server implements vscode.Disposable {
    private client: LanguageClient | undefined;
    private queue: Promise<void> = Promise.resolve();
    private ends: number[] = [];

    constructor(
        private readonly provider: Provider,
        private readonly listener: ServerListener,
        private readonly log: vscode.LogOutputChannel,
        private readonly cwd: string,
    ) {}

    get running(): LanguageClient | undefined {
        return this.client?.isRunning() === true ? this.client : undefined;
    }

    /** Start a program, in place of what is running. */
    start(program: string): Promise<void> {
        return this.inTurn(async () => {
            await this.end();
            const client = this.make(program);
            this.client = client;
            client.onNotification("didChangeStatus", (status: ServerStatus) =>
                this.listener.status(status),
            );
            this.provider.attach(client);
            try {
                await client.start();
            } catch (error) {
                this.log.error(String(error));
                this.listener.failed("the language server did not start; the log tells why");
            }
        });
    }

    stop(): Promise<void> {
        return this.inTurn(() => this.end());
    }

    /** Ask the server something; undefined where it does not answer. */
    async request<T>(method: string, params?: unknown): Promise<T | undefined> {
        try {
            return await this.running?.sendRequest<T>(method, params);
        } catch {
            return undefined;
        }
    }

    /** Tell the server something, if it is there. */
    notify(method: string, params: unknown): void {
        void this.running?.sendNotification(method, params).catch(() => undefined);
    }

    dispose(): void {
        void this.stop();
    }

    private async end(): Promise<void> {
        const client = this.client;
        this.client = undefined;
        this.provider.detach();
        this.listener.status(undefined);
        if (client !== undefined) {
            // One that does not start, or hangs, is ended by force after two seconds.
            await client.dispose(2000).catch(() => undefined);
        }
    }

    private make(program: string): LanguageClient {
        const options: ServerOptions = {
            command: program,
            args: ["--stdio"],
            // Not the workspace: nothing there may be taken for a module or a program of the server.
            options: { cwd: this.cwd },
        };
        const clientOptions: LanguageClientOptions = {
            documentSelector: [
                { scheme: "file" },
                { scheme: "untitled" },
                { scheme: "vscode-notebook-cell" },
            ],
            outputChannel: this.log,
            revealOutputChannelOn: RevealOutputChannelOn.Never,
            initializationOptions: () => ({ sidecar: ofMachine() }),
            errorHandler: {
                error: () => ({ action: ErrorAction.Continue, handled: true }),
                closed: () => this.closed(),
            },
            middleware: {
                provideInlineCompletionItems: (document, position, context, token) =>
                    this.provider.provide(document, position, context, token),
                workspace: {
                    configuration: async (params, token, next) => {
                        const answers = await next(params, token);
                        return Array.isArray(answers)
                            ? answers.map((answer: unknown, index) =>
                                  params.items[index]?.section === "sidecar"
                                      ? forFolder(SERVER_SETTINGS, answer)
                                      : answer,
                              )
                            : answers;
                    },
                },
            },
        };
        return new LanguageClient("sidecar", "sidecar", options, clientOptions);
    }

    /** Start a server that has ended again, unless it keeps ending. */
    private closed(): { action: CloseAction; handled: boolean } {
        const now = Date.now();
        this.ends = [...this.ends.filter((end) => now - end < ENDS_MS), now];
        this.listener.status(undefined);
        if (this.ends.length < MOST_ENDS) {
            this.log.warn("The language server has ended; starting it again.");
            return { action: CloseAction.Restart, handled: true };
        }
        this.ends = [];
        this.listener.failed("the language server keeps ending; the log tells why");
        return { action: CloseAction.DoNotRestart, handled: true };
    }

    private inTurn(work: () => Promise<void>): Promise<void> {
        const turn = this.queue.then(work);
        this.queue = turn.catch(() => undefined);
        return turn;
    }
}
