"""Whether indexes can be kept on this machine, and whether the one of a folder is whole.

For `sidecar doctor`. Leaves nothing behind. May import this package.
"""

from __future__ import annotations

import contextlib
import os
import secrets
from pathlib import Path

from sidecar.index.place import database_path
from sidecar.index.query.reader import Reader
from sidecar.index.storage.database import StoreDamagedError, StoreRefusedError, open_database
from sidecar.index.storage.store import Store

__all__ = ["check_index"]


def check_index(root: str) -> str:
    """Return what was found.

    Args:
        root: The folder whose index is looked at, if it has one.

    Raises:
        SidecarError: No index can be kept, or the one of the folder is damaged.
    """
    path = database_path(root)
    _try(path.parent)
    if not path.exists():
        return f"indexes can be kept in {path.parent}"
    with contextlib.closing(Store.open(path, Path(root))) as store:
        if store.notice:
            raise StoreRefusedError(store.notice, "see the README, or run `sidecar index --force`")
        if not store.quick_check():
            raise StoreDamagedError(
                f"the index {path} is damaged", "run `sidecar index --force` to make it anew"
            )
    with Reader(path) as reader:
        counts = reader.counts()
    return (
        f"{counts.files:,} files and {counts.symbols:,} declarations of {root}, "
        f"{counts.database_bytes / 1e6:,.1f} MB at {path}"
    )


def _try(folder: Path) -> None:
    """Make a database and delete it again: the file system must be able to share one."""
    probe = folder / f"probe-{secrets.token_hex(6)}.sqlite"
    try:
        open_database(probe).connection.close()
    finally:
        for ending in ("", "-wal", "-shm", ".lock"):
            with contextlib.suppress(OSError):
                os.unlink(f"{probe}{ending}")
