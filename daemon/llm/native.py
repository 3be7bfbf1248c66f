"""llama.cpp through a small door: tokens, a context, and what it remembers of them.

For the worker process only, since an assertion in native code ends its process. The calls are those of
llama-cpp-python 0.3.36 (pinned); its high-level class can neither share memory between sequences nor be
cancelled.
"""

import collections
import ctypes
import hashlib
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import llama_cpp
import llama_cpp.llama_cpp as llama
import numpy as np
from numpy.typing import NDArray

BATCH = 128
"""Tokens per step. Larger ones are no faster on a CPU (66 tokens/s, 63 at 512) and need more memory."""
PROMPT, WORK, SPARE = range(3)
"""The sequences of the one context: the prompt, and two for putting its parts together. They share cells."""
SEQUENCES = 3
ABORTED = 2  # llama_decode's code for "the abort callback said so"
FULL = 1  # ... for "no room in the context"
LOG_ERROR = 4  # ggml's level; 3 is a warning
ENDS = 1 << 20


class NativeError(RuntimeError):
    """llama.cpp refused; the message says what it logged."""


class Aborted(Exception):
    """decode() ended early because `abort` was set; what is done stays done."""


class NativeModel:
    """One model file with one context. Not for several threads, but for `abort`, which any thread may set.

    Raises NativeError when the file cannot be loaded.
    """

    def __init__(self, file: Path, context_tokens: int, threads: int) -> None:
        self.abort = False
        self.log = _Log()
        self._model = self._load(file)
        self._context = self._open_context(context_tokens, threads)
        self._memory = llama.llama_get_memory(self._context)
        self._vocabulary = llama.llama_model_get_vocab(self._model)
        self._batch = llama.llama_batch_init(BATCH, 0, 1)
        self.words: int = llama.llama_vocab_n_tokens(self._vocabulary)
        """How many tokens the vocabulary has."""
        self._newline = self._tokenize("\n", special=False)
        self.context_tokens: int = llama.llama_n_ctx(self._context)
        self.fingerprint = self._fingerprint(file)
        """Stands for all that a state depends on: the file, this llama.cpp, and how the context was made."""

    @property
    def chat_template(self) -> str | None:
        template = llama.llama_model_chat_template(self._model, None)
        return template.decode("utf-8", "replace") if template else None

    @property
    def start(self) -> list[int]:
        """The tokens that every prompt of this model begins with: none or one."""
        return [self._bos] if llama.llama_vocab_get_add_bos(self._vocabulary) and self._bos >= 0 else []

    @property
    def start_text(self) -> str:
        return self._special_text(self._bos)

    @property
    def end_text(self) -> str:
        return self._special_text(llama.llama_vocab_eos(self._vocabulary))

    @property
    def can_rewind(self) -> bool:
        """Return whether the last tokens alone can be forgotten; recurrent architectures only forget everything."""
        return not (llama.llama_model_is_recurrent(self._model) or llama.llama_model_is_hybrid(self._model))

    @property
    def can_splice(self) -> bool:
        """Return whether remembered tokens may be moved to other positions."""
        return self.can_rewind and bool(llama.llama_memory_can_shift(self._memory))

    def tokenize(self, text: str, *, special: bool = False) -> list[int]:
        """Return the tokens of a text that follows a line's end; with `special`, markers count as such."""
        if special:
            return self._tokenize(text, special=True)
        # Some vocabularies put a space before the first word of each call; behind a newline they do not.
        tokens = self._tokenize("\n" + text, special=False)
        head = len(self._newline)
        return tokens[head:] if tokens[:head] == self._newline else self._tokenize(text, special=False)

    def piece(self, token: int) -> bytes:
        """The text of a token, of any length; markers have none."""
        buffer = ctypes.create_string_buffer(64)
        length = llama.llama_token_to_piece(self._vocabulary, token, buffer, len(buffer), 0, False)
        if length < 0:
            buffer = ctypes.create_string_buffer(-length)
            length = llama.llama_token_to_piece(self._vocabulary, token, buffer, len(buffer), 0, False)
        return buffer.raw[:length]

    def ends(self, token: int) -> bool:
        """Return whether the model says with this token that it is done."""
        return bool(llama.llama_vocab_is_eog(self._vocabulary, token))

    def decode(self, tokens: Sequence[int], start: int, *, every: bool = False, sequence: int = PROMPT) -> None:
        """Read tokens at positions start, start + 1, ...; afterwards best() tells what follows the last one.

        With `every`, best() tells it for each of them (at most BATCH tokens). Raises Aborted or NativeError;
        what was read until then is remembered, see length().
        """
        for begin in range(0, len(tokens), BATCH):
            part = tokens[begin : begin + BATCH]
            self._fill(part, start + begin, sequence, every)
            code = llama.llama_decode(self._context, self._batch)
            if code == ABORTED or self.abort:
                raise Aborted
            if code == FULL:
                raise NativeError("the context is full")
            if code != 0:
                raise NativeError(f"llama.cpp cannot go on (code {code}){self.log.because()}")

    def best(self, place: int = -1) -> int:
        """The likeliest token after the last one read, or after the one at `place` of the last decode()."""
        return int(self.logits(place).argmax())

    def logits(self, place: int = -1) -> NDArray[np.float32]:
        """Return what best() takes the largest of; valid until the next decode()."""
        return np.ctypeslib.as_array(llama.llama_get_logits_ith(self._context, place), (self.words,))

    def length(self) -> int:
        """Return how many tokens are remembered."""
        return int(llama.llama_memory_seq_pos_max(self._memory, PROMPT)) + 1

    def truncate(self, length: int, sequence: int = PROMPT) -> bool:
        """Forget all tokens from position `length` on; False when this architecture cannot."""
        return bool(llama.llama_memory_seq_rm(self._memory, sequence, length, -1))

    def clear(self) -> None:
        """Forget all tokens."""
        llama.llama_memory_clear(self._memory, False)

    def forget(self, sequence: int, start: int = -1, end: int = -1) -> None:
        """Forget a sequence, or its positions start <= p < end where the architecture can."""
        llama.llama_memory_seq_rm(self._memory, sequence, start, end)

    def copy(self, source: int, target: int, start: int = -1, end: int = -1) -> None:
        """Let `target` remember positions start <= p < end of `source` too; nothing is duplicated."""
        llama.llama_memory_seq_cp(self._memory, source, target, start, end)

    def shift(self, sequence: int, distance: int) -> None:
        """Move all of a sequence to other positions; what it shares with another one must not be moved.

        Computed at the next decode(). Only where can_splice: elsewhere llama.cpp ends the process.
        """
        llama.llama_memory_seq_add(self._memory, sequence, -1, -1, distance)

    def state(self, sequence: int) -> NDArray[np.uint8]:
        """All that is remembered of a sequence, for restore()."""
        content = np.empty(llama.llama_state_seq_get_size(self._context, sequence), np.uint8)
        size = llama.llama_state_seq_get_data(self._context, _bytes_of(content), content.size, sequence)
        return content[:size]

    def restore(self, content: NDArray[np.uint8], sequence: int) -> bool:
        """Let a sequence remember what state() returned, and nothing else; False when it does not fit."""
        return bool(llama.llama_state_seq_set_data(self._context, _bytes_of(content), content.size, sequence))

    def _fingerprint(self, file: Path) -> str:
        """Of a file of gigabytes only both ends are read, with its size and time."""
        about = file.stat()
        digest = hashlib.sha256(f"{about.st_size} {about.st_mtime_ns}".encode())
        with file.open("rb") as content:
            digest.update(content.read(ENDS))
            content.seek(max(about.st_size - ENDS, 0))
            digest.update(content.read(ENDS))
        how = self._settings
        made = (self.context_tokens, how.type_k, how.type_v, how.flash_attn_type, how.swa_full)
        digest.update(f"{llama_cpp.__version__} {made}".encode())
        return digest.hexdigest()

    @property
    def _bos(self) -> int:
        return int(llama.llama_vocab_bos(self._vocabulary))

    def _special_text(self, token: int) -> str:
        text = llama.llama_vocab_get_text(self._vocabulary, token) if token >= 0 else b""
        return text.decode("utf-8", "replace") if text else ""

    def _tokenize(self, text: str, *, special: bool) -> list[int]:
        content = text.encode("utf-8", "replace")
        room = len(content) + 8
        while True:
            tokens = (llama.llama_token * room)()
            count = llama.llama_tokenize(self._vocabulary, content, len(content), tokens, room, False, special)
            if count >= 0:
                return list(tokens[:count])
            room = -count  # more tokens than bytes: some vocabularies write a space with three

    def _fill(self, tokens: Sequence[int], start: int, sequence: int, every: bool) -> None:
        batch = self._batch
        batch.n_tokens = len(tokens)
        for place, token in enumerate(tokens):
            batch.token[place] = token
            batch.pos[place] = start + place
            batch.n_seq_id[place] = 1
            batch.seq_id[place][0] = sequence
            batch.logits[place] = every or place == len(tokens) - 1

    def _load(self, file: Path) -> llama.llama_model_p:
        llama.llama_backend_init()
        model = llama.llama_model_load_from_file(str(file).encode(), llama.llama_model_default_params())
        if not model:
            raise NativeError(f"llama.cpp cannot load {file}{self.log.because()}")
        return model

    def _open_context(self, context_tokens: int, threads: int) -> llama.llama_context_p:
        settings = llama.llama_context_default_params()
        settings.n_ctx = context_tokens
        settings.n_batch = settings.n_ubatch = BATCH
        settings.n_seq_max = SEQUENCES
        settings.kv_unified = True
        settings.swa_full = True  # else the beginning of a prompt is forgotten and cannot be reused
        settings.n_threads = settings.n_threads_batch = threads
        # The CPU kernel for flash attention is slower for the 10 to 60 tokens that a console feeds at a time.
        settings.flash_attn_type = llama.LLAMA_FLASH_ATTN_TYPE_DISABLED
        self._callback = llama.ggml_abort_callback(lambda _: self.abort)
        settings.abort_callback = self._callback
        self._settings = settings
        context = llama.llama_init_from_model(self._model, settings)
        if not context:
            raise NativeError(
                f"llama.cpp has no room for {context_tokens} tokens, set a smaller context_tokens in "
                f"config.toml{self.log.because()}"
            )
        return context


_LOGGING: list[Any] = []
"""llama.cpp goes on calling the last of these when its model is gone."""


def _bytes_of(content: NDArray[np.uint8]) -> Any:
    return content.ctypes.data_as(ctypes.POINTER(ctypes.c_uint8))


class _Log:
    """Keeps the errors that llama.cpp logged last, and keeps it from writing to stderr."""

    def __init__(self) -> None:
        self._errors: collections.deque[str] = collections.deque(maxlen=2)
        self._callback = llama.llama_log_callback(self._keep)
        _LOGGING.append(self._callback)
        llama.llama_log_set(self._callback, ctypes.c_void_p(0))

    def because(self) -> str:
        """Return what was logged since the last time, as the end of a sentence."""
        errors, self._errors = self._errors, collections.deque(maxlen=2)
        return f" ({'; '.join(errors)})" if errors else ""

    def _keep(self, level: int, text: bytes, _: object) -> None:
        if level == LOG_ERROR and text.strip():
            self._errors.append(text.decode("utf-8", "replace").strip())
