"""The API as the normaliser settles it: one `ApiSpec` for a documentation set."""

from __future__ import annotations

from typing import Literal

from doc2tools.compiler.ir.base import Frozen, JsonValue, Location, Origin, ValueType
from doc2tools.compiler.ir.draft import (
    AnswerField,
    AuthDraft,
    PaginationDraft,
    Quality,
    Rejected,
    ResponseExample,
)
from doc2tools.compiler.ir.source import Cited, Span

EffectKind = Literal["read", "write", "destructive"]


class Effect(Frozen):
    """What a call does to the server, and how we know.

    `read` tools may be called freely; the others only under the write plan. `idempotent` as in
    RFC 9110, section 9.2.2.
    """

    kind: EffectKind
    reason: str
    idempotent: bool = True


class Example(Frozen):
    """A value for one parameter, with its provenance."""

    value: JsonValue
    origin: Origin = "documented"
    spans: tuple[Span, ...] = ()


class Parameter(Frozen):
    """One parameter of an endpoint.

    Attributes:
        name: As sent on the wire.
        identifier: The Python argument's name, unique in its endpoint.
        location: Where it is sent.
        required: A call without it is refused; path parameters always are.
        style: How an array is sent in a query: repeated, or joined by the separator.
        unfit_examples: Documented values that the documented type rules out: one of both is wrong.
    """

    name: str
    identifier: str
    location: Location
    type: ValueType = "any"
    item_type: ValueType | None = None
    required: bool = False
    default: JsonValue = None
    enum: tuple[JsonValue, ...] = ()
    format: str = ""
    pattern: str = ""
    minimum: float | None = None
    maximum: float | None = None
    style: Literal["repeat", "comma", "space", "pipe"] = "repeat"
    examples: tuple[Example, ...] = ()
    unfit_examples: tuple[Example, ...] = ()
    description: str = ""
    deprecated: bool = False
    fields: tuple[Parameter, ...] = ()
    spans: tuple[Span, ...] = ()
    inferred: str = ""


class Endpoint(Frozen):
    """One operation: method, URL template and all that is known about it.

    Attributes:
        name: The tool's name: a valid Python and MCP identifier of at most 56 characters, unique in
            the API and stable under changes elsewhere.
        group: The module of the package it goes to: a Python identifier.
        base_url: Scheme, host and base path, no trailing slash; "" where unknown.
        path: Template with `{name}` placeholders, from the base URL on.
        fixed_query: Query that selects the operation (`?action=list`), always sent.
        fixed_headers: Headers always sent.
        samples: Concrete argument sets that the documentation shows, wire name to value; values of
            one set belong together.
        proposed: How a model came to propose it, "" for what the rules found.
    """

    name: str
    group: str
    title: str = ""
    summary: str = ""
    description: str = ""
    method: str
    base_url: str = ""
    path: str
    fixed_query: dict[str, str] = {}
    fixed_headers: dict[str, str] = {}
    parameters: tuple[Parameter, ...] = ()
    body_kind: Literal["none", "json", "form", "multipart", "text"] = "none"
    samples: tuple[dict[str, JsonValue], ...] = ()
    responses: tuple[ResponseExample, ...] = ()
    response_fields: tuple[str, ...] = ()
    answer_fields: tuple[AnswerField, ...] = ()
    content_types: tuple[str, ...] = ()
    auth: AuthDraft | None = None
    pagination: PaginationDraft | None = None
    rate_limit: str = ""
    effect: Effect
    deprecated: bool = False
    method_inferred: str = ""
    rank: float = 1.0
    reasons: tuple[str, ...] = ()
    section: tuple[str, ...] = ()
    spans: tuple[Span, ...] = ()
    proposed: str = ""

    @property
    def url(self) -> str:
        """The full URL template, selector query included; starts with `/` if no base is known."""
        query = "&".join(f"{key}={value}" for key, value in self.fixed_query.items())
        return f"{self.base_url}{self.path}" + (f"?{query}" if query else "")


class PageInfo(Frozen):
    """What is kept of a page beside its endpoints."""

    page: str
    title: str = ""
    quality: Quality
    endpoints: int = 0


class ApiSpec(Frozen):
    """The documented API."""

    title: str
    base_urls: tuple[Cited[str], ...] = ()
    endpoints: tuple[Endpoint, ...] = ()
    auth: tuple[AuthDraft, ...] = ()
    pages: tuple[PageInfo, ...] = ()
    rejected: tuple[Rejected, ...] = ()


Parameter.model_rebuild()
