"""Imports the protocol's types so that each class is made when it is first used.

There are over 500 of them, of which a session uses some 60: making all took half of the time in
which a server starts, and a fifth of its memory. Must never change what a class is once it is made.
May import attrs, and lsprotocol inside of functions.
"""

from __future__ import annotations

import sys
import threading
from typing import Any, get_args

import attrs

__all__ = ["import_types", "make_when_used"]

_NAME = "lsprotocol.types"
#: Classes that nobody has used yet.
_waiting: set[type] = set()
_making = threading.Lock()


def import_types() -> None:
    """Import `lsprotocol.types`, unless that was done; nothing may be imported meanwhile.

    Its classes are decorated with `attrs.define` as they are declared, so what that does is put off
    for as long as the module is executed.
    """
    if _NAME in sys.modules:
        return
    define = attrs.define
    attrs.define = _put_off  # type: ignore[assignment]
    try:
        __import__(_NAME)
    finally:
        attrs.define = define
    from lsprotocol import types

    # lsprotocol itself looks at its fields as soon as somebody wants a converter.
    _make(types.NotebookCellTextDocumentFilter)


def make_when_used(converter: Any) -> None:
    """Have a converter of cattrs make classes before it looks at their fields."""

    def structure(kind: Any) -> Any:
        for part in _those_of(kind):
            _make(part)
        return converter.get_structure_hook(kind, cache_result=False)

    def unstructure(kind: Any) -> Any:
        for part in _those_of(kind):
            _make(part)
        return converter.get_unstructure_hook(kind, cache_result=False)

    # Asked before those that look for classes of attrs, which these are not yet.
    converter.register_structure_hook_factory(_those_of, structure)
    converter.register_unstructure_hook_factory(_those_of, unstructure)


def _those_of(kind: object) -> set[type]:
    """Return a class, or those of a union, that are not made yet."""
    return {one for one in (kind, *get_args(kind)) if isinstance(one, type) and one in _waiting}


def _put_off(kind: type) -> type:
    """Stand for `attrs.define`: the class is made when it is called for the first time."""

    def __init__(self: Any, *arguments: Any, **named: Any) -> None:
        _make(kind)
        kind.__init__(self, *arguments, **named)  # type: ignore[misc]

    kind.__init__ = __init__  # type: ignore[misc]
    _waiting.add(kind)
    return kind


def _make(kind: type) -> None:
    from lsprotocol import types

    with _making:
        if kind not in _waiting:
            return
        # In place: with slots it would be another class than the one that everybody has. What puts
        # it off stays until it is made, since another thread may call the class meanwhile.
        attrs.define(kind, slots=False, init=True)
        attrs.resolve_types(kind, types.ALL_TYPES_MAP, {})
        _waiting.remove(kind)
