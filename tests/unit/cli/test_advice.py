"""Advice that speaks of settings, in terms of a command's options."""

from __future__ import annotations

import pytest

from sidecar.cli.advice import fix_here, told_here
from sidecar.errors import EngineError, ModelError, SidecarError


@pytest.mark.parametrize(
    ("fix", "here"),
    [
        (
            "run `sidecar models pull`, or set sidecar.model.path to a GGUF file of your own",
            "run `sidecar models pull`, or give a GGUF file of your own with --model",
        ),
        (
            "set sidecar.engine.remote to an address like https://a.example:1, or empty it",
            "give an address like https://a.example:1 with --remote, or leave out --remote",
        ),
        (
            "look at the server, or empty sidecar.engine.remote to complete on this machine",
            "look at the server, or leave out --remote to complete on this machine",
        ),
        (
            "choose another draft model, or empty sidecar.engine.draftModel",
            "choose another draft model, or leave out --draft-model",
        ),
        # No command has options for these.
        ("set sidecar.engine.remoteModel to one that it has", None),
        ("run `sidecar doctor`", None),
    ],
)
def test_settings_become_options(fix: str, here: str | None) -> None:
    assert fix_here(SidecarError("it failed", fix)) == (here or fix)


@pytest.mark.parametrize("kind", [ModelError, EngineError])
def test_an_error_keeps_its_kind(kind: type[SidecarError]) -> None:
    with pytest.raises(kind) as caught, told_here():
        raise kind("it failed", "empty sidecar.engine.remote")
    assert type(caught.value) is kind
    assert str(caught.value) == "it failed; leave out --remote"
