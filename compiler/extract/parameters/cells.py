"""Reads one cell of a parameter table, by what its column is about."""

# ruff: noqa: RUF001 - the typographic marks and letters are what documentation holds

from __future__ import annotations

from typing import Final, Literal

from doc2tools.compiler.extract.parameters.mention import Mention
from doc2tools.compiler.extract.parameters.phrases import (
    read_enum,
    read_required,
    read_statement,
)
from doc2tools.compiler.extract.parameters.types import read_type
from doc2tools.compiler.extract.parameters.values import is_nothing, unquote
from doc2tools.compiler.extract.parameters.vocabulary import word_set, words
from doc2tools.compiler.ir.base import Location

Column = Literal[
    "name", "type", "required", "default", "description", "example", "location", "values", "foreign"
]
YES: Final = word_set(
    """yes y true required mandatory x ✓ ✔ ✅ ● • ☑ 1 * ja oui si sí sim да tak 是 必填 必须
    必須 必选 ○ はい 예 필수 o always m"""
)
NO: Final = word_set(
    """no n false optional - – — ✗ ✘ ❌ ✕ × 0 nein non não nao нет nie 否 可选 可選 选填 任意
    いいえ 아니오 선택 opt never facultatif opcional"""
)
LOCATIONS: Final[dict[str, Location]] = {
    "path": "path", "query": "query", "url": "query", "querystring": "query", "header": "header",
    "headers": "header", "body": "body", "json": "body", "form": "form", "formdata": "form",
    "cookie": "cookie", "uri": "path", "get": "query", "payload": "body", "route": "path",
    "requestbody": "body", "querystringparameter": "query", "urlpath": "path",
}  # fmt: skip


def take_cell(mention: Mention, column: Column, text: str) -> None:
    """Take over what a cell (marked text) of a `column` says about the row's parameter."""
    bare = text.replace("`", "").strip()
    if column == "type":
        lowered = bare.lower()
        if lowered in LOCATIONS and lowered not in {"json"}:
            mention.location = mention.location or LOCATIONS[lowered]
            return
        mention.take_type(read_type(bare))
        mention.take_statement(read_statement(text))
    elif column == "location":
        found = [word for word in words(bare) if word in LOCATIONS]
        if found:
            mention.location = LOCATIONS[found[0]]
    elif column == "required":
        _take_required(mention, bare)
    elif column == "default":
        if not is_nothing(bare):
            mention.default = mention.default or unquote(bare)
            if mention.required is None:
                mention.required, mention.reason = False, "the page gives a default"
    elif column == "example":
        if not is_nothing(bare) and len(bare) <= 200:
            mention.examples += (unquote(bare),)
    elif column == "values":
        _take_values(mention, text, bare)
    elif column == "description":
        mention.take_text(text)


def _take_required(mention: Mention, bare: str) -> None:
    lowered = bare.lower().strip(" .()")
    mention.marked = True
    if lowered in YES:
        mention.required = True
    elif lowered in NO or not lowered:
        mention.required = False
    else:
        required, conditional, _ = read_required(bare)
        first = (words(bare) or [""])[0]
        if required is None and first in YES | NO:
            required = first in YES
        mention.required = required
        if conditional or required is None:
            mention.required = bool(required)
            mention.reason = f"the page says {bare[:60]!r}"


def _take_values(mention: Mention, text: str, bare: str) -> None:
    if is_nothing(bare):
        return
    statement = read_statement(text)
    typing = read_type(bare.split("(", maxsplit=1)[0])
    mention.take_statement(statement)
    if typing.pure and typing.type:
        mention.take_type(typing)
    elif not statement.enum:
        enum = read_enum(text)
        if enum:
            mention.enum = mention.enum or enum
        elif not statement.examples and len(bare) <= 80 and " " not in bare and "{" not in bare:
            mention.examples += (unquote(bare),)
