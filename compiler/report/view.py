"""What the page shows, as plain values: from a manifest and its recorded calls.

The manifest is ours, its texts are not: they stay text here and are escaped by the template.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TypeAlias, cast

from doc2tools.compiler.ir.base import JsonValue
from doc2tools.compiler.ir.graph import DependencyGraph, Edge

__all__ = ["ANSWER_CHARACTERS", "Fact", "ReportView", "ToolView", "report_view"]

JsonObject: TypeAlias = Mapping[str, JsonValue]

ANSWER_CHARACTERS = 4_000
LARGEST = 3
STATUSES = ("validated", "failed", "unvalidated", "blocked")
ORIGINS = ("documented", "observed", "configured", "repaired", "guessed")


@dataclass(frozen=True, slots=True)
class Fact:
    """A figure with its name, and what it means in a few words."""

    name: str
    value: str
    note: str = ""


@dataclass(frozen=True, slots=True)
class ParameterView:
    """One parameter: what was documented, and the value that was used."""

    name: str
    location: str
    type: str
    required: bool
    value: str
    origin: str
    source: str
    lines: str


@dataclass(frozen=True, slots=True)
class FeedView:
    """One dependency edge as one of its two tools sees it."""

    other: str
    parameter: str
    field: str
    stage: str
    reason: str


@dataclass(frozen=True, slots=True)
class ProofView:
    """The proved request and its answer."""

    request: str
    arguments: str
    status: str
    answer: str
    cut: bool


@dataclass(frozen=True, slots=True)
class ToolView:
    """One tool's card."""

    name: str
    group: str
    method: str
    url: str
    status: str
    cause: str
    message: str
    summary: str
    signature: str
    evidence: tuple[str, ...]
    verdict: tuple[str, ...]
    repairs: tuple[str, ...]
    lines: tuple[str, ...]
    effect: str
    deprecated: bool
    facts: tuple[Fact, ...]
    parameters: tuple[ParameterView, ...]
    proof: ProofView | None
    fed_by: tuple[FeedView, ...]
    feeds: tuple[FeedView, ...]

    @property
    def words(self) -> str:
        """What the page's search looks at."""
        names = " ".join(parameter.name for parameter in self.parameters)
        return " ".join(
            (self.name, self.method, self.url, self.summary, self.cause, self.group, names)
        ).lower()


@dataclass(frozen=True, slots=True)
class ReportView:
    """The whole page but the picture of the graph."""

    name: str
    title: str
    version: str
    base_url: str
    compiler: str
    digest: str
    facts: tuple[Fact, ...]
    counts: tuple[Fact, ...]
    causes: tuple[Fact, ...]
    origins: tuple[Fact, ...]
    costs: tuple[Fact, ...]
    groups: tuple[str, ...]
    tools: tuple[ToolView, ...]
    pages: tuple[JsonObject, ...]
    diagnostics: tuple[JsonObject, ...]
    stages: tuple[Fact, ...] = ()
    methods: tuple[str, ...] = field(default=())


def report_view(
    manifest: JsonObject,
    recordings: Sequence[JsonValue],
    graph: DependencyGraph | None,
) -> ReportView:
    """Make the page's content.

    Args:
        manifest: The content of `doc2tools.json`.
        recordings: The content of `tests/recordings.json`.
        graph: The dependency graph, where there is one.
    """
    proofs = {_text(call, "tool"): _proof(call) for call in recordings if isinstance(call, dict)}
    entries = _objects(manifest.get("tools"))
    edges = graph.edges if graph is not None else ()
    found = (_tool(entry, proofs.get(_text(entry, "name")), edges) for entry in entries)
    tools = tuple(sorted(found, key=lambda tool: _rank(tool.status)))
    compiler = _object(manifest.get("compiler"))
    return ReportView(
        name=_text(manifest, "name"),
        title=_text(manifest, "title") or _text(manifest, "name"),
        version=_text(manifest, "version"),
        base_url=_text(manifest, "base_url"),
        compiler=f"{_text(compiler, 'name')} {_text(compiler, 'version')}",
        digest=_text(manifest, "digest")[:12],
        facts=_facts(manifest, tools, graph),
        counts=tuple(
            Fact(status, str(number))
            for status in STATUSES
            if (number := sum(tool.status == status for tool in tools))
        ),
        causes=_causes(tools),
        origins=_origins(tools),
        costs=_costs(manifest),
        groups=tuple(sorted({tool.group for tool in tools})),
        methods=tuple(sorted({tool.method for tool in tools})),
        tools=tools,
        pages=tuple(_objects(manifest.get("pages"))),
        diagnostics=tuple(_diagnostic(one) for one in _objects(manifest.get("diagnostics"))),
        stages=_stages(graph),
    )


