"""The command `sidecar`: one file per subcommand, each imported only when it is called.

May import everything above it, and rich inside functions.
"""

from __future__ import annotations

__all__: list[str] = []
