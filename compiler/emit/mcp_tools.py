"""A package's tools as an MCP server lists them: from the manifest to tool definitions.

Pure: what `doc2tools serve` lists and what a compile counts as its tokens is the same JSON.
"""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import TypeAlias

from doc2tools.compiler.ir.base import JsonValue

JsonObject: TypeAlias = dict[str, JsonValue]

NAME_LIMIT = 56
DESCRIPTION_LIMIT = 1_000
OUTPUT_BYTES = 1_200
"""Bytes of an output schema; what lies deeper in the answer is left open."""

FIELDS: JsonObject = {
    "type": "string",
    "description": "JMESPath expression: gives only this part of the answer.",
}

_DEPTHS = (4, 3, 2, 1, 0)
_TYPES: dict[str, tuple[type, ...]] = {
    "null": (type(None),),
    "boolean": (bool,),
    "integer": (int,),
    "number": (int, float),
    "string": (str,),
    "array": (list,),
    "object": (dict,),
}


def exported(manifest: Mapping[str, JsonValue]) -> list[JsonObject]:
    """Give the manifest's entries of the tools that the package holds, in its order."""
    found = manifest.get("tools")
    entries = found if isinstance(found, list) else []
    return [
        entry
        for entry in entries
        if isinstance(entry, dict)
        and entry.get("exported") is True
        and isinstance(entry.get("name"), str)
        and isinstance(entry.get("module"), str)
    ]


def table(value: Mapping[str, JsonValue], key: str) -> JsonObject:
    """Give the object at `key`; an empty one where there is none."""
    inner = value.get(key)
    return inner if isinstance(inner, dict) else {}


def definition(entry: Mapping[str, JsonValue], name: str = "") -> JsonObject:
    """Give one tool as the MCP specification (2025-06-18, server/tools) defines it.

    Args:
        entry: The tool's entry in the manifest.
        name: What to call it; by default as the package does.
    """
    return {
        "name": name or str(entry["name"]),
        "description": description(entry),
        "inputSchema": input_schema(entry),
        "outputSchema": output_schema(entry),
        "annotations": hints(entry),
    }


def description(entry: Mapping[str, JsonValue]) -> str:
    """Give what the tool does, as documented, in at most `DESCRIPTION_LIMIT` characters."""
    parts = [_text(entry, "summary") or _text(entry, "title")]
    if entry.get("deprecated") is True:
        parts.insert(0, "Deprecated.")
    request = f"({_text(entry, 'method')} {_text(entry, 'url')})"
    text = " ".join(part for part in parts if part) or request
    return text if len(text) <= DESCRIPTION_LIMIT else text[: DESCRIPTION_LIMIT - 1] + "…"


def hints(entry: Mapping[str, JsonValue]) -> JsonObject:
    """Give the hints on what a call does, and a title for people."""
    stated = table(entry, "annotations")
    title = _text(entry, "title") or _text(entry, "name").replace("_", " ").capitalize()
    return {
        "title": title[:100],
        "readOnlyHint": stated.get("readOnlyHint") is True,
        "destructiveHint": stated.get("destructiveHint") is not False,
        "idempotentHint": stated.get("idempotentHint") is True,
    }


def input_schema(entry: Mapping[str, JsonValue]) -> JsonObject:
    """Give the schema of the arguments; a manifest without one has it made of its parameters."""
    given = table(entry, "input_schema")
    fields = fields_argument(entry)
    if given.get("type") == "object":
        properties = table(given, "properties")
        if not fields or fields in properties:
            return given
        return {**given, "properties": {**properties, fields: FIELDS}}
    properties = {}
    needed: list[JsonValue] = []
    parameters = entry.get("parameters")
    for item in parameters if isinstance(parameters, list) else []:
        if not isinstance(item, dict):
            continue
        name = str(item.get("identifier") or item.get("name"))
        kind = item.get("type")
        properties[name] = {"type": kind} if isinstance(kind, str) and kind in _TYPES else {}
        if item.get("required") is True:
            needed.append(name)
    return {
        "type": "object",
        "properties": properties,
        "required": needed,
        "additionalProperties": False,
    }


def fields_argument(entry: Mapping[str, JsonValue]) -> str:
    """Give the argument that takes only a part of the answer; "" where the tool has none."""
    name = entry.get("fields_argument")
    return name if isinstance(name, str) else ""


