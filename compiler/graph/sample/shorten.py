"""Outputs of a bounded size: long lists lose what no later step uses."""

from __future__ import annotations

import json
from collections.abc import Sequence

from doc2tools.compiler.ir.base import JsonValue
from doc2tools.compiler.ir.exchange import Response

__all__ = ["shortened"]

_MAX_CHARACTERS = 12_000
_MAX_TEXT = 2_000
_KEPT = (20, 8, 3, 1)
_MAX_DEPTH = 40

Place = tuple[str | int, ...]


def shortened(payload: JsonValue, response: Response, used: Sequence[Place]) -> JsonValue:
    """Give an answer as a task shows it.

    Args:
        payload: Its data; `None` for text or bytes.
        response: Its text.
        used: Places whose values are used later: they stay.
    """
    if payload is None:
        body = "" if response.body_base64 else response.body
        return body[:_MAX_TEXT] or f"{response.content_type or 'binary'} data"
    for kept in _KEPT:
        cut = _cut(payload, kept, used, 0)
        if len(json.dumps(cut, ensure_ascii=False)) <= _MAX_CHARACTERS:
            return cut
    return _cut(payload, 1, used, 0)


def _cut(node: JsonValue, kept: int, used: Sequence[Place], depth: int) -> JsonValue:
    if depth > _MAX_DEPTH:
        return None
    if isinstance(node, dict):
        wanted = {place[depth] for place in used if len(place) > depth}
        room = kept * 10
        keys = [key for number, key in enumerate(node) if number < room or key in wanted]
        return {key: _cut(node[key], kept, _along(used, depth, key), depth + 1) for key in keys}
    if isinstance(node, list):
        wanted = {place[depth] for place in used if len(place) > depth}
        held = [n for n in range(len(node)) if n < kept or n in wanted]
        return [_cut(node[n], kept, _along(used, depth, n), depth + 1) for n in held]
    if isinstance(node, str) and len(node) > _MAX_TEXT:
        return f"{node[:_MAX_TEXT]}…"
    return node


def _along(used: Sequence[Place], depth: int, step: str | int) -> list[Place]:
    return [place for place in used if len(place) > depth and place[depth] == step]
