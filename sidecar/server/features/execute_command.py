"""`workspace/executeCommand`: an item was accepted, or the user wants the engine started again."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lsprotocol import types
from pygls.exceptions import JsonRpcInvalidParams

if TYPE_CHECKING:
    from sidecar.server.session import Session

__all__ = ["METHOD", "handle"]

METHOD = types.WORKSPACE_EXECUTE_COMMAND


async def handle(session: Session, params: types.ExecuteCommandParams) -> None:
    """Run one of our commands.

    Raises:
        JsonRpcInvalidParams: It is none of ours.
    """
    match params.command:
        case "sidecar.accept":
            _accept(session, params.arguments[0] if params.arguments else None)
        case "sidecar.restartEngine":
            session.outbound.forget_warnings()
            await session.supervisor.restart(end_engine=True)
        case _:
            raise JsonRpcInvalidParams("there is no such command")


def _accept(session: Session, identity: object) -> None:
    session.metrics.count("feedback.accepted")
    offered = session.offered.pop(identity, None) if isinstance(identity, str) else None
    if offered is not None:
        session.metrics.count("feedback.accepted_characters", offered.characters)
        session.warming.accepted()
