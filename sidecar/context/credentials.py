"""What credentials look like: the data of the guard, and whether a value is one.

Two kinds of knowledge. Shapes are formats that say what they are, such as `ghp_...`; they count
wherever they stand. Anything else counts only by the name that it is given, `password = ...`, and
then what people write in place of a secret (`changeme`, `${TOKEN}`, a word, a path) does not.
When in doubt a value is a secret: a blanked constant costs a suggestion, a leaked key is gone.
Pure; looks at a bounded piece of text for each question. May import nothing of sidecar.
"""

from __future__ import annotations

import base64
import binascii
import re
from itertools import pairwise
from typing import Literal

__all__ = [
    "KEY_OWNERS",
    "KIND_OF_MARK",
    "NOT_A_SECRET",
    "SHAPES",
    "Strength",
    "is_credential",
    "is_sample",
    "is_template",
    "looks_random",
    "password_in",
]

#: How telling a name is: after `password` nearly anything is a secret, after `token` only what
#: looks random, since parsers call everything a token.
Strength = Literal["password", "secret", "token"]

_WORD = r"[A-Za-z0-9_-]"
#: Kind, marks, and what follows a mark. What is not at the end of an expression has an upper
#: bound, so that a mark costs a bounded number of steps.
_SHAPES: tuple[tuple[str, str, str], ...] = (
    ("aws key", "AKIA ASIA ABIA ACCA", r"[A-Z0-9]{16}(?![A-Za-z0-9])"),
    ("github token", "ghp_ gho_ ghu_ ghs_ ghr_", r"[A-Za-z0-9_]{30,}"),
    ("github token", "github_pat_", r"\w{30,}"),
    (
        "gitlab token",
        "glpat- gldt- glrt- glptt- glcbt- glft- glsoat- glimt- glagent- GR1348941",
        rf"{_WORD}{{16,}}",
    ),
    ("slack token", "xoxb- xoxp- xoxa- xoxr- xoxs- xoxe- xoxc- xoxd- xapp-", r"[\w%-]{10,}"),
    ("stripe key", "sk_live_ sk_test_ rk_live_ rk_test_ whsec_", r"[A-Za-z0-9]{16,}"),
    ("google key", "AIza", rf"{_WORD}{{30,}}"),
    ("google key", "GOCSPX-", rf"{_WORD}{{20,}}"),
    ("google token", "ya29.", rf"{_WORD}{{20,}}"),
    ("api key", "sk-", rf"(?={_WORD}{{0,200}}\d)(?=(?:{_WORD}{{0,40}}-)?\w{{16}}){_WORD}{{20,}}"),
    ("npm token", "npm_", r"[A-Za-z0-9]{30,}"),
    ("pypi token", "pypi-", rf"(?={_WORD}{{0,200}}\d){_WORD}{{30,}}"),
    ("twilio key", "SK AC", r"[0-9a-f]{32}(?![A-Za-z0-9])"),
    ("sendgrid key", "SG.", rf"{_WORD}{{16,40}}\.{_WORD}{{20,}}"),
    ("mailgun key", "key-", r"[0-9a-f]{32}(?![A-Za-z0-9])"),
    ("digitalocean token", "dop_v1_ doo_v1_ dor_v1_", r"[0-9a-f]{32,}"),
    ("shopify token", "shpat_ shpss_ shpca_ shppa_", r"[0-9a-fA-F]{32}"),
    ("hugging face token", "hf_", r"[A-Za-z0-9]{30,}"),
    ("databricks token", "dapi", r"[0-9a-f]{32}"),
    ("docker token", "dckr_pat_ dckr_oat_", rf"{_WORD}{{20,}}"),
    ("vault token", "hvs. hvb. hvr.", rf"{_WORD}{{20,}}"),
    ("square token", "sq0atp- sq0csp- EAAAE EAAAl", rf"{_WORD}{{22,}}"),
    ("atlassian token", "ATATT3 ATBB", r"[\w=-]{24,}"),
    ("new relic key", "NRAK-", r"[A-Z0-9]{20,}"),
    ("api key", "PMAK- sntrys_ sntryu_ lin_api_ glsa_ glc_ gsk_ pplx- xai- r8_", r"[\w+/=-]{24,}"),
    ("api key", "pscale_tkn_ pscale_pw_ rubygems_ sbp_ CCIPAT_ figd_ ntn_ tskey-", r"[\w.-]{24,}"),
    ("private key", "AGE-SECRET-KEY-1", r"[A-Z0-9]{40,}"),
    # The first line of a private key in base64, as clusters keep it; certificates begin otherwise.
    (
        "private key",
        " ".join(f"LS0tLS1CRUdJTi{kind}" for kind in ("BQUklW", "BSU0Eg", "BFQyBQ", "BPUEVOU1NI")),
        r"[\w+/]{40,}",
    ),
    ("json web token", "eyJ", rf"{_WORD}{{8,400}}+\.{_WORD}{{8,}}(?:\.{_WORD}*){{0,3}}"),
)
#: Marks and their kinds, longest first.
KIND_OF_MARK: tuple[tuple[str, str], ...] = tuple(
    sorted(
        ((mark, kind) for kind, marks, _ in _SHAPES for mark in marks.split()),
        key=lambda pair: (-len(pair[0]), pair),
    )
)
#: Every shape in one expression. That nothing precedes a mark is looked up after it, because an
#: expression whose branches all begin with letters is searched for much faster.
SHAPES = re.compile(
    "|".join(
        rf"{re.escape(mark)}(?<![A-Za-z0-9]{re.escape(mark)}){rest}"
        for _, marks, rest in _SHAPES
        for mark in marks.split()
    )
)

