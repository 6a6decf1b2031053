"""The files of a workspace: what is left out, as git has it, what is there, and what is read of it.

May import nothing of sidecar. Imports nothing here: the gate of completions needs `secrets` alone.
"""

from __future__ import annotations

__all__: list[str] = []
