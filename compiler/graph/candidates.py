"""Stage one: which fields are similar to which parameters, with a low threshold: recall first.

Descriptions are compared as vectors: the embedding of the text beside hashed words, nouns and
handles. A field that holds a value which is known to be good for a parameter is a candidate, too,
whatever it is called.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from zlib import crc32

import numpy as np
from numpy.typing import NDArray

from doc2tools.compiler.graph.answers import Scalar
from doc2tools.compiler.graph.links import is_search, is_text
from doc2tools.compiler.graph.neighbours import Matches, nearest
from doc2tools.compiler.graph.surface import FieldSite, ParameterSite, Surface
from doc2tools.compiler.ir.outcome import Tool
from doc2tools.param_db.embedding import Embedder
from doc2tools.param_db.naming import words

__all__ = ["LEAST_SIMILAR", "Candidates", "is_telling", "similar_pairs"]

Floats = NDArray[np.float32]
Integers = NDArray[np.int64]
Token = tuple[str, float]

LEAST_SIMILAR = 0.3
"""τ of the first stage."""

MAX_ROWS = 160
MAX_FIELDS = 240
_MAX_SHARED = 80
"""Fields of one description, and of one value, that are looked at for one parameter."""

_HASHED = 192
_EMBEDDED = 128
_MEANING = 0.45
"""Share of the embedding in the similarity; the rest is that of the hashed words."""

_TEXT = 200


@dataclass(frozen=True, slots=True)
class Candidates:
    """Pairs of a parameter and another tool's field, by parameter, then most similar first.

    Attributes:
        parameter: (n,) indexes into the surface's parameters.
        field: (n,) indexes into the surface's fields.
        similarity: (n,) 0 to 1.
        examined: Pairs of distinct descriptions that were compared.
    """

    parameter: Integers
    field: Integers
    similarity: Floats
    examined: int


@dataclass(slots=True)
class _Rows:
    """Distinct descriptions, each with the sites that share it."""

    numbers: dict[tuple[str, tuple[Token, ...]], int] = field(
        default_factory=dict[tuple[str, tuple[Token, ...]], int]
    )
    sites: list[list[int]] = field(default_factory=list[list[int]])
    row_of: list[int] = field(default_factory=list[int])

    def add(self, site: int, text: str, tokens: tuple[Token, ...]) -> None:
        number = self.numbers.setdefault((text, tokens), len(self.sites))
        if number == len(self.sites):
            self.sites.append([])
        self.sites[number].append(site)
        self.row_of.append(number)

    def vectors(self, embedder: Embedder) -> Floats:
        """Give one unit vector a description, `(n, 320) float32`."""
        texts = [text for text, _ in self.numbers]
        meaning = _unit(embedder.embed(texts)[:, :_EMBEDDED]) * np.float32(_MEANING**0.5)
        hashed = np.zeros((len(texts), _HASHED), dtype=np.float32)
        places: dict[str, tuple[int, float]] = {}
        for number, (_, tokens) in enumerate(self.numbers):
            for token, weight in tokens:
                if token not in places:
                    code = crc32(token.encode("utf-8", "replace"))
                    places[token] = (code % _HASHED, 1.0 if code & 0x10000 else -1.0)
                place, sign = places[token]
                hashed[number, place] += sign * weight
        hashed = _unit(hashed) * np.float32((1 - _MEANING) ** 0.5)
        return np.ascontiguousarray(np.hstack([meaning, hashed]), dtype=np.float32)


def _unit(rows: Floats) -> Floats:
    lengths = np.linalg.norm(rows, axis=1, keepdims=True)
    return np.asarray(rows / np.where(lengths > 0, lengths, 1), dtype=np.float32)


def similar_pairs(
    surface: Surface, embedder: Embedder, *, least: float = LEAST_SIMILAR
) -> Candidates:
    """Give the pairs of parameter and field whose descriptions are similar or that share a value.

    About `MAX_FIELDS` fields are kept for one parameter; no tool feeds itself.
    """
    bases = {tool.endpoint.base_url for tool in surface.tools}
    several = len(bases) > 1
    wanted, given = _Rows(), _Rows()
    for number, site in enumerate(surface.parameters):
        base = surface.tools[site.tool].endpoint.base_url if several else ""
        wanted.add(number, *_parameter_description(site, base))
    for number, one in enumerate(surface.fields):
        base = surface.tools[one.tool].endpoint.base_url if several else ""
        given.add(number, *_field_description(one, base))
    queries, rows = wanted.vectors(embedder), given.vectors(embedder)
    matches = nearest(queries, rows, least=least, most=MAX_ROWS)
    ranks = [_distance(tool) for tool in surface.tools]
    for sites in given.sites:
        sites.sort(key=lambda number: (ranks[surface.fields[number].tool], number))
    shared = _value_pairs(surface)
    found: list[tuple[Integers, Integers, Floats]] = []
    bounds = np.searchsorted(matches.query, np.arange(len(wanted.sites) + 1))
    for query, sites in enumerate(wanted.sites):
        fields, similar = _expand(given, matches, slice(bounds[query], bounds[query + 1]))
        for number in sites:
            held = set(fields.tolist()) if number in shared else set[int]()
            more = [one for one in shared.get(number, ()) if one not in held]
            row_ids = [given.row_of[one] for one in more]
            extra = np.clip(rows[row_ids] @ queries[query], 0, 1) if more else similar[:0]
            ids = np.concatenate([fields, np.array(more, dtype=np.int64)])
            owner = np.full(len(ids), number, dtype=np.int64)
            found.append((owner, ids, np.concatenate([similar, extra])))
    return _joined(surface, found, matches.examined)


def _joined(
    surface: Surface, found: list[tuple[Integers, Integers, Floats]], examined: int
) -> Candidates:
    if not found:
        empty = np.zeros(0, dtype=np.int64)
        return Candidates(empty, empty, np.zeros(0, dtype=np.float32), examined)
    parameter = np.concatenate([part[0] for part in found])
    fields = np.concatenate([part[1] for part in found])
    similarity = np.concatenate([part[2] for part in found]).astype(np.float32)
    takes = np.array([site.tool for site in surface.parameters], dtype=np.int64)
    gives = np.array([one.tool for one in surface.fields], dtype=np.int64)
    others = takes[parameter] != gives[fields]
    parameter, fields, similarity = parameter[others], fields[others], similarity[others]
    order = np.lexsort((-similarity, parameter))
    return Candidates(parameter[order], fields[order], similarity[order], examined)


def _expand(given: _Rows, matches: Matches, span: slice) -> tuple[Integers, Floats]:
    """Turn matched descriptions into the fields that have them."""
    fields: list[int] = []
    similar: list[float] = []
    for row, value in zip(matches.row[span], matches.similarity[span], strict=True):
        sites = given.sites[int(row)][:_MAX_SHARED]
        fields.extend(sites)
        similar.extend([float(value)] * len(sites))
        if len(fields) >= MAX_FIELDS:
            break
    return np.array(fields, dtype=np.int64), np.clip(np.array(similar, dtype=np.float32), 0, 1)


def _distance(tool: Tool) -> int:
    """Rank tools as sources: the fewer values a call needs first, the better."""
    needed = sum(1 for one in tool.endpoint.parameters if one.required and not one.enum)
    return needed * 2 + (tool.endpoint.effect.kind != "read")


def _parameter_description(site: ParameterSite, base: str) -> tuple[str, tuple[Token, ...]]:
    name = " ".join(words(site.parameter.name)) if not site.opaque else ""
    nouns = " ".join(noun for noun in site.nouns if noun not in name)
    tokens = [(f"noun {noun}", weight) for noun, weight in site.nouns.items()]
    tokens.append((f"handle {site.handle or 'id'}", 0.5 if site.nouns else 0.2))
    if not site.opaque:
        tokens.append((f"name {site.name}", 0.8))
        tokens.extend((f"word {word}", 0.4) for word in words(site.name))
    if base:
        tokens.append((f"base {base}", 0.5))
    text = f"{nouns} {name} {site.parameter.description[:_TEXT]}".strip()
    return text, _once(tokens)


def _field_description(one: FieldSite, base: str) -> tuple[str, tuple[Token, ...]]:
    best = sorted(one.record.nouns.items(), key=lambda entry: (-entry[1], entry[0]))[:4]
    nouns = dict(best)
    if one.owner:
        nouns = {one.owner: 1.0}
    elif not one.name and one.record.key:
        nouns.setdefault(one.record.key, 0.6)
    name = " ".join(words(one.name))
    spoken = " ".join(noun for noun in nouns if noun not in name)
    tokens = [(f"noun {noun}", weight) for noun, weight in nouns.items()]
    if one.handle or not one.name:
        tokens.append((f"handle {one.handle or 'id'}", 0.5))
    if one.name:
        tokens.append((f"name {one.name}", 0.8))
        tokens.extend((f"word {word}", 0.4) for word in words(one.name))
    if base:
        tokens.append((f"base {base}", 0.5))
    text = f"{spoken} {name} {one.seen.description[:_TEXT]}".strip()
    return text, _once(tokens)


def _once(tokens: Iterable[Token]) -> tuple[Token, ...]:
    found: dict[str, float] = {}
    for token, weight in tokens:
        found[token] = max(found.get(token, 0.0), weight)
    return tuple(sorted(found.items()))


def is_telling(value: Scalar) -> bool:
    """Tell whether two places that hold `value` hardly do so by chance."""
    if isinstance(value, bool):
        return False
    if isinstance(value, int | float):
        return abs(value) >= 1000
    text = value.strip()
    if len(text) < 3 or text.lower() in _COMMON:
        return False
    return not text.isdecimal() or int(text[:9]) >= 1000


_COMMON_WORDS = """
    true false null none yes all any asc desc json xml html text test name example value default
    string ok error success active enabled open closed public private
