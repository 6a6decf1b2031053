"""What one key cost, from what the editor saw and what the engine said."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from sidecar.bench.editor import Seen
from sidecar.bench.typing import Key, TypingPlan, choose_cases, key_of, summarize
from sidecar.engine.messages import Stats
from sidecar.errors import UsageError

if TYPE_CHECKING:
    from pathlib import Path


def seen(visible_ms: float, answered_ms: float, stats: Stats, *, early: bool = True) -> Seen:
    return Seen("x", visible_ms, answered_ms, early, stats, cancelled=False)


def test_a_key_without_a_pass_is_all_overhead() -> None:
    stats = Stats(generated=5, first_token_ms=0.8, visible_ms=1.0, total_ms=2.0)
    key = key_of(seen(3.0, 4.5, stats), first=False)
    assert (key.visible_ms, key.overhead_ms, key.passes) == (3.0, 3.0, 0)
    assert key.ttft_ms == pytest.approx(2.8)
    assert not key.held_back


def test_what_llama_cpp_did_is_not_ours() -> None:
    stats = Stats(
        evaluated=2,
        generated=5,
        passes=2,
        first_token_ms=51.0,
        visible_ms=98.0,
        llama_ms=95.0,
        one_token_ms=47.0,
        total_ms=300.0,
    )
    key = key_of(seen(100.0, 302.0, stats), first=False)
    assert key.overhead_ms == pytest.approx(5.0)
    assert key.ttft_ms == pytest.approx(53.0)
    assert key.one_token_ms == 47.0


def test_tokens_generated_before_the_server_showed_something_are_not_ours_either() -> None:
    # The engine had a byte after 2 ms, the server waited for the next token of 47 ms.
    stats = Stats(
        generated=3, passes=0, visible_ms=2.0, llama_ms=0.0, one_token_ms=47.0, total_ms=98.0
    )
    key = key_of(seen(51.0, 100.0, stats), first=False)
    assert key.held_back
    assert key.visible_ms == 51.0
    assert key.overhead_ms == pytest.approx(4.0)


def test_a_summary_has_the_keys_of_the_contract() -> None:
    keys = [Key(True, 500, 9, 1.0, 900.0, 5.0, 40.0)]
    keys += [Key(False, n, n, 1.0, 10.0 * n, 1.0, 50.0 if n else 0.0) for n in range(3)]
    peer = [Key(True, 900, 1, 1.0, 5000.0, 1.0), Key(False, 250, 1, 1.0, 1500.0, 1.0)]
    summary = summarize(keys, 2, peer)
    assert summary["one_token_ms"] == 50.0
    later = summary["ours"]["later_keys"]
    assert later["n"] == 3
    assert later["evaluated"]["mean"] == 1.0
    assert later["share_zero_pass"] == pytest.approx(1 / 3)
    assert {"passes", "ttft_ms", "visible_ms", "overhead_ms"} <= later.keys()
    assert summary["ours"]["first_key"]["n"] == 1
    assert summary["ours"]["refused"] == 2
    assert summary["peer"]["later_keys"]["evaluated"]["p50"] == 250
    assert summary["ratios"]["visible_p50_to_one_token"] == pytest.approx(0.2)
    assert summary["ratios"]["peer_p50_to_ours"] == pytest.approx(150.0)


def test_a_summary_of_nothing_is_no_failure() -> None:
    summary = summarize([], 0, None)
    assert summary["peer"] is None
    assert summary["one_token_ms"] is None
    assert set(summary["ratios"].values()) == {None}


@pytest.mark.parametrize(
    ("name", "content", "said"),
    [
        ("missing.py", None, "does not exist"),
        (".", None, "is a directory"),
        ("short.py", b"x = 1\n", "none of the files has a line"),
        ("binary.py", b"\x00\x01", "is a binary file"),
        ("latin.py", b"\xe9\n", "is not UTF-8"),
    ],
)
def test_bad_files_are_told(tmp_path: Path, name: str, content: bytes | None, said: str) -> None:
    if content is not None:
        (tmp_path / name).write_bytes(content)
    with pytest.raises(UsageError, match=said):
        choose_cases(TypingPlan(files=(tmp_path / name,)))


def test_lines_come_from_every_file(tmp_path: Path) -> None:
    for name in ("a.py", "b.py"):
        text = "".join(f"value_{n} = combine(first={n}, second)\n" for n in range(100))
        (tmp_path / name).write_text(text)
    plan = TypingPlan(files=(tmp_path / "a.py", tmp_path / "b.py"), lines=5)
    cases = choose_cases(plan)
    assert [case.path.rsplit("/", 1)[1] for case in cases] == ["a.py"] * 3 + ["b.py"] * 2
    assert cases == choose_cases(plan)
