"""Sample answers shown with an endpoint, the fields of its answers, and its content types."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final

from doc2tools.compiler.extract.outline import Entry
from doc2tools.compiler.extract.parameters.bodies import looks_json, parse_json
from doc2tools.compiler.extract.parameters.items import read_list
from doc2tools.compiler.extract.parameters.mention import Mention
from doc2tools.compiler.extract.parameters.roles import Role, read_role
from doc2tools.compiler.extract.parameters.tables import read_table
from doc2tools.compiler.ir.base import JsonValue
from doc2tools.compiler.ir.document import (
    Code,
    DefinitionList,
    Embedded,
    Heading,
    ListBlock,
    Paragraph,
    Table,
    plain,
)
from doc2tools.compiler.ir.draft import ResponseExample
from doc2tools.compiler.ir.source import Span

_MAX_TEXT: Final = 20_000
_MAX_FIELDS: Final = 300
_STATUS_LINE: Final = re.compile(r"\s{0,200}(?:<\s)?HTTP/\d(?:\.\d)?\s+(\d{3})\b")
_STATUS: Final = re.compile(r"(?<![\d.])([1-5]\d\d)(?![\d.])")
_ARROW: Final = re.compile(r"(?m)^\s{0,20}(?:⇒|=>|->|→)\s{0,4}(?:([1-5]\d\d)\s{1,4})?(?=[{\[])")
_MEDIA: Final = re.compile(
    r"\b(?:application/(?:json|xml|[\w.+-]{2,60})|text/(?:plain|html|csv|xml|css|"
    r"event-stream)|image/[\w.+-]{2,20}|"
    r"audio/[\w.+-]{2,20}|multipart/form-data)\b"
)
_AFTER_COMMAND: Final = re.compile(r"(?m)^\s{0,40}(?=[{\[]\s{0,40}[\"\[{}\]\w]|[{\[]\s{0,4}$)")
_COMMAND: Final = re.compile(
    r"\s{0,200}(?:\$ ?|> ?)?(?:curl|http|https|wget|GET|POST|PUT|DELETE|PATCH)\b"
)
_XML: Final = re.compile(r"\s{0,200}<(?:\?xml|[A-Za-z][\w:-]{0,60}[\s>])")


@dataclass(slots=True)
class Answers:
    """What an endpoint's own text says of its answers."""

    examples: list[ResponseExample] = field(default_factory=list[ResponseExample])
    fields: dict[str, None] = field(default_factory=dict[str, None])
    media: dict[str, None] = field(default_factory=dict[str, None])


def read_answers(entries: Sequence[Entry]) -> Answers:
    """Read the sample answers and answer fields in an endpoint's own text."""
    answers = Answers()
    role: Role | None = None
    label = ""
    for entry in entries:
        block = entry.block
        if isinstance(block, Heading):
            label = plain(block.runs)
            role = read_role(label)
        elif isinstance(block, Paragraph):
            text = plain(block.runs)
            if looks_json(text) or text.startswith("<?xml"):
                _read_code(text, label, block.span, role, answers)
                continue
            if len(text) < 200:
                label = text
                announced = read_role(text, heading=len(text.split()) <= 7)
                role = announced or role
            for media in _MEDIA.findall(text[:2000]):
                answers.media.setdefault(media)
        elif isinstance(block, Code):
            _read_code(block.text, block.label or label, block.span, role, answers)
        elif isinstance(block, Embedded) and block.origin == "comment" and looks_json(block.text):
            _read_code(block.text, label, block.span, role, answers)
        elif (
            isinstance(block, Table | ListBlock | DefinitionList)
            and role is not None
            and role.kind == "response"
        ):
            _read_fields(block, role, answers)
    return answers


def field_paths(value: JsonValue) -> list[str]:
    """Give the paths of all fields of a JSON value, `data[].id` for those of a list's items."""
    found: dict[str, None] = {}
    stack: list[tuple[str, JsonValue, int]] = [("", value, 0)]
    while stack and len(found) < _MAX_FIELDS:
        path, inner, depth = stack.pop(0)
        if depth > 8:
            continue
        if isinstance(inner, dict):
            for key, child in list(inner.items())[:100]:
                name = f"{path}.{key}" if path else key
                found.setdefault(name)
                stack.append((name, child, depth + 1))
        elif isinstance(inner, list) and inner:
            stack.append((f"{path}[]", inner[0], depth + 1))
    return list(found)


def _read_code(text: str, label: str, span: Span, role: Role | None, answers: Answers) -> None:
    if role is not None and role.kind == "request" and looks_json(text):
        return
    for status, body in _bodies(text[:60_000], label, role):
        kind = (
            "application/json"
            if looks_json(body)
            else "application/xml"
            if _XML.match(body)
            else ""
        )
        answers.examples.append(
            ResponseExample(status=status, content_type=kind, text=body[:_MAX_TEXT], spans=(span,))
        )
        if status is None or status < 400:
            for path in field_paths(parse_json(body)):
                answers.fields.setdefault(path)
    for media in _MEDIA.findall(text[:5000]):
        answers.media.setdefault(media)


def _bodies(text: str, label: str, role: Role | None) -> list[tuple[int | None, str]]:
    arrows = list(_ARROW.finditer(text))
    if arrows:
        return [
            (
                int(match.group(1)) if match.group(1) else None,
                text[match.end() :].partition("\n\n")[0].strip(),
            )
            for match in arrows[:20]
        ]
    line = _STATUS_LINE.match(text)
    if line:
        body = text.partition("\n\n")[2]
        return [(int(line.group(1)), body.strip() or text.strip())]
    if not looks_json(text) and not _XML.match(text):
        if _COMMAND.match(text):
            text = _after_command(text)
        elif role is None or role.kind != "response":
            text = ""
    return [(_status(label), text.strip())] if text.strip() else []


def _after_command(text: str) -> str:
    start = _AFTER_COMMAND.search(text, text.find("\n") + 1 if "\n" in text else len(text))
    rest = text[start.start() :] if start else ""
    return rest if looks_json(rest) else ""


def _status(label: str) -> int | None:
    found = _STATUS.search(label[:120])
    return int(found.group(1)) if found else None


def _read_fields(block: Table | ListBlock | DefinitionList, role: Role, answers: Answers) -> None:
    if isinstance(block, Table):
        mentions = read_table(block, role).mentions
    else:
        mentions, share = read_list(block, "response-list", loose=True)
        mentions = mentions if share >= 0.5 else []
    _add_fields(mentions, "", answers, 0)


def _add_fields(mentions: list[Mention], prefix: str, answers: Answers, depth: int) -> None:
    for mention in mentions[:200]:
        if len(answers.fields) >= _MAX_FIELDS or depth > 6:
            return
        path = f"{prefix}{mention.name}"
        answers.fields.setdefault(path)
        _add_fields(
            mention.children, path + ("[]." if mention.type == "array" else "."), answers, depth + 1
        )
