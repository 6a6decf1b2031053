"""`sidecar bench infilling`: how often the rest of lines is guessed, by prompt layout.

May import `bench`, and `arguments`, `bench_model`, `bench_report` and `output` of this package.
"""

from __future__ import annotations

import argparse
import asyncio
from pathlib import Path
from typing import TYPE_CHECKING

from sidecar.cli.arguments import add_tasks, count
from sidecar.cli.bench_model import model_settings
from sidecar.cli.output import emit_json, note
from sidecar.errors import SidecarError

if TYPE_CHECKING:
    from sidecar.bench.infilling import Outcomes, Variant
    from sidecar.bench.tasks import Task

__all__ = ["EXAMPLE", "configure", "run"]

EXAMPLE = "sidecar bench infilling src --limit 100 --seed 3 --resume run.jsonl"


def configure(parser: argparse.ArgumentParser) -> None:
    """Add the arguments."""
    parser.add_argument(
        "data", type=Path, metavar="DATA", help="HumanEval infilling as JSONL, or a folder of code"
    )
    add_tasks(parser, 100)
    parser.add_argument(
        "--layout",
        action="append",
        choices=("plain", "anchored"),
        help="only this layout; may be given twice (default: both)",
    )
    parser.add_argument(
        "--heal",
        action=argparse.BooleanOptionalAction,
        default=None,
        help="only with, or only without healing (default: both)",
    )
    parser.add_argument(
        "--pair",
        action="store_true",
        help="only the two whose difference is reported: anchored and healed against plain and "
        "not healed; half the time",
    )
    parser.add_argument(
        "--resume",
        type=Path,
        metavar="FILE",
        help="keep results in this file as they come, and go on with what it holds",
    )
    parser.add_argument(
        "--lines",
        type=count,
        metavar="N",
        default=1,
        help="lines that are missing; with more than one it is told how often generation ends "
        "with the right one (default: %(default)s)",
    )


def run(args: argparse.Namespace) -> int:
    """Measure, and print what came out."""
    from sidecar.bench.infilling import VARIANTS, summarize
    from sidecar.bench.tasks import load_tasks
    from sidecar.cli.bench_report import print_infilling

    tasks = load_tasks(args.data, limit=args.limit, seed=args.seed, lines=args.lines)
    if len(tasks) < args.limit:
        note(f"{args.data} holds {len(tasks)} tasks")
    variants = [
        variant
        for variant in VARIANTS
        if (not args.layout or variant.layout in args.layout)
        and args.heal in (None, variant.heal)
        and (not args.pair or variant in (VARIANTS[0], VARIANTS[-1]))
    ]
    try:
        outcomes = asyncio.run(_measure(args, tasks, variants))
    except KeyboardInterrupt:
        if args.resume is None:
            raise
        raise SidecarError(
            "the benchmark was stopped", f"run it again: {args.resume} holds what was done"
        ) from None
    summary = summarize(outcomes, variants, args.seed)
    if args.json:
        emit_json(summary)
    else:
        print_infilling(summary)
    return 0


async def _measure(
    args: argparse.Namespace, tasks: list[Task], variants: list[Variant]
) -> Outcomes:
    from sidecar.bench.infilling import Placement, measure
    from sidecar.bench.journal import Journal
    from sidecar.cli.bench_report import BenchProgress
    from sidecar.completion.planning import list_devices, plan_engine
    from sidecar.engine.client import EngineClient
    from sidecar.settings import load

    chosen = model_settings(args.model)
    # Nobody waits for a single answer here, so large chunks save reading the weights again.
    chosen["engine"]["chunkMs"] = 1000
    settings, _ = load(chosen)
    engine = plan_engine(settings, await list_devices(settings))
    journal = None
    if args.resume is not None:
        about = {
            "benchmark": "infilling",
            "data": args.data.name,
            "seed": args.seed,
            # Journals of holes of one line say nothing of it.
            **({"lines": args.lines} if args.lines > 1 else {}),
            "model": engine.model.identity,
        }
        journal = Journal(args.resume, about)
    entry = engine.model.entry
    placement = Placement(use_body=entry is None or entry.anchor == "body")
    client = EngineClient(engine.spec, check=engine.check)
    await client.start()
    try:
        await client.ready()
        with BenchProgress("infilling, tasks") as shown:
            return await measure(client, tasks, variants, placement, journal, shown.at)
    finally:
        await client.close()
