"""What is tried for a tool, in which order, and what never is."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, cast

from invented_api import endpoint, parameter

from doc2tools.compiler.ir.base import JsonValue
from doc2tools.compiler.ir.options import CompileOptions
from doc2tools.compiler.ir.outcome import Blocked, Unvalidated
from doc2tools.compiler.ir.spec import Effect, Endpoint
from doc2tools.compiler.validate.messages import Complaint
from doc2tools.compiler.validate.plan import advised, argument_sets, missing, refusal
from doc2tools.param_db.values import Scalar, Value, ValueStore

GET = CompileOptions(allow=("GET",))


def tried(
    subject: Endpoint, store: ValueStore | None = None, options: CompileOptions = GET
) -> list[dict[str, JsonValue]]:
    sets = argument_sets(subject, options, store or ValueStore())
    return [{held.name: held.value for held in chosen.arguments} for chosen in sets]


def observed(*values: tuple[str, Scalar, str], **more: object) -> ValueStore:
    store = ValueStore()
    facts = cast("dict[str, Any]", more)
    store.add(Value(name=name, value=held, resource=noun, **facts) for name, held, noun in values)
    return store


def test_methods_are_denied_unless_allowed() -> None:
    create = endpoint("/books", method="POST")
    denied = refusal(create, GET)
    assert isinstance(denied, Blocked)
    assert denied.reason == "POST is not among the allowed methods (GET)"
    assert isinstance(refusal(endpoint("/books"), CompileOptions()), Blocked)
    assert refusal(endpoint("/books"), GET) is None


def test_a_get_that_changes_state_is_called_only_when_named() -> None:
    effect = Effect(kind="destructive", reason="the path says `reset`")
    reset = endpoint("/reset", name="reset", effect=effect)
    denied = refusal(reset, GET)
    assert isinstance(denied, Blocked)
    assert "the path says `reset`" in denied.reason
    assert refusal(reset, CompileOptions(allow=("GET",), allow_unsafe=("reset",))) is None


def test_no_base_url() -> None:
    refused = refusal(endpoint("/books", base_url=""), GET)
    assert isinstance(refused, Unvalidated)
    assert refused.cause == "missing-base-url"


def test_optional_parameters_are_left_out_first() -> None:
    subject = endpoint(
        "/books", parameter("lang", examples=[{"value": "en"}]), samples=[{"lang": "de"}]
    )
    assert tried(subject)[:2] == [{}, {"lang": "de"}]


def test_a_whole_sample_before_its_required_part() -> None:
    subject = endpoint(
        "/books/{id}", parameter("lang"), samples=[{"id": "7", "lang": "de"}, {"id": "8"}]
    )
    assert tried(subject)[:3] == [{"id": "7", "lang": "de"}, {"id": "7"}, {"id": "8"}]


def test_sample_values_of_one_set_stay_together() -> None:
    subject = endpoint("/a/{x}/{y}", samples=[{"x": "1", "y": "one"}, {"x": "2", "y": "two"}])
    assert tried(subject)[:2] == [{"x": "1", "y": "one"}, {"x": "2", "y": "two"}]


def test_configured_values_go_first_and_replace_those_of_samples() -> None:
    subject = endpoint("/books/{id}", samples=[{"id": "7"}])
    options = CompileOptions(allow=("GET",), values={"id": ["41", "42"]})
    assert tried(subject, options=options)[0] == {"id": "41"}
    assert {"id": "42"} in tried(subject, options=options)
    by_tool = CompileOptions(allow=("GET",), values={"books_by_id.id": "9"})
    assert tried(subject, options=by_tool)[0] == {"id": "9"}


def test_a_documented_value_that_the_server_gave_too_goes_first() -> None:
    subject = endpoint("/books/{id}", samples=[{"id": "7"}, {"id": "8"}])
    store = observed(("id", 8, "book"), ("id", 9, "book"))
    assert tried(subject, store)[0] == {"id": "8"}
    sets = argument_sets(subject, GET, store)
    assert [chosen.proved for chosen in sets[:2]] == [True, False]


def test_documented_and_observed_take_turns() -> None:
    subject = endpoint("/books/{id}", samples=[{"id": str(number)} for number in (91, 92, 93)])
    store = observed(("id", 1, "book"), ("id", 2, "book"))
    assert [found["id"] for found in tried(subject, store)[:5]] == ["91", 1, 2, "92", "93"]


def test_identifiers_are_never_guessed() -> None:
    subject = endpoint("/books/{id}", parameter("page", required=True, type="integer"))
    assert tried(subject) == []
    names, reason = missing(subject, GET, ValueStore())
    assert names == ("id",)
    assert reason == "no value is known for id"


def test_counts_and_flags_are_guessed_last_and_marked() -> None:
    subject = endpoint(
        "/books",
        parameter("limit", required=True, type="integer", minimum=5),
        parameter("full", required=True, type="boolean"),
        parameter("sort", required=True, enum=["title", "year"]),
    )
    (chosen, *_) = argument_sets(subject, GET, ValueStore())
    assert [(held.name, held.value, held.origin) for held in chosen.arguments] == [
        ("limit", 5, "guessed"),
        ("full", False, "guessed"),
        ("sort", "title", "documented"),
    ]


def test_stand_ins_credentials_and_long_polls_are_not_filled() -> None:
    subject = endpoint(
        "/keys/{key}",
        parameter("wait"),
        parameter("api_key"),
        parameter("X-Auth-Token", "header"),
        samples=[
            {"key": "a", "wait": "true", "api_key": "k", "X-Auth-Token": "t"},
            {"key": "<key>"},
        ],
    )
    assert tried(subject) == [{"key": "a"}]
    asks = endpoint("/me", parameter("api_key", required=True, examples=[{"value": "abc"}]))
    assert tried(asks) == []
    assert "configure [auth]" in missing(asks, GET, ValueStore())[1]


def test_a_required_wait_is_filled_from_its_example() -> None:
    subject = endpoint("/keys", parameter("wait", required=True, examples=[{"value": "false"}]))
    assert tried(subject) == [{"wait": "false"}]


def test_arguments_have_the_type_of_their_parameter() -> None:
    subject = endpoint(
        "/books",
        parameter("year", required=True, type="integer"),
        parameter("tags", required=True, type="array", style="comma"),
        parameter("match[]", required=True, type="array"),
        parameter("full", required=True, type="boolean"),
        samples=[{"year": "1965", "tags": "a,b", "match[]": "up", "full": "true"}],
    )
    assert tried(subject)[0] == {"year": 1965, "tags": ["a", "b"], "match[]": ["up"], "full": True}


def test_values_of_one_record_go_together() -> None:
    store = ValueStore()
    for number, (package, stage) in enumerate((("core", "s1"), ("extra", "s2"))):
        record = f"list_packages()/results[{number}]"
        store.add([Value(name="name", value=package, resource="package", record=record)])
        store.add([Value(name="", value=stage, resource="stage", record=record)])
    subject = endpoint("/config/stages/{package}/{stage}")
    assert tried(subject, store)[:2] == [
        {"package": "core", "stage": "s1"},
        {"package": "extra", "stage": "s2"},
    ]


def test_the_arguments_of_the_listing_call_go_with_what_it_listed() -> None:
    store = ValueStore()
    store.add([Value(name="type", value="hosts", resource="object", origin="documented")])
    for name, kind in (("web", "hosts"), ("ping", "checks")):
        listed = Value(name="name", value=name, resource="object", collection="/object/{}")
        store.add([replace(listed, context=(kind,))])
    sets = tried(endpoint("/objects/{type}/{name}"), store)
    assert {"type": "hosts", "name": "web"} in sets
    assert {"type": "checks", "name": "ping"} in sets


def test_several_identifiers_for_a_plural() -> None:
    store = observed(("id", 3, "album"), ("id", 4, "album"), collection="/album")
    assert {"ids": "3,4"} in tried(endpoint("/albums/{ids}"), store)


def test_a_search_uses_words_that_the_server_gave() -> None:
    store = observed(("title", "Blue Train", "track"), ("id", 4, "track"))
    sets = argument_sets(endpoint("/tracks/query/{query}"), GET, store)
    assert [held.value for held in sets[0].arguments] == ["Blue"]
    assert not sets[0].proved


def test_advice_of_an_error_message_is_used() -> None:
    subject = endpoint("/forecast", parameter("units"), parameter("days", enum=["1", "3"]))
    (bare, *_) = argument_sets(subject, GET, ValueStore())
    told = Complaint("units", True, False, ("metric", "imperial"))
    better = advised(subject, bare, told, GET, ValueStore())
    assert better is not None
    assert [(held.name, held.value) for held in better.arguments] == [("units", "metric")]
    named = advised(subject, bare, Complaint("days", True, True), GET, ValueStore())
    assert named is not None
    assert [held.value for held in named.arguments] == ["1"]
    assert advised(subject, bare, Complaint("nope", False, True), GET, ValueStore()) is None


def test_places_of_the_server_replace_documented_coordinates() -> None:
    store = observed(
        ("place", "7.1,43.1", "@place"),
        ("place", "7.2,43.2", "@place"),
        ("place", "7.3,43.3", "@place"),
    )
    subject = endpoint("/route/{points}", samples=[{"points": "13.388,52.517;13.397,52.529"}])
    sets = tried(subject, store)
    assert sets[0] == {"points": "13.388,52.517;13.397,52.529"}
    assert {"points": "7.1,43.1;7.2,43.2"} in sets
    assert {"points": "7.1,43.1"} in sets


def test_a_map_tile_that_holds_a_known_place() -> None:
    store = observed(("place", "7.419758,43.731142", "@place"))
    sample = [{"x": "1310", "y": "3166", "z": "13"}]
    integers = [parameter(name, "path", required=True, type="integer") for name in "zxy"]
    subject = endpoint("/tile/{z}/{x}/{y}", *integers, samples=sample)
    assert {"z": 13, "x": 4264, "y": 2987} in tried(subject, store)


def test_values_that_would_change_state_are_not_sent() -> None:
    subject = endpoint(
        "/jobs",
        parameter("action", required=True, enum=["delete", "list"]),
        parameter("purge", type="boolean"),
        parameter("deleted", type="boolean"),
        samples=[{"action": "restart", "purge": "true", "deleted": "true"}],
    )
    sets = tried(subject)
    assert {"action": "list", "deleted": True} in sets
    assert not [found for found in sets if found["action"] != "list" or "purge" in found]
    only_writes = endpoint("/jobs", parameter("action", required=True, enum=["delete", "start"]))
    assert tried(only_writes) == []
