"""The model and its KV cache: the only module that touches llama_cpp, through its low-level API.

Everything here runs on the engine's inference thread, except `tokenize` (the vocabulary is read-
only) and `interrupt` (a flag that llama.cpp polls). Knows nothing of prompts, lanes or messages.
"""

from __future__ import annotations

import ctypes
import sys
from functools import cache
from pathlib import Path
from time import perf_counter
from typing import TYPE_CHECKING, Any

import llama_cpp as ll
import numpy as np

from sidecar.engine.devices import list_devices
from sidecar.engine.options import FimTokens, ModelOptions
from sidecar.errors import EngineError, ModelError

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from numpy.typing import NDArray

__all__ = [
    "FimTokens",
    "Interrupted",
    "Model",
    "ModelOptions",
    "NoRoom",
    "describe",
    "library_version",
]

#: Largest prompt chunk that one `llama_decode` may take, unless the options say less; llama.cpp
#: aborts the process above `n_batch`.
MAX_CHUNK = 512

_ERROR_LEVEL = 4
_KV_TYPES = {"f16": 1, "q4_0": 2, "q8_0": 8}
#: Bytes of one value; the quantised ones stand in blocks of 32 with a scale.
_KV_BYTES = {"f16": 2.0, "q4_0": 18 / 32, "q8_0": 34 / 32}


class Interrupted(Exception):
    """`interrupt` stopped a decode; the positions of the running chunk are gone."""


class NoRoom(Exception):
    """The KV cache has no free cells for this chunk; nothing was changed."""


