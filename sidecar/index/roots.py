"""Workspace folders: which are too broad to be one, and how the files in them are called.

An editor that is opened in a home directory, as after a login, would have everything read that the
user owns, and nobody means that. May import nothing of sidecar.
"""

from __future__ import annotations

import os
import tempfile
from pathlib import Path

__all__ = ["relative", "too_broad"]

#: Folders at the top of a system that hold those of all users or programs.
_SYSTEM = ("/bin", "/dev", "/etc", "/lib", "/proc", "/run", "/sys", "/usr", "/var")


def too_broad(root: str) -> str:
    """Return why a folder is not indexed as a whole, or nothing.

    Args:
        root: Its absolute path.
    """
    real = os.path.realpath(root)
    if os.path.dirname(real) == real:
        return "it is the root of a file system"
    # Without a home directory there is nothing to keep out of.
    home = os.path.realpath(os.path.expanduser("~"))
    if real == home:
        return "it is your home directory"
    if Path(real) in Path(home).parents:
        return "it holds your home directory"
    if real == os.path.realpath(tempfile.gettempdir()):
        return "it is the directory of everybody's temporary files"
    if os.name == "posix" and real in _SYSTEM:
        return "it belongs to the system"
    return ""


def relative(root: str, path: str) -> str | None:
    """Return a path relative to a root, with `/` between its parts; None if it is not below."""
    path = path.replace(os.sep, "/")
    base = root.replace(os.sep, "/").rstrip("/") + "/"
    return path[len(base) :] or None if path.startswith(base) else None
