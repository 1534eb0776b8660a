"""The manifest's schemas take just what the functions take, and whatever a server may answer."""

from __future__ import annotations

import importlib
import json
from collections.abc import Callable
from types import ModuleType
from typing import Any

import pytest
from harbour_api import Fact, make_endpoint, make_plan, prove
from jsonschema import Draft202012Validator

from doc2tools.compiler.emit.package import render_package
from doc2tools.compiler.ir.base import JsonValue
from doc2tools.compiler.ir.outcome import Tool
from doc2tools.compiler.ir.spec import Parameter


def tool_entry(tool: Tool) -> dict[str, Any]:
    files = render_package(make_plan(tool))
    (entry,) = json.loads(files["src/harbour/doc2tools.json"])["tools"]
    Draft202012Validator.check_schema(entry["input_schema"])
    if entry["output_schema"] is not None:
        Draft202012Validator.check_schema(entry["output_schema"])
    return entry


def parameter(name: str, **facts: Fact) -> Parameter:
    given = {"name": name, "identifier": name.strip("[]-"), "location": "query"} | facts
    return Parameter.model_validate(given)


def input_schema(*parameters: Parameter, values: dict[str, Any] | None = None) -> dict[str, Any]:
    endpoint = make_endpoint(path="/ships", parameters=parameters, method="POST", body_kind="json")
    return tool_entry(prove(endpoint, {"id": 1}, values or {}))["input_schema"]


def accepts(schema: dict[str, Any], value: Fact) -> bool:
    validator: Any = Draft202012Validator(schema)
    return bool(validator.is_valid(value))


def test_arguments_have_their_names_and_the_rest_is_refused() -> None:
    schema = input_schema(
        parameter("ship-id[]", identifier="ship_id", type="integer", required=True),
        parameter("flag", type="string", description="the flag", default="red"),
    )
    assert schema == {
        "type": "object",
        "properties": {
            "ship_id": {"type": "integer", "description": "Query parameter."},
            "flag": {
                "type": "string",
                "description": 'The flag. By default "red".',
                "default": "red",
            },
        },
        "required": ["ship_id"],
        "additionalProperties": False,
    }


@pytest.mark.parametrize(
    ("facts", "good", "bad"),
    [
        ({"type": "string", "enum": ("a", "b")}, ["a"], ["c", 1]),
        ({"type": "integer", "enum": (1, 2)}, [2], [3, "1"]),
        ({"type": "integer"}, [1], [1.5, "1", True]),
        ({"type": "number"}, [1, 1.5], ["1"]),
        ({"type": "boolean"}, [True], [1, "true"]),
        ({"type": "any"}, [1, "x", False, 1.5], [[1], {"a": 1}]),
        ({"type": "any", "location": "body"}, [1, [1], {"a": 1}], []),
        ({"type": "object", "location": "body"}, [{"a": 1}], [[1], "x"]),
        ({"type": "array", "item_type": "string"}, [["x"], []], ["x", [1]]),
        ({"type": "array", "item_type": "string", "enum": ("a", "b")}, [["a"]], [["c"]]),
        ({"type": "array"}, [["x", 1]], ["x"]),
        ({"type": "integer", "minimum": 1, "maximum": 9}, [1, 9], [0, 10]),
        ({"type": "string", "format": "date-time"}, ["2024-05-06T04:00:00Z"], [5]),
        ({"type": "file", "location": "form"}, ["aGk="], [1]),
    ],
)
def test_types_are_those_of_the_wire(facts: Fact, good: list[Any], bad: list[Any]) -> None:
    schema = input_schema(parameter("x", **facts))
    assert [value for value in good if not accepts(schema, {"x": value})] == []
    assert [value for value in bad if accepts(schema, {"x": value})] == []


@pytest.mark.parametrize(
    ("facts", "value"),
    [
        ({"type": "string", "enum": ("a", "b")}, "c"),
        ({"type": "integer", "minimum": 1}, 0),
        ({"type": "array", "item_type": "string", "enum": ("a", "b")}, ["c"]),
        ({"type": "string", "format": "date-time"}, "yesterday"),
    ],
)
def test_what_was_proved_is_taken_whatever_the_documentation_says(facts: Fact, value: Fact) -> None:
    schema = input_schema(parameter("x", **facts), values={"x": value})
    assert accepts(schema, {"x": value})
    assert "format" not in schema["properties"]["x"]


