"""The rule of evidence: what a model says a page documents counts only where the page says so.

Method, path and parameter names must stand in the lines that the answer cites. Hosts are never
taken from an answer: an endpoint that a model found belongs to the API that the rules know.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from typing import Literal
from urllib.parse import urlsplit

from pydantic import Field

from doc2tools.compiler.extract.model_lines import Line
from doc2tools.compiler.extract.placeholders import normalise_path
from doc2tools.compiler.ir.draft import EndpointDraft, ParameterDraft, Rejected
from doc2tools.compiler.ir.source import Cited, Span
from doc2tools.compiler.llm.choice import Form

__all__ = ["RULE", "EndpointForm", "PageForm", "ParameterForm", "stands"]

RULE = "model"
MOST_ENDPOINTS = 12
MOST_PARAMETERS = 12
MOST_CITED = 30
VERB_REACH = 2
RANK = 0.4

_PATH = re.compile(r"/[A-Za-z0-9_.~{}:,;=()%-]*(?:/[A-Za-z0-9_.~{}:,;=()%-]+)*/?")
_TOKEN = re.compile(
    r"(?:https?://(?P<host>[^\s/\"'`<>]{1,120}))?"
    r"(?P<path>/?[\w{}<>:$.~%\[\]()-]{0,80}(?:/[\w{}<>:$.~%\[\]()-]{0,80}){1,20})"
)
_NAME = re.compile(r"[A-Za-z_][\w.\-\[\]$]{0,60}")
_PLACE = re.compile(r"\{[^{}]{0,80}\}")
_REQUIRED = re.compile(r"\b(?:required|mandatory|must|obligatory)\b", re.IGNORECASE)


class ParameterForm(Form):
    """A parameter that the cited line names."""

    name: str = Field(max_length=80)
    location: Literal["path", "query", "header", "body", "form"] = "query"
    required: bool = False
    line: int = 0


class EndpointForm(Form):
    """An endpoint that the cited lines name."""

    method: Literal["GET", "POST", "PUT", "PATCH", "DELETE", "HEAD"]
    path: str = Field(max_length=300)
    first_line: int
    last_line: int
    parameters: list[ParameterForm] = Field(default=[], max_length=MOST_PARAMETERS)


class PageForm(Form):
    """The endpoints that a part of a page names beside the known ones."""

    endpoints: list[EndpointForm] = Field(max_length=MOST_ENDPOINTS)


def stands(
    proposed: EndpointForm, lines: Sequence[Line], hosts: Collection[str], page: str, by: str
) -> EndpointDraft | Rejected:
    """Judge a proposed endpoint by the lines that it cites.

    Args:
        proposed: What the model says.
        lines: The part of the page that it was shown.
        hosts: The API's own hosts, `name` or `name:port`, as the rules know them.
        page: The page's name.
        by: The model's name, for the reasons.
    """
    cited = [line for line in lines if proposed.first_line <= line.number <= proposed.last_line]
    shown = f"{proposed.method} {proposed.path}"[:200]
    wanted = _shape(proposed.path)
    at = [line for line in cited if any(_same(path, wanted) for _, path in _tokens(line))]
    verb = re.compile(rf"(?<![\w/]){proposed.method}(?![\w/])", re.IGNORECASE)
    said = [
        line
        for line in cited
        if verb.search(line.text) and any(abs(line.number - one.number) <= VERB_REACH for one in at)
    ]
    objection = _objection(proposed, cited, hosts, stated=bool(said))
    if objection:
        place = cited[0] if cited else next(iter(lines), None)
        span = place.span if place else Span(page=page, start=1, end=1)
        return Rejected(text=shown, reason=f"proposed by a model: {objection}", span=span)
    spans = tuple(dict.fromkeys(line.span for line in at))
    return EndpointDraft(
        method=Cited(
            value=proposed.method,
            spans=tuple(dict.fromkeys(line.span for line in said)),
            confidence=0.5,
            inferred="" if said else "no method is stated where the path stands",
            rule=RULE,
        ),
        path=Cited(value=normalise_path(proposed.path), spans=spans, confidence=0.5, rule=RULE),
        summary=_summary(cited, proposed.path),
        parameters=tuple(_parameters(proposed, lines)),
        rank=RANK,
        reasons=(f"{spans[0]}: proposed by the model {by}, whose words stand there",),
    )


def _objection(
    proposed: EndpointForm, cited: Sequence[Line], hosts: Collection[str], *, stated: bool
) -> str:
    """Say why the lines do not carry the proposal, "" where they do."""
    if not cited or len(cited) > MOST_CITED:
        return "it cites no lines of the page, or too many"
    wanted = _shape(proposed.path)
    if not _is_path(proposed.path) or not re.search(r"[A-Za-z]{2}", _PLACE.sub("", wanted)):
        return "the path is none, or has no word of its own"
    at = [host for line in cited for host, path in _tokens(line) if _same(path, wanted)]
    if not at:
        return "the path does not stand in the lines that it cites"
    if not any(not host or host in hosts for host in at):
        return "the lines that it cites name another host"
    if not stated and proposed.method != "GET":
        return "the method does not stand beside the path"
    return ""


def _is_path(path: str) -> bool:
    bad = "//" in path or ".." in path or "%" in path or path.count("/") > 20
    return not bad and bool(_PATH.fullmatch(path))


def _shape(path: str) -> str:
    """Give a path with all placeholders alike, and no slash at the end."""
    return _PLACE.sub("{}", normalise_path(path)).rstrip("/") or "/"


def _tokens(line: Line) -> Iterator[tuple[str, str]]:
    """Give the host, or "", and the shape of everything in the line that is like an address."""
    for found in _TOKEN.finditer(line.text):
        path = "/" + found["path"].lstrip("/").rstrip(".:,;)")
        yield (found["host"] or "").lower(), _shape(path)


def _same(token: str, wanted: str) -> bool:
    """Tell whether the page's `token` is the path `wanted`, or one with values in its places."""
    if token == wanted:
        return True
    one, other = token.split("/"), wanted.split("/")
    if len(one) != len(other):
        return False
    literal = sum(1 for a, b in zip(one, other, strict=True) if a and a == b and "{" not in a)
    fits = all(a == b or (b == "{}" and a) for a, b in zip(one, other, strict=True))
    return fits and literal > 0


