"""Asks the sources what would help at a place, and folds the current file.

A pure function of snapshots. A source that fails costs its own part only. May import `text`,
`syntax`, and `context`'s sources, guard and outline.
"""

from __future__ import annotations

import logging
from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import TYPE_CHECKING, Final

from sidecar.context.guard import blanked
from sidecar.context.outlines import outlined
from sidecar.context.signals import SIGNALS
from sidecar.context.sources import SOURCES
from sidecar.text import encode_utf8

if TYPE_CHECKING:
    from collections.abc import Container, Iterable, Mapping

    from sidecar.context.snapshot import Place, Snapshot, Snippet

__all__ = ["OUTLINE", "Gathered", "gather"]

log = logging.getLogger(__name__)

#: What settings, cards and benchmarks call the current file, folded.
OUTLINE: Final = "outline"


@dataclass(frozen=True, slots=True)
class Gathered:
    """What was found for a place.

    Args:
        path: The current file, as prompts name it.
        name: The workspace's name.
        snippets: What sources offer, without secrets.
        outline: The current file folded; empty where it has no outline.
        versions: By path, what the files of snippets that are held hold now.
        notes: What a reader of the card should know.
    """

    path: str
    name: str = ""
    snippets: tuple[Snippet, ...] = ()
    outline: str = ""
    notes: tuple[str, ...] = ()
    versions: Mapping[str, bytes | None] = field(default_factory=dict)


def gather(
    place: Place, snapshot: Snapshot, sources: Container[str], shown: Iterable[str] = ()
) -> Gathered:
    """Ask the sources, and fold the current file.

    Args:
        place: Where context is wanted.
        snapshot: What is known.
        sources: Names of those that are asked; `OUTLINE` among them stands for the current file.
        shown: Paths of what the document's last prompt showed.
    """
    snippets: list[Snippet] = []
    notes: list[str] = []
    for source in SOURCES:
        if source.NAME not in sources:
            continue
        try:
            found = source.offer(place, snapshot)
        except Exception:
            # A place that a source cannot make sense of must not cost the completion.
            log.exception("a source of context failed: %s", source.NAME)
            notes.append(f"the source {source.NAME} failed here, see the log")
            continue
        snippets += [_guarded(snippet) for snippet in found]
    text, said = _outline(place) if OUTLINE in sources else ("", ())
    held = (snippet.path for snippet in snippets if snippet.source not in SIGNALS)
    paths = dict.fromkeys([*held, *shown])
    versions = {path: snapshot.version(path) for path in paths}
    return Gathered(place.path, snapshot.name, tuple(snippets), text, (*notes, *said), versions)


def _guarded(snippet: Snippet) -> Snippet:
    """Return a snippet without secrets: signatures of the index may hold some."""
    text, short = _clean(snippet.text), _clean(snippet.short)
    if text == snippet.text and short == snippet.short:
        return snippet
    return replace(snippet, text=text, short=short)


class _FoundError(Exception):
    """A text has secrets."""


def _clean(text: str) -> str:
    """Return a text without secrets."""
    try:
        return _looked_through(text)
    except _FoundError:
        return blanked(text).text


@lru_cache(512)
def _looked_through(text: str) -> str:
    """Return a text that has no secrets: only such a text may be remembered.

    Raises:
        _FoundError: It has some.
    """
    if blanked(text).found:
        raise _FoundError
    return text


def _outline(place: Place) -> tuple[str, tuple[str, ...]]:
    parsed = place.parsed
    if parsed is None:
        return "", ()
    if not parsed.tree.root_node.has_error:
        return outlined(parsed, None)
    before = encode_utf8(place.document.buffer.slice(0, place.cursor))
    # Without the line that is being written, it holds still while that is.
    return outlined(parsed, before.rfind(b"\n") + 1)
