"""How a value is written on the wire: the form in which the generated client sends it."""

from __future__ import annotations

import json

from doc2tools.compiler.ir.base import JsonValue


def wire_text(value: JsonValue) -> str:
    """Write a value as the client does in a path, a query or a form."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, dict):
        return json.dumps(value, separators=(",", ":"))
    if isinstance(value, list):
        return ",".join(wire_text(item) for item in value if item is not None)
    return "" if value is None else str(value)
