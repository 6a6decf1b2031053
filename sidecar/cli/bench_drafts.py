"""`sidecar bench drafts`: what drafts save, and that they change nothing of what is said.

May import `bench`, and `arguments`, `bench_model`, `bench_report` and `output` of this package.
"""

from __future__ import annotations

import asyncio
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sidecar.cli.arguments import MODEL, count, model_choice, whole
from sidecar.cli.bench_model import model_settings
from sidecar.cli.output import emit, emit_json, note, printable
from sidecar.errors import UsageError

if TYPE_CHECKING:
    import argparse
    from collections.abc import Mapping

    from sidecar.bench.drafts import Pair
    from sidecar.bench.tasks import Task

__all__ = ["EXAMPLE", "configure", "run"]

EXAMPLE = "sidecar bench drafts src --limit 300 --json"


def configure(parser: argparse.ArgumentParser) -> None:
    """Add the arguments."""
    parser.add_argument("path", type=Path, metavar="PATH", help="code: a folder, or a file")
    parser.add_argument(
        "--limit",
        type=count,
        metavar="N",
        default=300,
        help="tasks, half of them repetitive if there are so many: where most of what is missing "
        "follows the same three words above (default: %(default)s)",
    )
    parser.add_argument(
        "--draft-model",
        type=model_choice,
        metavar=MODEL,
        help="have this smaller model of the same vocabulary draft as well",
    )
    parser.add_argument(
        "--seed", type=whole, metavar="N", default=3, help="which places (default: %(default)s)"
    )


def run(args: argparse.Namespace) -> int:
    """Measure, and print what came out."""
    from sidecar.bench.drafts import choose_tasks, summarize

    if not args.path.exists():
        raise UsageError(f"{args.path} does not exist", "name a folder of code, or a file")
    tasks = choose_tasks(args.path, limit=args.limit, seed=args.seed)
    if len(tasks) < args.limit:
        note(f"{args.path} holds {len(tasks)} tasks")
    summary = summarize(asyncio.run(_measure(args, tasks)), args.seed)
    if args.json:
        emit_json(summary)
    else:
        _print(summary)
    return 0


async def _measure(args: argparse.Namespace, tasks: list[Task]) -> list[Pair]:
    from sidecar.bench.drafts import measure
    from sidecar.bench.infilling import Placement
    from sidecar.cli.bench_report import BenchProgress
    from sidecar.completion.planning import list_devices, plan_engine
    from sidecar.engine.client import EngineClient
    from sidecar.settings import load

    chosen = model_settings(args.model)
    # How a prompt is cut into chunks changes how it is rounded: never by how busy the machine is.
    chosen["engine"]["chunkMs"] = 5000
    chosen["engine"]["draftModel"] = args.draft_model or ""
    settings, _ = load(chosen)
    engine = plan_engine(settings, await list_devices(settings))
    if engine.draft.problem is not None:
        raise engine.draft.problem
    entry = engine.model.entry
    placement = Placement(use_body=entry is None or entry.anchor == "body")
    client = EngineClient(replace(engine.spec, lanes=1), check=engine.check)
    await client.start()
    try:
        await client.ready()
        with BenchProgress("drafts, tasks") as shown:
            return await measure(client, tasks, placement, shown.at)
    finally:
        await client.close()


def _print(summary: Mapping[str, Any]) -> None:
    row = "{:<12}{:>7}{:>16}{:>18}{:>10}{:>11}{:>9}{:>10}"
    emit(
        row.format(
            "", "tasks", "time, on / off", "95 %", "plain ms", "drafts ms", "tokens", "accepted"
        )
    )
    for kind in ("repetitive", "rest"):
        group = summary[kind]
        low, high = group["ci95"]
        emit(
            row.format(
                kind,
                group["n"],
                f"{group['time_ratio']:.3f}",
                f"{low:.3f} to {high:.3f}",
                f"{group['plain_ms']['p50']:.1f}",
                f"{group['drafts_ms']['p50']:.1f}",
                f"{group['tokens']:.1f}",
                f"{group['accepted']}/{group['drafted']}",
            )
        )
    differ = summary["differ"]
    emit(f"said something else: {len(differ)} of {summary['n']}")
    for one in differ:
        gap = "no two logits decided" if one["gap"] is None else f"logits {one['gap']:.3f} apart"
        emit(f"  {printable(one['task'])}, token {one['token'] + 1}, {gap}")
