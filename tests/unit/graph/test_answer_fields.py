"""Fields that a response schema describes."""

from __future__ import annotations

from doc2tools.compiler.extract.openapi import draft_openapi
from doc2tools.compiler.ir.draft import AnswerField
from doc2tools.compiler.load.source import Source


def fields(schema: str, components: str = "{}") -> dict[str, AnswerField]:
    """Read the answer fields of one operation."""
    text = (
        '{"openapi": "3.0.0", "info": {"title": "t"}, "paths": {"/a": {"get": {"responses": '
        '{"200": {"content": {"application/json": {"schema": ' + schema + "}}}}}}},"
        '"components": {"schemas": ' + components + "}}"
    )
    page = draft_openapi(Source(name="a.json", data=text.encode(), media="openapi"))
    return {one.path: one for one in page.endpoints[0].answer_fields}


def test_types_descriptions_and_owners_are_kept() -> None:
    found = fields(
        '{"type": "array", "items": {"$ref": "#/components/schemas/Ship"}}',
        '{"Ship": {"properties": {"id": {"type": "integer", "description": "Its number"}, '
        '"port": {"properties": {"code": {"type": "string"}}}}}}',
    )
    assert found["[].id"] == AnswerField(
        path="[].id", type="integer", description="Its number", owners=("Ship",)
    )
    assert found["[].port.code"].owners == ()
    assert set(found) == {"[].id", "[].port.code"}


def test_all_branches_of_an_answer_are_read() -> None:
    found = fields(
        '{"oneOf": [{"$ref": "#/components/schemas/A"}, {"$ref": "#/components/schemas/B"}]}',
        '{"A": {"properties": {"id": {"type": "string"}, "x": {"type": "string"}}}, '
        '"B": {"properties": {"id": {"type": "string"}, "y": {"type": "string"}}}}',
    )
    assert set(found) == {"id", "x", "y"}
    assert found["id"].owners == ("A", "B")


def test_schemas_that_hold_themselves_end() -> None:
    found = fields(
        '{"$ref": "#/components/schemas/N"}',
        '{"N": {"properties": {"id": {"type": "string"}, '
        '"kids": {"type": "array", "items": {"$ref": "#/components/schemas/N"}}}}}',
    )
    assert "id" in found
    assert len(found) < 20


def test_maps_give_their_keys_and_records() -> None:
    found = fields(
        '{"type": "object", "additionalProperties": {"properties": {"up": {"type": "boolean"}}}}'
    )
    assert set(found) == {"*", "*.up"}
