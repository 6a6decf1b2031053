"""All variants of a task ask at the same place, and never show the answer."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from sidecar.bench.quality_prompts import SOURCES, Prompts, variant_of
from sidecar.bench.quality_tasks import indexed, tasks_of
from sidecar.completion.short import BEFORE_TOKENS
from sidecar.context import WindowLimits
from sidecar.context.signals import SIGNALS
from sidecar.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from sidecar.bench.quality_tasks import QualityTask, Tree

ORDERS = "".join(
    f"def find_order_{n}(customer, newest_first=False):\n"
    f'    """Find order {n}."""\n'
    f"    return customer.orders[{n}] if newest_first else None\n\n\n"
    for n in range(30)
)
FILLER = "".join(f"def helper_{n}(value):\n    return value + {n}\n\n\n" for n in range(60))
ANSWER = "secret_answer = find_order_7(request.customer, newest_first=True)"
SHOW = f"def show(request):\n    {ANSWER}\n    return 1\n"
VIEWS = f"from .orders import find_order_7\n\n\n{FILLER}{SHOW}"


@pytest.fixture(scope="module")
def tree(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Tree]:
    folder = tmp_path_factory.mktemp("tree")
    root = folder / "shop-1.0"
    (root / "shop").mkdir(parents=True)
    for name, text in (("__init__", ""), ("orders", ORDERS), ("views", VIEWS)):
        (root / "shop" / f"{name}.py").write_text(text)
    with indexed(root, folder) as made:
        yield made


@pytest.fixture(scope="module")
def task(tree: Tree) -> QualityTask:
    for seed in range(99):
        for made in tasks_of(tree, seed=seed, most_tokens=10_000):
            if made.position == "start":
                assert made.rest == ANSWER
                return made
    pytest.fail("there is no task")


def prompts(tree: Tree) -> Prompts:
    async def estimated(texts: Sequence[str]) -> dict[str, int]:
        return {text: -(-len(text) // 3) for text in texts}

    limits = WindowLimits(256, 64, 512, 128)
    return Prompts([tree], estimated, limits=limits, head_tokens=4000, seed=1)


EVERY = (
    *("full", "all", "current-file", "ring", "whole-file", "pruned", "only:above", "only:outline"),
)


async def test_all_variants_ask_at_the_same_place(tree: Tree, task: QualityTask) -> None:
    maker = prompts(tree)
    texts = {}
    for name in EVERY:
        made = await maker.make(task, variant_of(name, frozenset(SOURCES)))
        texts[name] = {part.kind: part.text for part in made.segments if part.kind != "repo"}
        whole = "\n".join(part.text for part in made.segments)
        # The rest of the line stands nowhere, whatever else of the file is shown.
        assert "secret_answer" not in whole
        assert made == await prompts(tree).make(task, variant_of(name, frozenset(SOURCES)))
    assert len({shown["typed"] for shown in texts.values()}) == 1
    windows = {texts[n]["prefix"] for n in ("current-file", "ring", "only:outline")}
    assert len(windows) == 1
    # The same window, below what is shown of the file above it.
    assert texts["full"]["prefix"] == texts["only:above"]["prefix"]
    assert texts["full"]["prefix"].endswith(windows.pop())
    assert "outline" not in texts["current-file"]
    assert texts["whole-file"]["prefix"] + texts["whole-file"]["typed"] == task.before
    assert texts["whole-file"]["suffix"] == task.after
    assert "def helper_3(value): ..." in texts["pruned"]["prefix"]
    assert "value + 3\n" not in texts["pruned"]["prefix"]
    assert "def helper_3(value): ..." in texts["only:outline"]["outline"]


async def test_a_short_prompt_is_what_is_shown_before_the_whole_one(
    tree: Tree, task: QualityTask
) -> None:
    made = await prompts(tree).make(task, variant_of("short", frozenset(SOURCES)))
    prefix, suffix, typed = (part.text for part in made.segments)
    assert (prefix + typed).endswith(task.before[-30:])
    assert task.before.endswith(prefix + typed) and task.after.startswith(suffix)
    assert len(prefix + typed) <= 2.5 * BEFORE_TOKENS


async def test_a_ring_is_the_same_for_a_tree_but_for_the_answer(
    tree: Tree, task: QualityTask
) -> None:
    made = await prompts(tree).make(task, variant_of("ring", frozenset()))
    repository = [part.text for part in made.segments if part.kind == "repo"]
    assert repository[0] == "shop-1.0\n"
    # There are five chunks of the one file and eight of the other, one of which holds the answer.
    assert len(repository) == 1 + 5 + 8 - 1
    assert all(text.count("\n") <= 33 for text in repository)
    assert {source for source, _, _ in made.parts} == {"ring"}


def test_variants_by_name() -> None:
    usual = frozenset({"outline", "similar"})
    assert variant_of("full", usual).sources == usual
    assert variant_of("without:similar", usual).sources == {"outline"}
    assert variant_of("with:edits,viewed", usual).sources == usual | {"edits", "viewed"}
    assert variant_of("only:members", usual).sources == {"members"}
    assert variant_of("all", usual).sources == set(SOURCES) - SIGNALS
    for name in ("", "fuller", "without", "only:", "full:outline", "ring:similar"):
        with pytest.raises(UsageError, match="no variant"):
            variant_of(name, usual)
    with pytest.raises(UsageError, match="no source of context named 'other'"):
        variant_of("without:other", usual)
