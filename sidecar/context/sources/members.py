"""Members of what stands before a member operator: at the cursor, and in the lines above it.

What a member is called can only be known from its type's declaration, and guessing it is what
completions do worst. Must never do I/O. May import this package, `syntax`, `text` and
`index/query/answers.py`.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from sidecar.context.inference import Inference
from sidecar.context.rendering import Rendering
from sidecar.context.snapshot import Snippet
from sidecar.context.types import TYPES
from sidecar.syntax.receivers import Receivers
from sidecar.syntax.repair import completed
from sidecar.text import encode_utf8

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sidecar.context.snapshot import Place, Snapshot, Tier
    from sidecar.context.values import Value
    from sidecar.index.query.answers import Definition
    from sidecar.syntax.receivers import Receiver

__all__ = ["NAME", "offer"]

NAME: Final = "members"

#: Members that are shown of a type and its bases, and where there is little room.
_MOST_MEMBERS: Final = 40
_FEW_MEMBERS: Final = 12
#: Members that are named at least, as the one that is wanted may be among them.
_MOST_NAMED: Final = 100
_WORD: Final = re.compile(r"\w+")
#: Bases whose members are shown.
_MOST_BASES: Final = 4
#: Lines above the cursor in which receivers are looked for, how many are looked at, and shown.
_LINES: Final = 8
_MOST_TRIED: Final = 6
_MOST_SHOWN: Final = 3
_BEHIND: Final = "the type of what stands before the member operator at the cursor"
_NEAR: Final = "the type of something used near the cursor"


def offer(place: Place, snapshot: Snapshot) -> list[Snippet]:
    """Return the members of what stands before member operators, those at the cursor first."""
    parsed = place.parsed
    if parsed is None or parsed.grammar.bindings is None:
        return []
    cursor = len(encode_utf8(place.document.buffer.slice(0, place.cursor)))
    receivers = Receivers(parsed, cursor)
    inference = Inference(place.path, receivers, snapshot.index)
    at_cursor = receivers.at_cursor()
    known: dict[int, Value | None] = {}
    if at_cursor is not None:
        value = inference.value_of(at_cursor.chain, at_cursor.place)
        finished = None
        if value is None and not _is_told(at_cursor, receivers, inference, place.path):
            finished = completed(parsed, cursor)
        if finished is not None:
            # The unfinished line has taken down what is around it.
            receivers = Receivers(finished, cursor)
            inference = Inference(place.path, receivers, snapshot.index)
            value = inference.value_of(at_cursor.chain, at_cursor.place)
        known[at_cursor.place] = value
    found: dict[str, Snippet] = {}
    tried = [] if at_cursor is None else [at_cursor]
    tried += receivers.nearby(_LINES, _MOST_TRIED)
    extended = 0
    for receiver in tried:
        if extended == _MOST_SHOWN:
            break
        if receiver.chosen:
            value = known[receiver.place]
        else:
            value = inference.value_of(receiver.chain, receiver.place, thorough=False)
        key = None if value is None else _key(value, inference)
        if value is None or key is None or key in found:
            continue
        # What the file declares itself stands in its own outline.
        if not receiver.chosen and key.startswith(f"{NAME}:{place.path}:"):
            continue
        tier: Tier = "core" if receiver.chosen else "extended"
        score = 1.0 if receiver.chosen else 0.75 - 0.125 * extended
        extended += not receiver.chosen
        snippet = _snippet(key, value, inference, snapshot, tier, score)
        if snippet is not None:
            found[key] = snippet
    return list(found.values())


def _is_told(receiver: Receiver, receivers: Receivers, inference: Inference, path: str) -> bool:
    """Tell whether the file tells what the first name of a receiver is."""
    name = receiver.chain[0].name
    binding = receivers.binding(name, receiver.place)
    if binding is not None and binding.kind != "none":
        return True
    return inference.types.imports(name, path)


def _key(value: Value, inference: Inference) -> str | None:
    if value.kind == "module":
        return f"{NAME}:{value.path}:"
    declared = inference.values.declaration(value)
    return declared and f"{NAME}:{declared.path}:{declared.symbol.name}"


def _snippet(
    key: str,
    value: Value,
    inference: Inference,
    snapshot: Snapshot,
    tier: Tier,
    score: float,
) -> Snippet | None:
    reason = _BEHIND if tier == "core" else _NEAR
    declared = inference.values.declaration(value)
    if declared is None:
        path, text, short = value.path, _module_text(value, snapshot), ""
    else:
        path = declared.path
        members = inference.types.all_members(declared)
        text = _text(declared, members[:_MOST_MEMBERS], snapshot)
        text += _named(members, text)
        few = members[:_FEW_MEMBERS]
        short = _text(declared, few, snapshot) if len(few) < len(members) else ""
    if not text:
        return None
    return Snippet(
        source=NAME,
        key=key,
        path=path,
        text=text,
        score=score,
        reason=reason,
        short=short if len(short) < len(text) else "",
        tier=tier,
    )


def _text(declared: Definition, members: Sequence[Definition], snapshot: Snapshot) -> str:
    """Return a type with its members, then its bases with theirs."""
    groups: dict[tuple[str, str], list[Definition]] = {}
    for member in members:
        # Members that stand in other files than their type belong to it all the same.
        of_type = member.container == declared.symbol.name
        path = declared.path if of_type else member.path
        groups.setdefault((path, member.container), []).append(member)
    own = groups.pop((declared.path, declared.symbol.name), [])
    texts = [Rendering(declared.language, snapshot.text(declared.path)).type(declared, own)]
    for (path, name), group in list(groups.items())[:_MOST_BASES]:
        found = snapshot.index.definitions(name, path, 1, types_only=True)
        if found and found[0].symbol.kind in TYPES:
            rendering = Rendering(found[0].language, snapshot.text(found[0].path))
            texts.append(rendering.type(found[0], group))
    return "".join(texts)


def _module_text(value: Value, snapshot: Snapshot) -> str:
    """Return what a module declares, without what its types hold."""
    outer = [item for item in snapshot.index.symbols(value.path) if item.symbol.container < 0]
    types = {item.symbol.name for item in outer if item.symbol.kind in TYPES}
    shown = [
        item for item in outer if item.symbol.owner not in types and item.symbol.kind != "module"
    ]
    texts = []
    for item in shown[:_MOST_MEMBERS]:
        rendering = Rendering(item.language, None)
        if item.symbol.kind in TYPES:
            texts.append(rendering.header(item))
        else:
            texts.append(rendering.function((item,)))
    text = "".join(texts)
    return text + _named(shown, text)


def _named(items: Sequence[Definition], text: str) -> str:
    """Return a comment with the names of what a text had no room for, or nothing."""
    known = set(_WORD.findall(text))
    more = [
        item
        for item in items[:_MOST_NAMED]
        if item.symbol.name not in known and not item.symbol.name.startswith("__")
    ]
    return Rendering(more[0].language, None).names(more) if more else ""
