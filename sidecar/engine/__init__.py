"""The engine: the process that owns the model, and the front's way to it.

A front imports `messages`, `spec`, `client` and what these need; everything else runs in the
engine's own process. Modules are imported by name, so that a front never loads llama_cpp or numpy.
"""

from __future__ import annotations

__all__: list[str] = []
