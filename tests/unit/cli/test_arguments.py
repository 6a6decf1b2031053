"""Words of the command line that become values, or are refused in words."""

from __future__ import annotations

import argparse

import pytest

from sidecar.cli.arguments import duration


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
