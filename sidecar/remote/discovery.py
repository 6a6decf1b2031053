"""What a server is: its kind, its model, and how much room there is for a prompt.

May import the dialects.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from sidecar.remote.connection import RemoteFailure
from sidecar.remote.dialects import LlamaServer, Vllm

if TYPE_CHECKING:
    from sidecar.remote.connection import Connection
    from sidecar.remote.dialects import Dialect

__all__ = ["Server", "look"]

#: The context of a server that does not tell.
_LEAST_CONTEXT = 2048
#: Statuses of what a server does not have.
_ABSENT = (400, 404, 405, 501)


@dataclass(frozen=True, slots=True)
class Server:
    """A server that was asked what it is.

    Args:
        dialect: How it is spoken with.
        model: The model's name there.
        file: Name of the model's file, where it is told.
        context_tokens: Tokens of a prompt and what follows it.
        slots: Requests that it works on at once.
    """

    dialect: Dialect
    model: str
    file: str
    context_tokens: int
    slots: int


async def look(connection: Connection, wanted: str) -> Server:
    """Ask a server what it is.

    Args:
        connection: The server.
        wanted: The model's name there; empty for the first.

    Raises:
        RemoteFailure: It does not answer, has no such model, or is of no known kind.
    """
    models = await _models(connection)
    chosen = next((one for one in models if wanted in ("", one["id"])), None)
    if chosen is None:
        names = ", ".join(sorted(str(one["id"]) for one in models)[:5]) or "none"
        raise RemoteFailure(f"has no model called {wanted!r} (it has: {names})", "refused")
    name = str(chosen["id"])
    properties = await _given(connection, "/props")
    if "default_generation_settings" in properties:
        settings = properties["default_generation_settings"]
        path = str(properties.get("model_path", "")).replace("\\", "/")
        return Server(
            dialect=LlamaServer(),
            model=name.replace("\\", "/").rsplit("/", 1)[-1],
            file=path.rsplit("/", 1)[-1],
            context_tokens=_number(settings.get("n_ctx"), _LEAST_CONTEXT),
            slots=_number(properties.get("total_slots"), 1),
        )
    version = await _given(connection, "/version")
    if "version" in version or chosen.get("owned_by") == "vllm":
        return Server(
            dialect=Vllm(name, str(version.get("version", ""))),
            model=name.rsplit("/", 1)[-1],
            file="",
            context_tokens=_number(chosen.get("max_model_len"), _LEAST_CONTEXT),
            # It works on as many as fit.
            slots=64,
        )
    raise RemoteFailure("is neither llama-server nor vLLM, as far as it tells", "refused")


async def _models(connection: Connection) -> list[dict[str, Any]]:
    answer = await connection.get("/v1/models")
    listed = answer.get("data") if isinstance(answer, dict) else None
    if not isinstance(listed, list):
        raise RemoteFailure("is neither llama-server nor vLLM, as far as it tells", "refused")
    return [one for one in listed if isinstance(one, dict) and "id" in one]


async def _given(connection: Connection, path: str) -> dict[str, Any]:
    """Return an object that servers of one kind have, or an empty one."""
    try:
        answer = await connection.get(path)
    except RemoteFailure as failure:
        if failure.status not in _ABSENT:
            raise
        return {}
    return answer if isinstance(answer, dict) else {}


def _number(value: Any, least: int) -> int:
    return value if isinstance(value, int) and value > 0 else least
