from __future__ import annotations

import ctypes
import importlib.util
import struct
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from sidecar.errors import ModelError
from sidecar.models.gguf import TENSOR_TYPES, read_header

SMALL = {
    "qwen2.block_count": 24,
    "tokenizer.ggml.tokens": [f"token {n}" for n in range(300)],
    "qwen2.rope.freq_base": 0.5,
    "tokenizer.ggml.add_bos_token": False,
    "general.name": "Mellum ✓",
    "qwen2.attention.head_count_kv": [2, 4, 2],
}


def check_refused(path: Path, *words: str) -> None:
    with pytest.raises(ModelError) as caught:
        read_header(path)
    text = str(caught.value)
    assert "\n" not in text
    assert caught.value.exit_code == 1
    for word in words:
        assert word in text, text


def test_reads_metadata_of_every_kind(tmp_path, make_gguf):
    path = tmp_path / "small.gguf"
    path.write_bytes(make_gguf(SMALL))
    header = read_header(path)
    assert header.version == 3
    assert header.tensors == 1
    assert header.text("general.architecture") == "qwen2"
    assert header.text("general.name") == "Mellum ✓"
    assert header.number("qwen2.block_count") == 24
    assert header.metadata["qwen2.rope.freq_base"] == 0.5
    assert header.metadata["tokenizer.ggml.add_bos_token"] is False
    assert header.number("tokenizer.ggml.add_bos_token") is None
    assert header.lengths["tokenizer.ggml.tokens"] == 300
    assert "tokenizer.ggml.tokens" not in header.arrays
    assert header.arrays["qwen2.attention.head_count_kv"] == (2, 4, 2)
    assert header.needed_bytes == header.file_bytes == path.stat().st_size


def test_a_vocabulary_longer_than_the_first_read_is_stepped_over(tmp_path, make_gguf, monkeypatch):
    # The same code with a tiny first read: every value crosses the end of what was read at times.
    path = tmp_path / "small.gguf"
    path.write_bytes(make_gguf(SMALL))
    whole = read_header(path)
    for first in (4, 5, 31, 256):
        monkeypatch.setattr("sidecar.models.gguf._FIRST_READ", first)
        assert read_header(path) == whole


def test_the_real_model_is_exactly_as_long_as_its_header_says(model_path):
    header = read_header(model_path)
    assert header.needed_bytes == header.file_bytes == model_path.stat().st_size
    assert header.lengths["tokenizer.ggml.tokens"] == 151936


def test_the_table_of_tensor_types_is_that_of_the_library():
    spec = importlib.util.find_spec("llama_cpp")
    assert spec is not None and spec.origin is not None
    libraries = sorted((Path(spec.origin).parent / "lib").glob("*ggml-base*"))
    library = ctypes.CDLL(str(libraries[0]))
    library.ggml_blck_size.restype = ctypes.c_int64
    library.ggml_type_size.restype = ctypes.c_size_t
    for kind, sizes in TENSOR_TYPES.items():
        assert (library.ggml_blck_size(kind), library.ggml_type_size(kind)) == sizes, kind


@pytest.mark.parametrize("missing", [1, 31, 500, 1024, 1030])
def test_a_file_cut_short_is_told(tmp_path, make_gguf, missing):
    path = tmp_path / "cut.gguf"
    path.write_bytes(make_gguf(SMALL)[:-missing])
    check_refused(path, "cut.gguf is cut short", "choose another file")


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b"", ("is empty", "choose another file")),
        (b"hello, this is a text file\n", ("is a text file, not a GGUF model",)),
        ("schöne Grüße".encode(), ("is a text file",)),
        (b"version https://git-lfs.github.com/spec/v1\noid sha256:00\n", ("Git LFS pointer",)),
        (b"\x7fELF\x02\x01\x01\x00", ("is not a GGUF file",)),
        (b"GGUF" + struct.pack("<I", 1), ("version 1",)),
        (b"GGUF" + struct.pack(">I", 3) + bytes(16), ("version 50331648",)),
        (b"GGUF", ("cut short",)),
        (b"GGUF" + struct.pack("<IQQ", 3, 1 << 40, 1), ("damaged",)),
        (b"GGUF" + struct.pack("<IQQ", 3, 0, 1) + struct.pack("<Q", 1 << 63), ("cut short",)),
    ],
)
def test_what_is_no_model_is_refused(tmp_path, content, words):
    path = tmp_path / "wrong.gguf"
    path.write_bytes(content)
    check_refused(path, "wrong.gguf", *words)


def test_a_missing_file_and_a_directory_are_refused(tmp_path):
    check_refused(tmp_path / "none.gguf", "there is no file", "pull a model")
    check_refused(tmp_path, "is a directory")


def test_a_file_that_may_not_be_read_is_refused(make_gguf, as_nobody, tmp_path_factory):
    # Not under tmp_path: the folders above it keep everybody else out already.
    import tempfile

    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        folder.chmod(0o755)
        path = folder / "closed.gguf"
        path.write_bytes(make_gguf())
        path.chmod(0o000)

        def inside() -> str:
            with pytest.raises(PermissionError):
                path.open("rb").close()
            assert path.exists()
            try:
                read_header(path)
            except ModelError as error:
                return str(error)
            return "read it"

        said = as_nobody(inside)
    assert "closed.gguf cannot be read (Permission denied); make the file readable" in said


@settings(
    max_examples=200, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(data=st.data())
def test_damaged_bytes_never_raise_anything_but_a_model_error(tmp_path, make_gguf, data):
    content = bytearray(make_gguf({**SMALL, "tokenizer.ggml.tokens": ["a", "bc"]}))
    for _ in range(data.draw(st.integers(0, 6))):
        at = data.draw(st.integers(4, len(content) - 1))
        content[at] = data.draw(st.integers(0, 255))
    keep = data.draw(st.integers(4, len(content)))
    path = tmp_path / "damaged.gguf"
    path.write_bytes(content[:keep])
    try:
        header = read_header(path)
    except ModelError as error:
        assert "\n" not in str(error)
    else:
        assert header.needed_bytes <= keep
