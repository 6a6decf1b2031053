"""What a file declares, imports and refers to: the facts that the index keeps of it.

One query a language (`symbols.scm`, `references.scm` and `imports.scm` of its folder, run as one,
since walking the tree is most of the cost) marks nodes with the words that
`grammars/languages.toml` explains; `top.scm` marks more of the outermost ones. Must never do I/O
besides loading grammars, nor know any language by name. May import this package.
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, NamedTuple

from sidecar.syntax.declarations import TYPE_KINDS, Declarations
from sidecar.syntax.imports import Import, imports_of
from sidecar.syntax.languages import Languages
from sidecar.syntax.parse import MAX_PARSE_SECONDS, Grammar
from sidecar.syntax.queries import captures, count_errors

if TYPE_CHECKING:
    from tree_sitter import Node

    from sidecar.syntax.languages import Language
    from sidecar.syntax.symbols import Place, Symbol

__all__ = ["Facts", "extract", "facts_of"]

#: Longer names are data, and shorter ones stand in every file.
_WORD_CHARACTERS = range(2, 65)
#: What a query costs grows with the square of the pieces of a text of which the grammar understands
#: nothing as a whole.
_MOST_LOOSE = 10_000
_PARENTHESIS = ord("(")


class Facts(NamedTuple):
    """What one file holds.

    Args:
        symbols: Its declarations, in the order of the text.
        places: Where each of them stands.
        imports: What it imports.
        references: By name, how often it is called, read as an attribute, and used as a type.
        words: The names that it declares or refers to, each once, separated by spaces. Locals are
            left out, and so is what strings and comments say: a tenth of the time of a first index,
            for words that say little of a file.
        errors: Regions that did not parse.
    """

    symbols: tuple[Symbol, ...]
    places: tuple[Place, ...]
    imports: tuple[Import, ...]
    references: dict[str, tuple[int, int, int]]
    words: str
    errors: int


def extract(language: Language, source: bytes, *, declarations_only: bool = False) -> Facts | None:
    """Parse a file and return its facts.

    Args:
        language: The file's language.
        source: The file, in UTF-8; what is not is replaced.
        declarations_only: Leave references and words out.

    Returns:
        None where the language has no grammar or no queries: the file is known by its path only.
    """
    grammar = Grammar.of(language)
    if grammar is None or grammar.facts is None:
        return None
    tree = grammar.parse(source)
    if tree is None:
        return Facts((), (), (), {}, "", 1)
    return facts_of(grammar, tree.root_node, source, declarations_only=declarations_only)


def facts_of(
    grammar: Grammar,
    root: Node,
    source: bytes,
    *,
    declarations_only: bool = False,
) -> Facts:
    """Return the facts of a file that is parsed already.

    Args:
        grammar: The grammar that parsed it; it must have queries for facts.
        root: The root of its tree.
        source: The bytes that were parsed.
        declarations_only: Leave references and words out.
    """
    import tree_sitter

    if root.has_error and _is_loose(root):
        return Facts((), (), (), {}, "", 1)
    if root.has_error:
        grammar, root = _repaired(grammar, root, source)
    assert grammar.facts is not None
    captured = captures(grammar.facts, root)
    if grammar.top is not None and not root.is_error:
        cursor = tree_sitter.QueryCursor(grammar.top)
        cursor.set_max_start_depth(1)
        for name, nodes in cursor.captures(root).items():
            captured[name] = captured.get(name, []) + nodes
    references: dict[str, tuple[int, int, int]] = {}
    words = ""
    calls = captured.pop("ref.call", [])
    members = captured.pop("ref.member", [])
    types = captured.pop("ref.type", [])
    called = captured.pop("ref.called", [])
    no_members = captured.pop("ref.none", [])
    any_types = captured.pop("ref.any_type", [])
    any_constants = captured.pop("ref.any_constant", [])
    imports = imports_of(source, captured)
    symbols, places = Declarations(grammar, source).make(captured)
    if not declarations_only:
        if called or no_members:
            # A member's end tells it from all others, and costs less than a comparison of nodes.
            ends = {node.end_byte for node in called + no_members}
            members = [node for node in members if node.end_byte not in ends]
            calls += called
        any_types += any_constants
        kinds = TYPE_KINDS | {"constant"} if any_constants else TYPE_KINDS
        declared = [s.name for s in symbols if s.kind in kinds] if any_types else []
        references = _references(source, calls, members, types + any_types, declared)
        words = _words(symbols, references)
    return Facts(symbols, places, imports, references, words, count_errors(grammar, root))


def _is_loose(root: Node) -> bool:
    """Tell whether a tree holds that many pieces side by side of which nothing was made."""
    if root.child_count > _MOST_LOOSE:
        return root.is_error
    return any(child.is_error and child.child_count > _MOST_LOOSE for child in root.children)


def _repaired(grammar: Grammar, root: Node, source: bytes) -> tuple[Grammar, Node]:
    """Parse again what did not parse: in another language, or without words that were in the way.

    Both look like the file that was given, byte for byte, so that places and texts are its own.
    """
    language = Languages.load().of_source(grammar.language, source)
    blanked = language.blanked(source)
    other = Grammar.of(language)
    if other is None or other.facts is None or (other is grammar and blanked == source):
        return grammar, root
    tree = other.parse_within(MAX_PARSE_SECONDS, blanked)
    if tree is None:
        return grammar, root
    again = tree.root_node
    if other is grammar and count_errors(grammar, again) > count_errors(grammar, root):
        return grammar, root
    return other, again


def _references(
    source: bytes,
    calls: list[Node],
    members: list[Node],
    types: list[Node],
    declared: list[str],
) -> dict[str, tuple[int, int, int]]:
    called = Counter([source[node.start_byte : node.end_byte] for node in calls])
    # A member with a parenthesis behind it is called. To ask a query for that costs a node each,
    # and to count names together with what stands behind them is cheaper than to look at each.
    padded = source + b" "
    read: Counter[bytes] = Counter()
    followed = Counter([padded[node.start_byte : node.end_byte + 1] for node in members])
    for name, count in followed.items():
        if name[-1] == _PARENTHESIS:
            called[name[:-1]] += count
        else:
            read[name[:-1]] += count
    typed = Counter([source[node.start_byte : node.end_byte] for node in types])
    # Where a type is declared, it is not used.
    typed.subtract(name.encode("utf-8", "replace") for name in declared)
    counts = {name: (count, 0, 0) for name, count in called.items()}
    for name, count in read.items():
        counts[name] = (called.get(name, 0), count, 0)
    for name, count in typed.items():
        if count > 0:
            calls_, reads, _ = counts.get(name, (0, 0, 0))
            counts[name] = (calls_, reads, count)
    # Nodes come in no order of their own, and what is stored must not change by chance.
    return {name.decode("utf-8", "replace"): counts[name] for name in sorted(filter(None, counts))}


def _words(symbols: tuple[Symbol, ...], references: dict[str, tuple[int, int, int]]) -> str:
    words = dict.fromkeys([symbol[0] for symbol in symbols])
    words.update(dict.fromkeys(references))
    return " ".join([word for word in words if len(word) in _WORD_CHARACTERS])
