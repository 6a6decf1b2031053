"""Infilling tasks: a text with a hole from a cursor to the end of a line, and what stood there.

Of code, also holes of several lines.

Reads HumanEval infilling files, and folders of Python code. The same seed gives the same tasks in
the same order with the same cursors, and a smaller limit the head of a larger one. May import
`errors` and `text`.
"""

from __future__ import annotations

import ast
import gzip
import hashlib
import json
import random
import warnings
from dataclasses import dataclass
from typing import TYPE_CHECKING

from sidecar.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from pathlib import Path

__all__ = ["Task", "load_tasks", "tasks_of_code", "tasks_of_humaneval"]

#: Lines of real code that are worth guessing have so many characters besides blanks …
LEAST_CHARACTERS = 14
#: … stand in a function that spans more lines than this, and so far below its first statement.
LEAST_BODY_LINES = 8
BELOW_BODY_START = 2
#: The cursor leaves so many characters to guess, where the line has them.
LEAST_REST = 4
#: Lines shown of a file of code; HumanEval's are shown whole.
CODE_WINDOW = (50, 15)
WHOLE = (10_000, 10_000)


@dataclass(frozen=True, slots=True)
class Task:
    """One hole.

    Args:
        name: Names the task among those of its data.
        path: A file name, from which the language is known.
        before: All text before the cursor.
        rest: What stood from the cursor to the end of the last line, without blanks at line ends.
        after: All text after it, which begins with the line's break.
        window: Lines before and after the cursor that may be shown.
    """

    name: str
    path: str
    before: str
    rest: str
    after: str
    window: tuple[int, int]

    @property
    def lines(self) -> int:
        """How many lines are missing, in whole or in part."""
        return self.rest.count("\n") + 1

    def digest(self) -> str:
        """Return what changes when the task does."""
        return hashlib.sha256(repr(self).encode("utf-8", "backslashreplace")).hexdigest()[:16]


def load_tasks(data: Path, *, limit: int, seed: int, lines: int = 1) -> list[Task]:
    """Read tasks from a file of HumanEval infilling or a folder of code.

    Args:
        data: The file or folder.
        limit: Most tasks.
        seed: Which tasks and cursors.
        lines: How many lines are missing.

    Raises:
        UsageError: There is nothing of that kind.
    """
    if data.is_dir():
        found = tasks_of_code(data, seed, lines)
    elif lines > 1:
        raise UsageError(f"{data} has holes of one line", "name a folder of code for longer ones")
    elif data.exists():
        found = tasks_of_humaneval(_rows(data), seed)
    else:
        raise UsageError(f"{data} does not exist", "name a JSONL file or a folder of code")
    # Names sort the same everywhere; folders do not.
    found.sort(key=lambda task: task.name)
    random.Random(seed).shuffle(found)
    if not found:
        raise UsageError(
            f"{data} holds no task",
            "name a HumanEval infilling file, or a folder with Python functions of 8 lines or more",
        )
    return found[:limit]


def tasks_of_humaneval(rows: Iterable[dict[str, str]], seed: int) -> list[Task]:
    """Make a task of each row: `prompt`, `suffix` and the line `canonical_solution` between."""
    return [
        _cut(
            name=row["task_id"],
            path=f"{row['task_id'].replace('/', '-')}.py",
            above=row["prompt"],
            line=row["canonical_solution"].removesuffix("\n"),
            below="\n" + row["suffix"],
            window=WHOLE,
            seed=seed,
        )
        for row in rows
    ]


def tasks_of_code(folder: Path, seed: int, lines: int = 1) -> list[Task]:
    """Make a task of each line inside functions that is worth guessing.

    Args:
        folder: Where the code is.
        seed: Which cursors.
        lines: How many lines are missing; they stand in one function, without a blank one.
    """
    tasks: list[Task] = []
    for path in sorted(folder.rglob("*.py")):
        name = path.relative_to(folder).as_posix()
        try:
            source = path.read_text(encoding="utf-8")
            numbers = sorted(set(_lines_in_functions(source, lines)))
        except (UnicodeDecodeError, SyntaxError, ValueError, OSError):
            # Templates and broken files are no code to learn anything from.
            continue
        written = source.split("\n")
        tasks += [
            _cut(
                name=f"{name}:{number + 1}",
                path=name,
                above="".join(line + "\n" for line in written[:number]),
                line=written[number],
                more=written[number + 1 : number + lines],
                below="".join("\n" + line for line in written[number + lines :]),
                window=CODE_WINDOW,
                seed=seed,
            )
            for number in numbers
        ]
    return tasks


def _cut(
    *,
    name: str,
    path: str,
    above: str,
    line: str,
    below: str,
    window: tuple[int, int],
    seed: int,
    more: Sequence[str] = (),
) -> Task:
    """Put the cursor at a random character of a line, behind which more lines may be missing."""
    begin = len(line) - len(line.lstrip())
    last = max(begin, len(line.rstrip()) - LEAST_REST)
    # By name: the cursor of a task must not depend on which other tasks there are.
    column = random.Random(f"{seed}:{name}").randint(begin, last)
    rest = "\n".join(part.rstrip() for part in (line[column:], *more))
    return Task(name, path, above + line[:column], rest, below, window)


def _lines_in_functions(source: str, missing: int = 1) -> Iterator[int]:
    with warnings.catch_warnings():
        # Old code has escapes that newer Pythons warn of; that is not ours to report.
        warnings.simplefilter("ignore")
        tree = ast.parse(source)
    lines = source.split("\n")
    for node in ast.walk(tree):
        if not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            continue
        end = node.end_lineno or node.lineno
        if end - node.lineno < LEAST_BODY_LINES:
            continue
        body = node.body[1:] if ast.get_docstring(node) is not None else node.body
        if not body:
            continue
        for number in range(body[0].lineno - 1 + BELOW_BODY_START, min(end, len(lines))):
            text = lines[number].strip()
            block = lines[number : min(number + missing, end)]
            if len(block) < missing or not all(line.strip() for line in block):
                continue
            if len(text) >= LEAST_CHARACTERS and not text.startswith(("#", '"', "'")):
                yield number


def _rows(path: Path) -> Iterator[dict[str, str]]:
    fix = "give a JSONL file with prompt, suffix and canonical_solution, or a folder of code"
    opener = gzip.open if path.suffix == ".gz" else open
    try:
        with opener(path, "rt", encoding="utf-8") as file:
            for line in file:
                row = json.loads(line)
                for key in ("task_id", "prompt", "suffix", "canonical_solution"):
                    if not isinstance(row[key], str):
                        raise TypeError(key)
                yield row
    except (OSError, EOFError) as error:
        raise UsageError(f"{path} cannot be read ({error})", fix) from error
    except (ValueError, KeyError, TypeError) as error:
        raise UsageError(f"{path} holds no infilling tasks", fix) from error
