"""The index of a workspace: what every file declares, kept equal to what is on disk.

Imports nothing here, so that reading the index loads neither the watcher nor a grammar.
"""

from __future__ import annotations

__all__: list[str] = []
