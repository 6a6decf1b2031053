"""Complaint 23: files with keys were read into prompts.

continuedev/continue#1196, PR #1857. (The clipboard is never read by any part of sidecar.)
"""

from __future__ import annotations

import pytest
from cursor import at_cursor

from sidecar.completion.gate import gate


@pytest.mark.parametrize(
    "path",
    (
        "/w/.env /w/.env.production /w/config/secrets.yml /home/a/.aws/credentials /w/server.key "
        "/home/a/.ssh/id_rsa /home/a/.netrc /home/a/.npmrc /w/.pypirc"
    ).split(),
)
def test_a_file_that_holds_secrets_gets_no_prompt(path):
    document, offset = at_cursor("API_KEY=|", language="plaintext", path=path)
    assert gate(document, offset) == "secret_file"
