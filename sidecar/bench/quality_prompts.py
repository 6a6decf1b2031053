"""The prompts of tasks, by variant: with all context, without a source of it, or as others do.

All variants of a task have the same anchor, but for the short prompt, and the same window but for
those that are about it.
May import `text`, `syntax`, `index`, `context`, `completion` and the front's side of `engine`.
"""

from __future__ import annotations

import random
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Final, Literal, NamedTuple, get_args

from sidecar.bench.quality_scores import FULL, WHOLE_FILE
from sidecar.bench.workspace import OneDocument
from sidecar.completion.anchor import choose
from sidecar.completion.anchoring import ABOVE
from sidecar.completion.contexts import Contexts, HeadOptions
from sidecar.completion.short import place
from sidecar.context import WindowLimits, blanked, build, pruned
from sidecar.context.signals import SIGNALS
from sidecar.context.window import Tokens, lines_needed
from sidecar.engine.messages import Segment
from sidecar.errors import UsageError
from sidecar.settings.schema import SourceName
from sidecar.syntax import Bodies, Languages, Trees
from sidecar.text import Buffer, Document

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Mapping, Sequence

    from sidecar.bench.quality_tasks import QualityTask, Tree
    from sidecar.completion.anchor import Extension

    Count = Callable[[Sequence[str]], Awaitable[Mapping[str, int]]]

__all__ = ["SOURCES", "VARIANTS", "Made", "Prompts", "Variant", "variant_of"]

#: Names of all sources that the settings know.
SOURCES: Final[tuple[str, ...]] = get_args(SourceName)
#: For people; `without:`, `with:` and `only:` take names of sources, separated by commas. `all` has
#: no signals: what is said of the moment is measured by itself.
VARIANTS: Final = (
    FULL,
    "all",
    "current-file",
    "ring",
    WHOLE_FILE,
    "pruned",
    "behind",
    "short",
    "without:SOURCE",
    "with:SOURCE",
    "only:SOURCE",
)

#: What the strongest local plugin puts in front of a file: so many chunks of so many lines.
_RING_CHUNKS = 16
_RING_LINES = 32
_WHOLE = WindowLimits(1 << 20, 1 << 20, 1 << 20, 1 << 20)


@dataclass(frozen=True, slots=True)
class Variant:
    """One way to ask.

    Args:
        name: What to call it.
        window: What the model sees of the current file.
        head: What it sees before that.
        sources: Where the latter comes from.
        behind: Whether that stands at the end of the suffix instead.
    """

    name: str
    window: Literal["usual", "whole", "pruned", "short"] = "usual"
    head: Literal["sources", "ring", "nothing"] = "nothing"
    sources: frozenset[str] = frozenset()
    behind: bool = False


class Made(NamedTuple):
    """A prompt, and what it shows of other files: source, path and tokens of each part."""

    segments: tuple[Segment, ...]
    parts: tuple[tuple[str, str, int], ...]


def variant_of(name: str, usual: frozenset[str]) -> Variant:
    """Return a variant by its name.

    Args:
        name: One of `VARIANTS`, with names of sources.
        usual: The sources of the full context.

    Raises:
        UsageError: There is no such variant or source.
    """
    if name == "current-file":
        return Variant(name)
    if name == WHOLE_FILE:
        return Variant(name, window="whole")
    if name == "pruned":
        return Variant(name, window="pruned")
    if name == "short":
        return Variant(name, window="short")
    if name == "ring":
        return Variant(name, head="ring")
    if name == "behind":
        return Variant(name, head="sources", sources=usual, behind=True)
    what, _, listed = name.partition(":")
    named = frozenset(listed.split(",")) if listed else frozenset()
    if unknown := sorted(named - set(SOURCES)):
        raise UsageError(
            f"there is no source of context named {unknown[0]!r}",
            f"name one of {', '.join(SOURCES)}",
        )
    chosen = {
        (FULL, False): usual,
        ("all", False): frozenset(SOURCES) - SIGNALS,
        ("without", True): usual - named,
        ("with", True): usual | named,
        ("only", True): named,
    }.get((what, bool(named)))
    if chosen is None:
        raise UsageError(f"there is no variant {name!r}", f"name one of {', '.join(VARIANTS)}")
    return Variant(name, head="sources", sources=chosen)


