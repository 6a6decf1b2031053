"""Keeps the results of a long run as they come, so that one that was stopped can go on.

A file of JSON lines: what the run is about, then a line for each task. A last line that was cut off
is left out. May import `errors`.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from sidecar.errors import UsageError

if TYPE_CHECKING:
    from pathlib import Path

__all__ = ["Journal"]


class Journal:
    """One run's results on disk.

    Args:
        path: The file; it is made when it is not there.
        about: What the run depends on; a file of another run is not continued.

    Raises:
        UsageError: The file is of something else, or cannot be written.
    """

    def __init__(self, path: Path, about: dict[str, Any]) -> None:
        self._path = path
        self._kept: dict[str, tuple[str, dict[str, Any]]] = {}
        try:
            text = path.read_text(encoding="utf-8") if path.exists() else ""
            lines = text.splitlines(keepends=True)
            if lines:
                self._take(lines, about)
            else:
                self._write(json.dumps(about) + "\n")
            if text and not text.endswith("\n"):
                # What follows a line that was cut off must not be joined to it.
                self._write("\n")
        except (OSError, UnicodeDecodeError) as error:
            raise UsageError(f"{path} cannot be kept ({error})", "name another file") from error

    def __len__(self) -> int:
        return len(self._kept)

    def get(self, name: str, digest: str) -> dict[str, Any]:
        """Return what is kept of a task, nothing if the task has changed since."""
        known, results = self._kept.get(name, ("", {}))
        return results if known == digest else {}

    def add(self, name: str, digest: str, results: dict[str, Any]) -> None:
        """Keep the results of a task."""
        self._kept[name] = (digest, results)
        self._write(json.dumps({"task": name, "digest": digest, "results": results}) + "\n")

    def _take(self, lines: list[str], about: dict[str, Any]) -> None:
        if _parsed(lines[0]) != about:
            raise UsageError(
                f"{self._path} is not of this run (another model, seed or data)",
                "name a new file, or run what it was begun with",
            )
        for line in lines[1:]:
            entry = _parsed(line)
            if isinstance(entry, dict) and {"task", "digest", "results"} <= entry.keys():
                self._kept[entry["task"]] = (entry["digest"], entry["results"])

    def _write(self, text: str) -> None:
        with self._path.open("a", encoding="utf-8") as file:
            file.write(text)


def _parsed(line: str) -> Any:
    try:
        return json.loads(line)
    except ValueError:
        return None
