"""The first source: the hub where the models are published.

Must never send this user's token: the models are public. Must never name a host: huggingface_hub
knows it, and HF_ENDPOINT may set another. May import huggingface_hub, `errors` and `catalogue`.
"""

from __future__ import annotations

import contextlib
import queue
import threading
import time
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from sidecar.errors import DownloadError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from sidecar.models.catalogue import ModelEntry

__all__ = ["Body", "Hub", "HubError", "HubFile"]

#: A connection that sends nothing for this long is taken for lost.
_STALLED_SECONDS = 20.0


class HubError(DownloadError):
    """The hub did not answer, does not have the file, or the connection was lost."""


@dataclass(frozen=True, slots=True)
class HubFile:
    """What the hub says about a file.

    Attributes:
        url: Where to read it.
        bytes: Its size.
        sha256: Its digest, if the hub told one.
        revision: The revision that was looked up, as a commit.
    """

    url: str
    bytes: int
    sha256: str | None
    revision: str


@dataclass(frozen=True, slots=True)
class Body:
    """A file being read: from where, since a server may ignore the start that was asked for."""

    start: int
    chunks: Iterator[bytes]


class Hub:
    """Looks up and reads files of the hub.

    Args:
        endpoint: Another hub; None: the one that huggingface_hub is set to.
        answer_seconds: How long the hub has to answer before it counts as unreachable.
    """

    def __init__(self, endpoint: str | None = None, answer_seconds: float = 5.0) -> None:
        self._endpoint = endpoint
        self._answer_seconds = answer_seconds

    def look_up(self, entry: ModelEntry) -> HubFile:
        """Ask the hub for a model file's size and digest.

        Raises:
            HubError: No answer in time, or no such file.
        """
        # Imported here, since only a pull needs it; and before the hub's time begins, since from a
        # slow disk or on a busy machine it takes seconds.
        from huggingface_hub import get_hf_file_metadata, hf_hub_url

        def ask() -> HubFile:
            url = hf_hub_url(
                entry.repository, entry.file, revision=entry.revision, endpoint=self._endpoint
            )
            found = get_hf_file_metadata(
                url, token=False, timeout=self._answer_seconds, endpoint=self._endpoint
            )
            if not found.size:
                raise HubError("the hub does not tell the file's size", "try again later")
            etag = (found.etag or "").lower()
            sha256 = etag if len(etag) == 64 and not etag.strip("0123456789abcdef") else None
            return HubFile(url, found.size, sha256, found.commit_hash or entry.revision)

        return _within(self._answer_seconds, ask)

    @contextlib.contextmanager
    def open(self, file: HubFile, start: int) -> Iterator[Body]:
        """Read a file from `start` on.

        Raises:
            HubError: The connection could not be made, or was lost while reading.
        """
        from huggingface_hub import get_session

        headers = {"Accept-Encoding": "identity"}
        if start:
            headers["Range"] = f"bytes={start}-"
        with contextlib.ExitStack() as stack:
            try:
                response = stack.enter_context(
                    get_session().stream(
                        "GET",
                        file.url,
                        headers=headers,
                        timeout=_STALLED_SECONDS,
                        follow_redirects=True,
                    )
                )
                response.raise_for_status()
            except Exception as error:  # The client's own tree of errors is not ours to import.
                raise _lost(error) from error
            yield Body(start if response.status_code == 206 else 0, _chunks(response))


def _chunks(response: Any) -> Iterator[bytes]:
    # Only what reading raises passes here; an error of the consumer never enters a generator.
    try:
        # No chunk size: what came before a cut would stay in the client's buffer, and be lost.
        yield from response.iter_bytes()
    except Exception as error:
        raise _lost(error) from error


def _within(seconds: float, ask: Callable[[], HubFile]) -> HubFile:
    """Run `ask` for at most so long.

    The client's own timeout begins anew with every step of a connection and does not cover the
    resolving of names, which alone may take half a minute where there is no network.
    """
    answers: queue.SimpleQueue[HubFile | Exception] = queue.SimpleQueue()

    def run() -> None:
        try:
            answers.put(ask())
        except Exception as error:
            answers.put(error)

    began = time.monotonic()
    threading.Thread(target=run, name="hub-look-up", daemon=True).start()
    answer: HubFile | Exception | None
    try:
        answer = answers.get(timeout=seconds)
    except queue.Empty:
        answer = None
    if isinstance(answer, HubError):
        raise answer
    # The client gives up at the same moment as this does, and either may be seen first.
    late = isinstance(answer, Exception) and time.monotonic() - began >= seconds
    if answer is None or late:
        raise HubError(f"the hub did not answer within {seconds:g} s", _FIX)
    if isinstance(answer, Exception):
        raise HubError(f"the hub cannot be reached ({_reason(answer)})", _FIX) from answer
    return answer


def _lost(error: Exception) -> HubError:
    return HubError(f"the connection to the hub was lost ({_reason(error)})", _FIX)


def _reason(error: Exception) -> str:
    lines = [line.strip() for line in str(error).splitlines() if line.strip()]
    return f"{type(error).__name__}: {lines[0][:160]}" if lines else type(error).__name__


_FIX = "check the network or the proxy, or set HF_ENDPOINT to a mirror"
