"""Finds tools by what they do: by meaning (embeddings) and by words (BM25), the two added up.

Words alone miss "who wrote it" for `author`; vectors alone miss rare names such as `ISBN`.
"""

from __future__ import annotations

import importlib
import math
import re
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from functools import lru_cache
from typing import Any

import numpy as np

from doc2tools.compiler.emit.mcp_tools import table
from doc2tools.param_db.embedding import Embedder, Vectors
from doc2tools.serve.catalogue import ServedTool

__all__ = ["Index", "Texts", "texts_of", "words"]

K1, B = 1.2, 0.6
"""BM25's usual constants (Robertson and Zaragoza 2009, section 3.4)."""

MEANING = 1.0
"""What the similarity counts for beside the words' score, both scaled to their best."""

WEIGHTS = (3.0, 2.5, 1.0, 0.5)
"""Of a word in the name, in the title and summary, in the path, and among the parameters."""

QUERY_CHARACTERS = 1_000

_stemmer: Any = importlib.import_module("snowballstemmer").stemmer("english")

_WORD = re.compile(r"[^\W_]+")
_HUMP = re.compile(r"(?<=[a-z])(?=[A-Z])")
_STOP = frozenset(
    re.findall(
        r"\w+",
        "a about all an and any are as at be by can do does find for from get give given has have "
        "how i if in into is it its let like me my need no not of on or our please show some tell "
        "than that the their them there these this those to us want was we what when where which "
        "who will with would you your",
    )
)


class Texts(tuple[str, str, str, str]):
    """A tool's texts, by weight: name, title and summary, path, parameters."""

    __slots__ = ()


class Index:
    """An index of tools; made once for a catalogue."""

    def __init__(self, texts: Sequence[Texts], model: Callable[[], Embedder]) -> None:
        """Count the words; the model is loaded at the first search.

        Args:
            texts: Of each tool.
            model: Gives what embeds.
        """
        self._texts = texts
        self._model = model
        self._vectors: Vectors | None = None
        counts = [_weighted(text) for text in texts]
        lengths = np.array([sum(count.values()) for count in counts] or [1.0])
        norm = K1 * (1 - B + B * lengths / max(float(lengths.mean()), 1e-9))
        postings: dict[str, list[tuple[int, float]]] = {}
        for number, count in enumerate(counts):
            for word, weight in count.items():
                score = weight * (K1 + 1) / (weight + norm[number])
                postings.setdefault(word, []).append((number, float(score)))
        total = len(texts)
        self._postings = {
            word: (math.log(1 + (total - len(found) + 0.5) / (len(found) + 0.5)), found)
            for word, found in postings.items()
        }

    def search(self, query: str, number: int) -> list[int]:
        """Give the numbers of the tools that fit best, the best first."""
        if not self._texts:
            return []
        query = query[:QUERY_CHARACTERS]
        by_words = np.zeros(len(self._texts))
        for word in dict.fromkeys(words(query)):
            weight, found = self._postings.get(word, (0.0, []))
            for at, score in found:
                by_words[at] += weight * score
        score = _scaled(by_words) + MEANING * _scaled(self._similarities(query))
        order = np.argsort(-score, kind="stable")[:number]
        return [int(at) for at in order]

    def _similarities(self, query: str) -> Any:  # noqa: ANN401 - an array of numpy's
        model = self._model()
        if self._vectors is None:
            self._vectors = model.embed([" ".join(text[:2]) for text in self._texts])
        return np.maximum(self._vectors @ model.embed([query])[0], 0)


def _scaled(scores: Any) -> Any:  # noqa: ANN401 - an array of numpy's
    best = float(scores.max())
    return scores / best if best > 0 else scores


def _weighted(text: Texts) -> Counter[str]:
    count: Counter[str] = Counter()
    for part, weight in zip(text, WEIGHTS, strict=True):
        for word in words(part):
            count[word] += weight  # pyright: ignore[reportArgumentType] - a Counter takes floats
    return count


def words(text: str) -> list[str]:
    """Give the stems of a text's words, `snake_case` and `camelCase` taken apart."""
    found = (word.lower() for word in _WORD.findall(_HUMP.sub(" ", text)))
    return [_stem(word) for word in found if word not in _STOP]


@lru_cache(maxsize=20_000)
def _stem(word: str) -> str:
    return str(_stemmer.stemWord(word[:60]))


def texts_of(tool: ServedTool, title: str) -> Texts:
    """Give what a tool is found by.

    Args:
        tool: The tool.
        title: Its API's title.
    """
    entry = tool.entry
    fields = table(tool.input_schema, "properties")
    parameters = " ".join(
        f"{name} {field.get('description', '')}" for name, field in _tables(fields.items())
    )
    url = str(entry.get("url", "")).partition("://")[2].partition("/")[2]
    summary = f"{entry.get('title', '')} {entry.get('summary', '')} {tool.toolkit} {title}"
    return Texts((str(entry["name"]).replace("_", " "), summary, url, parameters))


def _tables(items: Iterable[tuple[str, object]]) -> list[tuple[str, dict[str, object]]]:
    return [(name, item) for name, item in items if isinstance(item, dict)]  # pyright: ignore
