"""An answer as the rules look at it: decoded, its kind told by content, its payload parsed once."""

from __future__ import annotations

import base64
import binascii
import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal
from xml.parsers import expat

from doc2tools.compiler.ir.base import JsonValue
from doc2tools.compiler.ir.exchange import Response

__all__ = ["Answer", "Kind", "parse_json", "parse_xml", "read_answer", "visible_text", "walk"]

Kind = Literal["empty", "json", "json-lines", "xml", "html", "text", "binary"]

_MAX_DEPTH = 80
_MAX_NODES = 20_000
_MAX_LINES = 2_000
_HTML = re.compile(r"\s*(<!--[^>]{0,500}-->\s*)?<(!doctype\s+html|html|head|body)\b", re.IGNORECASE)
_TAG = re.compile(r"<[^<>]{0,2000}>")
_SCRIPT = re.compile(r"<(script|style)\b", re.IGNORECASE)
_SCRIPT_END = re.compile(r"</(script|style)\b", re.IGNORECASE)
_TITLE = re.compile(r"<title[^<>]{0,200}>([^<]{0,500})", re.IGNORECASE)
_HEADING = re.compile(r"<h1[^<>]{0,200}>([^<]{0,500})", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Answer:
    """One response, parsed.

    Attributes:
        media: The media type that the server states, lower case, "" if none.
        kind: What the body really is.
        text: The body as text; "" for binary.
        size: Bytes of the body.
        payload: Parsed JSON, the list of parsed lines, or XML turned into JSON.
        title: Title or first heading of an HTML page.
    """

    status: int
    media: str
    kind: Kind
    text: str
    size: int
    payload: JsonValue = None
    title: str = ""


def read_answer(response: Response) -> Answer:
    """Parse `response`; never raises, whatever the server sent."""
    media = response.content_type
    data: bytes | None = None
    text = response.body
    if response.body_base64:
        data = _decoded(response.body)
        text = _as_text(data) if data is not None else ""
        if data and not text:
            return Answer(response.status, media, "binary", "", len(data))
    size = len(data) if data is not None else len(text.encode("utf-8", "replace"))
    stripped = text.lstrip("\ufeff").strip()
    if not stripped:
        kind: Kind = "empty" if not size else "text"
        return Answer(response.status, media, kind, text, size)
    if _HTML.match(stripped[:2000]) or (media == "text/html" and stripped[:1] == "<"):
        return Answer(response.status, media, "html", stripped, size, title=_title(stripped))
    payload, kind = _structured(stripped, media)
    return Answer(response.status, media, kind, stripped, size, payload)


def _structured(text: str, media: str) -> tuple[JsonValue, Kind]:
    structured = "json" in media or "javascript" in media
    if text[0] in "{[" or structured:
        found, value = parse_json(text)
        if found:
            return value, "json"
        lines = _json_lines(text)
        if lines:
            return lines, "json-lines"
    if text[0] == "<" and ("xml" in media or text.startswith("<?xml") or not media):
        value = parse_xml(text)
        if value is not None:
            return value, "xml"
    return None, "text"


def parse_json(text: str) -> tuple[bool, JsonValue]:
    """Parse JSON; gives whether that worked, and the value."""
    try:
        return True, json.loads(text)
    except (ValueError, RecursionError):
        return False, None


def _json_lines(text: str) -> list[JsonValue]:
    values: list[JsonValue] = []
    for line in text.splitlines()[:_MAX_LINES]:
        if not line.strip():
            continue
        if line.strip()[0] not in "{[":
            return []
        found, value = parse_json(line)
        if not found:
            return []
        values.append(value)
    return values


class _RefusedXmlError(Exception):
    pass


def parse_xml(text: str) -> JsonValue:
    """Turn XML into JSON: attributes as `@name`, text as `#text`, repeated elements as lists.

    Gives `None` for text that is no XML, or that declares entities, is too deep or too large.
    """
    root: dict[str, JsonValue] = {}
    stack: list[dict[str, JsonValue]] = [root]
    texts: list[list[str]] = [[]]
    names: list[str] = []
    nodes = 0

    def start(name: str, attributes: dict[str, str]) -> None:
        nonlocal nodes
        nodes += 1
        if nodes > _MAX_NODES or len(stack) > _MAX_DEPTH:
            raise _RefusedXmlError
        stack.append({f"@{key}": value for key, value in attributes.items()})
        texts.append([])
        names.append(name.rpartition(":")[2])

    def end(_: str) -> None:
        node = stack.pop()
        content = "".join(texts.pop()).strip()
        value: JsonValue = node
        if content and not node:
            value = content
        elif content:
            node["#text"] = content
        elif not node:
            value = ""
        _append(stack[-1], names.pop(), value)

    def characters(data: str) -> None:
        texts[-1].append(data)

    def refuse(*_: object) -> int:
        raise _RefusedXmlError

    parser = expat.ParserCreate()
    parser.StartElementHandler = start
    parser.EndElementHandler = end
    parser.CharacterDataHandler = characters
    parser.EntityDeclHandler = refuse
    parser.ExternalEntityRefHandler = refuse
    try:
        parser.Parse(re.sub(r"^<\?xml[^>]{0,200}\?>", "", text).encode("utf-8", "replace"), True)
    except (expat.ExpatError, _RefusedXmlError):
        return None
    return root


def _append(node: dict[str, JsonValue], name: str, value: JsonValue) -> None:
    held = node.get(name)
    if name not in node:
        node[name] = value
    elif isinstance(held, list):
        held.append(value)
    else:
        node[name] = [held, value]


def walk(value: JsonValue, limit: int = 20_000) -> Iterator[tuple[str, JsonValue]]:
    """Yield every key and value below `value`, breadth first, at most `limit` of them.

    List elements carry the key of their list.
    """
    queue: list[tuple[str, JsonValue]] = [("", value)]
    position = 0
    while position < len(queue) and position < limit:
        key, node = queue[position]
        position += 1
        yield key, node
        if len(queue) >= limit:
            continue
        if isinstance(node, dict):
            queue.extend(node.items())
        elif isinstance(node, list):
            queue.extend((key, item) for item in node[:500])


def visible_text(answer: Answer) -> str:
    """Give a page's text without markup, scripts and styles, at most 4,000 characters of it."""
    if answer.kind != "html":
        return answer.text[:4000]
    pieces: list[str] = []
    rest = answer.text[:60_000]
    while opened := _SCRIPT.search(rest):
        pieces.append(rest[: opened.start()])
        closed = _SCRIPT_END.search(rest, opened.end())
        rest = rest[closed.start() :] if closed else ""
    pieces.append(rest)
    return " ".join(_TAG.sub(" ", "".join(pieces)).split())[:4000]


def _title(text: str) -> str:
    head = text[:20_000]
    found = _TITLE.search(head) or _HEADING.search(head)
    return " ".join(found.group(1).split()) if found else ""


def _decoded(body: str) -> bytes | None:
    try:
        return base64.b64decode(body)
    except (binascii.Error, ValueError):
        return b""


def _as_text(data: bytes) -> str:
    if b"\0" in data[:4096]:
        return ""
    try:
        return data.decode()
    except UnicodeDecodeError:
        return ""
