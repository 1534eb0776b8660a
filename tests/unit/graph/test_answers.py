"""Fields of answers and their paths, hostile answers included."""

from __future__ import annotations

import pytest

from doc2tools.compiler.graph.answers import MAX_FIELDS, shape_of
from doc2tools.compiler.ir.base import JsonValue
from doc2tools.compiler.passes.answer_paths import last_key, split_path, values_at, with_key

PAYLOADS: list[JsonValue] = [
    {"results": [{"id": 1, "tags": ["a", "b"]}, {"id": 2}]},
    [{"id": 1}, {"id": 2}],
    ["x", "y"],
    "alone",
    {"data": {"n-1": {"up": True}, "n-2": {"up": False}}},
    {"a.b": {'c"d': {"e\\f": 3, "": 4, "*": 5, "[]": 6, "@": 7}}},
    [[{"deep": [[1]]}]],
    {"nothing": None, "empty": [], "none": {}},
]


@pytest.mark.parametrize("payload", PAYLOADS, ids=str)
def test_every_field_is_found_again_by_its_path(payload: JsonValue) -> None:
    for path, seen in shape_of(payload, observed=True).fields.items():
        values = values_at(payload, path)
        assert [value for value in seen.samples if value not in values] == []
        assert values


def test_keys_of_a_map_are_values() -> None:
    payload: JsonValue = {"data": {"n-1": {"up": 3}, "n-2": {"up": 4}}}
    assert values_at(payload, "data.*") == ["n-1", "n-2"]
    assert values_at(payload, "data.*.up") == [3, 4]


def test_secrets_are_no_fields() -> None:
    fields = shape_of({"id": 1, "password": "x", "api_key": "y"}, observed=True).fields
    assert list(fields) == ["id"]


def test_empty_places_are_remembered() -> None:
    assert shape_of({"rows": [], "next": None}, observed=True).empty == {"rows", "next"}


@pytest.mark.parametrize(
    "text", ['"', "a..b", "[", "a]b", "a[0]", "\\", '"a', "." * 5, "a" + "[]" * 500]
)
def test_what_is_no_path_leads_nowhere(text: str) -> None:
    assert split_path(text) == ()
    assert values_at({"a": [[1]]}, text) == []


def test_names_are_quoted_only_where_they_must_be() -> None:
    assert with_key("a", "b c") == "a.b c"
    assert with_key("a", "b.c") == 'a."b.c"'
    assert last_key('a."b.c"') == "b.c"
    assert last_key("a[]") == ""


def test_deep_and_wide_answers_are_bounded() -> None:
    deep: JsonValue = 1
    for _ in range(5_000):
        deep = {"a": [deep]}
    assert len(shape_of(deep, observed=True).fields) <= MAX_FIELDS
    wide: JsonValue = [{f"f{row}_{number}": number for number in range(300)} for row in range(60)]
    assert len(shape_of(wide, observed=True).fields) == MAX_FIELDS
