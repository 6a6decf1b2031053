"""C++: what two files of LevelDB declare, include and refer to."""

from __future__ import annotations

from symbol_samples import check, facts_of_text


def test_a_class_in_a_header_whose_name_says_c() -> None:
    check(
        "cpp/arena.h",
        """
        14 module leveldb | namespace leveldb
        16 class leveldb.Arena | class Arena
        18 method Arena.Arena | Arena()
        20 method Arena.Arena | Arena(const Arena&) = delete
        21 method Arena.operator= | Arena& operator=(const Arena&) = delete
        23 method Arena.~Arena | ~Arena()
        26 method Arena.Allocate | char* Allocate(size_t bytes)
        29 method Arena.AllocateAligned | char* AllocateAligned(size_t bytes)
        33 method Arena.MemoryUsage | size_t MemoryUsage() const
        38 method Arena.AllocateFallback | char* AllocateFallback(size_t bytes)
        39 method Arena.AllocateNewBlock | char* AllocateNewBlock(size_t block_bytes)
        42 field Arena.alloc_ptr_ | char* alloc_ptr_
        43 field Arena.alloc_bytes_remaining_ | size_t alloc_bytes_remaining_
        46 field Arena.blocks_ | std::vector<char*> blocks_
        52 field Arena.memory_usage_ | std::atomic<size_t> memory_usage_
        55 method Arena.Allocate | inline char* Arena::Allocate(size_t bytes)
        """,
        imports=[
            ("atomic", "", "", 8),
            ("cassert", "", "", 9),
            ("cstddef", "", "", 10),
            ("cstdint", "", "", 11),
            ("vector", "", "", 12),
        ],
        docs={
            "Arena.Allocate": (
                'Return a pointer to a newly allocated memory block of "bytes" bytes.'
            ),
            "Arena.AllocateAligned": (
                "Allocate memory with the normal alignment guarantees provided by malloc."
            ),
            "Arena.MemoryUsage": "Returns an estimate of the total memory usage of data allocated",
            "Arena.alloc_ptr_": "Allocation state",
            "Arena.blocks_": "Array of new[] allocated memory blocks",
            "Arena.memory_usage_": "Total memory usage of the arena.",
        },
        bases={},
        types={
            "Arena.operator=": "Arena",
            "Arena.Allocate": "char",
            "Arena.AllocateAligned": "char",
            "Arena.MemoryUsage": "size_t",
            "Arena.AllocateFallback": "char",
            "Arena.AllocateNewBlock": "char",
            "Arena.alloc_ptr_": "char",
            "Arena.alloc_bytes_remaining_": "size_t",
            "Arena.blocks_": "std::vector<char*>",
            "Arena.memory_usage_": "std::atomic<size_t>",
        },
        parameters={
            "Arena.Allocate": (("bytes", "size_t"),),
            "Arena.AllocateAligned": (("bytes", "size_t"),),
            "Arena.AllocateFallback": (("bytes", "size_t"),),
            "Arena.AllocateNewBlock": (("block_bytes", "size_t"),),
        },
        references={
            "load": (1, 0, 0),
            "assert": (1, 0, 0),
            "AllocateFallback": (1, 0, 0),
            "vector": (0, 0, 1),
            "atomic": (0, 0, 1),
            "Arena": (0, 0, 4),
        },
    )


