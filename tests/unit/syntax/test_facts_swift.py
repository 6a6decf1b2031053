"""Swift: what a file of Expo declares, imports and refers to."""

from __future__ import annotations

from body_samples import body_lines
from symbol_samples import check, facts_of_text


def test_a_protocol_its_extensions_and_classes() -> None:
    check(
        "swift/Enumerable.swift",
        """
        6 interface Enumerable | public protocol Enumerable: AnyArgument, CaseIterable, JavaScriptDecodable, JavaScriptEncodable
        11 method Enumerable.create | static func create<RawValueType>(fromRawValue rawValue: RawValueType) throws -> Self
        16 field Enumerable.allRawValues | static var allRawValues: [Any] { get }
        21 method Enumerable.getRawValueDynamicType | static func getRawValueDynamicType() -> AnyDynamicType
        26 field Enumerable.anyRawValue | var anyRawValue: Any { get }
        30 type EnumArgument | @available(*, deprecated, renamed: "Enumerable") public typealias EnumArgument = Enumerable
        33 method Enumerable.getDynamicType | public static func getDynamicType() -> AnyDynamicType
        43 method Enumerable.create | static func create<ArgType>(fromRawValue rawValue: ArgType) throws -> Self
        53 field Enumerable.anyRawValue | var anyRawValue: Any
        57 field Enumerable.allRawValues | static var allRawValues: [Any]
        61 method Enumerable.getRawValueDynamicType | static func getRawValueDynamicType() -> AnyDynamicType
        69 class EnumCastingException | internal class EnumCastingException: GenericException<(type: Any.Type, value: Any)>
        70 field EnumCastingException.reason | override var reason: String
        78 class EnumNoSuchValueException | internal class EnumNoSuchValueException: GenericException<(type: Enumerable.Type, value: Any)>
        79 field EnumNoSuchValueException.allRawValuesFormatted | var allRawValuesFormatted: String
        85 field EnumNoSuchValueException.reason | override var reason: String
        """,  # noqa: E501
        imports=[],
        docs={
            "Enumerable": "A protocol that allows converting raw values to enum cases.",
            "Enumerable.create": "Tries to create an enum case using given raw value.",
            "Enumerable.allRawValues": "Returns an array of all raw values available in the enum.",
            "Enumerable.getRawValueDynamicType": (
                "Returns the dynamic type of the enum's raw value, used to convert it to a JS"
                " value."
            ),
            "Enumerable.anyRawValue": "Type-erased enum's raw value.",
            "EnumCastingException": (
                "An error that is thrown when the value cannot be cast to associated `RawValue`."
            ),
            "EnumNoSuchValueException": (
                "An error that is thrown when the value doesn't match any available case."
            ),
        },
        bases={
            "Enumerable": (
                "AnyArgument",
                "CaseIterable",
                "JavaScriptDecodable",
                "JavaScriptEncodable",
            ),
            "EnumCastingException": ("GenericException<(type: Any.Type, value: Any)>",),
            "EnumNoSuchValueException": ("GenericException<(type: Enumerable.Type, value: Any)>",),
        },
        types={
            "Enumerable.create": "Self",
            "Enumerable.allRawValues": "[Any]",
            "Enumerable.getRawValueDynamicType": "AnyDynamicType",
            "Enumerable.anyRawValue": "Any",
            "Enumerable.getDynamicType": "AnyDynamicType",
            "EnumCastingException.reason": "String",
            "EnumNoSuchValueException.allRawValuesFormatted": "String",
            "EnumNoSuchValueException.reason": "String",
        },
        # Of the two of that name, the latter.
        parameters={"Enumerable.create": (("rawValue", "ArgType"),)},
        references={
            "DynamicEnumType": (1, 0, 0),
            "EnumCastingException": (1, 0, 0),
            # With a lambda and no parenthesis.
            "map": (2, 0, 0),
            "joined": (1, 0, 0),
            "init": (1, 0, 0),
            "rawValue": (0, 1, 0),
            # All of them in strings.
            "value": (0, 2, 0),
            "Enumerable": (0, 0, 4),
            "GenericException": (0, 0, 2),
            "Hashable": (0, 0, 1),
            "AnyDynamicType": (0, 0, 3),
        },
    )


