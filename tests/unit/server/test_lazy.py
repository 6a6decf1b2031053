"""The protocol's types, made when they are used: few are, and they are what they always were."""

from __future__ import annotations

import inspect
import json
import re
import subprocess
import sys
from typing import Any

import attrs
from lsprotocol import types
from pygls.protocol import default_converter


def told(types: Any, converter: Any) -> dict[str, Any]:
    """Tell all that counts of the classes, once a converter has seen each message."""
    for request, response, _, _ in types.METHOD_TO_TYPES.values():
        for kind in (request, response):
            if kind is not None:
                converter.get_structure_hook(kind)
                converter.get_unstructure_hook(kind)
    classes = {name: kind for name, kind in types.ALL_TYPES_MAP.items() if isinstance(kind, type)}
    for kind in classes.values():
        converter.get_unstructure_hook(kind)
    return {
        name: [
            (
                field.name,
                # Which of two equal unions is named depends on which of them was named first.
                sorted(re.findall(r"[\w.]+", str(field.type))),
                re.sub(r" at 0x\w+", "", f"{field.default} {field.validator}"),
            )
            for field in attrs.fields(kind)
        ]
        for name, kind in classes.items()
        if attrs.has(kind)
    }


CHILD = f"""
import json, re
from typing import Any
import attrs
from sidecar.server import lazy
lazy.import_types()
from lsprotocol import types
from sidecar.server.protocol import Server

class Writer:
    def write(self, data):
        pass

{inspect.getsource(told)}
converter = Server(Writer()).protocol._converter
left = [len(lazy._waiting)]
place = {{"line": 1, "character": 2}}
sample = {{"insertText": "x", "range": {{"start": place, "end": place}}}}
item = converter.structure(sample, types.InlineCompletionItem)
assert item.range == types.Range(types.Position(1, 2), types.Position(line=1, character=2))
assert converter.unstructure(item) == sample
left.append(len(lazy._waiting))
found = told(types, converter)
left.append(len(lazy._waiting))
print(json.dumps([left, found]))
"""


def test_classes_that_are_made_late_are_those_that_are_made_at_once() -> None:
    done = subprocess.run(
        [sys.executable, "-c", CHILD], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    (at_first, later, in_the_end), found = json.loads(done.stdout)
    expected = told(types, default_converter())
    assert len(expected) > 500
    assert found == json.loads(json.dumps(expected))
    assert len(expected) - at_first <= 10
    # Of the sample: the item, the range, the position, and what a union has besides.
    assert at_first - later <= 10
    assert in_the_end == 0


CALLED_MEANWHILE = """
import attrs
from sidecar.server import lazy
lazy.import_types()
from lsprotocol import types

define, missing = attrs.define, []

def defined(kind, **how):
    # Whatever another thread would call just now.
    missing.append(kind.__init__ is object.__init__)
    return define(kind, **how)

attrs.define = defined
assert types.Position(1, 2) == types.Position(line=1, character=2)
assert missing == [False], missing
"""


def test_a_class_can_be_called_while_another_thread_makes_it() -> None:
    done = subprocess.run(
        [sys.executable, "-c", CALLED_MEANWHILE], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