class Model:
    """A loaded model with one context of several sequences.

    Args:
        path: The GGUF file.
        options: How to load it.
        on_progress: Called with 0..1 while the weights are read; a false answer stops loading.

    Raises:
        ModelError: The file is no model that can generate text.
        EngineError: There is not enough memory for the context.
    """

    def __init__(
        self, path: Path, options: ModelOptions, on_progress: Callable[[float], bool] | None = None
    ) -> None:
        self.options = options
        self._log = _errors_of_llama()
        self._log.clear()
        ll.llama_backend_init()
        self._model = self._load(path, on_progress)
        self._context = self._make_context()
        self._memory = ll.llama_get_memory(self._context)
        self._vocab = ll.llama_model_get_vocab(self._model)
        self.vocabulary_size: int = ll.llama_vocab_n_tokens(self._vocab)
        #: Bytes of one cell's keys and values in all layers, where all heads are of one size.
        self.cell_bytes = self._cell_bytes()
        self._batch = ll.llama_batch_init(MAX_CHUNK, 0, 1)
        self._interrupt_flag = ctypes.create_string_buffer(2)
        self._install_interrupt()
        #: Seconds spent inside llama_decode, and calls of it, since the start.
        self.decode_s = 0.0
        self.decode_calls = 0

    def _load(self, path: Path, on_progress: Callable[[float], bool] | None) -> Any:
        params = ll.llama_model_default_params()
        params.n_gpu_layers = self.options.gpu_layers
        if on_progress is not None:
            callback = ll.llama_progress_callback(lambda share, _data: bool(on_progress(share)))
            self._progress = callback  # ctypes holds no reference of its own.
            params.progress_callback = callback
        model = ll.llama_model_load_from_file(str(path).encode(), params)
        if not model:
            raise ModelError(
                f"llama.cpp cannot load {path.name}: {_first_error(self._log)}",
                "run `sidecar models verify`, or choose another model",
            )
        if ll.llama_model_has_encoder(model) or not ll.llama_model_has_decoder(model):
            raise ModelError(
                f"{path.name} is not a text generation model",
                "choose a code model; `sidecar models list` names some",
            )
        return model

    def _make_context(self) -> Any:
        options = self.options
        params = ll.llama_context_default_params()
        params.n_ctx = options.context_tokens
        params.n_batch = params.n_ubatch = options.batch_tokens
        params.n_seq_max = options.lanes
        params.n_threads = params.n_threads_batch = options.threads
        # One pool of cells for all lanes: a lane can be forked without copying, and each may use
        # what is free. What others hold makes a pass slower, by 17 % where six lanes hold 900
        # tokens each (0.5B model, two cores); but lanes with cells of their own need as many times
        # the memory for prompts as long, and a fork copies all of them.
        params.kv_unified = True
        params.type_k = params.type_v = _KV_TYPES[options.kv_type]
        context = ll.llama_init_from_model(self._model, params)
        if not context:
            ll.llama_model_free(self._model)
            reason = _first_error(self._log)
            raise EngineError(
                f"no memory for a context of {options.context_tokens} tokens: {reason}",
                "lower `engine.contextTokens` or choose a smaller model",
            )
        return context

    def _install_interrupt(self) -> None:
        # llama.cpp polls the callback after every graph node. A Python callback would take the
        # GIL hundreds of times a token; libc's strlen on a two-byte string answers "does it hold
        # a byte?" without it.
        if sys.platform == "win32":
            return
        strlen = ctypes.CDLL(None).strlen
        self._callback = ctypes.cast(strlen, ll.ggml_abort_callback)
        address = ctypes.cast(self._interrupt_flag, ctypes.c_void_p)
        ll.llama_set_abort_callback(self._context, self._callback, address)

    def interrupt(self) -> None:
        """Stop the running decode, at once on the CPU; other backends finish their chunk."""
        self._interrupt_flag[0] = b"x"

    def clear_interrupt(self) -> None:
        """Allow decoding again."""
        self._interrupt_flag[0] = b"\0"

    def close(self) -> None:
        """Free the context, then the model; the other order crashes."""
        ll.llama_batch_free(self._batch)
        ll.llama_free(self._context)
        ll.llama_model_free(self._model)

    # Vocabulary

    def tokenize(self, text: bytes, *, special: bool = False) -> list[int]:
        """Tokenize UTF-8 bytes by themselves, without a beginning-of-sequence token.

        Args:
            text: The bytes.
            special: Parse texts of special tokens; never for text that comes from a document.
        """
        if not text:
            return []
        room = len(text) + 8
        ids = (ll.llama_token * room)()
        count = ll.llama_tokenize(self._vocab, text, len(text), ids, room, False, special)
        return ids[:count]

    def pieces(self) -> list[bytes]:
        """List the bytes of every token; empty for control tokens."""
        buffer = ctypes.create_string_buffer(1024)
        pieces = []
        for token in range(self.vocabulary_size):
            size = ll.llama_token_to_piece(self._vocab, token, buffer, 1024, 0, False)
            pieces.append(buffer.raw[:size] if size > 0 else b"")
        return pieces

    def fim_tokens(self) -> FimTokens:
        """Read the fill-in-the-middle tokens that the file or llama.cpp itself names."""
        vocab = self._vocab
        return FimTokens(
            prefix=ll.llama_vocab_fim_pre(vocab),
            suffix=ll.llama_vocab_fim_suf(vocab),
            middle=ll.llama_vocab_fim_mid(vocab),
            repo=ll.llama_vocab_fim_rep(vocab),
            separator=ll.llama_vocab_fim_sep(vocab),
            pad=ll.llama_vocab_fim_pad(vocab),
        )

    def end_tokens(self, pieces: Sequence[bytes]) -> set[int]:
        """List the tokens that end a generation: control tokens, and what the file names so."""
        few = {token for token, piece in enumerate(pieces) if not piece}
        few |= {ll.llama_vocab_eos(self._vocab), ll.llama_vocab_eot(self._vocab)}
        return {token for token in few if ll.llama_vocab_is_eog(self._vocab, token)}

    def begin_token(self) -> int | None:
        """Name the token that must stand first, if the vocabulary wants one."""
        if not ll.llama_vocab_get_add_bos(self._vocab):
            return None
        token: int = ll.llama_vocab_bos(self._vocab)
        return token if token >= 0 else None

    def _cell_bytes(self) -> int:
        model = self._model
        head = ll.llama_model_n_embd(model) // max(1, ll.llama_model_n_head(model))
        values: int = 2 * ll.llama_model_n_layer(model) * ll.llama_model_n_head_kv(model) * head
        return int(values * _KV_BYTES[self.options.kv_type])

    def description(self) -> str:
        """Give llama.cpp's one-line description of the model."""
        buffer = ctypes.create_string_buffer(256)
        ll.llama_model_desc(self._model, buffer, 256)
        return buffer.value.decode(errors="replace")

    # The KV cache

    def decode(self, lane: int, tokens: Sequence[int], position: int) -> NDArray[np.float32]:
        """Evaluate one chunk and return the logits after it; see `decode_rows`."""
        return self.decode_rows(lane, tokens, position, 1)[0]

    def decode_rows(
        self, lane: int, tokens: Sequence[int], position: int, rows: int
    ) -> list[NDArray[np.float32]]:
        """Evaluate one chunk and return the logits after its last tokens.

        Args:
            lane: Sequence id.
            tokens: 1 to `MAX_CHUNK` token ids.
            position: Position of the first of them; the sequence must hold exactly that many.
            rows: How many of the last tokens get a row.

        Returns:
            The rows in the order of their tokens, valid until the next decode.

        Raises:
            Interrupted: `interrupt` was called; ask `length` what is left.
            NoRoom: The cache is full; nothing was changed.
            EngineError: llama.cpp failed.
        """
        batch = self._batch
        count = len(tokens)
        batch.n_tokens = count
        for index, token in enumerate(tokens):
            batch.token[index] = token
            batch.pos[index] = position + index
            batch.n_seq_id[index] = 1
            batch.seq_id[index][0] = lane
            batch.logits[index] = index >= count - rows
        started = perf_counter()
        code = ll.llama_decode(self._context, batch)
        if code == 0:
            # Waits for the device where there is one, so the time is that of the whole pass.
            pointers = [
                ll.llama_get_logits_ith(self._context, index)
                for index in range(count - rows, count)
            ]
        self.decode_s += perf_counter() - started
        self.decode_calls += 1
        if code == 1:
            raise NoRoom
        if code == 2:
            raise Interrupted
        if code != 0:
            raise EngineError(f"llama_decode failed with {code}", "see the engine's log")
        return [np.ctypeslib.as_array(pointer, (self.vocabulary_size,)) for pointer in pointers]

    def length(self, lane: int) -> int:
        """Count the positions that a sequence holds."""
        last: int = ll.llama_memory_seq_pos_max(self._memory, lane)
        return last + 1

    def truncate(self, lane: int, length: int) -> bool:
        """Drop the positions from `length` on; False where the memory cannot drop a part."""
        done: bool = ll.llama_memory_seq_rm(self._memory, lane, length, -1)
        return done

    def fork(self, source: int, target: int, length: int) -> None:
        """Make `target` (which must be empty) share the first `length` positions of `source`."""
        ll.llama_memory_seq_cp(self._memory, source, target, 0, length)

    def save(self, lane: int) -> bytearray:
        """Copy the state of a sequence; what a decode has shifted but not applied is not in it."""
        size = ll.llama_state_seq_get_size(self._context, lane)
        state = bytearray(size)
        view = (ctypes.c_uint8 * size).from_buffer(state)
        written = ll.llama_state_seq_get_data(self._context, view, size, lane)
        del view
        del state[written:]
        return state

    def restore(self, lane: int, state: bytearray, length: int) -> bool:
        """Put a saved state into an empty sequence; tell whether it holds `length` positions now.

        Args:
            lane: The sequence, which is empty if that fails.
            state: What `save` returned, on a context that keeps its values in the same way.
            length: How many positions that were.
        """
        view = (ctypes.c_uint8 * len(state)).from_buffer(state)
        read = ll.llama_state_seq_set_data(self._context, view, len(state), lane)
        if read == len(state) and self.length(lane) == length:
            return True
        self.truncate(lane, 0)
        return False


