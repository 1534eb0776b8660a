"""From a page to its draft: OpenAPI files as they are, everything else by rules.

In: a `Source` or a parsed `Document`. Out: a `PageDraft`; bad input gives diagnostics.
"""

from __future__ import annotations

from doc2tools.compiler.extract.endpoints import find_endpoints
from doc2tools.compiler.extract.facts.page import page_facts
from doc2tools.compiler.extract.facts.versioned import fill_bases
from doc2tools.compiler.extract.openapi import draft_openapi
from doc2tools.compiler.extract.outline import outline
from doc2tools.compiler.extract.parameters.attach import attach_parameters
from doc2tools.compiler.ir.document import Document
from doc2tools.compiler.ir.draft import PageDraft
from doc2tools.compiler.load.read import read_document
from doc2tools.compiler.load.source import Source


def draft_page(source: Source) -> PageDraft:
    """Extract all that one page says; `source.media` decides how it is read."""
    if source.media == "openapi":
        return draft_openapi(source)
    return draft_document(read_document(source))


def draft_document(document: Document) -> PageDraft:
    """Extract all that a parsed page says about the API."""
    page = outline(document)
    findings = find_endpoints(page)
    parameters = attach_parameters(page, findings)
    facts = page_facts(page, findings, parameters.endpoints)
    bases, endpoints = fill_bases(facts.base_urls, facts.complete(parameters.endpoints))
    return PageDraft(
        page=document.page,
        title=document.title,
        url=document.url,
        endpoints=endpoints,
        base_urls=bases,
        shared=parameters.shared,
        auth=facts.auth,
        pagination=facts.pagination,
        rate_limit=facts.rate_limit,
        quality=facts.quality,
        rejected=findings.rejected,
        diagnostics=(*document.diagnostics, *parameters.diagnostics, *facts.diagnostics),
    )
