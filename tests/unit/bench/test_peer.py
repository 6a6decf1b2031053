"""Only a peer on this machine is asked, and what it answers is read rightly."""

from __future__ import annotations

import json
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import TYPE_CHECKING, Any

import pytest

from sidecar.bench.peer import Peer, loopback_address
from sidecar.errors import SidecarError, UsageError

if TYPE_CHECKING:
    from collections.abc import Iterator


@pytest.mark.parametrize(
    ("url", "address"),
    [
        ("http://127.0.0.1:8012", ("127.0.0.1", 8012)),
        ("http://127.0.0.1:8012/", ("127.0.0.1", 8012)),
        ("http://localhost:9", ("127.0.0.1", 9)),
        ("http://[::1]:9", ("::1", 9)),
    ],
)
def test_addresses_of_this_machine(url: str, address: tuple[str, int]) -> None:
    assert loopback_address(url) == address


@pytest.mark.parametrize(
    "url",
    [
        "http://192.0.2.1:80",
        "http://example.invalid",
        "http://localhost.example.invalid:80",
        "http://127.0.0.1@192.0.2.1:80",
        "https://127.0.0.1:80",
        "file:///etc/passwd",
        "127.0.0.1:8012",
        "http://127.0.0.1:99999",
        "http://127.0.0.1:80/v1?x=1",
        "",
    ],
)
def test_other_addresses_are_refused(url: str) -> None:
    with pytest.raises(UsageError) as caught:
        loopback_address(url)
    assert "scripts/peer" in str(caught.value)


class Standin(BaseHTTPRequestHandler):
    """Answers in llama-server's shape, and closes each connection after one answer as it may."""

    protocol_version = "HTTP/1.1"
    asked: list[dict[str, Any]]

    def do_GET(self) -> None:
        self.answer({"status": "ok", "model_path": "/models/a.gguf"})

    def do_POST(self) -> None:
        self.asked.append(json.loads(self.rfile.read(int(self.headers["Content-Length"]))))
        timings = {"prompt_n": 253, "prompt_ms": 1.5, "predicted_ms": 0.25}
        self.answer({"content": "x", "timings": timings})

    def answer(self, body: dict[str, Any]) -> None:
        encoded = json.dumps(body).encode()
        self.send_response(200)
        self.send_header("Content-Length", str(len(encoded)))
        self.end_headers()
        self.wfile.write(encoded)
        # Without a word: as a connection that rested too long.
        self.close_connection = True

    def log_message(self, *_: object) -> None:
        """Say nothing."""


@pytest.fixture
def standin() -> Iterator[tuple[str, list[dict[str, Any]]]]:
    handler = type("Handler", (Standin,), {"asked": []})
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        thread = threading.Thread(target=server.serve_forever, args=(0.01,))
        thread.start()
        yield f"http://127.0.0.1:{server.server_port}", handler.asked
        server.shutdown()
        thread.join()


def test_an_answer_is_read_and_a_closed_connection_opened_again(
    standin: tuple[str, list[dict[str, Any]]],
) -> None:
    url, asked = standin
    with Peer(url) as peer:
        assert peer.model() == "a.gguf"
        answer = peer.infill("above\n", "typed", "\nbelow\n")
    assert (answer.text, answer.evaluated, answer.llama_ms) == ("x", 253, 1.75)
    assert answer.visible_ms > 0
    (body,) = asked
    assert (body["input_prefix"], body["prompt"], body["input_suffix"]) == (
        "above\n",
        "typed",
        "\nbelow\n",
    )
    assert body["cache_prompt"] is True
    assert body["id_slot"] == 0


def test_a_peer_that_is_not_there_is_told() -> None:
    with Peer("http://127.0.0.1:9") as peer, pytest.raises(SidecarError, match="does not answer"):
        peer.model()
