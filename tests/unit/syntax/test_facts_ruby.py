"""Ruby: what a file of Active Support declares, imports and refers to."""

from __future__ import annotations

from body_samples import body_lines
from symbol_samples import check, facts_of_text


def test_modules_classes_and_what_the_class_itself_has() -> None:
    check(
        "ruby/encoding.rb",
        r"""
        6 module ActiveSupport | module ActiveSupport
        15 module ActiveSupport.JSON | module JSON
        21 method JSON.encode | def self.encode(value, options = nil)
        25 module JSON.Encoding | module Encoding
        26 class Encoding.JSONGemEncoder | class JSONGemEncoder
        27 field JSONGemEncoder.options | attr_reader :options
        29 method JSONGemEncoder.initialize | def initialize(options = nil)
        30 field JSONGemEncoder.@options | @options = options || {}
        34 method JSONGemEncoder.encode | def encode(value)
        42 constant JSONGemEncoder.ESCAPED_CHARS | ESCAPED_CHARS = { "\u2028" => '\u2028', "\u2029" => '\u2029', ">" => '\u003e', "<" => '\u003c', "&" => '\u0026', }
        50 constant JSONGemEncoder.ESCAPE_REGEX_WITH_HTML_ENTITIES | ESCAPE_REGEX_WITH_HTML_ENTITIES = /[\u2028\u2029><&]/u
        51 constant JSONGemEncoder.ESCAPE_REGEX_WITHOUT_HTML_ENTITIES | ESCAPE_REGEX_WITHOUT_HTML_ENTITIES = /[\u2028\u2029]/u
        54 class JSONGemEncoder.EscapedString | class EscapedString < String
        55 method EscapedString.to_json | def to_json(*)
        67 method EscapedString.to_s | def to_s
        89 method JSONGemEncoder.jsonify | def jsonify(value)
        109 method JSONGemEncoder.stringify | def stringify(jsonified)
        117 field Encoding.use_standard_json_time_format | attr_accessor :use_standard_json_time_format
        121 field Encoding.escape_html_entities_in_json | attr_accessor :escape_html_entities_in_json
        125 field Encoding.time_precision | attr_accessor :time_precision
        129 field Encoding.json_encoder | attr_accessor :json_encoder
        """,  # noqa: E501
        imports=[
            ("active_support/core_ext/object/json", "", "", 3),
            ("active_support/core_ext/module/delegation", "", "", 4),
        ],
        docs={
            "JSON.encode": "Dumps objects in JSON (JavaScript Object Notation).",
            "JSONGemEncoder.encode": "Encode the given object into a JSON string",
            "JSONGemEncoder.ESCAPED_CHARS": (
                "Rails does more escaping than the JSON gem natively does (we"
            ),
            "JSONGemEncoder.EscapedString": (
                "This class wraps all the strings we see and does the extra escaping"
            ),
            "JSONGemEncoder.jsonify": (
                'Convert an object into a "JSON-ready" representation composed of'
            ),
            "JSONGemEncoder.stringify": (
                'Encode a "jsonified" Ruby data structure using the JSON gem'
            ),
            "Encoding.use_standard_json_time_format": (
                "If true, use ISO 8601 format for dates and times. Otherwise, fall back"
            ),
            "Encoding.escape_html_entities_in_json": (
                "If true, encode >, <, & as escaped unicode sequences (e.g. > as \\u003e)"
            ),
            "Encoding.time_precision": "Sets the precision of encoded time values.",
            "Encoding.json_encoder": (
                "Sets the encoder used by Rails to encode Ruby objects into JSON strings"
            ),
        },
        bases={"JSONGemEncoder.EscapedString": ("String",)},
        types={},
        parameters={},
        references={
            "new": (2, 0, 0),
            "encode": (1, 0, 0),
            # Once it is read, and once it is assigned to.
            "json_encoder": (2, 0, 0),
            "as_json": (3, 0, 0),
            "jsonify": (5, 0, 0),
            "gsub!": (2, 0, 0),
            "attr_accessor": (4, 0, 0),
            "private": (1, 0, 0),
            "generate": (1, 0, 0),
            "String": (0, 0, 2),
            "Encoding": (0, 0, 2),
            "JSON": (0, 0, 1),
            "EscapedString": (0, 0, 1),
            "ESCAPED_CHARS": (0, 0, 2),
            "JSONGemEncoder": (0, 0, 1),
            "Hash": (0, 0, 1),
            # A variable, although it stands where a call could.
            "result": None,
        },
    )


