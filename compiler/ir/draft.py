"""What extraction finds on one page: endpoint drafts whose every field cites its evidence."""

from __future__ import annotations

from typing import Literal

from doc2tools.compiler.ir.base import Frozen, JsonValue, Location, ValueType
from doc2tools.compiler.ir.source import Cited, Diagnostic, Span


class ParameterDraft(Frozen):
    """A parameter as the page tells it; `None` and empty fields are what it does not say."""

    name: Cited[str]
    location: Cited[Location] | None = None
    type: Cited[ValueType] | None = None
    item_type: ValueType | None = None
    required: Cited[bool] | None = None
    default: Cited[JsonValue] | None = None
    enum: Cited[tuple[JsonValue, ...]] | None = None
    format: str = ""
    pattern: str = ""
    minimum: float | None = None
    maximum: float | None = None
    examples: tuple[Cited[JsonValue], ...] = ()
    description: str = ""
    deprecated: bool = False
    fields: tuple[ParameterDraft, ...] = ()


class AuthDraft(Frozen):
    """An authentication scheme that the page states.

    Attributes:
        type: As in the configuration's `[auth]`.
        name: The header, query parameter or cookie that carries the credential, if it has one.
        description: What the page says.
        spans: Where.
    """

    type: Literal["none", "basic", "bearer", "header", "query", "cookie", "login", "oauth2"]
    name: str = ""
    description: str = ""
    spans: tuple[Span, ...] = ()


class PaginationDraft(Frozen):
    """How an endpoint's answers are paged."""

    style: Literal["page", "offset", "cursor", "link-header", "next-url"]
    parameters: tuple[str, ...] = ()
    spans: tuple[Span, ...] = ()


class ResponseExample(Frozen):
    """A sample answer shown on the page, cut at 20,000 characters."""

    status: int | None = None
    content_type: str = ""
    text: str = ""
    spans: tuple[Span, ...] = ()


class AnswerField(Frozen):
    """A field that a good answer has, as a schema describes it.

    Attributes:
        path: Where in the answer, such as `results[].id` or `results.*` for the keys of a map.
        owners: Names of the schemas that the field belongs to, such as `Movie`: several where the
            answer takes one of several forms.
    """

    path: str
    type: ValueType = "any"
    format: str = ""
    description: str = ""
    owners: tuple[str, ...] = ()
    enum: tuple[JsonValue, ...] = ()


class RequestSample(Frozen):
    """A concrete request shown on the page, with the values it uses for the parameters.

    Attributes:
        method: Upper case.
        url: As shown, placeholders not yet filled.
        values: Parameter name to the value in the sample, all locations together.
        headers: Header name to value, credentials left out.
        body: The body as shown.
        spans: Where.
    """

    method: str
    url: str
    values: dict[str, JsonValue] = {}
    headers: dict[str, str] = {}
    body: str = ""
    spans: tuple[Span, ...] = ()


class EndpointDraft(Frozen):
    """One endpoint as the page tells it.

    Attributes:
        method: Upper-case verb; `inferred` where the page states none.
        path: Template from the host's root or from the base URL, with `{name}` placeholders and,
            for selectors, a query such as `?action=list`.
        base_url: Scheme, host and base path that this endpoint's own text gives, if any.
        summary: One sentence.
        description: More, in plain text.
        section: Texts of the headings above, outermost first.
        headers: Fixed headers that every call needs, name to value.
        body_kind: How a body is sent.
        rank: Total confidence, 0 to 1.
        reasons: What speaks for it, a line each, for `--explain`.
    """

    method: Cited[str]
    path: Cited[str]
    base_url: Cited[str] | None = None
    title: str = ""
    summary: str = ""
    description: str = ""
    section: tuple[str, ...] = ()
    parameters: tuple[ParameterDraft, ...] = ()
    headers: dict[str, str] = {}
    body_kind: Literal["none", "json", "form", "multipart", "text"] = "none"
    samples: tuple[RequestSample, ...] = ()
    responses: tuple[ResponseExample, ...] = ()
    response_fields: tuple[str, ...] = ()
    answer_fields: tuple[AnswerField, ...] = ()
    content_types: tuple[str, ...] = ()
    auth: AuthDraft | None = None
    pagination: PaginationDraft | None = None
    rate_limit: str = ""
    deprecated: bool = False
    rank: float = 1.0
    reasons: tuple[str, ...] = ()


class Rejected(Frozen):
    """A candidate that looked like an endpoint and is none, with the reason."""

    text: str
    reason: str
    span: Span


class Quality(Frozen):
    """How well the page is organised, with the measured reasons."""

    grade: Literal["organised", "semi-organised", "unorganised"]
    reasons: tuple[str, ...] = ()


class PageDraft(Frozen):
    """All that one page says about the API.

    Attributes:
        page: The page's name, as in `Document.page`.
        base_urls: Base URLs that the page states or shows, best first.
        shared: Parameters that the page says all endpoints take.
    """

    page: str
    title: str = ""
    url: str = ""
    endpoints: tuple[EndpointDraft, ...] = ()
    base_urls: tuple[Cited[str], ...] = ()
    shared: tuple[ParameterDraft, ...] = ()
    auth: tuple[AuthDraft, ...] = ()
    pagination: PaginationDraft | None = None
    rate_limit: str = ""
    quality: Quality = Quality(grade="unorganised")
    rejected: tuple[Rejected, ...] = ()
    diagnostics: tuple[Diagnostic, ...] = ()


ParameterDraft.model_rebuild()