def test_structs_actors_enums_and_what_has_no_name() -> None:
    facts, symbols = facts_of_text(
        "a.swift",
        """\
/// An order.
@objc(Order)
public final class Order<T>: Base<T>, Shown where T: Sized {
    @Published var size: Int = 1, name: String?
    let made = now()
    static let shared = Order()
    var lines: [Line] { return [] }
    lazy var late: Int = {
        let local = 1
        return local
    }()
    init(size: Int, _ name: String) {
        self.size = size
    }
    convenience init?() {
    }
    deinit {
        stop()
    }
    subscript(at index: Int) -> Line {
        get { lines[index] }
    }
    func add(to total: Int, list: inout [Int], more: Int...) throws -> (Int, String) {
        lines.forEach { print($0) }
        lines?.first(where: { $0.ok })
        Box<Int>(1)
        run(.fast, mode: .slow(2)) { }
    }
    static func == (l: Order, r: Order) -> Bool {
        true
    }
    class func all() async -> Int {
        1
    }
    typealias Count = Int
    enum Kind: String, Codable {
        case round, flat = "f"
        indirect case deep(Kind)
        var flatter: Bool { true }
    }
}
struct Line: Hashable {
    let price: Double
}
actor Store {
}
protocol Shown: AnyObject {
    associatedtype Unit
    func show(on canvas: Canvas) -> Int
    var sides: Int { get set }
    init()
}
extension Shop.Order.Kind: Shown where Unit == Int {
    func thin() {
    }
}
extension Line: Shown {
    var half: Double { 1 }
}
extension [Line] {
    func total() -> Int {
        let local = 1
        func inner() {
        }
        return local
    }
}
func helper(x: Int) -> Int {
    1
}
let LIMIT = 1
var current: Int? = 2
func <+> (a: Int, b: Int) -> Int {
    1
}
#if os(iOS)
func onPhone() {
}
#endif
""",
    )
    assert facts.errors == 0
    assert symbols == [
        "3 class Order | @objc(Order) public final class Order<T>: Base<T>, Shown where T: Sized",
        "4 field Order.size | @Published var size: Int = 1, name: String?",
        "4 field Order.name | @Published var size: Int = 1, name: String?",
        "5 field Order.made | let made = now()",
        "6 field Order.shared | static let shared = Order()",
        "7 field Order.lines | var lines: [Line]",
        "8 field Order.late | lazy var late: Int = { let local = 1 return local }()",
        "12 method Order.init | init(size: Int, _ name: String)",
        "15 method Order.init | convenience init?()",
        "17 method Order.deinit | deinit",
        "20 method Order.subscript | subscript(at index: Int) -> Line",
        "23 method Order.add | func add(to total: Int, list: inout [Int], more: Int...)"
        " throws -> (Int, String)",
        "29 method Order.== | static func == (l: Order, r: Order) -> Bool",
        "32 method Order.all | class func all() async -> Int",
        "35 type Order.Count | typealias Count = Int",
        "36 enum Order.Kind | enum Kind: String, Codable",
        '37 field Kind.round | case round, flat = "f"',
        '37 field Kind.flat | case round, flat = "f"',
        "38 field Kind.deep | indirect case deep(Kind)",
        "39 field Kind.flatter | var flatter: Bool",
        "42 struct Line | struct Line: Hashable",
        "43 field Line.price | let price: Double",
        "45 class Store | actor Store",
        "47 interface Shown | protocol Shown: AnyObject",
        "48 type Shown.Unit | associatedtype Unit",
        "49 method Shown.show | func show(on canvas: Canvas) -> Int",
        "50 field Shown.sides | var sides: Int { get set }",
        "51 method Shown.init | init()",
        "54 method Kind.thin | func thin()",
        "58 field Line.half | var half: Double",
        "61 method [Line].total | func total() -> Int",
        "63 function inner | func inner()",
        "68 function helper | func helper(x: Int) -> Int",
        "71 constant LIMIT | let LIMIT = 1",
        "72 variable current | var current: Int? = 2",
        "73 function <+> | func <+> (a: Int, b: Int) -> Int",
        "77 function onPhone | func onPhone()",
    ]
    order, size, add, kind, line = (facts.symbols[number] for number in (0, 1, 11, 15, 20))
    assert order.doc == "An order."
    assert order.bases == ("Base<T>", "Shown")
    assert (size.type, add.type) == ("Int", "(Int, String)")
    assert add.parameters == (("total", "Int"), ("list", "[Int]"), ("more", "Int"))
    # What an extension in the same file adds.
    assert kind.bases == ("String", "Codable", "Shown")
    assert line.bases == ("Hashable", "Shown")
    expected = {
        "forEach": (1, 0, 0), "first": (1, 0, 0), "Box": (1, 0, 1), "run": (1, 0, 0),
        "fast": (0, 1, 0), "slow": (1, 0, 0), "ok": (0, 1, 0), "Base": (0, 0, 1),
    }  # fmt: skip
    assert {name: facts.references.get(name) for name in expected} == expected


def test_what_is_imported() -> None:
    facts, _ = facts_of_text(
        "a.swift",
        """\
import Foundation
@testable import Shop.Deep
import class UIKit.UIView
""",
    )
    assert [tuple(item) for item in facts.imports] == [
        ("Foundation", "", "", 0),
        ("Shop.Deep", "", "", 1),
        ("UIKit.UIView", "", "", 2),
    ]


def test_bodies() -> None:
    assert body_lines(
        "a.swift",
        """\
class A {
    |
    func first(
        a: Int
    ) {
        let x = 1|
    }
    init() {
        go()|
    }
}
""",
    ) == [None, 6, 9]
