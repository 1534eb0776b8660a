"""Rules on whether a good-looking answer is about what was asked: degenerate or wrong records."""

from __future__ import annotations

import re
from collections.abc import Iterator

from doc2tools.compiler.ir.base import JsonValue
from doc2tools.compiler.validate.answer import walk
from doc2tools.compiler.validate.body_rules import is_envelope
from doc2tools.compiler.validate.case import Case, Judgement, Rule, error, information, scalar_text
from doc2tools.compiler.validate.places import kilometres, points_in, points_sent
from doc2tools.param_db.naming import fold, placeholders

__all__ = ["RELEVANCE_RULES"]

_FAR_KILOMETRES = 200.0
_SHAPES = (
    re.compile(r"[1-9]\d{0,17}"),
    re.compile(r"[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}"),
    re.compile(r"(?=.*\d)[0-9a-fA-F]{12,64}"),
)
_PARTIAL_KEYS = frozenset({"partial", "incomplete", "incomplete_result", "truncated", "timed_out"})
_WHOLE_KEYS = frozenset({"complete", "is_complete"})
_LENGTHS = frozenset({"distance", "length", "total_distance"})
_DURATIONS = frozenset({"duration", "time", "travel_time", "total_duration", "total_time"})


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
        if any(shown) or (not shown and _is_matrix(value)):
            message = f"Every number in `{key}` is zero: the values lead to a degenerate answer."
            evidence = f"{len(numbers)} numbers in `{key}`, all zero"
            return error(
                case, "all-zero", "abnormal-response", message, evidence, said=False, retry="later"
            )
    return None


def zero_journey(case: Case) -> Judgement | None:
    """A way between places whose length and duration are both zero: it leads nowhere."""
    if case.answer.kind != "json" or not points_sent(case.sent):
        return None
    found: dict[str, list[float]] = {}
    for key, node in walk(case.answer.payload, limit=5000):
        name = fold(key)
        if name in _LENGTHS | _DURATIONS and isinstance(node, int | float):
            found.setdefault("length" if name in _LENGTHS else "duration", []).append(float(node))
    if len(found) < 2 or any(any(numbers) for numbers in found.values()):
        return None
    message = "Length and duration of the way are zero: the values lead to a degenerate answer."
    return error(case, "zero-journey", "abnormal-response", message, said=False, retry="later")


def _is_matrix(value: JsonValue) -> bool:
    return (
        isinstance(value, list) and len(value) > 1 and all(isinstance(row, list) for row in value)
    )


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
    if case.answer.kind not in {"json", "xml"}:
        return None
    name = _identifier_of(case)
    wanted = case.sent.get(name, "")
    shape = _shape(wanted)
    if not name or shape is None:
        return None
    record = _record(case.answer.payload)
    fields = {fold(key.lstrip("@_")): key for key in reversed(record)}
    for field in _own_fields(name):
        if field not in fields:
            continue
        key = fields[field]
        value = record[key]
        found = scalar_text(value) if isinstance(value, str | int) else ""
        if not shape.fullmatch(found) or found.lower() == wanted.lower():
            return None
        message = f"The answer is another record: `{key}` is {found}, not {wanted}."
        return error(case, "wrong-record", "abnormal-response", message, said=False)
    return None


def _identifier_of(case: Case) -> str:
    """Give the parameter that names the one record asked for, or ""."""
    path = case.endpoint.path.partition("?")[0].rstrip("/")
    names = placeholders(path)
    if names and re.search(r"\}(?:\.[a-z]{2,5})?$", path):
        return names[-1]
    given = [name for name in case.sent if fold(name).rpartition("_")[2] in {"id", "uuid"}]
    return given[0] if len(given) == 1 and "{" not in path else ""


def _shape(value: str) -> re.Pattern[str] | None:
    """Give what identifiers of this kind look like: only kinds that nobody respells."""
    return next((shape for shape in _SHAPES if shape.fullmatch(value)), None)


def _own_fields(name: str) -> tuple[str, ...]:
    """Give the fields that hold a record's own identifier: `planet_id`, and `id` for it."""
    folded = fold(name)
    last = folded.rpartition("_")[2]
    if last not in {"id", "uuid", "guid"} and not folded.endswith("id"):
        return ()
    return tuple(dict.fromkeys((folded, last if last in {"id", "uuid", "guid"} else "id")))


def _record(payload: JsonValue) -> dict[str, JsonValue]:
    """Give the one record that an answer holds, out of its wrapping."""
    for _ in range(3):
        if not isinstance(payload, dict):
            return {}
        inner = [
            value
            for key, value in payload.items()
            if isinstance(value, dict) and not is_envelope(key)
        ]
        others = [
            key
            for key, value in payload.items()
            if not isinstance(value, dict) and not is_envelope(key)
        ]
        if len(inner) != 1 or others:
            return payload
        payload = inner[0]
    return payload if isinstance(payload, dict) else {}


def far_away(case: Case) -> Judgement | None:
    """Places that all lie far from every place that was asked for."""
    asked = points_sent(case.sent)
    if not asked or case.answer.kind not in {"json", "xml"}:
        return None
    found = points_in(case.answer.payload)
    if not found:
        return None
    nearest = min(
        min(kilometres(one, other), kilometres(one, (other[1], other[0])))
        for one in asked
        for other in found
    )
    if nearest <= _FAR_KILOMETRES:
        return None
    message = f"The answer is about another place: {nearest:.0f} km from what was asked for."
    return error(case, "far-away", "abnormal-response", message, said=False, retry="later")


def partial(case: Case) -> Judgement | None:
    """An answer that says itself that it is not the whole, or that was cut."""
    why = ""
    response = case.response
    if response is not None and response.truncated:
        why = "it is longer than what is read of an answer"
    elif case.answer.status == 206:
        why = "its status is 206, Partial Content"
    elif isinstance(case.answer.payload, dict):
        why = next(_confessed(case.answer.payload), "")
    if not why:
        return None
    return information(case, "partial-answer", f"a part of the answer only: {why}", tentative=True)


def _confessed(payload: dict[str, JsonValue]) -> Iterator[str]:
    for key, value in list(payload.items())[:200]:
        name = fold(key)
        if (name in _PARTIAL_KEYS and value is True) or (name in _WHOLE_KEYS and value is False):
            yield f"`{key}` is {scalar_text(value)}"


RELEVANCE_RULES: tuple[Rule, ...] = (all_zero, zero_journey, wrong_record, far_away, partial)
