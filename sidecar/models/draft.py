"""What a draft model has to be: of the vocabulary of the model that it guesses for, and small.

Pure: works on headers that were read before. May import `errors`, `gguf` and `shape`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from sidecar.errors import ModelError

if TYPE_CHECKING:
    from sidecar.models.gguf import Header
    from sidecar.models.shape import ModelShape

__all__ = ["draft_bytes", "refuse_other_vocabulary"]

#: Models of one family pad their vocabulary to other sizes: Qwen2.5-Coder of 0.5B to 3B has 151,936
#: tokens, of 7B and more 152,064. What is padded is never generated.
_PADDING = 128
_KEYS = ("tokenizer.ggml.model", "tokenizer.ggml.pre")
_TOKENS = "tokenizer.ggml.tokens"
_FIX = "choose a smaller model of the same family, or empty sidecar.engine.draftModel"


def refuse_other_vocabulary(name: str, main: Header, draft: Header) -> None:
    """Raise if what a draft model says cannot mean the same to the main model.

    Whether each token has the same text is looked at by the engine, which has read them.

    Args:
        name: What to call the draft model.
        main: Header of the model that decides.
        draft: Header of the one that guesses.

    Raises:
        ModelError: They have different vocabularies.
    """
    for key in _KEYS:
        ours, theirs = main.text(key), draft.text(key)
        if ours and theirs and ours != theirs:
            raise ModelError(
                f"{name} has another vocabulary ({theirs}) than the model ({ours}), so it cannot "
                "draft for it",
                _FIX,
            )
    size, other = main.lengths.get(_TOKENS, 0), draft.lengths.get(_TOKENS, 0)
    if abs(size - other) > _PADDING:
        raise ModelError(
            f"{name} has another vocabulary ({other:,} tokens) than the model ({size:,}), so it "
            "cannot draft for it",
            _FIX,
        )


def draft_bytes(shape: ModelShape, context_tokens: int, batch_tokens: int) -> int:
    """Return the memory that a draft model takes, in the process of another.

    Args:
        shape: Its sizes.
        context_tokens: Cells of its cache, of 16-bit values.
        batch_tokens: Most tokens of a pass; there is a row of the vocabulary for each.
    """
    cache = context_tokens * shape.kv_bytes_per_token
    return shape.bytes + cache + batch_tokens * shape.vocabulary * 4
