"""Which paths of a workspace are left out, and why: the one answer for walks and for events.

Reasons are words to count: `ignored` (a rule, or a folder that never holds source), `secret`,
`odd_name`, `unreadable`, `too_deep` (the path is longer than the system allows), `not_a_file`,
`vanished`, and for links, which are never followed, `link` (its target has a path of its own),
`outside`, `symlink_loop` and `broken_link`. What git tracks although a rule leaves it out is left
out here: git's index is not read. Never opens a source file. May import this package.
"""

from __future__ import annotations

import os
import re
import stat
from typing import TYPE_CHECKING, NamedTuple

from sidecar.index.files.content import error_reason
from sidecar.index.files.patterns import native
from sidecar.index.files.rules import MARKS, MARKS_IN_GIT, Folder, Rules, WalkSettings, is_rule_file
from sidecar.index.files.secrets import is_secret_folder, is_secret_name

if TYPE_CHECKING:
    from collections.abc import Collection
    from pathlib import Path

__all__ = ["Ignore", "WalkSettings", "access_reason", "is_rule_file", "printable"]

#: Folders that never hold source of the workspace itself, even where nobody wrote a rule for them.
#: No rule takes them back. Names that a package of the workspace could have are not here (`build`,
#: `target`, `vendor`); folders with a CACHEDIR.TAG or a pyvenv.cfg are left out under any name.
_PRUNED = frozenset(
    # What version control keeps, and what package managers install;
    {".git", ".hg", ".svn", ".jj", "node_modules", "bower_components"}
    # what tools derive from the source.
    | {"__pycache__", ".tox", ".nox", ".mypy_cache", ".ruff_cache", ".pytest_cache"}
    | {".hypothesis", ".eggs", ".gradle", ".terraform"}
)
#: Control characters, line breaks, and halves of pairs, which stand for bytes that are no UTF-8.
_ODD = re.compile("[\x00-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff]")
#: `access` asks for the rights that this process uses, where the system can tell them apart.
_EFFECTIVE = os.access in os.supports_effective_ids


class _Known(NamedTuple):
    """What was found inside a folder, and what has to be as it was for that to hold."""

    marks: Collection[str]
    stamp: tuple[object, ...]
    parent: Folder
    answer: Folder | str


