"""Finds names that a grammar wraps in declarators.

Must never do I/O, nor know any language by name. May import nothing of sidecar.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tree_sitter import Node

__all__ = ["in_declarators"]

#: What stands beside a name: `int a [[maybe_unused]];`.
_BESIDE = ("attribute", "comment")


def in_declarators(node: Node) -> list[Node]:
    """Return the names of a declaration whose grammar wraps them: `int *a[2], (*b)(void);`."""
    names = []
    for inner in node.children_by_field_name("declarator"):
        named: Node | None = inner
        while named is not None:
            inner = named
            if inner.type == "operator_cast":
                break
            named = inner.child_by_field_name("declarator") or inner.child_by_field_name("name")
            if named is None and inner.type.endswith("declarator"):
                within = [n for n in inner.named_children if not n.type.startswith(_BESIDE)]
                named = within[-1] if within else None
        names.append(inner)
    return names
