"""The parts of a proof: values at a field, wrong values, and whether answers differ."""

from __future__ import annotations

import json
import re

import pytest

from doc2tools.compiler.graph.prove_compare import differ, features
from doc2tools.compiler.graph.prove_control import wrong_values
from doc2tools.compiler.graph.prove_fields import Held, nearest, read_field
from doc2tools.compiler.ir.base import JsonValue, ValueType
from doc2tools.compiler.ir.exchange import Response
from doc2tools.compiler.ir.spec import Parameter


def parameter(kind: ValueType = "string", **more: object) -> Parameter:
    return Parameter.model_validate(
        {"name": "x", "identifier": "x", "location": "path", "type": kind, **more}
    )


def answer(value: JsonValue, status: int = 200) -> Response:
    body = json.dumps(value)
    return Response(status=status, headers={"content-type": "application/json"}, body=body)


PAYLOAD: JsonValue = {
    "rows": [
        {"id": 4, "tags": ["a", "b"], "of": {"key": "k1"}},
        {"id": 9, "tags": ["b"], "of": {"key": "k2"}},
        {"id": 9, "tags": [], "of": None},
    ],
    "map": {"first": {"n": 1}, "second": {"n": 2}},
    "a.b": {"c": "dotted"},
}


@pytest.mark.parametrize(
    ("path", "values"),
    [
        ("rows[].id", [4, 9]),
        ("rows[].tags[]", ["a", "b"]),
        ("rows[].of.key", ["k1", "k2"]),
        ("map.*", ["first", "second"]),
        ("map.*.n", [1, 2]),
        ('"a.b".c', ["dotted"]),
        ("rows", []),
        ("nothing[].id", []),
        ("rows[].id[]", []),
        ("", []),
    ],
)
def test_fields_are_read(path: str, values: list[JsonValue]) -> None:
    assert [held.value for held in read_field(PAYLOAD, path)] == values


def test_repeated_values_keep_their_places() -> None:
    held = read_field(PAYLOAD, "rows[].id", repeated=True)
    assert [one.place for one in held] == [("rows", n, "id") for n in range(3)]


def test_deep_paths_and_answers_end() -> None:
    deep: JsonValue = 1
    for _ in range(500):
        deep = [deep]
    assert read_field(deep, "[]" * 500) == []
    assert read_field(deep, "[]" * 50) == []


def test_the_nearest_value_is_of_the_same_record() -> None:
    keys = read_field(PAYLOAD, "rows[].of.key")
    second = Held(9, ("rows", 1, "id"))
    assert nearest(second, keys) == keys[1]
    assert nearest(Held(9, ("rows", 2, "id")), keys) is None
    around = Held("whole", ("rows", 2))
    assert nearest(around, [Held("top", ("name",))]) == Held("top", ("name",))


@pytest.mark.parametrize(
    ("value", "like"),
    [
        ("ALV-7", r"[A-Z]{3}-\d"),
        ("2s", r"\d+s"),
        ("1h30m", r"\d+h\d+m"),
        ("2026-02-03T04:05:06Z", r"19\d\d-\d\d-\d\dT\d\d:\d\d:\d\dZ"),
        ("0a5b1c9e-1111-4222-b333-444455556666", r"[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-b.+"),
        ("9A9C34F0DD11", r"[0-9A-F]{12}"),
        ("sha256:b94d27b9934d3e08a52e52d7da7dab", r"sha256:[0-9a-f]{30}"),
        ("deadbeef", r"[a-z]{8}"),
        ("http://host.test/a/b", r"http://host\.test/\w/\w"),
        ("0042", r"\d{4,}"),
        ("—", r"—.+"),
    ],
)
def test_wrong_values_keep_the_form(value: str, like: str) -> None:
    first = wrong_values(value, parameter(), {value})[0]
    assert first != value
    assert re.fullmatch(like, str(first))


def test_a_parameter_for_uuids_has_wrong_values() -> None:
    known = "226c90da-cb58-4553-8682-6067eaa53d7d"
    one, two = wrong_values(known, parameter("string", format="uuid"), {known})
    assert len({known, str(one), str(two)}) == 3


def test_wrong_values_name_nothing_and_fit() -> None:
    assert wrong_values(5, parameter("integer", maximum=100), {"5", "100"}) == (99,)
    assert wrong_values(5, parameter("integer"), set()) == (987_654_321, 1_876_543_210)
    assert wrong_values("a", parameter("array"), set())[0] != ["a"]
    one, two = wrong_values("blue", parameter(), set())
    assert len(str(one)) != len(str(two))
    assert wrong_values(True, parameter("boolean"), set()) == (False,)


def test_an_echo_is_no_difference() -> None:
    right = features(answer({"said": "ALV-7", "url": "/x/ALV-7"}), ["ALV-7", "NYI-2"])
    wrong = features(answer({"said": "NYI-2", "url": "/x/NYI-2"}), ["ALV-7", "NYI-2"])
    assert not differ(right, wrong)
    assert differ(features(answer({"said": "ALV-7"}), []), features(answer({"said": "NYI-2"}), []))


def test_records_differ_from_none_and_from_others() -> None:
    sent: list[JsonValue] = ["a", "b"]
    some = features(answer({"rows": [{"n": 1}]}), sent)
    none = features(answer({"rows": []}), sent)
    assert differ(some, none)
    assert differ(some, features(answer({"rows": [{"n": 2}]}), sent))
    assert differ(some, features(answer({"rows": [{"n": 1}]}, status=404), sent))


def test_what_moves_by_itself_is_no_difference() -> None:
    def seen(value: JsonValue) -> dict[str, str]:
        return features(answer(value), ["a"])

    assert not differ(seen({"time": 1}), seen({"time": 2}))
    moment: JsonValue = {"at": "2026-01-01T00:00:00Z"}
    assert not differ(seen(moment), seen({"at": "2026-01-01T00:00:07Z"}))
    # A counter: the two controls differ in it, too.
    first, second, third = seen({"hits": 1}), seen({"hits": 2}), seen({"hits": 3})
    assert differ(first, second)
    assert not differ(first, second, third)


@pytest.mark.parametrize("body", ["", "{", "\x00\x01", "<a><b/></a>", "[" * 5000, "plain"])
def test_any_body_has_features(body: str) -> None:
    found = features(Response(status=200, body=body), ["", None, [1, "x"], "(["])
    assert not differ(found, found)
