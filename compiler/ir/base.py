"""Base of all IR models, and the JSON value type."""

from __future__ import annotations

from typing import Literal

from pydantic import BaseModel, ConfigDict, JsonValue

__all__ = ["Frozen", "JsonValue", "Location", "Origin", "ValueType"]

Location = Literal["path", "query", "header", "cookie", "body", "form"]
"""Where a parameter is sent. `body` is a top-level field of a JSON body, `form` a form field."""

ValueType = Literal["string", "integer", "number", "boolean", "array", "object", "file", "any"]
"""JSON Schema's types, plus `file` for an upload and `any` where the documentation is silent."""

Origin = Literal["documented", "observed", "configured", "repaired", "guessed"]
"""Where a parameter value came from; a `guessed` one never becomes an example."""


class Frozen(BaseModel):
    """An immutable IR value: hashable where its fields are, and closed to unknown fields."""

    model_config = ConfigDict(frozen=True, extra="forbid", protected_namespaces=())
