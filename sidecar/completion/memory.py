"""What a front remembers of its anchors from one session to the next: a small file a document.

The engine keeps evaluated prompts on disk; they are of use only to who asks for the very same
prompt again, which depends on where one came from, and on how fast the machine was. Files are their
user's alone, since they hold code, and end with age, as lanes do. Nothing here may fail a request.
May import `remembered` and `settings`.
"""

from __future__ import annotations

import asyncio
import hashlib
import json
import os
import time
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Final

from sidecar import __version__
from sidecar.completion.remembered import from_json, remembered, to_json
from sidecar.errors import SidecarError
from sidecar.settings.paths import lanes_dir
from sidecar.settings.private import PART, write_private

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from sidecar.completion.places import Kept
    from sidecar.completion.remembered import Remembered
    from sidecar.settings import Settings

__all__ = ["SECONDS_KEPT", "Memory"]

#: As long as the engine keeps lanes on disk.
SECONDS_KEPT: Final = 7 * 86400.0
#: What changed is written so long after; if the front is killed, no more than that is lost.
_DELAY_SECONDS: Final = 20.0
#: Documents of which anchors are remembered, those written last.
_MOST_FILES: Final = 256
_SUFFIX: Final = ".places"
_FORMAT: Final = 1


class Memory:
    """Remembers anchors.

    Args:
        settings: Returns the settings in force.
        folder: Returns where files lie; raises if there is no such place.
        now: Tells seconds since the epoch, as files do.
    """

    def __init__(
        self,
        settings: Callable[[], Settings],
        folder: Callable[[], Path] = lanes_dir,
        now: Callable[[], float] = time.time,
    ) -> None:
        self._settings = settings
        self._folder = folder
        self._now = now
        #: By document, who tells what is to be written, and the terms on which it was made.
        self._due: dict[str, tuple[Callable[[], Sequence[Kept]], str]] = {}
        self._written: dict[str, bytes] = {}
        self._timer: asyncio.TimerHandle | None = None
        self._tidied = False

    def recall(self, uri: str) -> list[Remembered]:
        """Return the anchors of a document in the session before, the one used last first."""
        path = self._path(uri)
        if path is None:
            return []
        try:
            if self._now() - path.stat().st_mtime > SECONDS_KEPT:
                raise ValueError
            digest, _, body = path.read_bytes().partition(b"\n")
            if digest != _digest(body):
                raise ValueError
            found = json.loads(body)
            if (found["uri"], found["terms"]) != (uri, self._terms()):
                # Other settings make other prompts.
                raise ValueError
            return [from_json(one) for one in found["places"]]
        except OSError:
            return []
        except (ValueError, KeyError, TypeError):
            _unlink(path)
            return []

    def note(self, uri: str, kept: Callable[[], Sequence[Kept]]) -> None:
        """Hear that a document's anchors may have changed.

        Args:
            uri: The document.
            kept: Returns its anchors, the one in use first.
        """
        self._due[uri] = kept, self._terms()
        if self._timer is None:
            self._timer = asyncio.get_running_loop().call_later(_DELAY_SECONDS, self.flush)

    def flush(self, uri: str | None = None) -> None:
        """Write what changed, of one document or of all: now, or it would be gone."""
        if uri is None and self._timer is not None:
            self._timer.cancel()
            self._timer = None
        for one in [*self._due] if uri is None else [uri]:
            due = self._due.pop(one, None)
            path = self._path(one) if due is not None else None
            if due is not None and path is not None:
                kept, terms = due
                self._write(path, one, terms, kept())

    def _write(self, path: Path, uri: str, terms: str, kept: Sequence[Kept]) -> None:
        if not kept:
            return
        # Some 20 KB, a few times a minute at most: not worth a thread.
        places = [to_json(remembered(one)) for one in kept]
        body = json.dumps({"uri": uri, "terms": terms, "places": places}).encode()
        digest = _digest(body)
        if self._written.get(uri) == digest:
            return
        if write_private(path, (digest, b"\n", body)):
            self._written[uri] = digest
        self._tidy(path.parent)

    def _path(self, uri: str) -> Path | None:
        """Return a document's file; None, and there are no files, if nothing is to be kept."""
        try:
            folder = self._folder()
        except SidecarError:
            return None
        if not self._settings().engine.keep_lanes_mb:
            self._tidy(folder, nothing=True)
            return None
        name = hashlib.blake2b(uri.encode(errors="surrogatepass"), digest_size=16).hexdigest()
        return folder / (name + _SUFFIX)

    def _tidy(self, folder: Path, *, nothing: bool = False) -> None:
        """Remove what is old or too much, once; all of it where nothing is to be kept."""
        if self._tidied and not nothing:
            return
        self._tidied = True
        found: list[tuple[float, str]] = []
        with suppress(OSError):
            for entry in os.scandir(folder):
                if entry.name.endswith((_SUFFIX, _SUFFIX + PART)):
                    with suppress(OSError):
                        found.append((entry.stat(follow_symlinks=False).st_mtime, entry.path))
        found.sort(reverse=True)
        oldest = self._now() - SECONDS_KEPT
        for number, (at, path) in enumerate(found):
            if nothing or number >= _MOST_FILES or at < oldest:
                _unlink(Path(path))

    def _terms(self) -> str:
        """Name what prompts depend on besides the document."""
        settings = self._settings()
        # What may be shown of other files, and to whom, depends on more than what is wanted.
        shown = settings.context, settings.index, settings.engine.remote, settings.model
        terms = f"{_FORMAT} {__version__} {shown!r}"
        return hashlib.blake2b(terms.encode(), digest_size=16).hexdigest()


def _digest(body: bytes) -> bytes:
    return hashlib.blake2b(body, digest_size=16).hexdigest().encode()


def _unlink(path: Path) -> None:
    with suppress(OSError):
        path.unlink()
