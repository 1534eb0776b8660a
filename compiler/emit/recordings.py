"""`tests/recordings.json`: the proved calls of the exported tools, for the package's own tests."""

from __future__ import annotations

import base64
import json
from collections.abc import Sequence
from typing import cast
from urllib.parse import parse_qsl, unquote

from doc2tools.compiler.emit.answers import LINE_MEDIA, Answer, content_of, proof, read_answer
from doc2tools.compiler.emit.functions import below, part_entries
from doc2tools.compiler.emit.manifest import dump
from doc2tools.compiler.emit.proofs import Proved, proved_arguments, public_url, values_of
from doc2tools.compiler.ir.base import JsonValue
from doc2tools.compiler.ir.exchange import Response
from doc2tools.compiler.ir.spec import Parameter
from doc2tools.compiler.passes.splitting import split_address
from doc2tools.compiler.passes.wire import wire_text

BODY_LIMIT = 40_000
_ITEMS = (20, 5, 2, 1)
_DEPTH = 60


def recordings(proved: Sequence[Proved], base_url: str) -> bytes:
    """Write the calls; long lists in answers are shortened, and what stays too long is left out."""
    calls: list[JsonValue] = []
    for item in proved:
        exchange = proof(item.tool.outcome)
        if exchange is None or exchange.response is None:
            continue
        response = _short(exchange.response)
        if response is None or exchange.response.truncated:
            continue
        answer = read_answer(response)
        if _is_deep(answer.value):
            continue
        endpoint = item.tool.endpoint
        redirected = _is_redirected(item, base_url, exchange.request.url)
        calls.append(
            {
                "tool": item.function.name.source,
                "module": f"tools.{item.function.module}",
                "arguments": cast(
                    "JsonValue", proved_arguments(item.function, values_of(item.tool.outcome))
                ),
                "base_url": public_url(base_url or endpoint.base_url),
                "request": {
                    "method": endpoint.method.upper(),
                    "url": public_url(exchange.request.url),
                    "redirected": redirected,
                },
                "response": {
                    "status": response.status,
                    "headers": {"Content-Type": response.headers.get("content-type", "")},
                    "body": response.body,
                    "base64": response.body_base64,
                },
                "answer": _expected(item, answer),
            }
        )
    return dump(calls)


def _is_deep(value: JsonValue) -> bool:
    """Say whether a value is nested too deeply to be written and read everywhere."""
    level: list[JsonValue] = [value]
    for _ in range(_DEPTH):
        below: list[JsonValue] = []
        for item in level:
            if isinstance(item, dict):
                below.extend(item.values())
            elif isinstance(item, list):
                below.extend(item)
        if not below:
            return False
        level = below
    return True


def _expected(item: Proved, answer: Answer) -> JsonValue:
    """Give what the tool must return, where JSON can say it."""
    kind = item.function.returns.type.name
    if answer.kind == "empty" and kind not in ("str", "bytes"):
        return {"value": None}
    if answer.kind == "json" and kind not in ("str", "bytes") and _is_json(answer.value):
        return {"value": answer.value}
    return None


def _is_json(value: JsonValue) -> bool:
    try:
        json.dumps(value, allow_nan=False)
    except ValueError:
        return False
    return True


def _is_redirected(item: Proved, base_url: str, url: str) -> bool:
    """Say whether a recorded request is not the one that the tool sends first."""
    values = values_of(item.tool.outcome)
    base, template = below(item.tool.endpoint, base_url)
    entries = part_entries(item.function)
    path = split_address((base or base_url) + template.partition("?")[0]).path
    pairs: list[tuple[str, str]] = []
    for keyword in ("path", "path_slashes", "query"):
        for name, sent in entries.get(keyword, []):
            value = sent if isinstance(sent, str) else values.get(name)
            if keyword != "query":
                path = path.replace(f"{{{name}}}", wire_text(value))
            elif isinstance(value, list) and not isinstance(sent, str) and _repeats(sent[0]):
                pairs += [(name, wire_text(part)) for part in value if part is not None]
            elif value is not None:
                pairs.append((name, wire_text(value)))
    recorded = split_address(url)
    same_query = sorted(pairs) == sorted(parse_qsl(recorded.query, keep_blank_values=True))
    return unquote(path) != unquote(recorded.path) or not same_query


def _repeats(parameter: Parameter) -> bool:
    return parameter.style == "repeat" or parameter.type not in ("array", "any")


def _short(response: Response) -> Response | None:
    """Give the answer with a body of bounded size, or `None` if that cannot be."""
    if len(response.body) <= BODY_LIMIT:
        return response
    answer = read_answer(response)
    if answer.kind == "text":
        text = content_of(response).decode("utf-8", "replace")[:BODY_LIMIT]
        return response.model_copy(update={"body": text, "body_base64": False})
    if answer.kind == "bytes":
        body = base64.b64encode(content_of(response)[: BODY_LIMIT // 2]).decode()
        return response.model_copy(update={"body": body, "body_base64": True})
    body = _short_json(answer.value)
    if body is None or response.content_type.endswith(LINE_MEDIA):
        return None
    return response.model_copy(update={"body": body, "body_base64": False})


def _short_json(value: JsonValue) -> str | None:
    for items in () if _is_deep(value) else _ITEMS:
        body = json.dumps(_cut(value, items), ensure_ascii=False)
        if len(body) <= BODY_LIMIT:
            return body
    return None


def _cut(value: JsonValue, items: int) -> JsonValue:
    if isinstance(value, dict):
        return {key: _cut(item, items) for key, item in value.items()}
    if isinstance(value, list):
        return [_cut(item, items) for item in value[:items]]
    return value
