"""Tool names: telling, valid, unique, and the same whatever else is documented."""

from __future__ import annotations

import keyword
import random
import re

import pytest
from drafting import by_name, endpoint, only, page, settle

from doc2tools.compiler.ir.draft import EndpointDraft


def name_of(call: str, title: str = "", summary: str = "") -> str:
    return only(page(endpoint(call, title=title, summary=summary))).name


@pytest.mark.parametrize(
    ("call", "name"),
    [
        ("GET /users", "list_users"),
        ("GET /users/{id}", "get_user"),
        ("POST /users", "create_user"),
        ("PUT /users/{id}", "update_user"),
        ("PATCH /users/{id}", "patch_user"),
        ("DELETE /users/{id}", "delete_user"),
        ("DELETE /users", "delete_users"),
        ("HEAD /users/{id}", "head_user"),
        ("GET /api/v1/users/{id}/posts", "list_user_posts"),
        ("GET /rest/2.0/countries/{code}", "get_country"),
        ("GET /companies/{id}/addresses/{n}", "get_company_addresses"),
        ("GET /api/v1/label/{label_name}/values", "list_label_values"),
        ("GET /news", "list_news"),
        ("GET /status", "get_status"),
        ("GET /statuses/{id}", "get_status"),
        ("GET /users/search", "search_users"),
        ("GET /search/users", "search_users"),
        ("GET /search/{query}", "search"),
        ("POST /users/{id}/activate", "activate_user"),
        ("POST /carts/merge", "merge_carts"),
        ("GET /getUserById", "get_user_by_id"),
        ("GET /delete_series", "delete_series"),
        ("GET /nearest/v1/{profile}/{coordinates}.json", "get_nearest"),
        ("GET /tile/v1/{profile}/tile({x},{y},{z}).mvt", "get_tile"),
        ("GET /robots.txt", "get_robots"),
        ("GET /", "get_root"),
        ("GET /{width}/{height}", "get_by_width_and_height"),
        ("GET /api?method=html", "get_html"),
        ("GET /api?module=account&action=balance", "get_account_balance"),
        ("GET /users?action=list", "list_users"),
        ("POST /users?action=delete", "delete_users"),
        ("GET /bytes/{n}", "get_bytes"),
        ("GET /filter", "get_filter"),
        ("GET /cafés/{id}", "get_cafe"),
        ("GET /caf%C3%A9s/{id}", "get_cafe"),
        ("GET /2fa", "get_2fa"),
    ],
)
def test_from_method_and_path(call: str, name: str) -> None:
    assert name_of(call) == name


@pytest.mark.parametrize(
    ("call", "title", "name"),
    [
        ("GET /people", "List users", "list_users"),
        ("GET /people", "Get a list of all users", "list_users"),
        ("GET /people", "Getting users", "list_users"),
        ("GET /people", "GET List users", "list_users"),
        ("GET /people/{id}", "Get user by id", "get_user"),
        ("GET /people/{id}", "Retrieve a user's details", "get_user"),
        ("GET /series", "Finding series by label matchers", "find_series_by_label_matchers"),
        ("POST /people", "Register a new user", "register_new_user"),
        ("GET /people", "listUsers", "list_users"),
        ("GET /people", "UsersController_findAll", "users_controller_find_all"),
        # Titles that are none: the call itself, sections, nouns, other languages.
        ("GET /people/{id}", "GET /people/:id", "get_person"),
        ("GET /people/{id}", "GET_people-id", "get_person"),
        ("GET /people", "Users", "list_people"),
        ("GET /people", "Order status", "list_people"),
        ("GET /people", "Пользователи", "list_people"),
        ("GET /people", "Get details", "list_people"),
        # Titles of a section in which the other methods are described.
        ("GET /people/{id}", "Deleting a user", "get_person"),
        ("DELETE /people/{id}", "Get a user", "delete_person"),
        ("POST /people", "List users", "create_person"),
    ],
)
def test_from_title(call: str, title: str, name: str) -> None:
    # A POST beside it on the same path explains the words of another method.
    beside = endpoint("DELETE /people/{id}", line=9, summary="Deletes a user.")
    pages = page(endpoint(call, title=title), *([beside] if call.startswith("GET") else []))
    spec, _ = settle(pages)
    assert spec.endpoints[0].name == name


def test_from_a_short_summary() -> None:
    assert name_of("GET /dirs", summary="List all directories.") == "list_directories"
    long = "List every directory that the server has ever seen anywhere in its life."
    assert name_of("GET /dirs", summary=long) == "list_dirs"


def test_a_path_without_ascii_words_gets_a_fingerprint() -> None:
    name = name_of("GET /用户/{id}")
    assert re.fullmatch(r"op_[0-9a-f]{6}", name)
    assert name == name_of("GET /用户/{id}")


def test_a_collection_with_a_singular_name() -> None:
    spec, _ = settle(page(endpoint("GET /album/"), endpoint("GET /album/{id}", line=2)))
    assert [tool.name for tool in spec.endpoints] == ["list_albums", "get_album"]


def test_what_lists_under_an_outer_thing_is_called_a_list() -> None:
    assert name_of("GET /loans/{branch}", summary="A list of all loans.") == "list_loans_by_branch"
    assert (
        name_of(
            "GET /loans/{branch}",
            summary="Returns a list of the loans in a branch today "
            "and of all that were there in the days before.",
        )
        == "list_loans_by_branch"
    )
    assert name_of("GET /loans/{id}", summary="A list of what one loan holds.") == "get_loan"
    assert name_of("GET /loans/{branch}", summary="The loan of a branch.") == "get_loan"


