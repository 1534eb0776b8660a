"""Collects what a page says about the API beside endpoints and parameters."""

from __future__ import annotations

from dataclasses import dataclass

from doc2tools.compiler.extract.candidates import Findings
from doc2tools.compiler.extract.facts.auth import endpoint_auth, page_auth
from doc2tools.compiler.extract.facts.bases import base_urls
from doc2tools.compiler.extract.facts.limits import (
    endpoint_pagination,
    is_deprecated,
    rate_limit,
    text_pagination,
)
from doc2tools.compiler.extract.facts.quality import grade
from doc2tools.compiler.extract.facts.responses import read_answers
from doc2tools.compiler.extract.outline import Outline
from doc2tools.compiler.extract.parameters.ownership import own_ranges
from doc2tools.compiler.ir.draft import (
    AuthDraft,
    EndpointDraft,
    PaginationDraft,
    Quality,
    ResponseExample,
)
from doc2tools.compiler.ir.source import Cited, Diagnostic

_UNGRADED = Quality(grade="unorganised")


@dataclass(frozen=True, slots=True)
class EndpointFacts:
    """What a page says about one endpoint's answers and conditions."""

    responses: tuple[ResponseExample, ...] = ()
    response_fields: tuple[str, ...] = ()
    content_types: tuple[str, ...] = ()
    auth: AuthDraft | None = None
    rate_limit: str = ""
    deprecated: bool = False


@dataclass(frozen=True, slots=True)
class PageFacts:
    """What a page says about the API beside endpoints and parameters.

    Attributes:
        base_urls: Best first.
        endpoints: One for each of the findings' endpoints, in their order.
    """

    base_urls: tuple[Cited[str], ...] = ()
    auth: tuple[AuthDraft, ...] = ()
    pagination: PaginationDraft | None = None
    rate_limit: str = ""
    quality: Quality = _UNGRADED
    diagnostics: tuple[Diagnostic, ...] = ()
    endpoints: tuple[EndpointFacts, ...] = ()

    def complete(self, drafts: tuple[EndpointDraft, ...]) -> tuple[EndpointDraft, ...]:
        """Put each endpoint's facts into its draft; `drafts` in the findings' order."""
        completed: list[EndpointDraft] = []
        for draft, facts in zip(drafts, self.endpoints, strict=True):
            update: dict[str, object] = {
                "responses": draft.responses or facts.responses,
                "response_fields": draft.response_fields or facts.response_fields,
                "content_types": draft.content_types or facts.content_types,
                "auth": draft.auth or facts.auth,
                "rate_limit": draft.rate_limit or facts.rate_limit,
                "deprecated": draft.deprecated or facts.deprecated,
                "pagination": draft.pagination or endpoint_pagination(draft) or self.pagination,
            }
            completed.append(draft.model_copy(update=update))
        return tuple(completed)


def page_facts(
    outline: Outline, findings: Findings, drafts: tuple[EndpointDraft, ...] = ()
) -> PageFacts:
    """Read the facts of a page whose endpoints are `findings`.

    Args:
        outline: The page.
        findings: Its endpoints.
        drafts: The endpoints with their parameters, for the grade; those found, if left out.
    """
    owned: set[int] = set()
    endpoints: list[EndpointFacts] = []
    ranges = own_ranges(outline, findings)
    if len(ranges) == 1:
        ranges = [(0, len(outline.entries))]
    own = frozenset(i for start, end in ranges if len(ranges) > 1 for i in range(start, end))
    auth = page_auth(outline, findings, own)
    for start, end in ranges:
        entries = outline.entries[start:end]
        owned.update(entry.index for entry in entries)
        answers = read_answers(entries)
        endpoints.append(
            EndpointFacts(
                responses=tuple(answers.examples[:20]),
                response_fields=tuple(answers.fields),
                content_types=tuple(answers.media)[:10],
                auth=endpoint_auth(entries, auth),
                rate_limit=rate_limit(entries) if len(findings.endpoints) > 1 else "",
                deprecated=is_deprecated(entries),
            )
        )
    general = tuple(entry for entry in outline.entries if entry.index not in owned)
    whole = outline.entries if len(findings.endpoints) <= 1 else general
    answered = sum(1 for facts in endpoints if facts.responses)
    return PageFacts(
        base_urls=base_urls(outline, findings),
        auth=auth,
        pagination=text_pagination(whole),
        rate_limit=rate_limit(whole) or rate_limit(outline.entries),
        quality=grade(
            outline,
            findings,
            drafts or tuple(found.draft for found in findings.endpoints),
            answered,
        ),
        diagnostics=_diagnostics(findings),
        endpoints=tuple(endpoints),
    )


def _diagnostics(findings: Findings) -> tuple[Diagnostic, ...]:
    without = [found for found in findings.endpoints if found.draft.base_url is None]
    if not without or len(without) == len(findings.endpoints):
        return ()
    bases = {found.draft.base_url.value for found in findings.endpoints if found.draft.base_url}
    if len(bases) < 2:
        return ()
    return (
        Diagnostic(
            code="several-base-urls",
            level="info",
            message=f"the page shows {len(bases)} base URLs, and endpoints without any",
            hint="set base_url in doc2tools.toml if the wrong one is used",
        ),
    )
