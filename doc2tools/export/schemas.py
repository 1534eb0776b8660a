"""Tool definitions as the model providers' APIs take them: from a manifest to JSON.

Anthropic: Messages API, `tools`. OpenAI: Chat Completions and Responses, function tools.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import TypeAlias, cast

from doc2tools.compiler.emit.mcp_tools import description, exported, input_schema
from doc2tools.compiler.ir.base import JsonValue

__all__ = ["anthropic_tools", "openai_responses_tools", "openai_tools", "strict_schema"]

JsonObject: TypeAlias = dict[str, JsonValue]


def anthropic_tools(
    manifest: Mapping[str, JsonValue], names: Collection[str] = ()
) -> list[JsonObject]:
    """Give the `tools` of a Messages API request.

    Args:
        manifest: The toolkit's manifest.
        names: Only these tools; none means all that the package holds.
    """
    return [
        {
            "name": _name(entry),
            "description": description(entry),
            "input_schema": input_schema(entry),
        }
        for entry in _entries(manifest, names)
    ]


def openai_tools(
    manifest: Mapping[str, JsonValue], names: Collection[str] = (), *, strict: bool = False
) -> list[JsonObject]:
    """Give the `tools` of a Chat Completions request.

    Args:
        manifest: The toolkit's manifest.
        names: Only these tools; none means all that the package holds.
        strict: Write schemas for strict mode where a tool allows it; see `strict_schema`.
    """
    return [
        {"type": "function", "function": _function(entry, strict=strict)}
        for entry in _entries(manifest, names)
    ]


def openai_responses_tools(
    manifest: Mapping[str, JsonValue], names: Collection[str] = (), *, strict: bool = False
) -> list[JsonObject]:
    """Give the `tools` of a Responses API request; arguments as `openai_tools` has them."""
    return [
        {"type": "function", **_function(entry, strict=strict)}
        for entry in _entries(manifest, names)
    ]


def strict_schema(schema: Mapping[str, JsonValue]) -> JsonObject | None:
    """Give a schema for strict mode, or None where it can't say what the tool takes.

    Strict mode wants every property required and objects closed, so an optional property may be
    null; the tools do not send what is null. An object of any fields has no strict schema.
    """
    kind = schema.get("type")
    if kind is None and "enum" not in schema and "anyOf" not in schema:
        return None
    value: JsonObject = {
        key: item for key, item in schema.items() if key in {"type", "enum", "description"}
    }
    if "anyOf" in schema:
        choices = [
            strict_schema(choice) if isinstance(choice, dict) else None
            for choice in cast("Sequence[JsonValue]", schema["anyOf"])
        ]
        if any(choice is None for choice in choices):
            return None
        value["anyOf"] = cast("list[JsonValue]", choices)
    if kind == "array":
        items = schema.get("items")
        inner = strict_schema(items) if isinstance(items, dict) else None
        if inner is None:
            return None
        value["items"] = inner
    if kind == "object":
        properties = schema.get("properties")
        if not isinstance(properties, dict) or schema.get("additionalProperties") is not False:
            return None
        needed = cast("list[JsonValue]", schema.get("required", []))
        closed: JsonObject = {}
        for name, field in properties.items():
            inner = strict_schema(field) if isinstance(field, dict) else None
            if inner is None:
                return None
            closed[name] = inner if name in needed else _nullable(inner)
        value |= {"properties": closed, "required": list(closed), "additionalProperties": False}
    return value


def _nullable(schema: JsonObject) -> JsonObject:
    kind = schema.get("type")
    if "anyOf" in schema:
        choices = cast("list[JsonValue]", schema["anyOf"])
        return {**schema, "anyOf": [*choices, {"type": "null"}]}
    if isinstance(kind, str):
        schema = {**schema, "type": [kind, "null"]}
    elif isinstance(kind, list) and "null" not in kind:
        schema = {**schema, "type": [*kind, "null"]}
    choices = schema.get("enum")
    if isinstance(choices, list) and None not in choices:
        schema = {**schema, "enum": [*choices, None]}
    return schema


def _function(entry: JsonObject, *, strict: bool) -> JsonObject:
    schema = input_schema(entry)
    closed = strict_schema(schema) if strict else None
    return {
        "name": _name(entry),
        "description": description(entry),
        "parameters": closed or schema,
        "strict": closed is not None,
    }


def _entries(manifest: Mapping[str, JsonValue], names: Collection[str]) -> list[JsonObject]:
    return [entry for entry in exported(manifest) if not names or _name(entry) in names]


def _name(entry: Mapping[str, JsonValue]) -> str:
    return str(entry["name"])
