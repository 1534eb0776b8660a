"""Place, type, identifier and examples of parameters; blanks and credentials stay out."""

from __future__ import annotations

import keyword

import pytest
from drafting import cite, endpoint, only, page, parameter, sample, settle

from doc2tools.compiler.ir.base import JsonValue, Location
from doc2tools.compiler.ir.draft import AuthDraft, EndpointDraft, ParameterDraft
from doc2tools.compiler.ir.spec import Endpoint, Parameter
from doc2tools.compiler.passes.examples import is_blank, is_secret_name, looks_like_value


def tool(draft: EndpointDraft) -> Endpoint:
    return only(page(draft, bases=("https://shop.io",)))


def first(draft: ParameterDraft, call: str = "GET /x") -> Parameter:
    return tool(endpoint(call, parameters=(draft,))).parameters[0]


@pytest.mark.parametrize(
    ("call", "stated", "body_kind", "expected"),
    [
        ("GET /x", None, "none", "query"),
        ("DELETE /x", None, "none", "query"),
        ("GET /x/{p}", None, "none", "path"),
        ("POST /x", None, "none", "body"),
        ("POST /x", None, "form", "form"),
        ("PUT /x", None, "multipart", "form"),
        ("POST /x", "query", "json", "query"),
        ("GET /x", "body", "none", "query"),
        ("GET /x", "form", "none", "query"),
        ("POST /x", "body", "form", "form"),
        ("POST /x", "form", "json", "body"),
        ("DELETE /x", "body", "none", "body"),
    ],
)
def test_place(call: str, stated: Location | None, body_kind: str, expected: str) -> None:
    draft = endpoint(call, parameters=(parameter("p", stated),), body_kind=body_kind)
    (found,) = tool(draft).parameters
    assert found.location == expected
    moved = call.startswith("GET") and stated != "query"
    assert bool(found.inferred) is (stated is None or moved)


def test_a_sample_with_the_name_in_its_query_decides_for_a_post() -> None:
    shown = sample("POST https://shop.io/x?p=1", p="1")
    (found,) = tool(endpoint("POST /x", parameters=(parameter("p"),), samples=(shown,))).parameters
    assert found.location == "query"


def test_body_kind_follows_the_parameters() -> None:
    assert tool(endpoint("POST /x", parameters=(parameter("p"),))).body_kind == "json"
    assert tool(endpoint("POST /x", parameters=(parameter("p", "form"),))).body_kind == "form"
    assert (
        tool(endpoint("GET /x", parameters=(parameter("p"),), body_kind="json")).body_kind == "none"
    )


@pytest.mark.parametrize(
    ("values", "kind"),
    [
        ((), "any"),
        (("7", "12"), "integer"),
        ((7, "12"), "integer"),
        (("7", "abc"), "string"),
        (("007",), "string"),
        (("1.5",), "number"),
        (("1.5", "2"), "number"),
        (("true", "false"), "boolean"),
        ((True,), "boolean"),
        (([1],), "array"),
        (({"a": 1},), "object"),
        (("2024-01-01",), "string"),
        (("13.4,52.5;13.5,52.6",), "string"),
    ],
)
def test_type_from_values(values: tuple[JsonValue, ...], kind: str) -> None:
    assert first(parameter("p", "query", values)).type == kind
    if values:
        assert first(parameter("p", "query", default=values[0], enum=values)).type == kind


def test_types_that_are_stated_or_named() -> None:
    assert first(parameter("p", "query", ("7",), type="string")).type == "string"
    assert first(parameter("p", "path"), "GET /{p}").type == "string"
    match = first(parameter("match[]", "query"))
    assert (match.type, match.item_type, match.style, match.identifier) == (
        "array",
        "string",
        "repeat",
        "match",
    )


@pytest.mark.parametrize(
    ("description", "examples", "style"),
    [
        ("Comma-separated list of tags.", (), "comma"),
        ("Tags, separated by pipe.", (), "pipe"),
        ("Space separated scopes.", (), "space"),
        ("Tags.", ("a,b",), "comma"),
        ("Tags.", (["a", "b"],), "repeat"),
        ("Tags.", (), "repeat"),
    ],
)
def test_array_style(description: str, examples: tuple[JsonValue, ...], style: str) -> None:
    draft = parameter("tags", "query", examples, type="array", description=description)
    assert first(draft).style == style


