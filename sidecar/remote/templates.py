"""The fill-in-the-middle templates of models that nobody told us anything about.

A server does not tell which markers its model knows, but its tokenizer does: a marker is one token
there, and several where it is only text. Pure; may import the front's side of `engine`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from sidecar.engine.template import Template

if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = ["KNOWN", "markers_of", "template_of"]

#: Templates by the markers of well-known models, the likelier first.
KNOWN: tuple[Mapping[str, str], ...] = (
    {
        "order": "psm",
        "prefix": "<|fim_prefix|>",
        "suffix": "<|fim_suffix|>",
        "middle": "<|fim_middle|>",
        "repo": "<|repo_name|>",
        "separator": "<|file_sep|>",
        "pad": "<|fim_pad|>",
    },
    {
        "order": "psm",
        "prefix": "<fim_prefix>",
        "suffix": "<fim_suffix>",
        "middle": "<fim_middle>",
        "repo": "<repo_name>",
        "separator": "<file_sep>",
        "pad": "<fim_pad>",
    },
    {
        "order": "psm",
        "prefix": "<｜fim▁begin｜>",
        "suffix": "<｜fim▁hole｜>",
        "middle": "<｜fim▁end｜>",
    },
)


def markers_of(texts: Mapping[str, str]) -> list[str]:
    """Return the markers that a template names."""
    return [marker for name, marker in texts.items() if name != "order" and marker]


def template_of(
    texts: Mapping[str, str], numbers: Mapping[str, int], begin: tuple[int, ...]
) -> Template | None:
    """Return the template that some texts name, or None if the model does not know it.

    Args:
        texts: `order`, and markers under `prefix`, `suffix`, `middle`, `repo`, `separator`, `pad`.
        numbers: The markers that are one token, with its number.
        begin: What every prompt begins with.
    """

    def ids(name: str) -> tuple[int, ...]:
        marker = texts.get(name, "")
        return (numbers[marker],) if marker in numbers else ()

    needed = [texts[name] for name in ("prefix", "suffix", "middle") if texts.get(name)]
    if len(needed) < 2 or any(marker not in numbers for marker in needed):
        return None
    return Template(
        order="spm" if texts["order"] == "spm" else "psm",
        prefix=ids("prefix"),
        suffix=ids("suffix"),
        middle=ids("middle"),
        repo=ids("repo"),
        separator=ids("separator"),
        stops=frozenset(numbers[marker] for marker in markers_of(texts) if marker in numbers),
        begin=begin,
    )
