"""Turns what an editor, a file or a command line sent into settings, one value at a time.

A bad value never takes a good one with it: it keeps what stood there before and is named in a
message. Pure. May import msgspec.
"""

from __future__ import annotations

import difflib
from typing import TYPE_CHECKING, Any, get_args

import msgspec

from sidecar.settings.schema import Scope, Settings

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["load", "scope_of", "with_short_prompts"]

#: Keys that clients themselves keep under our prefix.
_OF_CLIENTS = frozenset({"trace"})


def load(
    raw: object, *, base: Settings | None = None, trusted: bool = True
) -> tuple[Settings, list[str]]:
    """Validate raw settings over a base.

    Args:
        raw: The object under `sidecar`; anything else but None is a problem of its own.
        base: Where missing and bad values come from; the defaults when None.
        trusted: Whether the user alone can have written `raw`. Where a workspace may have had a
            hand in it, settings of machine scope are not taken.

    Returns:
        The settings, and a sentence for each value that was not taken.
    """
    settings = Settings() if base is None else base
    if raw is None:
        return settings, []
    if not isinstance(raw, dict):
        return settings, [f"the settings of sidecar must be an object, not {_shown(raw)}"]
    problems: list[str] = []
    groups: dict[str, Any] = {}
    known = {field.encode_name: field for field in msgspec.structs.fields(Settings)}
    for key, value in raw.items():
        field = known.get(key)
        if field is None:
            if key not in _OF_CLIENTS:
                problems.append(_unknown(f"sidecar.{key}", key, known))
        elif not isinstance(value, dict):
            if value is not None:
                problems.append(f"sidecar.{key} must be an object, not {_shown(value)}")
        else:
            group = getattr(settings, field.name)
            changes = dict(_accepted(f"sidecar.{key}", value, group, trusted, problems))
            groups[field.name] = msgspec.structs.replace(group, **changes)
    return msgspec.structs.replace(settings, **groups), problems


def with_short_prompts(settings: Settings, *, wanted: bool) -> Settings:
    """Return settings in which short prompts are on or off, and all else is as it was."""
    context = msgspec.structs.replace(settings.context, short_first=wanted)
    return msgspec.structs.replace(settings, context=context)


def scope_of(field: msgspec.structs.FieldInfo) -> Scope:
    """Return the scope that the schema gives to a setting."""
    for part in get_args(field.type)[1:]:
        if isinstance(part, msgspec.Meta) and part.extra_json_schema:
            scope: Scope = part.extra_json_schema["scope"]
            return scope
    raise TypeError(f"the setting {field.name} has no scope")


def _accepted(
    prefix: str,
    raw: dict[str, object],
    group: msgspec.Struct,
    trusted: bool,
    problems: list[str],
) -> Iterator[tuple[str, object]]:
    """Yield the values of one group that may be taken, by the names of their fields."""
    known = {field.encode_name: field for field in msgspec.structs.fields(group)}
    for key, value in raw.items():
        field = known.get(key)
        if field is None:
            problems.append(_unknown(f"{prefix}.{key}", key, known))
            continue
        current = getattr(group, field.name)
        # Null is how editors say that a setting is not set.
        if value is None:
            continue
        try:
            converted = msgspec.convert(value, field.type)
        except msgspec.ValidationError as error:
            problems.append(
                f"{prefix}.{key}: {_lowered(str(error))}, not {_shown(value)};"
                f" {_shown(current)} is used"
            )
            continue
        if not trusted and scope_of(field) == "machine":
            # Editors send every key they know; only one that would change something is news.
            if converted not in (current, field.default):
                problems.append(
                    f"{prefix}.{key} is not taken from a workspace;"
                    " set it under `sidecar` in the editor's initialization options"
                    " (in Neovim `settings` of the plugin's `setup`, without it `init_options`)"
                )
            continue
        yield field.name, converted


def _unknown(full: str, key: str, known: dict[str, Any]) -> str:
    near = difflib.get_close_matches(key, known, n=1)
    return f"{full} is not a setting" + (f"; did you mean {near[0]}?" if near else "")


def _lowered(text: str) -> str:
    return text[:1].lower() + text[1:]


def _shown(value: object) -> str:
    text = repr(value)
    return text if len(text) <= 40 else text[:37] + "..."
