"""`sidecar deps`: what a file imports, where that leads, and which files import it.

May import `index`.
"""

from __future__ import annotations

import os
from pathlib import PurePosixPath
from typing import TYPE_CHECKING

from sidecar.cli.output import emit, emit_json, note, printable
from sidecar.cli.workspace import folder, root_around, up_to_date
from sidecar.errors import UsageError
from sidecar.index.place import real_root

if TYPE_CHECKING:
    import argparse

    from sidecar.index.query.reader import Imported, Reader

__all__ = ["EXAMPLE", "configure", "run"]

EXAMPLE = """sidecar deps src/app/main.py
  sidecar deps src/app/main.py --json
  sidecar deps lib/a.js --path ~/work/app

`->` names the file that an import leads to, `<-` a file that imports this one. What has no file
comes from outside of the workspace, or does not exist."""


def configure(parser: argparse.ArgumentParser) -> None:
    """Add the arguments."""
    parser.add_argument("file", metavar="FILE", help="a source file")
    parser.add_argument(
        "--path",
        metavar="DIR",
        help="the workspace (default: the repository around the file, or the folder you are in)",
    )
    parser.add_argument("--json", action="store_true", help="print one JSON object")


def run(args: argparse.Namespace) -> int:
    """Print both directions."""
    root = root_around(args.file)
    if args.path is not None:
        root = folder(args.path)
    path = os.path.relpath(_real(args.file), real_root(root)).replace(os.sep, "/")
    if path.startswith("../"):
        fix = "name its folder with --path"
        if args.path is not None:
            fix = "give --path a folder around it, or leave --path out"
        raise UsageError(f"{args.file} does not lie in {root}", fix)
    with up_to_date(root) as reader:
        if reader.digest(path) is None:
            path = _meant(reader, args.file, path, root)
        imports, importers = reader.imports(path), reader.importers(path)
    if args.json:
        emit_json({"imports": [_facts(item) for item in imports], "importers": list(importers)})
        return 0
    for item in imports:
        target = item.definer or item.target
        emit(printable(f"-> {_written(item)}{f'  {target}' if target else ''}"))
    for importer in importers:
        emit(printable(f"<- {importer}"))
    if not imports and not importers:
        note(f"sidecar: {args.file} imports nothing, and nothing in {root} imports it")
    return 0


def _real(file: str) -> str:
    """Return where a file lies, without following a link that it is itself."""
    folder, name = os.path.split(os.path.abspath(file))
    return os.path.join(os.path.realpath(folder), name)


def _meant(reader: Reader, file: str, path: str, root: str) -> str:
    """Return the path that the index has of a file which is not known by the one that was given.

    Raises:
        UsageError: It has none.
    """
    target = os.path.relpath(os.path.realpath(file), real_root(root)).replace(os.sep, "/")
    if reader.digest(target) is not None:
        return target
    skipped = dict(reader.skipped())
    # Of a folder that is left out, only its own path is known.
    around = (path, *map(str, PurePosixPath(path).parents))
    reason = next((skipped[one] for one in around if one in skipped), "")
    why = f" ({reason.replace('_', ' ')})" if reason else ""
    raise UsageError(
        f"{file} is not in the index{why}", "see `sidecar index --help` for what is left out"
    )


def _facts(item: Imported) -> dict[str, object]:
    facts: dict[str, object] = {"name": _written(item), "line": item.line + 1}
    if item.target is not None:
        facts["path"] = item.target
    if item.definer is not None and item.definer != item.target:
        facts["definer"] = item.definer
    return facts


def _written(item: Imported) -> str:
    if not item.name:
        return item.module
    return f"{item.module} {item.name}" if item.module else item.name
