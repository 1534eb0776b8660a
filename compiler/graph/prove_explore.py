"""Edges that no rule speaks for, but calls may prove: names in answers, tried where one is needed.

Documentation that calls a thing `type` here and `plural_name` there gives rules nothing to go by;
a call tells. Such an edge has to hold for every value that is tried, and is kept only if it does.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from doc2tools.compiler.graph.answers import SeenField, answer_shape
from doc2tools.compiler.ir.base import JsonValue
from doc2tools.compiler.ir.graph import Edge
from doc2tools.compiler.ir.options import CompileOptions
from doc2tools.compiler.ir.outcome import Tool, Validated
from doc2tools.compiler.ir.spec import Parameter
from doc2tools.compiler.passes.answer_paths import last_key
from doc2tools.compiler.validate.plan import refusal
from doc2tools.param_db.fit import fits, shaped
from doc2tools.param_db.naming import HANDLES, fold, words

__all__ = ["EXPLORED_SCORE", "explored_edges"]

EXPLORED_SCORE = 0.3
MAX_EXPLORED = 240
MAX_A_PARAMETER = 24
_IDENTIFIER = re.compile(r"(?=[^\s]{0,79}[A-Za-z])[\w.:@+~-]{2,80}")
_MOMENT = re.compile(r"\d{4}-\d{2}-\d{2}.{0,40}|\d{1,2}:\d{2}.{0,20}")
_DISTINCT = re.compile(
    r"(?=.{8})(?:.*[a-zA-Z].*[\d_.:@-].*|.*[\d_.:@-].*[a-zA-Z].*|.*[a-z][A-Z].*)"
)
"""A text of this form is hardly anywhere by chance, so that one such value is worth a call."""
_MAX_DEPTH = 3
_SEVERAL = 2
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
    fed = {(edge.source, edge.target, edge.parameter) for edge in proved}
    known = {edge.key for edge in judged}
    fields = {tool.endpoint.name: list(_names(tool)) for tool in usable}
    ranked: list[tuple[tuple[bool, int, int], Edge]] = []
    for target in usable:
        for parameter in target.endpoint.parameters:
            if not _is_asked_for(target, parameter):
                continue
            found_here = _edges(usable, target, parameter, fields, fed)
            edges = [(rank, edge) for rank, edge in found_here if edge.key not in known]
            edges.sort(key=lambda entry: entry[0])
            ranked += [
                ((not parameter.required, place, rank), edge)
                for place, (rank, edge) in enumerate(edges[:MAX_A_PARAMETER])
            ]
    ranked.sort(key=lambda entry: entry[0])
    return [edge for _, edge in ranked[:MAX_EXPLORED]]


def _edges(
    usable: Sequence[Tool],
    target: Tool,
    parameter: Parameter,
    fields: dict[str, list[SeenField]],
    fed: set[tuple[str, str, str]],
) -> Iterator[tuple[int, Edge]]:
    name = fold(parameter.name)
    for source in usable:
        pair = (source.endpoint.name, target.endpoint.name, parameter.name)
        if source is target or pair in fed or _asks_alike(source, parameter):
            continue
        for one in fields[source.endpoint.name]:
            if not all(fits(shaped(value, parameter), parameter) for value in one.samples[:2]):
                continue
            key = fold(last_key(one.path))
            last = key.rpartition("_")[2]
            rank = 0 if name and name in key else 1 if not key or last in HANDLES else 2
            rank += 3 * (len(one.samples) < _SEVERAL)
            edge = Edge(
                source=pair[0],
                target=pair[1],
                parameter=pair[2],
                field=one.path,
                similarity=0.0,
                score=EXPLORED_SCORE,
                reason="no rule speaks for it: calls alone tell",
                stage="judged",
            )
            yield rank, edge


def _is_callable(tool: Tool, options: CompileOptions) -> bool:
    read = tool.endpoint.effect.kind == "read" and refusal(tool.endpoint, options) is None
    return read and isinstance(tool.outcome, Validated)


def _is_asked_for(tool: Tool, parameter: Parameter) -> bool:
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
