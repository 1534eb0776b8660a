"""How MCP lists a package's tools, and what that takes of a context."""

from __future__ import annotations

from typing import Any

import pytest
from jsonschema import Draft202012Validator, ValidationError, validate

from doc2tools.compiler.emit.mcp_tools import (
    OUTPUT_BYTES,
    answer_shape,
    definition,
    exported,
    fits,
    output_schema,
    served_names,
    size,
)
from doc2tools.compiler.emit.tokens import excess, package_tokens, summary

LIGHT = {
    "type": "object",
    "properties": {
        "id": {"type": ["number", "null"]},
        "name": {"type": ["string", "null"]},
        "keepers": {
            "type": ["array", "null"],
            "items": {"type": ["object", "null"], "properties": {"born": {"type": ["number"]}}},
        },
        "anything": {},
    },
}


def entry(name: str = "get_light", **more: Any) -> dict[str, Any]:  # noqa: ANN401 - any JSON
    return {"name": name, "module": "tools.lights", "exported": True, **more}


def test_names_stay_unless_they_clash() -> None:
    tools = [("sea", "list"), ("sky", "stars"), ("sky", "list")]
    assert served_names(tools) == ["sea_list", "stars", "sky_list"]


def test_names_are_short_and_differ_whatever_clashes() -> None:
    long = "x" * 56
    tools = [
        *((f"toolkit_{number}", "list") for number in range(50)),
        *(("toolkit" * 9 + str(number), long) for number in range(50)),
        ("a", "b_c"),
        ("a_b", "c"),
        ("other", "b_c"),
        ("other", "c"),
        ("toolkit_1", "toolkit_1_list"),
        ("one", "x" * 80),
    ]
    names = served_names(tools)
    assert len(set(names)) == len(tools)
    assert all(len(name) <= 56 for name in names)


def test_another_toolkit_renames_only_what_clashes() -> None:
    before = served_names([("sea", "list"), ("sea", "tides")])
    after = served_names([("sea", "list"), ("sea", "tides"), ("sky", "list")])
    assert before == ["list", "tides"]
    assert after[1] == "tides"


@pytest.mark.parametrize(
    ("answer", "right"),
    [
        ({"id": 7, "name": "Old Mole", "keepers": [{"born": 1900}], "anything": [1]}, True),
        ({"id": None, "new": {"field": 1}}, True),
        ({}, True),
        ({"id": "7"}, False),
        ({"id": True}, False),
        ({"keepers": [{"born": "long ago"}]}, False),
        ([], False),
        (None, False),
    ],
)
def test_answers_fit_as_a_strict_client_judges(answer: object, right: bool) -> None:
    shape = answer_shape(output_schema(entry(output_schema=LIGHT)))
    assert fits(answer, shape) == right  # pyright: ignore[reportArgumentType]
    if right:
        validate(answer, shape)
    else:
        with pytest.raises(ValidationError):
            validate(answer, shape)


def test_a_large_output_schema_is_cut_in_depth() -> None:
    deep: dict[str, Any] = {"type": "string"}
    for _ in range(30):
        deep = {"type": "object", "properties": {f"field_{n}": deep for n in range(2)}}
    wide = {"type": "object", "properties": {f"field_{n}": LIGHT for n in range(300)}}
    for learned in (deep, wide):
        schema = output_schema(entry(output_schema=learned))
        Draft202012Validator.check_schema(schema)
        assert size(answer_shape(schema)) <= OUTPUT_BYTES


def test_a_definition_is_whole_for_any_manifest() -> None:
    parameters: list[Any] = [1, {"name": "id", "type": {}, "required": True}]
    strange = entry(title=None, summary=7, annotations=[], input_schema="no", parameters=parameters)
    for one in (entry(), strange):
        found = definition(one)
        schema = found["inputSchema"]
        assert isinstance(schema, dict)
        assert schema["type"] == "object"
        hints = found["annotations"]
        assert isinstance(hints, dict)
        # What is not known counts as dangerous.
        assert hints["readOnlyHint"] is False
        assert hints["destructiveHint"] is True
    entries: Any = [entry(), 7, {"exported": True}, entry(exported=False)]
    assert len(exported({"tools": entries})) == 1
    assert exported({"tools": "none"}) == []


def test_tokens_are_bytes_by_four() -> None:
    manifest: Any = {"tools": [entry(summary="é" * 400), entry("get_tide", exported=False)]}
    alone = package_tokens(manifest)
    assert alone == -(-size({"tools": [definition(entry(summary="é" * 400))]}) // 4)
    assert alone > 200
    assert excess(manifest, alone) == ""
    assert excess(manifest, 0) == ""
    assert f"{alone:,} tokens, more than the {alone - 1:,}" in excess(manifest, alone - 1)


def test_the_largest_answers_come_first() -> None:
    manifest: Any = {
        "tools": [entry(f"tool_{n}", response={"bytes": 100 * n}) for n in range(8)],
    }
    found: Any = summary(manifest)
    largest = [(one["tool"], one["tokens"]) for one in found["largest_answers"]]
    assert largest == [(f"tool_{n}", 25 * n) for n in (7, 6, 5, 4, 3)]
