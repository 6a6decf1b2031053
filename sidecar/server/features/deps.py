"""`sidecar/deps`: what a file imports and where that leads, and which files import it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from sidecar.index.roots import relative
from sidecar.server.types import DEPS

if TYPE_CHECKING:
    from sidecar.index.query.overlay import Overlay
    from sidecar.server.session import Session
    from sidecar.server.types import DepsParams

__all__ = ["METHOD", "handle"]

METHOD = DEPS


async def handle(session: Session, params: DepsParams) -> dict[str, Any] | None:
    """Return both; null for a file outside of all indexed folders."""
    root = session.indexing.lookups.root_of(params.path)
    if root is None:
        return None
    path = relative(root, params.path) or ""

    def question(index: Overlay) -> dict[str, Any]:
        return {
            "root": root,
            "path": path,
            "imports": [
                {
                    "module": item.module,
                    "name": item.name,
                    "alias": item.alias,
                    "line": item.line,
                    "path": item.target,
                    "definer": item.definer,
                }
                for item in index.imports(path)
            ],
            "importers": list(index.importers(path)),
            "source": "buffer" if index.hides(path) else "index",
            "generation": index.generation,
        }

    return await session.indexing.ask(root, question, None)
