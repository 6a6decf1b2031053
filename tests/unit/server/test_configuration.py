"""Settings in force: the user's own first, then what the editor tells."""

from __future__ import annotations

from sidecar.server.configuration import Configuration


def test_a_source_is_reported_in_one_message() -> None:
    said: list[str] = []
    configuration = Configuration(
        {"completion": {"maxTokens": 0, "enabled": 3}, "model": {"path": "/m.gguf"}}, said.append
    )
    assert said == []
    configuration.report_initial()
    assert len(said) == 1
    assert "maxTokens" in said[0] and "enabled" in said[0]
    assert configuration.settings.model.path == "/m.gguf"


def test_an_update_replaces_the_last_one_and_not_the_start() -> None:
    said: list[str] = []
    configuration = Configuration({"completion": {"maxTokens": 7}}, said.append)
    assert configuration.update({"completion": {"multiline": True}})
    assert not configuration.update({"completion": {"multiline": True}})
    assert configuration.update({"model": {"path": "/evil.gguf"}})
    completion = configuration.settings.completion
    assert (completion.max_tokens, completion.multiline) == (7, "auto")
    assert configuration.settings.model.path == ""
    assert len(said) == 1
    assert configuration.update(None) is False


def test_a_recorded_session_has_short_prompts_only_if_its_user_says_so() -> None:
    every_default = {"context": {"shortFirst": True, "beforeLines": 9}}
    for initial, recorded, wanted in (
        (None, False, True),
        (None, True, False),
        ({"context": {"shortFirst": True}}, True, True),
        ({"context": {"shortFirst": False}}, False, False),
    ):
        configuration = Configuration(initial, lambda _: None, recorded=recorded)
        assert configuration.settings.context.short_first == wanted
        if recorded:
            configuration.update(every_default)
            assert configuration.settings.context.short_first == wanted
            assert configuration.settings.context.before_lines == 9
            assert configuration.update({"context": {"shortFirst": False}})
            assert configuration.settings.context.short_first == wanted
