"""Spellings of one name fold to one word; resources are read from paths."""

from __future__ import annotations

import pytest

from doc2tools.param_db.naming import (
    fold,
    is_generic,
    path_noun,
    path_shape,
    placeholders,
    resource_before,
    stem,
)


@pytest.mark.parametrize(
    ("name", "folded"),
    [
        ("userId", "user_id"),
        ("user_ids", "user_id"),
        ("User-ID", "user_id"),
        ("match[]", "match"),
        ("HTTPStatusCode", "http_status_code"),
        ("countries", "country"),
        ("boxes", "box"),
        ("status", "status"),
        ("address", "address"),
        ("people", "person"),
        ("uid", "id"),
        ("日本", ""),
        ("", ""),
    ],
)
def test_fold(name: str, folded: str) -> None:
    assert fold(name) == folded


@pytest.mark.parametrize(
    ("name", "owner"),
    [("user_id", "user"), ("albumName", "album"), ("id", ""), ("limit", ""), ("sort_order", "")],
)
def test_stem_names_what_a_handle_belongs_to(name: str, owner: str) -> None:
    assert stem(name) == owner


@pytest.mark.parametrize(
    ("path", "noun"),
    [
        ("/api/v2/users", "user"),
        ("/api/v2/users/{id}/posts/{post_id}", "post"),
        ("/v1", ""),
        ("/", ""),
        ("/reports/export.csv", "export"),
        ("/status/buildinfo?x=1", "buildinfo"),
    ],
)
def test_path_noun(path: str, noun: str) -> None:
    assert path_noun(path) == noun


def test_resource_before_a_placeholder() -> None:
    path = "/api/users/{user}/posts/{id}/{part}"
    assert resource_before(path, "user") == ("user", "/api/user")
    assert resource_before(path, "id") == ("post", "/api/user/{}/post")
    assert resource_before(path, "part") == ("", "/api/user/{}/post/{}")
    assert resource_before("/graph.{ext}", "ext") == ("", "/")
    assert resource_before(path, "absent") == ("", "")


def test_shapes_of_list_and_record_agree() -> None:
    assert path_shape("/flows") == path_shape("/flow/")
    assert path_shape("/a/{x}/b") == path_shape("/a/{y}/b/")
    assert placeholders("/a/{x}/b/{y}") == ("x", "y")


def test_generic_names_belong_to_anything() -> None:
    assert is_generic("id")
    assert is_generic("name")
    assert not is_generic("scrape_pool")
