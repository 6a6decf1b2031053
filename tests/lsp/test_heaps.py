"""What threads of a front and its indexer leave of the machine's memory: real processes."""

from __future__ import annotations

import platform
import re
from contextlib import AsyncExitStack
from pathlib import Path

import pytest
from lsp_work import indexed, started, write

pytestmark = [
    pytest.mark.lsp,
    pytest.mark.skipif(platform.libc_ver()[0] != "glibc", reason="only glibc has many heaps"),
]

#: What glibc takes for one heap more, of which a part may be written to.
HEAP = 64 << 20


def heaps(pid: int) -> int:
    """Count the heaps of a process that are none of its first thread's."""
    found, writable = 0, (0, 0)
    for line in Path(f"/proc/{pid}/maps").read_text("utf-8").splitlines():
        told = re.match(r"([0-9a-f]+)-([0-9a-f]+) (\S+) \S+ \S+ 0 *$", line)
        if told is None:
            writable = (0, 0)
            continue
        start, end = int(told[1], 16), int(told[2], 16)
        if told[3].startswith("rw"):
            writable = (start, end)
        elif writable[1] == start and writable[0] % HEAP == 0 and end - writable[0] <= HEAP:
            found += 1
    return found


async def test_all_threads_share_one_heap(tmp_path: Path, no_model: dict[str, str]) -> None:
    """Each kept what its largest work left: 11 MB of a front's 66."""
    for number in range(40):
        lines = "".join(f"def made_{number}_{n}(limit):\n    return limit\n" for n in range(200))
        write(tmp_path / f"made_{number}.py", lines)
    async with AsyncExitStack() as stack:
        client = await started(stack, no_model, tmp_path)
        indexer = (await indexed(client))["pid"]
        assert [heaps(client.process.pid), heaps(indexer)] == [0, 0]
