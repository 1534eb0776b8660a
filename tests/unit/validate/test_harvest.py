"""Values come out of answers with field path, resource, record and context."""

from __future__ import annotations

import json

from invented_api import api, endpoint, parameter

from doc2tools.compiler.ir.base import JsonValue
from doc2tools.compiler.ir.exchange import Exchange, Request, Response
from doc2tools.compiler.ir.outcome import Argument
from doc2tools.compiler.ir.spec import Endpoint
from doc2tools.compiler.validate.answer import parse_xml
from doc2tools.compiler.validate.harvest import documented_values, harvest
from doc2tools.param_db.values import MAX_PER_ANSWER, Value, ValueStore


def taken(
    subject: Endpoint,
    body: object,
    *,
    headers: dict[str, str] | None = None,
    media: str = "application/json",
    **arguments: str,
) -> list[Value]:
    text = body if isinstance(body, str) else json.dumps(body)
    exchange = Exchange(
        request=Request(method="GET", url="http://user@127.0.0.1:8000" + subject.path),
        response=Response(
            status=200, headers={"content-type": media, **(headers or {})}, body=text
        ),
    )
    given = [
        Argument(name=name, value=value, origin="observed") for name, value in arguments.items()
    ]
    return harvest(subject, given, exchange)


def facts(values: list[Value]) -> list[tuple[object, ...]]:
    return [(held.resource, held.name, held.value, held.field_path) for held in values]


def test_a_list_of_records() -> None:
    found = taken(endpoint("/api/users"), [{"id": 7, "login": "ann"}, {"id": 8, "login": "bob"}])
    assert facts(found) == [
        ("user", "id", 7, "[].id"),
        ("user", "login", "ann", "[].login"),
        ("user", "id", 8, "[].id"),
        ("user", "login", "bob", "[].login"),
    ]
    assert found[0].record == found[1].record != found[2].record
    assert (found[0].host, found[0].endpoint) == ("127.0.0.1:8000", "api_users")
    assert found[0].type == "integer"
    assert {held.origin for held in found} == {"observed"}


def test_envelopes_do_not_name_resources_but_nouns_do() -> None:
    found = taken(endpoint("/users"), {"data": {"items": [{"id": 7, "address": {"id": 3}}]}})
    assert facts(found) == [
        ("user", "id", 7, "data.items[].id"),
        ("address", "id", 3, "data.items[].address.id"),
    ]
    store = ValueStore()
    store.add(found)
    wanted = parameter("id", "path", required=True)
    held = store.candidates(wanted, endpoint("/users/{id}", wanted))
    assert [value.value for value in held] == [7]
    assert store.candidates(wanted, endpoint("/orders/{id}", wanted)) == ()


def test_scalars_and_map_keys_are_handles() -> None:
    assert facts(taken(endpoint("/labels"), {"status": "ok", "data": ["job", "zone"]}))[1:] == [
        ("label", "", "job", "data[]"),
        ("label", "", "zone", "data[]"),
    ]
    found = taken(endpoint("/hosts"), {"web-1": {"up": True}, "web-2": {"up": False}})
    assert ("host", "", "web-1", "*") in facts(found)
    assert ("host", "", "web-2", "*") in facts(found)


def test_lists_in_a_record_belong_to_it() -> None:
    found = taken(
        endpoint("/config/packages"),
        {
            "results": [
                {"name": "core", "stages": ["s1", "s2"]},
                {"name": "extra", "stages": ["s3"]},
            ]
        },
    )
    stages = {held.value: held.record for held in found if held.resource == "stage"}
    names = {held.value: held.record for held in found if held.resource == "package"}
    assert stages["s1"] == stages["s2"] == names["core"]
    assert stages["s3"] == names["extra"] != names["core"]


def test_the_context_is_the_path_of_the_call() -> None:
    found = taken(endpoint("/objects/{type}"), [{"name": "web"}], type="hosts")
    assert (found[0].collection, found[0].context) == ("/object/{}", ("hosts",))


def test_xml_is_read_like_json() -> None:
    body = (
        '<?xml version="1.0"?><books><book id="7"><title>Dune</title></book><book id="8"/></books>'
    )
    found = taken(endpoint("/books"), body, media="application/xml")
    assert ("book", "id", "7", "books.book[].@id") in facts(found)
    assert ("book", "title", "Dune", "books.book[].title") in facts(found)


def test_xml_entities_are_refused() -> None:
    bomb = '<!DOCTYPE a [<!ENTITY x "y"><!ENTITY z "&x;&x;">]><a>&z;</a>'
    external = '<!DOCTYPE a [<!ENTITY x SYSTEM "file:///etc/passwd">]><a>&x;</a>'
    assert parse_xml(bomb) is None
    assert parse_xml(external) is None
    assert parse_xml("<a>" * 500 + "</a>" * 500) is None
    assert parse_xml("<a><b>1</b></a>") == {"a": {"b": "1"}}


def test_location_and_link_headers() -> None:
    headers = {"location": "http://127.0.0.1:8000/users/42"}
    found = taken(endpoint("/users/latest"), "{}", headers=headers)
    assert facts(found) == [("user", "id", "42", "header:location")]


