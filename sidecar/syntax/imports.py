"""Makes imports of the nodes that a language's queries marked in its import statements.

Must never do I/O, nor know any language by name. May import nothing of sidecar.
"""

from __future__ import annotations

from operator import itemgetter
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from tree_sitter import Node

__all__ = ["Import", "imports_of"]

_PARTS = (
    "import",
    "import.prefix",
    "import.module",
    "import.name",
    "import.all",
    "import.default",
    "import.alias",
)


class Import(NamedTuple):
    """One imported name.

    Args:
        module: As written, without quotes.
        name: What is imported of it: nothing for the module itself, `*` for all.
        alias: What it is called here, if not by its own name.
        line: Counted from 0.
    """

    module: str
    name: str
    alias: str
    line: int


def imports_of(source: bytes, captured: dict[str, list[Node]]) -> tuple[Import, ...]:
    """Take the marked parts of import statements and return what they import.

    Args:
        source: The file.
        captured: What was marked; the parts of imports are taken out.
    """
    items: list[tuple[int, int, str, Node]] = []
    for name in _PARTS:
        rank = len(name) > 6
        items += [(n.start_byte, rank, name, n) for n in captured.pop(name, ())]
    items.sort(key=itemgetter(0, 1))
    imports: list[Import] = []
    module, around, line, end = "", "", 0, -1
    module_start = -1
    names: list[list[str]] = []
    #: Of nodes that are open: where they end, and what stands before each module in them.
    prefixes: list[tuple[int, str, str]] = []

    def close() -> None:
        if module or around:
            imports.extend(
                Import(module or around, name, alias, line) for name, alias in names or [["", ""]]
            )
        names.clear()

    for start, _, name, node in items:
        if name == "import":
            if start >= end:
                close()
                while prefixes and prefixes[-1][0] <= start:
                    prefixes.pop()
                around = prefixes[-1][1] if prefixes else ""
                module, line, end = "", node.start_point[0], node.end_byte
            continue
        if name == "import.prefix":
            while prefixes and prefixes[-1][0] <= start:
                prefixes.pop()
            outer = "".join(prefixes[-1][1:]) if prefixes else ""
            separator = node.next_sibling
            if node.parent is not None and separator is not None:
                prefix = (
                    node.parent.end_byte,
                    outer + _text(source, node),
                    _text(source, separator),
                )
                prefixes.append(prefix)
            continue
        if start >= end:
            # What looks like a part without its statement: `export { a }` imports nothing.
            continue
        text = _text(source, node)
        if name == "import.module":
            if start == module_start:
                # Marked by two patterns.
                continue
            module_start = start
            if module:
                # Several modules in one statement.
                close()
            # `<a.h>` is quoted, but `List<int>`, which may have another name, is not.
            module = text[1:-1] if text[:1] == "<" else text.strip("\"'`")
            if around:
                module = "".join(prefixes[-1][1:]) + module
        elif name == "import.name":
            if len(names) == 1 and not names[0][0]:
                # `const a = require("m").b`: the alias stands before its name.
                names[0][0] = text
            else:
                names.append([text, ""])
        elif name == "import.all":
            names.append(["*", ""])
        elif name == "import.default":
            names.append(["default", text])
        elif names:
            names[-1][1] = text
        else:
            names.append(["", text])
    close()
    return tuple(imports)


def _text(source: bytes, node: Node) -> str:
    return "".join(source[node.start_byte : node.end_byte].decode("utf-8", "replace").split())
