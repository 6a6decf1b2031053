/**
 * How things are, as the status bar and the language status show it. It must never know VS Code.
 */

export type State = "setup" | "starting" | "ready" | "thinking" | "no-model" | "paused" | "off" | "error";

/** The server's `didChangeStatus`. */
export interface ServerStatus {
    readonly busy: boolean;
    readonly message: string;
    readonly kind: string;
}

/** The engine's account of a request, as far as it is shown. */
export interface Stats {
    readonly evaluated?: number;
    readonly reused?: number;
    readonly generated?: number;
    readonly first_token_ms?: number;
    readonly total_ms?: number;
    readonly visible_ms?: number | null;
}

export interface Facts {
    /** Whether a server was found. */
    readonly installed: boolean;
    readonly enabled: boolean;
    /** When a pause ends, in milliseconds since the epoch; 0: there is none. */
    readonly pausedUntil: number;
    readonly now: number;
    readonly thinking: boolean;
    readonly server: ServerStatus | undefined;
    /** The phase of `sidecar/status`, which tells a missing model from a broken engine. */
    readonly phase: string;
    readonly model: string;
    readonly stats: Stats | undefined;
    /** Why nothing runs at all, if so. */
    readonly failure: string;
}

export interface View {
    readonly state: State;
    /** With an icon, for the status bar. */
    readonly text: string;
    /** One sentence. */
    readonly detail: string;
    readonly tooltip: readonly string[];
    readonly severity: "information" | "warning" | "error";
    readonly busy: boolean;
    /** What a click does. */
    readonly command: string;
}

/** Characters of a status bar that may be taken to say what is the matter. */
const MOST_TEXT = 40;

const ICONS: Record<State, string> = {
    setup: "$(cloud-download)",
    starting: "$(loading~spin)",
    ready: "$(sparkle)",
    thinking: "$(loading~spin)",
    "no-model": "$(cloud-download)",
    paused: "$(debug-pause)",
    off: "$(circle-slash)",
    error: "$(error)",
};

export function view(facts: Facts): View {
    const state = stateOf(facts);
    const detail = detailOf(state, facts);
    const needsUser = state === "setup" || state === "no-model";
    return {
        state,
        // Why nothing comes is worth room; that all is well is not.
        text: `${ICONS[state]} sidecar${state === "starting" || state === "error" ? `: ${short(detail)}` : ""}`,
        detail,
        tooltip: [`sidecar: ${detail}`, ...numbers(facts)],
        severity: state === "error" ? "error" : needsUser ? "warning" : "information",
        busy: state === "starting" || state === "thinking",
        command: state === "setup" ? "sidecar.setUp" : state === "no-model" ? "sidecar.selectModel" : "sidecar.showMenu",
    };
}

function stateOf(facts: Facts): State {
    if (facts.failure !== "") {
        return "error";
    }
    if (!facts.installed) {
        return "setup";
    }
    if (facts.pausedUntil > facts.now) {
        return "paused";
    }
    if (!facts.enabled) {
        return "off";
    }
    const server = facts.server;
    if (server === undefined) {
        return "starting";
    }
    if (server.kind === "Error") {
        return facts.phase === "no-model" ? "no-model" : "error";
    }
    if (server.busy) {
        return "starting";
    }
    return facts.thinking ? "thinking" : "ready";
}

function detailOf(state: State, facts: Facts): string {
    const said = facts.server?.message ?? "";
    switch (state) {
        case "setup":
            return "not installed yet";
        case "paused":
            return `paused for ${minutes(facts.pausedUntil - facts.now)}`;
        case "off":
            return "suggestions are switched off here";
        case "thinking":
            return "thinking";
        case "no-model":
            return said || "no model is installed";
        case "error":
            return facts.failure || said || "the engine has stopped";
        case "starting":
            return said || "starting";
        case "ready":
            return said || "ready";
    }
}

function numbers({ model, stats }: Facts): string[] {
    const lines = model === "" ? [] : [`Model: ${model}`];
    if (stats !== undefined) {
        const { evaluated = 0, reused = 0, generated = 0, first_token_ms: first, total_ms: total } = stats;
        lines.push(`Last request: ${evaluated} tokens evaluated, ${reused} reused`);
        if (generated > 1 && total !== undefined && first !== undefined && total > first) {
            const speed = ((generated - 1) / (total - first)) * 1000;
            lines.push(`Speed: ${speed.toFixed(speed < 10 ? 1 : 0)} tokens per second`);
        }
        if (first !== undefined) {
            lines.push(`First token after ${Math.round(first)} ms`);
        }
    }
    return lines;
}

/** Return what has room in a status bar; the tooltip has all of it. */
function short(detail: string): string {
    const [sentence = ""] = detail.split(/[;\n]/, 1);
    return sentence.length > MOST_TEXT ? `${sentence.slice(0, MOST_TEXT - 1).trimEnd()}…` : sentence;
}

function minutes(ms: number): string {
    const count = Math.max(1, Math.ceil(ms / 60_000));
    return count === 1 ? "a minute" : `${count} minutes`;
}
