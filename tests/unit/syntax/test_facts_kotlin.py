"""Kotlin: what a file of Expo declares, imports and refers to."""

from __future__ import annotations

from body_samples import body_lines
from symbol_samples import check, facts_of_text


def test_a_class_with_an_extension_and_a_companion() -> None:
    check(
        "kotlin/ContentPosition.kt",
        """
        15 type ContentPositionValue | typealias ContentPositionValue = Any
        17 type CalcAxisOffset | private typealias CalcAxisOffset = ( value: Float, imageRect: RectF, viewRect: RectF, isPercentage: Boolean, isReverse: Boolean ) -> Float
        26 class ContentPosition | @OptimizedRecord class ContentPosition : Record
        28 field ContentPosition.top | @Field val top: ContentPositionValue? = null
        31 field ContentPosition.bottom | @Field val bottom: ContentPositionValue? = null
        34 field ContentPosition.right | @Field val right: ContentPositionValue? = null
        37 field ContentPosition.left | @Field val left: ContentPositionValue? = null
        39 method ContentPositionValue.calcOffset | private fun ContentPositionValue?.calcOffset( isReverse: Boolean, imageRect: RectF, viewRect: RectF, calcAxisOffset: CalcAxisOffset ): Float?
        63 method ContentPosition.offsetX | private fun offsetX( imageRect: RectF, viewRect: RectF ): Float
        72 method ContentPosition.offsetY | private fun offsetY( imageRect: RectF, viewRect: RectF ): Float
        81 method ContentPosition.apply | internal fun apply(to: Matrix, imageRect: RectF, viewRect: RectF)
        89 field ContentPosition.center | val center = ContentPosition()
        """,  # noqa: E501
        imports=[
            ("android.graphics.Matrix", "", "", 3),
            ("android.graphics.RectF", "", "", 4),
            ("expo.modules.image.calcXTranslation", "", "", 5),
            ("expo.modules.image.calcYTranslation", "", "", 6),
            ("expo.modules.kotlin.records.Field", "", "", 7),
            ("expo.modules.kotlin.records.Record", "", "", 8),
            ("expo.modules.kotlin.types.OptimizedRecord", "", "", 9),
        ],
        docs={
            "ContentPositionValue": (
                "Represents a position value that might be either `Double` or `String`."
            ),
        },
        bases={"ContentPosition": ("Record",)},
        types={
            "ContentPosition.top": "ContentPositionValue?",
            "ContentPosition.bottom": "ContentPositionValue?",
            "ContentPosition.right": "ContentPositionValue?",
            "ContentPosition.left": "ContentPositionValue?",
            "ContentPositionValue.calcOffset": "Float?",
            "ContentPosition.offsetX": "Float",
            "ContentPosition.offsetY": "Float",
        },
        parameters={
            "ContentPositionValue.calcOffset": (
                ("isReverse", "Boolean"),
                ("imageRect", "RectF"),
                ("viewRect", "RectF"),
                ("calcAxisOffset", "CalcAxisOffset"),
            ),
            "ContentPosition.offsetX": (("imageRect", "RectF"), ("viewRect", "RectF")),
            "ContentPosition.offsetY": (("imageRect", "RectF"), ("viewRect", "RectF")),
            "ContentPosition.apply": (
                ("to", "Matrix"),
                ("imageRect", "RectF"),
                ("viewRect", "RectF"),
            ),
        },
        references={
            "calcOffset": (4, 0, 0),
            "calcAxisOffset": (3, 0, 0),
            # Once called, and twice passed on with `::`.
            "calcXTranslation": (1, 2, 0),
            "toFloat": (2, 0, 0),
            "postTranslate": (1, 0, 0),
            "ContentPosition": (1, 0, 0),
            "RectF": (0, 0, 10),
            "Float": (0, 0, 5),
            "Boolean": (0, 0, 3),
            "Double": (0, 0, 1),
            "Field": (0, 0, 4),
            "CalcAxisOffset": (0, 0, 1),
            "Record": (0, 0, 1),
        },
    )


