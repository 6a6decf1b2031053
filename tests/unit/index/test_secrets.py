from __future__ import annotations

import pytest

from sidecar.index.files.secrets import is_secret, is_secret_folder, is_secret_name

SECRET = (
    ".env .env.local prod.env .envrc server.pem tls.KEY id_rsa id_rsa.pub id_ed25519 .netrc _netrc "
    ".npmrc .pypirc credentials credentials.json secrets.yaml secrets.py secret.toml a.p12 a.pfx "
    "a.keystore .htpasswd .git-credentials terraform.tfvars "
    "client_credentials.json .docker/config.json app-secrets.yml my.secrets.json prod_secrets.toml "
    "prod.tfvars.json a.tfstate.backup app.env.bak app.env.local app.env~ .yarnrc.yml "
    "credentials.sh secret.php a.secrets service-account-7.json token.json auth.json kubeconfig "
    "credentials-prod a.jks a.kdbx a.ppk a.asc a.gpg id_ecdsa.old .pgpass .my.cnf .dockercfg"
).split()
IN_FOLDERS = ".aws/config .ssh/config .ssh/a/b.py C:\\Users\\a\\.aws\\credentials".split()
PLAIN = (
    "a.py key.py environment.ts .env.example .env.sample monkey.go credentials.py secretary.md "
    "package.json keys.json Makefile .gitignore pem.rs Credentials.cs Secret.swift config.json "
    "docker/config.json secrets.test.ts aws/a.py .env.py tokens.json env.md .environment"
).split()


@pytest.mark.parametrize("path", SECRET)
def test_names_of_secret_files(path):
    assert is_secret_name(path)
    assert is_secret_name(f"src/{path.upper()}")
    assert is_secret(f"/home/user/{path}")


@pytest.mark.parametrize("path", IN_FOLDERS)
def test_everything_in_some_folders_is_secret(path):
    assert is_secret(f"/home/user/{path}")


@pytest.mark.parametrize("path", PLAIN)
def test_names_that_only_sound_secret(path):
    assert not is_secret_name(path)
    assert not is_secret(f"/home/user/{path}")


def test_folders():
    assert is_secret_folder(".ssh")
    assert is_secret_folder(".AWS")
    assert not is_secret_folder("ssh")


def test_a_link_is_as_secret_as_what_it_leads_to_and_as_its_own_name(tmp_path):
    (tmp_path / "h.py").write_text("A = 1")
    (tmp_path / ".envrc").symlink_to(tmp_path / "h.py")
    (tmp_path / ".env").write_text("A=1")
    (tmp_path / "store.py").symlink_to(tmp_path / ".env")
    assert is_secret(str(tmp_path / ".envrc"))
    assert is_secret(str(tmp_path / "store.py"))
    assert not is_secret(str(tmp_path / "h.py"))
