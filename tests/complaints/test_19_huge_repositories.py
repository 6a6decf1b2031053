"""Complaint 19: indexing a huge repository panics, hangs everything else, and its index is lost.

TabbyML/tabby#4326, #3715, #1753.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import pytest
from lsp_client import LspClient

from sidecar.index.once import index_once
from sidecar.index.query.reader import Reader

if TYPE_CHECKING:
    from pathlib import Path

#: Many small files, as a large repository has; what breaks indexers is among them.
FILES = 2_000


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    root = tmp_path / "huge"
    for number in range(FILES):
        folder = root / f"part_{number % 40}"
        folder.mkdir(parents=True, exist_ok=True)
        (folder / f"module_{number}.py").write_text(f"def function_{number}():\n    return 1\n")
    with (root / "data.py").open("wb") as file:
        file.truncate(200_000_000)
    (root / "table.py").write_text("ROWS = [\n" + "    1,\n" * 1_000_000 + "]\n")
    (root / "deep.py").write_text("x = " + "[\n" * 10_000 + "]\n" * 10_000)
    (root / "deep.js").write_text("f(\n" * 10_000 + ")\n" * 10_000 + ";\n")
    (root / "latin.py").write_bytes(b"# caf\xe9\ndef latin(): ...\n")
    (root / "nul.py").write_bytes(b"x = 1\0\n")
    (root / "bundle.js").write_text("var a=1;" * 20_000)
    (root / "loop").symlink_to(root)
    os.mkfifo(root / "pipe.py")
    return root


def test_every_file_is_known_or_has_a_reason(tree: Path, tmp_path: Path) -> None:
    database = tmp_path / "index.sqlite"
    summary = index_once(str(tree), database=lambda _: database)
    assert summary.languages["python"] >= FILES + 1
    assert summary.skipped["too_large"] == 2
    assert summary.skipped["binary"] == 1
    assert summary.skipped["minified"] == 1
    assert summary.skipped["not_a_file"] == 1
    on_disk = sum(len(names) for _, _, names in os.walk(tree))
    linked = sum(count for reason, count in summary.skipped.items() if "link" in reason)
    assert summary.files + sum(summary.skipped.values()) == on_disk + linked
    # It is kept: the next time there is nothing to do.
    again = index_once(str(tree), database=lambda _: database)
    assert (again.read, again.files, again.symbols) == (0, summary.files, summary.symbols)
    with Reader(database) as reader:
        assert [item.path for item in reader.definitions("latin")] == ["latin.py"]
        assert len(reader.find("function_19", 1000)) > 100


@pytest.mark.lsp
async def test_nothing_waits_for_it(tree: Path, no_model: dict[str, str]) -> None:
    async with LspClient(environment=no_model) as client:
        await client.initialize(rootUri=tree.as_uri())
        uri = (tree / "part_0/module_0.py").as_uri()
        client.open(uri, "def function_0():\n    return ")
        while not (roots := (await client.request("sidecar/status"))["index"]["roots"]):
            pass
        for _ in range(20):
            _, answer = client.complete(uri, 1, 11)
            assert await answer is None
        # Answered while there was still much to do, or the machine is faster than that.
        assert roots[0]["files"] < FILES
        assert await client.shutdown() == 0
