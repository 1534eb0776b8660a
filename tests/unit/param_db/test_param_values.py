"""Candidates are ranked by resource, name, fit and origin; identifiers never leak."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, cast

import numpy as np

from doc2tools.compiler.ir.base import Location, ValueType
from doc2tools.compiler.ir.spec import Effect, Endpoint, Parameter
from doc2tools.param_db.embedding import Vectors
from doc2tools.param_db.meaning import Meaning
from doc2tools.param_db.values import MAX_PER_NAME, Scalar, Value, ValueStore


def parameter(
    name: str, location: Location = "path", kind: ValueType = "any", **facts: object
) -> Parameter:
    settled = {"name": name, "identifier": name, "location": location, "type": kind, **facts}
    return Parameter.model_validate(settled)


def endpoint(path: str, *parameters: Parameter) -> Endpoint:
    effect = Effect(kind="read", reason="GET")
    return Endpoint(
        name="tool", group="g", method="GET", path=path, parameters=parameters, effect=effect
    )


def value(name: str, held: Scalar, resource: str, **more: object) -> Value:
    return Value(name=name, value=held, resource=resource, **cast("dict[str, Any]", more))


def found(store: ValueStore, wanted: Parameter, path: str) -> list[Scalar]:
    return [held.value for held in store.candidates(wanted, endpoint(path, wanted))]


def test_identifier_of_another_resource_is_never_tried() -> None:
    store = ValueStore()
    store.add([value("id", 31, "album"), value("id", 7, "user"), value("album_id", 32, "user")])
    assert found(store, parameter("id"), "/users/{id}") == [7]
    assert found(store, parameter("user_id"), "/users/{user_id}") == [7]
    assert found(store, parameter("userId"), "/posts/{userId}") == [7]
    assert found(store, parameter("id"), "/posts/{id}") == []
    assert found(store, parameter("id", "query"), "/posts") == []


def test_plural_singular_and_spelling_are_folded() -> None:
    store = ValueStore()
    store.add([value("id", 7, "user")])
    for name, path in (("userID", "/people/{userID}"), ("user-id", "/x/{user-id}")):
        assert found(store, parameter(name), path) == [7]
    assert found(store, parameter("user_id", "query"), "/posts") == [7]


def test_own_field_before_handles_before_names() -> None:
    store = ValueStore()
    store.add(
        [
            value("name", "Ann", "user"),
            value("id", 7, "user"),
            value("login", "ann", "user"),
            value("bio", "likes books", "user"),
        ]
    )
    assert found(store, parameter("id"), "/users/{id}") == [7, "Ann", "ann"]
    assert found(store, parameter("login"), "/users/{login}")[0] == "ann"
    assert found(store, parameter("name"), "/users/{name}")[0] == "Ann"


def test_the_field_of_the_same_name_in_the_list_above_is_closest() -> None:
    store = ValueStore()
    store.add(
        [
            value("name", "red", "box", collection="/box"),
            value("shelf", "north", "box", collection="/box"),
        ]
    )
    assert found(store, parameter("shelf"), "/boxes/{shelf}")[0] == "north"
    assert found(store, parameter("box"), "/boxes/{box}") == ["red"]


def test_a_parameter_may_be_short_for_the_field_in_the_list_above() -> None:
    store = ValueStore()
    store.add(
        [
            value("organisation_id", 12, "org", collection="/org"),
            value("organic_share", 0, "org", collection="/org"),
            value("properties_key", "k1", "box", collection="/box"),
            value("properties_key", "other", "shelf", collection="/shelf"),
        ]
    )
    assert found(store, parameter("org"), "/orgs/{org}") == [12]
    assert found(store, parameter("props"), "/boxes/{props}") == ["k1"]


def test_a_list_of_names_feeds_the_record_endpoint() -> None:
    store = ValueStore()
    store.add(
        [
            value("", "job", "label", collection="/label"),
            value("", "instance", "label", collection="/label"),
        ]
    )
    path = "/label/{label_name}/values"
    assert found(store, parameter("label_name"), path) == ["job", "instance"]


def test_configured_then_documented_then_observed() -> None:
    store = ValueStore()
    store.add(
        [
            value("id", 3, "user"),
            value("id", 2, "user", origin="documented"),
            value("id", 1, "user", origin="configured"),
        ]
    )
    assert found(store, parameter("id"), "/users/{id}") == [1, 2, 3]


def test_a_documented_value_that_the_server_gave_counts_as_observed() -> None:
    store = ValueStore()
    store.add([value("shelf", "north", "shelf", origin="documented")])
    store.add([value("shelf", held, "box", collection="/box") for held in ("south", "north")])
    wanted = parameter("shelf")
    candidates = store.candidates(wanted, endpoint("/boxes/{shelf}", wanted))
    assert [(held.value, held.origin) for held in candidates] == [
        ("north", "observed"),
        ("south", "observed"),
    ]


def test_a_value_that_failed_sinks() -> None:
    store = ValueStore()
    store.add([value("id", 2, "user", origin="documented"), value("id", 3, "user")])
    wanted = parameter("id")
    store.note(wanted, endpoint("/users/{id}", wanted), 2, worked=False)
    assert found(store, wanted, "/users/{id}") == [3, 2]
    for _ in range(2):
        store.note(wanted, endpoint("/users/{id}", wanted), 2, worked=True)
    assert found(store, wanted, "/users/{id}") == [2, 3]


def test_type_enum_format_and_bounds() -> None:
    store = ValueStore()
    store.add([value("id", text, "user") for text in ("ann", "7", "2024-01-02")])
    assert found(store, parameter("id", kind="integer"), "/users/{id}") == ["7"]
    assert found(store, parameter("id", enum=["ann", "bob"]), "/users/{id}") == ["ann"]
    assert found(store, parameter("id", format="date"), "/users/{id}") == ["2024-01-02"]
    assert found(store, parameter("id", kind="integer", maximum=5), "/users/{id}") == []


def test_fields_take_turns_within_the_limit() -> None:
    store = ValueStore()
    store.add([value("id", number, "user", field_path="[].id") for number in range(20)])
    store.add([value("name", f"n{number}", "user", field_path="[].name") for number in range(20)])
    held = found(store, parameter("id"), "/users/{id}")
    assert held == [0, 1, 2, 3, "n0", "n1", "n2", "n3", 4, 5]


def test_bounded_and_without_duplicates() -> None:
    store = ValueStore()
    values = [value("id", number, "user") for number in range(500)]
    assert store.add(values) == MAX_PER_NAME
    assert store.add(values) == 0
    assert len(store) == MAX_PER_NAME


def test_order_does_not_depend_on_equal_ranks() -> None:
    first, second = ValueStore(), ValueStore()
    values = [value("id", number, "user", collection="/user") for number in (5, 3, 9)]
    first.add(values)
    second.add(values[:1])
    second.add(values[1:])
    wanted = parameter("id")
    assert found(first, wanted, "/users/{id}") == found(second, wanted, "/users/{id}") == [5, 3, 9]


def test_values_of_one_record_are_found_together() -> None:
    store = ValueStore()
    inner = value("", "s1", "stage", record="list/[0]")
    store.add([value("name", "core", "package", record="list/[0]"), inner])
    store.add([value("name", "extra", "package", record="list/[1]")])
    assert [mate.value for mate in store.record_mates(inner)] == ["core", "s1"]


def test_texts_to_search_for() -> None:
    store = ValueStore()
    store.add([value("name", "t01", "track"), value("title", "Song", "track")])
    store.add([value("id", 4, "track"), value("title", "Other", "album")])
    assert [held.value for held in store.named("track", ("title", "name"))] == ["Song", "t01"]


def test_pattern() -> None:
    store = ValueStore()
    store.add([value("id", text, "user") for text in ("ann", "u-7", 12)])
    assert found(store, parameter("id", pattern="^[a-z]-[0-9]$"), "/users/{id}") == ["u-7"]
    assert found(store, parameter("id", pattern="[0-9]"), "/users/{id}") == ["u-7", 12]
    assert len(found(store, parameter("id", pattern="(no regular expression"), "/users/{id}")) == 3
    assert len(found(store, parameter("id", pattern="(?<=u)-7"), "/users/{id}")) == 3


def test_a_pattern_made_to_take_for_ever_does_not() -> None:
    store = ValueStore()
    store.add([value("id", "a" * 200, "user")])
    for pattern in ("^(a+)+$|b", "(a|aa)+c", "(a{1,1000}){1,1000}"):
        assert len(found(store, parameter("id", pattern=pattern), "/users/{id}")) <= 1


def test_a_field_that_refers_to_another_record_gives_that_ones_identifier() -> None:
    store = ValueStore()
    store.add([value("album_id", 32, "song"), value("album_name", "Blue", "song")])
    assert found(store, parameter("id"), "/albums/{id}") == [32]
    assert found(store, parameter("album_id", "query"), "/covers") == [32]
    assert found(store, parameter("id"), "/songs/{id}") == []


class Words:
    """Meaning by a table, so that a test decides what is close."""

    name = "words"
    dimensions = 2

    def embed(self, texts: Sequence[str]) -> Vectors:
        close = {"nation", "country", "country trip"}
        rows = [[1.0, 0.0] if text in close else [0.0, 1.0] for text in texts]
        return np.asarray(rows, dtype=np.float32)


def test_meaning_gives_values_of_other_names_but_no_identifiers() -> None:
    store = ValueStore(Meaning(Words))
    store.add([value("nation", "NO", ""), value("colour", "red", ""), value("nation_id", 7, "")])
    wanted = parameter("country", "query")
    held = store.alike(wanted, endpoint("/trips", wanted))
    assert [one.value for one in held] == ["NO"]
    assert store.candidates(wanted, endpoint("/trips", wanted)) == ()
    for other in (parameter("country_id", "query"), parameter("country"), parameter("id", "query")):
        assert store.alike(other, endpoint("/trips/{country}", other)) == ()
    assert ValueStore().alike(wanted, endpoint("/trips", wanted)) == ()


def test_a_field_named_after_the_place_and_its_own_name() -> None:
    store = ValueStore()
    place = {"collection": "/garden/{}/bed"}
    store.add([value("", "peat", "bed", field_path="[].soils[]", **place)])
    store.add([value("kind", "raised", "bed", field_path="[].kind", **place)])
    wanted = parameter("bed_kind")
    assert found(store, wanted, "/gardens/{id}/beds/{bed_kind}")[0] == "raised"


def test_a_description_says_what_a_bare_name_is_of() -> None:
    store = ValueStore()
    store.add([value("", "north", "depot", field_path="depots[]")])
    store.add([value("", "anna", "clerk", field_path="clerks[]")])
    for text, right in (
        ("Name of the target depot.", ["north"]),
        ("The unique identifier of a clerk", ["anna"]),
        ("Name of the depot to look into", ["north"]),
        ("Name", []),
        ("Name of the depot's owner", []),
    ):
        wanted = parameter("name", description=text)
        assert found(store, wanted, "/v2/{name}/lines") == right
    told = parameter("name", description="Name of the target depot.")
    assert found(store, told, "/clerks/{name}") == ["anna"], "the path says more than the text"


def test_what_documentation_shows_elsewhere_leaves_room_for_what_the_server_gave() -> None:
    store = ValueStore()
    for number in range(20):
        shown = {"origin": "documented", "endpoint": f"create_{number}"}
        store.add([value("berth", 100 + number, "berth", **shown)])
    store.add([value("berth", 7, "ship", collection="/ship")])
    assert 7 in found(store, parameter("berth"), "/ships/{berth}")