#: What makes a `key` one that opens something; `primary_key` and `cache_key` do not.
KEY_OWNERS = tuple(
    word.encode()
    for word in (
        "api access secret private signing sign encryption encrypt decryption crypto cipher auth "
        "master account shared sharedaccess consumer app application service deploy storage "
        "license hmac aes jwt webhook client bot admin server subscription function functions "
        "host sas write ingest integration project authorization primary_access developer "
        "personal access_token stripe sendgrid twilio openai anthropic mailgun datadog aws azure"
    ).split()
)
#: A name that goes on with one of these names something about a secret.
NOT_A_SECRET = frozenset(
    "hash hashes hashed hasher digest field fields label input url uri path file filename length "
    "len min max policy regex regexp pattern reset error errors err message messages msg hint "
    "title text placeholder name names id ids type types kind prefix suffix header headers param "
    "params parameter column env strength validator validation valid invalid required changed "
    "change expired expires expiry expiration expire ttl count limit index class format algorithm "
    "alg size dir directory folder location endpoint provider manager service module template "
    "help prompt tooltip description charset re page form view link button icon created updated "
    "at date time timeout source store version arn ref resource rotation generator factory "
    "encoder decoder parser stream kinds list map set schema scope scopes usage budget budgets "
    "forgot confirmation mismatch incorrect wrong missing encoding scheme status state "
    "enabled rate ratio percent mark marks".split()
)

