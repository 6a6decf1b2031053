"""Workspaces of a few files with facts written by hand, for tests of the index's database."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from sidecar.index.extract.records import make_record
from sidecar.index.files.content import digest
from sidecar.index.storage.store import Links
from sidecar.syntax.facts import Facts
from sidecar.syntax.imports import Import
from sidecar.syntax.symbols import Place, Symbol

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from pathlib import Path

    from sidecar.index.extract.records import FileRecord
    from sidecar.index.storage.store import Store


def symbol(
    name: str,
    kind: str = "function",
    container: int = -1,
    owner: str = "",
    *,
    signature: str = "",
    doc: str = "",
    bases: Iterable[str] = (),
    type: str = "",
    parameters: Sequence[tuple[str, str]] = (),
) -> Symbol:
    text = signature or f"{kind} {name}"
    return Symbol(name, kind, container, owner, text, doc, tuple(bases), type, tuple(parameters))


def facts(
    *symbols: Symbol,
    imports: Iterable[tuple[str, str, str]] = (),
    references: dict[str, tuple[int, int, int]] | None = None,
    words: str = "",
    errors: int = 0,
    first_line: int = 0,
) -> Facts:
    places = [
        Place(first_line + 2 * n, 4, first_line + 2 * n, first_line + 2 * n + 1)
        for n in range(len(symbols))
    ]
    lines = [Import(*three, first_line + n) for n, three in enumerate(imports)]
    used = references or {}
    known = dict.fromkeys([*words.split(), *used, *(s.name for s in symbols)])
    return Facts(symbols, tuple(places), tuple(lines), used, " ".join(known), errors)


def write(root: Path, path: str, text: str = "") -> None:
    file = root / path
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text)


def record(
    root: Path, path: str, found: Facts | None = None, language: str = "python"
) -> FileRecord:
    """The record of a file that is written for it, with content that differs as the facts do."""
    write(root, path, repr(found))
    return record_as_it_is(root, path, found, language)


def record_as_it_is(
    root: Path, path: str, found: Facts | None = None, language: str = "python"
) -> FileRecord:
    content = (root / path).read_bytes()
    stat = os.stat(root / path)
    return make_record(path, language, stat.st_size, stat.st_mtime_ns, digest(content), found)


def link(store: Store, path: str, *targets: str | Sequence[str], keys: Iterable[str] = ()) -> None:
    """Let the imports of a file lead to files; nothing means nowhere."""
    lists = [[t] if isinstance(t, str) and t else list(t) for t in targets]
    store.link([Links(path, lists, set(keys))])
