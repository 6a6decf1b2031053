"""The errors that a user may see, each with what to do next.

SidecarError            exit code 1
├── UsageError          exit code 2: the command or its arguments are wrong
├── ModelError          a model is missing, damaged or unsuitable
├── DownloadError       a model could not be fetched
└── EngineError         the engine did not start, or stopped
    └── EngineGone      the engine ended while a request was running

Core code raises these; only `cli/` and `server/` turn them into text for people.
May import nothing.
"""

from __future__ import annotations

__all__ = [
    "DownloadError",
    "EngineError",
    "EngineGone",
    "ModelError",
    "SidecarError",
    "UsageError",
]


class SidecarError(Exception):
    """A failure that can be told in one line: what happened, and what to do.

    Args:
        what: What happened, without a full stop.
        fix: The next step for the user, in the imperative.
    """

    exit_code = 1

    def __init__(self, what: str, fix: str) -> None:
        super().__init__(what, fix)
        self.what = what
        self.fix = fix

    def __str__(self) -> str:
        return f"{self.what}; {self.fix}"


class UsageError(SidecarError):
    """The command line, a position or a file given by the user is wrong."""

    exit_code = 2


class ModelError(SidecarError):
    """A model is missing, damaged, or not one that can complete code."""


class DownloadError(SidecarError):
    """A model could not be fetched or verified."""


class EngineError(SidecarError):
    """The engine could not be started or refused a request."""


class EngineGone(EngineError):
    """The engine ended while a request was running; the next request may start a new one."""
