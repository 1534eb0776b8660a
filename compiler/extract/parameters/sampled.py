"""Values from concrete requests: parameters that a sample shows, and each sample's value set."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from typing import Final
from urllib.parse import unquote_plus

from doc2tools.compiler.extract.candidates import LocatedEndpoint
from doc2tools.compiler.extract.parameters.bodies import (
    body_mentions,
    json_type,
    looks_json,
    parse_json,
)
from doc2tools.compiler.extract.parameters.mention import SEEN, Mention
from doc2tools.compiler.extract.parameters.naming import is_identifier
from doc2tools.compiler.extract.parameters.routes import Route, Routes, fit
from doc2tools.compiler.extract.templates import parse_targets
from doc2tools.compiler.ir.base import JsonValue
from doc2tools.compiler.ir.draft import EndpointDraft, RequestSample
from doc2tools.compiler.ir.source import Span

_PLACEHOLDER: Final = re.compile(
    r"\{\{?[\w .:|-]{0,60}\}?\}|<[\w .:|-]{0,60}>|\[[\w .-]{0,60}\]|\$\{?[A-Za-z_]\w{0,60}\}?"
    r"|:[A-Za-z_]\w{0,60}|\.{3}|…|\*|%[sd]"
)
_FIXED_HEADERS: Final = frozenset(
    {
        "content-type", "accept", "host", "content-length", "connection", "user-agent",
        "authorization", "cookie", "accept-encoding", "cache-control", "pragma", "origin",
        "referer", "keep-alive", "upgrade-insecure-requests", "date", "te",
    }
)  # fmt: skip
_MAX_SAMPLES: Final = 20


def is_placeholder(value: str) -> bool:
    """Tell whether a value in a sample only stands for one."""
    return not value or _PLACEHOLDER.fullmatch(value) is not None


def path_values(values: dict[str, str], span: Span) -> list[Mention]:
    """Give the values that an address has in the places of a path's placeholders."""
    found: list[Mention] = []
    for name, shown in values.items():
        value = _without_query(shown)
        if is_placeholder(value) or "{" in value or value.strip("_").lower() == name.lower():
            continue
        found.append(Mention(name, span, "path-sample", SEEN, "path", examples=(value,)))
    return found


def without_foreign(found: LocatedEndpoint, routes: Routes, route: Route) -> LocatedEndpoint:
    """Leave out samples that suit another endpoint's path better: `/a/random` under `/a/{id}`."""
    kept: list[RequestSample] = []
    for sample in found.draft.samples:
        fitting = [
            other for target in parse_targets(sample.url)[:1] for other, _ in routes.find(target)
        ]
        if not fitting or any(other.segments == route.segments for other in fitting):
            kept.append(sample)
    if len(kept) == len(found.draft.samples):
        return found
    return replace(found, draft=found.draft.model_copy(update={"samples": tuple(kept)}))


def lend_values(drafts: Sequence[EndpointDraft]) -> list[EndpointDraft]:
    """Let methods of one path use each other's samples where they have no values of their own."""
    by_path: dict[str, list[EndpointDraft]] = {}
    for draft in drafts:
        by_path.setdefault(draft.path.value, []).append(draft)
    return [_borrowed(draft, by_path[draft.path.value]) for draft in drafts]


def _borrowed(draft: EndpointDraft, twins: Sequence[EndpointDraft]) -> EndpointDraft:
    names = {parameter.name.value for parameter in draft.parameters}
    if len(twins) < 2 or not names or any(sample.values for sample in draft.samples):
        return draft
    lent: list[RequestSample] = []
    for twin in twins:
        for sample in twin.samples if twin.method.value != draft.method.value else ():
            values = {name: value for name, value in sample.values.items() if name in names}
            if values and len(values) == len(sample.values):
                update: dict[str, object] = {
                    "method": draft.method.value,
                    "values": values,
                    "body": "",
                }
                lent.append(sample.model_copy(update=update))
    examples = {p.name.value: p.examples for twin in twins for p in twin.parameters if p.examples}
    parameters = tuple(
        p if p.examples else p.model_copy(update={"examples": examples.get(p.name.value, ())})
        for p in draft.parameters
    )
    samples = (*draft.samples, *lent[:_MAX_SAMPLES])
    return draft.model_copy(update={"samples": samples, "parameters": parameters})


def all_samples(own: Sequence[RequestSample], route: Route) -> list[RequestSample]:
    """Give the endpoint's samples, those included that only its addresses lead to."""
    found = list(own)
    seen = {(sample.method, sample.url, sample.body) for sample in own}
    for sample in route.samples:
        key = (sample.method, sample.url, sample.body)
        if key not in seen and len(found) < _MAX_SAMPLES:
            seen.add(key)
            found.append(sample)
    return found


def read_sample(
    sample: RequestSample, route: Route, span: Span, *, form: bool
) -> tuple[RequestSample, list[Mention]]:
    """Complete a sample's values by wire name, and give what it shows as mentions.

    Args:
        sample: As found.
        route: Its endpoint's path.
        span: Where to say that it stands, if it does not say so itself.
        form: The endpoint takes a form.
    """
    span = sample.spans[0] if sample.spans else span
    values: dict[str, JsonValue] = dict(sample.values)
    mentions: list[Mention] = []
    query: set[str] = set()
    for target in parse_targets(sample.url)[:1]:
        fitting = fit(route, target.segments)
        query = {name for name, _ in target.query}
        if fitting:
            mentions += path_values(fitting, span)
            for name, value in fitting.items():
                if not is_placeholder(_without_query(value)):
                    values[name] = _without_query(value)
    for name, value in _raw_query(sample.url).items():
        if values.get(name, "") is None and not is_placeholder(value):
            values[name] = value
    sent = {name: value for name, value in values.items() if name not in route.names}
    json_body = looks_json(sample.body)
    if json_body:
        mentions += body_mentions(parse_json(sample.body), span, shown=False)
    outside = [value for name, value in sent.items() if name not in query]
    form = form or all(value is None or isinstance(value, str) for value in outside)
    for name, value in sent.items():
        if not is_identifier(name) or (name, str(value)) in route.fixed:
            continue
        if name in query or (sample.method in {"GET", "HEAD"} and not json_body):
            mentions.append(_seen(name, value, span, "query"))
        elif not json_body:
            mentions.append(_seen(name, value, span, "form" if form else "body"))
    mentions += [
        _seen(name, value, span, "header")
        for name, value in sample.headers.items()
        if name.lower() not in _FIXED_HEADERS
    ]
    return sample.model_copy(update={"values": values}), mentions


def _seen(name: str, value: JsonValue, span: Span, place: str) -> Mention:
    mention = Mention(name, span, "sample", SEEN)
    mention.location = (
        "query"
        if place == "query"
        else "form"
        if place == "form"
        else "header"
        if place == "header"
        else "body"
    )
    if isinstance(value, str):
        mention.examples = () if is_placeholder(value) else (value,)
    elif value is not None:
        mention.literals = (value,)
        mention.type = json_type(value) if place == "body" else None
    return mention


def _raw_query(url: str) -> dict[str, str]:
    """The query's values as written: `{job="x"}` is a value, `{job}` is none."""
    query = url.partition("?")[2].partition("#")[0]
    found: dict[str, str] = {}
    for pair in query.split("&")[:100]:
        name, mark, value = pair.partition("=")
        if mark:
            found.setdefault(unquote_plus(name), unquote_plus(value))
    return found


def _without_query(value: str) -> str:
    return re.split(r"\?(?=[\w\[\]-]{1,60}=)", value, maxsplit=1)[0]
