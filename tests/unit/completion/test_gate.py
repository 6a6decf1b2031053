from __future__ import annotations

import pytest
from cursor import at_cursor

from sidecar.completion.gate import GateLimits, gate, is_secret

SECRET = (
    ".env .env.local prod.env .envrc server.pem tls.KEY id_rsa id_rsa.pub id_ed25519 .netrc _netrc "
    ".npmrc .pypirc credentials credentials.json secrets.yaml secrets.py secret.toml a.p12 a.pfx "
    "a.keystore .htpasswd .git-credentials terraform.tfvars .aws/config .ssh/config "
    "client_credentials.json .docker/config.json app-secrets.yml my.secrets.json prod_secrets.toml "
    "prod.tfvars.json a.tfstate.backup app.env.bak app.env.local .yarnrc.yml "
    "C:\\Users\\a\\.aws\\credentials"
).split()
PLAIN = (
    "a.py key.py environment.ts .env.example .env.sample monkey.go credentials.py secretary.md "
    "package.json keys.json Makefile .gitignore pem.rs"
).split()


@pytest.mark.parametrize("path", SECRET)
def test_secret_files_get_nothing(path):
    document, offset = at_cursor("TOKEN=|", path=f"/home/user/{path}")
    assert is_secret(document.path)
    assert gate(document, offset) == "secret_file"


@pytest.mark.parametrize("path", PLAIN)
def test_names_that_only_sound_secret(path):
    assert not is_secret(f"/home/user/{path}")


@pytest.mark.parametrize(
    ("fixture", "reason"),
    [
        ("x = |", None),
        ("x = foo|.bar", None),
        ("x = foo|(bar)", None),
        ("x = fo|o", "middle_of_word"),
        ("x = |foo", "middle_of_word"),
        ("x = |é", "middle_of_word"),
        ("x = |_a", "middle_of_word"),
        ("y" * 100 + "|", "line_too_long"),
        ("y\n" * 500 + "|", "file_too_large"),
        ("|", None),
        ("def f():\n|    return \n", "before_code"),
        ("def f():\n  |  return \n", "before_code"),
        ("  |(a, b).c()\n", "before_code"),
        ("def f():\n  |  \n", None),
        ("f(\n    a,\n    |)\n", None),
    ],
)
def test_places_where_nothing_is_wanted(fixture, reason):
    document, offset = at_cursor(fixture)
    limits = GateLimits(characters=800, line_characters=80)
    assert gate(document, offset, limits=limits) == reason


def test_languages_can_be_turned_off():
    document, offset = at_cursor("|", language="markdown", path="/a.md")
    assert gate(document, offset, disabled={"markdown"}) == "language_disabled"
    assert gate(document, offset, disabled={"python"}) is None


def test_a_link_is_as_secret_as_what_it_leads_to_and_as_its_own_name(tmp_path):
    (tmp_path / "h.py").write_text("A = 1")
    (tmp_path / ".envrc").symlink_to(tmp_path / "h.py")
    (tmp_path / ".env").write_text("A=1")
    (tmp_path / "store.py").symlink_to(tmp_path / ".env")
    assert is_secret(str(tmp_path / ".envrc"))
    assert is_secret(str(tmp_path / "store.py"))
    assert not is_secret(str(tmp_path / "h.py"))