def test_members_that_are_defined_out_of_line() -> None:
    check(
        "cpp/arena.cc",
        """
        7 module leveldb | namespace leveldb
        9 variable leveldb.kBlockSize | static const int kBlockSize = 4096
        11 method Arena.Arena | Arena::Arena()
        14 method Arena.~Arena | Arena::~Arena()
        20 method Arena.AllocateFallback | char* Arena::AllocateFallback(size_t bytes)
        38 method Arena.AllocateAligned | char* Arena::AllocateAligned(size_t bytes)
        58 method Arena.AllocateNewBlock | char* Arena::AllocateNewBlock(size_t block_bytes)
        """,
        imports=[("util/arena.h", "", "", 5)],
        docs={},
        bases={},
        types={
            "leveldb.kBlockSize": "int",
            "Arena.AllocateFallback": "char",
            "Arena.AllocateAligned": "char",
            "Arena.AllocateNewBlock": "char",
        },
        parameters={
            "Arena.AllocateFallback": (("bytes", "size_t"),),
            "Arena.AllocateAligned": (("bytes", "size_t"),),
            "Arena.AllocateNewBlock": (("block_bytes", "size_t"),),
        },
        references={
            "AllocateNewBlock": (2, 0, 0),
            "AllocateFallback": (1, 0, 0),
            "size": (1, 0, 0),
            "push_back": (1, 0, 0),
            "fetch_add": (1, 0, 0),
            "assert": (1, 0, 0),
            "Arena": (0, 0, 5),
        },
    )


def test_templates_operators_and_namespaces() -> None:
    facts, symbols = facts_of_text(
        "a.cpp",
        """\
namespace a::b {
/// What is drawn.
template <typename T, int N = 3>
class Shape final : public Base<T>, private virtual ns::Other {
 public:
  explicit Shape(int x) : x_(x) {}
  virtual double area(const T& t, std::string&& s, int* p = nullptr) const = 0;
  operator bool() const;
  template <class U> void each(U u) { u.go(); }
  enum class Kind : int { One };
  struct Inner { int y, *z; };
  using value_type = T;
  auto trailing() -> int;
  int& ref();
};
}
template <typename T, int N> double Shape<T, N>::area(const T& t) const { Foo x(t); return f<T>(); }
std::vector<int>& Foo::Bar::list() { return ns::Thing::all(); }
int Foo::count = 0;
template <> struct Spec<int> {};
std::ostream& operator<<(std::ostream& os, const Foo& f);
namespace { void hidden() {} }
extern "C" { int plain(int); }
class EXPORT Api : public Base { void run() const LOCKED(mu) {} };
""",
    )
    assert facts.errors == 0
    assert symbols == [
        "1 module a::b | namespace a::b",
        "4 class a::b.Shape | template <typename T, int N = 3> class Shape final"
        " : public Base<T>, private virtual ns::Other",
        "6 method Shape.Shape | explicit Shape(int x)",
        "7 method Shape.area | virtual double area(const T& t, std::string&& s, int* p = nullptr)"
        " const = 0",
        "8 method Shape.operator bool | operator bool() const",
        "9 method Shape.each | template <class U> void each(U u)",
        "10 enum Shape.Kind | enum class Kind : int",
        "10 constant Kind.One | One",
        "11 struct Shape.Inner | struct Inner",
        "11 field Inner.y | int y, *z",
        "11 field Inner.z | int y, *z",
        "12 type Shape.value_type | using value_type = T",
        "13 method Shape.trailing | auto trailing() -> int",
        "14 method Shape.ref | int& ref()",
        "17 method Shape.area | template <typename T, int N> double Shape<T, N>::area(const T& t)"
        " const",
        "18 method Bar.list | std::vector<int>& Foo::Bar::list()",
        "19 variable Foo.count | int Foo::count = 0",
        "20 struct Spec | template <> struct Spec<int>",
        "21 function operator<< | std::ostream& operator<<(std::ostream& os, const Foo& f)",
        "22 function hidden | void hidden()",
        "23 function plain | int plain(int)",
        "24 class Api | class EXPORT Api : public Base",
        "24 method Api.run | void run() const LOCKED(mu)",
    ]
    shape = facts.symbols[1]
    assert shape.doc == "What is drawn."
    assert shape.bases == ("Base<T>", "ns::Other")
    assert facts.symbols[3].parameters == (("t", "T"), ("s", "std::string"), ("p", "int"))
    assert facts.symbols[12].type == "int"
    assert facts.references["all"] == (1, 0, 0)
    assert facts.references["f"] == (1, 0, 0)
    assert facts.references["go"] == (1, 0, 0)
