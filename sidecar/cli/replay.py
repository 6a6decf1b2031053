"""`sidecar replay`: plays a recorded session to a fresh server, and tells what is different.

May import `bench` and the reader of recordings.
"""

from __future__ import annotations

import asyncio
import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sidecar.cli.arguments import seconds
from sidecar.cli.output import emit, emit_json, note, printable

if TYPE_CHECKING:
    import argparse
    from collections.abc import Mapping

__all__ = ["EXAMPLE", "configure", "run"]

EXAMPLE = """sidecar replay session.jsonl
  sidecar replay session.jsonl --longest-pause 0.2 --json

`sidecar --stdio --record session.jsonl` makes such a file. The files of the workspace should be
what they were then. Left out of the comparison are requests that were cancelled or overtaken by a
newer one, that came before the model was loaded (early), were ended by a time limit (cut) or
answered from a short prompt (short, where the client's initialization options say so), and accounts
of times."""

#: What else was not the same, where an answer is another one.
_OTHER = {
    "prompt": "from another prompt: another place was evaluated ahead by then",
    "origin": "one was known already, and the other was asked for",
}


def configure(parser: argparse.ArgumentParser) -> None:
    """Add the arguments."""
    parser.add_argument("file", type=Path, metavar="FILE", help="a recording")
    parser.add_argument(
        "--longest-pause",
        type=seconds,
        default=2.0,
        metavar="SECONDS",
        help="pauses between messages are kept, but are no longer than this (default: %(default)s)",
    )
    parser.add_argument("--json", action="store_true", help="print one JSON object")


def run(args: argparse.Namespace) -> int:
    """Play it; 1 if any answer is another one."""
    from sidecar.bench.isolation import own_runtime
    from sidecar.bench.recorded import session_of
    from sidecar.bench.replay import ReplayOptions, replay
    from sidecar.server.recording import read_recording

    session = session_of(read_recording(args.file))
    with own_runtime():
        report = asyncio.run(replay(session, ReplayOptions(args.longest_pause)))
    if args.json:
        emit_json(report)
    else:
        _print(report)
    return 1 if report["different"] else 0


def _print(report: Mapping[str, Any]) -> None:
    left_out = ", ".join(f"{n} {why}" for why, n in sorted(report["left_out"].items()))
    emit(
        f"{report['equal']} of {report['requests']} answers are the same"
        + (f"; left out: {left_out}" if left_out else "")
    )
    for one in report["different"]:
        emit(printable(f"{one['method']} #{one['id']}"))
        emit(f"  recorded {_shown(one['expected'])}")
        emit(f"  now      {_shown(one['got'])}")
        if one["other"]:
            emit(f"  {_OTHER[one['other']]}")
    for method, times in report["timing_ms"].items():
        before, now = times["recorded"], times["replayed"]
        emit(
            printable(
                f"{method}: p50 {before['p50']:.1f} ms, now {now['p50']:.1f} ms; "
                f"p95 {before['p95']:.1f} ms, now {now['p95']:.1f} ms"
            )
        )
    if not report["requests"]:
        note("sidecar: nothing in this recording can be compared; record a longer session")


def _shown(answer: Any) -> str:
    return printable(json.dumps(answer, ensure_ascii=False))
