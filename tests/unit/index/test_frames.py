"""Frames come out of a stream as they went in, however it is cut."""

from __future__ import annotations

import io
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sidecar.index.wire.frames import FrameError, Frames, pack, read_frames, unpack
from sidecar.index.wire.messages import (
    Busy,
    Changed,
    Committed,
    IndexSettings,
    Logged,
    Open,
    Opened,
    Rescan,
    State,
    Stop,
    from_frame,
    to_frame,
)

VALUES = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**40), 2**40) | st.text() | st.binary(),
    lambda inner: st.lists(inner).map(tuple) | st.dictionaries(st.text(), inner),
    max_leaves=20,
)


@given(st.lists(VALUES, max_size=6), st.lists(st.integers(1, 40), min_size=1))
def test_frames_survive_any_cut(values: list[Any], sizes: list[int]) -> None:
    data = b"".join(pack(value) for value in values)
    frames = Frames()
    found = []
    start, turn = 0, 0
    while start < len(data):
        size = sizes[turn % len(sizes)]
        found += [unpack(body) for body in frames.feed(data[start : start + size])]
        start, turn = start + size, turn + 1
    assert found == values


def test_half_a_frame_at_the_end_is_none() -> None:
    whole = pack("whole")
    assert [unpack(body) for body in read_frames(io.BytesIO(whole + whole[:-1]))] == ["whole"]


@pytest.mark.parametrize("data", [b"\xff\xff\xff\xff", b"Traceback (most recent call last):"])
def test_what_is_no_frame_is_refused(data: bytes) -> None:
    with pytest.raises(FrameError):
        list(Frames().feed(data))


@pytest.mark.parametrize(
    "message",
    [
        Open(("/a", "/b"), IndexSettings(("*.x",), max_file_bytes=10), watch=True),
        Changed(("/a/x.py", "/a/odd\udcff.py")),
        Opened("/a/x.py"),
        Busy(12.5),
        Rescan(),
        Stop(),
        State("/a", "indexing", 3, 7, 3, {"binary": 2}, True, "no room"),
        Committed("/a", 4, ("x.py", "y.py"), ("y.py",)),
        Logged(30, "something"),
    ],
    ids=lambda message: type(message).__name__,
)
def test_messages_travel(message: Any) -> None:
    (body,) = Frames().feed(to_frame(message))
    assert from_frame(body) == message


@pytest.mark.parametrize(
    "value", [None, 1, ("kind", "Stop"), {"kind": "Nothing"}, {"kind": "Busy", "seconds": 1}, {}]
)
def test_what_is_no_message_is_refused(value: Any) -> None:
    (body,) = Frames().feed(pack(value))
    with pytest.raises(FrameError):
        from_frame(body)
