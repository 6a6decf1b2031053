"""`sidecar bench context`: how large prompts are, how fast they are made, and how much stays.

May import `bench`, and `arguments`, `bench_report` and `output` of this package.
"""

from __future__ import annotations

import asyncio
import tempfile
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sidecar.cli.arguments import count, limits_of, whole
from sidecar.cli.output import emit_json
from sidecar.errors import UsageError
from sidecar.settings import Settings

if TYPE_CHECKING:
    import argparse

__all__ = ["EXAMPLE", "configure", "run"]

EXAMPLE = "sidecar bench context src --files 12 --json"


def configure(parser: argparse.ArgumentParser) -> None:
    """Add the arguments."""
    parser.add_argument("path", type=Path, metavar="PATH", help="a project")
    parser.add_argument(
        "--files",
        type=count,
        metavar="N",
        default=12,
        help="files to move about in, each with a visit to another (default: %(default)s)",
    )
    parser.add_argument(
        "--moves",
        type=count,
        metavar="N",
        default=12,
        help="moves within each (default: %(default)s)",
    )
    parser.add_argument(
        "--edits",
        type=count,
        metavar="N",
        default=4,
        help="moves within each behind a line that is typed (default: %(default)s)",
    )
    parser.add_argument(
        "--seed",
        type=whole,
        metavar="N",
        default=3,
        help="which files and places (default: %(default)s)",
    )
    # 0 leaves the choice to a model's speed, and no model runs here.
    head_tokens = replace(limits_of("context", "headTokens"), least=1)
    parser.add_argument(
        "--head-tokens",
        type=head_tokens,
        metavar="N",
        default=1024,
        help=f"most tokens of what stands before the window, {head_tokens} (default: %(default)s)",
    )
    parser.add_argument(
        "--sources",
        nargs="+",
        metavar="SOURCE",
        help=f"sources of context (default: {' '.join(Settings().context.sources)})",
    )


def run(args: argparse.Namespace) -> int:
    """Measure, and print what came out."""
    from sidecar.bench.context_walk import WalkPlan, summarize, walk
    from sidecar.bench.quality_prompts import SOURCES
    from sidecar.bench.quality_tasks import indexed
    from sidecar.cli.bench_report import BenchProgress, print_context
    from sidecar.settings import load

    if not args.path.is_dir():
        raise UsageError(f"{args.path} is not a folder", "name the folder of a project")
    context: dict[str, Any] = {"headTokens": args.head_tokens}
    if args.sources is not None:
        if unknown := sorted(set(args.sources) - set(SOURCES)):
            raise UsageError(
                f"there is no source of context named {unknown[0]!r}",
                f"name some of {', '.join(SOURCES)}",
            )
        context["sources"] = args.sources
    settings, _ = load({"context": context})
    plan = WalkPlan(args.files, args.moves, args.seed, args.edits)
    with (
        tempfile.TemporaryDirectory(prefix="sidecar-bench-") as cache,
        indexed(args.path, Path(cache)) as tree,
        BenchProgress("contexts, moves") as shown,
    ):
        moves = asyncio.run(walk(tree, plan, settings, shown.at))
    summary = summarize(moves)
    if args.json:
        emit_json(summary)
    else:
        print_context(summary)
    return 0
