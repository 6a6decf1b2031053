"""What is cut because it says little for its length, and what is not."""

from __future__ import annotations

import base64
import random
import textwrap
import time

import pytest

from sidecar.context.entropy import condensed, entropy

BYTES = random.Random(4).randbytes(300)
BASE64 = base64.b64encode(BYTES).decode()
LONG = "select name, price from orders where " * 6


def check(text: str, expected: str) -> None:
    assert condensed(textwrap.dedent(text)) == textwrap.dedent(expected)


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        (f'ICON = "{BASE64}"\n', f'ICON = "{BASE64[:8]}..."\n'),
        (f'DIGEST = "{BYTES.hex()}"\n', f'DIGEST = "{BYTES.hex()[:8]}..."\n'),
        ('ZERO = b"' + "\\x00" * 40 + '"\n', 'ZERO = b"\\x00\\x00..."\n'),
        (f"const Q = `{LONG}`\n", f"const Q = `{LONG[:47]}...`\n"),
        ("X = [" + ", ".join(map(str, range(90))) + "]\n", "X = [0, 1, 2, ..., 89]\n"),
    ],
)
def test_data_and_long_literals_are_cut(line: str, expected: str) -> None:
    assert condensed(line) == expected


@pytest.mark.parametrize(
    "text",
    [
        "x = 1\n",
        "    def indented(self): ...\n",
        "def test_that_the_reader_of_the_index_never_answers_with_a_file_that_is_gone(): ...\n",
        "# " + "-" * 76 + "\n",
        "from company.application.services.orders.repositories.postgres import OrderRepository\n",
        'URL = "https://example.org/documentation/guides/getting-started/configuration.html"\n',
        "SHORT = [1, 2, 3, 4, 5, 6, 7, 8]\n",
        "# What this module does.\n# It does it well.\n# And fast.\nimport x\n",
        "class Color(Enum):\n" + "".join(f"    NAME_{n} = {n}\n" for n in range(30)),
        "import a\n" * 30,
        "Don't forget: " + "these are words of prose that nobody may cut, " * 6 + "isn't it?\n",
        'x = "' + "not closed, " * 20 + "x\n",
        "" + "".join(f"- Goal {n}: 10 ms for every key.\n" for n in range(20)),
    ],
)
def test_code_and_prose_stay(text: str) -> None:
    assert condensed(text) == text


def test_rows_of_a_table_leave_the_first_ones() -> None:
    rows = "".join(f'            "K{n}": ({n}, 0x{n:x}, -1.5e3, None),\n' for n in range(20))
    check(
        "        TABLE = {\n" + rows + "        }\n        after = 1\n",
        """\
        TABLE = {
            "K0": (0, 0x0, -1.5e3, None),
            "K1": (1, 0x1, -1.5e3, None),
            "K2": (2, 0x2, -1.5e3, None),
            ...
        }
        after = 1
        """,
    )


def test_data_on_many_lines_is_a_table() -> None:
    lines = "".join(BASE64[n : n + 76] + "\n" for n in range(0, 304, 76)) * 3
    found = condensed(f'KEY = """\n{lines}"""\n')
    assert found.count("\n") == 6
    assert found.endswith('...\n"""\n')


@pytest.mark.parametrize(
    "licence",
    [
        "# Copyright 2020 X\n#\n# Licensed under the Apache License.\n",
        "/*\n * Permission is hereby granted, free of charge\n   to any person\n */\n",
        "// SPDX-License-Identifier: MIT\n// a\n// b\n",
        "-- Copyright\n-- All rights reserved\n-- z\n",
    ],
)
def test_a_licence_at_the_head_is_cut(licence: str) -> None:
    assert condensed(licence + "x = 1\n") == "...\nx = 1\n"
    # There is nothing else in it.
    assert condensed(licence) == ""


def test_blank_text_is_nothing() -> None:
    assert condensed("") == condensed("\n\n") == condensed("  \n\t\n") == ""


def test_text_ends_in_one_line_feed_and_keeps_its_indentation() -> None:
    assert condensed("\n\n    x\n\n\n") == "    x\n"
    assert condensed("x") == "x\n"


def test_nothing_is_longer_than_it_was() -> None:
    generator = random.Random(7)
    pieces = ['"', "'", "\\", "1, ", "\n", "#", "/*", "*/", "[", "x", "=" * 70, "ab/" * 30, "..."]
    for _ in range(300):
        text = "".join(generator.choices(pieces, k=generator.randrange(60)))
        found = condensed(text)
        assert len(found) <= len(text) + 1
        assert condensed(found) in (found, condensed(condensed(found)))


@pytest.mark.parametrize(
    "piece", ['"', "'\\", "1,", "[ ", '"a', "\\", "1.", "- ", "'a' ", "a...", "/*\n", "0,'"]
)
def test_time_is_linear(piece: str) -> None:
    def taken(count: int) -> float:
        text = "# a\n" + piece * count + "\n" + (piece + "\n") * count
        best = 1e9
        for turn in range(3):
            start = time.process_time()
            condensed(text + f"{turn}x")
            best = min(best, time.process_time() - start)
        return best

    # A ratio of the same work in one process: linear is 8, quadratic 64.
    assert taken(4_000) < 30 * max(taken(500), 0.000_5)


def test_entropy() -> None:
    assert entropy("") == 0
    assert entropy("aaaa") == 0
    assert entropy("abab") == 1
    assert entropy(BASE64) > 5
