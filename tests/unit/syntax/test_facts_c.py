"""C: what two files of Jansson declare, include and refer to."""

from __future__ import annotations

from symbol_samples import check, facts_of_text


def test_structs_macros_and_prototypes_of_a_header() -> None:
    check(
        "c/hashtable.h",
        """
        1 struct hashtable_list | struct hashtable_list
        2 field hashtable_list.prev | struct hashtable_list *prev
        3 field hashtable_list.next | struct hashtable_list *next
        9 struct hashtable_pair | struct hashtable_pair
        10 field hashtable_pair.list | struct hashtable_list list
        11 field hashtable_pair.ordered_list | struct hashtable_list ordered_list
        12 field hashtable_pair.hash | size_t hash
        13 field hashtable_pair.value | json_t *value
        14 field hashtable_pair.key_len | size_t key_len
        15 field hashtable_pair.key | char key[1]
        18 struct hashtable_bucket | struct hashtable_bucket
        19 field hashtable_bucket.first | struct hashtable_list *first
        20 field hashtable_bucket.last | struct hashtable_list *last
        23 struct hashtable | typedef struct hashtable
        24 field hashtable.size | size_t size
        25 field hashtable.buckets | struct hashtable_bucket *buckets
        26 field hashtable.order | size_t order
        27 field hashtable.list | struct hashtable_list list
        28 field hashtable.ordered_list | struct hashtable_list ordered_list
        29 type hashtable_t | hashtable_t
        31 function hashtable_key_to_iter | #define hashtable_key_to_iter(key_)
        41 function hashtable_close | void hashtable_close(hashtable_t *hashtable)
        """,
        imports=[],
        docs={
            "hashtable_pair": 'pair" may be a bit confusing a name, but think of it as a',
            "hashtable_close": "hashtable_close - Release all resources used by a hashtable object",
        },
        # Another name of a struct leads to its members.
        bases={"hashtable_t": ("hashtable",)},
        types={
            "hashtable_list.prev": "struct hashtable_list",
            "hashtable_list.next": "struct hashtable_list",
            "hashtable_pair.list": "struct hashtable_list",
            "hashtable_pair.ordered_list": "struct hashtable_list",
            "hashtable_pair.hash": "size_t",
            "hashtable_pair.value": "json_t",
            "hashtable_pair.key_len": "size_t",
            "hashtable_pair.key": "char",
            "hashtable_bucket.first": "struct hashtable_list",
            "hashtable_bucket.last": "struct hashtable_list",
            "hashtable.size": "size_t",
            "hashtable.buckets": "struct hashtable_bucket",
            "hashtable.order": "size_t",
            "hashtable.list": "struct hashtable_list",
            "hashtable.ordered_list": "struct hashtable_list",
            "hashtable_close": "void",
        },
        parameters={"hashtable_close": (("hashtable", "hashtable_t"),)},
        references={
            "hashtable_list": (0, 0, 8),
            "hashtable_bucket": (0, 0, 1),
            "hashtable_t": (0, 0, 1),
            "json_t": (0, 0, 1),
        },
    )


