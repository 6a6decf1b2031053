"""A session's indexes: which folders have one, who tells of changes, and how things are.

Everything here only passes words on; files and databases are the indexer's and the lookups'. Must
never wait in a way that a keystroke could feel. May import `index`, `settings` and `telemetry`.
"""

from __future__ import annotations

import logging
import os
import time
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sidecar.errors import SidecarError
from sidecar.index.place import database_path
from sidecar.index.roots import too_broad
from sidecar.index.storage.database import StoreDamagedError
from sidecar.index.wire.client import IndexClient
from sidecar.index.wire.messages import IndexSettings, Open, State

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable
    from typing import TypeVar

    from sidecar.index.query.overlay import Overlay
    from sidecar.index.wire.messages import Committed
    from sidecar.server.lookups import Lookups
    from sidecar.server.outbound import Outbound
    from sidecar.settings import Settings
    from sidecar.telemetry import Metrics

    T = TypeVar("T")

__all__ = ["Indexing"]

log = logging.getLogger(__name__)

#: Work on an index that takes longer is shown.
_SHOWN_SECONDS = 1.0
#: How long bulk work pauses after a completion was asked for: most of its computing is then done.
_BUSY_MS = 100.0
#: So often at most, or somebody who types without a rest would never have a complete index.
_BUSY_AGAIN_SECONDS = 0.25
_WORDS = {"walking": "looking for files", "checking": "comparing files", "indexing": "indexing"}


@dataclass(slots=True)
class _Root:
    """What is known of how one root goes."""

    state: State
    opened: float
    #: Seconds until all was known for the first time.
    seconds: float | None = None
    generation: int = 0
    working_since: float | None = None