def _facts(
    manifest: JsonObject, tools: Sequence[ToolView], graph: DependencyGraph | None
) -> tuple[Fact, ...]:
    counts = _object(manifest.get("counts"))
    good = sum(tool.status == "validated" for tool in tools)
    calls = counts.get("calls")
    number = calls if isinstance(calls, int) else 0
    each = f"{number / good:.1f} for each proved tool" if good else ""
    proved = sum(edge.stage == "proved" for edge in graph.edges) if graph is not None else 0
    repaired = sum(bool(tool.repairs) for tool in tools)
    facts = [
        Fact("tools proved", f"{good} of {len(tools)}", "by a real call"),
        Fact("calls", f"{number:,}", each),
        Fact("repaired", str(repaired), "documentation was wrong"),
        Fact("dependencies", str(proved), "edges proved by calls"),
    ]
    tokens = _tokens(manifest)
    if tokens is not None:
        facts.append(Fact("tokens", f"{tokens:,}", "of tools/list"))
    return tuple(facts)


def _rank(status: str) -> int:
    return STATUSES.index(status) if status in STATUSES else len(STATUSES)


def _tokens(manifest: JsonObject) -> int | None:
    """Give the tokens of `tools/list`, where the manifest counts them."""
    tokens = manifest.get("tokens")
    if isinstance(tokens, dict):
        tokens = tokens.get("tools_list")
    return tokens if isinstance(tokens, int) else None


def _causes(tools: Sequence[ToolView]) -> tuple[Fact, ...]:
    found = Counter(
        tool.cause
        for tool in tools
        if tool.status != "validated" and tool.cause not in {"", tool.status}
    )
    return tuple(Fact(cause, str(number)) for cause, number in found.most_common())


def _origins(tools: Sequence[ToolView]) -> tuple[Fact, ...]:
    found = Counter(
        parameter.origin for tool in tools for parameter in tool.parameters if parameter.origin
    )
    return tuple(Fact(origin, str(found[origin])) for origin in ORIGINS if found[origin])


def _costs(manifest: JsonObject) -> tuple[Fact, ...]:
    counts = _object(manifest.get("counts"))
    ledger = _object(manifest.get("ledger"))
    named = (
        ("endpoints", "found in the documentation"),
        ("rejected", "looked like endpoints and are none"),
        ("calls", "made to prove the tools"),
    )
    costs = [Fact(name, f"{counts[name]:,}", note) for name, note in named if name in counts]
    listed = _tokens(manifest)
    if listed is not None:
        costs.append(Fact("tools/list", f"{listed:,}", "tokens, in an agent's context"))
    for answer in _objects(_object(manifest.get("tokens")).get("largest_answers"))[:LARGEST]:
        tokens = answer.get("tokens")
        if isinstance(tokens, int):
            costs.append(Fact(_text(answer, "tool"), f"{tokens:,}", "tokens, a large answer"))
    if ledger.get("model"):
        costs.append(Fact("model", _text(ledger, "model")))
    for name in ("questions", "tokens_in", "tokens_out"):
        value = ledger.get(name)
        if isinstance(value, int | float):
            costs.append(Fact(f"model: {name.replace('_', ' ')}", f"{value:,}"))
    if not any(cost.name.startswith("model") for cost in costs):
        costs.append(Fact("model", "none", "rules alone"))
    return tuple(costs)


def _stages(graph: DependencyGraph | None) -> tuple[Fact, ...]:
    if graph is None:
        return ()
    return tuple(
        Fact(stage.stage, f"{stage.edges:,}", _dropped(stage.dropped)) for stage in graph.stages
    )


def _dropped(reasons: Mapping[str, int]) -> str:
    return "; ".join(f"{number:,} {reason}" for reason, number in reasons.items())