@pytest.mark.parametrize(
    ("facts", "shown"),
    [
        ({"type": "integer", "default": "10"}, False),
        ({"type": "integer", "default": 10}, True),
        ({"type": "boolean", "default": 1}, False),
        ({"type": "string", "enum": ("a", "b"), "default": "c"}, False),
        ({"type": "number", "default": float("inf")}, False),
        ({"type": "integer", "default": 0, "minimum": 1}, True),
    ],
)
def test_a_default_that_its_own_schema_refuses_is_left_out(facts: Fact, shown: bool) -> None:
    schema = input_schema(parameter("x", **facts))
    described = schema["properties"]["x"]
    assert ("default" in described) == shown
    assert not shown or accepts(schema, {"x": described["default"]})


ANSWER: dict[str, JsonValue] = {
    "id": 7,
    "name": "Ada",
    "position": {"at": [1.5, 2], "fixed": True},
    "crew": [{"name": "Bo", "rank": None}, {"name": "Cy", "rank": "mate"}],
    "mixed": [1, "two", {"three": 3}],
    "by_hash": {"0123456789abcdef": {"size": 1}, "fedcba9876543210": {"size": 2}},
}


def mutate(value: JsonValue) -> list[JsonValue]:
    """Give what a server may answer another day: fields gone, null, new, lists empty."""
    changed: list[JsonValue] = [value, None]
    if isinstance(value, dict):
        for key, inner in value.items():
            rest = {name: item for name, item in value.items() if name != key}
            changed += [rest, *({**value, key: other} for other in mutate(inner))]
        changed.append({**value, "brand_new": {"x": [1]}})
    if isinstance(value, list):
        changed.extend(([], value[:1], value * 2, [None]))
        for number, inner in enumerate(value):
            changed += [[*value[:number], other, *value[number + 1 :]] for other in mutate(inner)]
    if isinstance(value, int) and not isinstance(value, bool):
        changed.append(value + 0.5)
    return changed


def test_the_answers_schema_takes_answers_of_another_day() -> None:
    entry = tool_entry(prove(make_endpoint(), ANSWER))
    schema = entry["output_schema"]
    assert schema["type"] == "object"
    assert schema["properties"]["id"] == {"type": ["number", "null"]}
    tried = [value for value in mutate(ANSWER) if value is not None]
    assert len(tried) > 60
    assert [value for value in tried if not accepts(schema, value)] == []
    assert not accepts(schema, {"id": [7]})
    assert not accepts(schema, ["no object"])


def test_the_models_take_answers_of_another_day(load: Callable[..., ModuleType]) -> None:
    package: Any = load(make_plan(prove(make_endpoint(), ANSWER)))
    answers = importlib.import_module("harbour._answers")
    for value in mutate(ANSWER):
        if not isinstance(value, dict):
            continue
        ship = answers.shaped(value, package.models.Ship)
        assert isinstance(ship, package.models.Ship)
        assert ship.name == value.get("name")
        # A field that keeps a value of another type warns when it is written, unless told not to.
        written = ship.model_dump(mode="json", by_alias=True, exclude_unset=True, warnings=False)
        assert written == value


@pytest.mark.parametrize(
    ("answer", "more", "schema"),
    [
        ("text", {}, {"type": "string"}),
        ([{"a": 1}], {}, {"type": "array", "items": {
            "type": ["object", "null"], "properties": {"a": {"type": ["number", "null"]}}}}),
        ("iVBORw==", {"body_base64": True, "headers": {"content-type": "image/png"}},
         {"type": "string", "contentEncoding": "base64"}),
    ],
)  # fmt: skip
def test_the_kinds_of_answers(answer: object, more: Fact, schema: object) -> None:
    assert tool_entry(prove(make_endpoint(), answer, **more))["output_schema"] == schema


def test_a_large_answer_has_a_bounded_schema() -> None:
    rows = {f"field_{n}": {f"inner_{m}": m for m in range(40)} | {f"x{n}": 1} for n in range(60)}
    entry = tool_entry(prove(make_endpoint(), rows))
    assert len(json.dumps(entry["output_schema"])) < 30_000
