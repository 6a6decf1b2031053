"""`sidecar symbols`: finds declarations in a folder by name.

Brings the folder's index up to date first, which takes no time when nothing changed. May import
`index`.
"""

from __future__ import annotations

import os
import re
from typing import TYPE_CHECKING

from sidecar.cli.arguments import count
from sidecar.cli.output import emit, emit_json, note, printable
from sidecar.cli.workspace import folder, up_to_date
from sidecar.errors import UsageError

if TYPE_CHECKING:
    import argparse

    from sidecar.index.query.reader import Definition

__all__ = ["EXAMPLE", "configure", "run"]

EXAMPLE = """sidecar symbols parse_config            exactly this name, then what is like it
  sidecar symbols parse                   names that begin so
  sidecar symbols prscfg                  names that hold these letters in this order
  sidecar symbols Parser.feed             a member of a type
  sidecar symbols parse --path ~/work/app --limit 5

Each line is path:line:column, kind and declaration; the best come first."""

#: What stands between the parts of a name, or may be one of its letters.
_BETWEEN = re.compile(r"\.|::|[#$@:\\?!=~-]")


def configure(parser: argparse.ArgumentParser) -> None:
    """Add the arguments."""
    parser.add_argument("query", metavar="QUERY", help="a name, its beginning, or letters of it")
    parser.add_argument(
        "--path", default=".", metavar="DIR", help="the folder to search (default: this one)"
    )
    parser.add_argument(
        "--limit",
        type=count,
        default=20,
        metavar="N",
        help="most declarations (default: %(default)s)",
    )
    parser.add_argument("--json", action="store_true", help="print one JSON object")


def run(args: argparse.Namespace) -> int:
    """Print what was found; 1 if nothing was."""
    root = folder(args.path)
    if not args.query.strip():
        raise UsageError("the name to look for is empty", "give a name, or letters of it")
    with up_to_date(root) as reader:
        found = reader.find(args.query, args.limit)
    if args.json:
        emit_json({"symbols": [_facts(item) for item in found]})
    else:
        for item in found:
            place = f"{_shown(root, item.path)}:{item.place.line + 1}:{item.place.column + 1}"
            emit(printable(f"{place} {item.symbol.kind} {item.symbol.signature}"))
        if not found:
            note(f"sidecar: nothing in {root} is called so; {_advice(args.query)}")
    return 0 if found else 1


def _facts(item: Definition) -> dict[str, object]:
    return {
        "name": item.symbol.name,
        "kind": item.symbol.kind,
        "container": item.container,
        "path": item.path,
        "line": item.place.line + 1,
        "column": item.place.column + 1,
        "signature": item.symbol.signature,
    }


def _advice(query: str) -> str:
    """Return what to try next: what is no part of a name finds nothing."""
    if all(part.isidentifier() for part in _BETWEEN.split(query.strip()) if part):
        return "try fewer letters"
    return "try the name alone, such as `parse` or `Parser.feed`"


def _shown(root: str, path: str) -> str:
    """Return a path as a terminal can open it from here."""
    return os.path.relpath(os.path.join(root, path))