_HOLDS_SAMPLE = re.compile(
    r"example|change_?-?me|placeholder|your|xxxx|\*\*\*|\.\.\.|dummy|redacted|sample|fake|"
    r"insert|replace|required|todo|lorem|not-?_?a-?_?real|notreal|(?<![a-z])mock|deadbeef|0{8}|abcdefghijkl|"
    r"(?<![a-z0-9])tests?(?:ing|er)?(?![a-z])"
)
#: Words that stand in for a secret.
_STAND_IN_WORDS = (
    "my the new old some any test tests testing admin root user username db default super "
    "secret secrets password passwd pass passphrase pwd pw token tok key api auth access client "
    "foo bar baz qux abc abcd abcdef xyz x none null nil true false undefined empty unset value "
    "val string str text arg var tmp temp demo guest postgres mysql redis rabbit letmein qwerty "
    "hidden invalid valid wrong bad good correct incorrect missing expired first second other "
    "another local localhost dev app id node item data name line type word"
).split()
#: Such words alone, in a row, and numbered. Longest first and never taken back: a row of them can
#: be divided in many ways.
_STAND_INS = re.compile(
    rf"(?:{'|'.join(sorted(_STAND_IN_WORDS, key=len, reverse=True))}|[ ._:/+-])++\d{{0,4}}"
)
_TECHNICAL = re.compile(
    r"(?:oauth|base|sha|md|argon|pbkdf|bcrypt|scrypt|x|utf|aes|rsa|hs|rs|es|ps|ed|curve|int|uint|"
    r"float|u|i|f|ipv|http|python|py|es|h|v|bytes)[-_]?\d{1,5}(?:[-_]?[a-z]+\d{0,4}){0,3}"
)
#: No name of an algorithm is longer; beyond, the expression would take long.
_TECHNICAL_LENGTH = 40
_TEMPLATES = re.compile(
    r"\$\{[^}]{0,80}\}?|\{\{[^}]{0,80}\}{0,2}|#\{[^}]{0,80}\}?|%\(\w{1,40}\)\w?|%[sdvq]|"
    r"\{[\w.\[\]!:]{0,60}\}|<%.{0,80}|\$\([^)]{0,80}\)?|\$[A-Za-z_]\w{0,60}|<[\w -]{1,60}>|"
    r"%\w{1,40}%"
)
_NUMBERS = re.compile(r"[\d.,:/ _-]+")
_CODE = re.compile(r"\(\?|\[\w+[~^$*|]?=|\\[dwsb]|\[[aA]-[zZ]|://|^[a-z]+://|^data:|^[A-Za-z]:\\")
_IDENTIFIER = re.compile(r"[^\W\d](?:\w|\.|::|->|\?\.)*")
_BASE64 = re.compile(r"[A-Za-z0-9+/]+={0,2}")
_HUMP = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+")
#: Parts of names are longer than this on average; those of random letters have two.
_HUMP_LENGTH = 2.7
#: Who writes of these as words writes about secrets.
_SUBJECT = re.compile(r"pass|secret|token|auth|login|key", re.IGNORECASE)
_FOUR_WORDS = re.compile(r"[a-z]+-[a-z]+-[a-z]+-[a-z-]+")
_SYMBOL_INSIDE = re.compile(r"\w[!@$^&*+=~?%]+\w|[$^~]\Z")
_SEQUENCE = "01234567890123456789"
#: Longer than any word that somebody would write as a value in lower case.
_LONG_WORD = 16


def is_credential(value: str, strength: Strength, *, quoted: bool) -> bool:
    """Tell whether a value that was given a telling name is a secret.

    Args:
        value: The value without quotes.
        strength: How telling the name is.
        quoted: Whether it stood in quotes: without, it may be code.
    """
    if len(value) < (4 if strength == "password" else 8 if strength == "token" else 6):
        return False
    encoded = password_in(value)
    if encoded is not None:
        return not is_sample(encoded)
    if strength != "password" and re.fullmatch(r"[A-Za-z0-9/+]{40}", value) and looks_random(value):
        return True  # The shape of an AWS secret, even where it says `EXAMPLE`.
    if any(c.isspace() for c in value):
        return strength == "password" and quoted and _is_passphrase(value)
    if is_sample(value) or _CODE.search(value):
        return False
    if is_template(value):
        return False
    if _NUMBERS.fullmatch(value):
        return strength == "password" and quoted and value.isdigit() and 6 <= len(value)
    if not _has_digit(value):
        return _is_odd_word(value, strength, quoted)
    if not quoted and not _fits_unquoted(value, strength):
        return False
    return strength != "token" or looks_random(value)


