"""Puts together all that was collected for one endpoint: its parameters, body kind and samples."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Final, Literal

from doc2tools.compiler.extract.candidates import LocatedEndpoint
from doc2tools.compiler.extract.parameters.answers import is_answer_header
from doc2tools.compiler.extract.parameters.bodies import looks_json
from doc2tools.compiler.extract.parameters.mention import LISTED, SEEN, SHOWN, Mention
from doc2tools.compiler.extract.parameters.merge import (
    CitedChoices,
    CitedFlag,
    CitedValue,
    Situation,
    bare,
    merge,
)
from doc2tools.compiler.extract.parameters.naming import is_identifier
from doc2tools.compiler.extract.parameters.prose import Told
from doc2tools.compiler.extract.parameters.regions import Listing
from doc2tools.compiler.extract.parameters.routes import Route, Shown
from doc2tools.compiler.extract.parameters.sampled import (
    all_samples,
    is_placeholder,
    path_values,
    read_sample,
)
from doc2tools.compiler.extract.parameters.vocabulary import word_set
from doc2tools.compiler.ir.base import Location
from doc2tools.compiler.ir.draft import EndpointDraft, ParameterDraft, RequestSample
from doc2tools.compiler.ir.source import Diagnostic, Span

_SHAPE: Final = re.compile(r"\{[\w .|-]{0,60}\}")
_BODY_METHODS: Final = frozenset({"POST", "PUT", "PATCH"})
_USUALLY_OPTIONAL: Final = word_set(
    """page limit offset size perpage pagesize count sort sortby order orderby format callback
    lang language locale fields include exclude expand cursor skip start end from to filter
    pretty verbose jsonp units timezone tz embed select top per direction"""
)
_FIXED_HEADERS: Final = frozenset(
    {"content-type", "accept", "host", "content-length", "connection", "user-agent"}
)
BodyKind = Literal["none", "json", "form", "multipart", "text"]


@dataclass(slots=True)
class Collected:
    """All that the page says of one endpoint's parameters, unmerged."""

    found: LocatedEndpoint
    route: Route
    mentions: list[Mention] = field(default_factory=list[Mention])
    listings: list[Listing] = field(default_factory=list[Listing])
    told: list[Told] = field(default_factory=list[Told])
    bodies: list[Mention] = field(default_factory=list[Mention])
    everywhere: list[Mention] = field(default_factory=list[Mention])

    def known_names(self) -> set[str]:
        """Give the names that the endpoint's path, addresses and samples hold, for comparing."""
        names = {bare(name) for name in self.route.names}
        for shown in self.route.shown:
            for name, value in shown.query:
                names.add(bare(name))
                if value and value.startswith("{"):
                    names.add(bare(value))
        for sample in self.found.draft.samples:
            names.update(bare(name) for name in sample.values)
        return names


def complete(one: Collected) -> tuple[EndpointDraft, list[Diagnostic]]:
    """Merge what was collected into the endpoint's draft."""
    draft = one.found.draft
    span = _span(one.found)
    mentions = [
        Mention(name, span, "path", SHOWN, "path", placeholder=True) for name in one.route.names
    ]
    _conclude_required(one.listings)
    mentions += one.mentions
    shown, aliases = _queries(one)
    mentions += shown
    samples: list[RequestSample] = []
    form = draft.body_kind in {"form", "multipart"}
    for sample in all_samples(draft.samples, one.route):
        completed, seen = read_sample(sample, one.route, span, form=form)
        samples.append(completed)
        mentions += seen
    mentions += one.bodies
    general = {id(m) for m in one.everywhere}
    listed = any(m.confidence >= LISTED and id(m) not in general for m in one.mentions)
    known = {bare(m.name) for m in mentions}
    for told in one.told:
        if (
            bare(told.mention.name) in known
            or not listed
            or told.mention.location in {"header", "cookie"}
        ):
            mentions.append(told.mention)
            continue
        if told.firm and told.mention.required is not None and told.mention.location == "query":
            mentions.append(told.mention)
    listed_names = {m.name for m in one.mentions if m.confidence >= LISTED}
    fixed = {name for name, _ in one.route.fixed}
    mentions = [
        m
        for m in mentions
        if not (_is_fixed_header(m) or is_answer_header(m))
        and (m.name not in fixed or m.name in listed_names)
    ]
    body_kind = _body_kind(one, mentions)
    situation = _situation(one, mentions, aliases, body_kind)
    parameters, diagnostics = merge(mentions, situation)
    parameters = tuple(_fix(p, one) if p.name.value in fixed else p for p in parameters)
    kind = _settle_body(body_kind, parameters, draft.method.value)
    headers = dict(draft.headers)
    for mention in one.mentions:
        if mention.name.lower() == "accept" and mention.examples and "/" in mention.examples[0]:
            headers.setdefault("Accept", mention.examples[0].split(",")[0].strip())
    update: dict[str, object] = {
        "parameters": parameters,
        "samples": tuple(samples),
        "body_kind": kind,
        "headers": headers,
    }
    return draft.model_copy(update=update), diagnostics


def _span(found: LocatedEndpoint) -> Span:
    spans = found.draft.path.spans or found.draft.method.spans
    return spans[0] if spans else Span(page="", start=1, end=1)


