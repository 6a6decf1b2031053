"""Where sidecar keeps its files on this machine: models, indexes, logs and sockets.

Every directory is created on first use. Must never put a socket or a log where another user could
read or replace it. May import platformdirs, and `errors` of this package.
"""

from __future__ import annotations

import os
import stat
import tempfile
from pathlib import Path

import platformdirs

from sidecar.errors import EngineError, ModelError

__all__ = ["cache_dir", "index_dir", "lanes_dir", "log_dir", "runtime_dir"]

_NAME = "sidecar"
_RUNTIME_VARIABLE = "SIDECAR_RUNTIME_DIR"


def cache_dir() -> Path:
    """Return the directory of models and other things that can be fetched or computed again.

    Raises:
        ModelError: It cannot be made.
    """
    chosen = os.environ.get("SIDECAR_CACHE_DIR")
    try:
        path = Path(chosen).expanduser() if chosen else platformdirs.user_cache_path(_NAME)
    except RuntimeError as error:
        raise ModelError(
            f"{chosen} names a home directory that is not there",
            "set SIDECAR_CACHE_DIR to a directory that can be written",
        ) from error
    try:
        path.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise ModelError(
            f"the directory {path} cannot be used ({error.strerror})",
            "set SIDECAR_CACHE_DIR to a directory that can be written",
        ) from error
    return path


def index_dir() -> Path:
    """Return the directory of indexes, which only this user may enter.

    Raises:
        ModelError: There is no cache directory.
        EngineError: The directory cannot be made, or is somebody else's.
    """
    return _private(cache_dir() / "index", "SIDECAR_CACHE_DIR")


def lanes_dir() -> Path:
    """Return the directory of what sessions leave for the next one, this user's alone: it is code.

    Raises:
        ModelError: There is no cache directory.
        EngineError: The directory cannot be made, or is somebody else's.
    """
    variable = "SIDECAR_LANES_DIR"
    chosen = os.environ.get(variable)
    if chosen:
        return _chosen(Path(chosen).expanduser(), variable)
    return _private(cache_dir() / "lanes", "SIDECAR_CACHE_DIR")


def log_dir() -> Path:
    """Return the directory of log files, readable by this user only."""
    return _private(platformdirs.user_log_path(_NAME))


def runtime_dir() -> Path:
    """Return the directory of sockets and locks, which only this user may enter.

    Raises:
        EngineError: The directory belongs to somebody else or others may change it, or it cannot
            be made.
    """
    chosen = os.environ.get(_RUNTIME_VARIABLE)
    if chosen:
        return _chosen(Path(chosen).expanduser())
    if os.name == "nt":
        return _private(platformdirs.user_cache_path(_NAME) / "run")
    session = os.environ.get("XDG_RUNTIME_DIR")
    if session and _is_ours(Path(session)):
        return _private(Path(session) / _NAME)
    # After `su` the variable names another user's directory, and in containers there is none.
    return _private(Path(tempfile.gettempdir()) / f"{_NAME}-{os.getuid()}")


def _is_ours(path: Path) -> bool:
    try:
        found = path.lstat()
    except OSError:
        return False
    return stat.S_ISDIR(found.st_mode) and found.st_uid == os.getuid()


def _chosen(path: Path, variable: str = _RUNTIME_VARIABLE) -> Path:
    """Return the directory that the user named, or one of our own inside if others may enter it.

    A directory that exists is not ours to close: it may be the home directory, or everybody's.
    """
    try:
        found = path.lstat()
    except OSError:
        # Missing, or unreachable, which making it will tell.
        return _private(path, variable)
    mode = stat.S_IMODE(found.st_mode)
    if os.name != "posix" or not stat.S_ISDIR(found.st_mode) or not mode & 0o077:
        return _private(path, variable)
    if found.st_uid not in (0, os.getuid()) or (mode & 0o022 and not mode & stat.S_ISVTX):
        # Who may rename what lies in it may put something else in its place.
        raise EngineError(
            f"others may replace what lies in the directory {path}",
            f"set {variable} to a directory that only you may write to",
        )
    return _private(path / f"{_NAME}-{os.getuid()}", variable)


def _private(path: Path, variable: str = _RUNTIME_VARIABLE) -> Path:
    """Make a directory of our own that only its user may enter, or see to it that it is so."""
    try:
        path.mkdir(mode=0o700, parents=True, exist_ok=True)
        if os.name != "posix":
            return path
        # lstat: a link in a shared temporary directory may lead into anybody's hands.
        found = path.lstat()
        if not stat.S_ISDIR(found.st_mode) or found.st_uid != os.getuid():
            raise EngineError(
                f"the directory {path} is not a directory of this user",
                f"remove it, or set {variable} to a directory of your own",
            )
        if stat.S_IMODE(found.st_mode) & 0o077:
            path.chmod(0o700)
    except OSError as error:
        raise EngineError(
            f"the directory {path} cannot be used ({error.strerror})",
            f"set {variable} to a directory of your own",
        ) from error
    return path