def is_sample(value: str) -> bool:
    """Tell whether a value stands in for a secret: `changeme`, `test123`, `<token>`, `xxxx`."""
    lower = value.lower()
    if len(set(lower)) <= 2 or lower in _SEQUENCE:
        return True
    if _HOLDS_SAMPLE.search(lower):
        return True
    if _STAND_INS.fullmatch(value.lower() if not _has_digit(value) else value):
        return True
    return len(lower) <= _TECHNICAL_LENGTH and _TECHNICAL.fullmatch(lower) is not None


def is_template(value: str) -> bool:
    """Tell whether a value is filled in later, or what is written around that is not much."""
    rest = _TEMPLATES.sub("", value)
    return len(rest) < len(value) and not (
        len(rest) >= 8 and _has_digit(rest) and _has_letter(rest)
    )


def looks_random(value: str) -> bool:
    """Tell whether letters and digits alternate as nobody would write them."""
    changes = sum(
        (a.isdigit() != b.isdigit() and (a.isalnum() and b.isalnum())) for a, b in pairwise(value)
    )
    if changes >= 3 or (changes >= 2 and len(value) >= 12):
        return True
    if len(value) >= _LONG_WORD and _has_digit(value) and _has_letter(value):
        longest = max(map(len, re.split(r"[\W_]+", value)))
        return longest >= 12
    return _is_shuffled(value, _LONG_WORD)


def password_in(encoded: str) -> str | None:
    """Return the password of a name and password in base64, as headers and Docker have them."""
    if len(encoded) < 8 or not _BASE64.fullmatch(encoded):
        return None
    padding = "=" * (-len(encoded) % 4)
    try:
        pair = base64.b64decode(encoded + padding, validate=True).decode("ascii")
    except (binascii.Error, ValueError):
        return None
    return pair.partition(":")[2] or None if pair.isprintable() else None


def _is_passphrase(value: str) -> bool:
    words = value.split()
    if any(len(w) >= 10 and _has_digit(w) and w.isalnum() and looks_random(w) for w in words):
        return not is_sample(value) and not is_template(value)
    return len(words) >= 4 and all(w.isascii() and w.isalpha() and w.islower() for w in words)


def _is_odd_word(value: str, strength: Strength, quoted: bool) -> bool:
    """Tell of letters and punctuation alone whether they are no words of any language."""
    letters = re.sub(r"[\W_]+", "", value)
    if _is_shuffled(letters, 8 if strength != "token" else _LONG_WORD):
        return True
    if strength == "token" or not quoted:
        return False
    if letters == value:
        return len(value) >= _LONG_WORD and value.islower() and value.isascii()
    if _SUBJECT.search(value) or "." in value:
        return False
    # Inside of a word no one writes `$` or `!`, but a password has to have one.
    return _FOUR_WORDS.fullmatch(value) is not None or _SYMBOL_INSIDE.search(value) is not None


def _fits_unquoted(value: str, strength: Strength) -> bool:
    """Tell of a value without quotes whether it is more than a name in code."""
    if any(c in value for c in "()[]{}<>|\"'`"):
        return False
    if not _IDENTIFIER.fullmatch(value):
        return True
    if "." in value or "::" in value:
        return looks_random(value) and len(value) >= 20
    if looks_random(value):
        return True
    return strength != "token" and "_" not in value and len(value) >= 6


def _is_shuffled(letters: str, least: int) -> bool:
    """Tell whether upper and lower case alternate as in no camel-case name."""
    humps = len(_HUMP.findall(letters))
    return len(letters) >= least and humps * _HUMP_LENGTH > len(letters)


def _has_digit(value: str) -> bool:
    return any(c.isdigit() for c in value)


def _has_letter(value: str) -> bool:
    return any(c.isalpha() for c in value)
