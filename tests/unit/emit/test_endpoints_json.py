"""Doc2Agent's schema, and where the base URL ends."""

from __future__ import annotations

from typing import Any, TypeAlias

import pytest

from doc2tools.compiler.emit.endpoints_json import endpoints_json
from doc2tools.compiler.ir.draft import EndpointDraft, PageDraft, ParameterDraft, Rejected
from doc2tools.compiler.ir.source import Cited, Diagnostic, Span
from doc2tools.compiler.passes.base_urls import join

Fact: TypeAlias = Any

LINE = Span(page="ships.md", start=4, end=4)


def cited(value: Fact) -> Cited[Any]:
    return Cited[Any](value=value, spans=(LINE,), confidence=0.9, rule="heading")


@pytest.mark.parametrize(
    ("base", "path", "joined"),
    [
        ("https://h/api/v1", "/api/v1/ships", ("https://h/api/v1", "/ships")),
        ("https://h/api/v1/", "/v1/ships", ("https://h/api/v1", "/ships")),
        ("https://h/api/v1", "/api/v2/ships", ("https://h", "/api/v2/ships")),
        ("https://h/API", "/api/ships", ("https://h/API", "/ships")),
        ("https://h", "ships?flag=x", ("https://h", "/ships?flag=x")),
        ("https://h/api", "https://h/api/ships", ("https://h/api", "/ships")),
        ("https://h/api", "https://other/ships?a=b", ("https://other", "/ships?a=b")),
        ("https://h/harbour.php", "?action=list", ("https://h/harbour.php", "?action=list")),
        ("https://h/v1", "/v1", ("https://h/v1", "")),
        ("https://h/v1", "/v1/", ("https://h/v1", "/")),
        ("https://h/ships", "/shipsize", ("https://h/ships", "/shipsize")),
        ("/v2", "/v2/ships", ("/v2", "/ships")),
        ("", "/ships", ("", "/ships")),
        ("https://h/v1?x=1#y", "/ships", ("https://h/v1", "/ships")),
        ("https://h/v1", "", ("https://h/v1", "")),
    ],
)
def test_a_shared_prefix_counts_once(base: str, path: str, joined: tuple[str, str]) -> None:
    assert join(base, path) == joined


def test_a_page_in_doc2agents_schema() -> None:
    draft = PageDraft(
        page="ships.md",
        title="Ships",
        base_urls=(cited("https://user:word@harbour.example/api"),),
        endpoints=(
            EndpointDraft(
                method=cited("GET"),
                path=cited("/api/ships/{ship_id}"),
                summary="Get one ship.",
                headers={"X-Dry": "1"},
                parameters=(
                    ParameterDraft(name=cited("ship_id"), location=cited("path")),
                    ParameterDraft(
                        name=cited("fields"),
                        type=cited("array"),
                        default=cited("all"),
                        examples=(cited("name"),),
                        description="What to give.",
                    ),
                ),
                rank=0.75,
            ),
            EndpointDraft(
                method=cited("POST"), path=cited("/log"), base_url=cited("https://log.example")
            ),
        ),
        rejected=(Rejected(text="GET /badge.svg", reason="image", span=LINE),),
        diagnostics=(
            Diagnostic(code="parameter-contradiction", level="info", message="m", span=LINE),
        ),
    )
    page: Any = endpoints_json(draft)
    one, other = page["endpoints"]
    assert "word" not in str(page)
    assert one["url"] == "https://harbour.example/api/ships/{ship_id}"
    assert (one["base_url"], one["path"]) == ("https://harbour.example/api", "/ships/{ship_id}")
    assert one["headers"] == {"X-Dry": "1"}
    assert one["confidence"] == 0.75
    assert one["source"]["path"]["spans"] == [{"page": "ships.md", "start": 4, "end": 4}]
    assert [p["name"] for p in one["required_parameters"]] == ["ship_id"]
    (fields,) = one["optional_parameters"]
    assert (fields["type"], fields["default"], fields["example"]) == ("array", "all", "name")
    assert fields["description"] == "What to give."
    assert other["url"] == "https://log.example/log"
    assert page["rejected"][0]["reason"] == "image"
    assert page["diagnostics"][0]["code"] == "parameter-contradiction"


def test_a_page_without_a_base_url_gives_paths() -> None:
    draft = PageDraft(
        page="a.md", endpoints=(EndpointDraft(method=cited("GET"), path=cited("/a")),)
    )
    page: Any = endpoints_json(draft)
    assert page["endpoints"][0]["url"] == "/a"
