"""The model's fill-in-the-middle template: from a prompt's segments to its tokens.

Text of documents is always tokenized without special tokens, so code that contains
`<|fim_middle|>` stays code. Knows nothing of lanes or llama.cpp; the tokenizer is handed in.
"""

from __future__ import annotations

from collections import OrderedDict
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, Literal, Protocol

from sidecar.engine.boundary import take_back
from sidecar.errors import EngineError
from sidecar.text import encode_utf8

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sidecar.engine.boundary import Pieces
    from sidecar.engine.messages import Request
    from sidecar.engine.model import FimTokens

__all__ = [
    "Assembled",
    "Assembler",
    "Template",
    "Tokenizer",
    "detect_template",
    "template_from_texts",
]

Order = Literal["psm", "spm", "none"]

#: Texts whose tokens are kept: the parts of the prompts of some documents.
_KNOWN = 512
#: What stands before a file's path where the vocabulary has no token for it.
_PATH_MARK = b"# "


class Tokenizer(Protocol):
    """The part of the model that a template needs."""

    def tokenize(self, text: bytes, *, special: bool = False) -> list[int]:
        """Tokenize bytes by themselves."""
        ...


@dataclass(frozen=True, slots=True)
class Template:
    """Order and token ids of a fill-in-the-middle prompt.

    Args:
        order: `psm` (prefix, suffix, middle), `spm` (suffix, prefix, middle), or `none` (no such
            tokens).
        prefix: Tokens before the prefix.
        suffix: Tokens before the suffix.
        middle: Tokens behind which the middle is generated; SPM models may have none.
        repo: Tokens before the repository's name.
        separator: Tokens before each file.
        stops: All single tokens at which generation must end besides the vocabulary's own.
        begin: The beginning-of-sequence token, where the vocabulary wants one.
    """

    order: Order
    prefix: tuple[int, ...] = ()
    suffix: tuple[int, ...] = ()
    middle: tuple[int, ...] = ()
    repo: tuple[int, ...] = ()
    separator: tuple[int, ...] = ()
    stops: frozenset[int] = field(default_factory=frozenset)
    begin: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Assembled:
    """A prompt as tokens.

    Args:
        tokens: What the lane must hold before generation.
        healed: Bytes that generation must begin with.
        segment_tokens: Tokens of each segment by kind.
        still: How many of the tokens stand before `typed`.
        trimmed: Tokens of the repository and the outline that were left out for want of room.
    """

    tokens: list[int]
    healed: bytes
    segment_tokens: dict[str, int]
    still: int = 0
    trimmed: int = 0


def detect_template(fim: FimTokens, begin: int | None) -> Template:
    """Make the template that the vocabulary's own tokens tell: PSM, or none."""
    start = () if begin is None else (begin,)
    stops = frozenset(
        token
        for token in (fim.prefix, fim.suffix, fim.middle, fim.repo, fim.separator, fim.pad)
        if token >= 0
    )
    if min(fim.prefix, fim.suffix, fim.middle) < 0:
        return Template(order="none", stops=stops, begin=start)
    return Template(
        order="psm",
        prefix=(fim.prefix,),
        suffix=(fim.suffix,),
        middle=(fim.middle,),
        repo=(fim.repo,) if fim.repo >= 0 else (),
        separator=(fim.separator,) if fim.separator >= 0 else (),
        stops=stops,
        begin=start,
    )


def template_from_texts(texts: dict[str, Any], tokenizer: Tokenizer, begin: int | None) -> Template:
    """Make a template from the texts of a catalogue entry, for files that do not tell.

    Args:
        texts: `order`, and texts of special tokens under `prefix`, `suffix`, `middle`, `repo`,
            `separator`.
        tokenizer: The model's tokenizer.
        begin: The beginning-of-sequence token, if the vocabulary wants one.

    Raises:
        EngineError: A text is not a special token of this vocabulary.
    """
    parts: dict[str, tuple[int, ...]] = {}
    for name in ("prefix", "suffix", "middle", "repo", "separator"):
        text = texts.get(name, "")
        ids = tuple(tokenizer.tokenize(text.encode(), special=True)) if text else ()
        if len(ids) > 1:
            raise EngineError(
                f"the template names {text!r}, which is no token of this model",
                "remove `model.template` from the settings, or choose the model it belongs to",
            )
        parts[name] = ids
    stops = frozenset(token for ids in parts.values() for token in ids)
    order: Order = texts["order"]
    return Template(order=order, stops=stops, begin=() if begin is None else (begin,), **parts)


