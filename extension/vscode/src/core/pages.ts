/**
 * The pages that are shown beside the code: the context card and the statistics. Everything that comes
 * from a file's name or the server is escaped. It must never know VS Code.
 */

import type { Stats } from "./status";

export interface Part {
    readonly part: string;
    readonly source: string;
    readonly path: string;
    readonly reason: string;
    readonly tokens: number;
    readonly score?: number | null;
    readonly reused?: boolean | null;
}

export interface Left {
    readonly source: string;
    readonly path: string;
    readonly reason: string;
    readonly tokens: number;
}

export interface Card {
    readonly parts: readonly Part[];
    readonly dropped?: readonly Left[];
    readonly notes?: readonly string[];
    readonly unchanged_tokens?: number;
    readonly stats?: Stats | null;
}

const STYLE = `
body { font: var(--vscode-font-size) var(--vscode-font-family); padding: 0 1.5em 2em; max-width: 60em; }
h1 { font-size: 1.3em; font-weight: 600; margin-bottom: .2em; }
.bar { display: flex; height: 1.6em; margin: 1em 0; gap: 2px; }
.bar span { min-width: 3px; border-radius: 2px; }
.c0 { background: var(--vscode-charts-blue); } .c1 { background: var(--vscode-charts-green); }
.c2 { background: var(--vscode-charts-orange); } .c3 { background: var(--vscode-charts-purple); }
.c4 { background: var(--vscode-charts-yellow); } .c5 { background: var(--vscode-charts-red); }
.dot { display: inline-block; width: .8em; height: .8em; border-radius: 2px; margin-right: .5em; }
details { border-bottom: 1px solid var(--vscode-widget-border, #8884); padding: .45em 0; }
summary { cursor: pointer; } summary b { font-weight: 600; } .n { float: right; opacity: .8; }
details p { margin: .4em 0 .2em 1.4em; } .quiet { opacity: .75; }
button.link { all: unset; color: var(--vscode-textLink-foreground); cursor: pointer; }
button.link:focus-visible { outline: 1px solid var(--vscode-focusBorder); }
table { border-collapse: collapse; width: 100%; } td, th { text-align: left; padding: .25em .8em .25em 0; }
td.num, th.num { text-align: right; font-variant-numeric: tabular-nums; }
`;

const SCRIPT = `
const vscode = acquireVsCodeApi();
document.addEventListener("click", (event) => {
    const button = event.target.closest("button[data-path]");
    if (button) { vscode.postMessage({ open: button.dataset.path }); }
});
`;

/** Colours stand for where a part comes from, the same one each time. */
const COLOURS: Record<string, number> = { repo: 0, outline: 3, prefix: 1, suffix: 2, typed: 4 };

/**
 * Return the page of a context card.
 *
 * @param card What the server says.
 * @param nonce What our script is known by.
 * @param shown Returns how a path is written for people.
 */
export function cardPage(card: Card, nonce: string, shown: (path: string) => string): string {
    const all = card.parts.reduce((sum, part) => sum + part.tokens, 0);
    const shares = card.parts
        .filter((part) => part.tokens > 0)
        .map(
            (part) =>
                `<span class="${colour(part)}" style="flex:${part.tokens}" title="${escape(`${name(part)}: ${part.tokens} tokens`)}"></span>`,
        );
    const parts = card.parts.map((part) => {
        const score = typeof part.score === "number" ? `, score ${part.score.toFixed(2)}` : "";
        return `<details><summary><span class="dot ${colour(part)}"></span><b>${escape(name(part))}</b>
<span class="n">${part.tokens} tokens${state(part.reused)}</span></summary>
<p>${link(part.path, shown)}</p><p class="quiet">${escape(part.reason)}${score}</p></details>`;
    });
    const dropped = (card.dropped ?? []).map(
        (left) => `<details><summary>${escape(left.source)} <span class="n">${left.tokens} tokens</span></summary>
<p>${link(left.path, shown)}</p><p class="quiet">${escape(left.reason)}</p></details>`,
    );
    const notes = (card.notes ?? []).map((note) => `<p class="quiet">${escape(note)}</p>`);
    const body = `<h1>What the model was shown</h1>
<p class="quiet">${all} tokens${reused(card, all)}. Nothing here leaves your machine.</p>
<div class="bar" role="img" aria-label="Tokens of each part">${shares.join("")}</div>
${parts.join("\n")}
${dropped.length > 0 ? `<h1>Left out</h1>${dropped.join("\n")}` : ""}
${notes.join("\n")}`;
    return page("sidecar: context card", body, nonce);
}

export interface Summary {
    readonly counters?: Readonly<Record<string, number>>;
    readonly histograms?: Readonly<Record<string, Readonly<Record<string, number>>>>;
    readonly rates?: Readonly<Record<string, unknown>>;
}

/** Return the page of statistics: rates first, for that is what one asks for. */
export function statsPage(summary: Summary, nonce: string): string {
    const rates = Object.entries(summary.rates ?? {})
        .filter((entry): entry is [string, number] => typeof entry[1] === "number")
        .map(([key, value]) => row(words(key), [`${(100 * value).toFixed(0)} %`]));
    const times = Object.entries(summary.histograms ?? {}).map(([key, group]) =>
        row(words(key), ["p50", "p90", "p95"].map((p) => (group[p] ?? 0).toFixed(1))),
    );
    const counts = Object.entries(summary.counters ?? {})
        .sort(([a], [b]) => a.localeCompare(b))
        .map(([key, value]) => row(words(key), [String(value)]));
    const body = `<h1>Statistics of this session</h1>
<p class="quiet">Counted on this machine and forgotten when the window closes.</p>
${table(["hit rate", "share"], rates)}
${table(["time or size", "p50", "p90", "p95"], times)}
${table(["counter", "number"], counts)}`;
    return page("sidecar: statistics", body, nonce);
}

export function escape(text: string): string {
    return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}

function page(title: string, body: string, nonce: string): string {
    return `<!DOCTYPE html>
<html lang="en"><head><meta charset="utf-8"><title>${escape(title)}</title>
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; script-src 'nonce-${nonce}'">
<style>${STYLE}</style></head><body>${body}<script nonce="${nonce}">${SCRIPT}</script></body></html>`;
}

function name(part: Part): string {
    return part.part === part.source ? part.part : `${part.part}: ${part.source}`;
}

function colour(part: Part): string {
    return `c${COLOURS[part.part] ?? 5}`;
}

function state(isReused: boolean | null | undefined): string {
    return typeof isReused === "boolean" ? (isReused ? ", reused" : ", evaluated") : "";
}

function reused(card: Card, all: number): string {
    const count = card.stats?.reused ?? card.unchanged_tokens;
    if (count === undefined) {
        return "";
    }
    // The model's own marks between the parts are reused as well, and are no part.
    return count >= all ? ", all of them read before" : `, ${count} of them read before`;
}

function link(path: string, shown: (path: string) => string): string {
    return path === "" ? "" : `<button class="link" data-path="${escape(path)}">${escape(shown(path))}</button>`;
}

function words(key: string): string {
    return key.replace(/[._]/g, " ");
}

function row(title: string, cells: readonly string[]): string {
    return `<tr><td>${escape(title)}</td>${cells.map((cell) => `<td class="num">${escape(cell)}</td>`).join("")}</tr>`;
}

function table(head: readonly string[], rows: readonly string[]): string {
    if (rows.length === 0) {
        return "";
    }
    const cells = head.map((cell, index) => `<th class="${index === 0 ? "" : "num"}">${escape(cell)}</th>`);
    return `<table><tr>${cells.join("")}</tr>${rows.join("")}</table>`;
}
