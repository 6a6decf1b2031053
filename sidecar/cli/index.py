"""`sidecar index`: reads a folder's files into its index, or what changed since the last time.

May import `index`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from sidecar.cli.output import emit, emit_json, note, printable
from sidecar.cli.workspace import bring_up_to_date, folder
from sidecar.index.place import database_path

if TYPE_CHECKING:
    import argparse

    from sidecar.index.once import Summary

__all__ = ["EXAMPLE", "configure", "run"]

EXAMPLE = """sidecar index                 index the folder you are in, or what changed in it
  sidecar index ~/work/app      another folder
  sidecar index --force         read everything anew
  sidecar index --json          what is known of it, for scripts

Editors do this by themselves. What git ignores, secrets (.env, keys), binaries, minified and
generated files are left out, each counted by its reason; a .sidecarignore file, written like a
.gitignore, leaves out more."""

#: Reasons why files are left out, for people; others say it themselves.
_REASONS = {
    "ignored": "ignored by git's rules or .sidecarignore, a folder counted once",
    "secret": "hold secrets, going by their names",
    "too_large": "too large to be written by hand",
    "not_a_file": "pipes, sockets or devices",
    "odd_name": "names with line breaks or bytes that are no text",
    "link": "links to what has a path of its own",
    "outside": "links that lead out of the folder",
    "symlink_loop": "links that lead nowhere but to themselves",
    "encoding": "UTF-16 or UTF-32",
    "too_slow": "took too long to parse",
    "crashed": "made the parser crash, or use up its memory",
}


def configure(parser: argparse.ArgumentParser) -> None:
    """Add the arguments."""
    parser.add_argument(
        "path", nargs="?", default=".", metavar="PATH", help="the folder (default: this one)"
    )
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    parser.add_argument("--force", action="store_true", help="read every file anew")


def run(args: argparse.Namespace) -> int:
    """Index the folder, and print what is known of it."""
    root = folder(args.path)
    summary = bring_up_to_date(root, force=args.force)
    if summary.notice:
        note(f"sidecar: {summary.notice}")
    if args.json:
        emit_json(_facts(summary, root))
    else:
        _print(summary, root)
    return 0


def _facts(summary: Summary, root: str) -> dict[str, Any]:
    return {
        "files": summary.files,
        "symbols": summary.symbols,
        "references": summary.references,
        "imports": summary.imports,
        "bytes": summary.bytes,
        "seconds": round(summary.seconds, 4),
        "read": summary.read,
        "skipped": dict(sorted(summary.skipped.items())),
        "languages": summary.languages,
        "errors": summary.errors,
        "root": root,
        "database": str(database_path(root)),
    }


def _print(summary: Summary, root: str) -> None:
    rate = f", {summary.read / summary.seconds:,.0f} a second" if summary.read else ""
    emit(printable(f"{root}: {summary.files:,} files, {summary.bytes / 1e6:,.1f} MB"))
    emit(f"  read now       {summary.read:,} in {summary.seconds:.2f} s{rate}")
    emit(f"  declarations   {summary.symbols:,}")
    emit(f"  references     {summary.references:,}")
    emit(f"  imports        {summary.imports:,}")
    for language, files in summary.languages.items():
        damaged = summary.errors.get(language, 0)
        places = "place does" if damaged == 1 else "places do"
        broken = f"; {damaged:,} {places} not parse" if damaged else ""
        emit(f"  {language:<14} {files:,}{broken}")
    for reason, count in sorted(summary.skipped.items(), key=lambda item: -item[1]):
        words = _REASONS.get(reason, reason.replace("_", " "))
        emit(f"  left out       {count:,} {words}")
