"""What is said to llama-server, and what to vLLM: bodies of requests, and what answers mean.

Both are given prompts as token ids, end where they are told to, and are made to begin with the
bytes that were taken back before the cursor: llama-server by a grammar, vLLM by a regular
expression. Pure; may import nothing but the engine's messages.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sidecar.engine.messages import Request

__all__ = ["Dialect", "LlamaServer", "Said", "Token", "Vllm", "marker_like"]


#: Stands between texts that llama-server tokenizes in one request; no token has this number.
_BETWEEN = -1
_ENDS = {"eos": "eog", "word": "newline", "limit": "tokens"}
#: What of its last event is of use: not the prompt, and not all the settings.
_FIELDS = ["content", "tokens", "stop", "stop_type", "tokens_predicted", "timings"]
#: How markers of special tokens are written.
_MARKER = re.compile(rb"<[^<>\s][^<>\n]*>|\[/?[A-Z_]{2,}\]")
#: From this version of vLLM on a regular expression is part of `structured_outputs`.
_STRUCTURED = (0, 11)


class Token(NamedTuple):
    """A token of some text.

    Args:
        number: Its id.
        piece: Its bytes.
    """

    number: int
    piece: bytes


@dataclass(frozen=True, slots=True)
class Said:
    """What one event of a stream says.

    Args:
        text: Text that was generated since the last one.
        tokens: Its tokens, where the server tells them.
        end: Why generation ended: `eog`, `newline` or `tokens`; empty while it goes on.
        evaluated: Prompt tokens that were computed, once told.
        reused: Prompt tokens that were in the server's cache, once told.
        generated: Tokens generated, once told.
        prompt_ms: Time spent on the prompt, once told.
    """

    text: str = ""
    tokens: tuple[int, ...] = ()
    end: str = ""
    evaluated: int | None = None
    reused: int | None = None
    generated: int | None = None
    prompt_ms: float | None = None


class Dialect(Protocol):
    """How one kind of server is spoken with."""

    #: The server's kind, for people.
    name: str
    #: Where completions are asked for.
    path: str
    #: Whether markers in a text become special tokens whatever is asked.
    parses_markers: bool

    def tokenize(self, text: str, *, begin: bool = False, markers: bool = False) -> dict[str, Any]:
        """Return the body that asks for a text's tokens.

        Args:
            text: The text.
            begin: Whether to add what every prompt begins with.
            markers: Whether markers become special tokens.
        """
        ...

    def tokens(self, answer: Any) -> list[Token]:
        """Return the tokens of an answer; raises KeyError, TypeError or ValueError."""
        ...

    def completion(
        self, prompt: list[int], healed: str, request: Request, stops: Sequence[int]
    ) -> dict[str, Any]:
        """Return the body that asks for a completion.

        Args:
            prompt: The prompt's tokens.
            healed: What generation has to begin with.
            request: What is wanted.
            stops: Tokens at which generation ends besides the model's own.
        """
        ...

    def read(self, event: dict[str, Any]) -> Said:
        """Return what an event says; raises KeyError, TypeError or ValueError."""
        ...


class LlamaServer:
    """llama.cpp's server, by its own endpoint, which tells tokens and times."""

    name = "llama-server"
    path = "/completion"
    parses_markers = False

    def tokenize(self, text: str, *, begin: bool = False, markers: bool = False) -> dict[str, Any]:
        """Return the body that asks for a text's tokens; see `Dialect`."""
        return {
            "content": text,
            "add_special": begin,
            "parse_special": markers,
            "with_pieces": True,
        }

    def tokens(self, answer: Any) -> list[Token]:
        """Return the tokens of an answer; see `Dialect`."""
        found = []
        for token in answer["tokens"]:
            piece = token["piece"]
            found.append(
                Token(int(token["id"]), piece.encode() if isinstance(piece, str) else bytes(piece))
            )
        return found

    def tokenize_many(self, texts: Sequence[str]) -> dict[str, Any]:
        """Return the body that asks for the tokens of several texts, each by itself."""
        content: list[str | int] = []
        for text in texts:
            content += [text, _BETWEEN]
        return {"content": content, "add_special": False, "parse_special": False}

    def many(self, answer: Any, count: int) -> list[list[int]]:
        """Return the tokens of each text of an answer; raises KeyError, TypeError or ValueError."""
        found: list[list[int]] = [[]]
        for token in answer["tokens"]:
            if token == _BETWEEN:
                found.append([])
            else:
                found[-1].append(int(token))
        if found.pop() or len(found) != count:
            raise ValueError("other texts were tokenized than were sent")
        return found

    def completion(
        self, prompt: list[int], healed: str, request: Request, stops: Sequence[int]
    ) -> dict[str, Any]:
        """Return the body that asks for a completion; see `Dialect`."""
        body: dict[str, Any] = {
            "prompt": prompt,
            "n_predict": request.max_tokens,
            "stream": True,
            "cache_prompt": True,
            # The likeliest token, and nothing that would make it another one.
            "temperature": 0.0,
            "samplers": ["top_k"],
            "top_k": 1,
            "repeat_penalty": 1.0,
            "stop": [] if request.multiline else ["\n"],
            "return_tokens": True,
            "response_fields": _FIELDS,
        }
        if healed:
            body["grammar"] = f"root ::= {_quoted(healed)} .*"
        return body

    def read(self, event: dict[str, Any]) -> Said:
        """Return what an event says; see `Dialect`."""
        text = str(event.get("content", ""))
        tokens = tuple(int(token) for token in event.get("tokens", ()))
        if "stop_type" not in event:
            return Said(text, tokens)
        timings = event.get("timings", {})
        return Said(
            text,
            tokens,
            _ENDS.get(event["stop_type"], "tokens"),
            evaluated=int(timings["prompt_n"]) if "prompt_n" in timings else None,
            reused=int(timings["cache_n"]) if "cache_n" in timings else None,
            generated=int(event["tokens_predicted"]),
            prompt_ms=float(timings["prompt_ms"]) if "prompt_ms" in timings else None,
        )


