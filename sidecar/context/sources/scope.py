"""The source `scope`: types of names in scope that nothing near by tells, as one line of comment.

What is written in the window is left out, such as annotations and constructors: it would say
nothing new. Names that the cursor's own line binds do not count, so that the line holds still while
that is written. Must never do I/O. May import `context`'s values and inference, `syntax` and
`text`.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from sidecar.context import wellknown
from sidecar.context.inference import Inference
from sidecar.context.snapshot import Snippet
from sidecar.syntax.bindings import Bindings
from sidecar.syntax.chains import read_chain
from sidecar.syntax.typetext import read_type
from sidecar.text import encode_utf8

if TYPE_CHECKING:
    from sidecar.context.snapshot import Place, Snapshot
    from sidecar.context.values import Value
    from sidecar.syntax import Language
    from sidecar.syntax.bindings import Binding
    from sidecar.syntax.typetext import TypeText

__all__ = ["NAME", "offer"]

NAME: Final = "scope"

#: Names that are looked at and shown, and characters of the line: about 60 tokens.
_MOST_TRIED: Final = 16
_MOST_SHOWN: Final = 12
_MOST_CHARACTERS: Final = 180
_LONGEST_TYPE: Final = 60
#: What is written so many lines above the cursor is in its window. Heads of what is around are
#: shown wherever they stand.
_VISIBLE_LINES: Final = 28
_NOTEBOOK: Final = ".ipynb"
_REASON: Final = "types of names in scope that nothing near by tells"
_WORD: Final = re.compile(r"[^\W\d][\w$]*")
#: Types that say little: everybody knows their members.
_PLAIN: Final = (
    wellknown.BUILT_IN
    | wellknown.CONTAINERS
    | wellknown.MAPPINGS
    | wellknown.SAME_TYPES
    | wellknown.AWAITED
    | {"null", "undefined", "nil", "infer", "const", "readonly"}
)
#: Words for what holds others, which brackets say as well, and a type parameter.
_HOLDERS: Final = frozenset({"list", "map", "tuple"})
_PARAMETER: Final = re.compile(r"[A-Z]\d?\Z")
#: What a type is made of; no strings, and no code.
_TYPE: Final = re.compile(r"[\w$.:\\,&*?|'\s\[\]<>()-]+")
#: Types whose inside is what a name holds: once a value was there, since `?`, `if let` and `| None`
#: look alike from here, or with a word on it for other tools.
_INSIDE: Final = frozenset(
    "Optional Option Maybe Nullable Result Either Annotated Final ClassVar InitVar".split()
)


def offer(place: Place, snapshot: Snapshot) -> list[Snippet]:
    """Return the line, or nothing where nothing is known."""
    parsed = place.parsed
    if parsed is None or parsed.grammar.bindings is None or place.path.endswith(_NOTEBOOK):
        return []
    cursor = len(encode_utf8(place.document.buffer.slice(0, place.cursor)))
    bindings = Bindings(parsed, cursor)
    inference = Inference(place.path, bindings, snapshot.index)
    visible = _line_above(parsed.source, cursor, _VISIBLE_LINES)
    language = parsed.grammar.language
    mark = language.comments[0].decode()
    room = _MOST_CHARACTERS - len(mark)
    found: list[tuple[int, str]] = []
    seen_from = bindings.seen_from
    for name, binding in bindings.bound(_MOST_TRIED):
        if name in wellknown.SELF_NAMES or len(found) == _MOST_SHOWN:
            continue
        value = inference.value_of(read_chain(name), seen_from, thorough=False)
        type_ = None if value is None or value.kind != "instance" else value.type
        while type_ is not None and type_.name in _INSIDE and type_.args:
            type_ = read_type(type_.args[0])
        if value is None or type_ is None or not _tells(type_, value, inference):
            continue
        is_shown = visible <= binding.place or bindings.in_head(binding.place)
        if is_shown and _is_written(type_, binding):
            continue
        written = _written(type_, language)
        told = f"{name}: {written}"
        if _is_clean(written) and len(told) + 2 <= room:
            room -= len(told) + 2
            found.append((binding.place, told))
    if not found:
        return []
    text = f"{mark} {', '.join(told for _, told in sorted(found))}\n"
    return [Snippet(NAME, NAME, place.path, text, 1.0, _REASON, tier="background")]


def _line_above(source: bytes, place: int, lines: int) -> int:
    """Return where the line starts that is so many lines above a place."""
    for _ in range(lines + 1):
        place = source.rfind(b"\n", 0, place)
        if place < 0:
            return 0
    return place + 1


def _words(type_: TypeText) -> set[str]:
    return {*_WORD.findall(" ".join((type_.name, *type_.args)))}


def _tells(type_: TypeText, value: Value, inference: Inference) -> bool:
    """Tell whether a type is one that a reader would have to look up."""
    words = {word for word in _words(type_) - _PLAIN if not _PARAMETER.match(word)}
    if any(word[:1].isupper() for word in words):
        return True
    return bool(words) and inference.values.declaration(value._replace(type=type_)) is not None


def _is_clean(written: str) -> bool:
    """Tell whether a type is short and looks like one."""
    return (
        len(written) <= _LONGEST_TYPE
        and _TYPE.fullmatch(written) is not None
        and all(written.count(one) == written.count(other) for one, other in ("()", "[]"))
    )


def _is_written(type_: TypeText, binding: Binding) -> bool:
    """Tell whether what binds a name says of which type it is."""
    return _words(type_) - _HOLDERS <= {*_WORD.findall(binding.text)}


def _written(type_: TypeText, language: Language) -> str:
    name = type_.qualified or type_.name
    if not type_.args:
        return " ".join(name.split())
    # Those languages that have comments in C's way write type arguments in C++'s.
    opening, closing = "<>" if language.block_comments else "[]"
    return " ".join(f"{name}{opening}{', '.join(type_.args)}{closing}".split())
