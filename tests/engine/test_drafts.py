"""Drafts save passes and change nothing: neither text, nor tokens, nor rows."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from pathlib import Path
from time import perf_counter
from typing import TYPE_CHECKING

import numpy as np
import pytest

from sidecar.engine.inference import Inference
from sidecar.engine.messages import Completion, Request, Segment

if TYPE_CHECKING:
    from collections.abc import Callable

    from sidecar.engine.lanes import Lane
    from sidecar.engine.messages import Drafting
    from sidecar.engine.spec import EngineSpec

pytestmark = pytest.mark.timeout(900)

#: Two logits closer than this may change places.
TIE = 0.05
DRAFTINGS: tuple[Drafting, ...] = ("off", "exact")
PACKAGE = Path(__file__).parents[2] / "sidecar"
#: Real code, and where a suggestion of several lines is asked for.
PLACES = (
    ("engine/spec.py", "        agreed = ["),
    ("engine/messages.py", "    healed_bytes: int = 0"),
    ("settings/schema.py", "    watch: Annotated["),
    ("completion/service.py", "            return Outcome(reason="),
    ("text/buffer.py", "        return "),
    ("engine/client.py", "        self._"),
)
FIELDS = "".join(f"    {name}_count: int = 0\n" for name in ("file", "line", "word", "token"))


class Free:
    """Costs of a machine on which drafts always pay, whatever else runs on this one."""

    stale = False

    def of(self, tokens: int) -> float:
        return 1.0


@pytest.fixture(autouse=True)
def free(inference: Inference, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(inference.controller, "costs", Free())


def ask(
    inference: Inference,
    prefix: str,
    typed: str,
    *,
    drafts: Drafting,
    stopped: Callable[[], bool] = lambda: False,
    **options: object,
) -> tuple[Completion, Lane]:
    """Complete on empty lanes."""
    for lane in inference.lanes.all:
        inference.lanes.clear(lane)
    segments = (Segment("prefix", prefix), Segment("suffix", ""), Segment("typed", typed))
    request = replace(Request("d", segments, multiline=True, drafts=drafts), **options)
    completion = inference.run(request, perf_counter(), stopped, lambda _text: None)
    lane = max(inference.lanes.all, key=lambda lane: lane.used)
    return completion, lane


def check_same(inference: Inference, prefix: str, typed: str, **options: object) -> Completion:
    """Complete with and without drafts and compare everything that is kept; give the first."""
    plain, lane = ask(inference, prefix, typed, drafts="off", **options)
    tokens, positions = lane.tokens.copy(), lane.positions_with_rows()
    rows = {position: lane.row(position) for position in positions}
    drafted, lane = ask(inference, prefix, typed, drafts="exact", **options)
    assert inference.model.length(lane.number) == len(lane.tokens)
    assert lane.guessed == {}
    assert drafted.stats.accepted <= drafted.stats.drafted
    if lane.tokens != tokens:
        # Nothing is known of a machine on which this happens; only a tie would excuse it.
        equal = next(
            n for n, pair in enumerate(zip(tokens, lane.tokens, strict=False)) if len(set(pair)) > 1
        )
        row = rows[equal - 1]
        assert row is not None
        best, second = np.sort(row.logits)[-1:-3:-1]
        assert best - second < TIE, (plain.text, drafted.text)
        return drafted
    assert drafted.text == plain.text
    assert drafted.stats.stop == plain.stats.stop
    assert drafted.logprobs == plain.logprobs
    assert lane.positions_with_rows() == positions
    for position in positions:
        before, now = rows[position], lane.row(position)
        assert before is not None
        assert now is not None
        assert np.array_equal(before.logits, now.logits), position
    return drafted


def test_real_code_is_completed_the_same_with_and_without_drafts(inference: Inference) -> None:
    drafted = 0
    for name, mark in PLACES:
        text = (PACKAGE / name).read_text()
        at = text.index(mark) + len(mark)
        start = text.rfind("\n", 0, at) + 1
        prefix = "\n".join(text[:start].split("\n")[-40:])
        completion = check_same(inference, prefix, text[start:at], max_tokens=24)
        drafted += completion.stats.drafted
    if inference.controller.sizes["exact"]:
        assert drafted > 0


def test_repetitive_code_takes_fewer_passes(inference: Inference) -> None:
    if not inference.controller.sizes["exact"]:
        pytest.skip("on this machine passes of several tokens round differently")
    calls = []
    for drafts in DRAFTINGS:
        before = inference.model.decode_calls
        completion, _lane = ask(
            inference, "class Counts:\n" + FIELDS * 3, "    file_c", drafts=drafts, max_tokens=32
        )
        calls.append(inference.model.decode_calls - before)
    plain, drafted = calls
    assert drafted <= 0.7 * plain
    assert completion.stats.accepted >= 0.7 * completion.stats.drafted > 0


def test_rows_of_the_sizes_in_use_are_those_of_single_tokens(inference: Inference) -> None:
    """Beyond 512 cells too, where llama.cpp attends in another way."""
    model = inference.model
    tokens = model.tokenize((PACKAGE / "engine" / "lanes.py").read_bytes())[:540]
    prompt, tail = tokens[:532], tokens[532:]
    for start in range(0, len(prompt), 64):
        model.decode(0, prompt[start : start + 64], start)
    single = [model.decode(0, [t], len(prompt) + n).copy() for n, t in enumerate(tail)]
    for size in inference.controller.sizes["exact"]:
        for start in range(0, len(tail) - size + 1, size):
            model.truncate(0, len(prompt) + start)
            rows = model.decode_rows(0, tail[start : start + size], len(prompt) + start, size)
            for row, expected in zip(rows, single[start:], strict=False):
                assert np.array_equal(row, expected), size
    model.truncate(0, 0)


def test_a_stopped_generation_keeps_no_guess(inference: Inference) -> None:
    for allowed in (3, 5, 8):
        asked = iter([False] * allowed)
        completion, lane = ask(
            inference,
            "class Counts:\n" + FIELDS * 2,
            "    file_c",
            drafts="exact",
            max_tokens=32,
            stopped=partial(next, asked, True),
        )
        assert completion.stats.stop == "cancelled"
        assert lane.guessed == {}
        assert inference.model.length(lane.number) == len(lane.tokens)


def test_nothing_is_drafted_when_that_is_switched_off_or_gains_nothing(
    inference: Inference, monkeypatch: pytest.MonkeyPatch
) -> None:
    code = "class Counts:\n" + FIELDS * 2
    completion, _lane = ask(inference, code, "    file_c", drafts="off", max_tokens=12)
    assert completion.stats.drafted == 0
    monkeypatch.setattr(Free, "of", lambda _self, tokens: float(tokens))
    completion, _lane = ask(inference, code, "    file_c", drafts="exact", max_tokens=12)
    assert completion.stats.drafted == 0


def test_guesses_never_push_another_lane_out(engine_spec: EngineSpec) -> None:
    small = Inference(replace(engine_spec, context_tokens=256, lanes=2))
    token = small.model.tokenize(b"x")
    one, other = small.lanes.all
    for count in (128, 72):
        small.lanes.extend(one, token * count, 0)
    small.lanes.extend(other, token * 53, 0)
    small.lanes.extend(other, token, 0, token * 7)
    assert (len(one.tokens), len(other.tokens), other.guessed) == (200, 54, {})
    small.close()


def test_a_generation_that_goes_round_in_circles_ends(inference: Inference) -> None:
    row = "values = [" + "0, " * 40
    completion, _lane = ask(inference, "", row, drafts="exact", max_tokens=48)
    assert completion.stats.stop == "repetition"
    assert completion.stats.generated < 24
    assert len(completion.text) <= 6
