"""Checks a call's arguments against the tool's schema; gives them as its function takes them."""

from __future__ import annotations

import base64
import binascii
import importlib
from collections.abc import Mapping
from typing import Any, TypeAlias

from doc2tools.compiler.emit.mcp_tools import JsonObject, table
from doc2tools.compiler.ir.base import JsonValue
from doc2tools.serve.catalogue import ServedTool
from doc2tools.serve.outcomes import Failed

Arguments: TypeAlias = "dict[str, JsonValue | bytes]"

MESSAGE = 1_000

# jsonschema is typed in part only.
_jsonschema: Any = importlib.import_module("jsonschema")


class Checker:
    """Checks arguments; keeps the compiled schema of each tool."""

    def __init__(self) -> None:
        """Know no schema yet."""
        self._validators: dict[str, Any] = {}

    def check(self, tool: ServedTool, arguments: Mapping[str, JsonValue]) -> Arguments | Failed:
        """Give the arguments as the tool's function takes them, or say what is wrong with them."""
        validator = self._validators.get(tool.name)
        if validator is None:
            validator = _jsonschema.Draft202012Validator(tool.input_schema)
            self._validators[tool.name] = validator
        return _checked(tool.input_schema, arguments, validator)


def check(schema: JsonObject, arguments: Mapping[str, JsonValue]) -> Arguments | Failed:
    """Check arguments against a schema."""
    return _checked(schema, arguments, _jsonschema.Draft202012Validator(schema))


def _checked(
    schema: JsonObject,
    arguments: Mapping[str, JsonValue],
    validator: Any,  # noqa: ANN401 - jsonschema's
) -> Arguments | Failed:
    needed = schema.get("required")
    required = needed if isinstance(needed, list) else []
    # Models write null for what they leave out.
    given = {k: v for k, v in arguments.items() if v is not None or k in required}
    fault = _jsonschema.exceptions.best_match(validator.iter_errors(given))
    if fault is not None:
        place = ".".join(str(part) for part in fault.absolute_path)
        message = f"{place}: {fault.message}" if place else str(fault.message)
        return Failed("wrong-arguments", message[:MESSAGE])
    checked: Arguments = {**given}
    for name, value in given.items():
        if table(table(schema, "properties"), name).get("contentEncoding") == "base64":
            try:
                checked[name] = base64.b64decode(str(value), validate=True)
            except binascii.Error:
                return Failed("wrong-arguments", f"{name}: the value is not base64")
    return checked
