"""A loaded engine without its sockets: model, template, lanes and decoder, warmed up and measured.

Tests and the host use it alike. Runs on the inference thread.
"""

from __future__ import annotations

from time import monotonic
from typing import TYPE_CHECKING, Final

from sidecar.engine.decode import Decoder
from sidecar.engine.drafter import load_drafter
from sidecar.engine.drafts import Controller
from sidecar.engine.lanes import Lanes
from sidecar.engine.measuring import measure
from sidecar.engine.messages import ModelInfo
from sidecar.engine.model import Model, ModelOptions, library_version
from sidecar.engine.pace import Pace
from sidecar.engine.shelf import Shelf
from sidecar.engine.template import Assembler, detect_template, template_from_texts
from sidecar.text import encode_utf8

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from sidecar.engine.drafter import Drafter
    from sidecar.engine.messages import Completion, Request
    from sidecar.engine.spec import EngineSpec

__all__ = ["Inference"]

#: Lanes are written so often at most while the engine rests; if it is killed, less is lost.
_KEEP_SECONDS: Final = 300.0


class Inference:
    """Everything that completes requests, on one thread.

    Args:
        spec: The model and how to load it.
        on_progress: Called with 0..1 while the weights are read; a false answer stops loading.

    Raises:
        ModelError: The file is no model that can generate text.
        EngineError: There is not enough memory, or the spec's template does not belong to the
            model.
    """

    def __init__(
        self, spec: EngineSpec, on_progress: Callable[[float], bool] | None = None
    ) -> None:
        options = ModelOptions(
            context_tokens=spec.context_tokens,
            lanes=spec.lanes,
            threads=spec.threads,
            gpu_layers=spec.gpu_layers,
            kv_type=spec.kv_type,
        )
        self.model = Model(spec.model_path, options, on_progress)
        self.pace = Pace(spec.chunk_ms)
        self.lanes = Lanes(self.model, self.pace, shelf=_shelf(spec))
        self._kept_at = -_KEEP_SECONDS
        begin = self.model.begin_token()
        if spec.template:
            self.template = template_from_texts(dict(spec.template), self.model, begin)
        else:
            self.template = detect_template(self.model.fim_tokens(), begin)
        pieces = self.model.pieces()
        self.assembler = Assembler(self.template, self.model, pieces)
        ends = frozenset(self.model.end_tokens(pieces) | self.template.stops)
        steps_back = measure(self.model, self.pace)
        self.controller = Controller(self.pace.batches) if steps_back else None
        #: The draft model, or why there is none though one is wanted.
        self.drafter: Drafter | None = None
        self.draft_problem = "this model's memory cannot step back, so nothing drafts for it"
        if steps_back:
            lead = self.template.prefix
            loaded = load_drafter(spec, pieces, lead, self.pace.batches)
            self.drafter, self.draft_problem = loaded
        elif spec.draft_path is None:
            self.draft_problem = ""
        self._decoder = Decoder(
            self.model, self.lanes, self.assembler, pieces, ends, self.controller, self.drafter
        )

    def run(
        self,
        request: Request,
        arrived: float,
        stopped: Callable[[], bool],
        on_text: Callable[[str], None],
    ) -> Completion:
        """Complete one request; see `Decoder.run`."""
        return self._decoder.run(request, arrived, stopped, on_text)

    def pause(self) -> None:
        """Give up the lanes that nobody used for long."""
        self.lanes.expire()

    def rest(self, stopped: Callable[[], bool]) -> None:
        """Keep lanes on disk, and give up those that nobody used for long.

        Args:
            stopped: Tells whether there is something to do.
        """
        now = monotonic()
        if now - self._kept_at >= _KEEP_SECONDS:
            self._kept_at = now
            self.lanes.keep(stopped)
        self.lanes.expire()

    def end(self) -> None:
        """Keep lanes for the next session."""
        self.lanes.keep()

    def interrupt(self) -> None:
        """Stop the running decode; may be called from any thread."""
        self.model.interrupt()
        if self.drafter is not None:
            self.drafter.model.interrupt()

    def clear_interrupt(self) -> None:
        """Allow decoding again."""
        self.model.clear_interrupt()
        if self.drafter is not None:
            self.drafter.model.clear_interrupt()

    def count(self, texts: Sequence[str]) -> list[int]:
        """Count the tokens of each text by itself; may be called from any thread."""
        return [len(self.model.tokenize(encode_utf8(text))) for text in texts]

    def info(self) -> ModelInfo:
        """Tell what was loaded and how fast it is."""
        options = self.model.options
        return ModelInfo(
            description=self.model.description(),
            layout=self.template.order,
            context_tokens=options.context_tokens,
            lanes=options.lanes,
            prompt_tokens_per_s=self.pace.prompt_tokens_per_s,
            one_token_ms=self.pace.one_token_ms,
            threads=options.threads,
            gpu_layers=options.gpu_layers,
            draft=self.drafter.model.description() if self.drafter is not None else "",
            draft_problem=self.draft_problem,
        )

    def close(self) -> None:
        """Free the models."""
        if self.drafter is not None:
            self.drafter.model.close()
        self.model.close()


def _shelf(spec: EngineSpec) -> Shelf | None:
    """Return the lanes on disk that an engine of a spec can use."""
    if spec.lanes_folder is None:
        return None
    # All that has to be the same: on devices, values may be kept in another order.
    key = f"{spec.identity} {library_version()} {spec.kv_type} {spec.gpu_layers}"
    return Shelf(spec.lanes_folder, key, spec.lanes_bytes)
