"""A server elsewhere as the engine: what a front says to llama-server or vLLM instead of its own.

Nothing here runs unless the user named an address. Must never import llama_cpp or numpy.
"""

from __future__ import annotations

__all__: list[str] = []
