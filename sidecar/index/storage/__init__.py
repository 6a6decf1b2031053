"""The database of a workspace: its file, its tables, and the one way in which they are written.

Must never read a file of the workspace but for its size and time. May import `errors`, `locks`,
`syntax`, and `extract` of `index`.
"""

from __future__ import annotations

__all__: list[str] = []
