"""Tasks whose answer stands in another file: lines of any repository, with a hole to their end.

Where names lead is asked of an index of the tree, made for the occasion. The same tree and seed
give the same tasks in the same order with the same cursors, and a smaller limit the head of a
larger one. May import `syntax`, `index` and `context`.
"""

from __future__ import annotations

import hashlib
import random
import re
from collections import Counter, defaultdict
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final, Literal, NamedTuple, get_args

from sidecar.bench.quality_needs import NEEDS, Need, needs_of
from sidecar.context.window import estimated
from sidecar.index.once import index_once
from sidecar.index.query.reader import Reader
from sidecar.syntax import Grammar, Languages
from sidecar.syntax.parse import Parsed
from sidecar.syntax.uses import code_lines

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

__all__ = [
    "KINDS",
    "MIXED",
    "POSITIONS",
    "Position",
    "QualityTask",
    "Tree",
    "choose",
    "indexed",
    "tasks_of",
]

Position = Literal["start", "middle", "member"]

POSITIONS: Final[tuple[str, ...]] = get_args(Position)
#: What a line needs of another file.
KINDS: Final = NEEDS
#: Any line of code, whatever it needs.
MIXED: Final = "mixed"
#: Lines shorter than this are guessed by chance, and longer ones by nobody.
_CHARACTERS = range(8, 121)
#: What the cursor leaves has at least so many characters besides blanks.
_LEAST_REST = 2
_WORD = re.compile(r"\w")
_NAME = re.compile(r"[^\W\d]\w*")
_NAME_END = re.compile(r"[^\W\d]\w*$")
#: Lines that a usual window shows before and after the cursor.
_SEEN_ABOVE, _SEEN_BELOW = 25, 10


@dataclass(frozen=True, slots=True)
class QualityTask:
    """One hole.

    Args:
        name: Names the task among all of a run: tree, file and line.
        root: The tree's folder.
        path: The file, relative to the tree.
        kind: What the line needs, or `mixed`.
        position: Where the cursor stands: at the line's first character, inside what depends on
            the other file, or right behind the dot before it.
        before: All text before the cursor.
        rest: What stood from the cursor to the end of the line, without blanks at its end.
        after: All text after it, which begins with the line's break.
        needs: The file that the answer depends on; nothing for `mixed`.
    """

    name: str
    root: str
    path: str
    kind: str
    position: Position
    before: str
    rest: str
    after: str
    needs: str = ""

    @property
    def unseen(self) -> bool:
        """Whether the answer has a name that stands nowhere in the lines around it.

        Only then it cannot be had from what every variant reads of the current file.
        """
        above = self.before.split("\n")
        line = above.pop()
        # A word that the cursor stands in is looked for whole.
        begun = _NAME_END.search(line)
        start = begun.start() if begun and _WORD.match(self.rest) else len(line)
        names = set(_NAME.findall(line[start:] + self.rest))
        around = [*above[-_SEEN_ABOVE:], line[:start], *self.after.split("\n")[: _SEEN_BELOW + 1]]
        return not names <= set(_NAME.findall("\n".join(around)))

    def digest(self) -> str:
        """Return what changes when the task does."""
        said = (self.name, self.before, self.rest, self.after)
        return hashlib.sha256(repr(said).encode("utf-8", "backslashreplace")).hexdigest()[:16]


@dataclass(frozen=True, slots=True)
class Tree:
    """A folder of code with an index of it.

    Args:
        root: The folder.
        name: What its tasks are called by.
        reader: The index.
    """

    root: Path
    name: str
    reader: Reader


class _Chance(NamedTuple):
    """A line that could become a task, and one thing that it needs."""

    line: int
    kind: str
    #: Columns of what is needed; empty for `mixed`.
    span: tuple[int, int] | None
    #: Whether a dot stands before it.
    member: bool
    needs: str


@contextmanager
def indexed(root: Path, folder: Path) -> Iterator[Tree]:
    """Give a tree with an index of it that lies in a folder of the caller's.

    Raises:
        SidecarError: It cannot be indexed.
    """
    root = root.resolve()
    database = folder / f"{root.name}-{hashlib.sha256(str(root).encode()).hexdigest()[:8]}.sqlite"
    index_once(str(root), database=lambda _: database)
    with Reader(database) as reader:
        yield Tree(root, root.name, reader)


def tasks_of(
    tree: Tree,
    *,
    seed: int,
    kinds: Sequence[str] = KINDS,
    most_tokens: int = 4_000,
    counts: Mapping[str, int] | None = None,
) -> list[QualityTask]:
    """Make a task of each line of a tree that fits one of some kinds.

    Args:
        tree: The tree.
        seed: Where the cursors stand, and which of several things that a line needs it is for.
        kinds: The kinds.
        most_tokens: Larger files are left out.
        counts: Tokens of files by path; those that are missing are estimated.
    """
    languages = Languages.load()
    tasks: list[QualityTask] = []
    for path in tree.reader.paths():
        language = languages.find("", path)
        grammar = Grammar.of(language) if language is not None else None
        if grammar is None or grammar.facts is None:
            continue
        try:
            source = (tree.root / path).read_bytes()
            text = source.decode("utf-8")
        except (OSError, UnicodeDecodeError):
            continue
        tokens = (counts or {}).get(path, estimated(len(source)))
        parsed_tree = grammar.parse(source) if tokens <= most_tokens else None
        # Where nothing parses nobody knows what a line needs; and lines are those of line feeds.
        if parsed_tree is None or parsed_tree.root_node.is_error or "\r" in text:
            continue
        parsed = Parsed(source, parsed_tree, grammar)
        tasks += _tasks_of_file(tree, path, parsed, text, seed, frozenset(kinds))
    return tasks


