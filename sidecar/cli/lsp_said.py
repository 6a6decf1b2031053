"""Puts messages of the protocol into a few words each, with or without the code in them.

Takes any message, also a malformed one. May import the standard library.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any
from urllib.parse import unquote

if TYPE_CHECKING:
    from collections.abc import Callable

__all__ = ["Said"]

#: Characters of a piece of code that are shown.
_MOST = 60


class Said:
    """Says what messages say.

    Args:
        code: Whether code may be shown.
    """

    def __init__(self, *, code: bool = True) -> None:
        self._code = code
        self._asked: dict[str, Callable[[Any], str]] = {
            "initialize": _initialize,
            "textDocument/didOpen": self._opened,
            "textDocument/didChange": self._changed,
            "textDocument/inlineCompletion": _asked,
            "textDocument/completion": _asked,
            "textDocument/didShowCompletion": self._item,
            "textDocument/didPartiallyAcceptCompletion": self._accepted,
            "sidecar/inlineCompletionProgress": self._streamed,
            "workspace/executeCommand": lambda params: str(_at(params, "command")),
            "didChangeStatus": lambda params: f"{_at(params, 'kind')}: {_at(params, 'message')}",
            "window/logMessage": lambda params: str(_at(params, "message")),
            "window/showMessage": lambda params: str(_at(params, "message")),
            "$/cancelRequest": lambda params: f"#{_at(params, 'id')}",
        }

    def words(self, method: object, message: Any) -> str:
        """Return what a message says, in a line or less; nothing if there is nothing to say."""
        if "error" in message:
            return f"error {_at(message, 'error', 'code')}: {_at(message, 'error', 'message')}"
        if "result" in message:
            return self._result(message["result"])
        params = message.get("params")
        if method == "note":
            return ", ".join(f"{name} {value}" for name, value in message.items())
        say = self._asked.get(str(method), _place)
        try:
            return say(params)
        except (TypeError, ValueError, LookupError, AttributeError):
            return "malformed"

    def _result(self, result: Any) -> str:
        items = _at(result, "items")
        if items is None and isinstance(result, list):
            items = result
        if isinstance(items, list) and items and isinstance(items[0], dict):
            return ", ".join(self._item({"item": item}) for item in items)
        if result is None or items == []:
            return "nothing"
        return "" if not isinstance(result, dict) else ", ".join(map(str, result))

    def _opened(self, params: Any) -> str:
        item = params["textDocument"]
        return f"{_place(params)} {item['languageId']}, {_characters(item['text'])}"

    def _changed(self, params: Any) -> str:
        changes = params["contentChanges"]
        told = [
            f"{_range(change.get('range'))} {self._quoted(change['text'])}" for change in changes
        ]
        return f"{_place(params)} v{params['textDocument'].get('version')}: {'; '.join(told)}"

    def _item(self, params: Any) -> str:
        item = params["item"]
        text = item.get("insertText")
        if text is None:
            text = _at(item, "textEdit", "newText")
        where = item.get("range") or _at(item, "textEdit", "range")
        return f"{_range(where)} {self._quoted(text)}"

    def _accepted(self, params: Any) -> str:
        return f"{params['acceptedLength']} of {self._item(params)}"

    def _streamed(self, params: Any) -> str:
        end = " done" if params.get("done") else ""
        return f"{params['streamToken']}{end} {self._quoted(params['text'])}"

    def _quoted(self, text: Any) -> str:
        if not isinstance(text, str):
            return "nothing"
        if not self._code:
            return _characters(text)
        cut = text if len(text) <= _MOST else text[: _MOST - 1] + "…"
        return json.dumps(cut, ensure_ascii=False)


def _initialize(params: Any) -> str:
    client = _at(params, "clientInfo") or {}
    encodings = _at(params, "capabilities", "general", "positionEncodings") or ["utf-16"]
    folders = [one.get("uri") for one in _at(params, "workspaceFolders") or []]
    told = [f"{client.get('name', 'unknown')} {client.get('version', '')}".strip()]
    told += ["/".join(encodings), *(folders or [str(_at(params, "rootUri"))])]
    return ", ".join(told)


def _asked(params: Any) -> str:
    kind = _at(params, "context", "triggerKind")
    return f"{_place(params)}{' by hand' if kind == 1 else ''}"


def _place(params: Any) -> str:
    """Name the document of a message, and the place in it, where there are such."""
    uri = _at(params, "textDocument", "uri")
    if not isinstance(uri, str):
        return ""
    name = unquote(uri.rpartition("/")[2])
    position = _at(params, "position")
    return f"{name} {_position(position)}" if position else name


def _range(where: Any) -> str:
    return f"{_position(where['start'])}-{_position(where['end'])}" if where else "all of it"


def _position(position: Any) -> str:
    """Return a position as editors show it: both count from 1."""
    return f"{position['line'] + 1}:{position['character'] + 1}"


def _characters(text: str) -> str:
    return "1 character" if len(text) == 1 else f"{len(text)} characters"


def _at(value: Any, *path: str) -> Any:
    for key in path:
        if not isinstance(value, dict):
            return None
        value = value.get(key)
    return value
