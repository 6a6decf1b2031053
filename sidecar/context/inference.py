"""What type an expression has, as far as the file and the index tell together.

Follows a chain of steps: what a name is bound to, what a call returns, what type a field has. Each
binding that is followed lies further up than the one before, and there are few of them. Where
nothing tells, names that mean the same in most libraries do. Must never do I/O. May import `syntax`
and `index/query/answers.py`.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final, NamedTuple

from sidecar.context import wellknown
from sidecar.context.types import ASSIGNED, TYPES, Types
from sidecar.context.values import Value, Values
from sidecar.syntax.chains import Chain, Step, read_chain
from sidecar.syntax.typetext import TypeText, read_type, split

if TYPE_CHECKING:
    from sidecar.context.snapshot import Index
    from sidecar.index.query.answers import Definition
    from sidecar.syntax.bindings import Binding, Bindings

__all__ = ["Inference"]

#: Bindings, fields and aliases that are followed for one receiver.
_DEEPEST: Final = 6
_CALLED: Final = frozenset({"function", "method"})
#: Methods that are read like fields.
_PROPERTY: Final = re.compile(r"^@[\w.]*property\b|^(?:[a-z]+ )*get \w|@[\w.]*property\b")


class _Scope(NamedTuple):
    """Where names of a chain are looked up."""

    path: str
    place: int
    #: The class around, by name, and where it was found.
    around: TypeText | None
    receivers: Bindings | None
    #: Names that have types because they are parameters.
    parameters: tuple[tuple[str, str], ...] = ()


class Inference:
    """Tells types of expressions of one file.

    Args:
        path: The file, relative to the workspace.
        receivers: What its names are bound to.
        index: The index.
    """

    def __init__(self, path: str, receivers: Bindings, index: Index) -> None:
        self._path = path
        self._receivers = receivers
        self._index = index
        self._left = 0
        self._thorough = True
        #: Where types are declared, and what values give by theirs.
        self.types = Types(index)
        self.values = Values(self.types)

    def value_of(self, chain: Chain, place: int, *, thorough: bool = True) -> Value | None:
        """Return what is known of an expression at a place of the file.

        Args:
            chain: The expression.
            place: The place, in bytes.
            thorough: Whether names that nothing in the file tells of are looked for all over the
                index, which are mostly none of its.
        """
        self._left = _DEEPEST
        self._thorough = thorough
        around = self._receivers.enclosing_class()
        type_ = read_type(around[0]) if around else None
        value = self._follow(chain, _Scope(self._path, place, type_, self._receivers))
        return None if value is None or value.kind in ("own", "unknown") else self._settled(value)

    def _follow(self, chain: Chain, scope: _Scope) -> Value | None:
        value: Value | None = None
        for number, step in enumerate(chain):
            if step.kind == "name":
                value = self._name(step, scope)
            elif step.kind in ("new", "cast"):
                value = self.values.annotated(step.text, scope.path, None)
            elif value is None:
                return None
            elif step.kind == "call":
                value = self._called(value, step, chain[number - 1], scope)
            else:
                value = self._settled(value)
                if value is not None and value.kind == "own" and step.kind == "member":
                    # A class that the index does not know, for the line at the cursor hides it.
                    value = self._own(step.name, scope)
                else:
                    value = None if value is None else self._stepped(value, step)
        return value

    def _own(self, name: str, scope: _Scope) -> Value | None:
        if scope.receivers is None:
            return None
        binding = scope.receivers.binding(name, scope.place)
        return None if binding is None else self._bound(name, binding, scope)

    def _stepped(self, value: Value, step: Step) -> Value | None:
        if step.kind == "member":
            return self._member(value, step)
        if step.kind == "index":
            return value if ":" in step.text else self.values.element(value, by_key=True)
        if step.kind == "await":
            return self.values.awaited(value)
        if step.kind in ("each", "entry"):
            return self.values.element(value, by_key=step.kind == "entry")
        if step.kind == "instance":
            return self.values.instance(value)
        if step.kind == "entered":
            return self.values.entered(value)
        if step.kind == "first":
            if value.kind == "many":
                return self.values.instance(value)
            if value.type is not None and value.type.name in ("tuple", "Tuple", "Pair"):
                return self.values.annotated(value.type.args[0], value.path, None)
        return value

    # Names.

    def _name(self, step: Step, scope: _Scope) -> Value | None:
        name = step.name
        receivers = scope.receivers
        binding = None if receivers is None else receivers.binding(name, scope.place)
        if binding is None or binding.kind == "none":
            if name in wellknown.SELF_NAMES:
                return self._self(name, scope)
            if name in wellknown.SUPER_NAMES and (base := self._base(scope)):
                return base
        if binding is not None:
            value = self._bound(name, binding, scope)
            untold = value is None or value.kind == "unknown"
            if untold and binding.kind != "none" and self.types.imports(name, scope.path):
                # `const models = require("./models")`
                return self._global(step, scope)
            return value
        for parameter, written in scope.parameters:
            if parameter == name:
                return self.values.annotated(written, scope.path, None)
        if scope.around is not None and self._is_open(scope):
            declared = self.types.find(scope.around, scope.path)
            member = None if declared is None else self.types.members(declared).get(name)
            if declared is not None and member is not None:
                owner = Value("instance", declared.path, scope.around, declared)
                return self._member_value(member, owner)
        return self._global(step, scope)

    def _is_open(self, scope: _Scope) -> bool:
        """Tell whether members of the class around are names of their own."""
        around = None if scope.receivers is None else scope.receivers.enclosing_class()
        return around is not None and around[1]

    def _bound(self, name: str, binding: Binding, scope: _Scope) -> Value | None:
        """Return the value of a name by what it is bound to."""
        kind, text, place = binding
        if kind == "none" or not self._left:
            return None
        self._left -= 1
        scope = scope._replace(place=place)
        if kind == "item":
            value: Value | None = Value("instance", scope.path, TypeText("list", (text,)))
        elif kind in ("type", "part.type"):
            value = self.values.annotated(text, scope.path, None, scope.around)
        else:
            value = self._follow(read_chain(text), scope)
        if kind.startswith("part") and value is not None:
            value = self._stepped(value, Step("member", name))
        elif kind not in ("value", "type", "item") and value is not None:
            value = self._settled(value)
            value = None if value is None else self._stepped(value, Step(kind))
        if (value is None or value.kind == "unknown") and scope.receivers is not None:
            # Its new value is mostly of the type that it was declared with.
            before = scope.receivers.binding(name, place)
            if before is not None and before.kind == "type":
                return self._bound(name, before, scope)
        return value

    def _self(self, name: str, scope: _Scope) -> Value | None:
        if scope.around is None:
            return None
        if (declared := self.types.find(scope.around, scope.path)) is None:
            return Value("own", scope.path)
        kind = "class" if name in ("cls", "Self", "static") else "instance"
        return Value(kind, declared.path, scope.around, declared)

    def _base(self, scope: _Scope) -> Value | None:
        if scope.around is None or (declared := self.types.find(scope.around, scope.path)) is None:
            return None
        for base in declared.symbol.bases:
            type_ = read_type(base)
            if type_ is not None and (found := self.types.find(type_, declared.path)) is not None:
                return Value("instance", declared.path, type_, found)
        return None

    def _global(self, step: Step, scope: _Scope) -> Value | None:
        """Return what a name means outside of all functions of a file."""
        name = step.name.lstrip("\\")
        found = self.types.meaning(name, scope.path, loose=self._thorough or name[:1].isupper())
        if found is None:
            return Value("unknown", scope.path, name=name)
        if isinstance(found, str):
            return Value("module", found, name=name)
        return self._declared_value(found)

    # Values of declarations.

    def _declared_value(self, found: Definition, owner: Value | None = None) -> Value | None:
        symbol = found.symbol
        if symbol.kind in TYPES:
            return Value("class", found.path, TypeText(symbol.name), found)
        if symbol.kind in _CALLED:
            return Value("function", found.path, declared=found, owner=owner)
        if symbol.kind == "module":
            return Value("module", found.path, name=symbol.name)
        if symbol.type:
            return self.values.annotated(symbol.type, found.path, owner)
        return self._assigned(found, owner)

    def _member_value(self, member: Definition, owner: Value) -> Value | None:
        if (
            owner.declared is not None
            and owner.declared.symbol.kind == "enum"
            and member.symbol.kind in ("field", "constant")
            and not member.symbol.type
        ):
            return owner._replace(kind="instance")
        return self._declared_value(member, owner)

    def _assigned(self, found: Definition, owner: Value | None) -> Value | None:
        """Return the value that a field or a variable is declared with."""
        assigned = ASSIGNED.search(found.symbol.signature)
        if assigned is None or not self._left:
            return None
        self._left -= 1
        chain = read_chain(found.symbol.signature[assigned.end() :])
        around = None
        parameters: tuple[tuple[str, str], ...] = ()
        if owner is not None and owner.declared is not None:
            around = TypeText(owner.declared.symbol.name)
            if len(chain) == 1:
                # `self.order = order`: a parameter of what makes the object.
                wanted = chain[0].name
                parameters = tuple(
                    (name, type_)
                    for member in self.types.members(owner.declared).values()
                    if member.symbol.kind == "method" and member.path == found.path
                    for name, type_ in member.symbol.parameters
                    if name == wanted
                )[:1]
        return self._follow(chain, _Scope(found.path, 0, around, None, parameters))

    def _settled(self, value: Value) -> Value | None:
        """Return the value of what is not called."""
        if value.kind != "function" or value.declared is None:
            return value
        symbol = value.declared.symbol
        if symbol.type and _PROPERTY.search(symbol.signature):
            return self.values.annotated(symbol.type, value.declared.path, value.owner)
        return None

    def _called(self, value: Value, step: Step, before: Step, scope: _Scope) -> Value | None:
        if value.kind == "class":
            type_ = TypeText(value.type.name, value.type.args) if value.type else None
            return Value("instance", value.path, type_, value.declared)
        if value.kind == "function" and value.declared is not None:
            symbol = value.declared.symbol
            if symbol.type:
                return self.values.annotated(symbol.type, value.declared.path, value.owner)
            owner = value.owner
            if owner is not None and owner.kind in ("class", "many"):
                return self.values.managed(owner, symbol.name)
            return None
        if value.kind == "unknown":
            return self._unknown_called(value, step, before, scope)
        return value

    def _unknown_called(
        self, value: Value, step: Step, before: Step, scope: _Scope
    ) -> Value | None:
        """Return what something unknown gives whose arguments tell what it makes."""
        if before.text:
            return self.values.annotated(split(before.text)[0], scope.path, None)
        given = split(step.text)[0] if len(step.text) < 400 else ""
        given = given.removesuffix(".class").removesuffix("::class").strip("\"'")
        name = value.name
        type_ = read_type(given)
        if name == "make" and type_ is not None and not type_.name[:1].isupper():
            return self.values.annotated(given, scope.path, None)
        wanted = name in wellknown.CASTS or name in wellknown.QUERY_FUNCTIONS
        if wanted and type_ is not None and type_.name[:1].isupper():
            declared = self.types.find(type_, scope.path)
            if declared is not None:
                kind = "many" if name in wellknown.QUERY_FUNCTIONS else "instance"
                return Value(kind, declared.path, type_, declared)
        return value

    def _member(self, value: Value, step: Step) -> Value | None:
        name = step.name.lstrip("$")
        if value.kind == "unknown":
            return value._replace(name=name)
        if value.kind == "module":
            exported = self.types.in_module(value.path, name, value.name)
            return None if exported is None else self._declared_value(exported)
        if value.kind == "many":
            return self.values.managed(value, name)
        if value.type is None:
            return None
        if value.kind == "instance" and (wrapped := self.values.unwrapped(value)) is not None:
            return wrapped if name in wellknown.SAME_METHODS else self._member(wrapped, step)
        if value.kind == "instance" and self.values.is_container(value):
            if name in wellknown.ELEMENT_METHODS:
                return self.values.element(value, by_key=True)
            if name in wellknown.OTHER_METHODS:
                return None
            if name == "values" or (name == "items" and value.type.name in wellknown.CONTAINERS):
                return Value("instance", value.path, TypeText("list", value.type.args[-1:]))
            return value
        declared = self.values.declaration(value)
        if declared is None:
            return None
        members = self.types.members(declared)
        member = members.get(name)
        if member is not None and not member.symbol.type:
            # An attribute of Ruby's gets its value by another name.
            member = members.get("@" + name, member)
        owner = value._replace(declared=declared)
        if member is not None:
            found = self._member_value(member, owner)
            if value.kind == "class" and member.symbol.kind in ("field", "constant", "variable"):
                if found is None or found.kind == "unknown" or not self.values.knows(found):
                    return owner._replace(kind="many")
                return found._replace(owner=owner)
            return found
        if value.kind == "class":
            return self.values.managed(owner._replace(kind="many"), name)
        if value.owner is not None and value.owner.kind == "class":
            # A manager, whose methods its library declares.
            return self.values.managed(value.owner._replace(kind="many"), name)
        if name in wellknown.SAME_METHODS:
            return value
        managed = self.values.managed_by(declared)
        return None if managed is None else self.values.managed(managed, name)
