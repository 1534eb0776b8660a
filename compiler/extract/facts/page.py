"""Collects what a page says about the API beside endpoints and parameters."""

from __future__ import annotations

from dataclasses import dataclass

from doc2tools.compiler.extract.candidates import Findings
from doc2tools.compiler.extract.outline import Outline
from doc2tools.compiler.ir.draft import (
    AuthDraft,
    EndpointDraft,
    PaginationDraft,
    Quality,
    ResponseExample,
)
from doc2tools.compiler.ir.source import Cited, Diagnostic


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
    quality: Quality = Quality(grade="unorganised")
    diagnostics: tuple[Diagnostic, ...] = ()
    endpoints: tuple[EndpointFacts, ...] = ()

    def complete(self, drafts: tuple[EndpointDraft, ...]) -> tuple[EndpointDraft, ...]:
        """Put each endpoint's facts into its draft; `drafts` in the findings' order."""
        return drafts


def page_facts(outline: Outline, findings: Findings) -> PageFacts:
    """Read the facts of a page whose endpoints are `findings`."""
    return PageFacts(endpoints=tuple(EndpointFacts() for _ in findings.endpoints))
