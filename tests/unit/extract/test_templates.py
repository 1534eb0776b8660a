"""Path template syntaxes become `{name}`; hosts, queries and optional parts are told apart."""

from __future__ import annotations

import pytest

from doc2tools.compiler.extract.templates import (
    normalise_path,
    parse_query,
    parse_targets,
    placeholder_free,
    singular,
)


@pytest.mark.parametrize(
    ("shown", "path"),
    [
        ("/users/:id", "/users/{id}"),
        ("/users/<id>", "/users/{id}"),
        ("/users/<int:id>", "/users/{id}"),
        ("/users/[id]", "/users/{id}"),
        ("/users/${id}", "/users/{id}"),
        ("/users/#{id}", "/users/{id}"),
        ("/users/{{id}}", "/users/{id}"),
        ("/users/{id:[0-9]+}", "/users/{id}"),
        ("/users/$ID", "/users/{ID}"),
        ("/users/%s/posts", "/users/{user}/posts"),
        ("/users/%(id)s", "/users/{id}"),
        ("/users/(int:id)/posts", "/users/{id}/posts"),
        ("/users/(?P<pk>\\d+)/", "/users/{pk}/"),
        ("/users/USER_ID", "/users/{user_id}"),
        ("/users/your-id", "/users/{id}"),
        ("/users/userId", "/users/{userId}"),
        ("/files/...", "/files/{file}"),
        ("/graph.:ext", "/graph.{ext}"),
        ("/tile({x},{y}).mvt", "/tile({x},{y}).mvt"),
        ("/hit/:HOST:/:PATH:", "/hit/{HOST}/{PATH}"),
        ("/%7Bid%7D", "/{id}"),
        ("/v1/users:search", "/v1/users:search"),
        ("/API/REST/users", "/API/REST/users"),
        ("/image/png", "/image/png"),
    ],
)
def test_a_placeholder_of_any_syntax_becomes_braces(shown: str, path: str) -> None:
    (target,) = parse_targets(shown)
    assert target.path == path


def test_placeholders_of_one_path_have_names_of_their_own() -> None:
    assert normalise_path("/a/{id}/b/{id}") == "/a/{id}/b/{b_id}"
    assert normalise_path("/x/%s/y/%s/%s") == "/x/{x}/y/{y}/{y_y}"


@pytest.mark.parametrize(
    ("shown", "paths"),
    [
        ("/get/:space?/:key", ["/get/{space}/{key}", "/get/{key}"]),
        ("/avatar/{user}[/{size}]", ["/avatar/{user}/{size}", "/avatar/{user}"]),
        ("/users(/:id)(.:format)", ["/users/{id}", "/users"]),
        ("/stops[.{format}]", ["/stops"]),
        (
            "/[width]/[height]*/[options]*",
            ["/{width}/{height}/{options}", "/{width}/{height}", "/{width}/{options}", "/{width}"],
        ),
    ],
)
def test_optional_parts_are_written_out(shown: str, paths: list[str]) -> None:
    targets = parse_targets(shown)
    assert [target.path for target in targets] == paths
    assert [target.optional for target in targets] == [False] + [True] * (len(paths) - 1)


@pytest.mark.parametrize(
    ("shown", "scheme", "host", "base", "path"),
    [
        ("https://api.example.org/v1/x", "https", "api.example.org", "", "/v1/x"),
        ("//api.example.org/x", "https", "api.example.org", "", "/x"),
        ("localhost:8080/x", "", "localhost:8080", "", "/x"),
        ("https://api.example.org", "https", "api.example.org", "", "/"),
        ("http://user:secret@host.example.org/x", "http", "host.example.org", "", "/x"),
        ("{{baseUrl}}/x", "", "", "{{baseUrl}}", "/x"),
        ("https://{server}/x", "https", "", "{server}", "/x"),
        ("https://<your host>/x", "https", "", "<your host>", "/x"),
        ("BASE_URL/x", "", "", "BASE_URL", "/x"),
    ],
)
def test_host_and_base_are_told_from_the_path(
    shown: str, scheme: str, host: str, base: str, path: str
) -> None:
    (target,) = parse_targets(shown)
    assert (target.scheme, target.host, target.base, target.path) == (scheme, host, base, path)
    assert target.rooted


def test_an_emphasised_word_is_a_placeholder() -> None:
    (target,) = parse_targets("/blogs/blogId/posts", ["blogId"])
    assert target.path == "/blogs/{blogId}/posts"


@pytest.mark.parametrize(
    ("shown", "query"),
    [
        ("/x?a=1&b={two}&c", (("a", "1"), ("b", "{two}"), ("c", None))),
        ("/x?a=:size&amp;b=<n>", (("a", "{size}"), ("b", "{n}"))),
        ("/x?tags[]=1&b%5B%5D=2", (("tags[]", "1"), ("b[]", "2"))),
        ("/items{?page,limit}", (("page", None), ("limit", None))),
        ("/:key?value=:value", (("value", "{value}"),)),
        ("/x?q=a+b%20c", (("q", "a b c"),)),
        ("/x?data=[URL-encoded-text]", (("data", "{URL-encoded-text}"),)),
    ],
)
def test_a_query_gives_names_and_values(shown: str, query: tuple[object, ...]) -> None:
    assert parse_targets(shown)[0].query == query


def test_a_fragment_is_seen_and_left_out() -> None:
    (target,) = parse_targets("https://docs.example.org/page#part")
    assert target.fragment
    assert target.path == "/page"


def test_shapes_leave_names_and_the_last_slash_out() -> None:
    assert placeholder_free("/a/{x}/b/") == placeholder_free("/a/{y}/b") == "/a/{}/b"
    assert placeholder_free("/") == "/"


@pytest.mark.parametrize(
    ("many", "one"),
    [("users", "user"), ("cities", "city"), ("boxes", "box"), ("status", "status"),
     ("news", "news"), ("addresses", "address"), ("bus", "bus"), ("data", "data")],
)  # fmt: skip
def test_singular(many: str, one: str) -> None:
    assert singular(many) == one


def test_nothing_gives_nothing() -> None:
    assert parse_targets("") == ()
    assert parse_query("") == ()
