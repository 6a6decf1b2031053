"""Drafts save passes, and what is said and kept stays the same."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from pathlib import Path
from time import perf_counter
from typing import TYPE_CHECKING

import pytest

from sidecar.engine import decode
from sidecar.engine.drafter import Drafter, load_drafter
from sidecar.engine.inference import Inference
from sidecar.engine.messages import Completion, Request, Segment
from sidecar.engine.model import Model, ModelOptions
from sidecar.engine.pace import Batches, Pace

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    import numpy as np
    from numpy.typing import NDArray

    from sidecar.engine.lane import Lane
    from sidecar.engine.spec import EngineSpec

pytestmark = pytest.mark.timeout(900)

#: Two logits closer than this may change places.
TIE = 0.05
#: A row that belongs to another position differs by more than this; rounding by at most 0.6.
STALE = 1.5
PACKAGE = Path(__file__).parents[2] / "sidecar"
#: Real code, and where a suggestion of several lines is asked for.
PLACES = (
    ("engine/spec.py", "        agreed = ["),
    ("engine/messages.py", "    healed_bytes: int = 0"),
    ("completion/service.py", "            return Outcome(reason="),
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
    drafts: bool,
    stopped: Callable[[], bool] = lambda: False,
    keep: Lane | None = None,
    **options: object,
) -> tuple[Completion, Lane]:
    """Complete on lanes that are empty, but for one that keeps what it holds of the prompt."""
    segments = (Segment("prefix", prefix), Segment("suffix", ""), Segment("typed", typed))
    request = Request("d", segments, multiline=True, drafts=drafts, time_limit_ms=600_000.0)
    request = replace(request, **options)
    for lane in inference.lanes.all:
        if lane is keep:
            inference.lanes.truncate(lane, len(inference.assembler.assemble(request).tokens))
        else:
            inference.lanes.clear(lane)
    completion = inference.run(request, perf_counter(), stopped, lambda _text: None)
    lane = max(inference.lanes.all, key=lambda lane: lane.used)
    return completion, lane


def logits_of(lane: Lane) -> list[NDArray[np.float32]]:
    """List the remembered logits, by position."""
    rows = [lane.row(position) for position in lane.positions_with_rows()]
    return [row.logits for row in rows if row is not None]


def check_same(inference: Inference, prefix: str, typed: str, **options: object) -> Completion:
    """Complete with and without drafts and compare what is said and kept; give the first."""
    plain, lane = ask(inference, prefix, typed, drafts=False, **options)
    tokens, positions = lane.tokens.copy(), lane.positions_with_rows()
    rows = {position: lane.row(position) for position in positions}
    drafted, lane = ask(inference, prefix, typed, drafts=True, keep=lane, **options)
    assert drafted.stats.evaluated == 0, "the prompt was there"
    assert inference.model.length(lane.number) == len(lane.tokens)
    assert lane.guessed == {}
    assert drafted.stats.accepted <= drafted.stats.drafted
    pairs = zip(tokens, lane.tokens, strict=False)
    first = next((n for n, pair in enumerate(pairs) if pair[0] != pair[1]), None)
    if first is not None:
        row = rows[first - 1]
        assert row is not None
        assert row.gap() < TIE, (plain.text, drafted.text)
        return drafted
    assert drafted.text == plain.text
    assert drafted.stats.stop == plain.stats.stop
    assert lane.tokens == tokens
    assert lane.positions_with_rows() == positions
    for position in positions:
        before, now = rows[position], lane.row(position)
        assert before is not None
        assert now is not None
        assert abs(before.logits - now.logits).max() < STALE, "the row is another position's"
    return drafted


def test_real_code_is_completed_the_same_with_and_without_drafts(inference: Inference) -> None:
    drafted = 0
    for name, mark in PLACES:
        text = (PACKAGE / name).read_text()
        at = text.index(mark) + len(mark)
        start = text.rfind("\n", 0, at) + 1
        prefix = "\n".join(text[:start].split("\n")[-10:])
        completion = check_same(inference, prefix, text[start:at], max_tokens=24)
        drafted += completion.stats.drafted
    assert drafted > 0


def test_repetitive_code_takes_fewer_passes(inference: Inference) -> None:
    calls = []
    for drafts in (False, True):
        before = inference.model.decode_calls
        completion, _lane = ask(
            inference, "class Counts:\n" + FIELDS * 2, "    file_c", drafts=drafts, max_tokens=32
        )
        calls.append(inference.model.decode_calls - before)
    plain, drafted = calls
    assert drafted <= 0.7 * plain
    assert completion.stats.accepted >= 0.7 * completion.stats.drafted > 0


def test_a_stopped_generation_keeps_no_guess(inference: Inference) -> None:
    for allowed in (3, 5, 8):
        asked = iter([False] * allowed)
        completion, lane = ask(
            inference,
            "class Counts:\n" + FIELDS * 2,
            "    file_c",
            drafts=True,
            max_tokens=32,
            stopped=partial(next, asked, True),
        )
        assert completion.stats.stop == "cancelled"
        assert lane.guessed == {}
        assert inference.model.length(lane.number) == len(lane.tokens)


def test_where_two_tokens_are_as_likely_plain_decoding_decides(
    inference: Inference, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With every choice taken for a close one, the state is that of plain decoding to the bit."""
    # How a prompt is cut follows the machine's speed, and rounds differently.
    monkeypatch.setattr(inference.lanes, "chunk", lambda _left, **_: 64)
    code = "class Counts:\n" + FIELDS * 2
    plain, lane = ask(inference, code, "    file_c", drafts=False, max_tokens=10)
    rows = logits_of(lane)
    monkeypatch.setattr(decode, "_CLOSE", 1000.0)
    drafted, lane = ask(inference, code, "    file_c", drafts=True, max_tokens=10)
    assert drafted.stats.drafted > 0
    assert (drafted.text, drafted.logprobs) == (plain.text, plain.logprobs)
    for before, now in zip(rows, logits_of(lane), strict=True):
        assert (before == now).all()


