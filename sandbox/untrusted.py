"""Reads what the worker says: untrusted, so every field is checked and bounded."""

from __future__ import annotations

from doc2tools.compiler.ir.base import JsonValue
from doc2tools.compiler.ir.exchange import Request, ToolError
from doc2tools.sandbox.bodies import body_text
from doc2tools.sandbox.frames import Header

MAX_RETURNED = 2_000


def read_request(header: Header, body: bytes) -> Request | None:
    """Give the request that a frame asks for, or `None` where it is malformed."""
    method, url, pairs = header.get("method"), header.get("url"), header.get("headers")
    if not isinstance(method, str) or not isinstance(url, str) or not isinstance(pairs, list):
        return None
    headers: dict[str, str] = {}
    for pair in pairs:
        match pair:
            case [str(name), str(value)]:
                headers[_valid(name)] = _valid(value)
            case _:
                return None
    text, encoded = body_text(body, {name.lower(): value for name, value in headers.items()})
    return Request(
        method=_valid(method), url=_valid(url), headers=headers, body=text, body_base64=encoded
    )


def read_returned(value: JsonValue) -> str:
    """Give what a tool says it returned."""
    return _valid(str(value or "")[:MAX_RETURNED])


def read_error(value: JsonValue) -> ToolError | None:
    """Give what a tool raised, or `None`."""
    if not isinstance(value, dict):
        return None
    return ToolError(
        kind=_valid(str(value.get("kind") or "Exception")[:100]),
        message=_valid(str(value.get("message") or "")[:2_000]),
        traceback=_valid(str(value.get("traceback") or "")[:8_000]),
    )


def read_names(value: JsonValue) -> tuple[str, ...]:
    """Give a list of short names."""
    return tuple(str(item)[:40] for item in value) if isinstance(value, list) else ()


def _valid(text: str) -> str:
    # JSON can spell lone surrogates, which are no text.
    return text if text.isascii() else text.encode("utf-8", "replace").decode()
