"""Rules on whether a good-looking answer is about what was asked: degenerate or wrong records."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator

from doc2tools.compiler.ir.base import JsonValue
from doc2tools.compiler.validate.answer import walk
from doc2tools.compiler.validate.body_rules import is_envelope
from doc2tools.compiler.validate.case import Case, Judgement, Rule, error, scalar_text
from doc2tools.param_db.naming import fold, placeholders

__all__ = ["RELEVANCE_RULES", "points_in", "points_sent"]

Point = tuple[float, float]

_PAIR = re.compile(r"(-?\d{1,3}\.\d{2,15})\s{0,2},\s{0,2}(-?\d{1,3}\.\d{2,15})")
_FAR_KILOMETRES = 200.0
_LATITUDES = ("lat", "latitude")
_LONGITUDES = ("lon", "lng", "long", "longitude")


def all_zero(case: Case) -> Judgement | None:
    """A result in which every number is zero, where the documentation shows others."""
    payload = case.answer.payload
    if not case.parametrised or not isinstance(payload, dict):
        return None
    for key, value in payload.items():
        if is_envelope(key) or not isinstance(value, dict | list):
            continue
        numbers = list(_numbers(value))
        if len(numbers) < 2 or any(numbers) or _texts(value):
            continue
        shown = [number for example in _members(case, key) for number in _numbers(example)]
        if (shown and any(shown)) or (not shown and isinstance(value, list) and len(numbers) > 2):
            message = f"Every number in `{key}` is zero: the values lead to a degenerate answer."
            evidence = f"{len(numbers)} numbers in `{key}`, all zero"
            return error(case, "all-zero", "abnormal-response", message, evidence, said=False)
    return None


def _members(case: Case, key: str) -> Iterator[JsonValue]:
    for example in case.promises.examples:
        if isinstance(example, dict) and key in example:
            yield example[key]


def _numbers(value: JsonValue) -> Iterator[float]:
    for _, node in walk(value, limit=3000):
        if isinstance(node, int | float) and not isinstance(node, bool):
            yield float(node)


def _texts(value: JsonValue) -> bool:
    """Tell whether a result names things: then zeros in it may well be true."""
    named = 0
    for key, node in walk(value, limit=3000):
        if isinstance(node, str) and len(node) > 1 and not key.lower().endswith(_TEXT_NOISE):
            named += 1
    return named > 1


_TEXT_NOISE = ("_name", "type", "geometry", "mode", "profile", "unit", "units", "summary", "hint")


def wrong_record(case: Case) -> Judgement | None:
    """A record with another identifier than the one that was asked for."""
    payload = case.answer.payload
    names = placeholders(case.endpoint.path)
    if case.answer.kind != "json" or not names or not case.endpoint.path.endswith("}"):
        return None
    wanted = case.sent.get(names[-1], "")
    record = payload
    if isinstance(payload, dict) and len(payload) == 1:
        record = next(iter(payload.values()))
    if not isinstance(record, dict) or not re.fullmatch(r"[1-9]\d{0,17}", wanted):
        return None
    for key, value in record.items():
        same = fold(key) == fold(names[-1])
        found = scalar_text(value) if isinstance(value, str | int) else ""
        if same and re.fullmatch(r"[1-9]\d{0,17}", found) and found != wanted:
            message = f"The answer is another record: `{key}` is {found}, not {wanted}."
            return error(case, "wrong-record", "abnormal-response", message, said=False)
    return None


def far_away(case: Case) -> Judgement | None:
    """Places that all lie far from every place that was asked for."""
    asked = points_sent(case.sent)
    if not asked or case.answer.kind not in {"json", "xml"}:
        return None
    found = points_in(case.answer.payload)
    if not found:
        return None
    nearest = min(
        min(_kilometres(one, other), _kilometres(one, (other[1], other[0])))
        for one in asked
        for other in found
    )
    if nearest <= _FAR_KILOMETRES:
        return None
    message = f"The answer is about another place: {nearest:.0f} km from what was asked for."
    return error(case, "far-away", "abnormal-response", message, said=False)


def points_sent(sent: dict[str, str]) -> list[Point]:
    """Give the coordinate pairs among the arguments, as they are written."""
    points = [
        (float(first), float(second))
        for value in sent.values()
        for first, second in _PAIR.findall(value[:2000])[:20]
    ]
    folded = {fold(name): value for name, value in sent.items()}
    latitude = next((folded[name] for name in _LATITUDES if name in folded), "")
    longitude = next((folded[name] for name in _LONGITUDES if name in folded), "")
    if _is_degree(latitude) and _is_degree(longitude):
        points.append((float(longitude), float(latitude)))
    return [point for point in points if _is_point(point)]


def points_in(payload: JsonValue) -> list[Point]:
    """Give the coordinate pairs in an answer, as `[x, y]` or as `lat` and `lon` fields."""
    points: list[Point] = []
    for key, node in walk(payload, limit=5000):
        if isinstance(node, list) and len(node) == 2:
            first, second = node
            geographic = key.lower() in {"location", "coordinates", "center", "point", "position"}
            if isinstance(first, float) and isinstance(second, float) and geographic:
                points.append((first, second))
        elif isinstance(node, dict):
            folded = {fold(name): value for name, value in node.items()}
            latitude = next((folded[name] for name in _LATITUDES if name in folded), None)
            longitude = next((folded[name] for name in _LONGITUDES if name in folded), None)
            if _is_degree(latitude) and _is_degree(longitude):
                points.append((float(str(longitude)), float(str(latitude))))
        if len(points) >= 50:
            break
    return [point for point in points if _is_point(point)]


def _is_degree(value: JsonValue) -> bool:
    return re.fullmatch(r"-?\d{1,3}(\.\d{1,15})?", scalar_text(value) if value else "") is not None


def _is_point(point: Point) -> bool:
    return abs(point[0]) <= 180 and abs(point[1]) <= 180 and point != (0.0, 0.0)


def _kilometres(one: Point, other: Point) -> float:
    """Distance on the sphere (haversine), both points as longitude, latitude in degrees."""
    first, second = math.radians(one[1]), math.radians(other[1])
    turn = math.radians(other[0] - one[0])
    half = (
        math.sin((second - first) / 2) ** 2
        + math.cos(first) * math.cos(second) * math.sin(turn / 2) ** 2
    )
    return 12742.0 * math.asin(math.sqrt(min(1.0, max(0.0, half))))


RELEVANCE_RULES: tuple[Rule, ...] = (all_zero, wrong_record, far_away)
