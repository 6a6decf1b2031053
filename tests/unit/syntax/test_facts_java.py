"""Java: what a file of Guava declares, imports and refers to."""

from __future__ import annotations

from symbol_samples import check, facts_of_text


def test_nested_and_anonymous_classes() -> None:
    check(
        "java/LongAddables.java",
        """
        26 class LongAddables | @ElementTypesAreNonnullByDefault final class LongAddables
        27 constant LongAddables.SUPPLIER | private static final Supplier<LongAddable> SUPPLIER
        37 method LongAddables.get | @Override public LongAddable get()
        45 method LongAddables.get | @Override public LongAddable get()
        53 method LongAddables.create | public static LongAddable create()
        57 class LongAddables.PureJavaLongAddable | private static final class
            PureJavaLongAddable extends AtomicLong implements LongAddable
        59 method PureJavaLongAddable.increment | @Override public void increment()
        64 method PureJavaLongAddable.add | @Override public void add(long x)
        69 method PureJavaLongAddable.sum | @Override public long sum()
        """,
        imports=[
            ("com.google.common.base", "Supplier", "", 17),
            ("java.util.concurrent.atomic", "AtomicLong", "", 18),
        ],
        docs={
            "LongAddables": (
                "Source of {@link LongAddable} objects that deals with GWT, Unsafe, and all that."
            ),
        },
        bases={"LongAddables.PureJavaLongAddable": ("AtomicLong", "LongAddable")},
        types={
            "LongAddables.SUPPLIER": "Supplier<LongAddable>",
            "LongAddables.get": "LongAddable",
            "LongAddables.create": "LongAddable",
            "PureJavaLongAddable.increment": "void",
            "PureJavaLongAddable.add": "void",
            "PureJavaLongAddable.sum": "long",
        },
        parameters={"PureJavaLongAddable.add": (("x", "long"),)},
        references={
            "get": (2, 0, 0),
            "getAndAdd": (1, 0, 0),
            "LongAddable": (0, 0, 8),
            "Supplier": (2, 0, 4),
            "LongAdder": (2, 0, 3),
            "PureJavaLongAddable": (1, 0, 1),
            "AtomicLong": (0, 0, 1),
            "Override": (0, 0, 5),
        },
    )


def test_records_enums_interfaces_and_annotations() -> None:
    facts, symbols = facts_of_text(
        "A.java",
        """\
package com.acme;
import java.util.*;
import static java.lang.Math.max;
import static org.junit.Assert.*;
public abstract class A<T> extends Base<T> implements I, J.K {
  protected final List<? extends T> one, two[] = null;
  static final int MAX = 3;
  @Inject public A(List<T> items, int... more) { super(items); this.one = items; }
  abstract <U> Map<String, U> get(final String key, U[] other) throws IOException;
  enum Color implements X { RED, GREEN("g") { void x() {} }; Color() {} }
  interface Inner extends I { int CONST = 1; default void g() { Objects.hash(A::bar, b.c); } }
  @interface Mark { String value() default ""; }
  record Point(int x, List<String> y) implements Z { Point { check(x); } }
}
""",
    )
    assert facts.errors == 0
    assert symbols == [
        "5 class A | public abstract class A<T> extends Base<T> implements I, J.K",
        "6 field A.one | protected final List<? extends T> one, two[] = null",
        "6 field A.two | protected final List<? extends T> one, two[] = null",
        "7 constant A.MAX | static final int MAX = 3",
        "8 method A.A | @Inject public A(List<T> items, int... more)",
        "9 method A.get | abstract <U> Map<String, U> get(final String key, U[] other)"
        " throws IOException",
        "10 enum A.Color | enum Color implements X",
        "10 field Color.RED | RED",
        '10 field Color.GREEN | GREEN("g")',
        "10 method x | void x()",
        "10 method Color.Color | Color()",
        "11 interface A.Inner | interface Inner extends I",
        "11 constant Inner.CONST | int CONST = 1",
        "11 method Inner.g | default void g()",
        "12 interface A.Mark | @interface Mark",
        '12 method Mark.value | String value() default ""',
        "13 class A.Point | record Point(int x, List<String> y) implements Z",
        "13 field Point.x | int x",
        "13 field Point.y | List<String> y",
        "13 method Point.Point | Point",
    ]
    assert [tuple(item) for item in facts.imports] == [
        ("java.util", "*", "", 1),
        ("java.lang.Math", "max", "", 2),
        ("org.junit.Assert", "*", "", 3),
    ]
    assert facts.symbols[0].bases == ("Base<T>", "I", "J.K")
    assert facts.symbols[4].parameters == (("items", "List<T>"), ("more", "int"))
    assert facts.symbols[5].parameters == (("key", "String"), ("other", "U[]"))
    assert facts.references["bar"] == (0, 1, 0)
    assert facts.references["c"] == (0, 1, 0)
    assert facts.references["Objects"] == (0, 0, 1)
