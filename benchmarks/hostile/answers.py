"""Answers that no honest server gives: broken, enormous, lying about their type, full of bait."""

# ruff: noqa: RUF005 - long tables read better in rows

from __future__ import annotations

import gzip
import json
import zlib
from dataclasses import dataclass

from benchmarks.hostile.choices import Choices, mutate
from benchmarks.hostile.documents import BAIT, PAYLOADS
from doc2tools.compiler.ir.spec import Effect, Endpoint, Parameter

TYPES = (
    ("application/json", "application/json; charset=utf-8", "text/html", "application/xml", "")
    + ("text/plain; charset=utf-16", "application/x-ndjson", "image/png", "text/html; charset=\x00")
    + ("application/problem+json", "text/csv", "; ; ;", "text/plain; charset=rot13", "A" * 2_000)
    + ("application/json; charset=utf-7", "text/plain; charset=idna", "multipart/form-data")
)
NAMES = (
    "location",
    "link",
    "content-encoding",
    "retry-after",
    "content-type",
    "www-authenticate",
) + ("x-ratelimit-remaining", "content-disposition", "allow", "set-cookie", "etag", "refresh")
KEYS = (
    ("id", "name", "error", "errors", "message", "status", "code", "data", "items", "results")
    + ("success", "ok", "detail", "href", "token", "password", "__proto__", "__class__", "class")
    + ("model_config", "model_dump", "schema", "json", "copy", "self", "_x", "", "a b", "é", "1")
)
ENDPOINT = Endpoint(
    name="get_item",
    group="items",
    method="GET",
    base_url="http://127.0.0.1:1",
    path="/items/{item_id}",
    parameters=(
        Parameter(name="item_id", identifier="item_id", location="path", required=True),
        Parameter(name="q", identifier="q", location="query", enum=("a", "b")),
    ),
    content_types=("application/json",),
    response_fields=("id", "name"),
    effect=Effect(kind="read", reason="GET"),
)


@dataclass(frozen=True, slots=True)
class AnswerCase:
    """One answer as it comes off the wire.

    Attributes:
        piece: Bytes that arrive at a time.
        controlled: The same answer comes for an address that does not exist.
    """

    endpoint: Endpoint
    status: int
    headers: dict[str, str]
    body: bytes
    url: str
    piece: int
    controlled: bool


def answer(data: bytes) -> AnswerCase:
    """Make one answer from the decisions in `data`."""
    choices = Choices(data)
    headers = {"content-type": choices.pick(TYPES)}
    for _ in range(choices.below(4)):
        name = choices.pick(NAMES)
        headers[name] = _header(choices)
    body = _body(choices)
    if choices.once_in(4):
        body = mutate(body, choices)
    match choices.below(12):
        case 0:
            headers["content-encoding"] = "gzip"
            body = gzip.compress(body, 1)
        case 1:
            headers["content-encoding"] = "deflate"
            body = zlib.compress(body, 1)
        case 2:
            headers["content-encoding"] = "gzip, gzip"
            body = gzip.compress(gzip.compress(b"\0" * 2_000_000, 1), 1)
        case 3:
            headers["content-encoding"] = choices.pick(("br", "gzip", "deflate", "zstd", "x" * 99))
            body = mutate(body, choices)
        case _:
            pass
    endpoint = ENDPOINT
    if choices.once_in(6):
        shown = choices.pick(("{", '{"id": 1}', "<a/>", *PAYLOADS))
        endpoint = ENDPOINT.model_copy(
            update={"description": shown, "content_types": (choices.pick(TYPES),)}
        )
    return AnswerCase(
        endpoint,
        choices.pick(
            (200, 200, 200, 201, 204, 206, 301, 400, 401, 404, 405, 422, 429, 500, 503, 99)
        ),
        headers,
        body,
        choices.pick(("http://127.0.0.1:1/items/7", "http://127.0.0.1:1/items/7?q=", "http://[")),
        choices.pick((65_536, 1, 7, 1_000)) if len(body) < 3_000 else 65_536,
        choices.once_in(5),
    )


