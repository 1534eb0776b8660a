"""Finds tools by what they do: by words (BM25, with synonyms) and by meaning, the two added up.

Words alone miss what nobody wrote down; vectors alone miss rare names such as `ISBN`. A request
that begins like a question prefers tools that read, one that begins "delete …" those that delete.
"""

from __future__ import annotations

import importlib
import math
import re
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np

from doc2tools.compiler.emit.mcp_tools import JsonObject, table
from doc2tools.compiler.ir.base import JsonValue
from doc2tools.param_db.embedding import Embedder, Vectors
from doc2tools.serve.catalogue import ServedTool
from doc2tools.serve.thesaurus import CHANGING, GROUPS, READING

__all__ = ["Index", "Texts", "by_name", "texts_of", "words"]

K1, B = 2.0, 0.5
"""BM25's constants (Robertson and Zaragoza 2009, section 3.4)."""

WEIGHTS = {
    "name": 3.0,
    "title": 2.0,
    "summary": 1.0,
    "section": 0.7,
    "path": 1.0,
    "parameters": 0.5,
    "descriptions": 0.3,
    "answer": 0.3,
    "api": 1.0,
}
"""What a word counts for in each of a tool's texts (BM25F)."""

SYNONYM = 0.8
"""What a synonym counts for beside the word itself."""

MEANING = 0.5
"""What the similarity counts for beside the words, both scaled to their best."""

COVERAGE = 0.5
"""How much it counts to hold many of the request's words rather than one of them often."""

INTENT = 0.8
"""What it adds that a tool does the kind of thing the request asks for."""

QUERY_CHARACTERS = 1_000
REPEATS = 3
FIELDS = 60
DESCRIPTIONS = 600

_stemmer: Any = importlib.import_module("snowballstemmer").stemmer("english")
_WORD = re.compile(r"[^\W\d_]+|\d+")
_HUMP = re.compile(r"(?<=[a-z])(?=[A-Z])")
_STOP = frozenset(
    re.findall(
        r"\w+",
        "a about all an and any are as at be by can do does find for from get give given has have "
        "how i if in into is it its let like me my need no not of on or our please s show some t "
        "tell than that the their them there these they this those to us want was we what when "
        "where which who will with would you your",
    )
)


@dataclass(frozen=True, slots=True)
class Texts:
    """What a tool is found by."""

    name: str
    method: str
    title: str = ""
    summary: str = ""
    section: str = ""
    path: str = ""
    parameters: str = ""
    descriptions: str = ""
    answer: str = ""
    api: str = ""


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
        self._methods = [_kind(text.method) for text in texts]
        counts = [_weighted(text) for text in texts]
        lengths = np.array([sum(count.values()) for count in counts] or [1.0])
        norm = K1 * (1 - B + B * lengths / max(float(lengths.mean()), 1e-9))
        postings: dict[str, list[tuple[int, float]]] = defaultdict(list)
        for at, count in enumerate(counts):
            for word, weight in count.items():
                postings[word].append((at, weight * (K1 + 1) / (weight + float(norm[at]))))
        self._postings = {
            word: (np.array([at for at, _ in found]), np.array([score for _, score in found]))
            for word, found in postings.items()
        }
        total = len(texts)
        self._rarity = {
            word: math.log(1 + (total - len(found) + 0.5) / (len(found) + 0.5))
            for word, found in postings.items()
        }

    def search(self, query: str, number: int) -> list[int]:
        """Give the numbers of the tools that fit best, the best first."""
        if not self._texts:
            return []
        query = _sendable(query[:QUERY_CHARACTERS])
        score = _scaled(self._by_words(query)) + MEANING * _scaled(self._by_meaning(query))
        score = score * self._by_intent(query)
        order = np.argsort(-score, kind="stable")[:number]
        return [int(at) for at in order]

    def _by_words(self, query: str) -> Any:  # noqa: ANN401 - an array of numpy's
        scores = np.zeros(len(self._texts))
        covered = np.zeros(len(self._texts))
        whole = 1e-9
        for word in dict.fromkeys(words(query)):
            alike = {other: SYNONYM for other in _synonyms().get(word, ()) if other in self._rarity}
            if word in self._rarity:
                alike[word] = 1.0
            if not alike:
                continue
            # A synonym is no rarer than the word that was used.
            rarity = self._rarity.get(word, math.inf)
            best = np.zeros(len(self._texts))
            held = np.zeros(len(self._texts))
            for other, weight in alike.items():
                found, score = self._postings[other]
                rare = min(rarity, self._rarity[other])
                best[found] = np.maximum(best[found], weight * rare * score)
                held[found] = np.maximum(held[found], weight)
            own = min(rarity, max(self._rarity[other] for other in alike))
            scores += best
            covered += own * held
            whole += own
        return scores * (covered / whole) ** COVERAGE

    def _by_meaning(self, query: str) -> Any:  # noqa: ANN401 - an array of numpy's
        model = self._model()
        if self._vectors is None:
            self._vectors = model.embed(
                [_sendable(f"{t.name} {t.title} {t.summary} {t.section}") for t in self._texts]
            )
        similar = self._vectors @ model.embed([query])[0]
        return np.maximum(similar - similar.mean(), 0)

    def _by_intent(self, query: str) -> Any:  # noqa: ANN401 - an array of numpy's
        wanted = _intent(query)
        if not wanted:
            return np.ones(len(self._texts))
        return np.array([1 + INTENT if method in wanted else 1.0 for method in self._methods])


