"""What a recorded session was: its requests with their answers, and which of these can come again.

An answer comes again if it follows from what was said before it, and not from when. Pure. May
import the reader of recordings.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sidecar.server.recording import Entry

__all__ = [
    "ACCEPT",
    "ACCOUNTS",
    "Asked",
    "How",
    "Session",
    "comparable",
    "identities_of",
    "is_ready",
    "session_of",
]

ACCEPT = "sidecar.accept"
COMPLETIONS = ("textDocument/inlineCompletion", "textDocument/completion")
#: Their answers are times and counts.
ACCOUNTS = ("sidecar/stats", "sidecar/status", "sidecar/contextCard")
#: How often the index was written: batches are as large as they happen to be.
_GENERATION = "generation"
#: A replay ends the session itself.
_ENDINGS = ("shutdown", "exit")
_CANCELLED = -32800
#: What ends the requests for a document that are under way.
_OVERTAKING = (*COMPLETIONS, "textDocument/didClose", "textDocument/didOpen")


class How(NamedTuple):
    """How an answer came about, as the server noted.

    Args:
        clock: How it follows from the speed of things: a word, or nothing.
        origin: Whether the engine was asked for it, or it was known already.
        prompt: Tells one prompt from another.
    """

    clock: str = ""
    origin: str = ""
    prompt: str = ""


@dataclass(slots=True)
class Asked:
    """A request of the client.

    Args:
        method: What for.
        uri: The document that it is about, if it is about one.
        at_ms: When it came.
        left_out: Why its answer is not compared: a word, or nothing.
        answer: The whole answering message, once there is one.
        took_ms: How long that took.
        how: How it came about, where that was noted.
    """

    method: str
    uri: str
    at_ms: float
    left_out: str = ""
    answer: dict[str, Any] | None = None
    took_ms: float = 0.0
    how: How = field(default_factory=How)


@dataclass(slots=True)
class Session:
    """A recorded session.

    Args:
        entries: All that was said, without what ended it.
        asked: The client's requests by their ids.
        replies: What the client answered to the server, by method and in order.
        prompt_tokens_per_s: How fast the model read, as the server found; 0 if it had none.
    """

    entries: list[Entry]
    asked: dict[object, Asked] = field(default_factory=dict)
    replies: dict[str, list[Any]] = field(default_factory=dict)
    prompt_tokens_per_s: float = 0.0


def session_of(entries: Sequence[Entry]) -> Session:
    """Make a session of what was said."""
    session = Session([one for one in entries if one.message.get("method") not in _ENDINGS])
    questions: dict[object, str] = {}
    had_engine = any(is_ready(entry.message) for entry in entries)
    ready = False
    for entry in session.entries:
        message = entry.message
        number, method = entry.number, message.get("method")
        if entry.side == "note":
            speed = message.get("prompt_tokens_per_s", 0.0)
            session.prompt_tokens_per_s = session.prompt_tokens_per_s or float(speed)
            _note(session.asked, message)
        elif entry.side == "server":
            if method is None:
                _answered(session.asked.get(number), entry)
            elif method == "didChangeStatus":
                ready = is_ready(message)
            elif number is not None:
                questions[number] = method
        elif method is None:
            if number in questions:
                session.replies.setdefault(questions.pop(number), []).append(message.get("result"))
        else:
            _end(session.asked, method, message)
            if number is not None:
                asked = Asked(method, _uri(message), entry.at_ms)
                if method in ACCOUNTS:
                    asked.left_out = "accounts"
                elif method in COMPLETIONS and had_engine and not ready:
                    asked.left_out = "early"
                session.asked[number] = asked
    for asked in session.asked.values():
        if asked.answer is None:
            asked.left_out = "unanswered"
        asked.left_out = asked.left_out or asked.how.clock
    return session


def comparable(method: str, answer: dict[str, Any]) -> Any:
    """Return what of an answer has to come again: not what names or numbers happen to be."""
    if "error" in answer:
        return {"error": answer["error"].get("code")}
    result = answer.get("result")
    if method in COMPLETIONS and isinstance(result, dict):
        items = [
            {name: value for name, value in item.items() if name != "command"}
            for item in result.get("items", [])
        ]
        return {**result, "items": items}
    if isinstance(result, dict):
        return {name: value for name, value in result.items() if name != _GENERATION}
    return result


def identities_of(answer: dict[str, Any]) -> list[str]:
    """Return the names by which the items of an answer are accepted."""
    result = answer.get("result")
    items = result.get("items") if isinstance(result, dict) else None
    commands = [item.get("command") or {} for item in items or [] if isinstance(item, dict)]
    return [str(name) for one in commands for name in (one.get("arguments") or [])[:1]]


def _answered(asked: Asked | None, entry: Entry) -> None:
    if asked is None or asked.answer is not None:
        return
    asked.answer = entry.message
    asked.took_ms = entry.at_ms - asked.at_ms
    if (entry.message.get("error") or {}).get("code") == _CANCELLED:
        asked.left_out = "cancelled"


def _note(requests: dict[object, Asked], note: dict[str, Any]) -> None:
    """Take in how what is answered next came about; whoever is overtaken has no answer to tell."""
    uri = note.get("answering")
    how = How(*(str(note.get(name, "")) for name in How._fields))
    for asked in _under_way(requests, uri):
        asked.how = how


def _end(requests: dict[object, Asked], method: str, message: dict[str, Any]) -> None:
    """Note which requests a message of the client ends before they were answered."""
    if method == "$/cancelRequest":
        params = message.get("params")
        asked = requests.get(params.get("id")) if isinstance(params, dict) else None
        if asked is not None and asked.answer is None:
            asked.left_out = "cancelled"
    elif method in _OVERTAKING:
        for asked in _under_way(requests, _uri(message)):
            asked.left_out = asked.left_out or "overtaken"


def _under_way(requests: dict[object, Asked], uri: Any) -> list[Asked]:
    """List what is not answered yet in a document."""
    return [
        asked
        for asked in requests.values()
        if asked.answer is None and asked.method in COMPLETIONS and asked.uri == uri
    ]


def is_ready(message: dict[str, Any]) -> bool:
    """Tell whether a message of the server says that its model is loaded."""
    params = message.get("params")
    if message.get("method") != "didChangeStatus" or not isinstance(params, dict):
        return False
    return params.get("kind") == "Normal" and " is ready" in str(params.get("message"))


def _uri(message: dict[str, Any]) -> str:
    params = message.get("params")
    document = params.get("textDocument") if isinstance(params, dict) else None
    uri = document.get("uri") if isinstance(document, dict) else None
    return uri if isinstance(uri, str) else ""
