// Idles with five files open in a real VS Code, then switches sidecar off and on many times: the
// processes must rest and must not grow. `scripts/test-vscode --idle [SECONDS]` runs it; 600 by default.

import { readFileSync, readdirSync } from "node:fs";
import { Editor, sleep } from "./editor.mjs";
import { ExtensionHost } from "./host.mjs";

const SECONDS = Number(process.env.SECONDS_IDLE ?? 600);
const TIMES = Number(process.env.TIMES ?? 50);

/** The heap may grow by so much while nothing happens, and by so much for all the switching. */
const IDLE_GROWTH_MB = 8;
const TOGGLE_GROWTH_MB = 8;

/** Of one core, for everything that is ours: the server, its index, the engine. */
const IDLE_CPU_PERCENT = 2;

const NAMES = ["a.py", "b.py", "c.ts", "d.ts", "e.py"];

const editor = await Editor.start({
    files: Object.fromEntries(NAMES.map((name) => [name, name.endsWith("py") ? "def f(x):\n    return x\n" : "export const f = (x: number) => x;\n"])),
});
const problems = [];
const said = {};
let host;
try {
    await editor.status(/ready/);
    host = await ExtensionHost.attach(editor);
    // What is set up from here on is counted, so the client has to be set up again.
    await editor.command("sidecar: Restart Server and Engine");
    await sleep(5000);
    await editor.status(/ready/);
    for (const name of NAMES) {
        await editor.open(name, 1);
        await editor.page.keyboard.press("Control+k");
        await editor.page.keyboard.press("Enter");
    }
    // What a fresh start still has to do is done first.
    await sleep(10_000);
    const before = await taken();
    await sleep(SECONDS * 1000);
    const after = await taken();
    said.idle = { seconds: SECONDS, before, after, fires: after.fires - before.fires };
    const cpu = (100 * (after.cpu - before.cpu)) / SECONDS;
    said.idle["cpu percent"] = Number(cpu.toFixed(2));
    if (after.fires - before.fires > SECONDS) {
        problems.push(`timers of the extension have fired ${after.fires - before.fires} times in ${SECONDS} s`);
    }
    if (cpu > IDLE_CPU_PERCENT) {
        problems.push(`${cpu.toFixed(1)} % of a core while nothing happens`);
    }
    grown("idle", before, after, IDLE_GROWTH_MB);

    // The first rounds load what is loaded late.
    await toggled(5);
    const fresh = await taken();
    await toggled(TIMES);
    const later = await taken();
    said.toggling = { times: TIMES, before: fresh, after: later };
    grown(`off and on ${TIMES} times`, fresh, later, TOGGLE_GROWTH_MB);
    for (const kind of ["timers", "processes", "descriptors"]) {
        // One that leaks has one more, or more than one, for each time.
        if (later[kind] - fresh[kind] > TIMES / 10) {
            problems.push(`${kind}: ${fresh[kind]} before switching off and on ${TIMES} times, ${later[kind]} after`);
        }
    }
    console.log(JSON.stringify(said, undefined, 2));
} catch (error) {
    await editor.failed("idle");
    throw error;
} finally {
    host?.close();
    await editor.stop();
}
for (const problem of problems) {
    console.error(`scripts/test-vscode --idle: ${problem}`);
}
process.exitCode = problems.length > 0 ? 1 : 0;

async function toggled(times) {
    for (let count = 0; count < times; count += 1) {
        await editor.command("sidecar: Disable Everywhere");
        await editor.status(/off/);
        await editor.command("sidecar: Enable Everywhere");
        await editor.status(/ready/);
    }
}

/** What the extension host and our processes hold and have used. */
async function taken() {
    const ours = processes();
    const inside = await host.taken();
    let cpu = 0;
    let rss = 0;
    let descriptors = 0;
    for (const pid of ours) {
        const fields = readFileSync(`/proc/${pid}/stat`, "utf8").replace(/^.*\) /s, "").split(" ");
        cpu += (Number(fields[11]) + Number(fields[12])) / 100;
        rss += (Number(fields[21]) * 4096) / 1_000_000;
        descriptors += readdirSync(`/proc/${pid}/fd`).length;
    }
    return {
        cpu: Number(cpu.toFixed(2)),
        "rss MB": Number(rss.toFixed(1)),
        "heap MB": inside.heapMb,
        timers: inside.timers,
        fires: inside.fires,
        descriptors,
        processes: ours.length,
    };
}

function grown(when, before, after, most) {
    for (const what of ["rss MB", "heap MB"]) {
        if (after[what] - before[what] > most) {
            problems.push(`${when}: ${what} grew from ${before[what]} to ${after[what]}`);
        }
    }
}

/** The server, its index and the engine of this very editor. */
function processes() {
    return readdirSync("/proc")
        .filter((name) => /^\d+$/.test(name))
        .filter((pid) => {
            try {
                const line = readFileSync(`/proc/${pid}/cmdline`, "utf8");
                return /(^|\/)(python[\d.]*|sidecar)$/.test(line.split("\0")[0]) && readFileSync(`/proc/${pid}/environ`, "utf8").includes(`${editor.root}/run`);
            } catch {
                return false;
            }
        });
}
