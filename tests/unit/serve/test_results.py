"""Outcomes in the words of MCP: nothing secret or endless, nothing a strict client refuses."""

from __future__ import annotations

import base64
import json
from typing import Any

import pytest
from mcp.types import BlobResourceContents, EmbeddedResource, ImageContent, TextContent

from doc2tools.sandbox.redaction import Redactor
from doc2tools.serve.outcomes import Answered, Failed
from doc2tools.serve.results import render

SECRET = "4815162342"  # noqa: S105 - of this test
NUMBERS: Any = {"type": "object", "properties": {"code": {"type": "number"}}}


def reply(value: Any, shape: Any = None, limit: int = 1_000) -> tuple[str, dict[str, Any]]:  # noqa: ANN401
    result = render(Answered(value), shape or {}, Redactor([SECRET]), limit).reply
    assert result.structuredContent is not None
    json.loads(result.model_dump_json())
    texts = [part.text for part in result.content if isinstance(part, TextContent)]
    return "\n".join(texts), result.structuredContent


@pytest.mark.parametrize(
    "value",
    [
        f"the token is {SECRET}",
        {"code": SECRET},
        {"code": int(SECRET)},
        {SECRET: [1, {"deep": f"x{SECRET}x"}]},
        {"basic": base64.b64encode(f"user:{SECRET}".encode()).decode()},
        {"hex": SECRET.encode().hex()},
    ],
)
def test_secrets_are_taken_out_in_every_form(value: object) -> None:
    text, structured = reply(value, NUMBERS)
    shown = text + json.dumps(structured)
    for form in (SECRET, base64.b64encode(SECRET.encode()).decode()[:8], SECRET.encode().hex()):
        assert form not in shown
    assert "***" in shown


def test_a_secret_at_the_cut_is_not_shown_in_part() -> None:
    text, structured = reply("x" * 995 + SECRET + "y" * 500)
    assert SECRET[:4] not in text
    assert "truncated: the first 1,000 of" in text
    assert "truncated" in structured["note"]


def test_cutting_keeps_characters_whole() -> None:
    text, _ = reply("é" * 1_000, limit=1_001)
    assert text.startswith("é" * 500 + "\n[truncated: the first 1,001 of 2,000 bytes")


def test_what_does_not_fit_is_text_with_a_note() -> None:
    assert reply({"code": 7}, NUMBERS)[1] == {"result": {"code": 7}}
    structured = reply({"code": "seven"}, NUMBERS)[1]
    assert structured["text"] == '{"code":"seven"}'
    assert "another form" in structured["note"]
    assert reply(None, NUMBERS)[1] == {"note": "the answer is empty"}
    assert reply(None)[1] == {"result": None}


def test_a_part_needs_no_form() -> None:
    result = render(Answered([1, 2]), None, Redactor(), 1_000).reply
    assert result.structuredContent == {"part": [1, 2]}


def test_lone_surrogates_can_be_sent() -> None:
    text, structured = reply({"text": "\ud800"})
    assert "?" in text
    assert structured == {"result": {"text": "?"}}


def test_images_and_other_bytes() -> None:
    picture = b"\x89PNG\r\n\x1a\n" + b"\0" * 2_000
    result = render(Answered(picture), {}, Redactor(), 1_000).reply
    assert isinstance(result.content[0], ImageContent)
    assert base64.b64decode(result.content[0].data) == picture
    result = render(Answered(b"\xff\x02"), {}, Redactor(), 1_000).reply
    assert isinstance(result.content[0], EmbeddedResource)
    assert isinstance(result.content[0].resource, BlobResourceContents)
    text, structured = reply(b"\xff" * 5_000)
    assert "left out: binary data, 5,000 bytes" in text
    assert set(structured) == {"note"}


def test_bytes_that_are_text_are_shown_as_text() -> None:
    encoded = {"type": "string", "contentEncoding": "base64"}
    assert reply(b"object Host", {"type": "string"}) == ("object Host", {"result": "object Host"})
    text, structured = reply("Mole é".encode(), encoded)
    assert text == "Mole é"
    assert structured["text"] == "Mole é"
    assert reply(b"\xff\x01", encoded)[1]["result"] == "/wE="


def test_failures_are_errors_without_secrets() -> None:
    result = render(Failed("api-error", f"401 for {SECRET}"), {}, Redactor([SECRET]), 1_000)
    assert result.reply.isError
    assert SECRET not in result.reply.model_dump_json()
