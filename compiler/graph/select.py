"""Runs the rules over all candidates and keeps the best sources of each parameter."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

import numpy as np

from doc2tools.compiler.graph.candidates import Candidates
from doc2tools.compiler.graph.judge import Dropped, Judge
from doc2tools.compiler.graph.surface import Surface

__all__ = ["MAX_SOURCES", "Selected", "Selection", "select"]

MAX_SOURCES = 20
"""Source tools that are kept for one parameter."""

_MAX_FIELDS = 3
_CLOSE = 0.12


@dataclass(frozen=True, slots=True)
class Selected:
    """A pair that stands after the rules; indexes as in the surface."""

    parameter: int
    field: int
    similarity: float
    score: float
    reason: str


@dataclass(frozen=True, slots=True)
class Selection:
    """What stands, by parameter, and what was dropped by class of reason."""

    kept: tuple[Selected, ...]
    dropped: dict[str, int]


def select(surface: Surface, candidates: Candidates) -> Selection:
    """Judge all candidates."""
    judge = Judge(surface)
    dropped: Counter[str] = Counter()
    kept: list[Selected] = []
    bounds = np.searchsorted(candidates.parameter, np.arange(len(surface.parameters) + 1))
    for number, site in enumerate(surface.parameters):
        span = slice(bounds[number], bounds[number + 1])
        fields: list[int] = candidates.field[span].tolist()
        if unfit := judge.unfit(site):
            dropped[unfit] += len(fields)
            continue
        pairs: list[Selected] = []
        similar: list[float] = candidates.similarity[span].tolist()
        for field, similarity in zip(fields, similar, strict=True):
            verdict = judge.judge(site, surface.fields[field], similarity)
            if isinstance(verdict, Dropped):
                dropped[verdict.kind] += 1
                continue
            pairs.append(Selected(number, field, similarity, verdict.score, verdict.reason))
        kept.extend(_best(surface, pairs, dropped))
    counts = {kind: count for kind, count in sorted(dropped.items()) if count}
    return Selection(tuple(kept), counts)


def _best(surface: Surface, pairs: list[Selected], dropped: Counter[str]) -> list[Selected]:
    """Keep the best fields of the best sources, best first."""
    by_source: dict[int, list[Selected]] = {}
    for pair in sorted(pairs, key=lambda pair: (-pair.score, pair.field)):
        by_source.setdefault(surface.fields[pair.field].tool, []).append(pair)
    kept: list[Selected] = []
    for rank, fields in enumerate(by_source.values()):
        if rank >= MAX_SOURCES:
            dropped["better sources"] += len(fields)
            continue
        close = [pair for pair in fields if pair.score >= fields[0].score - _CLOSE][:_MAX_FIELDS]
        dropped["better field"] += len(fields) - len(close)
        kept.extend(close)
    return kept
