"""PHP: what a file of Guzzle declares, imports and refers to."""

from __future__ import annotations

from body_samples import body_lines
from symbol_samples import check, facts_of_text


def test_a_class_in_a_namespace() -> None:
    check(
        "php/MultipartStream.php",
        r"""
        5 module GuzzleHttp\Psr7 | namespace GuzzleHttp\Psr7
        13 class MultipartStream | final class MultipartStream implements StreamInterface
        18 field MultipartStream.boundary | private $boundary
        21 field MultipartStream.stream | private $stream
        35 method MultipartStream.__construct | public function __construct(array $elements = [], string $boundary = null)
        41 method MultipartStream.getBoundary | public function getBoundary(): string
        46 method MultipartStream.isWritable | public function isWritable(): bool
        56 method MultipartStream.getHeaders | private function getHeaders(array $headers): string
        69 method MultipartStream.createStream | protected function createStream(array $elements = []): StreamInterface
        86 method MultipartStream.addElement | private function addElement(AppendStream $stream, array $element): void
        115 method MultipartStream.createElement | private function createElement(string $name, StreamInterface $stream, ?string $filename, array $headers): array
        148 method MultipartStream.getHeader | private function getHeader(array $headers, string $key)
        """,  # noqa: E501
        imports=[("Psr\\Http\\Message\\StreamInterface", "", "", 7)],
        docs={
            "MultipartStream": "Stream that when read returns bytes for a streaming multipart or",
            "MultipartStream.getHeaders": (
                "Get the headers needed before transferring the content of a POST file"
            ),
            "MultipartStream.createStream": (
                "Create the aggregate stream that will be used to upload the POST data"
            ),
        },
        bases={"MultipartStream": ("StreamInterface", "StreamDecoratorTrait")},
        types={
            "MultipartStream.getBoundary": "string",
            "MultipartStream.isWritable": "bool",
            "MultipartStream.getHeaders": "string",
            "MultipartStream.createStream": "StreamInterface",
            "MultipartStream.addElement": "void",
            "MultipartStream.createElement": "array",
        },
        parameters={
            "MultipartStream.__construct": (("$elements", "array"), ("$boundary", "string")),
            "MultipartStream.getHeaders": (("$headers", "array"),),
            "MultipartStream.createStream": (("$elements", "array"),),
            "MultipartStream.addElement": (("$stream", "AppendStream"), ("$element", "array")),
            "MultipartStream.createElement": (
                ("$name", "string"),
                ("$stream", "StreamInterface"),
                ("$filename", "?string"),
                ("$headers", "array"),
            ),
            "MultipartStream.getHeader": (("$headers", "array"), ("$key", "string")),
        },
        references={
            "createStream": (1, 0, 0),
            "bin2hex": (1, 0, 0),
            "addStream": (4, 0, 0),
            "streamFor": (4, 0, 0),
            "getHeader": (3, 0, 0),
            # Two of them stand in strings.
            "boundary": (0, 4, 0),
            "stream": (0, 1, 0),
            "strtolower": (2, 0, 0),
            "is_string": (1, 0, 0),
            "AppendStream": (1, 0, 1),
            "InvalidArgumentException": (1, 0, 0),
            "StreamInterface": (0, 0, 3),
            "StreamDecoratorTrait": (0, 0, 1),
            "Utils": (0, 0, 4),
        },
    )


