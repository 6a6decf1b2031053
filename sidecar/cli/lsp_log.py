"""`sidecar lsp-log`: shows a recorded session, one line a message, with what each answer took.

Must never change a recording. May import the reader of recordings.
"""

from __future__ import annotations

import fnmatch
import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sidecar.cli.lsp_said import Said
from sidecar.cli.output import emit, note, printable
from sidecar.server.recording import read_recording

if TYPE_CHECKING:
    import argparse
    from collections.abc import Iterable, Iterator

    from sidecar.server.recording import Entry

__all__ = ["EXAMPLE", "configure", "lines_of", "run"]

EXAMPLE = """sidecar lsp-log session.jsonl
  sidecar lsp-log session.jsonl --method '*inlineCompletion*' --no-code
  sidecar lsp-log session.jsonl --method textDocument/didChange --full

`sidecar --stdio --record session.jsonl` makes such a file. `→` goes to the server, `←` comes
from it."""

_ARROWS = {"client": "→", "server": "←", "note": "·"}


def configure(parser: argparse.ArgumentParser) -> None:
    """Add the arguments."""
    parser.add_argument("file", type=Path, metavar="FILE", help="a recording")
    parser.add_argument(
        "--method",
        action="append",
        default=[],
        metavar="PATTERN",
        help="only methods that match, such as 'textDocument/*'; may be given several times",
    )
    how = parser.add_mutually_exclusive_group()
    how.add_argument("--full", action="store_true", help="show each message whole, as JSON")
    how.add_argument(
        "--no-code",
        action="store_true",
        help="show lengths in place of code, so that others may see it; names of files stay",
    )


def run(args: argparse.Namespace) -> int:
    """Print the session; 1 if it holds nothing of what is wanted."""
    entries = read_recording(args.file)
    shown = 0
    for line, message in lines_of(entries, args.method, Said(code=not args.no_code)):
        emit(printable(line))
        if args.full and message is not None:
            emit(json.dumps(message, indent=2))
        shown += 1
    if not shown:
        note(f"sidecar: nothing in {args.file} matches; leave --method out to see all")
    return 0 if shown else 1


def lines_of(
    entries: Iterable[Entry], patterns: list[str], said: Said
) -> Iterator[tuple[str, dict[str, Any] | None]]:
    """Yield each message with a line for it, and a line for each request that was never answered.

    Args:
        entries: The messages.
        patterns: Which methods to show; all if there is none.
        said: Puts messages into words.
    """
    asked: dict[tuple[str, object], tuple[str, float]] = {}
    for entry in entries:
        at_ms, side, message = entry
        number, method = entry.number, message.get("method")
        took = ""
        if side == "note":
            method = "note"
        elif method is None:
            # An answer: to what the other side asked.
            other = "server" if side == "client" else "client"
            method, since = asked.pop((other, number), ("?", at_ms))
            took = f" after {at_ms - since:.1f} ms"
        elif number is not None:
            asked[side, number] = (method, at_ms)
        if not _wanted(method, patterns):
            continue
        name = method if number is None else f"{method} #{number}"
        words = said.words(method, message)
        yield (
            f"{at_ms:10.1f} ms {_ARROWS[side]} {name}{took}{'  ' if words else ''}{words}",
            message,
        )
    for (asker, left), (method, since) in asked.items():
        if _wanted(method, patterns):
            line = f"{since:10.1f} ms {_ARROWS[asker]} {method} #{left}  was never answered"
            yield line, None


def _wanted(method: Any, patterns: list[str]) -> bool:
    return not patterns or any(fnmatch.fnmatchcase(str(method), one) for one in patterns)
