"""What a model is not shown: planted credentials are gone, and what only looks like one stays."""

from __future__ import annotations

import re
import subprocess
import sys
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from secret_samples import Planted, fake, pem, planted

from sidecar.context import assignments, blanked, credentials, guard, private_keys, scan
from sidecar.context.guard import PLACEHOLDER, blanked_spans, hidden_note
from sidecar.text import Buffer

if TYPE_CHECKING:
    from pathlib import Path

CASES = planted()
AROUND = "def before():\n    return 1\n\n", "\n\ndef after():\n    return 2\n"


def leaks(shown: str, secret: str, size: int = 8) -> bool:
    """Tell whether a piece of a secret is shown from which one could go on."""
    return any(secret[n : n + size] in shown for n in range(max(len(secret) - size, 0) + 1))


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_a_planted_credential_is_gone(case: Planted) -> None:
    text = case.text.join(AROUND)
    guarded = blanked(text)
    for secret in case.secrets:
        assert not leaks(guarded.text, secret)
    assert PLACEHOLDER in guarded.text
    assert guarded.text.count("\n") == text.count("\n"), "lines stay where they are"
    assert guarded.text.startswith(AROUND[0]) and guarded.text.endswith(AROUND[1])
    assert all(secret.kind for secret in guarded.found)
    assert blanked(text.replace("\n", "\r\n")).text == guarded.text.replace("\n", "\r\n")


def test_enough_is_planted(capsys: pytest.CaptureFixture[str]) -> None:
    text = "\n".join(case.text for case in CASES)
    guarded = blanked(text)
    left = [case.name for case in CASES if any(leaks(guarded.text, s) for s in case.secrets)]
    kinds = {secret.kind for secret in guarded.found}
    with capsys.disabled():
        sys.stdout.write(f"\n{len(CASES)} planted in {len(kinds)} kinds, {len(left)} left\n")
    assert left == []
    assert len(CASES) >= 40 and len(kinds) >= 12


def decoys(data_dir: Path) -> list[str]:
    lines = (data_dir / "secrets" / "decoys.txt").read_text(encoding="utf-8").splitlines()
    # Public keys and certificates have lines of their own.
    return [x.replace("\\n", "\n") if x.startswith("-----") else x for x in lines]


