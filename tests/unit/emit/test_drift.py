"""Two manifests give the differences between them, and the step of the version."""

from __future__ import annotations

import json
from copy import deepcopy
from typing import Any

import pytest
from harbour_api import make_endpoint, make_plan, prove
from hypothesis import given, settings
from hypothesis import strategies as st

from doc2tools.compiler.emit.drift import Drift, Step, compare
from doc2tools.compiler.emit.package import render_package
from doc2tools.compiler.ir.outcome import Tool
from doc2tools.compiler.ir.spec import Effect, Parameter

SHIP = {"id": 7, "name": "Ada", "crew": [{"name": "Bo"}]}
SHIP_ID = Parameter(
    name="ship_id", identifier="ship_id", location="path", type="integer", required=True
)
FLAG = Parameter(
    name="flag", identifier="flag", location="query", type="string", enum=("red", "blue")
)
DEPTH = Parameter(name="depth", identifier="depth", location="query", type="integer")


def manifest(*tools: Tool) -> dict[str, Any]:
    files = render_package(make_plan(*tools))
    return json.loads(files["src/harbour/doc2tools.json"])


def ship(*parameters: Parameter, answer: object = SHIP, **changes: Any) -> Tool:  # noqa: ANN401 - any field of an endpoint
    given = parameters or (SHIP_ID, FLAG, DEPTH)
    return prove(make_endpoint(parameters=given, **changes), answer)


def drift(tool: Tool) -> Drift:
    return compare(manifest(ship()), manifest(tool))


def test_the_same_documentation_has_not_drifted() -> None:
    found = compare(manifest(ship()), manifest(ship()))
    assert found == Drift()
    assert found.step == "none"


def test_a_tool_more_is_minor_and_a_tool_less_is_major() -> None:
    one, two = manifest(ship()), manifest(ship(), ship(name="get_boat", path="/boats/{ship_id}"))
    more, less = compare(one, two), compare(two, one)
    assert (more.added, more.removed, more.step) == (("get_boat",), (), "minor")
    assert (less.added, less.removed, less.step) == ((), ("get_boat",), "major")
    assert less.reasons["get_boat"] == "the documentation describes it no more"


def alter(parameter: Parameter, **changes: Any) -> Parameter:  # noqa: ANN401 - any field
    return parameter.model_copy(update=changes)


@pytest.mark.parametrize(
    ("tool", "step", "words"),
    [
        (ship(SHIP_ID, FLAG), "major", "parameter depth is gone"),
        (ship(SHIP_ID, FLAG, DEPTH, alter(DEPTH, name="mast", identifier="mast")), "minor", "new"),
        (
            ship(
                *(SHIP_ID, FLAG, DEPTH),
                alter(DEPTH, name="mast", identifier="mast", required=True),
            ),
            "major",
            "parameter mast (required) is new",
        ),
        (ship(SHIP_ID, FLAG, alter(DEPTH, required=True)), "major", "depth is required now"),
        (ship(SHIP_ID, FLAG, alter(DEPTH, type="number")), "minor", "number, it was integer"),
        (ship(SHIP_ID, FLAG, alter(DEPTH, type="boolean")), "major", "boolean, it was integer"),
        (ship(SHIP_ID, alter(FLAG, enum=("red",)), DEPTH), "major", "does not take blue"),
        (ship(SHIP_ID, alter(FLAG, enum=("red", "blue", "x")), DEPTH), "minor", "takes x, too"),
        (ship(SHIP_ID, alter(FLAG, enum=()), DEPTH), "minor", "any value"),
        (ship(SHIP_ID, FLAG, alter(DEPTH, enum=(1, 2))), "major", "only 1, 2"),
        (ship(SHIP_ID, FLAG, alter(DEPTH, name="d")), "patch", "sent as d in query"),
        (ship(SHIP_ID, FLAG, alter(DEPTH, default=3)), "patch", "default"),
        (ship(path="/vessels/{ship_id}"), "patch", "/vessels/{ship_id}"),
        (ship(group="boats"), "major", "tools.boats"),
        (ship(summary="Get a ship by its number."), "patch", "reads otherwise"),
        (ship(deprecated=True), "minor", "deprecated"),
        (ship(effect=Effect(kind="write", reason="it says so")), "major", "changes state"),
        (ship(answer={**SHIP, "flag": "red"}), "minor", "the answer has flag"),
        (ship(answer={"id": 7, "name": "Ada"}), "major", "the answer lacks crew"),
        (ship(answer="a ship"), "major", "the answer is text, it was json"),
    ],
)
def test_each_difference_has_its_step(tool: Tool, step: Step, words: str) -> None:
    found = drift(tool)
    assert found.step == step
    (change,) = found.changed
    assert (change.name, change.step) == ("get_ship", step)
    assert any(words in one.what for one in change.differences), change.differences


