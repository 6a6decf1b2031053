"""What changed paths mean: which of them have to be read, and which are gone.

Looks at the disk for each, and at what is known. Must never open a file. May import
`index.files`, and `workspace` of this package.
"""

from __future__ import annotations

import os
import stat
from typing import TYPE_CHECKING, NamedTuple

from sidecar.index.files.content import Skip
from sidecar.index.files.rules import is_rule_file
from sidecar.index.upkeep.workspace import UNSURE

if TYPE_CHECKING:
    from collections.abc import Iterable

    from sidecar.index.files.ignore import Ignore
    from sidecar.index.upkeep.workspace import Workspace

__all__ = ["Sorted", "blamed", "is_settled", "sort_paths", "unlike"]


class Sorted(NamedTuple):
    """What changed paths mean.

    Args:
        read: Files to be read.
        gone: Files that are known and have to go.
        survey: Whether more may have changed than was named.
    """

    read: list[str]
    gone: list[str]
    survey: bool


def sort_paths(
    workspace: Workspace, ignore: Ignore, paths: Iterable[str], *, unchanged: bool
) -> Sorted:
    """Look at the disk for what became of some paths.

    Args:
        workspace: What is known.
        ignore: Tells what is left out.
        paths: Relative to the root.
        unchanged: Whether files whose size and time are as they were are read all the same.
    """
    known = workspace.known
    found = Sorted([], [], False)
    survey = False
    for path in paths:
        if is_rule_file(path):
            survey = True
        try:
            state = os.lstat(f"{workspace.root}/{path}")
        except (OSError, ValueError):
            found.gone.extend([path] if path in known else workspace.below(path))
            continue
        is_dir = stat.S_ISDIR(state.st_mode)
        if ignore.skip(path, is_dir) is not None:
            found.gone.extend(workspace.below(path) if is_dir else [])
            if path in known:
                found.gone.append(path)
        elif is_dir:
            found.gone.extend([path] if path in known else [])
            # One that was moved here is told of without what is in it.
            survey = True
        elif unchanged or not _is_known(workspace, path, state):
            if path not in known and workspace.below(path):
                found.gone.extend(workspace.below(path))
            found.read.append(path)
    return found._replace(survey=survey)


def is_settled(workspace: Workspace, path: str) -> bool | None:
    """Tell whether some process has written to the database what is at a path.

    Returns:
        None if the file is as long as it is known to be, and was written so shortly before it was
        read that its time says nothing yet.
    """
    held = workspace.store.known_file(path)
    try:
        state = os.lstat(f"{workspace.root}/{path}")
    except (OSError, ValueError):
        return held is None and not workspace.below(path)
    if is_rule_file(path) or not stat.S_ISREG(state.st_mode):
        return False
    if held is None:
        return _is_known(workspace, path, state)
    if held[0].mtime_ns == UNSURE and held[0].size == state.st_size:
        return None
    return (held[0].size, held[0].mtime_ns) == (state.st_size, state.st_mtime_ns)


def unlike(workspace: Workspace, folder: str) -> list[str]:
    """Return the files right in a folder that are not as they are known to be.

    Args:
        workspace: What is known.
        folder: Its absolute path, as are those returned.
    """
    try:
        names = {f"{folder}/{name}" for name in os.listdir(folder)}
    except (OSError, ValueError):
        return []
    base = len(workspace.root) + 1
    held = workspace.linker.tree.folders.get(folder[base:], ())
    names.update(f"{workspace.root}/{path}" for path in held)
    return [name for name in names if _is_unlike(workspace, name, name[base:])]


def blamed(root: str, path: str, reason: str) -> Skip:
    """Return that a file is left out, as it is now, for what a worker came to with it."""
    try:
        state = os.lstat(f"{root}/{path}")
    except (OSError, ValueError):
        return Skip("vanished")
    return Skip(reason, state.st_size, state.st_mtime_ns)


def _is_unlike(workspace: Workspace, name: str, path: str) -> bool:
    try:
        state = os.lstat(name)
    except (OSError, ValueError):
        return path in workspace.known
    return stat.S_ISREG(state.st_mode) and not _is_known(workspace, path, state)


def _is_known(workspace: Workspace, path: str, state: os.stat_result) -> bool:
    held = workspace.known.get(path) or workspace.skips.get(path)
    return held is not None and (held.size, held.mtime_ns) == (state.st_size, state.st_mtime_ns)