def library_version() -> str:
    """Name the library, and the form in which it copies a sequence."""
    return f"{ll.__version__} {ll.LLAMA_STATE_SEQ_VERSION}"


def describe() -> dict[str, Any]:
    """Tell what this build of llama.cpp can do, for `sidecar doctor`."""
    _errors_of_llama()
    ll.llama_backend_init()
    return {
        "llama_cpp": ll.__version__,
        "system_info": ll.llama_print_system_info().decode().strip(),
        "gpu_offload": bool(ll.llama_supports_gpu_offload()),
        "devices": list_devices(Path(ll.__file__).parent / "lib"),
    }


@cache
def _errors_of_llama() -> list[str]:
    """Send llama.cpp's log, which is long, to a list that keeps only its last errors.

    The log is the library's own global, so there is one list, and its callback must never be freed.
    """
    lines: list[str] = []

    def keep(level: int, text: bytes, _data: Any) -> None:
        if level == _ERROR_LEVEL:
            lines.append(text.decode(errors="replace").strip())
            del lines[:-20]

    callback = ll.llama_log_callback(keep)
    ll.llama_log_set(callback, ctypes.c_void_p(0))
    _errors_of_llama.callback = callback  # type: ignore[attr-defined]
    return lines


def _first_error(lines: list[str]) -> str:
    return lines[0].split(": ", 1)[-1] if lines else "no reason given"