def test_nothing_is_drafted_when_that_is_switched_off_or_gains_nothing(
    inference: Inference, monkeypatch: pytest.MonkeyPatch
) -> None:
    code = "class Counts:\n" + FIELDS * 2
    completion, _lane = ask(inference, code, "    file_c", drafts=False, max_tokens=12)
    assert completion.stats.drafted == 0
    monkeypatch.setattr(Free, "of", lambda _self, tokens: float(tokens))
    completion, _lane = ask(inference, code, "    file_c", drafts=True, max_tokens=12)
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
    completion, _lane = ask(inference, "", row, drafts=True, max_tokens=48)
    assert completion.stats.stop == "repetition"
    assert completion.stats.generated < 24
    assert len(completion.text) <= 6


@pytest.fixture(scope="module")
def drafting(engine_spec: EngineSpec) -> Iterator[Inference]:
    """An engine whose model drafts for itself: the best that can be, and the slowest."""
    spec = replace(engine_spec, draft_path=engine_spec.model_path, draft_identity="itself")
    loaded = Inference(spec)
    yield loaded
    loaded.close()


@pytest.fixture
def drafter(drafting: Inference, monkeypatch: pytest.MonkeyPatch) -> Drafter:
    """Its draft model, as if that cost nothing, and nothing were found in the prompt."""
    monkeypatch.setattr(drafting.controller, "length", lambda _kinds: 0)
    drafter = drafting.drafter
    assert drafter is not None, drafting.draft_problem
    monkeypatch.setattr(drafter, "_price", lambda: None)
    monkeypatch.setattr(drafter, "_cost", lambda _tokens: 0.0)
    monkeypatch.setattr(drafter.steering, "costs", Free())
    monkeypatch.setattr(drafter.steering, "each", 0.0)
    monkeypatch.setattr(drafter.steering, "_spent", 0.0)
    return drafter


