"""Short ways to write drafts for the tests of the passes."""

from __future__ import annotations

from typing import Any, TypeAlias

from doc2tools.compiler.ir.base import JsonValue, Location
from doc2tools.compiler.ir.draft import EndpointDraft, PageDraft, ParameterDraft, RequestSample
from doc2tools.compiler.ir.options import CompileOptions
from doc2tools.compiler.ir.source import Cited, Diagnostic, Span
from doc2tools.compiler.ir.spec import ApiSpec, Endpoint
from doc2tools.compiler.passes.normalise import normalise

Fact: TypeAlias = Any
"""A value for a field of a draft."""


def at(page: str, line: int) -> tuple[Span, ...]:
    return (Span(page=page, start=line, end=line),)


def cite(value: Fact, page: str = "a.md", line: int = 1, **more: Fact) -> Cited[Any]:
    return Cited(value=value, spans=at(page, line), **more)


def endpoint(call: str, page: str = "a.md", line: int = 1, **more: Fact) -> EndpointDraft:
    """Draft `"GET /path"`; `base` is the endpoint's own base URL."""
    method, path = call.split(" ", 1)
    base = more.pop("base", "")
    if base:
        more["base_url"] = cite(base, page, line)
    return EndpointDraft(method=cite(method, page, line), path=cite(path, page, line), **more)


def parameter(
    name: str, location: Location | None = None, examples: tuple[JsonValue, ...] = (), **more: Fact
) -> ParameterDraft:
    for key in ("type", "required", "default", "enum"):
        if key in more:
            more[key] = cite(more[key])
    return ParameterDraft(
        name=cite(name),
        location=cite(location) if location else None,
        examples=tuple(cite(value) for value in examples),
        **more,
    )


def sample(call: str, /, **values: JsonValue) -> RequestSample:
    method, url = call.split(" ", 1)
    return RequestSample(method=method, url=url, values=values, spans=at("a.md", 9))


def page(*endpoints: EndpointDraft, name: str = "a.md", **more: Fact) -> PageDraft:
    """Draft a page; `bases` are its base URLs, best first."""
    bases = tuple(cite(base, name, 3) for base in more.pop("bases", ()))
    return PageDraft(page=name, endpoints=endpoints, base_urls=bases, **more)


def settle(
    *pages: PageDraft, base_url: str = "", name: str = ""
) -> tuple[ApiSpec, tuple[Diagnostic, ...]]:
    return normalise(pages, CompileOptions(base_url=base_url, name=name))


def only(*pages: PageDraft, base_url: str = "") -> Endpoint:
    spec, _ = settle(*pages, base_url=base_url)
    assert len(spec.endpoints) == 1
    return spec.endpoints[0]


def by_name(spec: ApiSpec) -> dict[str, Endpoint]:
    return {tool.name: tool for tool in spec.endpoints}