def test_what_makes_classes_fields_and_methods_without_their_keywords() -> None:
    facts, symbols = facts_of_text(
        "a.rb",
        """\
class Shop::Cart < Base::Thing
  include Enumerable, Shop::Priced
  extend Forwardable
  attr_accessor :items, "total"
  private attr_reader :secret
  LOW, HIGH = 1, 2
  Line = Struct.new(:price, :count) do
    def sum = price * count
  end
  Empty = Class.new(StandardError)

  class << self
    def open(path) ; end
    private def build; new; end
  end
  private_class_method def self.hidden; end
  def items=(list)
    @items = list
    @items = nil
    reset
    @cache ||= {}
  end
  def <=>(other); end
  define_method(:each) { |&block| block }
  alias_method :size, :count
  alias length size
end
def helper; end
LIMIT = 5
module Shop::Util
  def mixed_in(a) = a
  private def aside; end
end
""",
    )
    assert facts.errors == 0
    assert symbols == [
        "1 class Shop.Cart | class Shop::Cart < Base::Thing",
        '4 field Cart.items | attr_accessor :items, "total"',
        '4 field Cart.total | attr_accessor :items, "total"',
        "5 field Cart.secret | attr_reader :secret",
        "6 constant Cart.LOW | LOW, HIGH = 1, 2",
        "6 constant Cart.HIGH | LOW, HIGH = 1, 2",
        "7 struct Cart.Line | Line = Struct.new(:price, :count)",
        "7 field Line.price | :price",
        "7 field Line.count | :count",
        "8 method Line.sum | def sum",
        "10 class Cart.Empty | Empty = Class.new(StandardError)",
        "13 method Cart.open | def open(path)",
        "14 method Cart.build | def build",
        "16 method Cart.hidden | def self.hidden",
        "17 method Cart.items= | def items=(list)",
        "18 field Cart.@items | @items = list",
        "21 field Cart.@cache | @cache ||= {}",
        "23 method Cart.<=> | def <=>(other)",
        "24 method Cart.each | define_method(:each)",
        "25 method Cart.size | alias_method :size, :count",
        "26 method Cart.length | alias length size",
        "28 function helper | def helper",
        "29 constant LIMIT | LIMIT = 5",
        "30 module Shop.Util | module Shop::Util",
        "31 method Util.mixed_in | def mixed_in(a)",
        "32 method Util.aside | def aside",
    ]
    assert facts.symbols[0].bases == (
        "Base::Thing", "Enumerable", "Shop::Priced", "Forwardable",
    )  # fmt: skip
    assert facts.symbols[10].bases == ("StandardError",)
    # The colon of a symbol is no part of the name.
    assert facts.places[1].column == 17
    assert facts.places[2].column == 25
    # A name alone can only be called where more is behind it; else it may be a variable.
    assert facts.references["reset"] == (1, 0, 0)
    assert facts.references["new"] == (2, 0, 0)
    assert "list" not in facts.references


def test_what_is_required() -> None:
    facts, _ = facts_of_text(
        "Rakefile",
        """\
require "json"
require_relative '../lib/a'
load "tasks/b.rake"
autoload :Cart, "shop/cart"
require File.expand_path("c", __dir__)
client.load "no"
begin
  require 'optional'
rescue LoadError
end
""",
    )
    assert [tuple(item) for item in facts.imports] == [
        ("json", "", "", 0),
        ("../lib/a", "", "", 1),
        ("tasks/b.rake", "", "", 2),
        ("shop/cart", "", "", 3),
        ("optional", "", "", 7),
    ]


def test_bodies() -> None:
    assert body_lines(
        "a.rb",
        """\
class A
  |
  def first(a,
            b)
    x = 1|
  end

  def second
    [1].each do |i|
      puts i|
    end
  end

  def self.third
    1|
  end
end
""".replace("|i|\n", "|i| # i\n"),
    ) == [None, 5, 9, 15]
