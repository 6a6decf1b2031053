"""What a key leaves behind in the front: a real server, the real engine and model.

Objects that hold each other are found by the garbage collector alone, which comes after minutes in
a server that holds much; until then each key kept a copy of the text, and memory grew in steps.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import signal
import sys
import time
from itertools import count
from typing import TYPE_CHECKING, Any

import pytest
from lsp_client import LspClient, LspError

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = [
    pytest.mark.engine,
    pytest.mark.lsp,
    pytest.mark.skipif(sys.platform == "win32", reason="needs a signal to ask a process"),
]

URI = "file:///w/orders.py"
CODE = "import json\n\n\ndef order(limit):\n" + "".join(
    f"    order_{n} = load_order(limit, {n})\n" for n in range(24)
)
#: Of the document, which is opened again.
VERSIONS = count(2)
#: Told to the front as Python's own customization: at a signal it tells which of our objects the
#: collector finds, what of our code, and how many objects it looks at and leaves alone; each
#: started process takes its variable away.
ASKED = """
import collections, gc, json, os, signal, types

TOLD = os.environ.pop("TOLD", "")

def name_of(found):
    if isinstance(found, types.FrameType):
        found = found.f_code
    elif isinstance(found, types.CoroutineType):
        found = found.cr_code
    elif isinstance(found, types.FunctionType):
        found = found.__code__
    if isinstance(found, types.CodeType):
        within = f"{os.sep}sidecar{os.sep}" in found.co_filename
        return f"sidecar {found.co_qualname}" if within else ""
    return f"{type(found).__module__}.{type(found).__qualname__}"

def told(*_):
    looked_at = len(gc.get_objects())
    gc.set_debug(gc.DEBUG_SAVEALL)
    gc.collect()
    gc.set_debug(0)
    names = [name_of(found) for found in gc.garbage if not isinstance(found, types.CodeType)]
    gc.garbage.clear()
    gc.collect()
    ours = collections.Counter(name for name in names if name.startswith("sidecar"))
    with open(TOLD + ".new", "w") as file:
        json.dump({"ours": ours, "frozen": gc.get_freeze_count(), "looked at": looked_at}, file)
    os.replace(TOLD + ".new", TOLD)

if TOLD:
    gc.disable()
    signal.signal(signal.SIGUSR1, told)
"""


@pytest.mark.usefixtures("model_path")
async def test_nothing_of_a_key_waits_for_the_garbage_collector(tmp_path: Path) -> None:
    (tmp_path / "sitecustomize.py").write_text(ASKED, "utf-8")
    told = tmp_path / "told.json"
    path = os.pathsep.join(filter(None, [str(tmp_path), os.environ.get("PYTHONPATH", "")]))
    async with LspClient(environment={"PYTHONPATH": path, "TOLD": str(told)}) as client:
        await client.initialize(warming="always")
        await client.ready()
        client.open(URI, CODE)
        await typed(client, 2)
        # What the start left.
        found = await asyncio.to_thread(garbage, client, told)
        # A look through what was imported would take longer than a key may.
        assert found["looked at"] < found["frozen"] / 2
        await typed(client, 12)
        counters = (await client.request("sidecar/stats"))["counters"]
        for name in ("completion.cancelled", "completion.empty.superseded", "warming.cancelled"):
            assert counters.get(name, 0) > 0, counters
        assert (await asyncio.to_thread(garbage, client, told))["ours"] == {}


async def typed(client: LspClient, lines: int) -> None:
    """Rest at lines and type there: what is waited for, overtaken, given up, and never asked."""
    for line in range(6, 6 + lines):
        end = {"line": line, "character": len(CODE.splitlines()[line])}
        where = {"textDocument": {"uri": URI}, "position": end}
        client.notify("sidecar/didMoveCursor", where)
        await asyncio.sleep(0.1 * (line % 4))
        asked = []
        for key in ".get":
            version = next(VERSIONS)
            client.change(URI, version, {"range": {"start": end, "end": end}, "text": key})
            end = {**end, "character": end["character"] + 1}
            asked.append(client.complete(URI, line, end["character"], streamToken=f"{version}"))
            await asyncio.sleep(0.04 * (line % 3))
        number, answer = asked[-1]
        if line % 3 == 0:
            await asyncio.sleep(0.1)
            client.notify("$/cancelRequest", {"id": number})
        with contextlib.suppress(LspError):
            await asyncio.wait_for(answer, 60)
    # The last one of all: from then on nothing is computed any more.
    client.notify("textDocument/didClose", {"textDocument": {"uri": URI}})
    client.open(URI, CODE)
    async with asyncio.timeout(60):
        while (await client.engine())["busy"]:  # noqa: ASYNC110
            await asyncio.sleep(0.05)


def garbage(client: LspClient, told: Path) -> dict[str, Any]:
    """Have the front tell what of ours only its garbage collector finds, and all it looks at."""
    told.unlink(missing_ok=True)
    client.process.send_signal(signal.SIGUSR1)
    deadline = time.monotonic() + 60
    while not told.exists():
        assert time.monotonic() < deadline, "the front tells nothing"
        time.sleep(0.02)
    found: dict[str, Any] = json.loads(told.read_text("utf-8"))
    return found
