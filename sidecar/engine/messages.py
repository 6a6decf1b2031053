"""What front and engine say to each other, and how it is framed: the one module that both import.

A connection carries msgpack arrays `[kind, body]`, one after another; msgpack delimits itself.
Bodies are maps of the dataclasses below. Bad frames end the connection. May import msgpack and
nothing of the engine or the front.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass, field
from typing import Any, Literal

import msgpack

__all__ = [
    "MAX_FRAME_BYTES",
    "Completion",
    "ModelInfo",
    "Priority",
    "Request",
    "Segment",
    "SegmentKind",
    "Stats",
    "completion_from_wire",
    "pack",
    "request_from_wire",
    "to_wire",
    "unpacker",
]

#: Larger than any prompt that fits a context; a larger frame is an error, not a request.
MAX_FRAME_BYTES = 16 * 1024 * 1024

SegmentKind = Literal["repo", "outline", "prefix", "suffix", "typed"]
Priority = Literal["interactive", "speculative", "warming"]


@dataclass(frozen=True, slots=True)
class Segment:
    """One part of a prompt.

    Args:
        kind: Where the part stands in the prompt. The first `repo` part names the repository; the
            others and `outline` begin with a file's path.
        text: Its text, with line feeds only; never parsed for special tokens.
    """

    kind: SegmentKind
    text: str


@dataclass(frozen=True, slots=True)
class Request:
    """One completion that a front asks of the engine.

    Args:
        document: Key of the document; its newest request cancels the older ones of the same
            connection.
        segments: The prompt's parts.
        multiline: Whether generation may pass a newline.
        max_tokens: Most tokens to generate, the healed ones included. With 0 the prompt is only
            evaluated, into a lane that nobody uses, for whoever may ask for it next.
        time_limit_ms: Generation ends after this many milliseconds from its first token.
        heal: Whether bytes are taken back from the text before the cursor.
        layout: `anchored` puts `typed` behind the middle token, `plain` at the end of the prefix.
        priority: Interactive work outranks speculative work, which outranks warming.
        drafts: Whether a pass may verify several tokens.
        block: Whether several lines end where they leave the block that they begin in, come to what
            stands below, or to a blank line.
        least_confidence: Generation ends before a line to which the model gives less chance than
            this, 0 to 1; it does so as soon as that is certain.
        explain: Whether the completion tells its `choices`.
        place: What the front calls the prompt up to `typed`; 0 if it has no use for `held`.
    """

    document: str
    segments: tuple[Segment, ...]
    multiline: bool = False
    max_tokens: int = 48
    time_limit_ms: float = 8000.0
    heal: bool = True
    layout: Literal["anchored", "plain"] = "anchored"
    priority: Priority = "interactive"
    drafts: bool = True
    block: bool = False
    least_confidence: float = 0.0
    explain: bool = False
    place: int = 0


@dataclass(frozen=True, slots=True)
class Stats:
    """The account of one completion; times in milliseconds from the arrival of the request.

    Args:
        evaluated: Prompt tokens computed for this request, summed where `llama_decode` is called.
        reused: Prompt tokens found in the lane.
        generated: Tokens generated, the healed ones included.
        healed_bytes: Bytes taken back from the text before the cursor.
        passes: Forward passes until the first byte beyond the text before the cursor.
        queue_ms: Wait until the inference thread took the request.
        prompt_ms: Time spent evaluating the prompt.
        first_token_ms: Arrival to the first token.
        visible_ms: Arrival to the first byte beyond the text before the cursor, or None.
        total_ms: Arrival to the end.
        llama_ms: Time inside `llama_decode` until the first visible byte.
        one_token_ms: Median of the one-token decodes of this request, 0 when it had none.
        stop: Why it ended: `eog`, `newline`, `tokens`, `time`, `dedent`, `below` (it came to what
            stands there), `blank`, `repetition`, `unsure` (a line was too unlikely) or `cancelled`.
            What is only evaluated ends as `warmed`, `held` (it was there already) or `no_room`.
        segment_tokens: Tokens of each prompt segment by kind.
        trimmed: Tokens of the prompt's head that were left out for want of room.
        drafted: Tokens guessed and evaluated with the one before them.
        accepted: Those of them that were generated.
        drafted_by_model: Those that were guessed by a draft model.
        accepted_by_model: Those of them that were generated.
    """

    evaluated: int = 0
    reused: int = 0
    generated: int = 0
    healed_bytes: int = 0
    passes: int = 0
    queue_ms: float = 0.0
    prompt_ms: float = 0.0
    first_token_ms: float = 0.0
    visible_ms: float | None = None
    total_ms: float = 0.0
    llama_ms: float = 0.0
    one_token_ms: float = 0.0
    stop: str = ""
    segment_tokens: dict[str, int] = field(default_factory=dict)
    trimmed: int = 0
    drafted: int = 0
    accepted: int = 0
    drafted_by_model: int = 0
    accepted_by_model: int = 0


@dataclass(frozen=True, slots=True)
class Completion:
    """A finished completion: text beyond the cursor, account, and log-probabilities.

    Those are of the tokens generated, each among all that could stand there: while bytes that were
    taken back are given again, among the tokens that do that. Where it was asked for, `choices` are
    the same tokens by number, and the one that ended the generation, each with how far the logit of
    the second best lay below its own. `held` are the places, of all fronts, of which some lane
    holds the prompt up to `typed` now, if that is known.
    """

    text: str
    stats: Stats
    logprobs: tuple[float, ...] = ()
    choices: tuple[tuple[int, float], ...] = ()
    held: tuple[int, ...] | None = None


@dataclass(frozen=True, slots=True)
class ModelInfo:
    """What the engine tells about the model it holds.

    Args:
        description: llama.cpp's own one-line description.
        layout: `psm`, `spm` or `none`: the fill-in-the-middle order of the model's template.
        context_tokens: Size of the KV cache in tokens.
        lanes: Number of sequences.
        prompt_tokens_per_s: Prompt speed measured at the start.
        one_token_ms: Time of a one-token decode measured at the start.
        threads: CPU threads used.
        gpu_layers: Layers offloaded.
        draft: Description of the model that drafts for it, if one does.
        draft_problem: Why none does, though one was wanted.
    """

    description: str
    layout: str
    context_tokens: int
    lanes: int
    prompt_tokens_per_s: float
    one_token_ms: float
    threads: int
    gpu_layers: int
    draft: str = ""
    draft_problem: str = ""


def pack(kind: str, body: Any) -> bytes:
    """Frame one message."""
    packed: bytes = msgpack.packb([kind, body], unicode_errors="surrogatepass")
    return packed


def unpacker() -> msgpack.Unpacker:
    """Make a streaming decoder for one connection."""
    return msgpack.Unpacker(max_buffer_size=MAX_FRAME_BYTES, unicode_errors="surrogatepass")


def request_from_wire(body: dict[str, Any]) -> Request:
    """Rebuild a request; raises TypeError or KeyError on a malformed one."""
    segments = tuple(Segment(kind=part["kind"], text=part["text"]) for part in body["segments"])
    return Request(**{**body, "segments": segments})


def completion_from_wire(body: dict[str, Any]) -> Completion:
    """Rebuild a completion; raises TypeError or KeyError on a malformed one."""
    return Completion(
        text=body["text"],
        stats=Stats(**body["stats"]),
        logprobs=tuple(body["logprobs"]),
        choices=tuple((token, gap) for token, gap in body["choices"]),
        held=None if body["held"] is None else tuple(body["held"]),
    )


def to_wire(value: Request | Completion | ModelInfo) -> dict[str, Any]:
    """Turn a value of this module into a map of plain types."""
    return asdict(value)
