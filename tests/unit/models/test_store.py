from __future__ import annotations

import hashlib
import json
import os

import pytest

from sidecar.errors import ModelError
from sidecar.models.catalogue import DefaultFor, load_catalogue
from sidecar.models.files import quick_identity
from sidecar.models.hardware import Device, Machine
from sidecar.models.store import Store, resolve

GIB = 1 << 30
QWEN = {
    "qwen2.block_count": 24,
    "qwen2.embedding_length": 896,
    "qwen2.attention.head_count": 14,
    "qwen2.attention.head_count_kv": 2,
}
TWO_CORES = Machine(2, 8 * GIB, 6 * GIB)


def put(store, entry, content):
    store.root.mkdir(parents=True, exist_ok=True)
    store.path(entry).write_bytes(content)
    return store.path(entry)


@pytest.fixture
def tiny(make_entry):
    return make_entry(default=DefaultFor(min_cores=1))


@pytest.fixture
def store(make_store, tiny):
    return make_store(tiny)


def test_the_users_own_file_works_anywhere(tmp_path, store, make_gguf):
    path = tmp_path / "my model.gguf"
    path.write_bytes(make_gguf(QWEN))
    for given in (path, str(path)):
        found = store.resolve(given)
        assert found.path == path
        assert found.entry is None
        assert found.name == "my model.gguf"
        assert found.identity == quick_identity(path)
        assert found.shape.layers == 24


def test_a_path_may_begin_at_home(tmp_path, store, make_gguf, monkeypatch):
    monkeypatch.setenv("HOME", str(tmp_path))
    (tmp_path / "m.gguf").write_bytes(make_gguf(QWEN))
    assert store.resolve("~/m.gguf").path == tmp_path / "m.gguf"


def test_a_name_is_not_taken_for_a_folder_of_that_name(
    store, tiny, make_gguf, tmp_path, monkeypatch
):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "tiny").mkdir()
    path = put(store, tiny, make_gguf(QWEN))
    assert store.resolve("tiny").path == path


def test_a_catalogue_file_elsewhere_keeps_its_entry(tmp_path, store, tiny, make_gguf):
    path = tmp_path / tiny.file
    path.write_bytes(make_gguf(QWEN))
    assert store.resolve(path).entry is tiny


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ("nonesuch", ("no model called 'nonesuch'", "sidecar models list")),
        ("tiny", ("tiny is not installed", "sidecar models pull tiny")),
        ("/no/such/file.gguf", ("there is no file /no/such/file.gguf", "give the path")),
        ("no-such.gguf", ("there is no file no-such.gguf",)),
        (None, ("no model is installed", "sidecar models pull", "model.path")),
        ("", ("no model is installed",)),
    ],
)
def test_what_cannot_be_found_is_told_with_the_next_step(store, given, words):
    with pytest.raises(ModelError) as caught:
        store.resolve(given, machine=TWO_CORES)
    for word in words:
        assert word in str(caught.value)
    assert caught.value.exit_code == 1


def test_a_wrong_file_under_a_models_name_is_refused(store, tiny, make_gguf):
    put(store, tiny, b"<html>Sign in to the network</html>")
    with pytest.raises(ModelError, match="text file"):
        store.resolve("tiny")
    put(store, tiny, make_gguf({"general.architecture": "bert"}))
    with pytest.raises(ModelError, match="embedding model"):
        store.resolve("tiny")


def test_identity_is_the_digest_only_while_the_file_is_the_same(store, tiny, make_gguf):
    content = make_gguf(QWEN)
    path = put(store, tiny, content)
    assert store.resolve("tiny").identity == quick_identity(path)
    record = store.verify(tiny)
    sha = hashlib.sha256(content).hexdigest()
    assert (record.sha256, record.source, record.checked) == (sha, "local", False)
    assert store.resolve("tiny").identity == f"sha256:{sha}"
    os.utime(path, ns=(1, 1))
    assert store.record(tiny) is None
    assert store.resolve("tiny").identity == quick_identity(path)


@pytest.mark.parametrize("text", ["", "[]", "{", '{"name": "tiny"}', '{"nonsense": 1}'])
def test_a_damaged_record_is_no_record(store, tiny, make_gguf, text):
    path = put(store, tiny, make_gguf(QWEN))
    (store.root / f"{tiny.file}.json").write_text(text)
    assert store.record(tiny) is None
    assert store.resolve("tiny").identity == quick_identity(path)
    store.verify(tiny)
    assert store.record(tiny) is not None


def test_verify_compares_with_the_catalogue(make_store, make_entry, make_gguf):
    content = make_gguf(QWEN)
    entry = make_entry(sha256=hashlib.sha256(content).hexdigest())
    store = make_store(entry)
    path = put(store, entry, content)
    steps = []
    assert store.verify(entry, lambda done, total: steps.append((done, total))).checked
    assert steps[-1] == (len(content), len(content))
    changed = bytearray(content)
    changed[-1] ^= 1
    path.write_bytes(changed)
    with pytest.raises(ModelError, match="not the file that was published") as caught:
        store.verify(entry)
    assert "sidecar models remove tiny" in caught.value.fix
    assert path.read_bytes() == changed, "verify never deletes what somebody may want to look at"


def test_verify_compares_with_the_digest_that_the_hub_told(store, tiny, make_gguf):
    content = make_gguf(QWEN)
    path = put(store, tiny, content)
    store.write_record(tiny, hashlib.sha256(content).hexdigest(), "hub", "c0ffee")
    path.write_bytes(make_gguf({**QWEN, "general.name": "other"}))
    with pytest.raises(ModelError, match="not the file that was published"):
        store.verify(tiny)


