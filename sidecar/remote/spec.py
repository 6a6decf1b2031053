"""Which server is wanted: its address, checked, and what is needed to ask it.

Code in clear text over a network would be anybody's, so `http` is taken for this machine only, for
example for the end of a tunnel. Pure; may import `errors`.
"""

from __future__ import annotations

import ipaddress
from dataclasses import dataclass, field
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from sidecar.errors import EngineError

if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = ["RemoteSpec", "base_of", "is_loopback"]

_FIX = "set sidecar.engine.remote to an address like https://gpu.example.com:8000, or empty it"
#: Endings that people copy along with an address.
_ENDINGS = ("/v1/completions", "/v1")


@dataclass(frozen=True, slots=True)
class RemoteSpec:
    """A server as the engine.

    Args:
        url: Scheme, host, port and path that stand before `/v1/completions`.
        model: The model's name there; empty for the first that it serves.
        key: Sent as bearer token; empty for none.
        template: Texts of the fill-in-the-middle template; None to find out.
        first_token_s: Seconds to wait for the first token.
    """

    url: str
    model: str = ""
    key: str = field(default="", repr=False)
    template: Mapping[str, str] | None = None
    first_token_s: float = 10.0

    @property
    def host(self) -> str:
        """Name the server in messages."""
        return urlsplit(self.url).netloc


def base_of(address: str) -> str:
    """Return the address of a server without what need not stand in it.

    Raises:
        EngineError: It is no such address, or code would travel in clear text.
    """
    text = address.strip()
    try:
        parts = urlsplit(text)
        host, port = parts.hostname or "", parts.port
    except ValueError as error:
        raise EngineError(f"the address of the remote engine is wrong ({error})", _FIX) from None
    if parts.username is not None or parts.password is not None:
        raise EngineError(
            "the address of the remote engine holds a password",
            "put the key into SIDECAR_REMOTE_KEY or the keyring instead",
        )
    if parts.scheme not in ("http", "https") or not host or parts.query or parts.fragment:
        raise EngineError(f"{text!r} is not the address of a server", _FIX)
    if parts.scheme == "http" and not is_loopback(host):
        raise EngineError(
            f"code would travel to {host} in clear text",
            f"use https, or a tunnel: `ssh -N -L 8012:127.0.0.1:{port or 80} {host}`"
            " and http://127.0.0.1:8012",
        )
    path = parts.path.rstrip("/")
    for ending in _ENDINGS:
        path = path.removesuffix(ending)
    return f"{parts.scheme}://{parts.netloc}{path}"


def is_loopback(host: str) -> bool:
    """Tell whether a host is this machine, without asking anybody what its name means."""
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False
