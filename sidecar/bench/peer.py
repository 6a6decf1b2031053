"""The other local server: llama-server's `/infill`, driven as the best plugin for it does.

Must never talk to another machine: only loopback addresses are taken, and no proxy is asked.
May import `errors`.
"""

from __future__ import annotations

import http.client
import ipaddress
import json
from dataclasses import dataclass
from time import perf_counter
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from sidecar.errors import SidecarError, UsageError

if TYPE_CHECKING:
    from collections.abc import Mapping
    from types import TracebackType

__all__ = ["Peer", "PeerAnswer", "loopback_address"]

_ANSWER_SECONDS = 600.0

#: What the plugin sends beside the text (facts: its `fim` request), but for one token only: the
#: whole suggestion, which it waits for, would take longer.
_PARAMETERS: dict[str, Any] = {
    "n_predict": 1,
    "cache_prompt": True,
    "id_slot": 0,
    "top_k": 40,
    "top_p": 0.99,
    "samplers": ["top_k", "top_p", "infill"],
    "stream": False,
    "t_max_predict_ms": 1000,
}


@dataclass(frozen=True, slots=True)
class PeerAnswer:
    """One answer of the peer.

    Args:
        text: The token.
        visible_ms: From before the request was written until its answer was read.
        evaluated: Prompt tokens that were computed.
        llama_ms: Time that the peer says it spent on prompt and token.
    """

    text: str
    visible_ms: float
    evaluated: int
    llama_ms: float


class Peer:
    """A connection to llama-server that is kept open, as a plugin's is.

    Args:
        url: `http://` and a loopback address with a port.

    Raises:
        UsageError: The URL is not of this machine.
    """

    def __init__(self, url: str) -> None:
        self.url = url
        host, port = loopback_address(url)
        self._connection = http.client.HTTPConnection(host, port, timeout=_ANSWER_SECONDS)

    def model(self) -> str:
        """Check that the peer is there and ready, and return the name of its model's file.

        Raises:
            SidecarError: It is not.
        """
        self._ask("GET", "/health", None)
        path = str(self._ask("GET", "/props", None).get("model_path", ""))
        return path.replace("\\", "/").rsplit("/", 1)[-1]

    def infill(self, prefix: str, prompt: str, suffix: str) -> PeerAnswer:
        """Ask for the next token.

        Args:
            prefix: Whole lines above the cursor's.
            prompt: The cursor's line up to the cursor.
            suffix: The rest of the line, and the lines below.

        Raises:
            SidecarError: The peer refused, or is gone.
        """
        body = {"input_prefix": prefix, "prompt": prompt, "input_suffix": suffix, **_PARAMETERS}
        encoded = json.dumps(body).encode("ascii")
        since = perf_counter()
        answer = self._ask("POST", "/infill", encoded)
        visible_ms = (perf_counter() - since) * 1000.0
        timings = answer["timings"]
        return PeerAnswer(
            text=answer["content"],
            visible_ms=visible_ms,
            evaluated=timings["prompt_n"],
            llama_ms=timings["prompt_ms"] + timings["predicted_ms"],
        )

    def fill(self, body: Mapping[str, Any]) -> dict[str, Any]:
        """Ask as a plugin asks, with its own parameters, and return the whole answer.

        Raises:
            SidecarError: The peer refused, or is gone.
        """
        return self._ask("POST", "/infill", json.dumps(body).encode("ascii"))

    def close(self) -> None:
        """End the connection."""
        self._connection.close()

    def __enter__(self) -> Peer:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def _ask(self, method: str, path: str, body: bytes | None) -> dict[str, Any]:
        try:
            try:
                response, read = self._exchange(method, path, body)
            except (http.client.RemoteDisconnected, BrokenPipeError, ConnectionResetError):
                # It closes a connection that rested for some seconds, or served 100 requests.
                self._connection.close()
                response, read = self._exchange(method, path, body)
        except (OSError, http.client.HTTPException) as error:
            raise SidecarError(
                f"the peer at {self.url} does not answer ({error})",
                "start it with scripts/peer, or leave out --peer",
            ) from error
        if response.status != 200:
            raise SidecarError(
                f"the peer at {self.url} answered {path} with {response.status}",
                "wait until its model is loaded, or read its log",
            )
        try:
            parsed = json.loads(read)
        except ValueError:
            parsed = None
        if not isinstance(parsed, dict):
            raise SidecarError(
                f"what answers at {self.url} is no llama-server", "start one with scripts/peer"
            )
        return parsed

    def _exchange(
        self, method: str, path: str, body: bytes | None
    ) -> tuple[http.client.HTTPResponse, bytes]:
        headers = {"Content-Type": "application/json"} if body else {}
        self._connection.request(method, path, body, headers)
        response = self._connection.getresponse()
        return response, response.read()


def loopback_address(url: str) -> tuple[str, int]:
    """Return host and port of a URL of this machine.

    Raises:
        UsageError: It is malformed, or of another machine.
    """
    fix = "give the address that scripts/peer prints, as http://127.0.0.1:8012"
    try:
        parts = urlsplit(url)
        host, port = parts.hostname or "", parts.port or 80
    except ValueError as error:
        raise UsageError(f"{url!r} is not a URL ({error})", fix) from None
    if parts.scheme != "http" or parts.path not in ("", "/") or parts.query:
        raise UsageError(f"{url!r} is not the address of a server", fix)
    # A name could be resolved to anywhere, so the one that everybody knows is not looked up.
    host = "127.0.0.1" if host == "localhost" else host
    try:
        local = ipaddress.ip_address(host).is_loopback
    except ValueError:
        local = False
    if not local:
        raise UsageError(f"{url!r} is not on this machine; code stays here", fix)
    return host, port
