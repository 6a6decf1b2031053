// Looks into the extension host of an editor, through Node's inspector: its heap, and the timers that
// our extension has set since.

import assert from "node:assert/strict";
import { readFileSync, readdirSync } from "node:fs";
import { until } from "./editor.mjs";

/** Where Node listens for a debugger once it is signalled. */
const INSPECTOR = "http://127.0.0.1:9229/json/list";

/** Counts what code of our extension sets from now on; runs inside of the extension host. */
const COUNT = `(() => {
    if (globalThis.sidecarTimers) return;
    const seen = (globalThis.sidecarTimers = { fires: 0, live: new Set() });
    const ours = () => /sidecar\\.sidecar-/.test(new Error().stack);
    for (const [set, clear, again] of [["setTimeout", "clearTimeout", false], ["setInterval", "clearInterval", true]]) {
        const [realSet, realClear] = [globalThis[set], globalThis[clear]];
        globalThis[set] = Object.assign((run, ms, ...more) => {
            if (!ours()) return realSet(run, ms, ...more);
            const timer = realSet(() => {
                seen.fires += 1;
                if (!again) seen.live.delete(timer);
                run(...more);
            }, ms);
            seen.live.add(timer);
            return timer;
        }, realSet);
        globalThis[clear] = (timer) => {
            seen.live.delete(timer);
            realClear(timer);
        };
    }
})()`;

export class ExtensionHost {
    /** Open the inspector of an editor's extension host. */
    static async attach(editor) {
        const pid = readdirSync("/proc").find((name) => /^\d+$/.test(name) && isHost(name, editor.root));
        assert.ok(pid !== undefined, "there is no extension host");
        process.kill(Number(pid), "SIGUSR1");
        const [target] = await until(
            () => fetch(INSPECTOR).then((answer) => answer.json(), () => []),
            (targets) => targets.length > 0,
            "an inspector",
        );
        const host = new ExtensionHost();
        host.socket = new WebSocket(target.webSocketDebuggerUrl);
        await new Promise((resolve, reject) => {
            host.socket.onopen = resolve;
            host.socket.onerror = reject;
        });
        host.calls = new Map();
        host.socket.onmessage = ({ data }) => {
            const { id, result } = JSON.parse(data);
            host.calls.get(id)?.(result);
            host.calls.delete(id);
        };
        assert.equal(await host.run("process.pid"), Number(pid), "another process is being debugged");
        await host.run(COUNT);
        return host;
    }

    /** What it holds, after a collection. */
    async taken() {
        await this.call("HeapProfiler.collectGarbage");
        return this.run(`({
            heapMb: Number((process.memoryUsage().heapUsed / 1e6).toFixed(1)),
            timers: sidecarTimers.live.size,
            fires: sidecarTimers.fires,
        })`);
    }

    close() {
        this.socket.close();
    }

    async run(expression) {
        const { result, exceptionDetails } = await this.call("Runtime.evaluate", { expression, returnByValue: true });
        assert.equal(exceptionDetails, undefined, JSON.stringify(exceptionDetails));
        return result.value;
    }

    call(method, params = {}) {
        const id = (this.last = (this.last ?? 0) + 1);
        return new Promise((resolve) => {
            this.calls.set(id, resolve);
            this.socket.send(JSON.stringify({ id, method, params }));
        });
    }
}

function isHost(pid, root) {
    try {
        return (
            readFileSync(`/proc/${pid}/cmdline`, "utf8").includes("--type=extensionHost") &&
            readFileSync(`/proc/${pid}/environ`, "utf8").includes(`${root}/run`)
        );
    } catch {
        return false;
    }
}
