"""Which base URL an endpoint gets, and how a configured one replaces it."""

from __future__ import annotations

import pytest
from drafting import endpoint, only, page, sample, settle

from doc2tools.compiler.passes.bases import parse_base


@pytest.mark.parametrize(
    ("documented", "call", "configured", "url"),
    [
        # No configured base URL: what the documentation says, each part of the path once.
        ("https://api.shop.io/v2", "GET /items", "", "https://api.shop.io/v2/items"),
        ("https://api.shop.io/v2", "GET /v2/items", "", "https://api.shop.io/v2/items"),
        ("https://api.shop.io/v2/", "GET items", "", "https://api.shop.io/v2/items"),
        ("https://api.shop.io/a/v2", "GET /v2/items", "", "https://api.shop.io/a/v2/items"),
        ("https://api.shop.io", "GET /items/", "", "https://api.shop.io/items/"),
        ("https://api.shop.io/v2", "GET /", "", "https://api.shop.io/v2"),
        ("api.shop.io/v2", "GET /items", "", "https://api.shop.io/v2/items"),
        ("localhost:8080", "GET /items", "", "http://localhost:8080/items"),
        ("https://API.shop.io:443", "GET /items", "", "https://api.shop.io/items"),
        # A configured host takes the documented base path with it.
        ("https://api.shop.io/v2", "GET /items", "http://127.0.0.1:9000", "http://127.0.0.1:9000/v2/items"),
        ("https://api.shop.io", "GET /items", "http://127.0.0.1:9000/", "http://127.0.0.1:9000/items"),
        # A configured path stands for the documented one, and is not doubled.
        ("https://api.shop.io/v2", "GET /items", "http://h.io/v2", "http://h.io/v2/items"),
        ("https://api.shop.io/v2", "GET /items", "http://h.io/shop", "http://h.io/shop/items"),
        ("https://api.shop.io/v2", "GET /v2/items", "http://h.io/shop", "http://h.io/shop/items"),
        ("https://api.shop.io", "GET /api/v1/items", "http://h.io/api/v1", "http://h.io/api/v1/items"),
        ("https://api.shop.io", "GET /v1/items", "http://h.io/proxy/v1", "http://h.io/proxy/v1/items"),
        ("", "GET /v1/items", "http://h.io/v1", "http://h.io/v1/items"),
        ("", "GET /items", "http://127.0.0.1:9000", "http://127.0.0.1:9000/items"),
        # A blank host still gives the path.
        ("https://{server}/v1", "GET /items", "http://127.0.0.1:9000", "http://127.0.0.1:9000/v1/items"),
        ("https://your-server:5665/v1", "GET /items", "https://h.io", "https://h.io/v1/items"),
    ],
)  # fmt: skip
def test_url(documented: str, call: str, configured: str, url: str) -> None:
    bases = (documented,) if documented else ()
    assert only(page(endpoint(call), bases=bases), base_url=configured).url == url


def test_a_local_server_measured_elsewhere() -> None:
    shown = sample("GET http://localhost:8080/api/repos")
    docs = page(endpoint("GET /api/repos", base="http://localhost:8080", samples=(shown,)))
    assert only(docs, base_url="http://127.0.0.1:18081").url == "http://127.0.0.1:18081/api/repos"
    assert only(docs).url == "http://localhost:8080/api/repos"


def test_its_own_text_wins_over_its_page_and_the_page_over_the_set() -> None:
    spec, _ = settle(
        page(
            endpoint("GET /a", base="https://files.shop.io"),
            endpoint("GET /b", line=2),
            bases=("https://api.shop.io/v2",),
        ),
        page(endpoint("GET /c", page="b.md"), name="b.md"),
        page(endpoint("GET /d", page="c.md"), name="c.md", bases=("https://old.shop.io",)),
    )
    assert [tool.url for tool in spec.endpoints] == [
        "https://files.shop.io/a",
        "https://api.shop.io/v2/b",
        "https://api.shop.io/v2/c",
        "https://old.shop.io/d",
    ]
    assert "its own text" in spec.endpoints[0].reasons[-1]
    assert "its page" in spec.endpoints[1].reasons[-1]
    assert "another page" in spec.endpoints[2].reasons[-1]


def test_a_local_host_in_a_sample_loses_against_a_stated_one() -> None:
    tool = only(
        page(
            endpoint("GET /api/items", base="http://localhost:8080"),
            bases=("https://shop.io/api",),
        )
    )
    assert tool.url == "https://shop.io/api/items"
    assert "local host only" in tool.reasons[-1]


def test_the_base_of_one_page_serves_the_set_by_majority() -> None:
    pages = [
        page(
            endpoint(f"GET /{name}", page=f"{name}.md"),
            name=f"{name}.md",
            bases=(f"https://{host}.shop.io",),
        )
        for name, host in (("a", "old"), ("b", "api"), ("c", "api"))
    ]
    spec, diagnostics = settle(*pages, page(endpoint("GET /d", page="d.md"), name="d.md"))
    assert spec.endpoints[-1].url == "https://api.shop.io/d"
    assert spec.base_urls[0].value == "https://api.shop.io"
    (conflict,) = diagnostics
    assert conflict.code == "conflicting-base-urls"
    assert conflict.span is not None
    assert "https://old.shop.io" in conflict.message
    assert "--base-url" in conflict.hint


def test_no_conflict_is_told_once_the_user_has_chosen() -> None:
    bases = ("https://a.shop.io", "https://b.shop.io")
    _, diagnostics = settle(page(endpoint("GET /x"), bases=bases), base_url="http://127.0.0.1:1")
    assert diagnostics == ()


def test_missing_base_url_names_the_tools_that_wait() -> None:
    spec, diagnostics = settle(page(endpoint("GET /items", line=7), endpoint("POST /items")))
    assert {tool.base_url for tool in spec.endpoints} == {""}
    (missing,) = diagnostics
    assert (missing.code, missing.level) == ("missing-base-url", "warning")
    assert missing.span is not None
    assert missing.span.start == 7
    assert "list_items, create_item" in missing.message
    assert "--base-url" in missing.hint


def test_a_blank_host_is_no_base_url() -> None:
    spec, diagnostics = settle(page(endpoint("GET /items"), bases=("https://<your-host>/v1",)))
    assert (spec.endpoints[0].base_url, spec.endpoints[0].path) == ("", "/v1/items")
    assert "https://<your-host>/v1" in diagnostics[0].message


def test_a_host_reserved_for_examples_is_told() -> None:
    _, diagnostics = settle(page(endpoint("GET /items"), bases=("https://api.example.com",)))
    assert [found.code for found in diagnostics] == ["example-base-url"]


@pytest.mark.parametrize(
    "text", ["ftp://files.io", "wss://live.io", "not a url", "https://h:99999999/x", "", "mailto:x"]
)
def test_what_is_no_base_url(text: str) -> None:
    assert parse_base(text) is None


def test_user_and_password_in_a_base_url_are_dropped() -> None:
    base = parse_base("https://user:secret@api.shop.io/v1")
    assert base is not None
    assert base.url == "https://api.shop.io/v1"
