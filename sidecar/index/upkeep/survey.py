"""A root compared with what is known of it: what was added, changed or lost behind our back.

Looks at names, sizes and times only, in steps short enough that an edit between two of them does
not wait. Must never open a source file nor write. May import `index.files`, `index.storage`, and
`workspace` of this package.
"""

from __future__ import annotations

import time
from collections import Counter
from typing import TYPE_CHECKING

from sidecar.index.files.content import size_limit
from sidecar.index.files.walk import Walk

if TYPE_CHECKING:
    from collections.abc import Iterator

    from sidecar.index.files.content import Skip
    from sidecar.index.files.ignore import Ignore
    from sidecar.index.files.walk import WalkSettings
    from sidecar.index.storage.store import Known
    from sidecar.index.upkeep.workspace import Workspace

__all__ = ["Survey"]

#: Seconds after which a step ends.
_STEP = 0.005

#: Reasons that stay while size and time do. Rights and limits may change without either.
_LASTING = frozenset({"binary", "crashed", "encoding", "generated", "minified", "too_slow"})


class Survey:
    """One walk and what it found out.

    Args:
        workspace: What is known.
        settings: What the user said about walking.
        max_bytes: Larger files are skipped.

    Attributes:
        found: Size and time of every file that is not left out.
        seconds: What the walk took.
    """

    def __init__(self, workspace: Workspace, settings: WalkSettings, max_bytes: int) -> None:
        self._max_bytes = max_bytes
        self._workspace = workspace
        self._walk = Walk(workspace.root, settings)
        self.found: dict[str, tuple[int, int]] = {}
        self.seconds = 0.0

    @property
    def ignore(self) -> Ignore:
        """The rules of this walk, read anew for it."""
        return self._walk.ignore

    def steps(self) -> Iterator[None]:
        """Walk; pauses whenever somebody else may want to run."""
        found = self.found
        start = time.perf_counter()
        for files in self._walk.folders():
            for path, size, mtime_ns in files:
                found[path] = (size, mtime_ns)
            if time.perf_counter() - start > _STEP:
                self.seconds += time.perf_counter() - start
                yield
                start = time.perf_counter()
        self.seconds += time.perf_counter() - start

    def changed(self) -> list[str]:
        """Return the files that are new, or not as they were when they were read."""
        known = self._workspace.known
        skips = self._workspace.skips
        changed = []
        for path, (size, mtime_ns) in self.found.items():
            held: Known | Skip | None = known.get(path)
            if held is None:
                held = skips.get(path)
                if held is not None and held.reason not in _LASTING:
                    held = None
            elif size > size_limit(path, self._max_bytes):
                held = None
            if held is None or held.mtime_ns != mtime_ns or held.size != size:
                changed.append(path)
        return changed

    def lost(self) -> list[str]:
        """Return the files that are known and were not found."""
        return list(self._workspace.known.keys() - self.found.keys())

    def skips(self) -> tuple[dict[str, str], dict[str, int]]:
        """Return what is left out: reasons by path, and counts of what is not listed so."""
        more = Counter(self._walk.skipped)
        listed = dict(self._walk.skipped_paths())
        more.subtract(Counter(listed.values()))
        listed.update(
            (path, skip.reason)
            for path, skip in self._workspace.skips.items()
            if path in self.found
        )
        return listed, {reason: count for reason, count in more.items() if count > 0}
