"""`sidecar/symbols`: declarations of the workspace by name, or all of one file."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from sidecar.index.roots import relative
from sidecar.index.storage.externals import is_external
from sidecar.server.types import SYMBOLS

if TYPE_CHECKING:
    from sidecar.index.query.answers import Definition
    from sidecar.index.query.overlay import Overlay
    from sidecar.server.session import Session
    from sidecar.server.types import SymbolsParams

__all__ = ["METHOD", "handle"]

METHOD = SYMBOLS

_MOST = 1000


async def handle(session: Session, params: SymbolsParams) -> dict[str, Any]:
    """Return what matches, the best first; lines and columns count from 0, in code points."""
    lookups = session.indexing.lookups
    limit = max(1, min(params.limit, _MOST))
    home = lookups.root_of(params.path) if params.path is not None else None
    roots = lookups.roots
    if home is not None:
        # From a file one looks into its own folder first.
        roots = [home, *(root for root in roots if root != home and params.query)]
    elif params.path is not None and not params.query:
        roots = []
    found: list[dict[str, Any]] = []
    generation = 0
    for root in roots:
        near = relative(root, params.path) if params.path is not None and root == home else None

        def question(
            index: Overlay, root: str = root, near: str | None = near
        ) -> tuple[int, list[dict[str, Any]]]:
            matching = _matching(index, params, near, limit)
            return index.generation, [_told(index, root, item) for item in matching]

        answer: tuple[int, list[dict[str, Any]]] = (0, [])
        answer = await session.indexing.ask(root, question, answer)
        generation += answer[0]
        found += answer[1]
    return {"symbols": found[:limit], "generation": generation}


def _matching(
    index: Overlay, params: SymbolsParams, near: str | None, limit: int
) -> tuple[Definition, ...]:
    if params.query and params.exact:
        return index.definitions(params.query, near, limit)
    if params.query:
        return index.find(params.query, limit, near)
    return index.symbols(near)[:limit] if near is not None else ()


def _told(index: Overlay, root: str, item: Definition) -> dict[str, Any]:
    return {
        "name": item.symbol.name,
        "kind": item.symbol.kind,
        "container": item.container,
        "root": root,
        "path": item.path,
        "external": is_external(item.path),
        "line": item.place.line,
        "column": item.place.column,
        "signature": item.symbol.signature,
        "source": "buffer" if index.hides(item.path) else "index",
    }
