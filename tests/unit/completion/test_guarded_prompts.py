"""What leaves the front: no segment, card, log or counter of a real pipeline holds a secret.

The engine is one that only records what it is sent; nothing is computed.
"""

from __future__ import annotations

import json
import logging
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import pytest
from cursor import at_cursor
from secret_samples import Planted, planted

from sidecar.cli.pipeline import service_of
from sidecar.completion.anchor import choose
from sidecar.completion.contexts import NoWorkspace
from sidecar.context import Tokens, WindowLimits
from sidecar.context.guard import PLACEHOLDER
from sidecar.engine.messages import Completion, Request, Stats
from sidecar.settings import Settings
from sidecar.settings.schema import ContextSettings
from sidecar.text import Buffer, Document

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sidecar.completion.service import CompletionService

CASES = planted()
FILLER = "".join(f"value_{n} = compute({n})\n" for n in range(12))


class Recorder:
    """Stands where `EngineClient` and its supervisor stand."""

    def __init__(self) -> None:
        self.plan: Any = None
        self.state = SimpleNamespace(info=None)
        self.requests: list[Request] = []
        self.answer = "compute(1)"

    async def engine(self) -> Any:
        return self

    def served(self) -> None: ...

    async def count(self, texts: Sequence[str]) -> list[int]:
        return [len(text) // 3 + 1 for text in texts]

    async def complete(self, request: Request, on_text: Any = None) -> Completion:
        self.requests.append(request)
        return Completion(self.answer, Stats(stop="newline"))

    def sent(self, *kinds: str) -> str:
        """Return the text of the last request's segments."""
        return "\0".join(s.text for s in self.requests[-1].segments if s.kind in kinds)


@pytest.fixture
def engine() -> Recorder:
    return Recorder()


@pytest.fixture
def service(engine: Recorder) -> CompletionService:
    # The largest keys have room in it.
    context = ContextSettings(before_tokens=512, after_tokens=128)
    return service_of(engine, NoWorkspace(), Settings(context=context))


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
async def test_nothing_that_was_planted_leaves_the_front(
    service: CompletionService,
    engine: Recorder,
    case: Planted,
    caplog: pytest.LogCaptureFixture,
) -> None:
    caplog.set_level(logging.DEBUG)
    near = far = case.text.replace("|", "‖")
    # Far above, among the lines that would be sent as they are typed, and below.
    fixture = f"{FILLER}{far}{FILLER}{near}\nresult = |\n{near}{FILLER}{far}"
    outcome = await service.suggest(*at_cursor(fixture))
    assert outcome.card is not None
    told = json.dumps([outcome.card.as_dict(), [r.message for r in caplog.records]])
    sent = engine.sent("repo", "outline", "prefix", "suffix", "typed")
    assert not [s for s in case.secrets if s in sent or s in told]
    assert PLACEHOLDER in engine.sent("prefix", "suffix")
    (note,) = [note for note in outcome.card.notes if note.startswith("hidden from the model: ")]
    # The same card without a request.
    card = (await service.preview(*at_cursor(fixture))).card
    assert note in card.notes


def test_at_no_cursor_of_a_file_full_of_secrets_is_one_shown() -> None:
    between = "".join(f"value_{n} = compute({n})\n" for n in range(3))
    text = "\n".join(f"{case.text}\n{between}" for case in CASES)
    buffer = Buffer.of(text)
    document = Document("file:///w/a.py", "/w/a.py", "python", 1, buffer)
    secrets = [secret for case in CASES for secret in case.secrets]
    window = WindowLimits(before_tokens=300, after_tokens=100)
    last = None
    for line in range(buffer.line_count):
        cursor = buffer.line_end(line)
        found = choose(document, cursor, window=window, previous=last)
        if last is not None and last.window_start == found.anchor.window_start:
            # What the engine has evaluated stays what it is when the anchor moves.
            assert found.anchor.shown_prefix.startswith(last.shown_prefix)
        last = found.anchor
        above = buffer.slice(found.anchor.offset, buffer.line_start(line))
        # Of a secret's name and its value the anchor may stand between; neither is shown.
        shown = (found.anchor.shown_prefix, found.anchor.shown_suffix, above)
        wrong = [secret for secret in secrets if any(secret in part for part in shown)]
        assert not wrong, buffer.line(line)


async def test_what_is_blanked_does_not_move_while_one_types(
    service: CompletionService, engine: Recorder
) -> None:
    above = f'{FILLER}password = "hunter2"\n{FILLER}'
    below = '\napi_key = "a1b2c3d4e5f6a7b8"\n'
    for typed in ("", "x", "x =", "x = v", "x = va", "x = val"):
        await service.suggest(*at_cursor(f"{above}{typed}|{below}"))
    frozen = {request.segments[:2] for request in engine.requests}
    assert len(frozen) == 1
    assert [request.segments[2].text[-3:] for request in engine.requests[-2:]] == [" va", "val"]


async def test_what_is_typed_is_the_users_own_until_the_anchor_moves(
    service: CompletionService, engine: Recorder
) -> None:
    await service.suggest(*at_cursor(f"{FILLER}|\n"))
    await service.suggest(*at_cursor(f'{FILLER}password = "hunter2"|\n'))
    assert "hunter2" in engine.sent("typed")
    assert "hunter2" not in engine.sent("prefix", "suffix")
    await service.suggest(*at_cursor(f'{FILLER}password = "hunter2"\nx = |\n'))
    assert "hunter2" in engine.sent("typed")
    # Elsewhere, and back: now it is a line of the file.
    service.reset()
    await service.suggest(*at_cursor(f'{FILLER}password = "hunter2"\nx = |\n'))
    assert engine.sent("typed") == "x = "
    assert "hunter2" not in engine.sent("prefix", "suffix", "typed")


async def test_a_secret_with_the_cursor_inside(
    service: CompletionService, engine: Recorder
) -> None:
    await service.suggest(*at_cursor(f'{FILLER}password = "hunter2-|.cats-and-9-dogs"\n{FILLER}'))
    assert engine.sent("typed").endswith('password = "hunter2-')
    assert engine.sent("suffix").startswith(f'{PLACEHOLDER}"\n')


async def test_no_placeholder_is_offered(service: CompletionService, engine: Recorder) -> None:
    engine.answer = f'"{PLACEHOLDER}"'
    fixture = f'{FILLER}password = "hunter2"\n{FILLER}x = |\n'
    assert (await service.suggest(*at_cursor(fixture))).reason == "placeholder"
    # Where nothing is hidden, stars are stars.
    assert (await service.suggest(*at_cursor(f"{FILLER}x = |\n"))).suggestion is not None


def test_an_anchor_keeps_the_documents_text_beside_what_is_shown() -> None:
    document, offset = at_cursor(f'password = "hunter2"\n{FILLER}|\ntoken = "a1b2c3d4e5"\n')
    anchor = choose(document, offset, tokens=Tokens()).anchor
    buffer = document.buffer
    assert buffer.slice(anchor.window_start, anchor.offset) == anchor.prefix
    assert "hunter2" in anchor.prefix and "hunter2" not in anchor.shown_prefix
    assert buffer.slice(offset, offset + len(anchor.suffix)) == anchor.suffix
    assert anchor.shown_suffix == f'\ntoken = "{PLACEHOLDER}"\n'
    assert anchor.hidden == ("password", "token")
