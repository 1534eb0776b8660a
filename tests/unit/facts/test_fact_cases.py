"""Facts beside endpoints: the `facts` of the cases in `tests/cases/extract` must hold."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from doc2tools.compiler.extract.page import draft_page
from doc2tools.compiler.ir.draft import EndpointDraft, PageDraft
from doc2tools.compiler.load.source import Source

CASES = Path(__file__).parents[2] / "cases" / "extract"
PAGES = sorted(
    page
    for pattern in ("auth-*", "facts-*")
    for page in CASES.glob(pattern)
    if page.suffix in {".md", ".html"}
)


def _draft(page: Path) -> PageDraft:
    media = "html" if page.suffix == ".html" else "markdown"
    return draft_page(Source(name=page.name, data=page.read_bytes(), media=media))


def _key(endpoint: EndpointDraft) -> str:
    return f"{endpoint.method.value} {endpoint.path.value}"


def _facts(draft: PageDraft, wanted: dict[str, Any]) -> dict[str, Any]:
    """What `draft` says on the points that `wanted` names, in the same shape."""
    endpoints = {_key(endpoint): endpoint for endpoint in draft.endpoints}
    found: dict[str, Any] = {
        "auth": [
            {key: getattr(scheme, key) for key in given}
            for scheme, given in zip(draft.auth, wanted.get("auth", []), strict=False)
        ]
        + [{"type": scheme.type} for scheme in draft.auth[len(wanted.get("auth", [])) :]],
        "rate_limit": draft.rate_limit,
        "quality": draft.quality.grade,
        "deprecated": [key for key, endpoint in endpoints.items() if endpoint.deprecated],
        "diagnostics": sorted({diagnostic.code for diagnostic in draft.diagnostics}),
        "endpoint_auth": {key: e.auth.type for key, e in endpoints.items() if e.auth},
        "responses": {
            key: [answer.status for answer in e.responses] for key, e in endpoints.items()
        },
        "response_fields": {key: list(e.response_fields) for key, e in endpoints.items()},
        "pagination": {
            key: {"style": e.pagination.style, "parameters": list(e.pagination.parameters)}
            for key, e in endpoints.items()
            if e.pagination
        },
    }
    return {key: found[key] for key in wanted}


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_the_page_gives_the_facts_written_beside_it(page: Path) -> None:
    expected: dict[str, Any] = json.loads(page.with_suffix(".expected.json").read_text())
    draft = _draft(page)
    assert _facts(draft, expected["facts"]) == expected["facts"]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_every_fact_cites_its_page(page: Path) -> None:
    draft = _draft(page)
    lines = page.read_text(encoding="utf-8").count("\n") + 1
    spans = [span for scheme in draft.auth for span in scheme.spans]
    spans += [span for base in draft.base_urls for span in base.spans]
    spans += [span for e in draft.endpoints for answer in e.responses for span in answer.spans]
    assert all(span.page == page.name and 1 <= span.start <= span.end <= lines for span in spans)
    assert all(base.spans or base.inferred for base in draft.base_urls)