class Assembler:
    """Turns requests into tokens, remembering the tokens of texts that hold still.

    Args:
        template: The model's template.
        tokenizer: The model's tokenizer.
        pieces: Bytes of each token.
    """

    def __init__(self, template: Template, tokenizer: Tokenizer, pieces: Pieces) -> None:
        self.template = template
        self._tokenizer = tokenizer
        self._pieces = pieces
        self._known: OrderedDict[bytes, list[int]] = OrderedDict()

    def assemble(self, request: Request, room: int | None = None) -> Assembled:
        """Lay out the segments in the template's order and take back bytes before the cursor.

        Args:
            request: The prompt's segments. The first `repo` segment names the repository, each
                other one and the `outline` begin with the path of a file.
            room: Most tokens; where it is not enough, the repository's last files go first, then
                the outline.
        """
        texts = {"prefix": "", "suffix": "", "typed": ""}
        head: list[tuple[str, list[int]]] = []
        for segment in request.segments:
            if segment.kind in texts:
                texts[segment.kind] += segment.text
            else:
                named = segment.kind == "repo" and not head
                head.append((segment.kind, self._marked(segment.text, named=named)))
        assembled = self._around_cursor(request, texts)
        body, counts = assembled.tokens, assembled.segment_tokens
        start = list(self.template.begin)
        trimmed = 0
        if room is not None:
            excess = len(start) + sum(len(tokens) for _, tokens in head) + len(body) - room
            while excess > trimmed and head:
                last = max(range(len(head)), key=lambda at: (head[at][0] == "repo", at))
                trimmed += len(head.pop(last)[1])
        for kind, tokens in head:
            start += tokens
            counts[kind] = counts.get(kind, 0) + len(tokens)
        # Nothing at all to go on; a newline is the most neutral start.
        tokens = start + body or self._tokenizer.tokenize(b"\n")
        still = len(start) + assembled.still
        return replace(assembled, tokens=tokens, still=still, trimmed=trimmed)

    def _marked(self, text: str, *, named: bool) -> list[int]:
        template = self.template
        mark = template.repo if named else template.separator
        if mark:
            return [*mark, *self._still(encode_utf8(text))]
        return self._still(_PATH_MARK + encode_utf8(text))

    def _around_cursor(self, request: Request, texts: dict[str, str]) -> Assembled:
        """Lay out what stands around the cursor."""
        template = self.template
        if request.layout == "plain":
            texts["prefix"], texts["typed"] = "", texts["prefix"] + texts["typed"]
        typed, healed = encode_utf8(texts["typed"]), b""
        if request.heal:
            typed, healed = take_back(typed, self._tokenizer.tokenize, self._pieces)
        # While one types inside a token, what is kept stays the same.
        typed_tokens = self._still(typed)
        prefix = self._still(encode_utf8(texts["prefix"]))
        suffix = [] if template.order == "none" else self._still(encode_utf8(texts["suffix"]))
        behind: Sequence[int] = ()
        if template.order == "none":
            before = [*prefix]
        elif template.order == "spm":
            # Suffix first: typing appends by nature, so `typed` stays where it was trained to
            # stand.
            before = [*template.suffix, *suffix, *template.prefix, *prefix]
            behind = template.middle
        elif request.layout == "plain":
            before = [*template.prefix]
            behind = [*template.suffix, *suffix, *template.middle]
        else:
            before = [*template.prefix, *prefix, *template.suffix, *suffix, *template.middle]
        body = [*before, *typed_tokens, *behind]
        counts = {"prefix": len(prefix), "suffix": len(suffix), "typed": len(typed_tokens)}
        return Assembled(body, healed, counts, len(before))

    def _still(self, text: bytes) -> list[int]:
        known = self._known.get(text)
        if known is None:
            known = self._tokenizer.tokenize(text)
            self._known[text] = known
            if len(self._known) > _KNOWN:
                self._known.popitem(last=False)
        else:
            self._known.move_to_end(text)
        return known
