"""Heads of prompts fit their budgets, as the tokenizer of a real model counts."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any, get_args

import pytest
from context_samples import index_of

from sidecar.completion.anchor import choose
from sidecar.completion.contexts import Contexts, HeadOptions
from sidecar.completion.folder import Folder
from sidecar.context import WindowLimits
from sidecar.index.query.reader import Reader
from sidecar.settings.schema import SourceName
from sidecar.syntax import Bodies, Languages, Trees
from sidecar.text import Buffer, Document

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

pytestmark = pytest.mark.engine

#: Real files with much that could be shown.
PACKAGE = Path(__file__).parents[2] / "sidecar" / "context"
PLACES = (("gathering.py", "versions = {"), ("head.py", "held = hold("), ("guard.py", "for start"))
ALL = frozenset(get_args(SourceName))


@pytest.fixture(scope="module")
def count(model_path: Path) -> Iterator[Callable[[str], int]]:
    """Counts the tokens of a text."""
    import llama_cpp

    options: Any = llama_cpp.llama_model_default_params()
    options.vocab_only = True
    model = llama_cpp.llama_model_load_from_file(str(model_path).encode(), options)
    assert model
    vocabulary = llama_cpp.llama_model_get_vocab(model)

    def counted(text: str) -> int:
        data = text.encode("utf-8", "replace")
        return -int(llama_cpp.llama_tokenize(vocabulary, data, len(data), None, 0, False, False))

    yield counted
    llama_cpp.llama_model_free(model)


async def test_no_head_is_larger_than_its_budget(
    tmp_path: Path, count: Callable[[str], int]
) -> None:
    files = {path.name: path.read_text() for path in sorted(PACKAGE.glob("*.py"))}
    index_of(tmp_path / "root", tmp_path / "index.sqlite", files)
    languages, trees = Languages.load(), Trees()

    async def counts(texts: Sequence[str]) -> Mapping[str, int]:
        return {text: count(text) for text in texts}

    async def nothing(texts: Sequence[str]) -> Mapping[str, int]:
        return {}

    fuller = 0
    with Reader(tmp_path / "index.sqlite") as reader:
        contexts = Contexts(Folder(str(tmp_path / "root"), reader), languages, trees)
        for name, mark in PLACES:
            path = str(tmp_path / "root" / name)
            document = Document(Path(path).as_uri(), path, "python", 1, Buffer.of(files[name]))
            cursor = files[name].index(mark)
            body = Bodies(languages, trees).find(document, cursor)
            limits = WindowLimits(before_lines=8, after_lines=4)
            extension = choose(document, cursor, body, window=limits)
            for tokens in (10, 40, 80, 160, 320, 640, 1280, 2560):
                for counting in (counts, nothing):
                    options = HeadOptions(ALL, tokens)
                    head = await contexts.head(document, extension, cursor, options, counting, None)
                    total = sum(count(segment.text) for segment in head.segments)
                    assert total <= tokens, (name, tokens, counting.__name__)
                    fuller += total > tokens * 0.6
    assert fuller >= 6, "budgets that nobody uses are no budgets"
