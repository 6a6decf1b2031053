"""The methods of the protocol, one module each.

A module names its `METHOD` and has a `handle(session, params)`, plain or async. A handler takes its
snapshot of a document before its first await. `app.py` registers the modules and catches what they
raise. May import everything of `server` but `app.py`.
"""

from __future__ import annotations

__all__: list[str] = []
