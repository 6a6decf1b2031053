"""One root kept true: what changed, in which order it is read, and one transaction a batch.

Must never parse. May import `locks` and `syntax`, and of `index` all parts but `query`.
"""

from __future__ import annotations

__all__: list[str] = []