def choose(tasks: Iterable[QualityTask], limit: int, seed: int) -> list[QualityTask]:
    """Choose tasks so that trees, kinds and files get their turns.

    Args:
        tasks: All there are.
        limit: How many.
        seed: Which.
    """
    groups: dict[tuple[str, str], dict[str, list[QualityTask]]] = defaultdict(
        lambda: defaultdict(list)
    )
    for task in sorted(tasks, key=lambda task: task.name):
        groups[task.root, task.kind][task.path].append(task)
    queues = []
    for (root, kind), files in sorted(groups.items()):
        rng = random.Random(f"{seed}:{Path(root).name}:{kind}")
        for queue in files.values():
            rng.shuffle(queue)
        order = list(files.values())
        rng.shuffle(order)
        queues.append(_in_turns(order))
    random.Random(seed).shuffle(queues)
    return _in_turns(queues)[:limit]


def _in_turns(queues: Sequence[Sequence[QualityTask]]) -> list[QualityTask]:
    longest = max(map(len, queues), default=0)
    return [queue[turn] for turn in range(longest) for queue in queues if turn < len(queue)]


def _tasks_of_file(
    tree: Tree, path: str, parsed: Parsed, text: str, seed: int, kinds: frozenset[str]
) -> list[QualityTask]:
    lines = text.split("\n")
    good = _good_lines(parsed, lines)
    chances: dict[int, list[_Chance]] = defaultdict(list)
    if kinds & set(KINDS):
        for need in needs_of(tree.reader, path, parsed):
            chance = _chance(parsed.source, need)
            if chance is not None and chance.line in good and need.kind in kinds:
                chances[chance.line].append(chance)
    if MIXED in kinds:
        for line in good:
            chances[line].append(_Chance(line, MIXED, None, False, ""))
    tasks = []
    for line in sorted(chances):
        name = f"{tree.name}/{path}:{line + 1}"
        # By name: the cursor of a task must not depend on which other tasks there are.
        rng = random.Random(f"{seed}:{name}")
        by_kind: dict[str, list[_Chance]] = defaultdict(list)
        for chance in chances[line]:
            by_kind[chance.kind].append(chance)
        chance = rng.choice(by_kind[rng.choice(sorted(by_kind))])
        placed = _cursor(lines[line], chance, rng)
        if placed is None:
            continue
        position, column = placed
        start = sum(len(above) + 1 for above in lines[:line])
        rest = lines[line][column:].rstrip()
        tasks.append(
            QualityTask(
                name,
                str(tree.root),
                path,
                chance.kind,
                position,
                text[: start + column],
                rest,
                text[start + len(lines[line]) :],
                chance.needs,
            )
        )
    return tasks


def _good_lines(parsed: Parsed, lines: Sequence[str]) -> frozenset[int]:
    """Return the lines that are worth guessing and stand in their file once."""
    often = Counter(line.strip() for line in lines)
    return frozenset(
        number
        for number in code_lines(parsed)
        if len(text := lines[number].strip()) in _CHARACTERS
        and often[text] == 1
        and len(_WORD.findall(text)) >= _CHARACTERS.start // 2
    )


def _chance(source: bytes, need: Need) -> _Chance | None:
    """Return a need by line and columns, or None if it goes over lines."""
    start, end = need.start, need.end
    begin = source.rfind(b"\n", 0, start) + 1
    stop = source.find(b"\n", start)
    stop = len(source) if stop < 0 else stop
    end = min(end, stop)
    low = len(source[begin:start].decode("utf-8", "replace"))
    high = low + len(source[start:end].decode("utf-8", "replace"))
    line = source.count(b"\n", 0, start)
    return _Chance(line, need.kind, (low, high), need.member, need.file) if low < high else None


def _cursor(line: str, chance: _Chance, rng: random.Random) -> tuple[Position, int] | None:
    """Choose one of the positions that a line has, or None if none leaves enough."""
    first = len(line) - len(line.lstrip())
    last = len(line.rstrip()) - _LEAST_REST
    low, high = chance.span or (first, last)
    choices: list[tuple[Position, Callable[[], int]]] = [("start", lambda: first)]
    inside = range(max(low, first) + 1, min(high - 1, last) + 1)
    if inside:
        choices.append(("middle", lambda: rng.choice(inside)))
    if chance.span is None:
        dots = [match.end() for match in re.finditer(r"(?<=\w)(?:\.|->|::)(?=\w)", line)]
        behind = [column for column in dots if first < column <= last]
        if behind:
            choices.append(("member", lambda: rng.choice(behind)))
    elif chance.member and first < low <= last:
        choices.append(("member", lambda: low))
    position, column = rng.choice(choices)
    at = column()
    return (position, at) if _WORD.search(line[at:]) else None
