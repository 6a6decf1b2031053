"""Puts one client's session together and runs it: the only place that wires.

May import everything.
"""

from __future__ import annotations

import asyncio
import functools
import inspect
import logging
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pygls.exceptions import JsonRpcException, JsonRpcInternalError

from sidecar.completion.adapting import Adapting
from sidecar.completion.anchoring import Anchors
from sidecar.completion.contexts import Contexts
from sidecar.completion.gate import refused
from sidecar.completion.memory import Memory
from sidecar.completion.offers import Offers
from sidecar.completion.planning import EnginePlan, list_devices, plan_engine, plan_remote
from sidecar.completion.service import CompletionService
from sidecar.completion.speeds import KeptSpeeds, SpeedFile
from sidecar.completion.supervisor import Supervisor
from sidecar.completion.surroundings import Surroundings
from sidecar.completion.warming import Warming
from sidecar.errors import SidecarError
from sidecar.models.load import Load
from sidecar.server.configuration import Configuration
from sidecar.server.documents import Documents
from sidecar.server.features import (
    completion,
    context_card,
    deps,
    did_change,
    did_change_configuration,
    did_change_watched_files,
    did_change_workspace_folders,
    did_close,
    did_focus,
    did_move_cursor,
    did_open,
    did_partially_accept_completion,
    did_save,
    did_show_completion,
    execute_command,
    initialized,
    inline_completion,
    notebook_did_change,
    notebook_did_close,
    notebook_did_open,
    notebook_did_save,
    shutdown,
    stats,
    status,
    symbols,
)
from sidecar.server.framing import END, FramingError, read_message
from sidecar.server.indexing import Indexing
from sidecar.server.lifetime import wait_until_gone
from sidecar.server.lookups import Lookups
from sidecar.server.notebooks import Notebooks
from sidecar.server.noting import Notes
from sidecar.server.outbound import ClientLogHandler, Outbound
from sidecar.server.posting import Posting
from sidecar.server.protocol import Server
from sidecar.server.session import Session
from sidecar.server.workspaces import Workspaces
from sidecar.settings import cache_dir
from sidecar.syntax import Bodies, Languages, Trees
from sidecar.telemetry import LogSettings, Metrics, configure_logging

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Coroutine
    from types import ModuleType

    from sidecar.completion.status import Status
    from sidecar.server.framing import Reader
    from sidecar.server.handshake import Client
    from sidecar.server.options import Options
    from sidecar.server.streams import Writer
    from sidecar.text import Document

__all__ = ["App"]

log = logging.getLogger(__name__)

FEATURES: tuple[ModuleType, ...] = (
    completion,
    context_card,
    deps,
    did_change,
    did_change_configuration,
    did_change_watched_files,
    did_change_workspace_folders,
    did_close,
    did_focus,
    did_move_cursor,
    did_open,
    did_partially_accept_completion,
    did_save,
    did_show_completion,
    execute_command,
    initialized,
    inline_completion,
    notebook_did_change,
    notebook_did_close,
    notebook_did_open,
    notebook_did_save,
    shutdown,
    stats,
    status,
    symbols,
)


