"""`endpoints.json`: Doc2Agent's schema (arXiv 2506.19998) and, beside its fields, our evidence."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from urllib.parse import urlencode

from doc2tools.compiler.emit.manifest import diagnostic, span
from doc2tools.compiler.emit.proofs import public_url
from doc2tools.compiler.ir.base import JsonValue
from doc2tools.compiler.ir.draft import EndpointDraft, PageDraft, ParameterDraft, Rejected
from doc2tools.compiler.ir.source import Cited, Span
from doc2tools.compiler.ir.spec import ApiSpec, Endpoint, Parameter
from doc2tools.compiler.passes.base_urls import join


def endpoints_json(draft: PageDraft) -> dict[str, JsonValue]:
    """Give what one page says, for `extract`.

    Endpoints without a base URL of their own get the page's best one.
    """
    page_base = draft.base_urls[0].value if draft.base_urls else ""
    return {
        "title": draft.title,
        "page": draft.page,
        "url": draft.url,
        "base_urls": [
            {"url": public_url(base.value), **_evidence(base)} for base in draft.base_urls
        ],
        "quality": {"grade": draft.quality.grade, "reasons": list(draft.quality.reasons)},
        "endpoints": [_draft(endpoint, page_base) for endpoint in draft.endpoints],
        "rejected": _rejected(draft.rejected),
        "diagnostics": [diagnostic(item) for item in draft.diagnostics],
    }


def spec_json(spec: ApiSpec) -> dict[str, JsonValue]:
    """Give the whole documented API in the same schema."""
    return {
        "title": spec.title,
        "base_urls": [
            {"url": public_url(base.value), **_evidence(base)} for base in spec.base_urls
        ],
        "endpoints": [
            _endpoint(endpoint)
            for endpoint in sorted(spec.endpoints, key=lambda e: (e.group, e.name))
        ],
        "rejected": _rejected(spec.rejected),
    }


def _draft(endpoint: EndpointDraft, page_base: str) -> JsonValue:
    own = endpoint.base_url
    base, path = join(own.value if own else page_base, endpoint.path.value)
    required, optional = _split(
        (_parameter(parameter), _is_required(parameter)) for parameter in endpoint.parameters
    )
    return {
        "name": endpoint.title or endpoint.summary or f"{endpoint.method.value} {path}",
        "description": endpoint.description or endpoint.summary,
        "summary": endpoint.summary,
        "method": endpoint.method.value,
        "url": public_url(base) + path,
        "path": path or "/",
        "base_url": public_url(base),
        "headers": _texts(endpoint.headers),
        "required_parameters": required,
        "optional_parameters": optional,
        "body_kind": endpoint.body_kind,
        "section": list(endpoint.section),
        "deprecated": endpoint.deprecated,
        "responses": [
            {"status": r.status, "content_type": r.content_type, "source": _spans(r.spans)}
            for r in endpoint.responses
        ],
        "confidence": round(endpoint.rank, 4),
        "evidence": list(endpoint.reasons),
        "source": {
            "method": _evidence(endpoint.method),
            "path": _evidence(endpoint.path),
            "base_url": _evidence(own) if own else None,
        },
    }


def _parameter(parameter: ParameterDraft) -> dict[str, JsonValue]:
    facts: dict[str, Cited[str] | Cited[bool] | Cited[JsonValue] | None] = {
        "name": parameter.name,
        "required": parameter.required,
        "default": parameter.default,
    }
    return {
        "name": parameter.name.value,
        "type": parameter.type.value if parameter.type else "string",
        "description": parameter.description,
        "default": parameter.default.value if parameter.default else None,
        "example": parameter.examples[0].value if parameter.examples else None,
        "in": parameter.location.value if parameter.location else None,
        "enum": list(parameter.enum.value) if parameter.enum else [],
        "format": parameter.format,
        "deprecated": parameter.deprecated,
        "source": {name: _evidence(fact) for name, fact in facts.items() if fact is not None},
    }


def _is_required(parameter: ParameterDraft) -> bool:
    if parameter.location is not None and parameter.location.value == "path":
        return True
    return parameter.required is not None and parameter.required.value


def _endpoint(endpoint: Endpoint) -> JsonValue:
    required, optional = _split(
        (_settled(parameter), parameter.required or parameter.location == "path")
        for parameter in endpoint.parameters
    )
    query = urlencode(endpoint.fixed_query, safe="{}[]$,:@/", errors="replace")
    path = endpoint.path + (f"?{query}" if query else "")
    return {
        "name": endpoint.name,
        "description": endpoint.description or endpoint.summary,
        "summary": endpoint.summary,
        "method": endpoint.method,
        "url": public_url(endpoint.base_url) + path,
        "path": path,
        "base_url": public_url(endpoint.base_url),
        "headers": _texts(endpoint.fixed_headers),
        "required_parameters": required,
        "optional_parameters": optional,
        "group": endpoint.group,
        "body_kind": endpoint.body_kind,
        "section": list(endpoint.section),
        "deprecated": endpoint.deprecated,
        "effect": {"kind": endpoint.effect.kind, "reason": endpoint.effect.reason},
        "confidence": round(endpoint.rank, 4),
        "evidence": list(endpoint.reasons),
        "source": _spans(endpoint.spans),
    }


def _settled(parameter: Parameter) -> dict[str, JsonValue]:
    return {
        "name": parameter.name,
        "type": parameter.type,
        "description": parameter.description,
        "default": parameter.default,
        "example": parameter.examples[0].value if parameter.examples else None,
        "in": parameter.location,
        "enum": list(parameter.enum),
        "format": parameter.format,
        "deprecated": parameter.deprecated,
        "inferred": parameter.inferred,
        "source": _spans(parameter.spans),
    }


def _split(
    parameters: Iterable[tuple[dict[str, JsonValue], bool]],
) -> tuple[list[JsonValue], list[JsonValue]]:
    required: list[JsonValue] = []
    optional: list[JsonValue] = []
    for parameter, needed in parameters:
        (required if needed else optional).append(parameter)
    return required, optional


def _evidence(fact: Cited[str] | Cited[bool] | Cited[JsonValue]) -> dict[str, JsonValue]:
    return {
        "spans": _spans(fact.spans),
        "confidence": round(fact.confidence, 4),
        "inferred": fact.inferred,
        "rule": fact.rule,
    }


def _spans(spans: tuple[Span, ...]) -> list[JsonValue]:
    return [span(item) for item in spans]


def _texts(values: Mapping[str, str]) -> dict[str, JsonValue]:
    return dict(values)


def _rejected(candidates: Iterable[Rejected]) -> list[JsonValue]:
    return [
        {"text": item.text, "reason": item.reason, "source": span(item.span)} for item in candidates
    ]
