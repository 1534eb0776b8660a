"""Targets are cut out of running text; values are told from fixed parts of a path."""

from __future__ import annotations

import pytest

from doc2tools.compiler.extract.shapes import Shapes, generalise, match_values, value_like
from doc2tools.compiler.extract.text import Text, flatten
from doc2tools.compiler.ir.document import Run


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("Use GET /users/:id, or /people.", ["/users/:id", "/people"]),
        ("See https://a.example.org/x?y=1.", ["https://a.example.org/x?y=1"]),
        ("and/or 1/2 text/plain", []),
        ("(see `/a/b`)", ["/a/b"]),
        ("call https://{server}/near/{a}.json?n={n} now", ["https://{server}/near/{a}.json?n={n}"]),
        ("{{base}}/users/{{id}}, localhost:80/q", ["{{base}}/users/{{id}}", "localhost:80/q"]),
        ("/users/<user id>/x", ["/users/<user id>/x"]),
        ("/:a?/:b?c=:d", ["/:a?/:b?c=:d"]),
        ("/item/path/...", ["/item/path/..."]),
        ("/2020-01-01..", ["/2020-01-01.."]),
        ("a=http://h.example.org:1,b=http://i.example.org:2",
         ["http://h.example.org:1", "http://i.example.org:2"]),
        ("https://[host]/x[/{y}]", ["https://[host]/x[/{y}]"]),
        ("24/7, $10/month", []),
    ],
)  # fmt: skip
def test_targets_are_cut_out_of_text(text: str, found: list[str]) -> None:
    assert [token.raw for token in Text(text).tokens] == found


def test_runs_keep_their_marks() -> None:
    text = flatten((Run(text="Call "), Run(text="/x/", code=True), Run(text="id", emphasis=True)))
    (token,) = text.tokens
    assert token.raw == "/x/id"
    assert token.code
    assert token.emphasised == ("id",)


def test_a_link_that_is_all_address_keeps_spaces_in_its_query() -> None:
    address = "https://a.example.org/x?text=this is a test"
    (token,) = flatten((Run(text=address, href=address),)).tokens
    assert token.raw == address


@pytest.mark.parametrize(
    "segment",
    ["6", "6,12,13", "2020-01-01", "2014-3", "37.8,-122.4", "a@b.org", "OL15626917W.json", "USD",
     "550e8400-e29b-41d4-a716-446655440000", "8.8.8.8", "foo", "example.localdomain"],
)  # fmt: skip
def test_values(segment: str) -> None:
    assert value_like(segment)


@pytest.mark.parametrize(
    "segment", ["users", "v1", "utf8", "base64", "api", "API", "robots.txt", "info.0.json", "{id}",
                "process-check-result", "XML_daily.asp"],
)  # fmt: skip
def test_fixed_parts(segment: str) -> None:
    assert not value_like(segment)


@pytest.mark.parametrize(
    ("concrete", "template"),
    [
        ("/item/6", "/item/{id}"),
        ("/item/6,12", "/item/{ids}"),
        ("/item/6/file", "/item/{id}/file"),
        ("/rates/2020-01-01", "/rates/{date}"),
        ("/2020-01-01..2020-02-01", "/{start_date}..{end_date}"),
        ("/works/OL15626917W.json", "/works/{work}.json"),
        ("/photos/200/300", "/photos/{id}/{photo_id}"),
        ("/users/me", "/users/me"),
    ],
)
def test_values_become_placeholders(concrete: str, template: str) -> None:
    assert generalise(concrete) == template


def test_the_most_literal_template_comes_first() -> None:
    shapes = Shapes()
    for template in ("/{a}/{b}", "/users/{id}", "/users/{id}/posts", "/tile({x},{y}).mvt"):
        shapes.add(template)
    assert shapes.fits("/users/42") == ["/users/{id}", "/{a}/{b}"]
    assert shapes.fits("/tile(1,2).mvt") == ["/tile({x},{y}).mvt"]
    assert shapes.fits("/users") == []


def test_an_instance_gives_the_values() -> None:
    assert match_values("/a/{x}/b/{y}.json", "/a/1/b/two.json") == {"x": "1", "y": "two"}
    assert match_values("/tile({x},{y})", "/tile(1,2)") == {"x": "1", "y": "2"}
