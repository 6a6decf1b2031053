"""What is known of an expression's value, and what other values tell by its type.

Must never do I/O. May import `syntax` and `index/query/answers.py`.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from sidecar.context import wellknown
from sidecar.context.types import Types, holds_many, type_head, type_parameters
from sidecar.syntax.typetext import TypeText, read_type

if TYPE_CHECKING:
    from sidecar.index.query.answers import Definition

__all__ = ["Value", "Values"]


class Value(NamedTuple):
    """What is known of an expression's value.

    Args:
        kind: `instance` (of `type`), `class` (`declared` itself), `function` (`declared`, to be
            called), `module` (the file `path`), `many` (something that gives instances of
            `declared`, such as a query), or `unknown` (something called `name`).
        path: The file in which the type is written.
        type: The type.
        declared: What was found of it.
        owner: What a function was taken from.
        name: What something unknown is called.
    """

    kind: str
    path: str
    type: TypeText | None = None
    declared: Definition | None = None
    owner: Value | None = None
    name: str = ""


class Values:
    """Tells what values give by what types they have.

    Args:
        types: Where types are declared.
    """

    def __init__(self, types: Types) -> None:
        self._types = types

    def declaration(self, value: Value) -> Definition | None:
        """Return the declaration of the type that a value has or is."""
        if value.kind == "instance" and value.type is not None:
            return self._types.find(value.type, value.path)
        return value.declared if value.kind == "class" else None

    def knows(self, value: Value) -> bool:
        """Tell whether anything is known of a value's type."""
        return (
            value.kind != "instance"
            or (value.type is not None and holds_many(value.type))
            or self.unwrapped(value) is not None
            or self.declaration(value) is not None
        )

    def annotated(
        self,
        written: str,
        path: str,
        owner: Value | None,
        around: TypeText | None = None,
    ) -> Value | None:
        """Return an instance of a type as it is written in a file."""
        if owner is not None and owner.declared is not None:
            written = self._substituted(written, owner)
        type_ = read_type(written)
        if type_ is None:
            return None
        if type_.name in wellknown.SELF_TYPES:
            if owner is not None:
                return owner._replace(kind="instance")
            return None if around is None else Value("instance", path, around)
        return Value("instance", path, type_)

    def is_container(self, value: Value) -> bool:
        """Tell whether a value is one of a library's containers."""
        type_ = value.type
        return type_ is not None and holds_many(type_) and not self._types.own(type_, value.path)

    @staticmethod
    def managed(value: Value, name: str) -> Value:
        """Return what a method of a class, or of what manages its objects, most likely gives."""
        if name in wellknown.INSTANCE_METHODS:
            return value._replace(kind="instance", owner=None)
        return value._replace(kind="many")

    def managed_by(self, declared: Definition) -> Value | None:
        """Return objects of the class that a library's base of a type is made for.

        `interface Orders extends CrudRepository<Order, Long>` has to do with orders.
        """
        for base in _generic_bases(declared):
            type_ = read_type(base.args[0])
            if type_ is not None and self._types.find(base, declared.path) is None:
                found = self._types.find(type_, declared.path)
                if found is not None:
                    return Value("many", found.path, type_, found)
        return None

    @staticmethod
    def instance(value: Value) -> Value | None:
        """Return an object of a class, or of what gives its objects."""
        if value.kind not in ("class", "many", "instance"):
            return None
        return value._replace(kind="instance", owner=None)

    def element(self, value: Value, *, by_key: bool) -> Value | None:
        """Return one of what a value holds.

        Args:
            value: The value.
            by_key: Whether it is asked for by its key or number; else by iterating.
        """
        if value.kind == "many":
            return self.instance(value)
        if (wrapped := self.unwrapped(value)) is not None:
            return self.element(wrapped, by_key=by_key)
        type_ = value.type
        if type_ is None:
            return None
        if type_.name in wellknown.MAPPINGS and type_.args:
            return self.annotated(type_.args[-1 if by_key else 0], value.path, None)
        if (type_.name in wellknown.CONTAINERS or type_.name in wellknown.AWAITED) and type_.args:
            return self.annotated(type_.args[0], value.path, None)
        declared = self.declaration(value)
        if declared is None:
            return value if value.kind == "class" else None
        if value.kind == "class":
            # An enum is iterated over, and a generic class gets its arguments.
            return value if by_key else value._replace(kind="instance")
        for name in ("__getitem__",) if by_key else ("__iter__", "__next__"):
            member = self._types.members(declared).get(name)
            if member is not None and member.symbol.type:
                found = self.annotated(member.symbol.type, member.path, value)
                many = found is not None and found.type is not None and holds_many(found.type)
                return (
                    found
                    if by_key or not many or found is None
                    else self.element(found, by_key=False)
                )
        for base in _generic_bases(declared):
            if holds_many(base):
                return self.element(Value("instance", declared.path, base), by_key=by_key)
        return None

    def awaited(self, value: Value) -> Value | None:
        """Return what a value gives when it is awaited."""
        type_ = value.type
        if value.kind == "instance" and type_ and type_.name in wellknown.AWAITED and type_.args:
            return self.annotated(type_.args[-1], value.path, None)
        return value

    def entered(self, value: Value) -> Value | None:
        """Return what a value gives as a context."""
        type_ = value.type
        if value.kind == "instance" and type_ is not None and holds_many(type_):
            return self.element(value, by_key=False)
        declared = self.declaration(value)
        if declared is None:
            return None
        for name in ("__enter__", "__aenter__"):
            member = self._types.members(declared).get(name)
            if member is not None and member.symbol.type:
                owner = value._replace(declared=declared)
                return self.annotated(member.symbol.type, member.path, owner)
        return value

    def unwrapped(self, value: Value) -> Value | None:
        """Return what a type such as `Optional` stands around."""
        type_ = value.type
        if type_ is None or type_.name not in wellknown.SAME_TYPES or not type_.args:
            return None
        if self._types.own(type_, value.path) is not None:
            return None
        if type_.name in ("Union", "Either"):
            args = [arg for arg in type_.args if read_type(arg) is not None]
            return self.annotated(args[0], value.path, None) if args else None
        return self.annotated(type_.args[0], value.path, None)

    def _substituted(self, written: str, owner: Value) -> str:
        """Put type arguments in place of the type parameters of a member's class."""
        declared = owner.declared
        if declared is None or owner.type is None:
            return written
        signature = declared.symbol.signature
        args: tuple[str, ...] = owner.type.args
        names = type_parameters(signature, declared.symbol.name)
        if not args:
            for base in _generic_bases(declared):
                if (found := self._types.find(base, declared.path)) is not None:
                    args = base.args
                    names = type_parameters(found.symbol.signature, found.symbol.name)
                    break
        for name, argument in zip(names, args, strict=False):
            given = argument.replace("\\", r"\\")
            written = re.sub(rf"(?<!\w){re.escape(name)}(?!\w)", given, written)
        return written


def _generic_bases(declared: Definition) -> list[TypeText]:
    """Return the bases of a class that have type arguments."""
    signature = declared.symbol.signature
    found = []
    for base in declared.symbol.bases:
        if (type_ := read_type(base)) is None:
            continue
        at = re.search(rf"\b{re.escape(type_.name)}\s*[<\[]", signature)
        whole = read_type(type_head(signature[at.start() :])) if at else None
        if whole is not None and whole.args:
            found.append(whole)
    return found
