"""Settings over the wire: pulled, pushed, changed, and wrong."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from lsp_client import LspClient

pytestmark = pytest.mark.lsp

URI = "file:///w/a.py"
PULLS = {
    "general": {"positionEncodings": ["utf-16"]},
    "workspace": {
        "configuration": True,
        "didChangeConfiguration": {"dynamicRegistration": True},
    },
}


async def reason(client: LspClient) -> str:
    """Ask for a completion and return why there is none."""
    before = (await client.request("sidecar/stats"))["counters"]
    _, answer = client.complete(URI, 0, 4)
    assert await answer is None
    after = (await client.request("sidecar/stats"))["counters"]
    (name,) = [n for n, v in after.items() if v != before.get(n, 0) and "empty" in n]
    return str(name).removeprefix("completion.empty.")


async def test_settings_are_pulled_and_pulled_again_when_they_change(client: LspClient) -> None:
    answers: list[Any] = [{"completion": {"enabled": True}}]
    client.on_request("workspace/configuration", lambda _: [answers[-1]])
    await client.initialize(capabilities=PULLS)
    registered = await client.seen("client/registerCapability")
    assert registered["registrations"][0]["method"] == "workspace/didChangeConfiguration"
    await client.seen("workspace/configuration", lambda p: p["items"] == [{"section": "sidecar"}])
    client.open(URI, "x = ")
    assert await reason(client) == "engine_not_ready"
    answers.append({"completion": {"disabledLanguages": ["python"]}})
    client.notify("workspace/didChangeConfiguration", {"settings": None})
    await client.seen("window/logMessage", lambda p: "settings changed" in p["message"])
    assert await reason(client) == "language_disabled"
    answers.append({"completion": {"disabledFiles": ["a.*"]}})
    client.notify("workspace/didChangeConfiguration", {"settings": None})
    await client.request("sidecar/status")
    assert await reason(client) == "file_disabled"


async def test_pushed_settings_serve_clients_that_cannot_be_asked(client: LspClient) -> None:
    await client.initialize()
    client.open(URI, "x = ")
    settings = {"sidecar": {"completion": {"enabled": False}}}
    client.notify("workspace/didChangeConfiguration", {"settings": settings})
    assert await reason(client) == "disabled"


async def test_bad_settings_are_named_once_and_the_good_ones_serve(client: LspClient) -> None:
    bad = {"completion": {"enabled": False, "maxTokens": -1}, "context": {"beforeLines": []}}
    await client.initialize(initializationOptions={"settings": bad})
    message = await client.seen("window/showMessage", lambda m: "maxTokens" in m["message"])
    assert "beforeLines" in message["message"]
    assert "48 is used" in message["message"]
    client.open(URI, "x = ")
    assert await reason(client) == "disabled"


async def test_answers_that_are_no_settings_harm_nothing(client: LspClient) -> None:
    client.on_request("workspace/configuration", lambda _: "nonsense")
    await client.initialize(capabilities=PULLS)
    client.open(URI, "x = ")
    assert await reason(client) == "engine_not_ready"


async def test_settings_that_are_no_object_are_named(client: LspClient) -> None:
    await client.initialize(initializationOptions={"sidecar": 5})
    await client.seen("window/showMessage", lambda m: "must be an object, not 5" in m["message"])


@pytest.mark.parametrize("wrapped", [{"sidecar": {}}, {"settings": {"sidecar": {}}}])
async def test_settings_may_stand_under_sidecar(client: LspClient, wrapped: dict[str, Any]) -> None:
    wrapped.get("settings", wrapped)["sidecar"] = {"completion": {"enabled": False}}
    await client.initialize(initializationOptions=wrapped)
    client.open(URI, "x = ")
    assert await reason(client) == "disabled"
