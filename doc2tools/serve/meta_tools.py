"""The three tools that stand for all where these would take too much of a model's context."""

from __future__ import annotations

from collections.abc import Sequence

from doc2tools.compiler.emit.mcp_tools import JsonObject, table
from doc2tools.compiler.ir.base import JsonValue
from doc2tools.serve.catalogue import ServedTool

SEARCH, DESCRIBE, CALL = "search", "describe", "call"
NAMES = (SEARCH, DESCRIBE, CALL)

FOUND = 5
MOST_FOUND = 20

_BRIEF = 200
_TEXT: JsonObject = {"type": "string"}


def meta_tools(number: int, toolkits: Sequence[str], reads: bool) -> list[JsonObject]:
    """Give the three definitions.

    Args:
        number: How many tools they stand for.
        toolkits: Of which APIs.
        reads: Whether every one of them leaves its API as it is.
    """
    apis = ", ".join(toolkits[:20]) + (", …" if len(toolkits) > 20 else "")
    return [
        _definition(
            SEARCH,
            "Find tools",
            f"Find the tools that fit a task, among {number:,} of these APIs: {apis}. "
            "Then use describe and call.",
            arguments={
                "query": {**_TEXT, "description": "What is to be done, in plain words."},
                "limit": {"type": "integer", "minimum": 1, "maximum": MOST_FOUND, "default": FOUND},
            },
            required=["query"],
            result={"tools": {"type": "array", "items": {"type": "object"}}},
        ),
        _definition(
            DESCRIBE,
            "Describe a tool",
            "Give a tool's description and the schemas of its arguments and its answer.",
            arguments={"name": {**_TEXT, "description": "As search gave it."}},
            required=["name"],
            result={"tool": {"type": "object"}},
        ),
        _definition(
            CALL,
            "Call a tool",
            "Call a tool that search found.",
            arguments={
                "name": {**_TEXT, "description": "As search gave it."},
                "arguments": {"type": "object", "description": "As describe says."},
            },
            required=["name"],
            result={"result": {}, "part": {}, "text": _TEXT, "note": _TEXT},
            reads=reads,
        ),
    ]


def _definition(
    name: str,
    title: str,
    description: str,
    *,
    arguments: JsonObject,
    required: list[JsonValue],
    result: JsonObject,
    reads: bool = True,
) -> JsonObject:
    return {
        "name": name,
        "description": description,
        "inputSchema": {
            "type": "object",
            "properties": arguments,
            "required": required,
            "additionalProperties": False,
        },
        "outputSchema": {"type": "object", "properties": result},
        "annotations": {
            "title": title,
            "readOnlyHint": reads,
            "destructiveHint": not reads,
            "idempotentHint": reads,
        },
    }


def brief(tool: ServedTool) -> JsonObject:
    """Give what search says of a tool: its name, what it does, and its arguments' names."""
    schema = tool.input_schema
    needed = schema.get("required")
    required = needed if isinstance(needed, list) else []
    names = list(table(schema, "properties"))
    text = str(tool.definition["description"])
    found: JsonObject = {
        "name": tool.name,
        "description": text if len(text) <= _BRIEF else text[: _BRIEF - 1] + "…",
        "required": required,
    }
    if optional := [name for name in names if name not in required]:
        found["optional"] = list[JsonValue](optional)
    return found
