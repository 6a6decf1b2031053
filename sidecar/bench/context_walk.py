"""How large prompts are, how long they take to make, and how much of them stays as one moves on.

Makes prompts through the product's own anchors on an index that is there, without a model: tokens
are estimated from bytes, the same way for all that is compared. May import `text`, `syntax`,
`index`, `context`, `completion`, `settings` and `telemetry`.
"""

from __future__ import annotations

import random
from dataclasses import dataclass, replace
from itertools import pairwise
from time import perf_counter
from typing import TYPE_CHECKING, Any, NamedTuple

from sidecar.bench.statistics import mean, percentile_group
from sidecar.bench.workspace import OneDocument
from sidecar.completion.anchoring import Anchors
from sidecar.completion.contexts import Contexts
from sidecar.context import build
from sidecar.context.window import estimated
from sidecar.errors import UsageError
from sidecar.syntax import Bodies, Languages, Trees
from sidecar.syntax.uses import code_lines
from sidecar.telemetry import Metrics
from sidecar.text import Buffer, Document, encode_utf8

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from sidecar.bench.quality_tasks import Tree
    from sidecar.engine.messages import Segment
    from sidecar.settings import Settings

__all__ = ["Move", "WalkPlan", "summarize", "walk"]

#: Files with fewer lines of code are no place to move about in.
_LEAST_LINES = 30
#: This part of the moves go anywhere in the file, the others no further than so many lines, as one
#: does when one writes.
_FAR = 0.5
_NEAR_LINES = 30
_HEAD = ("repo", "outline")
#: What is typed: a line that many languages can make something of.
_TYPED = "value = other(value)"


@dataclass(frozen=True, slots=True)
class WalkPlan:
    """Where to go.

    Args:
        files: Pairs of files to walk in: each is left for another one and returned to.
        moves: Moves within a file.
        seed: Which files and places.
        edits: Moves within a file, in the end, before each of which a line is typed.
    """

    files: int = 8
    moves: int = 12
    seed: int = 3
    edits: int = 4


class Move(NamedTuple):
    """What one move cost.

    Args:
        kind: `first` in a file, `within` it, to `other` one, `back`, or `edited` where a line was
            typed before it.
        build_ms: Time to choose the anchor and to make the prompt; None if it was not timed.
        moved: Whether another anchor was chosen.
        tokens: Of the prompt.
        file_tokens: Of the current file, whole.
        files_tokens: Of all files of which the prompt shows something, whole.
        head: The share of the head that is what it was at the last prompt of the file.
        whole: The same of the whole prompt.
    """

    kind: str
    build_ms: float | None
    moved: bool
    tokens: int
    file_tokens: int
    files_tokens: int
    head: float | None
    whole: float


class _Prompt(NamedTuple):
    head: bytes
    whole: bytes


async def walk(
    tree: Tree,
    plan: WalkPlan,
    settings: Settings,
    on_done: Callable[[int, int], None] | None = None,
) -> list[Move]:
    """Walk about in a tree.

    Args:
        tree: The tree, indexed.
        plan: Where to go.
        settings: What prompts hold.
        on_done: Called with the number of moves done, and of all.

    Raises:
        UsageError: There are no two files to move about in.
    """
    walker = _Walker(tree, settings)
    rng = random.Random(plan.seed)
    # Of its own, so that one goes to the same places however much is typed.
    edits = random.Random(plan.seed)
    files = walker.files(plan.files + 1, rng)
    moves: list[Move] = []
    total = (len(files) - 1) * (plan.moves + 3 + plan.edits)
    for file, other in pairwise(files):
        line = rng.choice(file.lines)
        kinds = ["first", *["within"] * plan.moves, "other", "back", *["edited"] * plan.edits]
        for kind in kinds:
            if kind == "within":
                far = rng.random() < _FAR
                line = rng.choice(file.lines) if far else _near(file.lines, line, rng)
            elif kind == "back":
                # An editor shows the place that one left.
                line = _near(file.lines, line, rng)
            elif kind == "edited":
                file = file.typed_below(line)
                line = edits.choice(file.lines)
            there, at = (other, rng.choice(other.lines)) if kind == "other" else (file, line)
            moves.append(await walker.move(there, at, kind))
            if on_done is not None:
                on_done(len(moves), total)
    return moves


def summarize(moves: Sequence[Move]) -> dict[str, Any]:
    """Return the numbers of the contract, and what they are made of."""
    timed = [move for move in moves if move.build_ms is not None]
    within = [move for move in moves if move.kind == "within" and move.moved]
    back = [move for move in moves if move.kind == "back"]
    return {
        "n": len(moves),
        "tokens_ratio": percentile_group([move.tokens / move.files_tokens for move in moves]),
        "tokens_ratio_current_file": percentile_group(
            [move.tokens / move.file_tokens for move in moves]
        ),
        "prompt_tokens": percentile_group([move.tokens for move in moves]),
        "build_ms": percentile_group([m.build_ms or 0.0 for m in timed if m.kind != "edited"]),
        "build_after_edit_ms": percentile_group(
            [m.build_ms or 0.0 for m in timed if m.kind == "edited"]
        ),
        "moved_within_file": len(within),
        "head_unchanged_within_file": mean([m.head for m in within if m.head is not None]),
        "prompt_unchanged_within_file": mean([move.whole for move in within]),
        "prompt_unchanged_switch_back": mean([move.whole for move in back]),
    }


