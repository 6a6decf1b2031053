"""Where the database of a workspace lies: in the user's cache, readable by the user alone.

May import `errors` and `settings.paths`.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import xxhash

from sidecar.errors import EngineError
from sidecar.settings.paths import cache_dir, index_dir

if TYPE_CHECKING:
    from pathlib import Path

__all__ = ["database_path", "real_root"]


def real_root(root: str) -> str:
    """Return the one name of a root, whatever links it was reached by."""
    return os.path.realpath(root)


def database_path(root: str) -> Path:
    """Return where the index of a root lies; all processes that serve it must agree.

    Raises:
        SidecarError: The cache cannot be used.
    """
    real = real_root(root)
    name = os.path.basename(real)[:40] or "root"
    plain = "".join(c if c.isascii() and (c.isalnum() or c in "-_.") else "_" for c in name)
    key = xxhash.xxh3_64_hexdigest(os.fsencode(real))
    try:
        folder = index_dir()
    except EngineError:
        folder = cache_dir() / "index"
        if folder.exists():
            raise
        # It cannot be made: whoever opens the database finds out, and takes a private one.
    return folder / f"{plain}-{key}.sqlite"