class Indexing:
    """Keeps the indexes of the session's folders.

    Args:
        lookups: Where they are asked.
        settings: Returns the settings in force.
        outbound: The way to the client.
        metrics: Where things are counted.
        watches_files: Whether the client tells of files that change.
        on_learned: Called when more is known of a root, with files in it that declare other things
            now.
    """

    def __init__(
        self,
        lookups: Lookups,
        settings: Callable[[], Settings],
        outbound: Outbound,
        metrics: Metrics,
        *,
        watches_files: bool,
        on_learned: Callable[[str, Collection[str]], None],
    ) -> None:
        self.lookups = lookups
        self._settings = settings
        self._outbound = outbound
        self._metrics = metrics
        self._watches_files = watches_files
        self._on_learned = on_learned
        self._client = IndexClient(self._on_state, self._on_committed)
        self._folders: dict[str, None] = {}
        self._roots: dict[str, _Root] = {}
        self._refused: dict[str, str] = {}
        self._opened: Open | None = None
        self._started = False
        self._client_watches = False
        self._said_busy = 0.0

    async def start(self, folders: Iterable[str]) -> None:
        """Begin, with the folders that are open."""
        self._started = True
        self._folders.update(dict.fromkeys(folders))
        await self.configure()

    async def change_folders(self, added: Iterable[str], removed: Iterable[str]) -> None:
        """Take in that folders were opened or closed."""
        for folder in removed:
            self._folders.pop(folder, None)
        self._folders.update(dict.fromkeys(added))
        await self.configure()

    async def configure(self) -> None:
        """Put the settings in force."""
        if not self._started:
            return
        chosen = self._settings().index
        roots = self._servable() if chosen.enabled else {}
        client_watches = bool(roots and self._watches_files and chosen.watch in ("auto", "client"))
        message = Open(
            tuple(roots),
            IndexSettings(
                tuple(chosen.exclude),
                chosen.max_file_kb * 1000,
                float(chosen.sweep_seconds),
                chosen.external,
            ),
            watch=chosen.watch == "watchdog" or (chosen.watch == "auto" and not client_watches),
        )
        if message != self._opened:
            self._opened = message
            self._open(message, roots)
        if client_watches != self._client_watches:
            self._client_watches = client_watches
            outbound = self._outbound
            await (outbound.hear_of_files() if client_watches else outbound.hear_no_more_of_files())

    def opened(self, path: str) -> None:
        """Tell that the user looks at a file: what it imports comes first."""
        if self._is_below(path):
            self._client.opened(path)

    def changed(self, paths: Iterable[str]) -> None:
        """Tell that something happened at these absolute paths."""
        if self._roots:
            self._client.changed(paths)

    def busy(self) -> None:
        """Have bulk work pause, because somebody types."""
        now = time.monotonic()
        if self._roots and now - self._said_busy > _BUSY_AGAIN_SECONDS:
            self._said_busy = now
            self._client.busy(_BUSY_MS)

    async def ask(self, root: str, question: Callable[[Overlay], T], nothing: T) -> T:
        """Ask about one root, with the open documents in place of their files."""
        try:
            return await self.lookups.ask(root, question, nothing)
        except StoreDamagedError:
            log.warning("the index is damaged, and is made anew")
            self._client.rescan()
            return nothing

    async def status(self) -> dict[str, Any]:
        """Tell how things are."""
        hits = self._metrics.counter("index.cache.hit")
        asked = hits + self._metrics.counter("index.cache.miss")
        return {
            "enabled": self._settings().index.enabled,
            "pid": self._client.pid,
            "failure": self._client.failure,
            "watching": self._watching(),
            "cacheHitRate": hits / asked if asked else None,
            "roots": [await self._told(root) for root in self._roots],
            "refused": dict(self._refused),
        }

    async def close(self) -> None:
        """End the indexer and let go of the databases."""
        self._started = False
        await self._client.close()
        self.lookups.close()

    def _servable(self) -> dict[str, Path]:
        """Return the folders that can be indexed, each with its database."""
        found: dict[str, Path] = {}
        refused: dict[str, str] = {}
        for folder in self._folders:
            why = too_broad(folder)
            if why:
                refused[folder] = f"{why}: too much to index; open the folder of a project"
                continue
            if not os.path.isdir(folder):
                refused[folder] = "there is no such folder"
                continue
            try:
                found[folder] = database_path(folder)
            except (SidecarError, OSError) as error:
                refused[folder] = str(error)
        for folder in refused.keys() - self._refused.keys():
            log.warning("a folder is not indexed: %s", refused[folder])
        self._refused = refused
        return found

    def _open(self, message: Open, databases: dict[str, Path]) -> None:
        now = time.monotonic()
        for root in [root for root in self._roots if root not in databases]:
            del self._roots[root]
        for root in databases:
            self._roots.setdefault(root, _Root(State(root), now))
        self.lookups.serve(databases)
        if message.roots or self._client.pid is not None:
            # Without roots it stays, since folders that were closed are often replaced by others.
            self._client.open(message)
            # Documents that were opened before we knew which folders and settings there are.
            for path in reversed(self.lookups.open_paths()):
                self._client.opened(path)
        if not self._roots:
            self._outbound.progress("index", "nothing is indexed", 1.0)

    def _on_state(self, state: State) -> None:
        root = self._roots.get(state.root)
        if root is None:
            return
        now = time.monotonic()
        if state.notice and state.notice != root.state.notice:
            log.warning("%s", state.notice)
        if state.database != root.state.database:
            self.lookups.move(root.state.root, Path(state.database or database_path(state.root)))
        root.state = state
        if state.phase in ("idle", "failed"):
            # The first thing that is said is that nothing was begun.
            begun = root.working_since is not None or (state.files and not state.leader)
            if root.seconds is None and begun and state.phase == "idle":
                root.seconds = now - root.opened
            root.working_since = None
        elif root.working_since is None:
            root.working_since = now
        self._show_progress(now)

    def _show_progress(self, now: float) -> None:
        working = [
            root
            for root in self._roots.values()
            if root.working_since is not None and root.state.phase != "checking"
        ]
        if not working:
            self._outbound.progress("index", "the workspace is indexed", 1.0)
            return
        slowest = min(working, key=lambda root: root.working_since or now)
        if now - (slowest.working_since or now) < _SHOWN_SECONDS:
            return
        state = slowest.state
        share = min(0.99, state.done / state.total) if state.total else 0.0
        count = f"{state.done:,} of {state.total:,}" if state.total else f"{state.done:,}"
        self._outbound.progress("index", f"{_WORDS[state.phase]}: {count} files", share)

    def _on_committed(self, committed: Committed) -> None:
        root = self._roots.get(committed.root)
        if root is not None:
            root.generation = committed.generation
            self._metrics.count("index.commits")
            self._metrics.count("index.committed_files", len(committed.paths))
            self._on_learned(committed.root, committed.interface_changed)

    async def _told(self, root: str) -> dict[str, Any]:
        known = self._roots[root]
        counts = await self.ask(root, lambda index: index.counts(), None)
        state = asdict(known.state)
        left_out = state.pop("left_out_outside")
        del state["database"]
        if counts is not None and counts.files:
            state["skipped"] = counts.skipped
        return {
            **state,
            "generation": known.generation,
            "firstSeconds": known.seconds,
            "symbols": counts.symbols if counts else 0,
            "references": counts.references if counts else 0,
            "databaseBytes": counts.database_bytes if counts else 0,
            "errors": counts.errors if counts else {},
            "outside": {"files": counts.external if counts else 0, "skipped": left_out},
        }

    def _watching(self) -> str:
        if self._client_watches:
            return "client"
        return "watchdog" if self._opened is not None and self._opened.watch else "off"

    def _is_below(self, path: str) -> bool:
        return self.lookups.root_of(path) is not None
