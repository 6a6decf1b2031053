"""Whether code repeats what stands above it: a measure of the text alone, whatever a model says.

Pure. May import the standard library.
"""

from __future__ import annotations

import re

__all__ = ["REPETITIVE", "repetition", "words"]

#: Code of which at least this share can be read off what stood above it is repetitive.
REPETITIVE = 0.6
#: Words that have to agree before what followed them is looked at.
_SIZE = 3
_WORD = re.compile(r"\w+|[^\w\s]|\n")


def words(text: str) -> list[str]:
    """List the words, signs and line breaks of a text."""
    return _WORD.findall(text)


def repetition(before: str, rest: str) -> float:
    """Tell the share of a text's words that can be read off what stands above.

    Read is where the last three words stood last, for as long as that agrees, and past one word
    that stands in place of another, as in rows of a table. Words of the text itself count as soon
    as they are written.

    Args:
        before: What stands above.
        rest: The text.
    """
    written: list[str] = []
    behind: dict[tuple[str, ...], int] = {}
    source = agreed = known = 0
    above, missing = words(before), words(rest)
    for number, word in enumerate([*above, *missing]):
        right = bool(source) and written[source] == word
        known += right and number >= len(above)
        written.append(word)
        last = tuple(written[-_SIZE:])
        found = behind.get(last, 0)
        behind[last] = number + 1
        if right:
            source, agreed = source + 1, agreed + 1
        elif not found and source and agreed >= _SIZE:
            source, agreed = source + 1, 0
        else:
            source, agreed = found, _SIZE if found else 0
    return known / len(missing) if missing else 0.0
