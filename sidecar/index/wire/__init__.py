"""What processes of the index say to each other: frames, messages, and a front's end of the pipes.

May import nothing of sidecar. Imports nothing here: a worker needs `frames` alone.
"""

from __future__ import annotations

__all__: list[str] = []