def test_values_are_brought_into_the_type() -> None:
    found = first(parameter("p", "query", ("7", "many", 7), type="integer", default="10"))
    assert [example.value for example in found.examples] == [7]
    assert found.default == 10
    assert first(parameter("p", "query", type="boolean", default="true")).default is True


def test_defaults_and_enums_have_the_type_of_the_parameter() -> None:
    found = first(parameter("p", "query", type="string", default=False, enum=(True, False, "all")))
    assert (found.default, found.enum) == ("false", ("true", "false", "all"))


def test_an_enum_that_is_partly_described_only_gives_examples() -> None:
    found = first(parameter("p", "query", enum=("all", "{index};{index}")))
    assert (found.enum, [example.value for example in found.examples]) == ((), ["all"])


def test_an_example_written_with_its_name_loses_it() -> None:
    found = first(parameter("type", "query", ("type=alert",)))
    assert [example.value for example in found.examples] == ["alert"]


def test_enum_is_without_doubles() -> None:
    assert first(parameter("p", "query", enum=("a", "b", "a"))).enum == ("a", "b")
    assert first(parameter("p", "query", enum=(1, 2, 1), type="integer")).enum == (1, 2)


@pytest.mark.parametrize(
    ("name", "identifier"),
    [
        ("from", "from_"),
        ("class", "class_"),
        ("self", "self_"),
        ("client", "client_"),
        ("pageSize", "page_size"),
        ("X-Request-ID", "x_request_id"),
        ("userIDs", "user_ids"),
        ("filter[name]", "filter_name"),
        ("match[]", "match"),
        ("2fa", "value_2fa"),
        ("größe", "grosse"),
        ("名前", "value"),
        ("__proto__", "proto"),
        ("$top", "top"),
    ],
)
def test_identifier(name: str, identifier: str) -> None:
    assert first(parameter(name, "query")).identifier == identifier


def test_identifiers_are_unique_in_an_endpoint() -> None:
    names = ["id", "ID", "i-d", "i_d", "id[]", "名", "前"]
    drafts = (parameter("id", "path"), *(parameter(name, "query") for name in names))
    found = tool(endpoint("GET /{id}", parameters=drafts)).parameters
    identifiers = [parameter.identifier for parameter in found]
    assert len(set(identifiers)) == len(identifiers) == len(names) + 1
    assert all(name.isidentifier() and not keyword.iskeyword(name) for name in identifiers)


def test_path_parameters_come_first_in_path_order_and_are_required() -> None:
    drafts = (
        parameter("q", "query", required=True),
        parameter("b"),
        parameter("a", required=False),
    )
    found = tool(endpoint("GET /{a}/{b}/{c}", parameters=drafts)).parameters
    assert [(p.name, p.location, p.required) for p in found] == [
        ("a", "path", True),
        ("b", "path", True),
        ("c", "path", True),
        ("q", "query", True),
    ]
    assert found[2].inferred


def test_the_one_path_parameter_without_place_takes_the_one_free_placeholder() -> None:
    draft = parameter("userId", "path", ("u1",), description="The user.")
    (found,) = tool(endpoint("GET /users/{id}", parameters=(draft,))).parameters
    assert (found.name, found.description) == ("id", "The user.")


def test_a_path_parameter_without_place_is_told() -> None:
    draft = endpoint("GET /users", parameters=(parameter("id", "path"),), line=4)
    spec, diagnostics = settle(page(draft), base_url="http://127.0.0.1:1")
    assert spec.endpoints[0].parameters == ()
    (found,) = diagnostics
    assert (found.code, found.level) == ("path-parameter-without-place", "warning")
    assert found.span is not None
    assert found.hint


