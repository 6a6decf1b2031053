"""Folders and files that a command names, and an index of them that is up to date.

May import `index` and `settings`, and `output` and `progress` of this package.
"""

from __future__ import annotations

import os
import stat
import sys
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from sidecar.errors import SidecarError, UsageError
from sidecar.index.once import index_once
from sidecar.index.place import database_path
from sidecar.index.query.reader import Reader
from sidecar.index.roots import too_broad
from sidecar.index.wire.messages import IndexSettings
from sidecar.settings import Settings

if TYPE_CHECKING:
    from collections.abc import Iterator

    from sidecar.index.once import Summary
    from sidecar.index.wire.messages import State

__all__ = ["bring_up_to_date", "folder", "root_around", "up_to_date"]

#: What marks the top of a project, for commands that name a file in it.
_MARKS = (
    *(".git", ".hg", ".svn", ".sidecarignore", "pyproject.toml", "setup.py", "package.json"),
    *("go.mod", "Cargo.toml", "pom.xml", "build.gradle", "composer.json", "Gemfile"),
)


def folder(text: str) -> str:
    """Return the absolute path of a folder that can be indexed.

    Raises:
        UsageError: It is none, too broad, or closed to this user.
    """
    if not text:
        # An empty variable of a script, which does not mean the folder that it runs in.
        raise UsageError("the name of the folder is empty", "name the folder of a project")
    path = os.path.abspath(os.path.expanduser(text))
    try:
        is_folder = stat.S_ISDIR(os.stat(path).st_mode)
    except PermissionError:
        raise UsageError(
            f"the folder {text} cannot be reached", "check the permissions of those around it"
        ) from None
    except (OSError, ValueError):
        is_folder = False
    if not is_folder:
        what = f"{text} is not a folder"
        if not os.path.lexists(path):
            what = f"the folder {text} is not there"
        raise UsageError(what, "name the folder of a project")
    if why := too_broad(path):
        raise UsageError(f"{path} is too much to index: {why}", "name the folder of a project")
    if not os.access(path, os.R_OK | os.X_OK):
        # As if it were empty, its index would be emptied as well.
        raise UsageError(f"the folder {text} cannot be read", "check its permissions")
    return path


def root_around(file: str) -> str:
    """Return the folder of the project that a file belongs to.

    Raises:
        UsageError: It is no file, or belongs to no project.
    """
    if not file:
        raise UsageError("the name of the file is empty", "name a source file")
    path = Path(os.path.abspath(file))
    if not path.is_file():
        what = "is a folder" if path.is_dir() else "is no regular file"
        if not path.exists():
            what = "is a link to nothing" if path.is_symlink() else "is not there"
        raise UsageError(f"the file {file} {what}", "name a source file")
    inner = [parent for parent in path.parents if not too_broad(str(parent))]
    # A repository, else the folder that one is in, else the outermost manifest: packages of a
    # workspace have their own.
    marked = [parent for parent in inner if any((parent / mark).exists() for mark in _MARKS)]
    repositories = [parent for parent in marked if (parent / ".git").exists()]
    here = Path.cwd()
    found = repositories[:1] or ([here] if here in inner else []) or marked[-1:] or inner[:1]
    if not found:
        raise UsageError(f"{file} lies in no folder that can be indexed", "move it into a project")
    return str(found[0])


def bring_up_to_date(root: str, *, force: bool = False, show: bool = True) -> Summary:
    """Make the index of a folder equal to what is on disk, and show how that goes.

    Args:
        root: The folder.
        force: Whether to read everything anew.
        show: Whether to show progress on a terminal.

    Raises:
        SidecarError: It cannot be indexed.
    """
    chosen = Settings().index
    settings = IndexSettings(
        tuple(chosen.exclude), chosen.max_file_kb * 1000, float(chosen.sweep_seconds)
    )
    if not show or not sys.stderr.isatty():
        return index_once(root, settings, force=force)
    from sidecar.cli.index_progress import IndexProgress

    with IndexProgress() as progress:

        def shown(state: State) -> None:
            progress.at(state.phase, state.done, state.total)

        return index_once(root, settings, shown, force=force)


@contextmanager
def up_to_date(root: str) -> Iterator[Reader]:
    """Give an index of a folder that is equal to what is on disk.

    Raises:
        SidecarError: There is none and none can be made.
    """
    summary = bring_up_to_date(root)
    with Reader(database_path(root)) as reader:
        if not reader.available:
            # What else it says, that another one is used for the time being, helps nobody here.
            what, _, _ = summary.notice.rpartition(";")
            raise SidecarError(
                what or summary.notice or f"the index of {root} cannot be kept",
                "set SIDECAR_CACHE_DIR to a directory that can be written",
            )
        yield reader
