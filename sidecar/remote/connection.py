"""HTTP with one server: kept-alive connections, time-outs, streams that end when nobody listens.

The only module that opens a connection to a remote engine, and the only one that knows httpx2,
which is loaded with the first connection. No proxy is asked, no redirect is followed, and messages
hold nothing of what was sent.
"""

from __future__ import annotations

import asyncio
import json
import re
from contextlib import aclosing, asynccontextmanager
from typing import TYPE_CHECKING, Any, Literal

from sidecar.remote.events import Events

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, AsyncIterator

    import httpx2

    from sidecar.remote.spec import RemoteSpec

__all__ = ["Connection", "RemoteFailure"]

CONNECT_SECONDS = 3.0
ANSWER_SECONDS = 5.0
#: Seconds between two events of a stream that has begun.
STALL_SECONDS = 10.0
#: Connections: what is typed, what is guessed, what is warmed, and texts to be tokenized.
MOST_CONNECTIONS = 16
KEPT_SECONDS = 300.0
_MOST_BYTES = 64 * 1024 * 1024
_MOST_SAID = 200


class RemoteFailure(Exception):
    """A server did not do as asked.

    Args:
        what: What happened, in words that follow the server's name.
        kind: `gone` (no connection), `late`, `sick` (it failed or talks nonsense), `denied` (it
            wants another key), `refused` (it does not take this request).
        status: The HTTP status, if there was one.
    """

    def __init__(
        self,
        what: str,
        kind: Literal["gone", "late", "sick", "denied", "refused"],
        status: int = 0,
    ) -> None:
        super().__init__(what)
        self.what = what
        self.kind = kind
        self.status = status


class Connection:
    """Connections to one server.

    Args:
        spec: The server.
    """

    def __init__(self, spec: RemoteSpec) -> None:
        import httpx2

        headers = {"Accept-Encoding": "identity", "User-Agent": "sidecar"}
        if spec.key:
            headers["Authorization"] = f"Bearer {spec.key}"
        secure = spec.url.startswith("https:")
        self._closed = False
        self._first_token_s = spec.first_token_s
        self._http = httpx2.AsyncClient(
            base_url=spec.url,
            headers=headers,
            # The system's certificates, or those that SSL_CERT_FILE or SSL_CERT_DIR name; without
            # TLS there are none to load.
            verify=httpx2.create_ssl_context() if secure else False,
            trust_env=False,
            follow_redirects=False,
            limits=httpx2.Limits(
                max_connections=MOST_CONNECTIONS,
                max_keepalive_connections=MOST_CONNECTIONS,
                keepalive_expiry=KEPT_SECONDS,
            ),
        )

    async def get(self, path: str) -> Any:
        """Ask for a JSON value.

        Raises:
            RemoteFailure: It was not given.
        """
        return await self._whole("GET", path, None)

    async def post(self, path: str, body: dict[str, Any]) -> Any:
        """Send a JSON value and return the one that is answered.

        Raises:
            RemoteFailure: None is.
        """
        return await self._whole("POST", path, body)

    @asynccontextmanager
    async def stream(self, path: str, body: dict[str, Any]) -> AsyncIterator[AsyncIterator[Any]]:
        """Send a JSON value and give the events that are answered; leaving early ends the request.

        Raises:
            RemoteFailure: It was refused, or broke off.
        """
        most = max(self._first_token_s, STALL_SECONDS)
        async with (
            self._answered("POST", path, body, most) as response,
            aclosing(_events(response)) as events,
            aclosing(self._in_time(events)) as in_time,
        ):
            yield in_time

    async def close(self) -> None:
        """End all connections."""
        self._closed = True
        await self._http.aclose()

    async def _whole(self, method: str, path: str, body: dict[str, Any] | None) -> Any:
        async with self._answered(method, path, body, ANSWER_SECONDS) as response:
            read = await _read(response, _MOST_BYTES)
        return _parsed(read)

    @asynccontextmanager
    async def _answered(
        self, method: str, path: str, body: dict[str, Any] | None, seconds: float
    ) -> AsyncIterator[httpx2.Response]:
        import httpx2

        if self._closed:
            raise RemoteFailure("was given up", "gone")
        request = self._http.build_request(
            method,
            path,
            content=None if body is None else json.dumps(body).encode("ascii"),
            headers={} if body is None else {"Content-Type": "application/json"},
            timeout=httpx2.Timeout(seconds, connect=CONNECT_SECONDS),
        )
        try:
            response = await self._sent(request)
            try:
                if response.status_code != 200:
                    read = await _read(response, 65536)
                    raise _refusal(response.status_code, read, sent=body is not None)
                yield response
            finally:
                await response.aclose()
        except httpx2.ConnectTimeout:
            raise RemoteFailure("cannot be reached", "gone") from None
        except httpx2.TimeoutException:
            raise RemoteFailure("does not answer in time", "late") from None
        except httpx2.ConnectError as error:
            raise RemoteFailure(f"cannot be reached ({_reason(error)})", "gone") from None
        except (httpx2.NetworkError, httpx2.RemoteProtocolError):
            raise RemoteFailure("broke off the connection", "gone") from None
        except httpx2.HTTPError as error:
            raise RemoteFailure(f"cannot be understood ({type(error).__name__})", "sick") from None

    async def _sent(self, request: httpx2.Request) -> httpx2.Response:
        import httpx2

        try:
            return await self._http.send(request, stream=True)
        except httpx2.ConnectError:
            raise
        except (httpx2.NetworkError, httpx2.RemoteProtocolError):
            # Servers close connections that rested, or served enough; nothing was answered yet,
            # and asking twice changes nothing.
            return await self._http.send(request, stream=True)

    async def _in_time(self, events: AsyncIterator[Any]) -> AsyncGenerator[Any, None]:
        """Pass events on while they keep coming; comments that keep a line open are none."""
        seconds = self._first_token_s
        while True:
            try:
                async with asyncio.timeout(seconds):
                    event = await anext(events, None)
            except TimeoutError:
                raise RemoteFailure("does not answer in time", "late") from None
            if event is None:
                return
            yield event
            seconds = STALL_SECONDS


