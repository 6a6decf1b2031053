"""What to do about an error, in terms of the options of a command where it speaks of settings.

A command does not read the settings of an editor: what it has instead is `--model` and the like.
May import `errors`.
"""

from __future__ import annotations

import re
from contextlib import contextmanager
from typing import TYPE_CHECKING

from sidecar.errors import SidecarError

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["fix_here", "told_here"]

#: The options that stand for settings, in commands that have them.
_OPTIONS = {
    "sidecar.model.path": "--model",
    "sidecar.engine.draftModel": "--draft-model",
    "sidecar.engine.remote": "--remote",
}
_SETTING = "|".join(map(re.escape, _OPTIONS))
_SET = re.compile(rf"set ({_SETTING}) to (.+?)(, or empty it)?(?=, or |$)")
_EMPTY = re.compile(rf"empty ({_SETTING})\b")


def fix_here(error: SidecarError) -> str:
    """Return what to do about an error in a command that has options instead of settings."""
    fix = _SET.sub(_given, error.fix)
    return _EMPTY.sub(lambda found: f"leave out {_OPTIONS[found[1]]}", fix)


@contextmanager
def told_here() -> Iterator[None]:
    """Let errors from inside speak of options."""
    try:
        yield
    except SidecarError as error:
        error.fix = fix_here(error)
        raise


def _given(found: re.Match[str]) -> str:
    option = _OPTIONS[found[1]]
    return f"give {found[2]} with {option}" + (f", or leave out {option}" if found[3] else "")