def test_functions_and_constants_of_a_source_file() -> None:
    check(
        "c/strbuffer.c",
        """
        6 constant STRBUFFER_MIN_SIZE | #define STRBUFFER_MIN_SIZE 16
        7 constant STRBUFFER_FACTOR | #define STRBUFFER_FACTOR 2
        8 constant STRBUFFER_SIZE_MAX | #define STRBUFFER_SIZE_MAX ((size_t)-1)
        10 function strbuffer_init | int strbuffer_init(strbuffer_t *strbuff)
        23 function strbuffer_close | void strbuffer_close(strbuffer_t *strbuff)
        32 function strbuffer_clear | void strbuffer_clear(strbuffer_t *strbuff)
        37 function strbuffer_value | const char *strbuffer_value(const strbuffer_t *strbuff)
        39 function strbuffer_steal_value | char *strbuffer_steal_value(strbuffer_t *strbuff)
        45 function strbuffer_append_byte | int strbuffer_append_byte(
            strbuffer_t *strbuff, char byte)
        """,
        imports=[
            ("strbuffer.h", "", "", 1),
            ("jansson_private.h", "", "", 2),
            ("stdlib.h", "", "", 3),
            ("string.h", "", "", 4),
        ],
        docs={},
        bases={},
        types={
            "strbuffer_init": "int",
            "strbuffer_close": "void",
            "strbuffer_clear": "void",
            "strbuffer_value": "char",
            "strbuffer_steal_value": "char",
            "strbuffer_append_byte": "int",
        },
        parameters={
            "strbuffer_init": (("strbuff", "strbuffer_t"),),
            "strbuffer_close": (("strbuff", "strbuffer_t"),),
            "strbuffer_clear": (("strbuff", "strbuffer_t"),),
            "strbuffer_value": (("strbuff", "strbuffer_t"),),
            "strbuffer_steal_value": (("strbuff", "strbuffer_t"),),
            "strbuffer_append_byte": (("strbuff", "strbuffer_t"), ("byte", "char")),
        },
        references={
            "jsonp_malloc": (1, 0, 0),
            "jsonp_free": (1, 0, 0),
            "strbuffer_append_bytes": (1, 0, 0),
            "size": (0, 3, 0),
            "length": (0, 3, 0),
            "value": (0, 10, 0),
            "strbuffer_t": (0, 0, 6),
        },
    )


def test_typedefs_enums_pointers_and_old_style() -> None:
    facts, symbols = facts_of_text(
        "a.c",
        """\
typedef struct { double re; int (*call)(int a); unsigned f : 3; } cpx, *pcpx;
typedef int (*handler)(int sig, void *data);
typedef unsigned long ulong_t;
typedef struct fwd fwd_t;
enum color { RED, GREEN = 2 };
typedef enum { A1 } abe;
union u { int a, *b; };
extern int one, *two;
static const char *const names[] = {"a"};
#if FOO
static inline struct node ***find(struct node *head, int arr[]) { int local = 1; int q(int); }
#else
char **list(void);
#endif
int old(a, b) int a; char *b; { return a; }
void (*get(int x))(int) { return 0; }
#define GUARD_H
""",
    )
    assert facts.errors == 0
    assert symbols == [
        "1 struct cpx | typedef struct",
        "1 struct pcpx | typedef struct",
        "1 field cpx.re | double re",
        "1 field cpx.call | int (*call)(int a)",
        "1 field cpx.f | unsigned f : 3",
        "2 type handler | typedef int (*handler)(int sig, void *data)",
        "3 type ulong_t | typedef unsigned long ulong_t",
        "4 type fwd_t | typedef struct fwd fwd_t",
        "5 enum color | enum color",
        "5 constant color.RED | RED",
        "5 constant color.GREEN | GREEN = 2",
        "6 enum abe | typedef enum",
        "6 constant abe.A1 | A1",
        "7 struct u | union u",
        "7 field u.a | int a, *b",
        "7 field u.b | int a, *b",
        "8 variable one | extern int one, *two",
        "8 variable two | extern int one, *two",
        '9 variable names | static const char *const names[] = {"a"}',
        "11 function find | static inline struct node ***find(struct node *head, int arr[])",
        "13 function list | char **list(void)",
        "15 function old | int old(a, b) int a; char *b",
        "16 function get | void (*get(int x))(int)",
    ]
    assert facts.symbols[7].bases == ("fwd",)
    assert facts.symbols[19].parameters == (("head", "struct node"), ("arr", "int"))


def test_macros_in_the_way_of_the_grammar() -> None:
    facts, symbols = facts_of_text(
        "a.c",
        """\
ZSTD_API ZSTD_DStream* create(void);
PY_VISIBLE PyMODINIT PyInit_backend(void) { return 0; }
int ZEXPORT inflate(int a) { return 0; }
struct PACKED wire { int a; };
""",
    )
    assert facts.errors == 0
    assert symbols == [
        "1 function create | ZSTD_DStream* create(void)",
        "2 function PyInit_backend | PyMODINIT PyInit_backend(void)",
        "3 function inflate | int ZEXPORT inflate(int a)",
        "4 struct wire | struct PACKED wire",
        "4 field wire.a | int a",
    ]
    assert facts.symbols[0].type == "ZSTD_DStream"
