"""Server-sent events, however the network cuts them."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sidecar.remote.events import MOST_BYTES, Events

STREAM = (
    ': ping\n\ndata: {"a": "\u2028\x0b\x85"}\r\n\r\nevent: x\nid: 3\ndata:b\ndata: c\n\n\n'
    "retry: 5\n\ndata\n\ndata: [DONE]\n\ndata: never ended"
).encode()
EVENTS = ['{"a": "\u2028\x0b\x85"}'.encode(), b"b\nc", b"", b"[DONE]"]


def test_a_stream() -> None:
    assert list(Events().feed(STREAM)) == EVENTS


@given(st.lists(st.integers(0, len(STREAM)), max_size=12))
def test_cuts_change_nothing(cuts: list[int]) -> None:
    events, found = Events(), []
    edges = [0, *sorted(cuts), len(STREAM)]
    for start, end in pairwise(edges):
        found += events.feed(STREAM[start:end])
    assert found == EVENTS


def test_an_endless_event_is_given_up() -> None:
    events = Events()
    with pytest.raises(ValueError, match="too large"):
        for _ in range(MOST_BYTES // 1000 + 1):
            list(events.feed(b"data: x\n".ljust(1000, b"y")))


def test_a_long_stream_of_small_events_is_not() -> None:
    events = Events()
    count = sum(len(list(events.feed(b"data: " + b"x" * 994 + b"\n\n"))) for _ in range(3000))
    assert count == 3000
