"""C#: what two files of Json.NET declare, import and refer to."""

from __future__ import annotations

from symbol_samples import check, facts_of_text


def test_a_class_with_fields_and_methods() -> None:
    check(
        "csharp/ThreadSafeStore.cs",
        """
        34 module Newtonsoft.Json.Utilities | namespace Newtonsoft.Json.Utilities
        36 class Newtonsoft.Json.Utilities.ThreadSafeStore |
            internal class ThreadSafeStore<TKey, TValue>
        38 field ThreadSafeStore._lock | private readonly object _lock = new object()
        39 field ThreadSafeStore._store | private Dictionary<TKey, TValue> _store
        40 field ThreadSafeStore._creator | private readonly Func<TKey, TValue> _creator
        42 method ThreadSafeStore.ThreadSafeStore |
            public ThreadSafeStore(Func<TKey, TValue> creator)
        51 method ThreadSafeStore.Get | public TValue Get(TKey key)
        60 method ThreadSafeStore.AddValue | private TValue AddValue(TKey key)
        """,
        imports=[
            ("System", "*", "", 26),
            ("System.Collections.Generic", "*", "", 27),
            ("Newtonsoft.Json.Utilities.LinqBridge", "*", "", 29),
            ("System.Threading", "*", "", 31),
            ("Newtonsoft.Json.Serialization", "*", "", 32),
        ],
        docs={},
        bases={},
        types={
            "ThreadSafeStore._lock": "object",
            "ThreadSafeStore._store": "Dictionary<TKey, TValue>",
            "ThreadSafeStore._creator": "Func<TKey, TValue>",
            "ThreadSafeStore.Get": "TValue",
            "ThreadSafeStore.AddValue": "TValue",
        },
        parameters={
            "ThreadSafeStore.ThreadSafeStore": (("creator", "Func<TKey, TValue>"),),
            "ThreadSafeStore.Get": (("key", "TKey"),),
            "ThreadSafeStore.AddValue": (("key", "TKey"),),
        },
        references={
            "TryGetValue": (2, 0, 0),
            "AddValue": (1, 0, 0),
            "_creator": (1, 0, 0),
            "MemoryBarrier": (1, 0, 0),
            "Thread": (0, 0, 1),
            "Dictionary": (3, 0, 5),
            "ArgumentNullException": (1, 0, 1),
        },
    )


def test_properties_and_what_their_comments_say() -> None:
    check(
        "csharp/ErrorContext.cs",
        """
        28 module Newtonsoft.Json.Serialization | namespace Newtonsoft.Json.Serialization
        33 class Newtonsoft.Json.Serialization.ErrorContext | public class ErrorContext
        35 method ErrorContext.ErrorContext | internal ErrorContext(
            object originalObject, object member, string path, Exception error)
        43 field ErrorContext.Traced | internal bool Traced
        49 field ErrorContext.Error | public Exception Error
        55 field ErrorContext.OriginalObject | public object OriginalObject
        61 field ErrorContext.Member | public object Member
        67 field ErrorContext.Path | public string Path
        73 field ErrorContext.Handled | public bool Handled
        """,
        imports=[("System", "*", "", 26)],
        docs={
            "Newtonsoft.Json.Serialization.ErrorContext": (
                "Provides information surrounding an error."
            ),
            "ErrorContext.Error": "Gets the error.",
            "ErrorContext.OriginalObject": "Gets the original object that caused the error.",
            "ErrorContext.Member": "Gets the member that caused the error.",
            "ErrorContext.Path": "Gets the path of the JSON location where the error occurred.",
            "ErrorContext.Handled": (
                "Gets or sets a value indicating whether this"
                ' <see cref="ErrorContext"/> is handled.'
            ),
        },
        bases={},
        types={
            "ErrorContext.Traced": "bool",
            "ErrorContext.Error": "Exception",
            "ErrorContext.OriginalObject": "object",
            "ErrorContext.Member": "object",
            "ErrorContext.Path": "string",
            "ErrorContext.Handled": "bool",
        },
        parameters={
            "ErrorContext.ErrorContext": (
                ("originalObject", "object"),
                ("member", "object"),
                ("path", "string"),
                ("error", "Exception"),
            ),
        },
        references={"Exception": (0, 0, 2)},
    )