class App:
    """A session with one client, from the answer to `initialize` to its end.

    Args:
        client: What the client told about itself.
        writer: Where messages to it go.
        options: What the command line says.
    """

    def __init__(self, client: Client, writer: Writer, options: Options) -> None:
        self._loop = asyncio.get_running_loop()
        self._may_log = options.may_log
        self._tasks: set[asyncio.Task[None]] = set()
        self._ended: asyncio.Future[int] = self._loop.create_future()
        self._server = Server(writer)
        self._server.protocol.on_exit = self._end
        metrics = Metrics(options.trace)
        self._server.protocol.on_malformed = lambda method: metrics.count(f"malformed.{method}")
        outbound = Outbound(
            self._server.protocol, self._spawn, shows_progress=client.shows_progress
        )
        recording = options.recording
        configuration = Configuration(
            client.settings, outbound.warn_once, recorded=recording is not None
        )
        supervisor = Supervisor(
            self._plan,
            self._on_status,
            metrics,
            remote=lambda: plan_remote(configuration.settings),
        )
        languages = Languages.load()
        trees = Trees()
        documents = Documents(client.encoding)
        indexing = Indexing(
            Lookups(documents, languages, trees, metrics),
            lambda: configuration.settings,
            outbound,
            metrics,
            watches_files=client.watches_files,
            on_learned=self._learned,
        )
        workspaces = Workspaces(indexing, documents)
        contexts = Contexts(workspaces, languages, trees)
        anchors = Anchors(
            Bodies(languages, trees),
            contexts,
            metrics,
            lambda: configuration.settings,
            # What a session before left on the disk is not told by a recording.
            Memory(lambda: configuration.settings) if recording is None else None,
            lambda: supervisor.held,
        )
        load = Load(lambda: [supervisor.pid] if supervisor.pid else [])

        def is_idle() -> bool:
            return configuration.settings.engine.warming != "auto" or not load.held_back()

        def may_speculate() -> bool:
            return configuration.settings.completion.speculate and is_idle()

        def may_suggest(document: Document, offset: int) -> bool:
            settings = configuration.settings.completion
            return refused(document, offset, settings, anchors.bodies.scope) is None

        self._speeds = KeptSpeeds(SpeedFile(cache_dir), self._spawn)
        offers = Offers(workspaces, languages, trees, metrics)
        service = CompletionService(
            supervisor,
            anchors,
            metrics,
            lambda: configuration.settings,
            speculates=may_speculate,
            adapting=Adapting(
                metrics, lambda: configuration.settings, self._speeds.latency, offers, is_idle
            ),
        )
        warming = Warming(
            supervisor,
            anchors,
            Surroundings(documents.get, may_suggest, workspaces),
            metrics,
            lambda: configuration.settings,
            load,
            on_rest=service.ahead,
        )
        self._session = Session(
            client=client,
            documents=documents,
            notebooks=Notebooks(documents),
            configuration=configuration,
            supervisor=supervisor,
            service=service,
            warming=warming,
            indexing=indexing,
            workspaces=workspaces,
            outbound=outbound,
            metrics=metrics,
            notes=Notes(recording, anchors),
        )
        self._posting = Posting(self._session)
        for feature in FEATURES:
            handler = functools.partial(feature.handle, self._session)
            self._server.feature(feature.METHOD)(_guarded(feature.METHOD, handler, metrics))

    def _learned(self, root: str, changed: Collection[str]) -> None:
        """Take in that more is known of a root, and that files in it declare other things now."""
        if changed:
            self._session.service.interfaces_changed(root, changed)
        self._session.warming.learned()

    async def run(self, reader: Reader) -> int:
        """Serve until the client says exit, closes the stream or dies; return the exit code."""
        session = self._session
        if self._may_log:
            self._log_to(session.configuration.settings.log.file)
        handler = ClientLogHandler(session.outbound, self._loop)
        # Each handler has a level of its own.
        logging.getLogger("sidecar").setLevel(logging.DEBUG)
        logging.getLogger("sidecar").addHandler(handler)
        log.info("serving %s in %s", session.client.name, session.client.encoding)
        session.notes.began(session.configuration.settings)
        self._spawn(self._posting.keep())
        ways_to_end = (
            asyncio.create_task(self._read(reader)),
            asyncio.create_task(wait_until_gone(session.client.process_id)),
            self._ended,
        )
        try:
            await asyncio.wait(ways_to_end, return_when=asyncio.FIRST_COMPLETED)
        finally:
            logging.getLogger("sidecar").removeHandler(handler)
            session.outbound.closed = True
            session.warming.close()
            session.service.end()
            for task in (*ways_to_end[:2], *self._tasks):
                task.cancel()
            self._posting.close()
            await asyncio.gather(
                session.supervisor.close(), session.indexing.close(), self._speeds.close()
            )
        return self._ended.result() if self._ended.done() else 1

    async def _read(self, reader: Reader) -> None:
        protocol = self._server.protocol
        while True:
            try:
                message = await read_message(reader)
            except FramingError as error:
                log.error("the client cannot be understood: %s", error)
                return
            except ValueError:
                protocol.refuse(None, JsonRpcException("not JSON", code=-32700))
                continue
            if message is END:
                return
            protocol.receive(message)
            # A handler's first step runs before the next message is taken, so the snapshot that it
            # makes is the version that the client asked about.
            await asyncio.sleep(0)

    def _log_to(self, file: str) -> None:
        if not file:
            return
        try:
            configure_logging(LogSettings("debug", Path(file).expanduser()))
        except SidecarError as error:
            self._session.outbound.warn_once(f"sidecar: {error}")

    def _end(self, code: int) -> None:
        if not self._ended.done():
            self._ended.set_result(code)

    async def _plan(self) -> EnginePlan:
        settings = self._session.configuration.settings
        devices = await list_devices(settings)
        # Reads the model file's header; a slow disk must not stop the loop.
        return await asyncio.to_thread(plan_engine, settings, devices)

    def _on_status(self, status: Status) -> None:
        outbound = self._session.outbound
        outbound.status(status)
        if status.fix:
            outbound.warn_once(f"sidecar: {status.message}; {status.fix}")
        share = status.progress if status.phase == "loading" else 0.0
        if status.phase == "loading" or not status.busy:
            outbound.progress("loading", status.message, share if status.busy else 1.0)
        if status.phase == "ready":
            self._session.service.reset()
            self._session.warming.ready()
            plan = self._session.supervisor.plan
            if plan is not None:
                self._spawn(self._speeds.begin(plan.spec, self._session.supervisor.info))
                self._session.notes.ready(self._session.supervisor.info)

    def _spawn(self, work: Coroutine[object, object, None]) -> None:
        task = self._loop.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)


def _guarded(method: str, handler: Callable[[Any], Any], metrics: Metrics) -> Callable[[Any], Any]:
    """Wrap a handler so that what it raises by mistake is counted, logged and told without code."""

    def failed() -> JsonRpcException:
        metrics.count(f"failed.{method}")
        log.exception("the handler of %s failed", method)
        return JsonRpcInternalError("an error nobody expected; the log says where")

    if inspect.iscoroutinefunction(handler):

        async def awaited(params: Any = None) -> Any:
            try:
                return await handler(params)
            except JsonRpcException:
                raise
            except Exception:
                raise failed() from None

        return awaited

    def called(params: Any = None) -> Any:
        try:
            return handler(params)
        except JsonRpcException:
            raise
        except Exception:
            raise failed() from None

    return called