def test_constructors_objects_enums_and_extensions() -> None:
    facts, symbols = facts_of_text(
        "a.kt",
        """\
package shop

/** An order. */
@Serializable
data class Order<T>(val id: Int, private var lines: List<String> = none(), size: Int) :
    Base<T>(id), Shown {
    companion object {
        const val LIMIT = 1
        fun make(): Order<Int> = Order(1)
    }
    companion object Named : Factory
    val total: Int get() = 1
    var lazily by lazy { 1 }
    lateinit var name: String
    init {
        val local = 1
        start()
    }
    constructor(a: Int) : this(a, 1) { go() }
    override fun sum(a: Int, vararg b: String?): Map<String, Int>? = a.plus(b)
    inner class Part
}
enum class Kind(val n: Int) {
    Round(1),
    Flat(2) {
        fun thin() {}
    };
    fun area() {}
}
fun interface Action {
    fun run()
}
sealed interface Shape {
    val sides: Int
    suspend fun draw(on: Canvas)
}
object Registry : Shape { fun add() = 1
}
fun <T> List<T>.second(x: T): T { val local = 1; return x }
fun String?.orNone() = this!!
fun java.util.Date.short() {}
val String.half: Int get() = 1
const val TOP = 1
private val lower = listOf(1)
annotation class Marked
@JvmInline value class Id(val v: Int)
fun main(then: (Int) -> Unit) {
    items.map { it.name }
    items.fold(1) { a, b -> a }
    run { }
    shop?.open()
    a.b = c.d
    1 shl 2
}
fun `in words`() {}
class Lent(a: Shape) : Shape by a
""",
    )
    assert facts.errors == 0
    assert symbols == [
        "5 class Order | @Serializable data class Order<T>(val id: Int, private var lines:"
        " List<String> = none(), size: Int) : Base<T>(id), Shown",
        "5 field Order.id | val id: Int",
        "5 field Order.lines | private var lines: List<String> = none()",
        "8 constant Order.LIMIT | const val LIMIT = 1",
        "9 method Order.make | fun make(): Order<Int>",
        "11 class Order.Named | companion object Named",
        "12 field Order.total | val total: Int",
        "13 field Order.lazily | var lazily by lazy { 1 }",
        "14 field Order.name | lateinit var name: String",
        "19 method Order.constructor | constructor(a: Int) : this(a, 1)",
        "20 method Order.sum | override fun sum(a: Int, vararg b: String?): Map<String, Int>?",
        "21 class Order.Part | inner class Part",
        "23 enum Kind | enum class Kind(val n: Int)",
        "23 field Kind.n | val n: Int",
        "24 field Kind.Round | Round(1)",
        "25 field Kind.Flat | Flat(2)",
        "26 method thin | fun thin()",
        "28 method Kind.area | fun area()",
        "30 interface Action | fun interface Action",
        "31 method Action.run | fun run()",
        "33 interface Shape | sealed interface Shape",
        "34 field Shape.sides | val sides: Int",
        "35 method Shape.draw | suspend fun draw(on: Canvas)",
        "37 class Registry | object Registry : Shape",
        "37 method Registry.add | fun add()",
        "39 method List.second | fun <T> List<T>.second(x: T): T",
        "40 method String.orNone | fun String?.orNone()",
        "41 method Date.short | fun java.util.Date.short()",
        "42 variable String.half | val String.half: Int",
        "43 constant TOP | const val TOP = 1",
        "44 variable lower | private val lower = listOf(1)",
        "45 class Marked | annotation class Marked",
        "46 class Id | @JvmInline value class Id(val v: Int)",
        "46 field Id.v | val v: Int",
        "47 function main | fun main(then: (Int) -> Unit)",
        "55 function in words | fun `in words`()",
        "56 class Lent | class Lent(a: Shape) : Shape by a",
    ]
    order, number, whole = facts.symbols[0], facts.symbols[1], facts.symbols[10]
    assert order.doc == "An order."
    assert order.bases == ("Base<T>", "Shown")
    assert order.parameters == (("id", "Int"), ("lines", "List<String>"), ("size", "Int"))
    assert (number.type, number.parameters) == ("Int", ())
    assert whole.type == "Map<String, Int>?"
    assert whole.parameters == (("a", "Int"), ("b", "String?"))
    assert facts.symbols[16].container == 15
    assert facts.symbols[34].parameters == (("then", "(Int) -> Unit"),)
    assert facts.symbols[36].bases == ("Shape",)
    assert facts.places[35].column == 5
    # Lambdas behind a name call it, with and without parentheses before them.
    expected = {
        "map": (1, 0, 0), "fold": (1, 0, 0), "run": (1, 0, 0), "open": (1, 0, 0),
        "shl": (1, 0, 0), "name": (0, 1, 0), "b": (0, 1, 0), "d": (0, 1, 0), "Base": (0, 0, 1),
    }  # fmt: skip
    assert {name: facts.references.get(name) for name in expected} == expected


def test_an_annotated_class_at_the_end_of_a_file() -> None:
    _, symbols = facts_of_text(
        "a.kt",
        """\
package a

@Target(AnnotationTarget.PROPERTY)
@Retention(AnnotationRetention.RUNTIME)
annotation class Required
""",
    )
    assert symbols == ["5 class Required | annotation class Required"]


def test_what_is_imported() -> None:
    facts, _ = facts_of_text(
        "a.kts",
        """\
package a
import shop.Order
import shop.Line as Row
import shop.deep.*
""",
    )
    assert [tuple(item) for item in facts.imports] == [
        ("shop.Order", "", "", 1),
        ("shop.Line", "", "Row", 2),
        ("shop.deep", "*", "", 3),
    ]


def test_bodies() -> None:
    assert body_lines(
        "a.kt",
        """\
class A {
    |
    fun first(
        a: Int
    ) {
        val x = 1|
    }
    constructor(a: Int) : this() {
        go()|
    }
    val size: Int
        get() {
            return 1|
        }
}
""",
    ) == [None, 6, 9, 13]
