"""The peer is asked as the plugin asks: one question at a time, and what is known is not asked."""

from __future__ import annotations

import asyncio
import json
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import TYPE_CHECKING, Any

import pytest

from sidecar.bench.session_peer import Theirs
from sidecar.bench.session_plan import Page
from sidecar.bench.session_play import put
from sidecar.errors import SidecarError

if TYPE_CHECKING:
    from collections.abc import Iterator


class Standin(BaseHTTPRequestHandler):
    """Answers in llama-server's shape; a key when it is told to, what is asked ahead at once."""

    protocol_version = "HTTP/1.1"
    asked: list[dict[str, Any]]
    go_on: threading.Event
    status = 200

    def do_GET(self) -> None:
        self.answer({"status": "ok", "model_path": "/models/a.gguf"})

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        self.asked.append(body)
        if body.get("t_max_predict_ms") == 250:
            self.go_on.wait(30)
        timings = {"prompt_n": 100 if len(self.asked) == 1 else 2}
        self.answer({"content": "value + 1", "timings": timings}, self.status)

    def answer(self, body: dict[str, Any], status: int = 200) -> None:
        encoded = json.dumps(body).encode()
        self.send_response(status)
        self.send_header("Content-Length", str(len(encoded)))
        self.end_headers()
        self.wfile.write(encoded)

    def log_message(self, *_: object) -> None:
        """Say nothing."""


@pytest.fixture
def standin() -> Iterator[tuple[str, type[Standin]]]:
    handler = type("Handler", (Standin,), {"asked": [], "go_on": threading.Event()})
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        server.daemon_threads = True
        thread = threading.Thread(target=server.serve_forever, args=(0.01,))
        thread.start()
        yield f"http://127.0.0.1:{server.server_port}", handler
        handler.go_on.set()
        server.shutdown()
        thread.join()


def a_page() -> Page:
    page = Page("a.py", ["one", "x =", "two"])
    page.go_to_end_of(1)
    return page


async def test_a_key_waits_for_the_question_before_it(
    standin: tuple[str, type[Standin]],
) -> None:
    url, server = standin
    page = a_page()
    async with Theirs(url, 1) as typist:
        typist.show(page)
        typist.typed(page, put(page, " "))
        typist.typed(page, put(page, "y"))
        async with asyncio.timeout(30):
            while not server.asked:  # noqa: ASYNC110
                await asyncio.sleep(0.01)
        assert typist.ghost() is None
        server.go_on.set()
        cost = await asyncio.wait_for(typist.settled(), 30)
        # The first answer is not of use behind the second key, which is asked for then.
        keys = [body for body in server.asked if body["t_max_predict_ms"] == 250]
        assert [body["prompt"] for body in keys] == ["x = ", "x = y"]
        ghost = typist.ghost()
        assert ghost is not None and ghost.text == "value + 1"
        # What is shown is followed by a question as if it were taken.
        ahead = [body for body in server.asked if body["t_max_predict_ms"] == 1000]
        assert [body["prompt"] for body in ahead] == ["x = yvalue + 1"]
        assert cost.evaluated == 102
        summary = await typist.summary()
    assert typist.waits.overtaken == 1
    assert summary["n"] == 2
    assert summary["foreground_evaluated"] == 102
    assert summary["background_evaluated"] == 2
    assert summary["share_evaluated_le_3"] == 0.5
    common = {"n_predict": 128, "cache_prompt": True, "id_slot": 0, "n_indent": 0}
    assert common.items() <= server.asked[0].items()


async def test_typing_along_asks_nothing(standin: tuple[str, type[Standin]]) -> None:
    url, server = standin
    server.go_on.set()
    page = a_page()
    async with Theirs(url, 1) as typist:
        typist.show(page)
        typist.typed(page, put(page, " "))
        await asyncio.wait_for(typist.settled(), 30)
        before = typist.ghost()
        typist.typed(page, put(page, "va"))
        after = typist.ghost()
        assert before is not None and after is not None
        assert (after.text, after.since) == ("lue + 1", before.since)
        assert (await asyncio.wait_for(typist.settled(), 30)).evaluated == 0
        assert sum(body["t_max_predict_ms"] == 250 for body in server.asked) == 1
        typist.leave(page)
    assert typist.waits.overtaken == typist.waits.unanswered == 0


async def test_a_peer_that_refuses_ends_the_session(standin: tuple[str, type[Standin]]) -> None:
    url, server = standin
    server.go_on.set()
    server.status = 500
    page = a_page()
    async with Theirs(url, 1) as typist:
        typist.typed(page, put(page, " "))
        with pytest.raises(SidecarError, match="answered /infill with 500"):
            await asyncio.wait_for(typist.settled(), 30)
