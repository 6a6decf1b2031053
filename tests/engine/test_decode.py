"""What a keystroke costs, and what comes back: the real model on small real code."""

from __future__ import annotations

import math
from dataclasses import replace
from itertools import accumulate, pairwise
from time import perf_counter
from typing import TYPE_CHECKING

import pytest

from sidecar.engine.inference import Inference
from sidecar.engine.messages import Completion, Request, Segment
from sidecar.engine.template import Template, template_from_texts
from sidecar.errors import EngineError

if TYPE_CHECKING:
    from sidecar.engine.spec import EngineSpec

PREFIX = "import os\n\n\ndef count_lines(path):\n"
SUFFIX = "\n    return total\n"
BODY = """    total = 0
    with open(path) as handle:
        for line in handle:
            total += 1"""


def complete(
    inference: Inference,
    code: str,
    *,
    prefix: str = PREFIX,
    suffix: str = SUFFIX,
    texts: list[str] | None = None,
    **options: object,
) -> Completion:
    """Complete at the `|` in `code`, which stands between anchor and cursor."""
    typed, bar, rest = code.partition("|")
    assert bar and not rest
    segments = (Segment("prefix", prefix), Segment("suffix", suffix), Segment("typed", typed))
    heard = texts if texts is not None else []
    request = replace(Request("d", segments), **options)
    return inference.run(request, perf_counter(), lambda: False, heard.append)


def check(inference: Inference, code: str, expected: str, **options: object) -> Completion:
    completion = complete(inference, code, **options)
    assert completion.text == expected
    return completion


def test_a_cursor_inside_a_word_is_healed(inference: Inference) -> None:
    completion = check(inference, BODY[: BODY.index("andle:")] + "|", "andle:")
    assert completion.stats.healed_bytes > 0
    assert completion.stats.stop == "newline"


def test_typing_what_was_suggested_needs_no_forward_pass(inference: Inference) -> None:
    start = BODY.index("handle:")
    first = complete(inference, BODY[:start] + "|")
    assert first.stats.passes >= 1
    for end in range(start + 1, start + len("handle:")):
        later = complete(inference, BODY[:end] + "|")
        assert (later.stats.evaluated, later.stats.passes) == (0, 0), BODY[:end]
        assert later.stats.reused > 0


def test_typing_something_else_evaluates_what_was_typed(inference: Inference) -> None:
    start = BODY.index("handle:")
    complete(inference, BODY[:start] + "|")
    for other in ("r", "re", "rea", "read"):
        stats = complete(inference, BODY[:start] + other + "|").stats
        assert stats.evaluated <= 3, other


def test_a_backspace_evaluates_one_token_at_most(inference: Inference) -> None:
    end = BODY.index("handle:") + 6
    complete(inference, BODY[:end] + "|")
    for back in range(1, 7):
        assert complete(inference, BODY[: end - back] + "|").stats.evaluated <= 1, back


def test_accepting_evaluates_nothing_before_the_newline(inference: Inference) -> None:
    start = BODY.index("handle:")
    first = complete(inference, BODY[:start] + "|")
    later = complete(inference, BODY[:start] + first.text + "|")
    assert later.stats.evaluated == 0


def test_healing_never_goes_past_a_newline_or_the_anchor(inference: Inference) -> None:
    assert complete(inference, "|").stats.healed_bytes == 0
    assert complete(inference, "    total = 0\n|").stats.healed_bytes == 0
    assert complete(inference, "    total = 0\n  |").stats.healed_bytes == 2


def test_text_is_never_parsed_as_special_tokens(inference: Inference) -> None:
    middle = inference.template.middle[0]
    for text in ("<|fim_middle|>", "<|endoftext|>", "<|fim_prefix|>x<|fim_suffix|>"):
        segments = tuple(Segment(kind, text) for kind in ("prefix", "suffix", "typed"))
        tokens = inference.assembler.assemble(Request("d", segments, heal=False)).tokens
        assert tokens.count(middle) == 1, text
        assert not set(inference.model.tokenize(text.encode())) & inference.template.stops


@pytest.mark.parametrize("character", ["ü", "漢", "😀", "👩‍👩‍👧"])
def test_no_half_character_is_ever_shown(inference: Inference, character: str) -> None:
    texts: list[str] = []
    line = f'    names = ["{character}", "{character}", "{character}"]\n'
    complete(inference, line * 3 + line[:14] + "|", texts=texts, max_tokens=24)
    assert texts
    for text in texts:
        assert "\N{REPLACEMENT CHARACTER}" not in text
        text.encode("utf-8")
    assert all(later.startswith(earlier) for earlier, later in pairwise(texts))


def test_single_line_ends_before_the_newline_and_multiline_goes_on(inference: Inference) -> None:
    code = "    total = 0\n    with open(path) as handle:\n|"
    single = complete(inference, code)
    several = complete(inference, code, multiline=True, max_tokens=24)
    assert "\n" not in single.text
    assert "\n" in several.text.strip("\n")


def test_limits_end_a_generation(inference: Inference) -> None:
    few = complete(inference, BODY[:20] + "|", max_tokens=2)
    assert (few.stats.generated, few.stats.stop) == (2, "tokens")
    none = complete(inference, BODY[:21] + "|", max_tokens=0)
    assert (none.text, none.stats.generated, none.stats.stop) == ("", 0, "held")
    late = complete(inference, BODY[:22] + "|", time_limit_ms=0.0)
    assert (late.stats.generated, late.stats.stop) == (1, "time")


