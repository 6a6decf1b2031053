"""Raw settings over a base: what is taken, and what is said about the rest."""

from __future__ import annotations

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sidecar.settings import Settings, load
from sidecar.settings.load import scope_of


def check(raw: object, expected: dict[str, object], *problems: str, trusted: bool = True) -> None:
    """`expected` maps `group.field` to a value; each problem must contain the given words."""
    settings, found = load(raw, trusted=trusted)
    for name, value in expected.items():
        group, field = name.split(".")
        assert getattr(getattr(settings, group), field) == value
    assert len(found) == len(problems), found
    for words, sentence in zip(problems, found, strict=True):
        assert words in sentence
        assert "\n" not in sentence


def test_good_values_are_taken() -> None:
    check(
        {"completion": {"maxTokens": 64, "multiline": True}, "engine": {"lanes": 2}},
        {"completion.max_tokens": 64, "completion.multiline": True, "engine.lanes": 2},
    )
    check(
        {"completion": {"disabledLanguages": ["tex"]}}, {"completion.disabled_languages": ("tex",)}
    )


@pytest.mark.parametrize("raw", [None, {}, {"completion": None}, {"trace": {"server": "off"}}])
def test_nothing_is_no_problem(raw: object) -> None:
    check(raw, {"completion.max_tokens": 48})


def test_a_bad_value_keeps_its_default_and_spares_the_good_ones() -> None:
    check(
        {"completion": {"maxTokens": 0, "multiline": True}, "context": {"beforeLines": "many"}},
        {
            "completion.max_tokens": 48,
            "completion.multiline": True,
            "context.before_lines": 256,
        },
        "sidecar.completion.maxTokens: expected `int` >= 1, not 0; 48 is used",
        "sidecar.context.beforeLines: expected `int`",
    )


def test_wrong_shapes_are_named() -> None:
    check([1], {"completion.max_tokens": 48}, "must be an object")
    check({"completion": 3}, {}, "sidecar.completion must be an object, not 3")
    check({"completion": {"enabled": "yes"}}, {"completion.enabled": True}, "expected `bool`")
    check({"engine": {"kvType": "q1"}}, {"engine.kv_type": "auto"}, "sidecar.engine.kvType")


def test_unknown_keys_are_named_with_their_neighbour() -> None:
    check({"completion": {"maxToken": 3}}, {}, "did you mean maxTokens?")
    check({"completions": {}}, {}, "did you mean completion?")


def test_a_workspace_cannot_choose_files_or_spend_memory() -> None:
    check(
        {
            "model": {"path": "/tmp/evil.gguf", "name": ""},
            "engine": {"contextTokens": 131072, "lanes": 0},
            "log": {"file": "/tmp/out", "level": "debug"},
            "completion": {"maxTokens": 12},
        },
        {
            "model.path": "",
            "engine.context_tokens": 0,
            "log.file": "",
            "log.level": "debug",
            "completion.max_tokens": 12,
        },
        "sidecar.model.path is not taken from a workspace",
        "sidecar.engine.contextTokens is not taken from a workspace",
        "sidecar.log.file is not taken from a workspace",
        trusted=False,
    )


def test_later_sources_stand_on_earlier_ones() -> None:
    base, _ = load({"model": {"path": "/m.gguf"}, "completion": {"maxTokens": 9}})
    settings, problems = load(
        {"model": {"path": ""}, "completion": {"maxTokens": 10}}, base=base, trusted=False
    )
    assert (settings.model.path, settings.completion.max_tokens) == ("/m.gguf", 10)
    assert problems == []


def test_every_setting_has_a_scope_and_a_default() -> None:
    for group in msgspec.structs.fields(Settings):
        for field in msgspec.structs.fields(type(getattr(Settings(), group.name))):
            assert scope_of(field) in ("machine", "resource")
            assert field.default is not msgspec.NODEFAULT


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner),
    max_leaves=8,
)
keys = st.sampled_from(["enabled", "maxTokens", "file", "level", "path", "lanes", "beforeTokens"])
groups = st.sampled_from(["model", "engine", "completion", "context", "log"])


@given(st.dictionaries(groups, st.dictionaries(keys, json_values)), st.booleans())
def test_no_value_raises_and_what_is_loaded_is_valid(raw: object, trusted: bool) -> None:
    settings, _ = load(raw, trusted=trusted)
    assert msgspec.convert(msgspec.to_builtins(settings), Settings) == settings
