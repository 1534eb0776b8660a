"""Reads the values at an edge's field out of an answer, each with the place where it stands."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from doc2tools.compiler.ir.base import JsonValue
from doc2tools.compiler.ir.exchange import Response
from doc2tools.compiler.passes.answer_paths import EACH, WHOLE, split_path
from doc2tools.compiler.validate.answer import read_answer

__all__ = ["Held", "answer_payload", "nearest", "read_field"]

_MAX_VISITED = 20_000

Scalar = str | int | float | bool


@dataclass(frozen=True, slots=True)
class Held:
    """A value at a field, and the keys and indexes that lead to it."""

    value: Scalar
    place: tuple[str | int, ...]


@dataclass(frozen=True, slots=True)
class _Spot:
    """Where a walk stands."""

    node: JsonValue
    place: tuple[str | int, ...]


def answer_payload(response: Response | None) -> JsonValue:
    """Give the data of an answer; `None` where it has none."""
    return read_answer(response).payload if response is not None else None


def read_field(
    payload: JsonValue, path: str, limit: int = 200, *, repeated: bool = False
) -> list[Held]:
    """Give the scalars at `path`, in the answer's order.

    Args:
        payload: The answer's data.
        path: As in `Edge.field`, see `passes.answer_paths`.
        limit: Values that are read at most.
        repeated: Give a value once for each place, not once.
    """
    steps = split_path(path)
    if not steps and path != WHOLE:
        return []
    found: dict[tuple[object, ...], Held] = {}
    for held in _walk(payload, steps):
        key = held.place if repeated else (type(held.value).__name__, str(held.value))
        found.setdefault(key, held)
        if len(found) >= limit:
            break
    return list(found.values())


def _walk(payload: JsonValue, steps: Sequence[tuple[str, bool]]) -> Iterator[Held]:
    spots = [_Spot(payload, ())]
    visited = 0
    while spots and visited < _MAX_VISITED:
        visited += 1
        spot = spots.pop()
        depth = len(spot.place)
        if depth == len(steps):
            if isinstance(spot.node, str | int | float):
                yield Held(spot.node, spot.place)
            continue
        step, is_key = steps[depth]
        keys = not is_key and step != EACH
        if keys and depth == len(steps) - 1 and isinstance(spot.node, dict):
            yield from (Held(key, (*spot.place, key)) for key in spot.node)
        else:
            spots.extend(reversed(_below(spot, step, is_key=is_key)))


def _below(spot: _Spot, step: str, *, is_key: bool) -> list[_Spot]:
    node = spot.node
    if is_key:
        if isinstance(node, dict) and step in node:
            return [_Spot(node[step], (*spot.place, step))]
        return []
    if step == EACH:
        items = node if isinstance(node, list) else []
        return [_Spot(item, (*spot.place, index)) for index, item in enumerate(items)]
    pairs = node if isinstance(node, dict) else {}
    return [_Spot(item, (*spot.place, key)) for key, item in pairs.items()]


def nearest(held: Held, others: Sequence[Held]) -> Held | None:
    """Give the one of `others` that lies in the same record as `held`, or around it."""
    best: Held | None = None
    most = -1
    for other in others:
        common = 0
        for one, two in zip(held.place, other.place, strict=False):
            if one != two:
                break
            common += 1
        elsewhere = any(isinstance(step, int) for step in other.place[common:])
        if not elsewhere and common > most:
            best, most = other, common
    return best
