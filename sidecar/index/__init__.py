"""The index of a workspace: what every file declares, kept equal to what is on disk.

Its parts import one way. `files` and `wire` know no other; `extract` knows both, `storage` what
that makes, `query` what is stored; `resolve` is pure, and `outside` adds a disk; `upkeep` keeps a
root true with all of them but `query`. The modules beside them make processes of the parts, and no
part imports one. Imports nothing here, so that reading the index loads neither the watcher nor a
grammar.
"""

from __future__ import annotations

__all__: list[str] = []
