"""Words of the command line that become values, or are refused in words."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING, Any

import pytest

from sidecar.cli.arguments import (
    count,
    duration,
    limits_of,
    model_choice,
    natural,
    number,
    positive,
    remote_address,
    seconds,
    whole,
)
from sidecar.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path


@pytest.mark.parametrize(
    ("text", "seconds"),
    [("90s", 90), ("30m", 1800), ("8h", 28800), ("1h30m", 5400), ("1h1m1s", 3661), (" 5s ", 5)],
)
def test_times(text: str, seconds: float) -> None:
    assert duration(text) == seconds


@pytest.mark.parametrize("text", ["", "30", "0s", "-5m", "5x", "m", "1.5h", "30m1h", "5 m"])
def test_what_is_no_time_is_refused(text: str) -> None:
    with pytest.raises(argparse.ArgumentTypeError, match="is no time; write it as"):
        duration(text)


TOKENS = limits_of("completion", "maxTokens")


@pytest.mark.parametrize(
    ("read", "text", "value"),
    [
        (whole, "-5", -5),
        (natural, "0", 0),
        (count, "1", 1),
        (number, "-1.4", -1.4),
        (positive, "0.5", 0.5),
        (seconds, "0", 0.0),
        (TOKENS, "1", 1),
        (TOKENS, "512", 512),
    ],
)
def test_numbers(read: Callable[[str], Any], text: str, value: float) -> None:
    assert read(text) == value


@pytest.mark.parametrize(
    ("read", "text", "told"),
    [
        (whole, "abc", "'abc' is not a whole number"),
        (whole, "1.5", "'1.5' is not a whole number"),
        (natural, "-1", "must not be negative"),
        (count, "0", "must be at least 1"),
        (number, "abc", "'abc' is not a number"),
        (number, "inf", "'inf' is not a number"),
        (number, "nan", "'nan' is not a number"),
        (positive, "0", "must be above 0"),
        (seconds, "abc", "'abc' is not a number"),
        (seconds, "-0.1", "must not be negative"),
        (TOKENS, "0", "must be at least 1"),
        (TOKENS, "513", "must be at most 512"),
        (TOKENS, "many", "'many' is not a whole number"),
        (remote_address, " ", "must not be empty"),
    ],
)
def test_what_is_no_such_number_is_refused(
    read: Callable[[str], Any], text: str, told: str
) -> None:
    with pytest.raises(argparse.ArgumentTypeError) as caught:
        read(text)
    assert str(caught.value) == told


@pytest.mark.parametrize("address", ["https://gpu.example.com:8000", "http://127.0.0.1:8012/v1"])
def test_addresses_of_servers(address: str) -> None:
    assert remote_address(address) == address


@pytest.mark.parametrize(
    ("address", "told"),
    [
        ("foo", "with --remote, or leave out --remote"),
        ("http://[::1", "with --remote, or leave out --remote"),
        ("http://gpu.example.com", "in clear text; use https"),
        ("https://me:secret@gpu.example.com", "holds a password"),
    ],
)
def test_what_is_no_address_is_wrong_usage(address: str, told: str) -> None:
    with pytest.raises(UsageError) as caught:
        remote_address(address)
    assert told in str(caught.value)
    assert "sidecar.engine" not in str(caught.value)


def test_a_model_is_a_name_or_a_file_that_is_there(tmp_path: Path) -> None:
    path = tmp_path / "own.gguf"
    path.touch()
    for good in ("qwen2.5-coder-0.5b", str(path)):
        assert model_choice(good) == good
    for wrong, told in (
        ("nope", "there is no model called 'nope'"),
        (str(tmp_path / "nope.gguf"), "there is no file"),
        (f"{path}/nope.gguf", "there is no file"),
        ("a\0b.gguf", "there is no file"),
        (f"{tmp_path}/", "is a directory"),
        ("/dev/null", "is not a regular file"),
    ):
        with pytest.raises(UsageError, match=told):
            model_choice(wrong)
