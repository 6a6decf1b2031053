"""Real GGUF files, a real hub on the loopback and real wheels, all made by the tests."""

from __future__ import annotations

import contextlib
import http.server
import os
import struct
import threading
import zipfile
from dataclasses import dataclass, field
from hashlib import sha256
from typing import TYPE_CHECKING, Any

import pytest

from sidecar.models.catalogue import Catalogue, ModelEntry, Pieces
from sidecar.models.store import Store

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence
    from pathlib import Path

_TYPES = {bool: (7, "<?"), int: (4, "<I"), float: (6, "<f")}


def gguf(
    metadata: Mapping[str, Any] | None = None,
    tensors: Sequence[tuple[str, tuple[int, ...], int, int]] = (("w", (64, 4), 0, 1024),),
    *,
    version: int = 3,
) -> bytes:
    """Make a GGUF file: tensors are (name, dimensions, type, bytes)."""
    entries = {"general.architecture": "qwen2", **(metadata or {})}
    head = b"GGUF" + struct.pack("<IQQ", version, len(tensors), len(entries))
    for key, value in entries.items():
        head += _string(key) + _value(value)
    offset = 0
    for name, dimensions, kind, size in tensors:
        head += _string(name) + struct.pack("<I", len(dimensions))
        head += struct.pack(f"<{len(dimensions)}Q", *dimensions)
        head += struct.pack("<IQ", kind, offset)
        offset += -(-size // 32) * 32
    alignment = int(entries.get("general.alignment", 32))
    head += bytes(-len(head) % alignment)
    data = b"".join(bytes([7]) * (-(-size // 32) * 32) for *_, size in tensors)
    return head + data


def _string(text: str) -> bytes:
    raw = text.encode()
    return struct.pack("<Q", len(raw)) + raw


def _value(value: object) -> bytes:
    if isinstance(value, str):
        return struct.pack("<I", 8) + _string(value)
    if isinstance(value, list):
        if value and isinstance(value[0], str):
            items = b"".join(_string(item) for item in value)
            return struct.pack("<IIQ", 9, 8, len(value)) + items
        return struct.pack("<IIQ", 9, 4, len(value)) + struct.pack(f"<{len(value)}I", *value)
    number, form = _TYPES[type(value)]
    return struct.pack("<I", number) + struct.pack(form, value)


QWEN = {
    "qwen2.block_count": 24,
    "qwen2.embedding_length": 896,
    "qwen2.attention.head_count": 14,
    "qwen2.attention.head_count_kv": 2,
    "qwen2.context_length": 32768,
}


@pytest.fixture(scope="session")
def make_gguf() -> Callable[..., bytes]:
    """The function that makes a GGUF file's bytes."""
    return gguf


@dataclass
class LocalHub:
    """A hub on the loopback: what it serves, and what it was asked."""

    content: bytes
    endpoint: str = ""
    etag: str = ""
    revision: str = "c0ffee" * 6 + "c0ff"
    requests: list[tuple[str, str, str]] = field(default_factory=list)
    #: Bytes after which the connection is cut, once for each number.
    cuts: list[int] = field(default_factory=list)
    ranges: bool = True
    #: Called after every block that was sent.
    after_block: Callable[[int], None] = lambda sent: None
    before_answer: Callable[[], None] = lambda: None
    #: What is sent, if it is not what was announced.
    sent: bytes | None = None


class _Handler(http.server.BaseHTTPRequestHandler):
    hub: LocalHub
    protocol_version = "HTTP/1.1"

    def do_HEAD(self) -> None:
        self._note()
        self.hub.before_answer()
        if "/missing" in self.path:
            self.send_response(404)
            self.send_header("X-Error-Code", "EntryNotFound")
            self.send_header("Content-Length", "0")
            self.end_headers()
            return
        self.send_response(200)
        self.send_header("X-Repo-Commit", self.hub.revision)
        self.send_header("X-Linked-ETag", f'"{self.hub.etag}"')
        self.send_header("X-Linked-Size", str(len(self.hub.content)))
        self.send_header("Content-Length", str(len(self.hub.content)))
        self.end_headers()

    def do_GET(self) -> None:
        self._note()
        content = self.hub.content if self.hub.sent is None else self.hub.sent
        start = 0
        asked = self.headers.get("Range")
        if asked and self.hub.ranges:
            start = int(asked.removeprefix("bytes=").removesuffix("-"))
            self.send_response(206)
            self.send_header("Content-Range", f"bytes {start}-{len(content) - 1}/{len(content)}")
        else:
            self.send_response(200)
        self.send_header("Content-Length", str(len(content) - start))
        self.end_headers()
        cut = self.hub.cuts.pop(0) if self.hub.cuts else None
        with contextlib.suppress(ConnectionError):
            for at in range(start, len(content), 16384):
                block = content[at : at + 16384]
                if cut is not None and at + len(block) > start + cut:
                    self.wfile.write(block[: max(0, start + cut - at)])
                    self.close_connection = True
                    return
                self.wfile.write(block)
                self.hub.after_block(at + len(block))

    def _note(self) -> None:
        self.hub.requests.append(
            (self.command, self.path, self.headers.get("Range", "")),
        )
        assert "Authorization" not in self.headers

    def log_message(self, *_: object) -> None:
        pass


@pytest.fixture
def local_hub() -> Iterator[LocalHub]:
    """A hub that serves one model file of 300 kB, whatever is asked for."""
    content = gguf(QWEN, [("w", (1000, 75), 0, 300000)])
    hub = LocalHub(content, etag=sha256(content).hexdigest())
    handler = type("Handler", (_Handler,), {"hub": hub})
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler)
    server.daemon_threads = True
    hub.endpoint = f"http://127.0.0.1:{server.server_port}"
    thread = threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True)
    thread.start()
    yield hub
    server.shutdown()
    server.server_close()
    thread.join()


@pytest.fixture
def make_wheels(tmp_path: Path) -> Callable[[Sequence[bytes]], Path]:
    """A function that puts pieces into wheels and returns the folder with them."""

    def make(pieces: Sequence[bytes]) -> Path:
        folder = tmp_path / "index"
        folder.mkdir(exist_ok=True)
        for number, piece in enumerate(pieces, 1):
            name = f"tiny_model_part{number}"
            info = f"{name}-1.0.dist-info"
            with zipfile.ZipFile(folder / f"{name}-1.0-py3-none-any.whl", "w") as wheel:
                wheel.writestr(f"{name}/__init__.py", "raise SystemExit('never import me')\n")
                wheel.writestr(f"{name}/data/part{number:02}.bin", piece)
                wheel.writestr(
                    f"{info}/METADATA", f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.0\n"
                )
                wheel.writestr(
                    f"{info}/WHEEL", "Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any"
                )
                wheel.writestr(f"{info}/RECORD", "")
        return folder

    return make


def entry(**changes: Any) -> ModelEntry:
    """Make an entry of a tiny model."""
    fields: dict[str, Any] = {
        "name": "tiny",
        "title": "Tiny",
        "repository": "somebody/Tiny-GGUF",
        "revision": "main",
        "file": "tiny-q4.gguf",
        "licence": "Apache-2.0",
        "anchor": "line",
        "min_memory_mib": 1,
        **changes,
    }
    return ModelEntry(**fields)


@pytest.fixture(scope="session")
def make_entry() -> Callable[..., ModelEntry]:
    """The function that makes a catalogue's entry."""
    return entry


@pytest.fixture
def make_store(tmp_path: Path) -> Callable[..., Store]:
    """A function that makes an empty store for some entries."""

    def make(*entries: ModelEntry) -> Store:
        return Store(tmp_path / "models", Catalogue(entries, {}))

    return make


@pytest.fixture(scope="session")
def tiny_pieces() -> Callable[[int], Pieces]:
    """A function that describes so many pieces, as `make_wheels` makes them."""

    def make(count: int) -> Pieces:
        return Pieces(
            distribution="tiny-model-part{n}",
            version="1.0",
            count=count,
            member="tiny_model_part{n}/data/part{n:02}.bin",
        )

    return make


class Recorder:
    """A reporter that remembers."""

    def __init__(self) -> None:
        self.notes: list[str] = []
        self.steps: list[tuple[str, int, int]] = []

    def note(self, text: str) -> None:
        assert "\n" not in text
        self.notes.append(text)

    def at(self, doing: str, done: int, total: int) -> None:
        assert 0 <= done <= total, (doing, done, total)
        self.steps.append((doing, done, total))


@pytest.fixture
def recorder() -> Recorder:
    return Recorder()


@pytest.fixture
def as_nobody() -> Iterator[Callable[[Callable[[], str]], str]]:
    """A function that runs another as a user without rights, and returns what it returns.

    CI runs as root, whom no mode of a file keeps out; so each use first has to assert inside that
    the access fails.
    """
    if not hasattr(os, "fork"):
        pytest.skip("this system cannot fork")

    def run(inside: Callable[[], str]) -> str:
        out, into = os.pipe()
        child = os.fork()
        if child == 0:
            said = b"?"
            try:
                if os.geteuid() == 0:
                    os.setgroups([])
                    os.setgid(65534)
                    os.setuid(65534)
                said = inside().encode()
            except BaseException as error:
                said = f"raised {error!r}".encode()
            finally:
                os.write(into, said)
                os._exit(0)
        os.close(into)
        with os.fdopen(out, "rb") as pipe:
            said = pipe.read().decode()
        os.waitpid(child, 0)
        return said

    return run
