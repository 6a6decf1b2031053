"""What is said of a setting besides its type.

May import msgspec.
"""

from __future__ import annotations

from typing import Any, Literal

from msgspec import Meta

__all__ = ["Scope", "meta"]

#: `machine` settings name files or programs, or spend the machine's memory: a workspace may not
#: choose them. `resource` settings may differ by folder.
Scope = Literal["machine", "resource"]


def meta(scope: Scope, description: str, **limits: Any) -> Meta:
    """Return what is said of a setting.

    Args:
        scope: Who may choose it.
        description: What it means.
        limits: Limits of its values, as msgspec names them.
    """
    return Meta(description=description, extra_json_schema={"scope": scope}, **limits)
