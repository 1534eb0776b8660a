"""An exchange is a tool's proof only if the tool's own documentation leads to it."""

from __future__ import annotations

import pytest

from doc2tools.compiler.ir.exchange import Exchange, Request, Response, ToolRun
from doc2tools.compiler.ir.spec import Effect, Endpoint
from doc2tools.compiler.validate.attribution import foreign
from doc2tools.compiler.validate.classify import classify

BASE = "https://api.example.com/v1"


def endpoint(path: str, base_url: str = BASE, method: str = "GET") -> Endpoint:
    effect = Effect(kind="read", reason="GET")
    return Endpoint(
        name="tool", group="api", method=method, base_url=base_url, path=path, effect=effect
    )


def exchange(url: str, status: int = 200, method: str = "GET", location: str = "") -> Exchange:
    headers = {"content-type": "application/json"} | ({"location": location} if location else {})
    response = Response(status=status, headers=headers, body='{"id": 17}')
    return Exchange(request=Request(method=method, url=url), response=response)


def is_foreign(path: str, *exchanges: Exchange, base_url: str = BASE, method: str = "GET") -> bool:
    run = ToolRun(tool="tool", exchanges=exchanges)
    return foreign(endpoint(path, base_url, method), run) is not None


@pytest.mark.parametrize(
    ("path", "url"),
    [
        ("/items", "https://api.example.com/v1/items"),
        ("/items", "https://api.example.com:443/v1/items?a=1"),
        ("/items/", "https://api.example.com/v1/items/"),
        ("/items/{id}", "https://api.example.com/v1/items/17"),
        ("/items/{id}", "https://api.example.com/v1/items/%2F"),
        ("/items/{id}.json", "https://api.example.com/v1/items/a%2Fb.json"),
        ("/{a}/x/{b}/y", "https://api.example.com/v1/1/x/2/y"),
        ("/{a}-{b}", "https://api.example.com/v1/1-2-3"),
        ("/files/{path}", "https://api.example.com/v1/files/a/b/c"),
        ("/items{?page,size}", "https://api.example.com/v1/items?page=1"),
        ("/Größe/{id}", "https://api.example.com/v1/Gr%C3%B6%C3%9Fe/1"),
        ("/items?kind=a", "https://api.example.com/v1/items?kind=a"),
        ("/a/../items", "https://api.example.com/v1/items"),
    ],
)
def test_its_own(path: str, url: str) -> None:
    assert not is_foreign(path, exchange(url))


@pytest.mark.parametrize(
    ("path", "url", "method"),
    [
        ("/items", "https://api.example.com/v1/users", "GET"),
        ("/items", "https://api.example.com/v1/items", "POST"),
        ("/items", "https://api.example.com/v2/items", "GET"),
        ("/items", "https://files.example.com/v1/items", "GET"),
        ("/items", "http://api.example.com/v1/items", "GET"),
        ("/items/{id}", "https://api.example.com/v1/items", "GET"),
        ("/items/{id}/x", "https://api.example.com/v1/items/1/y", "GET"),
        ("/{a}/x/{b}", "https://api.example.com/v1/1/2", "GET"),
        ("/ab{a}ba", "https://api.example.com/v1/aba", "GET"),
        ("/items", "https://api.example.com/v1/other/../../items", "GET"),
    ],
)
def test_another_tools(path: str, url: str, method: str) -> None:
    assert is_foreign(path, exchange(url, method=method))


@pytest.mark.parametrize(
    "location", ["/v2/items", "../v2/items", "https://api.example.com/v2/items?a=1#top"]
)
def test_a_redirect_of_its_own(location: str) -> None:
    first = exchange(f"{BASE}/items", 302, location=location)
    assert not is_foreign("/items", first, exchange("https://api.example.com/v2/items?a=1"))
    assert is_foreign("/items", first, exchange("https://api.example.com/v2/users"))


@pytest.mark.parametrize("location", ["", "http://[", "http://[::1", "\ud800", "//", "mailto:x"])
def test_a_redirect_that_leads_nowhere(location: str) -> None:
    first = exchange(f"{BASE}/items", 302, location=location)
    assert is_foreign("/items", first, exchange("https://api.example.com/v2/items"))


def test_a_repeated_call_and_a_redirect_after_a_post() -> None:
    assert not is_foreign("/items", exchange(f"{BASE}/items"), exchange(f"{BASE}/items"))
    moved = exchange(f"{BASE}/items", 303, "POST", location="/v1/items/17")
    there = exchange(f"{BASE}/items/17")
    assert not is_foreign("/items", moved, there, method="POST")
    assert is_foreign("/items", moved, exchange(f"{BASE}/items/17", method="PUT"), method="POST")


def test_the_verdict() -> None:
    mine, another = exchange(f"{BASE}/items/17"), exchange(f"{BASE}/users/17")
    good = classify(endpoint("/items/{id}"), ToolRun(tool="tool", exchanges=(mine,)))
    assert good.verdict == "information"
    bad = classify(endpoint("/items/{id}"), ToolRun(tool="tool", exchanges=(another,)))
    assert (bad.verdict, bad.cause) == ("code_error", "code-fault")
    assert "not its own" in bad.message
