"""Bash: what a part of the script n declares, sources and calls."""

from __future__ import annotations

from body_samples import body_lines
from symbol_samples import check, facts_of_text


def test_functions_and_what_is_assigned_outside_of_them() -> None:
    check(
        "bash/setup.sh",
        r"""
        1 constant USE_COLOR | USE_COLOR="true"
        11 constant SGR_RESET | readonly SGR_RESET="\033[0m"
        12 constant SGR_FAINT | readonly SGR_FAINT="\033[2m"
        13 constant SGR_RED | readonly SGR_RED="\033[31m"
        14 constant SGR_CYAN | readonly SGR_CYAN="\033[36m"
        26 function set_arch | set_arch()
        41 function set_insecure | function set_insecure()
        49 function display_major_version | display_major_version()
        56 function display_masked_url | display_masked_url()
        68 function update_mirror_settings_for_version | function update_mirror_settings_for_version()
        86 function update_xz_settings_for_version | function update_xz_settings_for_version()
        102 function update_arch_settings_for_version | function update_arch_settings_for_version()
        117 function is_lts_codename | function is_lts_codename()
        127 function is_download_folder | function is_download_folder()
        136 function is_download_version | function is_download_version()
        """,  # noqa: E501
        imports=[],
        # Above the others there is an empty line.
        docs={
            "SGR_RESET": (
                "KISS and use codes rather than tput, avoid dealing with missing tput or TERM."
            ),
            "display_major_version": "Synposis: display_major_version numeric-version",
        },
        bases={},
        types={},
        parameters={},
        references={
            "abort": (1, 0, 0),
            "sed": (1, 0, 0),
            "is_download_folder": (2, 0, 0),
            "is_download_version": (1, 0, 0),
            "display_major_version": (2, 0, 0),
            "display_tarball_platform": (1, 0, 0),
            # The shell itself.
            "echo": None,
            "test": None,
            "return": None,
        },
    )


def test_all_ways_to_declare() -> None:
    facts, symbols = facts_of_text(
        "a.sh",
        """\
#!/bin/bash
readonly FIRST=1
declare -r second=2 third=3
typeset -xr fourth=4
declare -A map
export PATH=x:$PATH
list=(1 2)
list+=(3)
one=1 two=2
# Says.
foo() {
  local inside=1
  outside=2
  bar "$inside" | grep x
  "$command" z
}
function baz {
  FOO=1 qux --now
}
function lib::sub() ( cd x && ls )
if_short() if true; then :; fi
[[ $x ]] && other || exit 1
alias ll='ls -l'
case x in a) in_case;; esac
trap on_exit EXIT
""",
    )
    assert facts.errors == 0
    assert symbols == [
        "2 constant FIRST | readonly FIRST=1",
        "3 constant second | declare -r second=2",
        "3 constant third | third=3",
        "4 constant fourth | typeset -xr fourth=4",
        "6 constant PATH | export PATH=x:$PATH",
        "7 variable list | list=(1 2)",
        "9 variable one | one=1",
        "9 variable two | two=2",
        "11 function foo | foo()",
        "17 function baz | function baz",
        "20 function lib::sub | function lib::sub()",
        "21 function if_short | if_short()",
    ]
    assert facts.symbols[8].doc == "Says."
    assert facts.references == {
        "bar": (1, 0, 0), "grep": (1, 0, 0), "qux": (1, 0, 0), "ls": (1, 0, 0),
        "other": (1, 0, 0), "in_case": (1, 0, 0),
    }  # fmt: skip


def test_what_is_sourced() -> None:
    facts, _ = facts_of_text(
        "a.sh",
        """\
. ./lib.sh
source lib/more.sh
source "$(dirname "$0")/a.sh"
if [ -f x ]; then . "$HERE/b.sh" --flag; fi
""",
    )
    assert [tuple(item) for item in facts.imports] == [
        ("./lib.sh", "", "", 0),
        ("lib/more.sh", "", "", 1),
        ('$(dirname"$0")/a.sh', "", "", 2),
        ("$HERE/b.sh", "", "", 3),
    ]


def test_bodies() -> None:
    assert body_lines(
        "a.sh",
        """\
|
first() {
  if true; then
    echo|
  fi
}
function second {
  echo|
}
third()
(
  echo|
)
""",
    ) == [None, 3, 8, 12]
