"""`sidecar bench index`: what the index costs and how fresh it is, on a copy of a folder.

May import `bench`, and `output`, `workspace` and `bench_report` of this package.
"""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import TYPE_CHECKING

from sidecar.cli.arguments import count, whole
from sidecar.cli.output import emit_json, note

if TYPE_CHECKING:
    import argparse

__all__ = ["EXAMPLE", "configure", "run"]

EXAMPLE = "sidecar bench index src --json"


def configure(parser: argparse.ArgumentParser) -> None:
    """Add the arguments."""
    parser.add_argument("path", metavar="PATH", help="a folder of source code")
    parser.add_argument(
        "--rounds",
        type=count,
        metavar="N",
        default=40,
        help="edits of each kind (default: %(default)s)",
    )
    parser.add_argument(
        "--editors",
        type=count,
        metavar="N",
        default=5,
        help="editors that save at once (default: %(default)s)",
    )
    parser.add_argument(
        "--starts",
        type=count,
        metavar="N",
        default=3,
        help="servers that are started with all known, and with nothing (default: %(default)s)",
    )
    parser.add_argument(
        "--seconds",
        type=count,
        metavar="N",
        default=5,
        help="how long look-ups are counted (default: %(default)s)",
    )
    parser.add_argument(
        "--seed",
        type=whole,
        metavar="N",
        default=7,
        help="which names are looked up (default: %(default)s)",
    )


def run(args: argparse.Namespace) -> int:
    """Measure, and print the numbers."""
    from sidecar.bench.index import IndexPlan, run_index
    from sidecar.cli.bench_report import print_index
    from sidecar.cli.workspace import folder

    plan = IndexPlan(
        Path(folder(args.path)),
        rounds=args.rounds,
        editors=args.editors,
        starts=args.starts,
        seconds=args.seconds,
        seed=args.seed,
    )
    summary = asyncio.run(run_index(plan, lambda step: note(f"{step} …")))
    if args.json:
        emit_json(summary)
    else:
        print_index(summary)
    return 0
