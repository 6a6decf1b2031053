// Measures from a key to ghost text that one sees, over 50 keys in a real VS Code, and what of it is the
// extension's. `scripts/test-vscode --latency` runs it; the machine should have nothing else to do.

import { Editor, sleep } from "./editor.mjs";

const KEYS = Number(process.env.KEYS ?? 50);

const ACCOUNTS = `class Account:
    def __init__(self, owner: str, balance: float = 0.0) -> None:
        self.owner = owner
        self.balance = balance
        self.history: list[float] = []

    def deposit(self, amount: float) -> None:
        if amount <= 0:
            raise ValueError("amount must be positive")
        self.balance += amount
        self.history.append(amount)


`;

/** What is typed: ordinary code, so that most keys are answered. */
const TYPED = [
    "    def withdraw(self, amount: float) -> None:",
    "if amount <= 0:",
    "raise ValueError(",
];

const editor = await Editor.start({
    files: { "accounts.py": ACCOUNTS },
    settings: {
        "editor.autoClosingBrackets": "never",
        "editor.quickSuggestions": { other: "off" },
        "editor.suggestOnTriggerCharacters": false,
        "editor.parameterHints.enabled": false,
    },
});
try {
    await editor.status(/ready/);
    await editor.logLevel("Debug");
    await editor.open("accounts.py", 13);
    const times = [];
    let keys = 0;
    for (const line of TYPED) {
        for (const key of line) {
            if (times.length === KEYS) {
                break;
            }
            keys += 1;
            const ms = await editor.keyToGhost(key);
            if (ms !== undefined) {
                times.push(ms);
            }
            await sleep(250);
        }
        await editor.press("Escape", "Enter");
        await sleep(500);
    }
    const answers = [...editor.log().matchAll(/An answer: ([\d.]+) ms here, ([\d.]+) ms of the server/g)];
    const report = {
        keys,
        "key to ghost text": ofAll(times),
        "extension itself": ofAll(answers.map((found) => Number(found[1]))),
        server: ofAll(answers.map((found) => Number(found[2]))),
    };
    console.log(JSON.stringify(report, undefined, 2));
    if (times.length < KEYS / 2) {
        console.error("scripts/test-vscode --latency: too few keys were answered");
        process.exitCode = 1;
    }
} finally {
    await editor.stop();
}

function ofAll(values) {
    const sorted = [...values].sort((a, b) => a - b);
    const at = (share) => Number((sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? NaN).toFixed(1));
    return { count: sorted.length, p50: at(0.5), p95: at(0.95) };
}