class Prompts:
    """Makes prompts as the product makes them.

    Args:
        trees: Where the tasks are from.
        count: Counts tokens.
        limits: The window of the current file.
        head_tokens: Most tokens of what stands before it.
        use_body: Whether the model's anchor goes to the start of the function's body.
        seed: Of the rings.
    """

    def __init__(
        self,
        trees: Sequence[Tree],
        count: Count,
        *,
        limits: WindowLimits,
        head_tokens: int,
        use_body: bool = True,
        seed: int = 0,
    ) -> None:
        self._languages, self._parses = Languages.load(), Trees()
        self._bodies = Bodies(self._languages, self._parses)
        self._count = count
        self._limits = limits
        self._head_tokens = head_tokens
        self._use_body = use_body
        self._contexts = {
            str(tree.root): Contexts(
                OneDocument(tree, self._languages, self._parses), self._languages, self._parses
            )
            for tree in trees
        }
        self._rings = {str(tree.root): _ring(tree, seed) for tree in trees}

    async def make(self, task: QualityTask, variant: Variant) -> Made:
        """Make the prompt of a task."""
        # The document's name is the task's: parse trees must not be taken for an edit's.
        buffer = Buffer.of(task.before + task.after)
        document = Document(task.name, f"{task.root}/{task.path}", "", 0, buffer)
        offset = len(task.before)
        extension = await self._placed(document, offset, variant)
        prefix, suffix = extension.anchor.shown_prefix, extension.anchor.shown_suffix
        if variant.window == "pruned":
            prefix, suffix = self._pruned(document, extension.anchor.offset, offset)
        head: tuple[Segment, ...] = ()
        parts: tuple[tuple[str, str, int], ...] = ()
        if variant.head == "ring":
            head, parts = self._ring_head(task)
        elif variant.head == "sources":
            options = HeadOptions(variant.sources, self._head_tokens)
            contexts = self._contexts[task.root]
            made = await contexts.head(document, extension, offset, options, self._count, None)
            head = made.segments
            parts = tuple((part.source, part.path, part.tokens) for part in made.parts())
        if variant.behind:
            suffix += "".join(f"\n# {part.text}" for part in head[1:-1])
            head = ()
        return Made(build(prefix, suffix, extension.typed, head).segments, parts)

    async def _placed(self, document: Document, offset: int, variant: Variant) -> Extension:
        if variant.window == "short":
            # What is shown before the whole prompt is evaluated.
            return place(document, offset)
        body = self._bodies.find(document, offset) if self._use_body else None
        if variant.window == "whole":
            return choose(document, offset, body, window=_WHOLE)
        counts = await self._count(lines_needed(document.buffer, offset, self._limits))
        return choose(
            document,
            offset,
            body,
            tokens=Tokens(counts),
            window=self._limits,
            above=partial(self._bodies.above, document) if ABOVE in variant.sources else None,
        )

    def _pruned(self, document: Document, anchor: int, offset: int) -> tuple[str, str]:
        language = self._languages.find("", document.path)
        parsed = self._parses.parse(document.uri, language, document.buffer) if language else None
        made = pruned(document, parsed, anchor, offset) if parsed is not None else None
        if made is None:
            buffer = document.buffer
            before, after = buffer.slice(0, anchor), buffer.slice(offset, len(buffer))
        else:
            before, after = made.before, made.after
        return blanked(before).text, blanked(after).text

    def _ring_head(
        self, task: QualityTask
    ) -> tuple[tuple[Segment, ...], tuple[tuple[str, str, int], ...]]:
        line = task.before.count("\n")
        chunks = [
            (path, text)
            for path, first, text in self._rings[task.root]
            # The answer itself is not to be read.
            if path != task.path or not first <= line < first + _RING_LINES
        ]
        name = task.root.rpartition("/")[2]
        segments = (
            Segment("repo", f"{name}\n"),
            *(Segment("repo", f"{path}\n{text}") for path, text in chunks),
            Segment("outline", f"{task.path}\n"),
        )
        return segments, tuple(("ring", path, -(-len(text) * 2 // 5)) for path, text in chunks)


def _ring(tree: Tree, seed: int) -> list[tuple[str, int, str]]:
    """Return random chunks of a tree's code: path, first line and text of each."""
    languages = Languages.load()
    rng = random.Random(f"{seed}:{tree.name}")
    starts: list[tuple[str, int]] = []
    texts: dict[str, list[str]] = {}
    for path in tree.reader.paths():
        if languages.find("", path) is None:
            continue
        text = (tree.root / path).read_bytes().decode("utf-8", "replace").replace("\r\n", "\n")
        lines = texts[path] = text.splitlines(keepends=True)
        starts += [(path, first) for first in range(0, len(lines), _RING_LINES)]
    chosen = rng.sample(starts, min(_RING_CHUNKS, len(starts)))
    return [
        (path, first, blanked("".join(texts[path][first : first + _RING_LINES])).text)
        for path, first in chosen
    ]