def test_records_events_operators_and_local_functions() -> None:
    facts, symbols = facts_of_text(
        "A.cs",
        """\
using static System.Math;
using Json = Newtonsoft.Json.JsonConvert;
namespace Acme.Shop;
[Serializable]
public abstract partial class Cart<T> : Base<T>, IDisposable where T : class
{
    public const int Max = 3, Min = 2;
    private static readonly List<T> Items = new();
    public int Count => Items.Count;
    public T this[int i] { get { return Items[i]; } }
    public event EventHandler<Args> Changed;
    public delegate void Handler(object sender, Args e);
    public Cart(int size, params string[] names) : base(size) { Init(size); }
    ~Cart() { }
    public override async Task<int> RunAsync<U>(ref T x, string z = "q") where U : T
    {
        int Local(int q) { return q; }
        return Items.Find<int>(x)?.Go() + Local(1);
    }
    void IDisposable.Dispose() => Close();
    public static Cart<T> operator +(Cart<T> a, Cart<T> b) { return a; }
    public static implicit operator int(Cart<T> c) { return 1; }
    enum Color : byte { Red, Green = 2 }
    interface IInner : IA { int P { get; } }
    struct Pt { public int X, Y; }
}
public record Person(string First, int Age) : IThing;
""",
    )
    assert facts.errors == 0
    assert symbols == [
        "3 module Acme.Shop | namespace Acme.Shop",
        "5 class Cart | [Serializable] public abstract partial class Cart<T>"
        " : Base<T>, IDisposable where T : class",
        "7 constant Cart.Max | public const int Max = 3, Min = 2",
        "7 constant Cart.Min | public const int Max = 3, Min = 2",
        "8 constant Cart.Items | private static readonly List<T> Items = new()",
        "9 field Cart.Count | public int Count",
        "10 field Cart.this | public T this[int i]",
        "11 field Cart.Changed | public event EventHandler<Args> Changed",
        "12 type Cart.Handler | public delegate void Handler(object sender, Args e)",
        "13 method Cart.Cart | public Cart(int size, params string[] names)",
        "14 method Cart.~Cart | ~Cart()",
        "15 method Cart.RunAsync | public override async Task<int> RunAsync<U>("
        'ref T x, string z = "q") where U : T',
        "17 function Local | int Local(int q)",
        "20 method Cart.Dispose | void IDisposable.Dispose()",
        "21 method Cart.operator+ | public static Cart<T> operator +(Cart<T> a, Cart<T> b)",
        "22 method Cart.operator int | public static implicit operator int(Cart<T> c)",
        "23 enum Cart.Color | enum Color : byte",
        "23 field Color.Red | Red",
        "23 field Color.Green | Green = 2",
        "24 interface Cart.IInner | interface IInner : IA",
        "24 field IInner.P | int P",
        "25 struct Cart.Pt | struct Pt",
        "25 field Pt.X | public int X, Y",
        "25 field Pt.Y | public int X, Y",
        "27 class Person | public record Person(string First, int Age) : IThing",
        "27 field Person.First | string First",
        "27 field Person.Age | int Age",
    ]
    assert [tuple(item) for item in facts.imports] == [
        ("System.Math", "*", "", 0),
        ("Newtonsoft.Json.JsonConvert", "", "Json", 1),
    ]
    assert facts.symbols[9].parameters == (("size", "int"), ("names", "string[]"))
    assert facts.symbols[11].type == "Task<int>"
    assert facts.references["Find"] == (1, 0, 0)
    assert facts.references["Go"] == (1, 0, 0)
