"""Page data that a script would show: JSON in script elements and attributes."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence

from doc2tools.compiler.ir.base import JsonValue
from doc2tools.compiler.ir.document import Block, Embedded
from doc2tools.compiler.ir.source import Span
from doc2tools.compiler.load.dom import Node
from doc2tools.compiler.load.fragment import fragment_blocks
from doc2tools.compiler.load.markdown import markdown_blocks
from doc2tools.compiler.load.reading import texts

MAX_PAYLOAD = 5_000_000
MAX_RICH = 500_000
_ASSIGNED = re.compile(r"^\s*(?:window\.|var |let |const |self\.)?[\w.$]{1,60}\s*=\s*(?=[\[{])")
_HTML = re.compile(r"<(?:p|h[1-6]|pre|table|ul|ol|article|div)\b[^>]{0,500}>", re.IGNORECASE)
_MARKDOWN = re.compile(r"(?:^|\n)(?:#{1,4} |```|\|[^\n|]{1,80}\|)")


def payload_blocks(
    nodes: Sequence[Node], page: str, said: int, shown: Sequence[Block]
) -> tuple[Block, ...]:
    """Read what the page's embedded data adds to what it shows.

    An OpenAPI description inside becomes an `Embedded` block named `openapi`; rich text (HTML or
    Markdown) is read as blocks only where it is much more than the `said` characters shown.
    """
    found: list[Block] = []
    rich: list[tuple[str, int]] = []
    for node in nodes:
        for text in _sources(node):
            value = _load(text)
            if value is None:
                continue
            span = Span(page=page, start=node.line, end=max(node.line, node.end))
            for item in _walk(value):
                if isinstance(item, dict) and _is_openapi(item):
                    found.append(
                        Embedded(
                            span=span,
                            origin="script",
                            name="openapi",
                            text=_encodable(json.dumps(item, ensure_ascii=False)),
                        )
                    )
                elif isinstance(item, str) and _is_rich(item):
                    rich.append((_encodable(item), node.line))
    size = sum(len(text) for text, _ in rich)
    if rich and said < 1_500 and size > 3 * said:
        known = {"".join(text.split()) for text in texts(shown)}
        for text, line in dict(rich).items():
            blocks = _read(text, page, line)
            new = ["".join(told.split()) for told in texts(blocks)]
            if sum(len(told) for told in new if told in known) < 0.5 * sum(map(len, new)):
                known.update(new)
                found.extend(blocks)
    return tuple(found)


def _sources(node: Node) -> list[str]:
    if node.tag != "script":
        return [value for key, value in node.attributes.items() if key.startswith("data-")]
    kind = node.get("type").strip().lower()
    text = node.text_content()
    if kind.endswith("json") and kind != "application/ld+json":
        return [text]
    if kind in ("", "text/javascript", "application/javascript") and (
        start := _ASSIGNED.match(text)
    ):
        return [text[start.end() :].strip().rstrip(";")]
    return []


def _load(text: str) -> JsonValue:
    text = text.strip()
    if not 20 <= len(text) <= MAX_PAYLOAD or text[0] not in "[{":
        return None
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return None


def _encodable(text: str) -> str:
    """Replace the halves of surrogate pairs that JSON may hold alone."""
    return text.encode("utf-8", "replace").decode("utf-8")


def _walk(value: JsonValue) -> list[JsonValue]:
    """List the objects and strings in `value`, those inside an OpenAPI description left out."""
    out: list[JsonValue] = []
    stack = [value]
    while stack and len(out) < 200_000:
        item = stack.pop()
        if isinstance(item, dict):
            out.append(item)
            if not _is_openapi(item):
                stack.extend(reversed(list(item.values())))
        elif isinstance(item, list):
            stack.extend(reversed(item))
        elif isinstance(item, str):
            out.append(item)
    return out


def _is_rich(text: str) -> bool:
    """Tell whether a string is a text with headings, tables or paragraphs."""
    if not 200 <= len(text) <= MAX_RICH:
        return False
    return bool(_HTML.search(text)) or len(_MARKDOWN.findall(text[:20_000])) >= 2


def _is_openapi(value: dict[str, JsonValue]) -> bool:
    version = value.get("openapi") or value.get("swagger")
    return (
        isinstance(version, str) and bool(value.get("paths")) and isinstance(value["paths"], dict)
    )


def _read(text: str, page: str, line: int) -> tuple[Block, ...]:
    """Read rich text as HTML or Markdown, all of it on the line of the data that holds it."""
    if _HTML.search(text):
        return fragment_blocks(text, page, line)
    return markdown_blocks(text, page, line)