def _header(choices: Choices) -> str:
    match choices.below(5):
        case 0:
            return choices.pick(PAYLOADS)
        case 1:
            return choices.pick(("<" * 500, "<http://x/y>; rel=next, " * 60, "http://[::", "/a/1"))
        case 2:
            return choices.pick(("-1", "1e9", "9" * 400, "Wed, 99 Foo 0000", "nan", "0"))
        case _:
            return choices.raw(choices.below(40)).decode("latin-1")


def _body(choices: Choices) -> bytes:  # noqa: PLR0911 - one for each kind of body
    match choices.below(10):
        case 0:
            return choices.pick(
                (b"", b" ", b"\xef\xbb\xbf", b"null", b"[]", b"{}", b"\xff\xfe\x00", b"NaN", b"-")
            )
        case 1:
            return _bomb(choices)
        case 2:
            return _xml(choices, 0).encode("utf-8", "replace")
        case 3:
            return ("<html><title>" + choices.pick((*PAYLOADS, *BAIT)) + "<h1>").encode(
                "utf-8", "replace"
            )
        case 4:
            return choices.raw(choices.below(300))
        case 5:
            lines = (json.dumps(_json(choices, 3)) for _ in range(choices.below(6)))
            return "\n".join(lines).encode()
        case 6:
            return choices.pick((*PAYLOADS, *BAIT)).encode("utf-8", "replace")
        case _:
            return json.dumps(_json(choices, 0), ensure_ascii=choices.once_in(2)).encode(
                "utf-8", "replace"
            )


def _bomb(choices: Choices) -> bytes:
    entities = "".join(f'<!ENTITY e{n} "{f"&e{n - 1};" * 10}">' for n in range(1, 12))
    size = 1 + choices.below(60_000)
    return choices.pick(
        (
            b"[" * size,
            b'{"a":' * size,
            b"[" * size + b"]" * size,
            b"<a>" * size,
            b"<a>" * size + b"</a>" * size,
            f'<!DOCTYPE a [<!ENTITY e0 "x">{entities}]><a>&e11;</a>'.encode(),
            b'<!DOCTYPE a SYSTEM "http://127.0.0.1:9/x"><a/>',
            b'<!DOCTYPE a [<!ENTITY x SYSTEM "file:///etc/passwd">]><a>&x;</a>',
            b"1" * size,
            b'{"a":1' + b"0" * size + b"}",
            b'"' + b"\\" * size,
            b"{" + b'"a":1,' * size + b'"a":1}',
            b"[" + b"0," * size + b"0]",
            b"\n" * size,
            b"{}\n" * size,
            b"<" * size,
            b"<!--" * size,
            b"<script" * (size // 8),
            b"a,b\n" * size,
            b"\x1f\x8b" * size,
            b"\\ud800" * size,
            b'"\\ud800"',
        )
    )


def _json(choices: Choices, depth: int) -> object:
    match choices.below(9):
        case 0 | 1 | 2 if depth < 6:
            return {
                choices.pick(KEYS if not choices.once_in(9) else PAYLOADS): _json(
                    choices, depth + 1
                )
                for _ in range(choices.below(7))
            }
        case 3 | 4 if depth < 6:
            item = _json(choices, depth + 1)
            return [item] * choices.pick((0, 1, 2, 30)) + [_json(choices, depth + 1)]
        case 5:
            return choices.pick(
                (0, -1, 10**30, 1.5, 1e308, True, False, float("nan"), float("inf"))
            )
        case 6:
            return None
        case 7:
            return choices.pick(PAYLOADS)
        case _:
            return choices.raw(choices.below(20)).decode("utf-8", "replace")


def _xml(choices: Choices, depth: int) -> str:
    name = choices.pick(("a", "error", "Fault", "item", "x:y", "é", "class", "1", "a b"))
    if depth > 6 or choices.once_in(4):
        return choices.pick((f"<{name}/>", "&lt;", "&nope;", "<![CDATA[", *PAYLOADS))
    inner = "".join(_xml(choices, depth + 1) for _ in range(choices.below(4)))
    return f'<{name} id="{choices.pick(PAYLOADS)}">{inner}</{name}>'