def _conclude_required(listings: list[Listing]) -> None:
    """Where most rows say "optional" and none "required", the others are required."""
    for listing in listings:
        rows = [m for m in listing.mentions if m.location != "header"]
        optional = [m for m in rows if m.required is False and m.marked]
        silent = [m for m in rows if m.required is None]
        if len(optional) < len(silent) or any(m.required is True for m in rows):
            continue
        for mention in rows:
            if mention.required is None and bare(mention.name) not in _USUALLY_OPTIONAL:
                mention.required = True
                mention.reason = "others of the list are marked optional, this one is not"


def _queries(one: Collected) -> tuple[list[Mention], dict[str, str]]:
    mentions: list[Mention] = []
    aliases: dict[str, str] = {}
    for shown in one.route.shown:
        for name, value in shown.query:
            if (name, value or "") in one.route.fixed or not is_identifier(name):
                continue
            documented = value is not None and _SHAPE.search(value) is not None
            mention = Mention(name, shown.span, "query", SHOWN if documented else SEEN, "query")
            if documented and value:
                inner = value[1:-1]
                if inner and inner != name and is_identifier(inner):
                    aliases.setdefault(inner, name)
                mention.take_value(value)
            elif value:
                mention.examples = (value,)
            mentions.append(mention)
        mentions += path_values(shown.values, shown.span)
    return mentions, aliases


def _is_fixed_header(mention: Mention) -> bool:
    if mention.name.lower() == "accept" and mention.rule == "prose":
        return True
    return mention.location in {"header", None} and mention.name.lower() in {
        "content-type",
        "content-length",
        "host",
    }


def _body_kind(one: Collected, mentions: list[Mention]) -> BodyKind:
    draft = one.found.draft
    listed = {m.location for m in mentions if m.confidence >= LISTED}
    upload = any(m.type == "file" and m.location in {"form", "body", None} for m in mentions)
    signs: tuple[tuple[bool, BodyKind], ...] = (
        (draft.body_kind != "none", draft.body_kind),
        (upload and draft.method.value in _BODY_METHODS, "multipart"),
        ("body" in listed or bool(one.bodies), "json"),
        ("form" in listed, "form"),
        (any(looks_json(sample.body) for sample in draft.samples), "json"),
        (any(m.location == "form" for m in mentions), "form"),
    )
    found: list[BodyKind] = [kind for shown, kind in signs if shown]
    return found[0] if found else "none"


def _situation(
    one: Collected, mentions: list[Mention], aliases: dict[str, str], body_kind: BodyKind
) -> Situation:
    method = one.found.draft.method.value
    query = frozenset(name for shown in one.route.shown for name, _ in shown.query)
    usual: Location = "query"
    reason = f"{method} requests take parameters in the query"
    if method in _BODY_METHODS:
        if body_kind in {"form", "multipart"}:
            usual, reason = "form", "the endpoint takes a form"
        elif body_kind == "json" or not query:
            usual, reason = "body", f"{method} requests take parameters in the body"
    elif method == "DELETE" and body_kind == "json" and not query:
        usual, reason = "body", "the endpoint is shown with a JSON body"
    body = frozenset(m.name for m in mentions if m.location in {"body", "form"})
    return Situation(
        one.route.names,
        usual,
        reason,
        aliases,
        query,
        body,
        _always(one),
        frozenset(n for n, _ in one.route.fixed),
    )


def _always(one: Collected) -> frozenset[str]:
    """Query names with a placeholder that every address of the endpoint's definition holds."""
    own = [
        s
        for s in one.route.shown
        if s.index == one.found.anchor
        or one.found.start <= s.index < one.found.end
        or any(v and v.startswith("{") for _, v in s.query)
    ]
    documented = [s for s in own if any(v and v.startswith("{") for _, v in s.query)]
    if not documented or any(not s.query for s in own if _is_definition(s, one)):
        return frozenset()
    names: set[str] | None = None
    for shown in own:
        here = {name for name, _ in shown.query}
        if not here:
            continue
        names = here if names is None else names & here
    stated = {
        name for s in documented for name, value in s.query if value and value.startswith("{")
    }
    return frozenset(
        name
        for name in (names or set()) & stated
        if bare(name) not in _USUALLY_OPTIONAL and "|" not in name
    )


def _is_definition(shown: Shown, one: Collected) -> bool:
    return (
        not shown.values
        or any(is_placeholder(value) for value in shown.values.values())
        or not one.route.names
    )


def _fix(parameter: ParameterDraft, one: Collected) -> ParameterDraft:
    value = next((v for n, v in one.route.fixed if n == parameter.name.value), "")
    return parameter.model_copy(
        update={
            "required": CitedFlag(value=True, inferred="selects the operation"),
            "enum": CitedChoices(value=(value,), inferred="selects the operation"),
            "default": CitedValue(value=value, inferred="selects the operation"),
        }
    )


def _settle_body(kind: BodyKind, parameters: tuple[ParameterDraft, ...], method: str) -> BodyKind:
    places = {p.location.value for p in parameters if p.location is not None}
    if kind == "none" and method not in {"GET", "HEAD"}:
        if "body" in places:
            return "json"
        if "form" in places:
            return "form"
    return kind
