"""The files of a workspace, found by one walk that never enters what is left out.

Follows no link, so that every content has one path and no loop can be walked; opens no file; does
not recurse, whatever the depth. What it skips is counted by reason, a folder once with all that is
in it. May import this package.
"""

from __future__ import annotations

import os
from collections import Counter
from operator import attrgetter
from typing import TYPE_CHECKING, NamedTuple

from sidecar.index.files.content import error_reason
from sidecar.index.files.ignore import Ignore, WalkSettings, access_reason, printable
from sidecar.index.files.rules import MARKS

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from sidecar.index.files.rules import Folder

__all__ = ["Found", "Walk", "WalkSettings"]

_BY_NAME = attrgetter("name")


class Found(NamedTuple):
    """A regular file.

    Attributes:
        path: Relative to the root, with `/` between its parts.
        size: Its bytes.
        mtime_ns: When it was modified.
    """

    path: str
    size: int
    mtime_ns: int


class Walk:
    """One walk of a workspace, in an order that only depends on the names.

    Args:
        root: The workspace.
        settings: What the user said.
        ignore: The rules to walk by; without them, they are read anew.

    Attributes:
        ignore: The rules that were walked by, to go on with for single paths.
        skipped: How many paths were skipped, by reason.
    """

    def __init__(
        self,
        root: Path | str,
        settings: WalkSettings | None = None,
        ignore: Ignore | None = None,
    ) -> None:
        settings = settings or WalkSettings()
        self._root = os.path.abspath(root)
        self._kept_skips = settings.kept_skips
        self._skips: list[tuple[str, str]] = []
        self.ignore = ignore or Ignore(root, settings)
        self.skipped: Counter[str] = Counter()

    def files(self) -> Iterator[Found]:
        """Yield every file that is not left out."""
        for found in self.folders():
            yield from found

    def folders(self) -> Iterator[list[Found]]:
        """Yield the files of each folder that is walked, also where there are none.

        Between two of them the caller may do something else, or stop.
        """
        outside = self.ignore.outside()
        if isinstance(outside, str):
            self._skip("", outside)
            return
        # Folders to walk, the next one last, each with what holds for the folder around it.
        todo: list[tuple[str, Folder]] = [("", outside)]
        while todo:
            path, parent = todo.pop()
            whole = f"{self._root}/{path}" if path else self._root
            # In this order for a folder that may be listed but not entered; see `Ignore`.
            reason = access_reason(whole)
            try:
                with os.scandir(whole) as listing:
                    entries = sorted(listing, key=_BY_NAME)
            except OSError as error:
                self._skip(path, error_reason(error))
                continue
            marks = [entry.name for entry in entries if entry.name in MARKS]
            folder = reason or self.ignore.enter(parent, path, marks)
            if isinstance(folder, str):
                self._skip(path, folder)
                continue
            found, inside = self._sort(f"{path}/" if path else "", entries, folder)
            todo.extend((name, folder) for name in reversed(inside))
            yield found

    def skipped_paths(self) -> list[tuple[str, str]]:
        """Return what was skipped, each path with its reason, up to a bound.

        Paths are as `printable` gives them.
        """
        return list(self._skips)

    def _sort(
        self, prefix: str, entries: list[os.DirEntry[str]], folder: Folder
    ) -> tuple[list[Found], list[str]]:
        """Return the files and the folders among the entries of one folder."""
        judge = self.ignore.judge
        found: list[Found] = []
        inside: list[str] = []
        for entry in entries:
            name = entry.name
            path = prefix + name
            try:
                is_dir = entry.is_dir(follow_symlinks=False)
                reason = judge(folder, path, name, is_dir)
                if reason is not None:
                    self._skip(path, reason)
                elif is_dir:
                    inside.append(path)
                elif entry.is_file(follow_symlinks=False):
                    state = entry.stat(follow_symlinks=False)
                    found.append(Found(path, state.st_size, state.st_mtime_ns))
                elif entry.is_symlink():
                    self._skip(path, self.ignore.link_reason(path))
                else:
                    self._skip(path, "not_a_file")
            except OSError as error:
                self._skip(path, error_reason(error))
        return found, inside

    def _skip(self, path: str, reason: str) -> None:
        self.skipped[reason] += 1
        if len(self._skips) < self._kept_skips:
            self._skips.append((printable(path) or ".", reason))
