"""Workspaces of a few files written into a test, with a cursor in one: snapshots for sources.

Files are extracted and committed as the indexer does it, in this process.
"""

from __future__ import annotations

import contextlib
from typing import TYPE_CHECKING

from cursor import at_cursor

from sidecar.context.snapshot import Place, Snapshot
from sidecar.index.extract.extraction import Extraction
from sidecar.index.query.overlay import Overlay, Unsaved
from sidecar.index.query.reader import Reader
from sidecar.index.storage.store import Store
from sidecar.index.upkeep.batch import Batch
from sidecar.index.upkeep.workspace import Workspace
from sidecar.syntax import Languages, Trees
from sidecar.syntax.facts import facts_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping
    from pathlib import Path


__all__ = ["case_at", "files_of", "index_of", "place_at"]


def files_of(text: str) -> dict[str, str]:
    """Read files, each under a line `@ its/path`."""
    files: dict[str, str] = {}
    for part in ("\n" + text).split("\n@ ")[1:]:
        path, _, content = part.partition("\n")
        files[path.strip()] = content.rstrip("\n") + "\n" if content.strip() else ""
    return files


def index_of(root: Path, database: Path, files: Mapping[str, str]) -> None:
    """Write files below a root and make their index."""
    extraction = Extraction(str(root), 1 << 20)
    with Store.open(database, root) as store:
        workspace = Workspace(str(root), store)
        batch = Batch()
        for path, text in files.items():
            place = root / path
            place.parent.mkdir(parents=True, exist_ok=True)
            place.write_text(text, "utf-8")
        for path in files:
            batch.add(path, extraction.run(path, b""))
        assert not workspace.commit(batch).again


def place_at(path: str, fixture: str) -> tuple[Place, Unsaved | None]:
    """Return the place of `|` in a file, and the facts of that file as an open document."""
    document, cursor = at_cursor(fixture, "", path)
    language = Languages.load().find("", path)
    parsed = Trees().parse(document.uri, language, document.buffer) if language else None
    place = Place(document, path, language, parsed, cursor, cursor)
    if parsed is None or language is None or parsed.grammar.facts is None:
        return place, None
    facts = facts_of(parsed.grammar, parsed.tree.root_node, parsed.source)
    return place, Unsaved(path, language.name, facts)


@contextlib.contextmanager
def case_at(
    folder: Path,
    files: Mapping[str, str],
    *,
    text: Callable[[str], str | None] | None = None,
) -> Iterator[tuple[Place, Snapshot]]:
    """Make an index of files of which one holds `|`, and yield that place and what is known.

    Args:
        folder: An empty folder.
        files: The files, by path; the last one with a bar is the one with the cursor.
        text: Gives the texts of files instead.
    """
    here = [path for path, content in files.items() if "|" in content][-1]
    place, unsaved = place_at(here, files[here])
    texts = {**files, here: place.document.buffer.text}
    index_of(folder / "root", folder / "index.sqlite", texts)
    with Reader(folder / "index.sqlite") as reader:
        overlay = Overlay(reader, {} if unsaved is None else {here: unsaved})
        yield place, Snapshot(overlay, text or texts.get)
