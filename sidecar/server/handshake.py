"""The answer to `initialize`, from nothing but the request: what this server can do.

An editor waits for this answer when it opens, and importing the rest of the server takes a quarter
of a second; so this module answers without it. Must never import pygls or lsprotocol.
"""

from __future__ import annotations

import hmac
from dataclasses import dataclass
from typing import Any, cast, get_args

from sidecar import __version__
from sidecar.text import Encoding

__all__ = ["COMMANDS", "Client", "answer", "client_of"]

#: Commands that the client may call through `workspace/executeCommand`.
COMMANDS = ("sidecar.accept", "sidecar.restartEngine")


@dataclass(frozen=True, slots=True)
class Client:
    """What a client told about itself.

    Args:
        name: Its name, for the log.
        process_id: The process whose end is ours as well, if the client named one.
        encoding: The encoding of columns, chosen from the client's in its order.
        settings: Raw settings from the initialization options, written by the user alone.
        token: The token of the initialization options.
        pulls_settings: Whether it answers `workspace/configuration`.
        registers_settings: Whether `workspace/didChangeConfiguration` can be registered.
        shows_progress: Whether it shows progress that the server begins.
        folders: URIs of the folders that it has open, or paths from clients of old.
        watches_files: Whether it tells of files that change, when asked for it.
        watches_folders: Whether patterns for that may be bound to a folder.
        wants_menu: Whether its user wants suggestions in the completion menu.
    """

    name: str
    process_id: int | None
    encoding: Encoding
    settings: object
    token: str
    pulls_settings: bool
    registers_settings: bool
    shows_progress: bool
    folders: tuple[str, ...] = ()
    watches_files: bool = False
    watches_folders: bool = False
    wants_menu: bool = False

    def knows(self, token: str) -> bool:
        """Tell whether the client gave the right token."""
        return hmac.compare_digest(self.token.encode("utf-8", "replace"), token.encode())


def client_of(params: object) -> Client:
    """Read the parameters of `initialize`; what is malformed counts as not said."""
    options = _at(params, "initializationOptions")
    token = _at(options, "token")
    process_id = _at(params, "processId")
    name = _at(params, "clientInfo", "name")
    capabilities = _at(params, "capabilities")
    settings = _settings(options)
    watching = _at(capabilities, "workspace", "didChangeWatchedFiles")
    return Client(
        name=name if isinstance(name, str) else "unknown",
        process_id=process_id if type(process_id) is int and process_id > 0 else None,
        encoding=_encoding(_at(capabilities, "general", "positionEncodings")),
        settings=settings,
        token=token if isinstance(token, str) else "",
        pulls_settings=_at(capabilities, "workspace", "configuration") is True,
        registers_settings=_at(
            capabilities, "workspace", "didChangeConfiguration", "dynamicRegistration"
        )
        is True,
        shows_progress=_at(capabilities, "window", "workDoneProgress") is True,
        folders=_folders(params),
        # Neovim on Linux says no here (neovim/neovim#28690): watching there is expensive for it.
        watches_files=_at(watching, "dynamicRegistration") is True,
        watches_folders=_at(watching, "relativePatternSupport") is True,
        wants_menu=_at(settings, "completion", "fallback") is True,
    )


def answer(client: Client) -> dict[str, Any]:
    """Return the result of `initialize`."""
    menu = {"completionProvider": {"triggerCharacters": [".", "("]}} if client.wants_menu else {}
    return {
        "capabilities": {
            "positionEncoding": client.encoding,
            # 2: changes arrive as edits.
            "textDocumentSync": {"openClose": True, "change": 2, "save": True},
            # All cells of all of them: which ones count is for us to say.
            "notebookDocumentSync": {"notebookSelector": [{"notebook": "*"}], "save": True},
            "inlineCompletionProvider": {},
            **menu,
            "executeCommandProvider": {"commands": list(COMMANDS)},
            "workspace": {"workspaceFolders": {"supported": True, "changeNotifications": True}},
        },
        "serverInfo": {"name": "sidecar", "version": __version__},
    }


def _settings(options: object) -> object:
    """Return the settings from wherever clients put them: the more exact place counts.

    What is no object is returned as it is, for whoever reads the settings to name it.
    """
    inner = _at(options, "settings")
    found: dict[str, object] = {}
    for place in (inner, _at(inner, "sidecar"), _at(options, "sidecar")):
        # Clients written in Lua send an empty table as a list.
        if place is None or place == []:
            continue
        if not isinstance(place, dict):
            return place
        found.update(place)
        if place is inner:
            found.pop("sidecar", None)
    return found


def _folders(params: object) -> tuple[str, ...]:
    """Return the folders that are open: the newest way to tell them counts."""
    folders = _at(params, "workspaceFolders")
    if isinstance(folders, list):
        uris = [_at(folder, "uri") for folder in folders]
    else:
        uris = [_at(params, "rootUri") or _at(params, "rootPath")]
    return tuple(dict.fromkeys(uri for uri in uris if isinstance(uri, str) and uri))


def _encoding(offered: object) -> Encoding:
    """Return the first encoding of the client's that we know; UTF-16 is every client's."""
    for name in offered if isinstance(offered, list) else []:
        if name in get_args(Encoding):
            return cast("Encoding", name)
    return "utf-16"


def _at(value: object, *path: str) -> object:
    """Follow keys through nested objects; None where one is missing."""
    for key in path:
        if not isinstance(value, dict):
            return None
        value = value.get(key)
    return value
