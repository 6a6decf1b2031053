"""Rust: what two files of the crate regex declare, import and refer to."""

from __future__ import annotations

from symbol_samples import check, facts_of_text


def test_a_struct_and_its_impl_blocks() -> None:
    check(
        "rust/sparse.rs",
        """
        16 struct SparseSet | pub struct SparseSet
        19 field SparseSet.dense | dense: Vec<usize>
        24 field SparseSet.sparse | sparse: Box<[usize]>
        28 method SparseSet.new | pub fn new(size: usize) -> SparseSet
        35 method SparseSet.len | pub fn len(&self) -> usize
        39 method SparseSet.is_empty | pub fn is_empty(&self) -> bool
        43 method SparseSet.capacity | pub fn capacity(&self) -> usize
        47 method SparseSet.insert | pub fn insert(&mut self, value: usize)
        54 method SparseSet.contains | pub fn contains(&self, value: usize) -> bool
        59 method SparseSet.clear | pub fn clear(&mut self)
        65 method SparseSet.fmt | fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result
        71 type SparseSet.Target | type Target = [usize]
        73 method SparseSet.deref | fn deref(&self) -> &Self::Target
        79 type SparseSet.Item | type Item = &'a usize
        80 type SparseSet.IntoIter | type IntoIter = slice::Iter<'a, usize>
        81 method SparseSet.into_iter | fn into_iter(self) -> Self::IntoIter
        """,
        imports=[
            ("std", "fmt", "", 1),
            ("std::ops", "Deref", "", 2),
            ("std", "slice", "", 3),
        ],
        docs={
            "SparseSet": "A sparse set used for representing ordered NFA states.",
            "SparseSet.dense": "Dense contains the instruction pointers in the order in which they",
            "SparseSet.sparse": "Sparse maps instruction pointers to their location in dense.",
        },
        bases={"SparseSet": ("fmt::Debug", "Deref", "IntoIterator")},
        types={
            "SparseSet.dense": "Vec<usize>",
            "SparseSet.sparse": "Box<[usize]>",
            "SparseSet.new": "SparseSet",
            "SparseSet.len": "usize",
            "SparseSet.is_empty": "bool",
            "SparseSet.capacity": "usize",
            "SparseSet.contains": "bool",
            "SparseSet.fmt": "fmt::Result",
            "SparseSet.deref": "&Self::Target",
            "SparseSet.into_iter": "Self::IntoIter",
        },
        parameters={
            "SparseSet.new": (("size", "usize"),),
            "SparseSet.insert": (("value", "usize"),),
            "SparseSet.contains": (("value", "usize"),),
            "SparseSet.fmt": (("f", "&mut fmt::Formatter<'_>"),),
        },
        references={
            "len": (2, 0, 0),
            # One of them stands in what a macro is given.
            "capacity": (2, 0, 0),
            "with_capacity": (1, 0, 0),
            "assert": (1, 0, 0),
            "vec": (1, 0, 0),
            "dense": (0, 7, 0),
            "sparse": (0, 2, 0),
            "SparseSet": (0, 0, 6),
            "Vec": (0, 0, 2),
            "Deref": (0, 1, 1),
        },
    )


