"""The limits that a container sets on memory and processors, on Linux.

Must never fail: where nothing can be read there is no limit. May import nothing of this package.
Both versions of control groups: https://docs.kernel.org/admin-guide/cgroup-v2.html
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

__all__ = ["MemoryLimit", "cpu_quota", "memory_limit"]

#: Version 1 writes "no limit" as a number of about 2^63.
_UNLIMITED = 1 << 60


@dataclass(frozen=True, slots=True)
class MemoryLimit:
    """A limit on memory, and what is left of it, counting cached file pages as free."""

    limit_bytes: int
    free_bytes: int


def memory_limit(root: Path = Path("/")) -> MemoryLimit | None:
    """Return the tightest limit on memory of this process's groups, or None.

    Args:
        root: The root of the file system; tests give another.
    """
    found = []
    for folder in _folders(root, "memory"):
        two = (folder / "memory.max", folder / "memory.current", "inactive_file")
        one = (
            folder / "memory.limit_in_bytes",
            folder / "memory.usage_in_bytes",
            "total_inactive_file",
        )
        for limit_file, usage_file, cached_key in (two, one):
            limit = _number(limit_file)
            if limit is None or limit >= _UNLIMITED:
                continue
            usage = (_number(usage_file) or 0) - _field(folder / "memory.stat", cached_key)
            found.append(MemoryLimit(limit, max(0, limit - max(0, usage))))
    return min(found, key=lambda one: one.free_bytes, default=None)


def cpu_quota(root: Path = Path("/")) -> float | None:
    """Return how many processors this process's groups may keep busy, or None.

    Args:
        root: The root of the file system; tests give another.
    """
    found = []
    for folder in _folders(root, "cpu"):
        words = _text(folder / "cpu.max").split()
        if len(words) == 2 and words[0].isdigit() and words[1].isdigit() and int(words[1]):
            found.append(int(words[0]) / int(words[1]))
        quota = _number(folder / "cpu.cfs_quota_us")
        period = _number(folder / "cpu.cfs_period_us")
        if quota is not None and quota > 0 and period:
            found.append(quota / period)
    return min(found, default=None)


def _folders(root: Path, controller: str) -> list[Path]:
    """Return this process's groups for a controller, from the outermost to its own."""
    mounted = root / "sys/fs/cgroup"
    folders: list[Path] = []
    for line in _text(root / "proc/self/cgroup").splitlines():
        _, _, rest = line.partition(":")
        names, _, path = rest.partition(":")
        if names == "":
            base = mounted
        elif controller in names.split(","):
            base = next((p for p in (mounted / names, mounted / controller) if p.is_dir()), mounted)
        else:
            continue
        folders.append(base)
        # Inside a container the path is often one of the host's, which does not exist here.
        for part in Path(path.lstrip("/")).parts:
            base = base / part
            folders.append(base)
    return folders


def _text(path: Path) -> str:
    try:
        return path.read_text(encoding="ascii", errors="replace")
    except OSError:
        return ""


def _number(path: Path) -> int | None:
    try:
        return int(_text(path).strip())
    except ValueError:
        return None


def _field(path: Path, key: str) -> int:
    for line in _text(path).splitlines():
        name, _, value = line.partition(" ")
        if name == key and value.strip().isdigit():
            return int(value)
    return 0