def output_schema(entry: Mapping[str, JsonValue]) -> JsonObject:
    """Give the schema of a structured result.

    `result` is the answer where it fits what was learned from the proved one, and `part` what was
    taken of it; else `text` is the answer as text, and `note` says why. So every answer, a
    truncated one too, fits the schema.
    """
    learned = table(entry, "output_schema")
    for depth in _DEPTHS:
        shape = _pruned(learned, depth)
        if size(shape) <= OUTPUT_BYTES:
            break
    else:
        shape = {}
    text: JsonObject = {"type": "string"}
    properties: JsonObject = {"result": shape, "text": text, "note": text}
    if fields_argument(entry):
        properties["part"] = {}
    return {"type": "object", "properties": properties}


def answer_shape(schema: Mapping[str, JsonValue]) -> JsonObject:
    """Give the part of an output schema that describes the answer itself."""
    return table(table(schema, "properties"), "result")


def _pruned(schema: Mapping[str, JsonValue], depth: int) -> JsonObject:
    """Keep type, fields and items down to `depth`; of a field a call may always lack the value."""
    value: JsonObject = {}
    kind = schema.get("type")
    if isinstance(kind, str | list):
        value["type"] = kind
    if schema.get("contentEncoding") == "base64":
        value["contentEncoding"] = "base64"
    inner = schema.get("items")
    if isinstance(inner, dict) and depth > 0 and (items := _pruned(inner, depth - 1)):
        value["items"] = items
    fields = schema.get("properties")
    if isinstance(fields, dict) and depth > 0:
        value["properties"] = {
            name: _pruned(field, depth - 1) if isinstance(field, dict) else {}
            for name, field in fields.items()
        }
    others = schema.get("additionalProperties")
    if isinstance(others, dict) and depth > 0 and (rest := _pruned(others, depth - 1)):
        value["additionalProperties"] = rest
    return value


def fits(value: JsonValue, schema: Mapping[str, JsonValue]) -> bool:
    """Say whether an answer fits a schema as `output_schema` writes them."""
    kind = schema.get("type")
    if kind is not None:
        kinds = kind if isinstance(kind, list) else [kind]
        if not any(_is(value, str(one)) for one in kinds):
            return False
    if isinstance(value, list):
        items = schema.get("items")
        return not isinstance(items, dict) or all(fits(item, items) for item in value)
    if isinstance(value, dict):
        known = table(schema, "properties")
        others = schema.get("additionalProperties")
        for name, item in value.items():
            inner = known.get(name, others)
            if isinstance(inner, dict) and not fits(item, inner):
                return False
    return True


def _is(value: JsonValue, kind: str) -> bool:
    if isinstance(value, bool):
        return kind == "boolean"
    return isinstance(value, _TYPES.get(kind, ()))


def served_names(tools: Sequence[tuple[str, str]]) -> list[str]:
    """Give every tool a name of at most 56 characters that no other has.

    A tool keeps its own name unless two toolkits have one of that name: then each gets its
    toolkit's name before it. So another toolkit never renames a tool that it does not clash with.

    Args:
        tools: Toolkit and tool of each, no pair twice.
    """
    uses = Counter(tool for _, tool in tools)
    taken = {tool for tool, number in uses.items() if number == 1 and len(tool) <= NAME_LIMIT}
    names: list[str] = []
    for toolkit, tool in tools:
        if tool in taken:
            names.append(tool)
            continue
        name = f"{toolkit}_{tool}"
        if len(name) > NAME_LIMIT or name in taken:
            mark = hashlib.sha256(f"{toolkit}/{tool}".encode()).hexdigest()[:8]
            name = f"{name[: NAME_LIMIT - 9]}_{mark}"
        taken.add(name)
        names.append(name)
    return names


def size(value: JsonValue) -> int:
    """Give the bytes of a value as JSON on the wire."""
    return len(wire(value))


def wire(value: JsonValue) -> bytes:
    """Write JSON as an MCP server sends it: no white space, UTF-8."""
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    return text.encode("utf-8", "surrogatepass")


def _text(entry: Mapping[str, JsonValue], key: str) -> str:
    value = entry.get(key)
    return " ".join(value.split()) if isinstance(value, str) else ""
