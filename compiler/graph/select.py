"""Runs the rules over all candidates and keeps the best sources of each parameter."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

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
    unfit = [judge.unfit(site) for site in surface.parameters]
    dropped: Counter[str] = Counter()
    groups: dict[int, list[Selected]] = {}
    similar: list[float] = candidates.similarity.tolist()
    fields: list[int] = candidates.field.tolist()
    numbers: list[int] = candidates.parameter.tolist()
    for place, number in enumerate(numbers):
        if unfit[number]:
            dropped[unfit[number]] += 1
            continue
        one = surface.fields[fields[place]]
        verdict = judge.judge(surface.parameters[number], one, similar[place])
        if isinstance(verdict, Dropped):
            dropped[verdict.kind] += 1
            continue
        pair = Selected(number, fields[place], similar[place], verdict.score, verdict.reason)
        groups.setdefault(number, []).append(pair)
    kept: list[Selected] = []
    for number in sorted(groups):
        kept.extend(_best(surface, groups[number], dropped))
    return Selection(tuple(kept), dict(sorted(dropped.items())))


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
