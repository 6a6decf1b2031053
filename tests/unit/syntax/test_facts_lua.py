"""Lua: what two files of Penlight declare, import and refer to."""

from __future__ import annotations

from body_samples import body_lines
from symbol_samples import check, facts_of_text


def test_methods_of_a_table() -> None:
    check(
        "lua/MultiMap.lua",
        """
        6 variable utils | local utils = require 'pl.utils'
        7 variable class | local class = require 'pl.class'
        8 variable List | local List = require 'pl.List'
        9 variable Map | local Map = require 'pl.Map'
        12 variable MultiMap | local MultiMap = utils.stdmt.MultiMap
        15 variable MultiMap._name | MultiMap._name = 'MultiMap'
        17 method MultiMap._init | function MultiMap:_init (t)
        25 method MultiMap.update | function MultiMap:update (t)
        43 method MultiMap.set | function MultiMap:set (key,val)
        """,
        imports=[
            ("pl.utils", "", "utils", 6),
            ("pl.class", "", "class", 7),
            ("pl.List", "", "List", 8),
            ("pl.Map", "", "Map", 9),
        ],
        docs={
            "MultiMap": "MultiMap is a standard MT",
            "MultiMap.update": "update a MultiMap using a table.",
            "MultiMap.set": "add a new value to a key.  Setting a nil value removes the key.",
        },
        bases={},
        types={},
        parameters={},
        references={
            "require": (4, 0, 0),
            "class": (1, 0, 0),
            "update": (1, 0, 0),
            "assert_arg": (1, 0, 0),
            "class_of": (1, 0, 0),
            "pairs": (2, 0, 0),
            "List": (3, 0, 0),
            "append": (2, 0, 0),
            "stdmt": (0, 1, 0),
            "_name": (0, 1, 0),
            "Map": None,
            # Declared, and not called.
            "set": None,
        },
    )


def test_functions_of_a_module() -> None:
    check(
        "lua/url.lua",
        """
        5 variable url | local url = {}
        7 function quote_char | local function quote_char(c)
        15 method url.quote | function url.quote(s, quote_plus)
        32 function unquote_char | local function unquote_char(h)
        39 method url.unquote | function url.unquote(s)
        """,
        imports=[],
        docs={
            "url.quote": "Quote the url, replacing special characters using the '%xx' escape.",
            "url.unquote": "Unquote the url, replacing '%xx' escapes and plus signs.",
        },
        bases={},
        types={},
        parameters={},
        references={
            "gsub": (8, 0, 0),
            "type": (2, 0, 0),
            "format": (1, 0, 0),
            "tonumber": (1, 0, 0),
            "quote": None,
            "quote_char": None,
        },
    )


def test_functions_that_are_values() -> None:
    facts, symbols = facts_of_text(
        "a.lua",
        """\
local Shop, LIMIT = {}, 5
local first = function(a)
  return a
end
-- Adds.
Shop.add = function(a, b) end
function Shop.deep.er.run(x) end
function Shop.deep:close() end
local function empty() end
function everywhere()
  local inside = 1
  local kept = { each = function() return 1 end }
end
Shop.LIMIT = 1
Shop.LIMIT = 2
Shop.handlers = {
  click = function(event)
    Shop.add "one"
    Shop.add{ 1 }
    Shop.name = first(event)
  end,
  ["two words"] = function() end,
  late = late or function(x) end,
}
Shop["in quotes"] = function(a) end
local given = ... or function() end
text = text:gsub("a", function(c) return c end)
getmetatable("").__mod = function(a, b) end
""",
    )
    assert facts.errors == 0
    assert symbols == [
        "1 variable Shop | local Shop, LIMIT = {}, 5",
        "1 constant LIMIT | local Shop, LIMIT = {}, 5",
        "2 function first | local first = function(a)",
        "6 method Shop.add | Shop.add = function(a, b)",
        "7 method er.run | function Shop.deep.er.run(x)",
        "8 method deep.close | function Shop.deep:close()",
        "9 function empty | local function empty()",
        "10 function everywhere | function everywhere()",
        "12 function each | each = function()",
        "14 constant Shop.LIMIT | Shop.LIMIT = 1",
        "16 variable Shop.handlers | Shop.handlers = { click = function(event)"
        ' Shop.add "one" Shop.add{ 1 } Shop.name = first(event) end,'
        ' ["two words"] = fun',
        "17 function click | click = function(event)",
        '22 function two words | ["two words"] = function()',
        "23 function late | late = late or function(x) end",
        '25 method Shop.in quotes | Shop["in quotes"] = function(a)',
        "26 function given | local given = ... or function() end",
        '27 variable text | text = text:gsub("a", function(c) return c end)',
        '28 function __mod | getmetatable("").__mod = function(a, b)',
    ]
    assert facts.symbols[3].doc == "Adds."
    # Calls without a parenthesis are calls, and what is declared is none.
    assert facts.references["add"] == (2, 1, 0)
    assert facts.references["first"] == (1, 0, 0)
    assert "run" not in facts.references


def test_what_is_required() -> None:
    facts, _ = facts_of_text(
        "a.lua",
        """\
local json = require "json"
local deep = require("shop.deep").part
local made = require("shop.class")("A")
require 'shop.effects'
return { cart = require("shop.cart") }
""",
    )
    assert [tuple(item) for item in facts.imports] == [
        ("json", "", "json", 0),
        ("shop.deep", "", "deep", 1),
        ("shop.class", "", "made", 2),
        ("shop.effects", "", "", 3),
        ("shop.cart", "", "", 4),
    ]


def test_bodies() -> None:
    assert body_lines(
        "a.lua",
        """\
|
function M.first(
    a
)
    local x = 1|
    each(function(y)
        return y|
    end)
end
local function second()
    return 1|
end
""",
    ) == [None, 5, 7, 11]
