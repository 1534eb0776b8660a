"""Edges that no rule speaks for, but calls may prove: names in answers, tried where one is needed.

Documentation that calls a thing `type` here and `plural_name` there gives rules nothing to go by;
a call tells. Such an edge has to hold for several values, and is kept only if it does.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice

from doc2tools.compiler.graph.answers import SeenField, answer_shape
from doc2tools.compiler.ir.base import JsonValue
from doc2tools.compiler.ir.graph import Edge
from doc2tools.compiler.ir.options import CompileOptions
from doc2tools.compiler.ir.outcome import Tool, Validated
from doc2tools.compiler.ir.spec import Parameter
from doc2tools.compiler.passes.answer_paths import last_key, split_path
from doc2tools.compiler.validate.plan import refusal
from doc2tools.param_db.fit import fits, shaped
from doc2tools.param_db.naming import HANDLES, fold, words

__all__ = ["EXPLORED_SCORE", "explored_edges"]

EXPLORED_SCORE = 0.3
MAX_EXPLORED = 240
MAX_A_PARAMETER = 20
_IDENTIFIER = re.compile(r"(?=[^\s]{0,79}[A-Za-z])[\w.:@+~-]{2,80}")
_MOMENT = re.compile(r"\d{4}-\d{2}-\d{2}.{0,40}|\d{1,2}:\d{2}.{0,20}")
_DISTINCT = re.compile(
    r"(?=.{8})(?:.*[a-zA-Z].*[\d_.:@-].*|.*[\d_.:@-].*[a-zA-Z].*|.*[a-z][A-Z].*)"
)
"""A text of this form is hardly anywhere by chance, so that one such value is worth a call."""
_MAX_DEPTH = 3
_SEVERAL = 2
_MAX_LOOKED = 600
_UNNAMED = frozenset(
    {
        *("page", "limit", "offset", "cursor", "format", "lang", "language", "locale", "sort"),
        *("order", "direction", "pretty", "callback", "timeout", "timezone", "unit", "units"),
        *("start", "end", "since", "until", "from", "to", "time", "date", "before", "after"),
        *("filter", "where", "attr", "attribute", "column", "select", "expr", "expression"),
        *("step", "interval", "field", "include", "exclude", "expand", "verbose", "debug"),
    }
)


def explored_edges(
    tools: Sequence[Tool], judged: Sequence[Edge], proved: Sequence[Edge], options: CompileOptions
) -> list[Edge]:
    """Give edges worth a call that are not among `judged`, the likeliest first.

    Args:
        tools: The tools with their outcomes.
        judged: The edges that rules speak for.
        proved: Those that calls have proved; where there is one, no other is sought.
        options: What may be called.
    """
    usable = [tool for tool in tools if _is_callable(tool, options)]
    fields = _Fields([_Given(tool, one) for tool in usable for one in _names(tool)])
    skipped = _Skipped(
        {edge.key for edge in judged},
        {(edge.source, edge.target, edge.parameter) for edge in proved},
    )
    asked = [(tool, one) for tool in usable for one in tool.endpoint.parameters if _asks(tool, one)]
    needed = sum(parameter.required for _, parameter in asked)
    room = min(MAX_A_PARAMETER, 2 + MAX_EXPLORED // max(1, needed))
    ranked: list[tuple[tuple[bool, int], Edge]] = []
    for target, parameter in asked:
        edges = islice(_edges(fields, target, parameter, skipped), room)
        ranked += [((not parameter.required, n), edge) for n, edge in enumerate(edges)]
    ranked.sort(key=lambda entry: entry[0])
    return [edge for _, edge in ranked[:MAX_EXPLORED]]


@dataclass(frozen=True, slots=True)
class _Given:
    """A field of a tool's answer that holds identifiers."""

    tool: Tool
    seen: SeenField

    @property
    def key(self) -> str:
        """Its folded name; "" for list elements and map keys."""
        return fold(last_key(self.seen.path))

    @property
    def rank(self) -> tuple[int, int]:
        """Fields with several values first; then those named as identifiers are; then shallow."""
        key = self.key
        plain = bool(key) and key.rpartition("_")[2] not in HANDLES
        depth = len(split_path(self.seen.path))
        return plain + 2 * (len(self.seen.samples) < _SEVERAL), depth