def test_traits_enums_promoted_properties_and_html_around_code() -> None:
    facts, symbols = facts_of_text(
        "a.php",
        """\
<html><?php
define('APP', 'shop');
const LIMIT = 1;
/** A thing. */
#[Entity(name: "thing")]
abstract class Thing extends Base implements Shown, \\Lib\\Kept {
    use Logs, Counts { Logs::a insteadof Counts; }
    public const LOW = 1, HIGH = 2;
    private ?int $size = 1, $weight;
    public static array|string $all;
    public function __construct(
        private readonly string $name,
        protected ?Thing $parent = null,
        $untyped = 1,
        int $count = 1,
    ) {
        $inner = static fn(int $x): int => 1;
    }
    #[Pure]
    abstract protected function sum(int|string $first, Thing ...$more): ?static;
}
interface Shown extends Drawn, Named { function show(); }
trait Logs { public function log() {} }
enum Suit: string implements Shown {
    case Hearts = 'H';
    case Spades;
    const Wild = self::Spades;
    public function colour(): string {}
}
if (!function_exists('old')) {
    function old() {}
}
$top = 1;
$top = 2;
$run = function ($a) use ($top) { };
$made = new class(1) extends Thing { function inner() {} };
?>
<b><?= $top ?></b>
<?php
namespace Other {
    class Last {}
    function free(callable $f): void {}
}
""",
    )
    assert facts.errors == 0
    assert symbols == [
        "2 constant APP | define('APP', 'shop')",
        "3 constant LIMIT | LIMIT = 1",
        '6 class Thing | #[Entity(name: "thing")] abstract class Thing'
        " extends Base implements Shown, \\Lib\\Kept",
        "8 constant Thing.LOW | LOW = 1",
        "8 constant Thing.HIGH | HIGH = 2",
        "9 field Thing.size | private ?int $size = 1, $weight",
        "9 field Thing.weight | private ?int $size = 1, $weight",
        "10 field Thing.all | public static array|string $all",
        "11 method Thing.__construct | public function __construct(private readonly string $name,"
        " protected ?Thing $parent = null, $untyped = 1, int $count = 1)",
        "12 field Thing.name | private readonly string $name",
        "13 field Thing.parent | protected ?Thing $parent = null",
        "17 function inner | $inner = static fn(int $x): int",
        "20 method Thing.sum | #[Pure] abstract protected function"
        " sum(int|string $first, Thing ...$more): ?static",
        "22 interface Shown | interface Shown extends Drawn, Named",
        "22 method Shown.show | function show()",
        "23 class Logs | trait Logs",
        "23 method Logs.log | public function log()",
        "24 enum Suit | enum Suit: string implements Shown",
        "25 field Suit.Hearts | case Hearts = 'H'",
        "26 field Suit.Spades | case Spades",
        "27 constant Suit.Wild | Wild = self::Spades",
        "28 method Suit.colour | public function colour(): string",
        "31 function old | function old()",
        "33 variable top | $top = 1",
        "35 function run | $run = function ($a) use ($top)",
        "36 class made | $made = new class(1) extends Thing",
        "36 method made.inner | function inner()",
        "40 module Other | namespace Other",
        "41 class Other.Last | class Last",
        "42 function Other.free | function free(callable $f): void",
    ]
    thing, new, name, total = (facts.symbols[number] for number in (2, 8, 9, 12))
    assert thing.doc == "A thing."
    assert thing.bases == ("Base", "Shown", "\\Lib\\Kept", "Logs", "Counts")
    assert new.parameters == (("$name", "string"), ("$parent", "?Thing"), ("$count", "int"))
    assert (name.type, name.parameters) == ("string", ())
    assert (total.type, total.parameters) == (
        "?static", (("$first", "int|string"), ("$more", "Thing")),
    )  # fmt: skip


def test_what_is_used_and_included() -> None:
    facts, _ = facts_of_text(
        "a.php",
        """\
<?php
use Lib\\Cart;
use Lib\\Cart as Basket, Lib\\Line;
use function Lib\\total;
use const Lib\\{LOW, HIGH as MOST};
use Lib\\Deep\\{First, Inner\\Second as Other, function third};
require_once __DIR__ . '/a.php';
include 'b.php';
require(dirname(__FILE__) . "/c.php");
include_once "$folder/d.php";
""",
    )
    assert [tuple(item) for item in facts.imports] == [
        ("Lib\\Cart", "", "", 1),
        ("Lib\\Cart", "", "Basket", 2),
        ("Lib\\Line", "", "", 2),
        ("Lib\\total", "", "", 3),
        ("Lib", "LOW", "", 4),
        ("Lib", "HIGH", "MOST", 4),
        ("Lib\\Deep", "First", "", 5),
        ("Lib\\Deep", "Inner\\Second", "Other", 5),
        ("Lib\\Deep", "third", "", 5),
        ("/a.php", "", "", 6),
        ("b.php", "", "", 7),
        ("/c.php", "", "", 8),
        ("/d.php", "", "", 9),
    ]


def test_bodies() -> None:
    assert body_lines(
        "a.php",
        """\
<?php
class A {
    |
    public function first($a)
    {
        $x = 1;|
    }
}
function second() {
    each(function ($y) {
        return 1;|
    });
}
|
""",
    ) == [None, 6, 11, None]