class _File(NamedTuple):
    document: Document
    path: str
    lines: list[int]
    tokens: int

    def typed_below(self, line: int) -> _File:
        """Return the file with a line typed below one, indented like it."""
        document = self.document
        buffer = document.buffer
        written = buffer.line(line)
        indent = written[: len(written) - len(written.lstrip())]
        end = buffer.line_start(line) + len(written)
        typed = buffer.edit(end, end, f"\n{indent}{_TYPED}")
        lines = [other + (other > line) for other in self.lines]
        return self._replace(document=replace(document, buffer=typed), lines=lines)


class _Walker:
    """Moves about in one tree as an editor would."""

    def __init__(self, tree: Tree, settings: Settings) -> None:
        self._tree = tree
        self._languages, self._trees = Languages.load(), Trees()
        workspace = OneDocument(tree, self._languages, self._trees)
        self._anchors = Anchors(
            Bodies(self._languages, self._trees),
            Contexts(workspace, self._languages, self._trees),
            Metrics(),
            lambda: settings,
        )
        self._last: dict[str, _Prompt] = {}
        self._sizes: dict[str, int] = {}

    def files(self, number: int, rng: random.Random) -> list[_File]:
        """Choose files to walk in."""
        paths = list(self._tree.reader.paths())
        rng.shuffle(paths)
        found: list[_File] = []
        for path in paths:
            file = self._file(path)
            if file is not None:
                found.append(file)
                if len(found) == number:
                    return found
        if len(found) < 2:
            raise UsageError(
                f"{self._tree.root} has no two files with {_LEAST_LINES} lines of code",
                "name a larger project",
            )
        return found

    async def move(self, file: _File, line: int, kind: str) -> Move:
        """Put the cursor at the end of a line, and make the prompt there."""
        document = file.document
        buffer = document.buffer
        offset = buffer.line_start(line) + len(buffer.line(line))
        started = perf_counter()
        anchored = self._anchors.serving(document, offset)
        moved = anchored is None
        if anchored is None:
            anchored = await self._anchors.moved(document, offset, None, None)
        extension, head = anchored.extension, anchored.head
        anchor = extension.anchor
        segments = build(
            anchor.shown_prefix, anchor.shown_suffix, extension.typed, head.segments
        ).segments
        taken = (perf_counter() - started) * 1000.0
        self._anchors.keep(document.uri, anchored)
        prompt = _prompt(segments)
        before = self._last.get(document.uri)
        self._last[document.uri] = prompt
        paths = {file.path, *(part.path for part in head.parts())}
        return Move(
            kind,
            # The first in a file waits for its tree, as opening it does.
            taken if moved and before is not None else None,
            moved,
            _tokens(prompt.whole),
            file.tokens,
            sum(map(self._size, sorted(paths))),
            _share(before.head, prompt.head) if before is not None and prompt.head else None,
            _share(before.whole, prompt.whole) if before is not None else 0.0,
        )

    def _file(self, path: str) -> _File | None:
        language = self._languages.find("", path)
        if language is None:
            return None
        absolute = self._tree.root / path
        try:
            text = absolute.read_bytes().decode("utf-8")
        except (OSError, UnicodeDecodeError):
            return None
        document = Document(absolute.as_uri(), str(absolute), "", 0, Buffer.of(text))
        parsed = self._trees.parse(document.uri, language, document.buffer)
        if parsed is None or "\r" in text:
            return None
        lines = sorted(code_lines(parsed))
        if len(lines) < _LEAST_LINES:
            return None
        return _File(document, path, lines, self._size(path))

    def _size(self, path: str) -> int:
        """Return the tokens of a file; nothing of what is no file, as the project's notes."""
        if path not in self._sizes:
            try:
                self._sizes[path] = _tokens((self._tree.root / path).read_bytes())
            except OSError:
                self._sizes[path] = 0
        return self._sizes[path]


def _near(lines: Sequence[int], line: int, rng: random.Random) -> int:
    return rng.choice([other for other in lines if abs(other - line) <= _NEAR_LINES])


def _prompt(segments: Sequence[Segment]) -> _Prompt:
    """Return a prompt as bytes, in the order in which most models read it."""
    marked = [
        (part.kind, b"\0" + part.kind.encode() + b"\0" + encode_utf8(part.text))
        for part in segments
    ]
    head = b"".join(text for kind, text in marked if kind in _HEAD)
    return _Prompt(head, head + b"".join(text for kind, text in marked if kind not in _HEAD))


def _share(before: bytes, now: bytes) -> float:
    """Return the part of a text that begins as another one does."""
    low, high = 0, min(len(before), len(now))
    while low < high:
        middle = (low + high + 1) // 2
        if before[:middle] == now[:middle]:
            low = middle
        else:
            high = middle - 1
    return low / len(now)


def _tokens(text: bytes) -> int:
    return max(estimated(len(text)), 1)
