"""Recorded answers read as the generated client reads them."""

from __future__ import annotations

import base64
import binascii
import json
from dataclasses import dataclass
from typing import Literal, cast

from doc2tools.compiler.ir.base import JsonValue
from doc2tools.compiler.ir.exchange import Exchange, Response
from doc2tools.compiler.ir.outcome import Outcome, Validated

LINE_MEDIA = ("ndjson", "jsonl", "jsonlines", "stream+json")
TEXT_MEDIA = ("xml", "javascript", "yaml", "x-www-form-urlencoded")


@dataclass(frozen=True, slots=True)
class Answer:
    """An answer's kind, and its value where it is JSON."""

    kind: Literal["json", "text", "bytes", "empty"]
    value: JsonValue = None


def proof(outcome: Outcome) -> Exchange | None:
    """Give the exchange that validated a tool, if one did and it was kept."""
    if isinstance(outcome, Validated):
        exchange = outcome.attempt.exchange
        if exchange is not None and exchange.response is not None:
            return exchange
    return None


def content_of(response: Response) -> bytes:
    """Give the body's bytes."""
    if response.body_base64:
        try:
            return base64.b64decode(response.body)
        except (binascii.Error, ValueError):
            return b""
    return response.body.encode("utf-8", "surrogatepass")


def read_answer(response: Response) -> Answer:
    """Read an answer by the rules of the client's template."""
    content = content_of(response)
    if not content.strip():
        return Answer("empty")
    media = response.content_type
    is_text = not media or media.startswith("text/") or media.endswith(TEXT_MEDIA)
    head = content.lstrip(b"\xef\xbb\xbf \t\r\n")[:1]
    if media.endswith(("json", "jsonl", "jsonlines")) or (is_text and head in (b"{", b"[")):
        text = content.decode("utf-8", "replace").removeprefix("\ufeff")
        return _read_json(text, media, is_text)
    return Answer("text" if is_text and b"\0" not in content else "bytes")


def _read_json(text: str, media: str, is_text: bool) -> Answer:
    readers = [_json_document, _json_lines]
    if media.endswith(LINE_MEDIA):
        readers = [_json_lines]
    for reader in readers:
        try:
            return Answer("json", reader(text))
        except (ValueError, RecursionError):
            continue
    return Answer("text" if is_text else "json", text)


def _json_document(text: str) -> JsonValue:
    return cast("JsonValue", json.loads(text))


def _json_lines(text: str) -> JsonValue:
    return [cast("JsonValue", json.loads(line)) for line in text.splitlines() if line.strip()]
