"""The pipeline of completions for one command, with the index of the project around a file.

May import everything but `server` and `bench`.
"""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING

from sidecar.cli.workspace import root_around, up_to_date
from sidecar.completion.anchoring import Anchors
from sidecar.completion.contexts import Contexts, NoWorkspace
from sidecar.completion.folder import Folder
from sidecar.completion.service import CompletionService
from sidecar.errors import UsageError
from sidecar.syntax import Bodies, Languages, Trees
from sidecar.telemetry import Metrics

if TYPE_CHECKING:
    from collections.abc import Iterator

    from sidecar.completion.answering import EngineSource
    from sidecar.completion.contexts import Workspace
    from sidecar.settings import Settings

__all__ = ["service_of", "workspace_around"]


def service_of(
    engines: EngineSource,
    workspace: Workspace,
    settings: Settings,
    metrics: Metrics | None = None,
) -> CompletionService:
    """Put a pipeline together, as a server does for its client."""
    languages, trees, metrics = Languages.load(), Trees(), metrics or Metrics()
    contexts = Contexts(workspace, languages, trees)
    anchors = Anchors(Bodies(languages, trees), contexts, metrics, lambda: settings)
    return CompletionService(engines, anchors, metrics, lambda: settings)


@contextmanager
def workspace_around(file: str, settings: Settings) -> Iterator[Workspace]:
    """Give what is known of the project that a file is in, brought up to date.

    Args:
        file: The file.
        settings: Whether anything of other files is wanted.

    Raises:
        SidecarError: The index cannot be made.
    """
    try:
        root = root_around(file) if settings.context.sources and settings.index.enabled else None
    except UsageError:
        # A file that is in no project has itself only.
        root = None
    if root is None:
        yield NoWorkspace()
        return
    with up_to_date(root) as reader:
        yield Folder(root, reader)
