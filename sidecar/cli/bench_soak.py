"""`sidecar bench soak`: hours of editing with servers killed, and what was lost on the way.

May import `bench`, and `arguments`, `bench_model`, `bench_report` and `output` of this package.
"""

from __future__ import annotations

import asyncio
import random
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sidecar.cli.arguments import count, duration, whole
from sidecar.cli.bench_model import model_settings
from sidecar.cli.output import emit_json
from sidecar.errors import SidecarError

if TYPE_CHECKING:
    import argparse
    from collections.abc import Mapping, Sequence

__all__ = ["EXAMPLE", "configure", "run"]

EXAMPLE = "sidecar bench soak src --duration 30m --json"

_ABOUT = """
Types, takes back, accepts and saves in a copy of the folder, as people do, through a real
`sidecar --stdio` with the usual settings. At the beginning the engine and the front are killed and
started again, time after time. Compares memory at the end with that of the same processes
half-way, and how long keys take in the last quarter with the second, in which the same is typed.

exit code 1, and `found` in the JSON: memory that grew by more than 3 % or keys that became slower
by more than 15 % (both only in runs of 10 minutes or more), lanes that hold something else than
they say, work that never ends, files that stay open, processes that stay or end by themselves.
"""


def configure(parser: argparse.ArgumentParser) -> None:
    """Add the arguments."""
    parser.description = f"{parser.description}\n{_ABOUT}"
    parser.add_argument("path", type=Path, metavar="PATH", help="a folder of source code")
    parser.add_argument(
        "--duration",
        type=duration,
        default=1800.0,
        metavar="TIME",
        help="how long, as 90s, 30m or 8h (default: 30m)",
    )
    parser.add_argument(
        "--files",
        type=count,
        metavar="N",
        default=20,
        help="files to work in (default: %(default)s)",
    )
    parser.add_argument(
        "--seed",
        type=whole,
        metavar="N",
        default=5,
        help="which files and lines (default: %(default)s)",
    )


def run(args: argparse.Namespace) -> int:
    """Work, and print what came out.

    Raises:
        SidecarError: Something was lost.
    """
    from sidecar.bench.footprint import kind_of_memory
    from sidecar.bench.isolation import own_cache
    from sidecar.bench.probes import copy_tree
    from sidecar.bench.routine import sources
    from sidecar.bench.soak import SoakPlan, run_soak
    from sidecar.bench.soak_account import summarize
    from sidecar.cli.bench_report import BenchProgress
    from sidecar.models.store import default_store

    # Before anything is copied: there may be nothing to work in.
    sources(args.path, 1, random.Random(args.seed))
    with (
        tempfile.TemporaryDirectory(prefix="sidecar-soak-", ignore_cleanup_errors=True) as folder,
        own_cache(default_store().root),
        BenchProgress("working, seconds") as shown,
    ):
        root = Path(folder).resolve() / "work"
        copy_tree(args.path, root)
        files = sources(root, args.files, random.Random(args.seed))
        plan = SoakPlan(root, files, args.duration, args.seed, model_settings(args.model))
        course = asyncio.run(run_soak(plan, shown.at))
    summary = {"files": len(files), **summarize(course, kind_of_memory())}
    if args.json:
        emit_json(summary)
    else:
        _print(summary)
    if summary["found"]:
        raise SidecarError(
            f"the run found that {', '.join(summary['found'])}",
            "run it again with --json for all numbers, and report them",
        )
    return 0


def _print(summary: Mapping[str, Any]) -> None:
    from sidecar.cli.bench_report import print_rows

    memory = summary["memory"].upper()
    rows = [
        [name, *map(_number, both), *map(_number, summary["private_mb"].get(name, (None, None)))]
        for name, both in summary["pss_mb"].items()
    ]
    print_rows(["", f"{memory}, MB", "at the end", "of no file, MB", "at the end"], rows)
    print_rows(
        ["", "keys", "visible p50, ms", "p95", "p50 to one token", "p95 to one token"],
        [
            [name.replace("_", " "), str(told["n"]), *_visible(told)]
            for name, told in summary["quarters"].items()
        ],
    )
    lanes = summary["lanes"]
    late = [one["recovery_s"] for one in summary["disturbances"] if one["recovery_s"] is not None]
    pairs = [
        ("worked for", f"{summary['seconds']:,.0f} s in {summary['files']} files"),
        ("requests", f"{summary['requests']:,}"),
        ("kills and restarts", str(summary["restarts"])),
        ("slowest to suggest again", _number(max(late, default=None), " s")),
        ("lanes lost", f"{lanes['lost']} of {lanes['all']}"),
        ("most cells in use", f"{lanes['most_cells']:,} of {lanes['cells']:,}"),
        *((f"{what} not judged", why) for what, why in summary["not_judged"].items()),
    ]
    print_rows(["", ""], pairs)


def _visible(told: Mapping[str, Any]) -> Sequence[str]:
    group = told["visible_ms"] or {}
    return [_number(value) for value in (group.get("p50"), group.get("p95"), *_ratios(told))]


def _ratios(told: Mapping[str, Any]) -> tuple[float | None, float | None]:
    return told["p50"], told["p95"]


def _number(value: float | None, unit: str = "") -> str:
    return "-" if value is None else f"{value:,.2f}{unit}"