def test_titles_of_pages_and_sections_are_no_titles_of_tools() -> None:
    calls = [endpoint(f"GET /{word}", title="Reading") for word in ("ants", "bees", "cows")]
    spec, _ = settle(page(*calls, endpoint("GET /dogs", title="Dogs"), title="Animals"))
    assert [tool.title for tool in spec.endpoints] == ["", "", "", "Dogs"]
    spec, _ = settle(page(endpoint("GET /a", title="Animals"), endpoint("GET /b"), title="Animals"))
    assert [tool.title for tool in spec.endpoints] == ["", ""]


def test_a_heading_over_several_endpoints_names_none_of_them() -> None:
    spec, _ = settle(
        page(
            endpoint("GET /users", title="Get data", line=1),
            endpoint("GET /teams", title="Get data", line=2),
        )
    )
    assert [tool.name for tool in spec.endpoints] == ["list_users", "list_teams"]


def test_collisions_are_told_apart_by_the_paths() -> None:
    spec, _ = settle(
        page(
            endpoint("GET /gimme/{subreddit}/{count}", line=1),
            endpoint("GET /gimme/{count}", line=2),
            endpoint("GET /gimme/{subreddit}", line=3),
            endpoint("GET /gimme", line=4),
            endpoint("GET /query", line=5),
            endpoint("POST /query", line=6, summary="Evaluates an expression."),
        )
    )
    assert [tool.name for tool in spec.endpoints] == [
        "get_gimme_by_subreddit_and_count",
        "get_gimme_by_count",
        "get_gimme_by_subreddit",
        "get_gimme",
        "query",
        "post_query",
    ]


def api() -> list[EndpointDraft]:
    calls = [
        "GET /users", "GET /users/{id}", "GET /users/{id}/posts", "GET /posts", "GET /v2/users",
        "GET /orgs/{org}/users", "POST /users", "POST /users/search", "GET /users/search",
        "GET /a-b", "GET /a_b", "GET /a/b", "PUT /users/{id}", "GET /x.json", "GET /x.xml",
        "GET /rpc?action=get", "GET /rpc?action=getAll", "GET /users/{id}/", "GET /Users",
    ]  # fmt: skip
    return [endpoint(call, line=number) for number, call in enumerate(calls, 1)]


def test_names_do_not_depend_on_order() -> None:
    drafts = api()
    spec, _ = settle(page(*drafts))
    names = {(tool.method, tool.url): tool.name for tool in spec.endpoints}
    for seed in range(5):
        mixed = drafts[:]
        random.Random(seed).shuffle(mixed)  # noqa: S311 - an order, no secret
        again, _ = settle(page(*mixed))
        assert {(t.method, t.url.rstrip("/")): t.name for t in again.endpoints} == {
            (method, url.rstrip("/")): name for (method, url), name in names.items()
        }


def test_names_stay_when_other_resources_are_added() -> None:
    before = by_name(settle(page(*api()))[0])
    more = [endpoint(f"GET /things/{{id}}/part{number}", line=40 + number) for number in range(9)]
    after = by_name(settle(page(*more, *api()))[0])
    assert {name: tool.url for name, tool in before.items()}.items() <= {
        name: tool.url for name, tool in after.items()
    }.items()


def test_names_do_not_depend_on_the_configured_base_url() -> None:
    docs = page(
        endpoint("GET /users", line=1),
        endpoint("GET /users/{id}", line=2),
        bases=("https://api.shop.io/v2/store",),
    )
    plain = [tool.name for tool in settle(docs)[0].endpoints]
    for base in ("http://127.0.0.1:9000", "http://127.0.0.1:9000/other/place"):
        assert [tool.name for tool in settle(docs, base_url=base)[0].endpoints] == plain


def test_names_are_valid_unique_and_short() -> None:
    calls = [
        *(f"GET /{'very-long-segment/' * 6}{number}" for number in range(12)),
        "GET /class", "GET /import", "GET /print", "GET /client", "GET /None", "GET /9", "GET /-/-",
        "POST /{a}", "GET /{b}", "GET /%00", "GET /__init__", "GET /é", "GET /ß", "X-Y /z",
    ]  # fmt: skip
    spec, _ = settle(page(*(endpoint(call, line=n) for n, call in enumerate(calls, 1))))
    names = [tool.name for tool in spec.endpoints]
    assert len(set(names)) == len(names) == len(calls)
    for name in names:
        assert len(name) <= 56
        assert re.fullmatch(r"[a-zA-Z_][a-zA-Z0-9_]*", name, re.ASCII)
        assert not keyword.iskeyword(name)
        assert name not in dir(__builtins__)


def test_groups_are_resources() -> None:
    spec, _ = settle(
        page(
            endpoint("GET /api/v1/users", line=1),
            endpoint("GET /user/{id}", line=2),
            endpoint("GET /class/{id}", line=3),
            endpoint("GET /{id}", line=4),
            endpoint("GET /search", line=5),
            endpoint("GET /query", line=6),
        )
    )
    groups = [tool.group for tool in spec.endpoints]
    assert groups == ["users", "users", "class_tools", "general", "general", "general"]


def test_no_module_hides_a_tool_and_there_are_few() -> None:
    many = [endpoint(f"GET /thing{number}", line=number + 1) for number in range(60)]
    spec, _ = settle(page(*many, endpoint("POST /publish", line=90)))
    groups = {tool.group for tool in spec.endpoints}
    assert len(groups) <= 40
    assert not groups & {tool.name for tool in spec.endpoints}
    assert all(group.isidentifier() and not keyword.iskeyword(group) for group in groups)
