"""Looks at single paths: whether there is a file, and whether it lies where it may.

May import `secrets` of `index.files`.
"""

from __future__ import annotations

import os
import stat
from typing import TYPE_CHECKING

from sidecar.index.files.secrets import is_secret_folder, is_secret_name

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

__all__ = ["entries", "first_file", "is_within", "real_folder", "surrounding"]

#: Deeper folders exist to make us slow.
_MOST_ANCESTORS = 64
#: Entries of a folder that are looked at.
_MOST_ENTRIES = 2_000


def first_file(candidates: Iterable[str], bases: Iterable[str]) -> str | None:
    """Return the real path of the first that is a regular file inside of one of the bases.

    Args:
        candidates: Absolute paths, best first.
        bases: Real paths of folders; or names of folders, one of which has to be in the path.
    """
    for candidate in candidates:
        try:
            mode = os.stat(candidate).st_mode
        except (OSError, ValueError):
            continue
        if not stat.S_ISREG(mode):
            continue
        real = os.path.realpath(candidate).replace(os.sep, "/")
        if any(is_within(real, base) for base in bases) and real.isprintable():
            if not _is_secret(real):
                return real
    return None


def _is_secret(real: str) -> bool:
    *folders, _ = real.split("/")
    return is_secret_name(real) or any(map(is_secret_folder, folders))


def is_within(path: str, base: str) -> bool:
    """Tell whether a real path lies below a folder, or below any of a name without slashes."""
    if "/" in base:
        return path.startswith(base.rstrip("/") + "/")
    return f"/{base}/" in path


def real_folder(path: str) -> str | None:
    """Return the real path of a folder, with `/` between its parts; None if there is none."""
    try:
        real = os.path.realpath(path, strict=True)
        return real.replace(os.sep, "/") if os.path.isdir(real) else None
    except (OSError, ValueError):
        return None


def surrounding(folder: str) -> Iterator[str]:
    """Yield an absolute folder and those around it, innermost first."""
    for _ in range(_MOST_ANCESTORS):
        yield folder or "/"
        outer = folder.rpartition("/")[0]
        if outer == folder:
            return
        folder = outer


def entries(folder: str) -> list[str]:
    """Return the names in a folder, in order; none if it cannot be read."""
    found: list[str] = []
    try:
        with os.scandir(folder) as listing:
            for entry in listing:
                found.append(entry.name)
                if len(found) == _MOST_ENTRIES:
                    break
    except (OSError, ValueError):
        return []
    return sorted(found)
