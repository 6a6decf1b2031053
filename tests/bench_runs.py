"""Runs benchmarks as commands, for tests of what they print."""

from __future__ import annotations

import json
import subprocess
import sys
from typing import Any

__all__ = ["GROUP", "bench"]

#: Keys of a percentile group.
GROUP = {"mean", "p50", "p90", "p95"}


def bench(*arguments: object, code: int = 0) -> tuple[Any, str]:
    """Run a benchmark and return its object and what it told meanwhile."""
    done = subprocess.run(
        [sys.executable, "-m", "sidecar", "bench", *map(str, arguments)],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == code, done.stderr
    return (json.loads(done.stdout) if code == 0 else None), done.stderr
