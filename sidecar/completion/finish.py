"""From a model's raw text to a suggestion, or to the reason why there is none.

Pure: same text, document and cursor, same answer. It only ever removes text, except for a line's
indentation. Must never do I/O. May import `text` and this package's modules.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from sidecar.completion.closers import CLOSERS, QUOTES, due_at_end, scan
from sidecar.completion.indent import fix_indentation, scope_end
from sidecar.completion.joining import before_the_rest, joins, without_overlap
from sidecar.completion.suggestion import Refusal, Suggestion
from sidecar.text import from_lf, to_lf
from sidecar.text.blocks import BELOW, repeated_at, same_line

if TYPE_CHECKING:
    from sidecar.text import Buffer, Document

__all__ = ["finish"]

#: Stops after which the last words are not known to be whole.
_UNFINISHED = frozenset({"tokens", "time", "repetition", "cancelled"})
_LAST_WORD = re.compile(r"\w+$")
#: Lines of code above the cursor that are read for open brackets.
_ABOVE = 40


def finish(
    raw: str,
    document: Document,
    offset: int,
    closers: int = 0,
    *,
    stop: str = "eog",
    multiline: bool = False,
    partial: bool = False,
    placeholder: str = "",
) -> Suggestion | Refusal:
    """Turn generated text into a suggestion.

    Args:
        raw: The generated text beyond the cursor, with LF breaks.
        document: The document it was made for.
        offset: The cursor.
        closers: Closers right after the cursor that an editor added, which are not in the prompt.
        stop: Why generation ended.
        multiline: Whether the suggestion may pass a line.
        partial: Whether more will follow, so that one character is no reason to refuse.
        placeholder: What the prompt shows in place of secrets, if it had any: nobody wants that in
            their code.
    """
    buffer = document.buffer
    line = buffer.line_at(offset)
    start = buffer.line_start(line)
    before = buffer.slice(start, offset)
    rest = buffer.slice(offset, buffer.line_end(line))
    run, tail = rest[:closers], rest[closers:]
    below = _next_line(buffer, line)

    text = _whole(raw, stop, multiline)
    if text is None:
        return Refusal("unfinished")
    if stop == "unsure" and not text.strip():
        return Refusal("unsure")
    if placeholder and placeholder in text:
        return Refusal("placeholder")
    if not before.strip(" \t"):
        text = fix_indentation(document, line, before, text)
    elif before[-1] in " \t" and not _in_string(before):
        text = text.lstrip(" \t")
    if not text.strip():
        return Refusal("blank")

    if "\n" in text:
        text = text[: repeated_at(before, text, below)]
        text = scope_end(before, text, below)
    text = before_the_rest(before, text, tail)
    text, covered = _reconcile(buffer, line, before, text, run, tail, below)
    if tail.strip():
        text = without_overlap(text, tail)
    else:
        text = text.rstrip()
    if not text.strip():
        return Refusal("repeats_after_cursor")
    if joins(document.language, before, text, tail):
        return Refusal("joins_code")
    if "\n" not in text and _repeats(before + text + run[covered:] + tail, below):
        return Refusal("repeats_next_line")
    if len(text.strip()) == 1 and not partial:
        return Refusal("one_character")
    shown = from_lf(text, buffer.newline)
    return Suggestion(start, offset + covered, before + shown, shown, before)


def _whole(raw: str, stop: str, multiline: bool) -> str | None:
    """Return the part of a generated text that is known to be whole, or None if there is none."""
    text = raw if multiline else raw.partition("\n")[0]
    if stop not in _UNFINISHED or len(text) < len(raw):
        return text
    if "\n" in text.strip("\n"):
        return text[: text.rindex("\n")]
    # Half a line still helps, as far as it is certain; half a word is wrong for sure.
    return _LAST_WORD.sub("", text).rstrip() or (None if text.strip() else text)


def _reconcile(
    buffer: Buffer, line: int, before: str, text: str, run: str, tail: str, below: str
) -> tuple[str, int]:
    """Match the closers of a suggestion with those that stand after the cursor already.

    Returns:
        The text without closers that would stand there twice, and how many of the editor's own
        closers the text brings along, so that its range has to cover them.
    """
    unmatched = scan(text, due_at_end(before, run or tail.lstrip())).unmatched
    covered = 0
    for index, closer in unmatched:
        if run.startswith(closer, covered):
            covered += len(closer)
            continue
        if covered < len(run):
            # Something else is closed first: the editor's closers stay where they are.
            break
        ahead = tail.lstrip()
        if ahead.startswith(closer):
            return text[:index], covered
        if not ahead and _steals(buffer, line, before, text, index, below):
            return text[:index], covered
    return text, covered


def _steals(buffer: Buffer, line: int, before: str, text: str, index: int, below: str) -> bool:
    """Tell whether a closer in the text takes the bracket that the next line closes."""
    following = below.lstrip()
    closer = text[index]
    if not following.startswith(closer):
        return False
    above = to_lf(buffer.slice(buffer.line_start(max(line - _ABOVE, 0)), buffer.line_start(line)))
    due = scan(above + before + text[:index]).open
    return due[-1:] == (closer,) and due[-2:-1] != (closer,)


def _repeats(line: str, below: str) -> bool:
    if not below or all(c in CLOSERS or c in "{([,; \t" for c in line):
        return False
    return same_line(line, below)


def _in_string(before: str) -> bool:
    due = scan(before).open
    return bool(due) and due[-1][0] in QUOTES


def _next_line(buffer: Buffer, line: int) -> str:
    """Return the next line that is not blank, or nothing if none is near."""
    for number in range(line + 1, min(buffer.line_count, line + 1 + BELOW)):
        if (text := buffer.line(number)).strip():
            return text
    return ""