class Vllm:
    """vLLM's server.

    Args:
        model: The model's name there.
        version: The server's version.
    """

    name = "vLLM"
    path = "/v1/completions"
    #: Its tokenizers know special tokens by their text.
    parses_markers = True

    def __init__(self, model: str, version: str = "") -> None:
        self._model = model
        numbers = tuple(int(part) for part in re.findall(r"\d+", version)[:2])
        self._structured = not numbers or numbers >= _STRUCTURED

    def tokenize(self, text: str, *, begin: bool = False, markers: bool = False) -> dict[str, Any]:
        """Return the body that asks for a text's tokens; see `Dialect`."""
        del markers
        return {
            "model": self._model,
            "prompt": text,
            "add_special_tokens": begin,
            "return_token_strs": True,
        }

    def tokens(self, answer: Any) -> list[Token]:
        """Return the tokens of an answer; see `Dialect`."""
        numbers, texts = answer["tokens"], answer["token_strs"]
        return [
            Token(int(number), _piece(text)) for number, text in zip(numbers, texts, strict=True)
        ]

    def completion(
        self, prompt: list[int], healed: str, request: Request, stops: Sequence[int]
    ) -> dict[str, Any]:
        """Return the body that asks for a completion; see `Dialect`."""
        body: dict[str, Any] = {
            "model": self._model,
            "prompt": prompt,
            # It evaluates no prompt without a token after it.
            "max_tokens": max(request.max_tokens, 1),
            "temperature": 0.0,
            "stream": True,
            "stream_options": {"include_usage": True},
            "stop": [] if request.multiline else ["\n"],
            "stop_token_ids": sorted(stops),
        }
        if healed:
            pattern = _pattern(healed)
            if self._structured:
                body["structured_outputs"] = {"regex": pattern}
            else:
                body["guided_regex"] = pattern
        return body

    def read(self, event: dict[str, Any]) -> Said:
        """Return what an event says; see `Dialect`."""
        text, end = "", ""
        if event["choices"]:
            choice = event["choices"][0]
            text = str(choice["text"])
            if choice.get("finish_reason") is not None:
                word = isinstance(choice.get("stop_reason"), str)
                stopped = "newline" if word else "eog"
                end = stopped if choice["finish_reason"] == "stop" else "tokens"
        usage = event.get("usage")
        if not usage:
            return Said(text, end=end)
        cached = (usage.get("prompt_tokens_details") or {}).get("cached_tokens")
        return Said(
            text,
            end=end,
            # Without details nothing is known of its cache.
            evaluated=int(usage["prompt_tokens"]) - (cached or 0),
            reused=cached or 0,
            generated=int(usage["completion_tokens"] or 0),
        )


def marker_like(piece: bytes) -> bool:
    """Tell whether a token's text looks like the marker of a special token."""
    return _MARKER.fullmatch(piece.strip()) is not None


def _quoted(text: str) -> str:
    """Write a text as a literal of llama.cpp's grammars."""
    named = {"\\": "\\\\", '"': '\\"', "\n": "\\n", "\r": "\\r", "\t": "\\t"}
    return '"' + "".join(named.get(letter) or _letter(letter) for letter in text) + '"'


def _letter(letter: str) -> str:
    return letter if letter.isprintable() else f"\\U{ord(letter):08X}"


def _pattern(healed: str) -> str:
    """Write an expression for all that begins with a text, as any library for them reads it."""
    return re.sub(r"[\\.^$*+?{}\[\]|()/]", r"\\\g<0>", healed) + r"(.|\n)*"


def _byte_letters() -> dict[str, int]:
    """Return which byte each letter stands for in the vocabularies that GPT-2's is the model of."""
    shown = [*range(33, 127), *range(161, 173), *range(174, 256)]
    letters = {chr(byte): byte for byte in shown}
    rest = (byte for byte in range(256) if byte not in set(shown))
    letters.update((chr(256 + at), byte) for at, byte in enumerate(rest))
    return letters


_BYTES = _byte_letters()


def _piece(text: str) -> bytes:
    """Return the bytes that a token's name in a vocabulary stands for."""
    if re.fullmatch(r"<0x[0-9A-F]{2}>", text):
        return bytes([int(text[3:5], 16)])
    if marker_like(text.encode("utf-8", "replace")):
        # Written in the vocabulary as it is in texts.
        return text.encode("utf-8", "replace")
    if "▁" in text:
        return text.replace("▁", " ").encode()
    try:
        return bytes(_BYTES[letter] for letter in text)
    except KeyError:
        return text.encode("utf-8", "replace")
