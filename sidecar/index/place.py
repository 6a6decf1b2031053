"""Where the database of a workspace lies: in the user's cache, readable by the user alone.

May import `settings.paths`.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import xxhash

from sidecar.settings.paths import cache_dir

if TYPE_CHECKING:
    from pathlib import Path

__all__ = ["database_path", "real_root"]


def real_root(root: str) -> str:
    """Return the one name of a root, whatever links it was reached by."""
    return os.path.realpath(root)


def database_path(root: str) -> Path:
    """Return where the index of a root lies; all processes that serve it must agree.

    Raises:
        ModelError: The cache cannot be used.
    """
    folder = cache_dir() / "index"
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    name = os.path.basename(root)[:40] or "root"
    plain = "".join(c if c.isascii() and (c.isalnum() or c in "-_.") else "_" for c in name)
    key = xxhash.xxh3_64_hexdigest(os.fsencode(real_root(root)))
    return folder / f"{plain}-{key}.sqlite"