async def _events(response: httpx2.Response) -> AsyncGenerator[dict[str, Any], None]:
    events = Events()
    async for data in response.aiter_raw():
        try:
            ended = list(events.feed(data))
        except ValueError as error:
            raise RemoteFailure(f"cannot be understood ({error})", "sick") from None
        for event in ended:
            if event == b"[DONE]":
                return
            parsed = _parsed(event)
            if not isinstance(parsed, dict):
                raise RemoteFailure("sent an event that is no object", "sick")
            if "error" in parsed or parsed.get("object") == "error":
                kind = _said(parsed, whole=False)
                raise RemoteFailure("failed" + (f" ({kind})" if kind else ""), "sick")
            yield parsed


async def _read(response: httpx2.Response, most: int) -> bytes:
    read = bytearray()
    async for data in response.aiter_raw():
        read += data
        if len(read) > most:
            raise RemoteFailure("sent too long an answer", "sick")
    return bytes(read)


def _parsed(read: bytes) -> Any:
    try:
        return json.loads(read)
    except ValueError:
        raise RemoteFailure("sent what is no JSON", "sick") from None


def _refusal(status: int, read: bytes, *, sent: bool) -> RemoteFailure:
    """Return why there was no answer.

    Args:
        status: The HTTP status.
        read: The body that came with it.
        sent: Whether anything was sent that the body may repeat.
    """
    if status in (401, 403):
        return RemoteFailure(f"does not take the key ({status})", "denied", status)
    try:
        said = _said(json.loads(read), whole=not sent)
    except ValueError:
        said = ""
    what = f"answered {status}" + (f" ({said})" if said else "")
    return RemoteFailure(what, "refused" if status in (400, 413, 422) else "sick", status)


def _said(body: Any, *, whole: bool) -> str:
    """Return what an error's body says, as one short line.

    Args:
        body: The body.
        whole: Whether to return its message, else the error's kind alone: messages of servers may
            repeat what was sent, and what is returned here is logged.
    """
    error = body.get("error", body) if isinstance(body, dict) else body
    if not isinstance(error, dict):
        error = {"message": error}
    if whole:
        return " ".join(str(error.get("message", "")).split())[:_MOST_SAID]
    kind = str(error.get("type", ""))
    return kind if re.fullmatch(r"\w{1,40}", kind) else ""


def _reason(error: Exception) -> str:
    """Return why there is no connection: a certificate, a name, a closed port."""
    return " ".join(str(error).split())[:_MOST_SAID] or type(error).__name__
