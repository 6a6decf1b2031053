"""`sidecar models`: list, pull, find, verify and remove models.

May import `models`, and `output` and `progress` of this package; rich lazily.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from sidecar.cli.output import emit, emit_json, note
from sidecar.cli.parsing import Parser
from sidecar.cli.progress import reporter
from sidecar.errors import DownloadError, ModelError
from sidecar.models import default_store, probe
from sidecar.models.hardware import MIB
from sidecar.models.store import size_text

if TYPE_CHECKING:
    import argparse

    from sidecar.models import ModelEntry, Store

__all__ = ["EXAMPLE", "configure", "run"]

EXAMPLE = "sidecar models pull qwen2.5-coder-1.5b"


def configure(parser: argparse.ArgumentParser) -> None:
    """Add the subcommands."""
    commands = parser.add_subparsers(
        dest="action", metavar="COMMAND", required=True, parser_class=Parser
    )

    listed = _command(commands, "list", "show the models", "sidecar models list --json")
    listed.add_argument("--json", action="store_true", help="print one JSON object")
    listed.set_defaults(do=_list)

    pull = _command(
        commands,
        "pull",
        "fetch a model; one that was interrupted goes on",
        "sidecar models pull qwen2.5-coder-1.5b",
    )
    _name(pull, "the one that suits this machine")
    pull.set_defaults(do=_pull)

    path = _command(
        commands,
        "path",
        "print the path of an installed model",
        "sidecar models path qwen2.5-coder-0.5b",
    )
    _name(path, "the one that would be used")
    path.set_defaults(do=_path)

    verify = _command(
        commands,
        "verify",
        "read whole model files and check their digests",
        "sidecar models verify qwen2.5-coder-0.5b",
    )
    _name(verify, "all that are installed")
    verify.set_defaults(do=_verify)

    remove = _command(
        commands,
        "remove",
        "remove a model and whatever an unfinished pull left of it",
        "sidecar models remove qwen2.5-coder-1.5b",
    )
    _name(remove)
    remove.set_defaults(do=_remove)


def run(args: argparse.Namespace) -> int:
    """Do what the subcommand says, and return the exit code."""
    code: int = args.do(args)
    return code


def _name(parser: argparse.ArgumentParser, default: str = "") -> None:
    """Add the name of a model, which may be left out where a default is told."""
    told = f" (default: {default})" if default else ""
    parser.add_argument(
        "name",
        nargs="?" if default else None,
        metavar="NAME",
        help=f"as `sidecar models list` shows it{told}",
    )


def _command(
    commands: argparse._SubParsersAction[Parser], name: str, does: str, example: str
) -> Parser:
    return commands.add_parser(
        name,
        help=does,
        description=f"{does[0].upper()}{does[1:]}.",
        epilog=f"example:\n  {example}",
    )


def _list(args: argparse.Namespace) -> int:
    store = default_store()
    default = store.default_entry(probe())
    rows = [_row(store, entry, default) for entry in store.catalogue]
    if args.json:
        emit_json({"models": rows})
        return 0
    _print_table(rows)
    note(f"* the one that suits this machine; models lie in {store.root}")
    return 0


def _row(store: Store, entry: ModelEntry, default: ModelEntry) -> dict[str, object]:
    installed = store.installed(entry)
    exact = store.path(entry).stat().st_size if installed else entry.bytes
    return {
        "name": entry.name,
        "title": entry.title,
        "file": entry.file,
        "bytes": exact or entry.size,
        "bytes_exact": exact is not None,
        "installed": installed,
        "default": entry is default,
        "licence": entry.licence,
        "terms": entry.terms,
        "template": entry.template.name if entry.template else "",
        "anchor": entry.anchor,
        "min_memory_bytes": entry.min_memory_mib * MIB,
        "path": str(store.path(entry)) if installed else "",
    }


def _print_table(rows: list[dict[str, object]]) -> None:
    from rich.console import Console
    from rich.table import Table

    table = Table(box=None, pad_edge=False)
    for title in ("", "name", "size", "memory", "licence", "installed"):
        table.add_column(title, no_wrap=True, justify="right" if title in _NUMBERS else "left")
    for row in rows:
        size, memory = row["bytes"], row["min_memory_bytes"]
        assert isinstance(size, int) and isinstance(memory, int)
        table.add_row(
            "*" if row["default"] else "",
            str(row["name"]),
            ("" if row["bytes_exact"] else "~") + size_text(size),
            size_text(memory),
            str(row["licence"]),
            "yes" if row["installed"] else "",
        )
    console = Console(highlight=False)
    # A pipe has no width: never cut a name that a script may want.
    console.print(table, width=None if console.is_terminal else 120)


_NUMBERS = ("size", "memory")


def _pull(args: argparse.Namespace) -> int:
    # Imported here: only a pull needs them, and they bring the network client.
    from sidecar.models.download import Downloader
    from sidecar.models.hub import Hub
    from sidecar.models.pieces import PieceSource

    store = default_store()
    entry = store.catalogue.require(args.name) if args.name else store.default_entry(probe())
    if entry.terms:
        note(f"{entry.name} is under {entry.licence}: {entry.terms}")
    with reporter() as shown:
        try:
            Downloader(store, Hub(), PieceSource(), shown).pull(entry)
        except KeyboardInterrupt:
            raise DownloadError(
                f"the pull of {entry.name} was stopped", "run it again: it goes on where it stopped"
            ) from None
    return 0


def _path(args: argparse.Namespace) -> int:
    store = default_store()
    name = store.catalogue.require(args.name).name if args.name else None
    emit(str(store.resolve(name).path))
    return 0


def _verify(args: argparse.Namespace) -> int:
    store = default_store()
    if args.name:
        entries = [store.catalogue.require(args.name)]
    else:
        entries = [entry for entry in store.catalogue if store.installed(entry)]
    if not entries:
        raise ModelError("no model is installed", "run `sidecar models pull`")
    wrong: list[ModelError] = []
    with reporter() as shown:
        for entry in entries:
            try:
                record = store.verify(entry, lambda done, total: shown.at("digest", done, total))
            except ModelError as error:
                wrong.append(error)
                continue
            told = "ok" if record.checked else "recorded (nobody told a digest to compare with)"
            shown.note(f"{entry.name}: {told}, sha256 {record.sha256}")
    # All are checked before the first that is wrong is told.
    for other in wrong[1:]:
        note(f"sidecar: {other}")
    if wrong:
        raise wrong[0]
    return 0


def _remove(args: argparse.Namespace) -> int:
    store = default_store()
    entry = store.catalogue.require(args.name)
    freed = store.remove(entry)
    note(f"{entry.name} is removed, {size_text(freed)} are free again")
    return 0
