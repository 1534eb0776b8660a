"""One place of a page that speaks of one parameter, before all places are merged."""

# ruff: noqa: RUF001 - the typographic marks and letters are what documentation holds

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Final

from doc2tools.compiler.extract.parameters.naming import Name
from doc2tools.compiler.extract.parameters.phrases import Statement, read_statement
from doc2tools.compiler.extract.parameters.types import Typing, read_type
from doc2tools.compiler.extract.parameters.values import is_nothing, unquote
from doc2tools.compiler.ir.base import JsonValue, Location, ValueType
from doc2tools.compiler.ir.source import Span

LISTED: Final = 0.9
"""Confidence of a row or an item of a parameter list."""
SHOWN: Final = 0.8
"""Confidence of a part of the documented path or query."""
TOLD: Final = 0.6
"""Confidence of a name in running text."""
SEEN: Final = 0.5
"""Confidence of a name that only a sample holds."""


@dataclass(slots=True)
class Mention:
    """What one place says about one parameter.

    Attributes:
        rule: The rule that read it.
        confidence: How much the place proves that there is such a parameter.
        reason: Why a fact is assumed that no line states.
        marked: `required` was said by a word or a mark of its own, not concluded.
        default: The text of the default; "" where none is stated.
        contradiction: The place says both required and optional.
        starred: A star stands beside the name.
        literals: Sample values that already have their JSON type.
    """

    name: str
    span: Span
    rule: str
    confidence: float = LISTED
    location: Location | None = None
    type: ValueType | None = None
    item_type: ValueType | None = None
    format: str = ""
    required: bool | None = None
    reason: str = ""
    marked: bool = False
    contradiction: bool = False
    default: str = ""
    enum: tuple[str, ...] = ()
    minimum: float | None = None
    maximum: float | None = None
    examples: tuple[str, ...] = ()
    literals: tuple[JsonValue, ...] = ()
    description: str = ""
    deprecated: bool = False
    placeholder: bool = False
    starred: bool = False
    children: list[Mention] = field(default_factory=list["Mention"])

    def take_name(self, name: Name) -> None:
        """Take over what the spelling of the name says."""
        self.placeholder = self.placeholder or name.placeholder
        if name.required is not None:
            self.required, self.marked = name.required, True
            self.starred = name.required
        if name.header:
            self.location = "header"
        self.take_value(name.value.strip())

    def take_value(self, value: str) -> None:
        """Take over what stands after `name=`: a placeholder, choices or a sample value."""
        if not value or value in {"…", "..."}:
            return
        inner = _placeholder(value)
        if inner is not None:
            self.take_type(read_type(inner))
            return
        typing = read_type(value)
        if typing.enum:
            self.take_type(typing)
        elif not value.endswith(("…", "...")):
            self.examples += (unquote(value),)

    def take_type(self, typing: Typing) -> None:
        """Take over a stated type where none is known yet."""
        if typing.type is not None and self.type is None:
            self.type, self.item_type = typing.type, typing.item_type
            self.format = self.format or typing.format
        if typing.enum and not self.enum:
            self.enum = typing.enum

    def take_statement(self, statement: Statement) -> None:
        """Take over what running text says, where nothing clearer is known."""
        if self.required is None and statement.required is not None:
            self.required = statement.required
            self.marked = self.marked or statement.marked
            if statement.conditional:
                self.reason = "required under a condition only"
        self.contradiction = self.contradiction or statement.contradiction
        self.default = self.default or statement.default
        self.enum = self.enum or tuple(map(self._value, statement.enum))
        self.format = self.format or statement.format
        self.minimum = statement.minimum if self.minimum is None else self.minimum
        self.maximum = statement.maximum if self.maximum is None else self.maximum
        self.examples += tuple(
            value for value in map(self._value, statement.examples) if value not in self.examples
        )
        self.deprecated = self.deprecated or statement.deprecated

    def _value(self, text: str) -> str:
        """Give a value without the name that may stand before it: `sort=asc`."""
        return text.lstrip("?&").removeprefix(f"{self.name}=") if "=" in text else text

    def take_text(self, text: str) -> None:
        """Take over a description (marked text) and all it says."""
        if is_nothing(text):
            return
        self.take_statement(read_statement(text))
        if not self.enum:
            shown = re.findall(rf"`[?&]?{re.escape(self.name)}=([^`&\s]{{1,60}})`", text)
            values = tuple(v for v in dict.fromkeys(shown) if v[0] not in "{<[:$")
            self.enum = values if len(values) >= 2 else ()
            self.examples += values if len(values) == 1 else ()
        plain = text.replace("`", "").strip(" -–—:.")
        if plain and len(plain) > len(self.description):
            self.description = plain[:1000]


def _placeholder(value: str) -> str | None:
    if len(value) > 2 and (value[0], value[-1]) in {("<", ">"), ("{", "}"), ("[", "]"), ("(", ")")}:
        return value[1:-1]
    if value.startswith((":", "$")) and value[1:].isidentifier():
        return value[1:]
    return None