def test_secrets_are_left_out() -> None:
    body = [{"id": 7, "password": "pw", "email": "ann@example.org", "api_key": "k", "note": "hi"}]
    store = ValueStore()
    store.add(taken(endpoint("/users"), body))
    assert [held.value for held in store] == [7, "hi"]


def test_bounded_and_safe_on_hostile_answers() -> None:
    many = [
        {"id": number, "more": [{"id": number} for number in range(40)]} for number in range(900)
    ]
    assert len(taken(endpoint("/users"), many)) == MAX_PER_ANSWER
    assert taken(endpoint("/users"), "[" * 100_000) == []
    deep: JsonValue = {"id": 1}
    for _ in range(200):
        deep = {"next": deep}
    assert taken(endpoint("/users"), deep) == []


def test_documented_values_across_pages() -> None:
    spec = api(
        endpoint("/repos/{name}/packages", samples=[{"name": "main"}, {"name": "<name>"}]),
        endpoint("/repos/{name}"),
        endpoint("/users/{name}"),
    )
    store = ValueStore()
    store.add(documented_values(spec))
    repo, user = spec.endpoints[1], spec.endpoints[2]
    (found,) = store.candidates(repo.parameters[0], repo)
    assert (found.value, found.origin) == ("main", "documented")
    assert store.candidates(user.parameters[0], user) == ()


def test_an_action_names_no_resource() -> None:
    assert [held.resource for held in taken(endpoint("/users/search"), [{"id": 7}])] == ["user"]
    assert [held.resource for held in taken(endpoint("/query"), {"data": [1, 2]})] == ["", ""]


def test_link_alone_gives_identifiers_and_the_next_page() -> None:
    link = '<http://127.0.0.1:8000/users/42>; rel="author", </users?page=3&cursor=ab9>; rel="next"'
    found = taken(endpoint("/users"), "[]", headers={"link": link})
    assert facts(found) == [
        ("user", "id", "42", "header:link"),
        ("user", "page", "3", "header:link"),
        ("user", "cursor", "ab9", "header:link"),
    ]
    elsewhere = {"location": "http://other.example.org/users/42"}
    assert taken(endpoint("/users"), "[]", headers=elsewhere) == []


def test_pagination_tokens_feed_the_parameter_that_turns_the_page() -> None:
    def found(body: object, name: str, paged: object = None) -> list[object]:
        wanted = parameter(name, "query")
        subject = endpoint("/films", wanted, pagination=paged)
        store = ValueStore()
        store.add(taken(subject, body))
        return [held.value for held in store.candidates(wanted, subject)]

    assert found({"next_cursor": "c9", "items": []}, "cursor") == ["c9"]
    assert found({"nextPageToken": "t7"}, "pageToken") == ["t7"]
    assert found({"meta": {"next_page": 2}}, "page") == [2]
    assert found({"next": "http://127.0.0.1:8000/films?offset=20&limit=20"}, "offset") == ["20"]
    assert found({"_links": {"next": {"href": "/films?after=x1"}}}, "after") == ["x1"]
    paged = {"style": "cursor", "parameters": ("marker", "limit")}
    assert found({"next": "m5"}, "marker", paged) == ["m5"]
    assert found({"next_access_token": "s3cr3t99"}, "access_token") == []


def test_addresses_in_an_answer_name_records() -> None:
    body = {"results": [{"name": "dune", "url": "http://127.0.0.1:8000/api/films/7/"}]}
    found = taken(endpoint("/films"), body)
    assert ("film", "id", "7", "results[].url") in facts(found)
    foreign = {"results": [{"url": "http://other.example.org/films/8"}]}
    assert not [held for held in taken(endpoint("/films"), foreign) if held.name == "id"]


def test_maps_are_told_by_their_records_or_codes() -> None:
    people = {name: {"age": 1, "town": "x"} for name in ("ann", "bob", "cem")}
    assert [one[2] for one in facts(taken(endpoint("/people"), people)) if one[3] == "*"] == [
        "ann",
        "bob",
        "cem",
    ]
    rates = taken(endpoint("/rates"), {"EUR": 1.1, "USD": 1.0, "CHF": 0.9})
    assert [one[2:] for one in facts(rates)] == [("EUR", "*"), ("USD", "*"), ("CHF", "*")]
    single = taken(endpoint("/hosts"), {"web-17": {"up": True}})
    assert ("host", "", "web-17", "*") in facts(single)
    record = taken(endpoint("/hosts"), {"disk": {"free": 1}, "memory": {"used": 2}})
    assert not [one for one in facts(record) if one[3] == "*"]


def test_hostile_headers_and_addresses_are_harmless() -> None:
    headers = {"link": "<" * 5000 + ">" * 5000, "location": "http://[::1" + "/" * 3000}
    assert taken(endpoint("/users"), "{}", headers=headers) == []
    body = {"next": "http://127.0.0.1:8000/users?" + "&".join(f"a{n}=1" for n in range(5000))}
    assert len(taken(endpoint("/users"), body)) <= 11