def test_an_order_that_positional_calls_rely_on_is_major() -> None:
    other = alter(SHIP_ID, name="pier", identifier="pier", location="query")
    old, new = manifest(ship(SHIP_ID, other)), manifest(ship(other, SHIP_ID))
    assert compare(old, new).step == "major"


def test_new_words_of_a_parameter_are_a_patch() -> None:
    described = alter(DEPTH, description="How deep the keel goes, in metres.")
    assert drift(ship(SHIP_ID, FLAG, described)).step == "patch"


@pytest.mark.parametrize("cause", ["unreachable", "timeout", "unauthorised"])
def test_a_tool_that_was_not_answered_is_not_gone(cause: str) -> None:
    old = manifest(ship())
    new = deepcopy(old)
    new["tools"][0] |= {"exported": False, "status": "failed", "cause": cause}
    found = compare(old, new)
    assert (found.step, found.unchecked) == ("none", ("get_ship",))


def test_a_tool_that_is_proved_no_more_is_gone() -> None:
    old = manifest(ship())
    new = deepcopy(old)
    new["tools"][0] |= {
        "exported": False, "status": "failed", "cause": "missing-path", "message": "404",
    }  # fmt: skip
    found = compare(old, new)
    assert found.removed == ("get_ship",)
    assert found.reasons["get_ship"] == "missing-path: 404"


def test_an_iterator_more_is_minor_and_one_less_is_major() -> None:
    old = manifest(ship())
    new = deepcopy(old)
    new["tools"][0]["iterator"] = "iter_get_ship"
    assert (compare(old, new).step, compare(new, old).step) == ("minor", "major")


def test_another_scheme_of_credentials_is_major() -> None:
    old = manifest(ship())
    new = deepcopy(old)
    new["options"]["auth"]["type"] = "bearer"
    assert compare(old, new).step == "major"
    new = deepcopy(old)
    new["base_url"] = "http://elsewhere"
    assert compare(old, new).step == "patch"


def test_a_manifest_of_an_earlier_version_can_be_compared() -> None:
    old = manifest(ship())
    for key in ("input_schema", "output_schema", "annotations", "deprecated"):
        old["tools"][0].pop(key, None)
    assert compare(old, manifest(ship())).step == "none"


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=5),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(st.sampled_from(["name", "tools", "parameters", "enum", "x"]), inner)
    ),
    max_leaves=12,
)


@settings(deadline=None)
@given(st.dictionaries(st.sampled_from(["name", "tools", "options"]), JSON))
def test_what_is_no_manifest_is_said(value: dict[str, object]) -> None:
    try:
        found = compare(value, value)
    except ValueError as error:
        assert str(error).startswith("no manifest")
    else:
        assert found.step == "none"


def test_a_drift_can_be_written_as_json() -> None:
    found = drift(ship(SHIP_ID, FLAG)).to_json()
    assert json.loads(json.dumps(found)) == found
    assert found["step"] == "major"