def _intent(query: str) -> frozenset[str]:
    """Give the kinds of tools that the request's first words ask for; none where they don't."""
    first = [word.lower() for word in re.findall(r"[^\W\d_]+", query)[:2]]
    if first and first[0] in READING:
        return frozenset({"GET"})
    for word in first:
        if found := frozenset(kind for kind, verbs in CHANGING.items() if word in verbs):
            return found
    return frozenset()


def _sendable(text: str) -> str:
    """Replace lone surrogates, which a tokenizer cannot read."""
    return text if text.isascii() else text.encode("utf-8", "replace").decode()


def _kind(method: str) -> str:
    return {"PATCH": "PUT", "HEAD": "GET", "OPTIONS": "GET"}.get(method, method)


def _scaled(scores: Any) -> Any:  # noqa: ANN401 - an array of numpy's
    best = float(scores.max())
    return scores / best if best > 0 else scores


def _weighted(text: Texts) -> dict[str, float]:
    count: dict[str, float] = defaultdict(float)
    for field, weight in WEIGHTS.items():
        found: dict[str, int] = defaultdict(int)
        for word in words(getattr(text, field)):
            found[word] += 1
        for word, number in found.items():
            count[word] += weight * min(number, REPEATS)
    return count


def words(text: str) -> list[str]:
    """Give the stems of a text's words, `snake_case` and `camelCase` taken apart."""
    found = (word.lower() for word in _WORD.findall(_HUMP.sub(" ", text)))
    return [_stem(word) for word in found if word not in _STOP]


@lru_cache(maxsize=20_000)
def _stem(word: str) -> str:
    return str(_stemmer.stemWord(word[:60]))


@lru_cache(maxsize=1)
def _synonyms() -> Mapping[str, frozenset[str]]:
    found: dict[str, set[str]] = defaultdict(set)
    for group in GROUPS:
        stems = {_stem(word) for word in group}
        for stem in stems:
            found[stem] |= stems - {stem}
    return {stem: frozenset(others) for stem, others in found.items()}


def texts_of(tool: ServedTool, title: str, endpoint: Mapping[str, JsonValue]) -> Texts:
    """Give what a tool is found by.

    Args:
        tool: The tool.
        title: Its API's title.
        endpoint: Its entry in `endpoints.json`; may be empty.
    """
    entry = tool.entry
    arguments = table(tool.input_schema, "properties")
    descriptions = " ".join(
        str(table(arguments, name).get("description", "")) for name in arguments
    )
    return Texts(
        name=str(entry["name"]).replace("_", " "),
        method=str(entry.get("method", "")),
        title=str(entry.get("title", "")),
        summary=f"{entry.get('summary', '')} {endpoint.get('description', '')}",
        section=_joined(endpoint.get("section")),
        path=str(entry.get("url", "")).partition("://")[2].partition("/")[2],
        parameters=" ".join(arguments),
        descriptions=descriptions[:DESCRIPTIONS],
        answer=_joined(table(entry, "response").get("fields")),
        api=f"{tool.toolkit} {title}",
    )


def _joined(value: JsonValue) -> str:
    return " ".join(str(item) for item in value[:FIELDS]) if isinstance(value, list) else ""


def by_name(value: JsonObject) -> dict[str, JsonObject]:
    """Give the entries of `endpoints.json` by the name of their tool."""
    listed = value.get("endpoints")
    entries = listed if isinstance(listed, list) else []
    return {str(entry.get("name")): entry for entry in entries if isinstance(entry, dict)}