def test_values_aliases_and_what_a_macro_is_given() -> None:
    check(
        "rust/pool.rs",
        """
        6 constant COUNTER | static COUNTER: AtomicUsize = AtomicUsize::new(1)
        30 type CreateFn | type CreateFn<T> = Box<dyn Fn() -> T + Send + Sync + UnwindSafe + RefUnwindSafe + 'static>
        44 struct Pool | pub struct Pool<T>
        47 field Pool.stack | stack: Mutex<Vec<Box<T>>>
        50 field Pool.create | create: CreateFn<T>
        59 field Pool.owner | owner: AtomicUsize
        62 field Pool.owner_val | owner_val: T
        """,  # noqa: E501
        imports=[
            ("std::panic", "RefUnwindSafe", "", 1),
            ("std::panic", "UnwindSafe", "", 1),
            ("std::sync::atomic", "AtomicUsize", "", 2),
            ("std::sync::atomic", "Ordering", "", 2),
            ("std::sync", "Mutex", "", 3),
        ],
        docs={
            "COUNTER": "An atomic counter used to allocate thread IDs.",
            "CreateFn": "The type of the function used to create values in a pool when the pool is",
            "Pool": "A simple thread safe pool for reusing values.",
            "Pool.stack": "A stack of T values to hand out. These are used when a Pool is",
            "Pool.create": "A function to create more T values when stack is empty and a caller",
            "Pool.owner": "The ID of the thread that owns this pool. The owner is the thread",
            "Pool.owner_val": (
                "A value to return when the caller is in the same thread that created"
            ),
        },
        bases={},
        types={
            "COUNTER": "AtomicUsize",
            "Pool.stack": "Mutex<Vec<Box<T>>>",
            "Pool.create": "CreateFn<T>",
            "Pool.owner": "AtomicUsize",
            "Pool.owner_val": "T",
        },
        parameters={},
        references={
            "new": (1, 0, 0),
            "fetch_add": (1, 0, 0),
            "panic": (1, 1, 0),
            "thread_local": (1, 0, 0),
            "AtomicUsize": (0, 0, 3),
            "CreateFn": (0, 0, 1),
            "Mutex": (0, 1, 1),
        },
    )


def test_traits_enums_modules_and_macros() -> None:
    facts, symbols = facts_of_text(
        "a.rs",
        """\
pub trait Shape: Debug + Send {
    type Unit: Ord;
    const SIDES: usize = 3;
    fn area(&self, scale: f32) -> f32;
}
#[derive(Debug)]
pub(crate) enum Kind { Round, Flat(u8) }
pub struct Wide(pub u8, i32);
impl<T> Shape for geo::Boxed<T> { fn area(&self, scale: f32) -> f32 { fn inner() {} 1.0 } }
macro_rules! twice { ($a:expr) => { $a; $a } }
mod tests {
    fn helper() {}
    impl Wide { async fn go(self) {} }
}
extern "C" { fn puts(text: *const u8) -> i32; }
cfg_rt! { pub(crate) fn spawn() { } }
const fn half(n: usize) -> usize { const TWO: usize = 2; n / TWO }
""",
    )
    assert facts.errors == 0
    assert symbols == [
        "1 interface Shape | pub trait Shape: Debug + Send",
        "2 type Shape.Unit | type Unit: Ord",
        "3 constant Shape.SIDES | const SIDES: usize = 3",
        "4 method Shape.area | fn area(&self, scale: f32) -> f32",
        "7 enum Kind | pub(crate) enum Kind",
        "7 field Kind.Round | Round",
        "7 field Kind.Flat | Flat(u8)",
        "8 struct Wide | pub struct Wide(pub u8, i32)",
        "9 method Boxed.area | fn area(&self, scale: f32) -> f32",
        "9 function inner | fn inner()",
        "10 function twice | macro_rules! twice",
        "11 module tests | mod tests",
        "12 function tests.helper | fn helper()",
        "13 method Wide.go | async fn go(self)",
        "15 function puts | fn puts(text: *const u8) -> i32",
        "16 function spawn | spawn",
        "17 function half | const fn half(n: usize) -> usize",
    ]
    assert facts.symbols[0].bases == ("Debug", "Send")
    assert facts.symbols[9].container == 8


def test_trees_of_uses() -> None:
    facts, _ = facts_of_text(
        "a.rs",
        """\
use std::collections::{HashMap, hash_map::{self, Entry as E}, btree_map::*};
use foo;
use foo::bar as baz;
pub(crate) use super::x::*;
use {a::b, c};
use crate::{self as me, deep::er::Name};
extern crate alloc as al;
mod child;
mod here {}
""",
    )
    assert [tuple(item) for item in facts.imports] == [
        ("std::collections", "HashMap", "", 0),
        ("std::collections::hash_map", "", "", 0),
        ("std::collections::hash_map", "Entry", "E", 0),
        ("std::collections::btree_map", "*", "", 0),
        ("foo", "", "", 1),
        ("foo", "bar", "baz", 2),
        ("super::x", "*", "", 3),
        ("a", "b", "", 4),
        ("c", "", "", 4),
        ("crate", "", "me", 5),
        ("crate::deep::er", "Name", "", 5),
        ("alloc", "", "al", 6),
        ("child", "", "", 7),
    ]