def check_held(drafter: Drafter) -> None:
    for number, size in enumerate(drafter.told()["tokens"]):
        assert drafter.model.length(number) == size


def test_a_draft_model_is_nearly_always_right_of_itself_and_the_text_is_the_same(
    drafting: Inference, drafter: Drafter
) -> None:
    drafted = accepted = 0
    for name, mark in PLACES:
        text = (PACKAGE / name).read_text()
        at = text.index(mark) + len(mark)
        start = text.rfind("\n", 0, at) + 1
        prefix = "\n".join(text[:start].split("\n")[-12:])
        stats = check_same(drafting, prefix, text[start:at], max_tokens=20).stats
        assert stats.drafted == stats.drafted_by_model
        # The last token of all is not asked what follows it.
        assert 0 <= stats.accepted_by_model - stats.accepted <= 1
        drafted += stats.drafted
        accepted += stats.accepted
        check_held(drafter)
    # What is guessed beyond the end is never right.
    assert accepted >= 0.7 * drafted > 0


def test_a_draft_model_is_stopped_like_the_model(drafting: Inference, drafter: Drafter) -> None:
    code = "def area(width, height):\n"
    for allowed in (4, 6, 9, 13):
        asked = iter([False] * allowed)
        completion, lane = ask(
            drafting,
            code,
            "    return wi",
            drafts=True,
            max_tokens=32,
            stopped=partial(next, asked, True),
        )
        if completion.stats.stop == "cancelled":
            assert lane.guessed == {}
        assert drafting.model.length(lane.number) == len(lane.tokens)
        check_held(drafter)
    drafting.interrupt()
    completion, _lane = ask(drafting, code, "    return wi", drafts=True, max_tokens=8)
    assert completion.stats.stop == "cancelled"
    drafting.clear_interrupt()
    check_held(drafter)
    assert check_same(drafting, code, "    return wi", max_tokens=8).stats.generated > 0


def test_a_draft_model_without_room_gives_up_what_it_read_elsewhere(
    engine_spec: EngineSpec, monkeypatch: pytest.MonkeyPatch
) -> None:
    options = ModelOptions(context_tokens=512, lanes=2, threads=2, batch_tokens=64)
    model = Model(engine_spec.model_path, options)
    drafter = Drafter(model, Batches(), (), Pace())
    monkeypatch.setattr(drafter.steering, "costs", Free())
    monkeypatch.setattr(drafter.steering, "each", 0.0)
    text = (PACKAGE / "engine" / "lanes.py").read_bytes()
    tokens = model.tokenize(text[:6000])
    for start in (0, 500):
        there = tokens[start : start + 300]
        drafter.guess(there, 7, lambda _: True, lambda: False, generated=0, waited=False)
        assert not drafter.problem
        check_held(drafter)
    assert min(drafter.told()["tokens"]) == 0
    assert max(drafter.told()["tokens"]) > 256
    model.close()


def test_a_draft_model_that_is_as_slow_as_the_model_is_not_asked(drafting: Inference) -> None:
    assert drafting.drafter is not None
    before = drafting.drafter.model.decode_calls
    completion, _lane = ask(drafting, "def area(width):\n", "    re", drafts=True, max_tokens=12)
    assert completion.stats.drafted_by_model == 0
    assert drafting.drafter.model.decode_calls == before


def test_a_draft_model_that_cannot_be_loaded_is_a_problem_and_no_end(
    inference: Inference, engine_spec: EngineSpec, tmp_path: Path
) -> None:
    broken = tmp_path / "draft.gguf"
    broken.write_bytes(b"GGUF")
    passes = inference.pace.batches
    found, problem = load_drafter(replace(engine_spec, draft_path=broken), [], (), passes)
    assert found is None
    assert "draft.gguf" in problem
    spec = replace(engine_spec, draft_path=engine_spec.model_path)
    found, problem = load_drafter(spec, [b"x", b"y"], (), passes)
    assert found is None
    assert "another vocabulary" in problem