def _summary(cited: Sequence[Line], path: str) -> str:
    """Give the page's own words: never the model's."""
    words = [line.text for line in cited if path not in line.text and len(line.text.split()) >= 3]
    return words[0][:200] if words else ""


def _parameters(proposed: EndpointForm, lines: Sequence[Line]) -> Iterator[ParameterDraft]:
    by_number = {line.number: line for line in lines}
    names: set[str] = set()
    for item in proposed.parameters:
        line = by_number.get(item.line)
        name = item.name.strip("{}<>`")
        if line is None or name in names or not _NAME.fullmatch(name):
            continue
        in_path = item.location == "path"
        if in_path or not re.search(rf"(?<!\w){re.escape(name)}(?!\w)", line.text):
            continue
        names.add(name)
        required = item.required and bool(_REQUIRED.search(line.text))
        yield ParameterDraft(
            name=Cited(value=name, spans=(line.span,), confidence=0.5, rule=RULE),
            location=Cited(value=item.location, spans=(line.span,), confidence=0.4, rule=RULE),
            required=Cited(value=required, spans=(line.span,), confidence=0.4, rule=RULE),
            description=line.text[:200],
        )


def hosts_of(addresses: Sequence[str]) -> frozenset[str]:
    """Give the hosts of addresses, with and without their ports, lower case."""
    found: set[str] = set()
    for address in addresses:
        try:
            parts = urlsplit(address)
        except ValueError:
            continue
        if parts.hostname:
            found |= {parts.netloc.rpartition("@")[2].lower(), parts.hostname.lower()}
    return frozenset(found)
