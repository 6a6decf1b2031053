"""The tokens of a server's model: asked for, remembered, and never those of markers in code.

Prompts are put together by the engine's own `Assembler`, which wants tokens at once. So what it
will need is asked for before, and what it wants beside that is asked for when it is seen to be
missing. May import the front's side of `engine`, and its template.
"""

from __future__ import annotations

import asyncio
import re
from collections import OrderedDict
from dataclasses import replace
from typing import TYPE_CHECKING

from sidecar.engine.boundary import last_line
from sidecar.engine.template import Assembler, Template
from sidecar.remote.connection import RemoteFailure
from sidecar.remote.dialects import LlamaServer, marker_like
from sidecar.remote.templates import KNOWN, markers_of, template_of
from sidecar.text import encode_utf8

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from sidecar.engine.messages import Request
    from sidecar.engine.template import Assembled
    from sidecar.remote.connection import Connection
    from sidecar.remote.dialects import Dialect, Token

__all__ = ["Vocabulary"]

#: Texts whose tokens are kept.
_KNOWN_TEXTS = 16384
#: Requests for tokens under way at once.
_AT_ONCE = 8
_PATH = "/tokenize"


class _Lookup:
    """What is known of texts; notes what is asked for in vain."""

    def __init__(self) -> None:
        self.pieces: dict[int, bytes] = {}
        self.missing: dict[bytes, None] = {}
        self._known: OrderedDict[bytes, list[int]] = OrderedDict({b"": []})

    def __contains__(self, text: bytes) -> bool:
        return text in self._known

    def whole(self, text: bytes) -> bool:
        """Tell whether a text's tokens are known with their bytes."""
        known = self._known.get(text)
        return known is not None and all(token in self.pieces for token in known)

    def tokenize(self, text: bytes, *, special: bool = False) -> list[int]:
        """Return a text's tokens, or none and a note."""
        assert not special, "markers are looked up once, at the start"
        known = self._known.get(text)
        if known is None:
            self.missing[text] = None
            return []
        self._known.move_to_end(text)
        return known

    def learn(self, text: bytes, tokens: list[int]) -> None:
        """Keep a text's tokens."""
        self._known[text] = tokens
        if len(self._known) > _KNOWN_TEXTS:
            self._known.popitem(last=False)


class Vocabulary:
    """Tokens and template of one model.

    Args:
        connection: The server.
        dialect: How it is spoken with.
    """

    def __init__(self, connection: Connection, dialect: Dialect) -> None:
        self.template = Template(order="none")
        self._connection = connection
        self._dialect = dialect
        self._lookup = _Lookup()
        self._limit = asyncio.Semaphore(_AT_ONCE)

    async def find_template(self, wanted: Mapping[str, str] | None) -> bool:
        """Find out what stands around the parts of a prompt.

        Args:
            wanted: The texts of the only template to try; None for all known ones.

        Returns:
            Whether the model knows it, or one of them.

        Raises:
            RemoteFailure: The server does not tokenize.
        """
        without, with_begin = await asyncio.gather(self._asked("a"), self._asked("a", begin=True))
        extra = len(with_begin) - len(without)
        begin = tuple(token.number for token in with_begin[: max(extra, 0)])
        for texts in KNOWN if wanted is None else (wanted,):
            markers = markers_of(texts)
            found = await asyncio.gather(*(self._asked(text, markers=True) for text in markers))
            numbers = {
                marker: tokens[0].number
                for marker, tokens in zip(markers, found, strict=True)
                if len(tokens) == 1
            }
            template = template_of(texts, numbers, begin)
            if template is not None:
                self.template = template
                return True
        self.template = Template(order="none", begin=begin)
        return False

    async def assemble(self, request: Request, room: int) -> Assembled:
        """Return a prompt as tokens, as the engine makes it of its own tokens.

        Args:
            request: The prompt's segments.
            room: Most tokens.

        Raises:
            RemoteFailure: The server did not answer.
        """
        lookup = self._lookup
        lookup.missing.clear()
        # All but what is typed holds still, and of that the last line says where to take over.
        still = tuple(part for part in request.segments if part.kind != "typed")
        self._assembled(replace(request, segments=still, heal=False), None)
        kinds = ("typed",) if request.layout == "anchored" else ("prefix", "typed")
        before = "".join(part.text for part in request.segments if part.kind in kinds)
        line = last_line(encode_utf8(before)) if request.heal else b""
        missing = set(lookup.missing)
        await asyncio.gather(
            self._learn_all(missing - {line}), self._learn_all({line}, with_pieces=True)
        )
        while True:
            lookup.missing.clear()
            assembled = self._assembled(request, room)
            if not lookup.missing:
                return assembled
            await self._learn_all(set(lookup.missing))

    def _assembled(self, request: Request, room: int | None) -> Assembled:
        # A new one each time: it remembers what it was told, and may be told of nothing.
        return Assembler(self.template, self._lookup, self._lookup.pieces).assemble(request, room)

    async def _learn_all(self, texts: set[bytes], *, with_pieces: bool = False) -> None:
        """Ask for the tokens of texts, each by itself.

        Args:
            texts: The texts.
            with_pieces: Whether the bytes of their tokens are needed too.
        """
        known = self._lookup.whole if with_pieces else self._lookup.__contains__
        wanted = [text for text in texts if not known(text)]
        if isinstance(self._dialect, LlamaServer) and wanted and not with_pieces:
            await self._learn_together(self._dialect, wanted)
        else:
            await asyncio.gather(*(self._learn(text) for text in wanted))

    async def _learn(self, text: bytes) -> None:
        found = [token for part in await self._harmless(text.decode()) for token in part]
        self._lookup.pieces.update(found)
        self._lookup.learn(text, [token.number for token in found])

    async def _harmless(self, text: str) -> list[list[Token]]:
        """Return a text's tokens with no special one among them, cut where one would be."""
        found = await self._asked(text)
        if not self._dialect.parses_markers:
            return [found]
        markers = {
            token.piece.decode("utf-8", "replace").strip()
            for token in found
            if marker_like(token.piece)
        }
        if not markers:
            return [found]
        parts = _cut(text, markers)
        if len(parts) < 2:
            raise RemoteFailure("makes special tokens of what is code", "refused")
        return [tokens for part in parts for tokens in await self._harmless(part)]

    async def _asked(self, text: str, *, begin: bool = False, markers: bool = False) -> list[Token]:
        body = self._dialect.tokenize(text, begin=begin, markers=markers)
        async with self._limit:
            answer = await self._connection.post(_PATH, body)
        try:
            return self._dialect.tokens(answer)
        except (KeyError, TypeError, ValueError):
            raise RemoteFailure("does not tell tokens", "sick") from None

    async def _learn_together(self, dialect: LlamaServer, texts: Sequence[bytes]) -> None:
        body = dialect.tokenize_many([text.decode() for text in texts])
        answer = await self._connection.post(_PATH, body)
        try:
            found = dialect.many(answer, len(texts))
        except (KeyError, TypeError, ValueError):
            raise RemoteFailure("does not tell tokens", "sick") from None
        for text, tokens in zip(texts, found, strict=True):
            self._lookup.learn(text, tokens)


def _cut(text: str, markers: Iterable[str]) -> list[str]:
    """Cut a text behind the first letter of each marker."""
    pattern = "|".join(re.escape(marker) for marker in sorted(markers, key=len, reverse=True))
    parts, start = [], 0
    for found in re.finditer(pattern, text):
        parts.append(text[start : found.start() + 1])
        start = found.start() + 1
    return [part for part in (*parts, text[start:]) if part]
