"""Says why nothing is suggested at a place, in words for people. May import nothing of sidecar."""

from __future__ import annotations

__all__ = ["said"]

#: Why nothing is suggested, for people; other reasons say it themselves.
_REASONS = {
    "blank": "the model had nothing to say",
    "middle_of_word": "the cursor stands inside a word",
    "before_code": "the cursor stands before the code of its line; put it behind, or on a new line",
    "joins_code": "the suggestion does not go together with what stands after the cursor",
    "secret_file": "files of this name hold secrets and are not read",
    "repeats_next_line": "the model repeated the next line",
    "placeholder": "the model wrote what stands in place of a secret",
    "repeats_after_cursor": "the model repeated what stands after the cursor",
    "one_character": "one character is not worth a suggestion",
    "unsure": "the model was less sure than `sidecar.completion.leastConfidence` wants",
    "unfinished": "the limit of tokens was reached inside a word",
    "file_too_large": "the file is too large to be code that somebody writes",
    "line_too_long": "the line is too long to be code that somebody writes",
}


def said(reason: str) -> str:
    """Return a reason of the pipeline in words."""
    return _REASONS.get(reason, reason.replace("_", " "))
