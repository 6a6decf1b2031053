"""`sidecar bench fronts`: how long one waits in an editor while another one uses the same engine.

May import `bench`, and `arguments`, `bench_model`, `bench_report` and `output` of this package.
"""

from __future__ import annotations

import asyncio
import random
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sidecar.cli.arguments import count, duration, limits_of, whole
from sidecar.cli.bench_model import model_settings
from sidecar.cli.output import emit_json

if TYPE_CHECKING:
    import argparse
    from collections.abc import Mapping

__all__ = ["EXAMPLE", "configure", "run"]

EXAMPLE = "sidecar bench fronts src --lines 24 --json"

_ABOUT = """
Types lines through one `sidecar --stdio`; then other lines, while a second one types as well and
has a long prompt evaluated in the background, in the engine that both share. Both type on until
that prompt is done. Reports what becomes visible when, alone and together, their ratios, and
whether the long prompt was finished.
"""


def configure(parser: argparse.ArgumentParser) -> None:
    """Add the arguments."""
    parser.description = f"{parser.description}\n{_ABOUT}"
    parser.add_argument("path", type=Path, metavar="PATH", help="a folder of source code")
    parser.add_argument(
        "--lines",
        type=count,
        metavar="N",
        default=24,
        help="lines to type in each editor, at least (default: %(default)s)",
    )
    parser.add_argument(
        "--keys",
        type=count,
        metavar="N",
        default=10,
        help="characters to type of each (default: %(default)s)",
    )
    parser.add_argument(
        "--files",
        type=count,
        metavar="N",
        default=12,
        help="files to type in (default: %(default)s)",
    )
    tokens = limits_of("context", "beforeTokens")
    parser.add_argument(
        "--tokens",
        type=tokens,
        metavar="N",
        default=4000,
        help=f"tokens of the long prompt, about; {tokens} (default: %(default)s)",
    )
    parser.add_argument(
        "--patience",
        type=duration,
        default=600.0,
        metavar="TIME",
        help="how long the long prompt is waited for (default: 10m)",
    )
    parser.add_argument(
        "--seed",
        type=whole,
        metavar="N",
        default=5,
        help="which files and lines (default: %(default)s)",
    )


def run(args: argparse.Namespace) -> int:
    """Type, and print what came out."""
    from sidecar.bench.fronts import FrontsPlan, run_fronts, summarize
    from sidecar.bench.isolation import own_cache
    from sidecar.bench.routine import sources
    from sidecar.cli.bench_report import BenchProgress
    from sidecar.models.store import default_store

    plan = FrontsPlan(
        root=args.path.resolve(),
        files=sources(args.path, args.files, random.Random(args.seed)),
        lines=args.lines,
        keys=args.keys,
        seed=args.seed,
        tokens=args.tokens,
        patience=args.patience,
        settings=model_settings(args.model),
    )
    with own_cache(default_store().root), BenchProgress("typing, lines") as shown:
        summary = summarize(asyncio.run(run_fronts(plan, shown.at)))
    if args.json:
        emit_json(summary)
    else:
        _print(summary)
    return 0


def _print(summary: Mapping[str, Any]) -> None:
    from sidecar.cli.bench_report import print_rows

    rows = []
    for who in ("alone", "together", "first", "second"):
        told = summary[who]
        title = {"first": "of these the first", "second": "of these the second"}.get(who, who)
        for measure in ("visible_ms", "first_key_visible_ms", "whole_ms", "queue_ms"):
            group = told[measure] or {}
            numbers = [_number(group.get(name)) for name in ("p50", "p90", "p95")]
            rows.append([title, str(told["n"]) if title else "", measure, *numbers])
            title = ""
    print_rows(["", "keys", "", "p50", "p90", "p95"], rows)
    warming = summary["warming"]
    print_rows(
        ["", ""],
        [
            ("one token", _number(summary["one_token_ms"], " ms")),
            ("visible p50 together to alone", _number(summary["ratios"]["p50"])),
            ("visible p95 together to alone", _number(summary["ratios"]["p95"])),
            (
                "the long prompt",
                f"{warming['ended'].replace('_', ' ') or 'not finished'} after "
                f"{warming['seconds']:.0f} s, {warming['tokens']:,} tokens evaluated",
            ),
            ("of it held in the end", f"{100 * warming['held']:.0f} %"),
        ],
    )


def _number(value: float | None, unit: str = "") -> str:
    return "-" if value is None else f"{value:,.2f}{unit}"
