"""What a file outside of the workspace passes on of its imports to those who import it.

Packages declare little in the file that is imported, and say there where the rest is. Pure
functions; may import nothing of sidecar.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

__all__ = ["NOTHING", "passed_on"]

#: The name of what is not followed any further.
NOTHING = "\0"
_PACKAGES = ("/__init__.py", "/__init__.pyi")


def passed_on(
    language: str, path: str, imports: Sequence[tuple[str, str, str]], wanted: str
) -> Iterator[tuple[tuple[str, str], str]]:
    """Yield the imports by which a file passes names on, with what is wanted of each target.

    Args:
        language: The language of who imports the file.
        path: The file.
        imports: Its imports: module, name and alias.
        wanted: The name that is imported of it; nothing or `*` for all that it has.
    """
    if wanted == NOTHING:
        return
    # What is imported by the name of the file is the file itself.
    if wanted in ("", "*", "default", *_names(path)):
        yield from _all(language, path, imports)
        return
    for module, name, alias in imports:
        if (alias or name) == wanted and name:
            yield (module, name), name
        elif name == "*" and not alias:
            yield (module, name), wanted


def _all(
    language: str, path: str, imports: Sequence[tuple[str, str, str]]
) -> Iterator[tuple[tuple[str, str], str]]:
    # Only packages of Python are there to pass things on. Of a module it would be all that it uses.
    if language == "python" and not path.endswith(_PACKAGES):
        return
    own = path.split("/")
    for module, name, alias in imports:
        inside = module.startswith(".") or module.partition(".")[0] in own
        if inside and name:
            yield (module, name), NOTHING if alias and name == "*" else name


def _names(path: str) -> tuple[str, ...]:
    """Return what a file may be imported as: its stem, and its folder where it is a package."""
    parts = path.split("/")
    stem = parts[-1].partition(".")[0]
    return (stem, parts[-2]) if path.endswith(_PACKAGES) and len(parts) > 1 else (stem,)