@pytest.mark.parametrize(
    ("documented", "path"),
    [
        ("/a/{id}/b/{id}", "/a/{id}/b/{b_id}"),
        ("/a/{true|false}", "/a/{true_false}"),
        ("/a/{}", "/a/{a}"),
        ("/files/{path*}", "/files/{path}"),
        ("/files/{+path}", "/files/{path}"),
        ("/a/{user name}", "/a/{user_name}"),
        ("/a/{category-name}", "/a/{category-name}"),
        ("//a///b/", "/a/b/"),
    ],
)
def test_placeholders_have_plain_distinct_names(documented: str, path: str) -> None:
    found = tool(endpoint(f"GET {documented}"))
    assert found.path == path
    assert [f"{{{p.name}}}" in path for p in found.parameters] == [True] * len(found.parameters)


def test_selectors_are_fixed_and_blanks_in_the_query_are_parameters() -> None:
    found = tool(
        endpoint("GET /api?action=list&q={text}&raw", parameters=(parameter("action", "query"),))
    )
    assert found.fixed_query == {"action": "list", "raw": ""}
    assert [p.name for p in found.parameters] == ["q"]


def test_a_path_parameter_seen_again_in_a_sample_body_is_one_parameter() -> None:
    guess = parameter("dir").model_copy(update={"location": cite("form", confidence=0.5)})
    found = tool(endpoint("POST /files/{dir}", parameters=(parameter("dir", "path"), guess)))
    assert [(p.name, p.location) for p in found.parameters] == [("dir", "path")]


@pytest.mark.parametrize(
    ("draft", "auth"),
    [
        (parameter("Authorization", "header"), ("bearer", "Authorization")),
        (parameter("Authorization", "header", description="Basic base64"), ("basic", "")),
        (parameter("X-API-Key", "header"), ("header", "X-API-Key")),
        (parameter("PRIVATE-TOKEN", "header"), ("header", "PRIVATE-TOKEN")),
        (parameter("api_key", "query"), ("query", "api_key")),
        (parameter("access_token", "query"), ("query", "access_token")),
        (parameter("key", "query", description="Your API key."), ("query", "key")),
        (parameter("appid", "query", description="Your unique API key"), ("query", "appid")),
        (parameter("session_token", "cookie"), ("cookie", "session_token")),
    ],
)
def test_credentials_are_no_parameters(draft: ParameterDraft, auth: tuple[str, str]) -> None:
    found = tool(endpoint("GET /x", parameters=(draft, parameter("q", "query"))))
    assert [p.name for p in found.parameters] == ["q"]
    assert found.auth is not None
    assert (found.auth.type, found.auth.name) == auth


def test_the_carrier_of_a_stated_scheme_is_no_parameter() -> None:
    scheme = AuthDraft(type="query", name="sig")
    found = only(page(endpoint("GET /x", parameters=(parameter("sig", "query"),)), auth=(scheme,)))
    assert (found.parameters, found.auth) == ((), scheme)


@pytest.mark.parametrize("name", ["key", "token", "keys", "author", "keyword", "tokens", "passage"])
def test_words_that_only_look_like_credentials(name: str) -> None:
    assert first(parameter(name, "query", description="What to look for.")).name == name


def test_secrets_are_kept_as_arguments_of_a_login_but_never_as_examples() -> None:
    drafts = (
        parameter("user", "body", ("ann",)),
        parameter("password", "body", ("hunter2",), default="hunter2"),
    )
    shown = sample("POST /login", user="ann", password="hunter2")  # noqa: S106 - made up
    found = tool(endpoint("POST /login", parameters=drafts, samples=(shown,)))
    assert [p.name for p in found.parameters] == ["user", "password"]
    assert "hunter2" not in found.model_dump_json()


def test_content_type_and_accept_are_fixed_headers_and_credentials_none() -> None:
    drafts = (
        parameter("Content-Type", "header", ("application/json",)),
        parameter("accept", "header", enum=("text/csv", "text/plain")),
        parameter("X-Trace", "header"),
    )
    headers = {"Authorization": "Bearer abc", "X-Version": "2"}
    found = tool(endpoint("POST /x", parameters=drafts, headers=headers))
    assert found.fixed_headers == {
        "X-Version": "2",
        "Content-Type": "application/json",
        "accept": "text/csv",
    }
    assert [p.name for p in found.parameters] == ["X-Trace"]


