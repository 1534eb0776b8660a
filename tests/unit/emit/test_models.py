"""Models learnt from answers."""

from __future__ import annotations

import importlib
import json
from collections.abc import Callable
from types import ModuleType
from typing import Any

import pytest
from harbour_api import make_endpoint, make_plan, prove
from hypothesis import given
from hypothesis import strategies as st

from doc2tools.compiler.emit.models import Models
from doc2tools.compiler.emit.package import render_package
from doc2tools.compiler.emit.shapes import field_paths, learn
from doc2tools.compiler.ir.base import JsonValue
from doc2tools.compiler.ir.plan import PackagePlan

ANSWER: dict[str, Any] = {
    "status": "ok",
    "count": 2,
    "draft": 1.5,
    "list": [1],
    "ships": [
        {"id": 1, "name": "Anna", "Port-Side": True, "captain": {"name": "Li"}, "tags": ["a"]},
        {"id": 2, "name": None, "captain": None, "tags": []},
    ],
    "berths": {"3f2504e0-4f89-11d3-9a0c-0305e82c3301": {"free": True}, "12": {"free": False}},
    "nothing": None,
    "mixed": [1, {"a": 1}],
}


def declared(answer: object, tool: str = "list_ships") -> tuple[str, dict[str, dict[str, str]]]:
    """Give what the tool returns, and the fields of each model with their types."""
    models = Models()
    returns = models.add(tool, json.loads(json.dumps(answer)))
    classes = {
        view.name.source: {
            f.name.source: f.type.source + (f" = {f.default}" if f.default else "")
            for f in view.fields
        }
        for view in models.views()
    }
    kind = returns.type
    inner = ", ".join(part.name for part in kind.args)
    return (f"{kind.name}[{inner}]" if inner else kind.name), classes


def test_an_answer_becomes_classes() -> None:
    kind, classes = declared(ANSWER)
    assert kind == "Ships"
    assert classes == {
        "Ships": {
            "status": "str",
            "count": "int",
            "draft": "float",
            "list_": 'list[int] = Field(alias="list")',
            "ships": "list[ShipsShip]",
            "berths": "dict[str, ShipsBerth]",
            "nothing": "JsonValue",
            "mixed": "list[JsonValue]",
        },
        "ShipsBerth": {"free": "bool"},
        "ShipsShip": {
            "id": "int",
            "name": "str | None",
            "port_side": 'bool | None = Field(default=None, alias="Port-Side")',
            "captain": "ShipsShipCaptain | None",
            "tags": "list[str]",
        },
        "ShipsShipCaptain": {"name": "str"},
    }


@pytest.mark.parametrize(
    ("answer", "kind"),
    [
        ([{"id": 1}], "list[Ship]"),
        (["a", "b"], "list[str]"),
        ([], "JsonValue"),
        ([1, "a"], "list[|]"),
        ({}, "JsonValue"),
        ("text", "JsonValue"),
        (None, "JsonValue"),
        ({str(n): {"id": n} for n in range(3)}, "dict[str, Ship]"),
        ({f"field_{n}": n for n in range(301)}, "dict[str, int]"),
        ({f"field_{n}": [n] if n % 2 else n for n in range(301)}, "JsonValue"),
    ],
)
def test_what_the_root_becomes(answer: object, kind: str) -> None:
    assert declared(answer)[0].replace("Ships", "Ship") == kind


def test_deep_answers_stay_json() -> None:
    answer: Any = 1
    for _ in range(3_000):
        answer = {"a": answer}
    models = Models()
    assert models.add("get_ship", answer).type.name == "Ship"
    assert len(models.views()) <= 6


def test_the_paths_of_fields() -> None:
    assert field_paths(ANSWER)[:9] == (
        "status",
        "count",
        "draft",
        "list",
        "list[]",
        "ships",
        "ships[]",
        "ships[].id",
        "ships[].name",
    )
    assert "berths.*.free" in field_paths(ANSWER)
    assert len(field_paths({f"f{n}": n for n in range(20)}, limit=7)) == 7


def test_a_model_takes_what_the_server_sends(load: Callable[[PackagePlan], ModuleType]) -> None:
    endpoint = make_endpoint(name="list_ships")
    load(make_plan(prove(endpoint, ANSWER)))
    models: Any = importlib.import_module("harbour.models")
    same = models.Ships.model_validate(ANSWER)
    assert same.ships[0].captain.name == "Li"
    assert same.ships[0].port_side is True
    assert same.model_dump(by_alias=True, exclude_unset=True) == ANSWER
    other = models.Ships.model_validate({"count": "many", "ships": [{"id": "x"}, 5], "more": 1})
    assert other.count == "many"
    assert other.status is None
    assert other.ships == [{"id": "x"}, 5]
    assert other.more == 1


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=8),
    lambda inner: (
        st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner, max_size=4)
    ),
    max_leaves=12,
)


@given(JSON)
def test_any_answer_has_a_shape_and_models(answer: JsonValue) -> None:
    learn([answer])
    models = Models()
    models.add("get_any", answer)
    for view in models.views():
        names = [field.name.source for field in view.fields]
        assert len(set(names)) == len(names)


def test_tools_with_one_name_for_their_answers_have_models_of_their_own() -> None:
    one = prove(make_endpoint(name="get_ship"), {"id": 1})
    other = prove(make_endpoint(name="fetch_ship"), {"name": "Anna"})
    files = render_package(make_plan(one, other))
    text = files["src/harbour/models.py"].decode()
    assert "class Ship(Model):" in text
    assert "class Ship2(Model):" in text


def test_recordings_are_short_and_never_deep() -> None:
    rows = [{"id": n, "text": "x" * 90} for n in range(3_000)]
    deep: Any = 1
    for _ in range(300):
        deep = [deep]
    moved = prove(make_endpoint(name="moved"), {"a": 1})
    plan = make_plan(
        prove(make_endpoint(name="long"), {"rows": rows}),
        prove(make_endpoint(name="deep"), deep),
        prove(make_endpoint(name="flat"), {f"k{n}": "x" * 90 for n in range(3_000)}),
        moved.model_copy(update={"endpoint": make_endpoint(name="moved", path="/{ship_id}/a/b")}),
    )
    calls = json.loads(render_package(plan)["tests/recordings.json"])
    assert [call["tool"] for call in calls] == ["long", "moved"]
    assert len(calls[0]["answer"]["value"]["rows"]) == 20
    assert [call["request"]["redirected"] for call in calls] == [False, True]
