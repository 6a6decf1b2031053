"""Which addresses code may be sent to."""

from __future__ import annotations

import sys
from types import ModuleType

import pytest

from sidecar.errors import EngineError
from sidecar.remote.secret import key_for
from sidecar.remote.spec import RemoteSpec, base_of


@pytest.mark.parametrize(
    ("address", "base"),
    [
        ("https://gpu.example.com:8000", "https://gpu.example.com:8000"),
        (" https://gpu.example.com/ ", "https://gpu.example.com"),
        ("https://gpu.example.com/v1/completions", "https://gpu.example.com"),
        ("https://example.com/llm/v1/", "https://example.com/llm"),
        ("http://localhost:8012", "http://localhost:8012"),
        ("http://127.0.0.2:1", "http://127.0.0.2:1"),
        ("http://[::1]:8012/v1", "http://[::1]:8012"),
    ],
)
def test_addresses(address: str, base: str) -> None:
    assert base_of(address) == base


@pytest.mark.parametrize(
    ("address", "says"),
    [
        ("gpu.example.com:8000", "is not the address"),
        ("ftp://gpu.example.com", "is not the address"),
        ("https://", "is not the address"),
        ("https://gpu.example.com:port", "is wrong"),
        ("https://[::1", "is wrong"),
        ("https://gpu.example.com/?key=1", "is not the address"),
        ("https://user:secret@gpu.example.com", "holds a password"),
        ("http://gpu.example.com:8000", "in clear text"),
        ("http://10.0.0.7:8000", "in clear text"),
        ("http://localhost.example.com", "in clear text"),
        ("http://127.0.0.1.example.com", "in clear text"),
    ],
)
def test_other_addresses(address: str, says: str) -> None:
    with pytest.raises(EngineError, match=says) as raised:
        base_of(address)
    assert "secret" not in str(raised.value)


def test_a_key_is_not_shown() -> None:
    assert "hidden" not in repr(RemoteSpec("https://x", key="hidden"))


def test_the_key_of_the_environment_comes_first(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SIDECAR_REMOTE_KEY", " k1\n")
    assert key_for("https://x") == "k1"


def test_the_key_of_the_keyring(monkeypatch: pytest.MonkeyPatch) -> None:
    # The library reaches for a desktop's services, which tests have not.
    ring, errors = ModuleType("keyring"), ModuleType("keyring.errors")
    kept = {("sidecar", "https://x"): "k2"}
    ring.get_password = lambda service, name: kept.get((service, name))  # type: ignore[attr-defined]
    errors.KeyringError = type("KeyringError", (Exception,), {})  # type: ignore[attr-defined]
    monkeypatch.delenv("SIDECAR_REMOTE_KEY", raising=False)
    monkeypatch.setitem(sys.modules, "keyring", ring)
    monkeypatch.setitem(sys.modules, "keyring.errors", errors)
    monkeypatch.setattr("sidecar.remote.secret.util.find_spec", lambda name: object())
    assert (key_for("https://x"), key_for("https://y")) == ("k2", "")

    def locked(service: str, name: str) -> str:
        raise errors.KeyringError

    ring.get_password = locked  # type: ignore[attr-defined]
    assert key_for("https://x") == ""


def test_without_a_keyring_there_is_no_key(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("SIDECAR_REMOTE_KEY", raising=False)
    monkeypatch.setattr("sidecar.remote.secret.util.find_spec", lambda name: None)
    assert key_for("https://x") == ""
