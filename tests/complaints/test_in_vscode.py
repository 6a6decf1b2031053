"""The complaints that VS Code has a part in: each has a named test where its code can be run.

Those of the extension are in TypeScript (`scripts/test-vscode`); this keeps one from going missing.
Complaints 6 and 20 are decided by the manifest, and have tests here.
"""

from __future__ import annotations

import re
from pathlib import Path

TESTS = Path(__file__).parents[2] / "extension" / "vscode" / "tests" / "complaints.test.ts"
IN_VSCODE = [1, 3, 5, 7, 14, 17, 18, 22, 23, 24, 25]


def test_each_complaint_has_a_test_in_the_extension() -> None:
    named = re.findall(r'^test\("complaint (\d+): ', TESTS.read_text(encoding="utf-8"), re.M)
    assert [int(number) for number in named] == IN_VSCODE