def test_remove_takes_everything(store, tiny, make_gguf):
    put(store, tiny, make_gguf(QWEN))
    store.verify(tiny)
    for source in ("hub", "pieces"):
        store.partial(tiny, source).write_bytes(bytes(100))
        store.partial_state(tiny, source).write_text("{}")
    other = store.root / "other.gguf"
    other.write_bytes(b"GGUF")
    assert store.remove(tiny) > 1200
    assert list(store.root.iterdir()) == [other]
    with pytest.raises(ModelError, match="tiny is not installed"):
        store.remove(tiny)


def test_the_record_is_json_that_people_can_read(store, tiny, make_gguf):
    put(store, tiny, make_gguf(QWEN))
    store.verify(tiny)
    raw = json.loads((store.root / f"{tiny.file}.json").read_text())
    assert set(raw) == {"name", "sha256", "bytes", "mtime_ns", "source", "revision", "checked"}


METAL_16 = Device("Metal", "Metal", "gpu", int(10.67 * GIB), 0)
METAL_64 = Device("Metal", "Metal", "gpu", 48 * GIB, 0)
CUDA_8 = Device("CUDA0", "CUDA", "gpu", 8 * GIB, 0)
CUDA_24 = Device("CUDA0", "CUDA", "gpu", 24 * GIB, 0)
INSIDE = Device("Vulkan0", "Vulkan", "igpu", 32 * GIB, 0)


@pytest.mark.parametrize(
    ("cores", "gib", "devices", "expected"),
    [
        (1, 1, (), "0.5b"),
        (2, 32, (), "0.5b"),
        (4, 32, (), "0.5b"),
        (6, 32, (), "1.5b"),
        (64, 256, (), "1.5b"),
        (8, 3, (), "0.5b"),
        (2, 16, (CUDA_8,), "1.5b"),
        (8, 64, (CUDA_24,), "7b"),
        (8, 16, (METAL_16,), "1.5b"),
        (12, 64, (METAL_64,), "7b"),
        (4, 64, (INSIDE,), "0.5b"),
    ],
)
def test_the_default_suits_the_machine(tmp_path, cores, gib, devices, expected):
    store = Store(tmp_path, load_catalogue())
    machine = Machine(cores, gib * GIB, 0)
    assert store.default_entry(machine, devices).name == f"qwen2.5-coder-{expected}"


def test_without_its_default_a_machine_uses_the_nearest_that_is_there(tmp_path, make_gguf):
    store = Store(tmp_path, load_catalogue())
    small, large = store.catalogue.get("qwen2.5-coder-0.5b"), store.catalogue.get("mellum-4b-base")
    many = Machine(16, 64 * GIB, 60 * GIB)
    put(store, large, make_gguf(QWEN))
    assert store.resolve(None, machine=many).entry is large
    assert store.resolve(None, machine=many).entry.template.order == "spm"
    put(store, small, make_gguf(QWEN))
    assert store.resolve(None, machine=many).entry is small
    with pytest.raises(ModelError, match="no model is installed"):
        (tmp_path / small.file).unlink()
        store.resolve(None, machine=TWO_CORES.__class__(2, 2 * GIB, GIB))


def test_the_real_model_is_found(model_path):
    found = resolve(model_path)
    assert found.name == "qwen2.5-coder-0.5b"
    assert found.entry.anchor == "body"
    assert found.identity.split(":")[0] in ("sha256", "quick")
    assert resolve("qwen2.5-coder-0.5b").path == model_path


@pytest.mark.parametrize("content", [b"", b"GGUF"])
def test_only_a_damaged_file_of_our_own_is_to_be_removed(tmp_path, store, tiny, content):
    put(store, tiny, content)
    for path, words in (
        (store.path(tiny), "run `sidecar models remove tiny`"),
        (tmp_path / tiny.file, "choose another file"),
    ):
        path.write_bytes(content)
        with pytest.raises(ModelError) as caught:
            store.resolve(path)
        assert caught.value.fix.startswith(words)


def test_a_pipe_is_no_model(tmp_path, store):
    os.mkfifo(tmp_path / "pipe.gguf")
    with pytest.raises(ModelError, match="is not a regular file"):
        store.resolve(tmp_path / "pipe.gguf")


def test_a_directory_that_cannot_be_changed_is_told(store, tiny, make_gguf):
    put(store, tiny, make_gguf(QWEN))
    # Root may write anywhere, but nobody may replace a directory by a file.
    (store.root / f"{tiny.file}.json").mkdir()
    with pytest.raises(ModelError, match="cannot be changed"):
        store.verify(tiny)
    (store.root / f"{tiny.file}.lock").mkdir()
    with pytest.raises(ModelError, match="cannot be changed"):
        store.remove(tiny)


@pytest.mark.parametrize("name", ["a" * 300 + ".gguf", "a\0b.gguf"])
def test_a_name_that_no_file_can_have(tmp_path, store, name):
    with pytest.raises(ModelError) as caught:
        store.resolve(tmp_path / name)
    assert caught.value.fix == "choose another file"


def test_a_home_that_is_not_there(store):
    with pytest.raises(ModelError, match="names a home directory that is not there"):
        store.resolve("~nobody-of-this-name/x.gguf")
