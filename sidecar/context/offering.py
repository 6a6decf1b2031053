"""Makes snippets of declarations: what is shown of them, and under which key.

One declaration has one key and one text, whichever source offers it, so that it is shown once and
holds still. Must never do I/O. May import `index`'s answers and this package.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Final

from sidecar.context.rendering import Rendering
from sidecar.context.resolving import TYPES
from sidecar.context.selecting import FUNCTIONS
from sidecar.context.snapshot import Snippet
from sidecar.index.storage.externals import is_external

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sidecar.context.names import Name
    from sidecar.context.snapshot import Place, Snapshot
    from sidecar.index.query.answers import Definition

__all__ = ["Offers", "told", "where"]

#: Members of a type that are looked at.
_MOST_MEMBERS: Final = 60
#: Folders that hold what others wrote: a path is shown from there on.
_HOLDERS: Final = ("/site-packages/", "/dist-packages/", "/node_modules/", "/pkg/mod/")
_DONE: Final = {
    "call": "called",
    "type": "used as a type",
    "member": "read",
    "name": "named",
}


class Offers:
    """Collects what a source offers.

    Args:
        source: Its name.
        place: Where context is wanted; nothing of its file is offered.
        snapshot: What is known of the workspace.
        most: How many snippets there may be.
    """

    def __init__(self, source: str, place: Place, snapshot: Snapshot, most: int) -> None:
        self._source = source
        self._here = place.path
        self._snapshot = snapshot
        self._most = most
        #: By file; None where it may not be shown.
        self._renderings: dict[str, Rendering | None] = {}
        self._found: dict[str, Snippet] = {}

    @property
    def full(self) -> bool:
        """Whether there is no room for more."""
        return len(self._found) >= self._most

    def listed(self) -> list[Snippet]:
        """Return the snippets, the best first."""
        return sorted(self._found.values(), key=lambda snippet: (-snippet.score, snippet.key))

    def holds(self, path: str, name: str) -> bool:
        """Tell whether a declaration of a file outside of all others is offered."""
        return _key(path, "", name) in self._found

    def add(self, found: Sequence[Definition], score: float, reason: str) -> None:
        """Offer a declaration, or several of one name in one file.

        Args:
            found: The declarations.
            score: How much they should help.
            reason: Why, for people.
        """
        first = found[0]
        key = _key(first.path, first.container, first.symbol.name)
        if self.full or key in self._found or first.path == self._here:
            return
        if first.symbol.kind == "module":
            return
        texts = self._written(found)
        if texts is None:
            return
        text, short = texts
        self._found[key] = Snippet(
            self._source,
            key,
            _shown_path(first.path),
            text,
            round(score, 4),
            reason,
            short if len(short) < len(text) else "",
        )

    def _written(self, found: Sequence[Definition]) -> tuple[str, str] | None:
        """Return how declarations are written, whole and short; None where they may not be."""
        first = found[0]
        outside = is_external(first.path)
        rendering = self._rendering(first)
        if rendering is None:
            return None
        kind = first.symbol.kind
        bare = [item._replace(symbol=item.symbol._replace(doc="")) for item in found]
        if kind in TYPES:
            short = rendering.header(first)
            if outside:
                return short, ""
            text = self._snapshot.text(first.path)
            members = tuple(self._members(first))
            return _type(first.language, text, first.path, first, members), short
        if kind not in FUNCTIONS:
            short = rendering.value(bare[0])
            return (short if outside else rendering.value(first)), short
        owner = self._owner(first)
        if owner is not None:
            short = rendering.member(owner, found)
            return short, ""
        short = rendering.function(bare)
        return (short if outside else rendering.function(found)), short

    def _rendering(self, item: Definition) -> Rendering | None:
        """Return what writes the declarations of a file, or None if they may not be shown."""
        path = item.path
        if path not in self._renderings:
            text = None if is_external(path) else self._snapshot.text(path)
            shown = text is not None or is_external(path)
            self._renderings[path] = Rendering(item.language, text, path) if shown else None
        return self._renderings[path]

    def _members(self, type_: Definition) -> list[Definition]:
        """Return what a type has itself, as far as it may be shown."""
        name, path = type_.symbol.name, type_.path
        folder = path.rpartition("/")[0]
        return [
            item
            for item in self._snapshot.index.members(name, path, _MOST_MEMBERS, 1)
            if item.container == name
            and (item.path == path or item.path.rpartition("/")[0] == folder)
        ]

    def _owner(self, item: Definition) -> Definition | None:
        """Return the type that a method stands in."""
        symbol = item.symbol
        if symbol.container < 0 or not item.container:
            return None
        for owner in self._snapshot.index.definitions(item.container, item.path, 2):
            if owner.path == item.path and owner.symbol.kind in TYPES:
                return owner
        return None


@lru_cache(256)
def _type(
    language: str, text: str | None, path: str, item: Definition, members: tuple[Definition, ...]
) -> str:
    """Return how a type is written, which several sources ask for, and at one place after another.

    Args:
        language: The name of its file's language.
        text: Its file.
        path: Where that lies.
        item: The type.
        members: Its own members.
    """
    return Rendering(language, text, path).type(item, members)


def told(name: Name) -> str:
    """Tell what is done with a name, and where."""
    return f"{_DONE[name.role]} {where(name.distance)}"


def where(distance: int) -> str:
    """Tell where a line is, seen from the cursor's."""
    if not distance:
        return "on this line"
    lines = "1 line" if abs(distance) == 1 else f"{abs(distance)} lines"
    return f"{lines} {'above' if distance < 0 else 'below'}"


def _key(path: str, container: str, name: str) -> str:
    return f"definitions:{path}:{container}.{name}" if container else f"definitions:{path}:{name}"


def _shown_path(path: str) -> str:
    """Return a path without what tells of this machine."""
    if not is_external(path):
        return path
    for holder in _HOLDERS:
        if holder in path:
            return path.rpartition(holder)[2]
    return "/".join(path.split("/")[-2:])
