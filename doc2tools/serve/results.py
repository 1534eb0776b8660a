"""Puts an outcome into the words of MCP: content for people and models, structured for programs.

Secrets are taken out before anything is cut, and what is cut says so.
"""

from __future__ import annotations

import base64
import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import cast

from mcp.types import (
    BlobResourceContents,
    CallToolResult,
    ContentBlock,
    EmbeddedResource,
    ImageContent,
    TextContent,
)
from pydantic import AnyUrl

from doc2tools.compiler.emit.mcp_tools import JsonObject, fits, wire
from doc2tools.compiler.ir.base import JsonValue
from doc2tools.sandbox.redaction import Redactor
from doc2tools.serve.outcomes import Failed, Outcome

IMAGE_BYTES = 1_000_000
IMAGES = (
    (b"\x89PNG\r\n\x1a\n", "image/png"),
    (b"\xff\xd8\xff", "image/jpeg"),
    (b"GIF8", "image/gif"),
    (b"RIFF", "image/webp"),
)
OTHER_FORM = "the answer has another form than was documented or seen before"
RECEIVED = AnyUrl("doc2tools://answer")


@dataclass(frozen=True, slots=True)
class Result:
    """What the caller gets.

    Attributes:
        outcome: `ok`, or the kind of failure.
        reply: As MCP has it.
    """

    outcome: str
    reply: CallToolResult


def render(
    outcome: Outcome,
    shape: Mapping[str, JsonValue] | None,
    redactor: Redactor,
    limit: int,
) -> Result:
    """Give the result of a call.

    Args:
        outcome: What the call came to.
        shape: What is known of the answer; `None` where only a part of it was asked for.
        redactor: Knows the secrets that no caller may see.
        limit: Bytes of the result's text.
    """
    if isinstance(outcome, Failed):
        return failure(outcome, redactor)
    value = outcome.value
    if isinstance(value, bytes):
        text = _as_text(value)
        if text is None:
            return Result("ok", _binary(redactor.data(value), shape or {}, limit))
        value = text
    return Result("ok", _text(value, shape, redactor, limit))


def failure(failed: Failed, redactor: Redactor) -> Result:
    """Give the result of a call that failed."""
    text = redactor.text(_sendable(failed.message))
    reply = CallToolResult(content=[TextContent(type="text", text=text)], isError=True)
    return Result(failed.kind, reply)


def own(value: JsonObject) -> CallToolResult:
    """Give a result of the server itself."""
    return _reply([wire(value).decode("utf-8", "replace")], value)


def _text(
    value: JsonValue, shape: Mapping[str, JsonValue] | None, redactor: Redactor, limit: int
) -> CallToolResult:
    plain = isinstance(value, str)
    written = (
        value
        if isinstance(value, str)
        else json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    )
    text = redactor.text(_sendable(written))
    whole = True
    if text != written:
        try:
            value = text if plain else cast("JsonValue", json.loads(text))
        except (ValueError, RecursionError):
            whole = False  # a secret stood where JSON has no text, such as a number
    size = len(text) if text.isascii() else len(text.encode())
    if size > limit:
        cut = text.encode()[:limit].decode(errors="ignore")
        note = (
            f"[truncated: the first {limit:,} of {size:,} bytes; "
            "ask for less, or for a part, to see the rest]"
        )
        return _reply([cut, note], {"text": cut, "note": note})
    if shape is None and whole:
        return _reply([text], {"part": value})
    shape = shape or {}
    if value is None:
        note = "the answer is empty"
        return _reply([note], {"result": None} if fits(None, shape) else {"note": note})
    encoded = "contentEncoding" in shape
    if whole and fits(value, shape) and not encoded:
        return _reply([text], {"result": value})
    note = "the answer is text" if encoded and isinstance(value, str) else OTHER_FORM
    return _reply([text], {"text": text, "note": note})


def _reply(texts: list[str], structured: JsonObject) -> CallToolResult:
    content: list[ContentBlock] = [TextContent(type="text", text=text) for text in texts]
    return CallToolResult(content=content, structuredContent=structured)


def _as_text(data: bytes) -> str | None:
    """Give bytes that are text, whatever their server calls them, as text."""
    if b"\0" in data:
        return None
    try:
        return data.decode()
    except UnicodeDecodeError:
        return None


def _binary(data: bytes, shape: Mapping[str, JsonValue], limit: int) -> CallToolResult:
    kind = next((kind for mark, kind in IMAGES if data.startswith(mark)), "")
    note = f"{kind or 'binary data'}, {len(data):,} bytes"
    blob = base64.b64encode(data).decode()
    content: list[ContentBlock] = []
    if kind and len(data) <= IMAGE_BYTES:
        content.append(ImageContent(type="image", data=blob, mimeType=kind))
    elif len(blob) <= limit:
        resource = BlobResourceContents(
            uri=RECEIVED, mimeType="application/octet-stream", blob=blob
        )
        content.append(EmbeddedResource(type="resource", resource=resource))
    else:
        note = f"[left out: {note}, more than the {limit:,} that a result may have]"
    content.append(TextContent(type="text", text=note))
    structured: JsonObject = {"note": note}
    if len(blob) <= limit and fits(blob, shape):
        structured["result"] = blob
    return CallToolResult(content=content, structuredContent=structured)


def _sendable(text: str) -> str:
    """Replace lone surrogates, which JSON can hold and UTF-8 cannot."""
    return text if text.isascii() else text.encode("utf-8", "replace").decode()
