"""`sidecar stats`: what the servers of this user's editors have counted, and what engines hold.

Looks only: nothing is started, and no engine lives longer for it. May import the front's side of
`engine`, `settings` and `telemetry`.
"""

from __future__ import annotations

import asyncio
import sys
import time
from typing import TYPE_CHECKING, Any, NamedTuple

from sidecar.cli.output import emit, emit_json
from sidecar.cli.stats_report import Seen, report
from sidecar.engine.launch import observe
from sidecar.errors import UsageError
from sidecar.settings.paths import runtime_dir
from sidecar.telemetry.posting import Posted, merged, posted
from sidecar.telemetry.rates import rates

if TYPE_CHECKING:
    import argparse
    from collections.abc import Iterator

__all__ = ["EXAMPLE", "configure", "run"]

EXAMPLE = """sidecar stats
  sidecar stats --watch
  sidecar stats --json | jq .rates.warming_by_reason

Servers tell every two seconds what they have counted since they were started; times are of the
newest 1,024 of each kind. `evaluated` tokens were computed for a request, `reused` ones found in a
lane. `joined` requests went on waiting for what was being generated. A speculation is a suggestion
generated before it was asked for, a warm-up a prompt evaluated before somebody came. Editors get
the same of their own server with the request `sidecar/stats`."""

_SECONDS_BETWEEN_LOOKS = 1.0


def configure(parser: argparse.ArgumentParser) -> None:
    """Add the arguments."""
    parser.add_argument(
        "--watch", action="store_true", help="look again every second, until interrupted"
    )
    parser.add_argument("--json", action="store_true", help="print one JSON object")


def run(args: argparse.Namespace) -> int:
    """Look once, or again and again."""
    if args.json and args.watch:
        raise UsageError("--json prints one object, and --watch never ends", "give one of them")
    if args.json:
        emit_json(_object(*_look()))
    elif args.watch:
        _watch()
    else:
        emit("\n".join(_lines()))
    return 0


class _Look(NamedTuple):
    fronts: list[Posted]
    engines: list[dict[str, Any]]


def _look() -> _Look:
    folder = runtime_dir()
    return _Look(posted(folder), asyncio.run(observe(folder)))


def _lines() -> list[str]:
    fronts, engines = _look()
    return report(Seen(fronts, engines, time.time()))


def _watch() -> None:
    """Draw anew on a terminal; elsewhere write one look below the other."""
    if not sys.stdout.isatty():
        for lines in _looks():
            emit("\n".join(lines) + "\n")
        return
    from rich.console import Console
    from rich.live import Live
    from rich.text import Text

    with Live(console=Console(), auto_refresh=False, screen=True) as live:
        for lines in _looks():
            text = Text("\n".join(lines), no_wrap=True, overflow="ellipsis")
            live.update(text, refresh=True)


def _looks() -> Iterator[list[str]]:
    while True:
        yield _lines()
        time.sleep(_SECONDS_BETWEEN_LOOKS)


def _object(fronts: list[Posted], engines: list[dict[str, Any]]) -> dict[str, Any]:
    """Return the contract's object: all servers together, then each, and the engines."""
    together = merged(fronts)
    return {
        **together.summary(),
        "rates": rates(together.counters),
        "fronts": [
            {
                "pid": front.pid,
                **front.facts,
                "updated": front.updated,
                **front.observed.summary(),
                "rates": rates(front.observed.counters),
            }
            for front in fronts
        ],
        "engines": engines,
    }