def test_samples_become_examples_and_whole_argument_sets() -> None:
    drafts = (parameter("q", "query", required=True), parameter("n", "query"))
    shown = (
        sample("GET /s?q=red&n=5", q="red", n="5"),
        sample("GET /s?n=6", n="6"),
        sample("GET /s?q=blue%20sky", q="blue%20sky"),
        sample("GET /s?q=YOUR_QUERY", q="YOUR_QUERY", n="N"),
    )
    found = tool(endpoint("GET /s", parameters=drafts, samples=shown))
    q, n = found.parameters
    assert [example.value for example in q.examples] == ["red", "blue sky"]
    assert [example.value for example in n.examples] == [5, 6]
    assert {example.origin for example in q.examples} == {"documented"}
    assert found.samples == ({"q": "red", "n": 5}, {"q": "blue sky"})


def test_the_name_of_a_path_parameter_is_a_value_in_a_concrete_address() -> None:
    shown = sample("GET /login/user/passwd", user="user", passwd="passwd")  # noqa: S106 - made up
    found = tool(endpoint("GET /login/{user}/{passwd}", samples=(shown,)))
    assert found.samples == ({"user": "user", "passwd": "passwd"},)
    real = sample("GET /login/ann/hunter2", user="ann", passwd="hunter2")  # noqa: S106 - made up
    found = tool(endpoint("GET /login/{user}/{passwd}", samples=(real,)))
    assert found.samples == ()
    assert "hunter2" not in found.model_dump_json()


def test_a_call_without_parameters_has_an_empty_sample() -> None:
    assert tool(endpoint("GET /s", samples=(sample("GET /s"),))).samples == ({},)


def test_nested_fields_are_settled_too() -> None:
    inner = (parameter("from", examples=("2",)), parameter("apiSecret", examples=("s3cr3t",)))
    found = first(parameter("span", "body", fields=inner), "POST /x")
    assert found.type == "object"
    assert [(field.identifier, field.type) for field in found.fields] == [
        ("from_", "integer"),
        ("api_secret", "any"),
    ]
    assert "s3cr3t" not in found.model_dump_json()


@pytest.mark.parametrize(
    "value",
    [
        "YOUR_API_KEY", "<id>", "{id}", ":id", "xxx", "XXXX", "string", "...", "", None, "<name>",
        "your-token", "yourToken", "MY_KEY", "$TOKEN", "${TOKEN}", "%s", "[name]", "/a/{id}", "id",
        "API_KEY_HERE", "integer", "undefined",
    ],
)  # fmt: skip
def test_blanks(value: JsonValue) -> None:
    assert is_blank(value, "id")


@pytest.mark.parametrize(
    "value",
    ["main", "42", 0, False, "json", "text", "list", "default", "EUR", "EURUSD,GBPUSD", "a",
     "US_EAST", "up == 1", "youtube", "mysql", "host.name==\"a\"", "theodor"],
)  # fmt: skip
def test_no_blanks(value: JsonValue) -> None:
    assert not is_blank(value, "id")


@pytest.mark.parametrize(
    "name",
    ["password", "api_key", "apiKey", "X-Auth-Token", "client_secret", "token", "accessToken"],
)
def test_secret_names(name: str) -> None:
    assert is_secret_name(name)


@pytest.mark.parametrize(
    "name", ["key", "author", "secretary", "user", "tokens", "page_token", "id"]
)
def test_names_that_are_not_secret(name: str) -> None:
    assert not is_secret_name(name)


@pytest.mark.parametrize(
    "text",
    ["42", "a1b2c3d4e5f6a7b8", "7e7861c8-8008-4e8d-9910-2a0bb26921bd", "x@y.z", "1,2", "item-7"],
)
def test_path_segments_that_are_values(text: str) -> None:
    assert looks_like_value(text)


@pytest.mark.parametrize("text", ["search", "me", "v2", "by-name", "export.csv", "latest"])
def test_path_segments_that_are_words(text: str) -> None:
    assert not looks_like_value(text)
