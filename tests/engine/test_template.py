"""How the parts of a prompt become tokens, on the real vocabulary."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from sidecar.engine.messages import Request, Segment
from sidecar.engine.template import Assembler, Template

if TYPE_CHECKING:
    from collections.abc import Callable

    from sidecar.engine.inference import Inference

pytestmark = pytest.mark.engine

HEAD = (
    Segment("repo", "shop\n"),
    Segment("repo", "shop/orders.py\nclass Order: ...\n"),
    Segment("repo", "shop/items.py\nclass Item: ...\n"),
    Segment("outline", "shop/views.py\ndef view(): ...\n"),
)
AROUND = (
    Segment("prefix", "def view():\n"),
    Segment("suffix", "\n"),
    Segment("typed", "    ret"),
)


@pytest.fixture
def shown(inference: Inference, pieces: list[bytes]) -> Callable[..., str]:
    """Returns a prompt as text, its special tokens written out."""
    template = inference.template
    names = {
        template.repo[0]: "[REP]",
        template.separator[0]: "[SEP]",
        template.prefix[0]: "[PRE]",
        template.suffix[0]: "[SUF]",
        template.middle[0]: "[MID]",
    }

    def show(*segments: Segment, room: int | None = None) -> str:
        assembled = inference.assembler.assemble(Request("d", segments, heal=False), room)
        return "".join(names.get(t) or pieces[t].decode() for t in assembled.tokens)

    return show


def test_the_head_is_written_as_the_model_was_trained_to_read_it(shown: Callable[..., str]) -> None:
    assert shown(*HEAD, *AROUND) == (
        "[REP]shop\n[SEP]shop/orders.py\nclass Order: ...\n[SEP]shop/items.py\nclass Item: ...\n"
        "[SEP]shop/views.py\ndef view(): ...\n[PRE]def view():\n[SUF]\n[MID]    ret"
    )


def test_without_a_head_nothing_stands_before_the_prefix(shown: Callable[..., str]) -> None:
    assert shown(*AROUND) == "[PRE]def view():\n[SUF]\n[MID]    ret"


def test_what_has_no_room_is_left_out_from_the_last_file_on(
    inference: Inference, shown: Callable[..., str]
) -> None:
    assemble = inference.assembler.assemble
    request = Request("d", (*HEAD, *AROUND))
    whole = assemble(request)
    tight = assemble(request, len(whole.tokens) - 1)
    assert tight.trimmed == len(whole.tokens) - len(tight.tokens) > 0
    assert tight.segment_tokens["outline"] == whole.segment_tokens["outline"]
    assert "items.py" not in shown(*HEAD, *AROUND, room=len(whole.tokens) - 1)
    bare = assemble(Request("d", AROUND))
    assert assemble(request, len(bare.tokens)).tokens == bare.tokens
    # What stands around the cursor is refused as a whole by whoever knows how large a lane is.
    assert assemble(request, 1).tokens == bare.tokens


def test_counts_are_those_of_the_parts(inference: Inference) -> None:
    assembled = inference.assembler.assemble(Request("d", (*HEAD, *AROUND)))
    marks = 3
    assert sum(assembled.segment_tokens.values()) == len(assembled.tokens) - marks


def test_a_model_without_marks_of_files_reads_their_paths_as_comments(
    inference: Inference, pieces: list[bytes]
) -> None:
    template = replace(inference.template, repo=(), separator=())
    assert isinstance(template, Template)
    assembler = Assembler(template, inference.model, pieces)
    tokens = assembler.assemble(Request("d", (*HEAD, *AROUND))).tokens
    text = b"".join(pieces[token] for token in tokens).decode()
    assert text.startswith("# shop\n# shop/orders.py\nclass Order: ...\n# shop/items.py\n")
