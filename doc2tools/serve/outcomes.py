"""What a call came to: a closed union."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias

from doc2tools.compiler.ir.base import JsonValue

FailureKind = Literal[
    "unknown-tool",
    "wrong-arguments",
    "busy",
    "timeout",
    "too-large",
    "api-error",
    "tool-fault",
    "cancelled",
]


@dataclass(frozen=True, slots=True)
class Answered:
    """The API answered."""

    value: JsonValue | bytes


@dataclass(frozen=True, slots=True)
class Failed:
    """It did not, or refused; `message` is for the caller."""

    kind: FailureKind
    message: str


Outcome: TypeAlias = Answered | Failed