class Ignore:
    """Which paths below a root are left out.

    Answers follow what is on disk: what is remembered of a folder is used only while the folder
    and its rule files are as they were. Call `forget` when a rule file changed (`is_rule_file`),
    because files outside of the root are not looked at again, and a file system's clock does not
    tell two quick changes apart.

    Args:
        root: The workspace. It is never left out itself, whatever a repository around it says.
        settings: What the user said.
    """

    def __init__(self, root: Path | str, settings: WalkSettings | None = None) -> None:
        self._root = os.path.abspath(root)
        self._rules = Rules(self._root, settings or WalkSettings())
        self._is_secret = any(is_secret_folder(name) for name in self._root.split(os.sep))
        self._outside: Folder | None = None
        self._known: dict[str, _Known] = {}

    def forget(self) -> None:
        """Read every rule again when it is next needed."""
        self._outside = None
        self._known.clear()

    def ignored(self, path: str, is_dir: bool) -> str | None:
        """Return why a path is left out by its name, the rules or its folder, or None.

        Args:
            path: The path, relative to the root, with `/` between its parts.
            is_dir: Whether it is a folder; what lies there is not looked at.
        """
        folder = self._above(path)
        if isinstance(folder, str):
            return folder
        return self.judge(folder, path, path.rpartition("/")[2], is_dir)

    def skip(self, path: str, is_dir: bool = False) -> str | None:
        """Return why a walk would skip a path, or a folder that it is in, or None.

        Args:
            path: The path, relative to the root, with `/` between its parts.
            is_dir: Whether it was a folder, for a path where nothing lies any more.
        """
        try:
            mode = os.lstat(f"{self._root}/{path}").st_mode
        except (OSError, ValueError) as error:
            reason = self.ignored(path, is_dir)
            return reason or error_reason(error)
        is_dir = stat.S_ISDIR(mode)
        folder = self._above(path)
        if isinstance(folder, str):
            return folder
        reason = self.judge(folder, path, path.rpartition("/")[2], is_dir)
        if reason is not None or stat.S_ISREG(mode):
            return reason
        if is_dir:
            inside = self._inside(folder, path)
            return inside if isinstance(inside, str) else None
        return self.link_reason(path) if stat.S_ISLNK(mode) else "not_a_file"

    def judge(self, folder: Folder, path: str, name: str, is_dir: bool) -> str | None:
        """Return why an entry of a folder is left out by its name or the rules, or None."""
        if not name.isprintable() and _ODD.search(name) is not None:
            return "odd_name"
        if name in _PRUNED and (is_dir or name == ".git"):
            return "ignored"
        if folder.layers:
            if not path.isascii():
                path = native(path)
                name = path.rpartition("/")[2]
            for matcher, start, prefix, _ in folder.layers:
                table = matcher.folders if is_dir else matcher.files
                number = table.verdict(name, path, start, prefix)
                if number > 0:
                    return "ignored"
                if number:
                    break
        if is_secret_folder(name) if is_dir else is_secret_name(path):
            return "secret"
        return None

    def outside(self) -> Folder | str:
        """Return what holds for the root because of where it lies, or why all is left out."""
        if self._is_secret:
            return "secret"
        if self._outside is None:
            self._outside = self._rules.outside()
        return self._outside

    def enter(self, parent: Folder, path: str, marks: Collection[str]) -> Folder | str:
        """Return what holds inside a folder, or why all of it is left out; see `Rules.enter`."""
        return self._rules.enter(parent, path, marks)

    def link_reason(self, path: str) -> str:
        """Return why what a link leads to is not indexed under the link's path."""
        whole = f"{self._root}/{path}"
        root = os.path.realpath(self._root)
        try:
            target = os.path.realpath(whole, strict=True)
        except OSError as error:
            return error_reason(error).replace("vanished", "broken_link")
        if not _is_within(target, root):
            return "outside"
        above = os.path.realpath(os.path.dirname(whole))
        return "symlink_loop" if _is_within(above, target) else "link"

    def _above(self, path: str) -> Folder | str:
        """What holds for the entries of the folder in which a path lies."""
        folder = self.outside()
        if isinstance(folder, str):
            return folder
        folder = self._inside(folder, "")
        at = path.find("/")
        while at >= 0 and not isinstance(folder, str):
            above = path[:at]
            reason = self.judge(folder, above, above.rpartition("/")[2], True)
            folder = reason or self._inside(folder, above)
            at = path.find("/", at + 1)
        return folder

    def _inside(self, parent: Folder, path: str) -> Folder | str:
        """What holds inside a folder, as remembered if nothing changed there."""
        whole = f"{self._root}/{path}" if path else self._root
        known = self._known.get(path)
        if (
            known is not None
            and known.parent == parent
            and known.stamp == _stamp(whole, known.marks)
        ):
            return known.answer
        marks = [mark for mark in MARKS if os.path.lexists(f"{whole}/{mark}")]
        if ".git" in marks:
            marks += MARKS_IN_GIT
        stamp = _stamp(whole, marks)
        answer = self._look(parent, path, whole, MARKS.intersection(marks))
        self._known[path] = _Known(marks, stamp, parent, answer)
        return answer

    def _look(self, parent: Folder, path: str, whole: str, marks: Collection[str]) -> Folder | str:
        try:
            mode = (os.lstat if path else os.stat)(whole).st_mode
        except (OSError, ValueError) as error:
            # Where nothing is (any more) there is nothing that could say more than the parent.
            return parent if isinstance(error, FileNotFoundError) else error_reason(error)
        if stat.S_ISLNK(mode):
            return self.link_reason(path)
        if not stat.S_ISDIR(mode):
            return "vanished"
        return access_reason(whole) or self._rules.enter(parent, path, marks)


def access_reason(folder: str) -> str | None:
    """Return why a folder cannot be walked, or None."""
    allowed = os.access(folder, os.R_OK | os.X_OK, effective_ids=_EFFECTIVE)
    return None if allowed else "unreadable"


def printable(path: str) -> str:
    r"""Return a path that any text can hold: line breaks as `\n`, stray bytes as `\xff`."""

    def escaped(odd: re.Match[str]) -> str:
        if "\udc80" <= odd[0] <= "\udcff":
            return f"\\x{ord(odd[0]) - 0xDC00:02x}"
        return odd[0].encode("unicode_escape").decode()

    return _ODD.sub(escaped, path)


def _is_within(path: str, folder: str) -> bool:
    return f"{path}{os.sep}".startswith(folder.rstrip(os.sep) + os.sep)


def _stamp(whole: str, marks: Collection[str]) -> tuple[object, ...]:
    """The state of a folder and of the files in it that say what is left out."""
    return tuple(_state(name) for name in (whole, *(f"{whole}/{mark}" for mark in marks)))


def _state(path: str) -> object:
    try:
        found = os.lstat(path)
    except (OSError, ValueError):
        return None
    return found.st_mode, found.st_ino, found.st_size, found.st_mtime_ns, found.st_ctime_ns