class _Fields:
    """Fields in the order in which they are tried, and by the words of their names."""

    def __init__(self, given: Sequence[_Given]) -> None:
        self.ordered = sorted(given, key=lambda one: one.rank)
        self.by_word: dict[str, list[_Given]] = {}
        for one in self.ordered:
            for word in dict.fromkeys(one.key.split("_")):
                self.by_word.setdefault(word, []).append(one)

    def likeliest(self, parameter: str) -> Iterator[_Given]:
        """Give those that share a word with a parameter's name, then the others."""
        shared: dict[int, _Given] = {}
        for word in fold(parameter).split("_"):
            shared |= {id(one): one for one in self.by_word.get(word, ()) if word}
        yield from shared.values()
        yield from (one for one in self.ordered if id(one) not in shared)


@dataclass(frozen=True, slots=True)
class _Skipped:
    """What is not tried: judged edges, and pairs that have a proved one."""

    edges: set[tuple[str, str, str, str]]
    pairs: set[tuple[str, str, str]]


def _edges(
    fields: _Fields, target: Tool, parameter: Parameter, skipped: _Skipped
) -> Iterator[Edge]:
    looked = 0
    for given in fields.likeliest(parameter.name):
        looked += 1
        if looked > _MAX_LOOKED:
            return
        source = given.tool.endpoint.name
        key = (source, target.endpoint.name, parameter.name, given.seen.path)
        if given.tool is target or key[:3] in skipped.pairs or key in skipped.edges:
            continue
        if _asks_alike(given.tool, parameter) or not _may_fit(given.seen, parameter):
            continue
        yield Edge(
            source=source,
            target=target.endpoint.name,
            parameter=parameter.name,
            field=given.seen.path,
            similarity=0.0,
            score=EXPLORED_SCORE,
            reason="no rule speaks for it: calls alone tell",
            stage="judged",
        )


def _may_fit(seen: SeenField, parameter: Parameter) -> bool:
    return all(fits(shaped(value, parameter), parameter) for value in seen.samples[:2])


def _is_callable(tool: Tool, options: CompileOptions) -> bool:
    read = tool.endpoint.effect.kind == "read" and refusal(tool.endpoint, options) is None
    return read and isinstance(tool.outcome, Validated)


def _asks(tool: Tool, parameter: Parameter) -> bool:
    """Tell whether a parameter takes a name that has to be found somewhere."""
    texts = parameter.type in {"string", "any", "array"} and not parameter.enum
    if not texts or fold(parameter.name) in _UNNAMED or parameter.default is not None:
        return False
    if parameter.location not in {"path", "query"} or not isinstance(tool.outcome, Validated):
        return False
    arguments = tool.outcome.attempt.arguments
    proved = next((one.value for one in arguments if one.name == parameter.name), None)
    if proved is None:
        return not parameter.required
    items: list[JsonValue] = proved if isinstance(proved, list) else [proved]
    return all(isinstance(item, str) and not _MOMENT.fullmatch(item) for item in items)


def _asks_alike(source: Tool, parameter: Parameter) -> bool:
    """Tell whether the source needs the very thing itself."""
    same = [one for one in source.endpoint.parameters if fold(one.name) == fold(parameter.name)]
    return any(one.required for one in same)


def _names(tool: Tool) -> Iterator[SeenField]:
    """Yield the fields that hold several different identifiers."""
    for path, one in answer_shape(tool).fields.items():
        shallow = path.count("[]") + path.count("*") <= _MAX_DEPTH and len(words(path)) <= 12
        texts = [value for value in one.samples if isinstance(value, str)]
        if not one.observed or not shallow or not texts or len(texts) < len(one.samples):
            continue
        if len(texts) == 1 and not _DISTINCT.fullmatch(texts[0]):
            continue
        if all(_IDENTIFIER.fullmatch(text) and not _MOMENT.fullmatch(text) for text in texts):
            yield one
