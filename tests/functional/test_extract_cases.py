"""Every page in `tests/cases/extract` must give the endpoints written down beside it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from doc2tools.compiler.extract.page import draft_page
from doc2tools.compiler.ir.draft import EndpointDraft, PageDraft, ParameterDraft
from doc2tools.compiler.ir.source import Cited
from doc2tools.compiler.load.source import Source

CASES = Path(__file__).parent.parent / "cases" / "extract"
PAGES = sorted(
    path for path in CASES.iterdir() if path.suffix in {".md", ".html"} and path.name != "README.md"
)


def _draft(page: Path) -> PageDraft:
    media = "html" if page.suffix == ".html" else "markdown"
    return draft_page(Source(name=page.name, data=page.read_bytes(), media=media))


def _full_path(draft: EndpointDraft) -> str:
    base = draft.base_url.value if draft.base_url else ""
    rest = base.partition("://")[2]
    prefix = rest[rest.find("/") :].rstrip("/") if "/" in rest else ""
    return prefix + draft.path.value


def _key(method: str, path: str) -> str:
    return f"{method} {path.rstrip('/') or '/'}"


def _cited(value: Cited[Any] | None) -> object:
    return None if value is None else value.value


def _parameter(draft: ParameterDraft) -> dict[str, Any]:
    return {
        "in": _cited(draft.location),
        "required": _cited(draft.required),
        "default": _cited(draft.default),
        "type": _cited(draft.type),
        "enum": list(draft.enum.value) if draft.enum else None,
        "example": draft.examples[0].value if draft.examples else None,
        "description": draft.description,
    }


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_a_page_gives_the_endpoints_written_beside_it(page: Path) -> None:
    expected: dict[str, Any] = json.loads(page.with_suffix(".expected.json").read_text())
    draft = _draft(page)
    found = {_key(e.method.value, _full_path(e)): e for e in draft.endpoints}
    assert sorted(_key(e.method.value, _full_path(e)) for e in draft.endpoints) == sorted(
        _key(e["method"], e["path"]) for e in expected["endpoints"]
    )
    for wanted in expected["endpoints"]:
        endpoint = found[_key(wanted["method"], wanted["path"])]
        if "base_url" in wanted:
            base = endpoint.base_url.value if endpoint.base_url else None
            assert base == wanted["base_url"]
        given = {p.name.value: _parameter(p) for p in endpoint.parameters}
        if wanted.get("parameters_exact"):
            assert sorted(given) == sorted(wanted["parameters"])
        for name, facts in wanted.get("parameters", {}).items():
            assert name in given, f"{name} is not among {sorted(given)}"
            assert {key: given[name][key] for key in facts} == facts, name
    if "base_urls" in expected:
        assert [base.value for base in draft.base_urls] == expected["base_urls"]
    refused = {item.text for item in draft.rejected}
    for text in expected.get("rejected", []):
        assert text in refused, sorted(refused)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_every_endpoint_cites_lines_of_its_page(page: Path) -> None:
    lines = page.read_text(encoding="utf-8").count("\n") + 1
    for endpoint in _draft(page).endpoints:
        assert endpoint.path.spans or endpoint.path.inferred
        assert endpoint.method.spans or endpoint.method.inferred
        assert endpoint.reasons
        for span in endpoint.path.spans:
            assert span.page == page.name
            assert 1 <= span.start <= span.end <= lines


def test_each_case_has_both_of_its_files() -> None:
    pages = {path.stem for path in CASES.iterdir() if path.suffix in {".md", ".html"}}
    expectations = {path.name.removesuffix(".expected.json")
                    for path in CASES.glob("*.expected.json")}  # fmt: skip
    assert pages - {"README"} == expectations
