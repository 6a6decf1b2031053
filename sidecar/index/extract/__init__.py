"""What files declare: read, parsed and packed by processes that may die of it.

May import `errors` and `syntax`, and `files` and `wire` of `index`. Imports nothing here, so that
who unpacks records loads no grammar.
"""

from __future__ import annotations

__all__: list[str] = []
