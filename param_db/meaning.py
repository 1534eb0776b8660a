"""How close two names are in meaning, with what the documentation says about them.

It orders what may be tried anyway; what may be tried at all is decided by resource and name.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from doc2tools.param_db.naming import words

if TYPE_CHECKING:
    from doc2tools.param_db.embedding import Embedder, Vectors

__all__ = ["Meaning", "wording"]

_MAX_TEXTS = 20_000
_MAX_DESCRIPTION = 160


def wording(name: str, resource: str = "", description: str = "") -> str:
    """Give the text that stands for a field or parameter: `userId` of posts → `user id post`."""
    parts = [*words(name), *words(resource)]
    said = " ".join(description[:_MAX_DESCRIPTION].split())
    return f"{' '.join(dict.fromkeys(parts))}. {said}" if said else " ".join(dict.fromkeys(parts))


class Meaning:
    """Embeds texts once and compares them. Thread-safe; the model is loaded at the first use."""

    def __init__(self, load: Callable[[], Embedder]) -> None:
        """Use the model that `load` gives."""
        self._load = load
        self._vectors: dict[str, Vectors] = {}
        self._lock = threading.Lock()

    def vectors(self, texts: Sequence[str]) -> Vectors:
        """Give one unit vector a text, `(n, dimensions) float32`."""
        import numpy as np  # noqa: PLC0415 - a compile that has nothing to do must not wait for it

        with self._lock:
            new = [text for text in dict.fromkeys(texts) if text not in self._vectors]
            if len(self._vectors) + len(new) > _MAX_TEXTS:
                self._vectors.clear()
                new = list(dict.fromkeys(texts))
            if new:
                self._vectors.update(zip(new, self._load().embed(new), strict=True))
            return np.stack([self._vectors[text] for text in texts])

    def closeness(self, text: str, others: Sequence[str]) -> list[int]:
        """Give how close each of `others` is to `text`, in steps of 1 from -20 to 20.

        Steps, so that the last bits of a product, which differ between machines, decide nothing.
        """
        if not others:
            return []
        rows = self.vectors([text, *others])
        return [round(float(step)) for step in rows[1:] @ rows[0] * 20]