def _tool(entry: JsonObject, proof: ProofView | None, edges: Iterable[Edge]) -> ToolView:
    name = _text(entry, "name")
    parameters = tuple(_parameter(one) for one in _objects(entry.get("parameters")))
    needed = [one.name for one in parameters if one.required]
    others = len(parameters) - len(needed)
    more = [f"+{others} optional"] if others else []
    effect = _object(entry.get("effect"))
    return ToolView(
        name=name,
        group=_text(entry, "group"),
        method=_text(entry, "method"),
        url=_text(entry, "url"),
        status=_text(entry, "status"),
        cause=_text(entry, "cause"),
        message=_text(entry, "message"),
        summary=_text(entry, "summary") or _text(entry, "title"),
        signature=", ".join(needed + more),
        evidence=_texts(entry.get("evidence")),
        verdict=_texts(entry.get("verdict_evidence")),
        repairs=_texts(entry.get("repairs")),
        lines=tuple(_lines(one) for one in _objects(entry.get("sources"))),
        effect=f"{_text(effect, 'kind')}: {_text(effect, 'reason')}",
        deprecated=entry.get("deprecated") is True,
        facts=_tool_facts(entry),
        parameters=parameters,
        proof=proof,
        fed_by=tuple(
            FeedView(edge.source, edge.parameter, edge.field, edge.stage, edge.reason)
            for edge in edges
            if edge.target == name
        ),
        feeds=tuple(
            FeedView(edge.target, edge.parameter, edge.field, edge.stage, edge.reason)
            for edge in edges
            if edge.source == name
        ),
    )


def _tool_facts(entry: JsonObject) -> tuple[Fact, ...]:
    named = (("calls", "calls"), ("rounds", "waves"), ("tokens", "model tokens"))
    facts = [
        Fact(label, f"{value:,}")
        for key, label in named
        if isinstance(value := entry.get(key), int) and value
    ]
    confidence = entry.get("confidence")
    if isinstance(confidence, float):
        facts.append(Fact("confidence of extraction", f"{confidence:.2f}"))
    return tuple(facts)


def _parameter(entry: JsonObject) -> ParameterView:
    used = entry.get("value_origin") is not None
    return ParameterView(
        name=_text(entry, "name"),
        location=_text(entry, "in"),
        type=_text(entry, "type"),
        required=entry.get("required") is True,
        value=_short(entry.get("value")) if used else "",
        origin=_text(entry, "value_origin"),
        source=_text(entry, "value_source") if used else "",
        lines=", ".join(dict.fromkeys(_lines(one) for one in _objects(entry.get("source")))),
    )


def _proof(call: JsonObject) -> ProofView:
    request, response = _object(call.get("request")), _object(call.get("response"))
    headers = _object(response.get("headers"))
    body = _text(response, "body")
    if response.get("base64") is True:
        shown = f"{len(body) * 3 // 4:,} bytes of {_text(headers, 'Content-Type')}"
        return ProofView(_request(request), _pretty(call), _status(response), shown, cut=False)
    try:
        shown = json.dumps(json.loads(body), indent=2, ensure_ascii=False)
    except (ValueError, RecursionError):
        shown = body
    cut = len(shown) > ANSWER_CHARACTERS
    return ProofView(
        _request(request), _pretty(call), _status(response), shown[:ANSWER_CHARACTERS], cut
    )


def _request(request: JsonObject) -> str:
    return f"{_text(request, 'method')} {_text(request, 'url')}"


def _status(response: JsonObject) -> str:
    headers = _object(response.get("headers"))
    return f"{response.get('status')} {_text(headers, 'Content-Type')}"


def _pretty(call: JsonObject) -> str:
    arguments = _object(call.get("arguments"))
    given = ", ".join(f"{name}={_short(value)}" for name, value in arguments.items())
    return f"{_text(call, 'tool')}({given})"


def _diagnostic(entry: JsonObject) -> JsonObject:
    place = _object(entry.get("span"))
    return {**entry, "place": _lines(place) if place else ""}


def _lines(place: JsonObject) -> str:
    start, end = place.get("start"), place.get("end")
    return f"{_text(place, 'page')}:{start}" + (f"-{end}" if end != start else "")


def _short(value: JsonValue) -> str:
    text = json.dumps(value, ensure_ascii=False)
    return text if len(text) <= 200 else text[:199] + "…"


def _text(entry: JsonObject, key: str) -> str:
    value = entry.get(key)
    return value if isinstance(value, str) else ""


def _texts(value: JsonValue) -> tuple[str, ...]:
    items = value if isinstance(value, list) else []
    return tuple(item for item in items if isinstance(item, str))


def _object(value: JsonValue) -> JsonObject:
    return value if isinstance(value, dict) else {}


def _objects(value: JsonValue) -> list[JsonObject]:
    items = cast("list[JsonValue]", value) if isinstance(value, list) else []
    return [item for item in items if isinstance(item, dict)]
