"""What a front and its indexer say to each other.

Values of this module travel as msgpack maps with the name of their class under `kind`. Paths are
absolute where a front names them, and relative to their root where the indexer does. May import
`frames` of this package.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass, field, fields
from typing import Any, Literal

from sidecar.index.wire.frames import FrameError, pack, unpack

__all__ = [
    "Busy",
    "Changed",
    "Committed",
    "FromFront",
    "FromIndexer",
    "IndexSettings",
    "Logged",
    "Open",
    "Opened",
    "Phase",
    "Rescan",
    "State",
    "Stop",
    "from_frame",
    "to_frame",
]

Phase = Literal["walking", "checking", "indexing", "idle", "failed"]


@dataclass(frozen=True, slots=True)
class IndexSettings:
    """What the user said about the index.

    Args:
        exclude: Patterns as in a `.sidecarignore` at the root.
        max_file_bytes: Larger files are skipped.
        sweep_seconds: How often a root is compared with the disk, at least; large ones less often.
        external: Whether what opened files import from outside of their root is read as well.
    """

    exclude: tuple[str, ...] = ()
    max_file_bytes: int = 1_000_000
    sweep_seconds: float = 30.0
    external: bool = True


@dataclass(frozen=True, slots=True)
class Open:
    """Serve these roots from now on, and no others.

    Args:
        roots: Absolute paths of the workspace's folders.
        settings: What the user said.
        watch: Whether to watch directories, because the client reports no file events.
    """

    roots: tuple[str, ...]
    settings: IndexSettings = field(default_factory=IndexSettings)
    watch: bool = False


@dataclass(frozen=True, slots=True)
class Changed:
    """Something happened at these paths; what it was is found on disk."""

    paths: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Opened:
    """The user looks at this file: what it imports comes first."""

    path: str


@dataclass(frozen=True, slots=True)
class Busy:
    """A completion runs: bulk work pauses for so many milliseconds."""

    ms: float


@dataclass(frozen=True, slots=True)
class Rescan:
    """Compare the roots with the disk now, because something may have been missed."""


@dataclass(frozen=True, slots=True)
class Stop:
    """End."""


@dataclass(frozen=True, slots=True)
class State:
    """Where one root stands.

    Args:
        root: The root, as the front named it.
        phase: What is being done.
        done: Files done in this phase.
        total: Files to do in this phase.
        files: Files in the index.
        skipped: Files that are not in it, by reason.
        leader: Whether this process does the heavy work, which one of several fronts' does.
        notice: What the user should know, or nothing.
        left_out_outside: Files outside of the root that are not in it, by reason.
        database: Where the index lies if that is not where all processes look for it, or nothing.
    """

    root: str
    phase: Phase = "idle"
    done: int = 0
    total: int = 0
    files: int = 0
    skipped: dict[str, int] = field(default_factory=dict)
    leader: bool = False
    notice: str = ""
    left_out_outside: dict[str, int] = field(default_factory=dict)
    database: str = ""


@dataclass(frozen=True, slots=True)
class Committed:
    """Queries give new answers for these files.

    Args:
        root: The root, as the front named it.
        generation: The database's counter of changes.
        paths: Files that were written or removed.
        interface_changed: Those whose interface fingerprint is another one now.
    """

    root: str
    generation: int
    paths: tuple[str, ...] = ()
    interface_changed: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Logged:
    """One line for the front's log, free of source code."""

    level: int
    text: str


FromFront = Open | Changed | Opened | Busy | Rescan | Stop
FromIndexer = State | Committed | Logged

_KINDS: dict[str, type[FromFront] | type[FromIndexer]] = {
    kind.__name__: kind
    for kind in (Open, Changed, Opened, Busy, Rescan, Stop, State, Committed, Logged)
}


def to_frame(message: FromFront | FromIndexer) -> bytes:
    """Frame a message."""
    body: dict[str, Any] = {item.name: getattr(message, item.name) for item in fields(message)}
    if isinstance(message, Open):
        body["settings"] = asdict(message.settings)
    return pack({"kind": type(message).__name__, **body})


def from_frame(body: bytes) -> FromFront | FromIndexer:
    """Rebuild a message.

    Raises:
        FrameError: It is none.
    """
    value = unpack(body)
    try:
        kind = _KINDS[value.pop("kind")]
        if kind is Open:
            value["settings"] = IndexSettings(**value["settings"])
        return kind(**value)
    except (AttributeError, KeyError, TypeError) as error:
        raise FrameError(f"no message of ours ({type(error).__name__})") from error
