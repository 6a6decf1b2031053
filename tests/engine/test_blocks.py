"""Several lines end where they have said enough, rather than when there is no room."""

from __future__ import annotations

from time import perf_counter
from typing import TYPE_CHECKING

from sidecar.engine.messages import Completion, Request, Segment

if TYPE_CHECKING:
    from sidecar.engine.inference import Inference

HEAD = """def call(send, first, second, third, fourth):
    return send(
        first=first,
        second=second,
"""


def complete(inference: Inference, typed: str, suffix: str, *, block: bool) -> Completion:
    segments = (Segment("prefix", HEAD), Segment("suffix", suffix), Segment("typed", typed))
    request = Request("d", segments, multiline=True, max_tokens=40, time_limit_ms=1e6, block=block)
    return inference.run(request, perf_counter(), lambda: False, lambda _text: None)


def test_what_stands_below_is_not_said_again(inference: Inference) -> None:
    typed, suffix = "        third=third,\n        fourth=fo", "\n    )\n\n\nother = 1\n"
    longer = complete(inference, typed, suffix, block=False)
    assert longer.text.partition("\n")[0].rstrip(",") == "urth"
    ended = complete(inference, typed, suffix, block=True)
    assert ended.text.rstrip(",") == "urth"
    # It writes the closer, which stands there, and more.
    if longer.text != ended.text:
        assert ended.stats.stop == "below"
        assert ended.stats.generated < longer.stats.generated


def test_a_block_is_finished_and_no_more(inference: Inference) -> None:
    ended = complete(inference, "        third=th", "\n\n\nother = 1\n", block=True)
    assert ended.text.startswith("ird,\n        fourth=fourth")
    assert ended.text.endswith("\n    )")
    assert ended.stats.stop in ("dedent", "blank", "eog")