def test_what_only_looks_like_a_secret_stays(
    data_dir: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    cases = decoys(data_dir)
    wrong = [case for case in cases if blanked(case.join(AROUND)).found]
    with capsys.disabled():
        sys.stdout.write(f"\n{len(cases)} decoys, {len(wrong)} blanked {wrong}\n")
    assert len(cases) >= 200
    assert len(wrong) <= len(cases) * 0.05


def test_decoys_in_one_file_stay_too(data_dir: Path) -> None:
    cases = decoys(data_dir)
    assert len(blanked("\n".join(cases)).found) <= len(cases) * 0.05


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_a_window_that_shows_a_part_hides_it(case: Planted) -> None:
    text = case.text.join(AROUND)
    buffer = Buffer.of(text)
    for secret in case.secrets[:4]:
        start = text.index(secret)
        for place in {start + 1, start + len(secret) // 2, start + len(secret) - 1}:
            before, after = blanked_spans(buffer, ((0, place), (place, len(text))))
            for shown, half in (
                (before.text, secret[: place - start]),
                (after.text, secret[place - start :]),
            ):
                assert not leaks(shown, secret)
                assert half not in shown or len(half) < 4
            assert not before.text.endswith(secret[: place - start])
            assert not after.text.startswith(secret[place - start :])


def test_a_key_reaches_into_a_window_from_far_above() -> None:
    text, lines = pem("RSA ", "long", 6000)
    text = text.join(AROUND)
    buffer = Buffer.of(text)
    for line in (5, len(lines) // 2, len(lines) - 2):
        start = buffer.line_start(line)
        (shown,) = blanked_spans(buffer, ((start, buffer.line_start(line + 10)),))
        assert not any(line in shown.text for line in lines)
        assert shown.text.count("\n") == 10


@pytest.mark.parametrize(("first", "last"), [(1, -1), (3, 9), (0, 5), (4, 99), (6, 8)])
def test_a_piece_of_a_file_that_is_a_piece_of_a_key(first: int, last: int) -> None:
    text, lines = pem("", "piece")
    piece = "\n".join(text.splitlines()[first:last])
    shown = blanked(piece).text
    assert not any(line in shown for line in lines)
    assert shown.count("\n") == piece.count("\n")


def test_a_key_whose_end_is_missing_takes_no_code_along() -> None:
    text, lines = pem("EC ", "unfinished", 180)
    shown = blanked("\n".join(text.splitlines()[:-1]) + "\n\nreturn key\n").text
    assert not any(line in shown for line in lines)
    assert shown.endswith("\n\nreturn key\n")


def test_only_the_secret_goes() -> None:
    text = f'connect("db", password="{fake("abc123", 12, "x")}", port=5432)  # main\n'
    assert blanked(text).text == f'connect("db", password="{PLACEHOLDER}", port=5432)  # main\n'


def test_a_secret_in_pieces() -> None:
    shown = blanked('token = ("a1b2c3d4e5f6"\n    "g7h8i9j0k1l2")\nx = "kept"\n').text
    assert shown == f'token = ("{PLACEHOLDER}"\n    "{PLACEHOLDER}")\nx = "kept"\n'


def test_what_was_blanked_is_not_a_secret() -> None:
    for case in CASES:
        once = blanked(case.text)
        assert blanked(once.text).text == once.text


def test_a_note_tells_kinds_and_numbers() -> None:
    note = hidden_note(["password", "aws key", "password"])
    assert note == "hidden from the model: 1 aws key, 2 password"


@pytest.mark.parametrize("text", ["", "\n", "İ password = 'x'", "\ud83d token = 'é'", "=" * 50])
def test_odd_texts(text: str) -> None:
    assert blanked(text).text == text


def test_places_are_right_behind_letters_whose_lower_case_is_longer() -> None:
    shown = blanked("# İİİ 😀 \ud83d\npassword = 'hunter2'\n").text
    assert shown == f"# İİİ 😀 \ud83d\npassword = '{PLACEHOLDER}'\n"


PIECES = st.sampled_from(
    [
        *(case.text for case in CASES[::4]),
        *("password", "=", '"', "'", "token", "key", ":", "\n", " ", "\r\n", "é", "(", "a1b2"),
        *("-----BEGIN PRIVATE KEY-----", "://", "@", "\\", "Bearer "),
    ]
)


@settings(max_examples=150, deadline=None)
@given(st.lists(PIECES, max_size=25).map("".join))
def test_any_text_keeps_its_lines_and_what_was_not_found(text: str) -> None:
    guarded = blanked(text)
    assert guarded == blanked(text)
    assert guarded.text.count("\n") == text.count("\n")
    end = 0
    for secret in guarded.found:
        assert end <= secret.start < secret.end <= len(text)
        assert text[end : secret.start] in guarded.text
        end = secret.end
    # The same when a document is looked at in windows.
    (whole,) = blanked_spans(Buffer.of(text), ((0, len(text)),))
    assert len(whole.text.split("\n")) == len(text.split("\n"))


def test_two_processes_agree() -> None:
    code = (
        "import sys; sys.path.insert(0, 'tests')\n"
        "from secret_samples import planted\n"
        "from sidecar.context import blanked\n"
        "print(hash(tuple(ord(c) for p in planted() for c in blanked(p.text).text)))"
    )
    answers = {
        subprocess.run(
            [sys.executable, "-c", code], capture_output=True, check=True, env={"PYTHONHASHSEED": s}
        ).stdout
        for s in ("1", "2")
    }
    assert len(answers) == 1


def patterns() -> list[tuple[str, re.Pattern[str]]]:
    """Return every expression of the guard."""
    found = []
    for module in (guard, scan, assignments, credentials, private_keys):
        for name, value in vars(module).items():
            values = value.values() if isinstance(value, dict) else (value,)
            found += [
                (f"{module.__name__}.{name}", one) for one in values if isinstance(one, re.Pattern)
            ]
    return found


def nested(parsed: Any, repeats: int = 0) -> int:
    """Return how deep repetitions that may be taken back stand inside of each other.

    Those of few rounds do not count, nor what is never taken back once it matched.
    """
    deepest = repeats
    for operation, argument in parsed:
        name = str(operation)
        if name in ("MAX_REPEAT", "MIN_REPEAT"):
            _, most, body = argument
            deepest = max(deepest, nested(body, repeats + (most > 4)))
        elif name in ("POSSESSIVE_REPEAT", "ATOMIC_GROUP"):
            body = argument[2] if name == "POSSESSIVE_REPEAT" else argument
            deepest = max(deepest, nested(body, 0))
        elif name == "SUBPATTERN":
            deepest = max(deepest, nested(argument[-1], repeats))
        elif name == "BRANCH":
            deepest = max(deepest, *(nested(branch, repeats) for branch in argument[1]))
        elif name in ("ASSERT", "ASSERT_NOT"):
            deepest = max(deepest, nested(argument[1], repeats))
    return deepest


@pytest.mark.parametrize(("name", "pattern"), patterns())
def test_no_expression_repeats_a_repetition(name: str, pattern: re.Pattern[str]) -> None:
    parsed = re._parser.parse(pattern.pattern, pattern.flags)  # type: ignore[attr-defined]
    assert nested(parsed) <= 1, f"{name} may take exponential time"


HOSTILE = (
    *('password="', "password='a1b2", "token=token=", "key", "api_key: ", "secret ", "pass("),
    *("passw", "sk-", "xsk-", "eyJ", "eyJaaaaaaaaaaaaaaaaaa.", "ghp_", "AKIA", "://a:", "://"),
    *("Bearer ", "basic aaaa", "-----BEGIN PRIVATE KEY-----", "-----END PRIVATE KEY-----"),
    *("PRIVATE KEY", "-u a:", "auth=(", "sig=a1", "a1B2" * 16 + "\n", "\n", " ", "(", "\\", "$"),
    *("a" * 64 + "\n", "{", "testpass", "password: x\n", "https://hooks.slack.com/services/"),
    *("0:AA", "Q~", "Private-Lines: 9\n", "x" * 100, "password='" + "pass" * 500 + "!1'\n"),
)


@pytest.mark.parametrize("piece", HOSTILE)
def test_steps_grow_with_the_text_and_not_faster(piece: str) -> None:
    """Steps are the calls that the interpreter reports, of functions and of expressions."""

    def steps(size: int) -> int:
        text = (piece * (size // len(piece) + 1))[:size]
        count = 0

        def on_call(*_: object) -> None:
            nonlocal count
            count += 1

        sys.setprofile(on_call)
        try:
            blanked(text)
        finally:
            sys.setprofile(None)
        return count

    assert steps(16_000) <= 5 * steps(4_000) + 500