def test_an_empty_document_gets_an_answer(inference: Inference) -> None:
    assert complete(inference, "|", prefix="", suffix="", max_tokens=4).stats.generated > 0


def test_a_prompt_that_does_not_fit_is_refused_and_the_next_is_served(
    inference: Inference,
) -> None:
    calls = inference.model.decode_calls
    with pytest.raises(EngineError, match=r"do not fit into 4096; raise"):
        complete(inference, "|", prefix="\n\t".join("abcdefg" * 900))
    assert inference.model.decode_calls == calls
    check(inference, BODY[: BODY.index("andle:")] + "|", "andle:")


def test_lanes_keep_several_anchors_and_share_their_heads(inference: Inference) -> None:
    places = {name: f"def {name}(path):\n" for name in ("one", "two", "three")}
    for name in places:
        complete(inference, f"    {name[:2]}|", prefix=PREFIX + places[name], max_tokens=1)
    for name in places:
        again = complete(inference, f"    {name[:2]}|", prefix=PREFIX + places[name], max_tokens=1)
        assert again.stats.evaluated == 0, name


def test_a_full_cache_gives_up_the_lane_least_recently_used(engine_spec: EngineSpec) -> None:
    small = Inference(replace(engine_spec, context_tokens=256))
    texts = {n: f"# file {n}\n" + f"value_{n} = compute({n})\n" * 12 for n in range(3)}
    evaluated = {}
    for n in (0, 1, 2, 2, 0):
        evaluated[n] = complete(small, "x|", prefix=texts[n], max_tokens=1).stats.evaluated
        if n == 2:
            held = sum(len(lane.tokens) for lane in small.lanes.all)
            assert held <= 256
    assert evaluated[2] == 0, "the newest stayed"
    assert evaluated[0] > 50, "the oldest made room"
    small.close()


QWEN = {"prefix": "<|fim_prefix|>", "suffix": "<|fim_suffix|>", "middle": "<|fim_middle|>"}


@pytest.mark.parametrize("order", ["spm", "none"])
def test_other_templates_keep_state_too(
    inference: Inference, monkeypatch: pytest.MonkeyPatch, order: str
) -> None:
    template: Template = template_from_texts({"order": order, **QWEN}, inference.model, None)
    monkeypatch.setattr(inference.assembler, "template", template)
    start = BODY.index("handle:")
    complete(inference, BODY[:start] + "|")
    for end in range(start + 1, start + 6):
        later = complete(inference, BODY[:end] + "|")
        # An SPM template evaluates its middle token behind what was typed.
        assert later.stats.evaluated <= 3, BODY[:end]
        assert later.text


def test_a_template_of_another_model_is_refused(inference: Inference) -> None:
    with pytest.raises(EngineError, match=r"'<fim_prefix>', which is no token of this model"):
        template_from_texts({"order": "psm", "prefix": "<fim_prefix>"}, inference.model, None)


def test_a_line_that_is_too_unlikely_ends_at_once_and_others_are_the_same(
    inference: Inference,
) -> None:
    ended_early = 0
    for typed in ("    ", "    va", "    return ", "    print(", BODY[:30], BODY[:61]):
        code = typed + "|"
        whole = complete(inference, code, max_tokens=16)
        sums = list(accumulate(whole.logprobs))
        least = math.exp(sums[-1] - 0.05)
        shown = complete(inference, code, max_tokens=16, least_confidence=least)
        assert (shown.text, shown.stats.stop) == (whole.text, whole.stats.stop)
        # Where the chance falls most, but for the last token.
        falls = [before - after for before, after in pairwise([0.0, *sums])]
        at = falls.index(max(falls[:-1]))
        if falls[at] < 0.05:
            continue
        heard: list[str] = []
        least = math.exp(sums[at] + falls[at] / 2)
        ended = complete(inference, code, texts=heard, max_tokens=16, least_confidence=least)
        assert (ended.text, ended.stats.stop) == ("", "unsure")
        assert ended.stats.generated == at + 1 < whole.stats.generated
        assert len(heard) <= at
        ended_early += 1
    assert ended_early > 0


def test_an_answer_tells_which_prompts_are_held(inference: Inference) -> None:
    """Evaluates some 60 tokens."""

    def asked(prefix: str, typed: str, place: int, *, warm: bool = False) -> Completion:
        segments = (Segment("prefix", prefix), Segment("suffix", ""), Segment("typed", typed))
        request = Request("d", segments, max_tokens=0 if warm else 1, place=place)
        if warm:
            request = replace(request, priority="warming")
        return inference.run(request, perf_counter(), lambda: False, lambda _text: None)

    assert asked("one = 1\n", "x", 11).held == (11,)
    assert sorted(asked("two = 2\n" * 8, "y", 12, warm=True).held or ()) == [11, 12]
    # Typing on, and taking it back, loses nothing; nameless prompts take lanes all the same.
    assert sorted(asked("one = 1\n", "x = y", 11).held or ()) == [11, 12]
    held = asked("one = 1\n", "", 11).held
    for number in range(2 * inference.model.options.lanes):
        held = asked(f"{number} * 7\n" * 8, "", 0).held
    assert held == ()