"""
_COMMON = frozenset(_COMMON_WORDS.split())


def _value_pairs(surface: Surface) -> dict[int, list[int]]:
    """Give, for each parameter, fields that hold a telling value which is known to be good.

    For a search they are the names of all records.
    """
    wanted: dict[tuple[str, str], list[int]] = {}
    for number, site in enumerate(surface.parameters):
        for value in site.known:
            if is_telling(value):
                base = surface.tools[site.tool].endpoint.base_url
                wanted.setdefault((base, str(value).casefold()), []).append(number)
    searches: dict[str, list[int]] = {}
    for number, site in enumerate(surface.parameters):
        if is_search(site):
            base = surface.tools[site.tool].endpoint.base_url
            searches.setdefault(base, []).append(number)
    pairs: dict[int, list[int]] = {}
    for number, one in enumerate(surface.fields):
        base = surface.tools[one.tool].endpoint.base_url
        for parameter in searches.get(base, ()) if is_text(one) else ():
            texts = pairs.setdefault(parameter, [])
            if len(texts) < _MAX_SHARED:
                texts.append(number)
        for value in one.seen.samples:
            for parameter in wanted.get((base, str(value).casefold()), ()):
                fields = pairs.setdefault(parameter, [])
                if len(fields) < _MAX_SHARED and (not fields or fields[-1] != number):
                    fields.append(number)
    return pairs
