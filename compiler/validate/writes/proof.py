"""What answers say about our object: its identifier, and whether an answer shows it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from urllib.parse import unquote, urlsplit

from doc2tools.compiler.ir.base import JsonValue
from doc2tools.compiler.ir.exchange import Exchange
from doc2tools.compiler.validate.answer import Answer, read_answer, walk
from doc2tools.compiler.validate.writes.model import OWN
from doc2tools.param_db.naming import fold

__all__ = ["GONE", "Named", "answer_of", "is_good", "known_ids", "named", "named_in_list", "shows"]

GONE = frozenset({404, 410})
_HANDLES = ("id", "uuid", "guid", "identifier", "key", "slug", "number", "code", "handle", "name")
_LOCATION_LIMIT = 2000


@dataclass(frozen=True, slots=True)
class Named:
    """What identifiers an answer gives our object: none, one, or several that disagree."""

    identifiers: tuple[str, ...] = ()


def answer_of(exchange: Exchange | None) -> Answer:
    """Parse an exchange's answer; status 0 where none came."""
    if exchange is None or exchange.response is None:
        return Answer(0, "", "empty", "", 0)
    return read_answer(exchange.response)


def is_good(exchange: Exchange | None) -> bool:
    """Tell whether the status says that the call worked."""
    return 200 <= answer_of(exchange).status < 300


def shows(exchange: Exchange | None, text: str, *, any_step: bool = False) -> bool:
    """Tell whether a good answer holds a value that is `text`, or begins and goes on with it.

    Args:
        exchange: The read.
        text: Our object's name.
        any_step: The name that it has after any of its changes will do.
    """
    answer = answer_of(exchange)
    if not 200 <= answer.status < 300:
        return False
    if answer.payload is None:
        return _holds(answer.text, text, any_step)
    return any(
        _holds(node, text, any_step) for _, node in walk(answer.payload) if isinstance(node, str)
    )


def _holds(value: str, text: str, any_step: bool) -> bool:
    end = r"(?:-\d{1,2})?(?![\w-])" if any_step else r"(?![\w-])"
    return bool(re.search(r"(?<![\w-])" + re.escape(text) + end, value[:200_000]))


def named(exchanges: Sequence[Exchange], item_url: str, key: str, marker: str) -> Named:
    """Give the identifiers that the answer to a create names: Location and body.

    Args:
        exchanges: The create's exchanges, redirects included.
        item_url: Address of one object, with `OWN` for the identifier; "" if unknown.
        key: The path parameter that takes the identifier.
        marker: Our object's name.
    """
    found: list[str] = []
    for exchange in exchanges:
        location = exchange.response.headers.get("location", "") if exchange.response else ""
        identifier = _from_location(location[:_LOCATION_LIMIT], item_url)
        if identifier:
            found.append(identifier)
    last = answer_of(exchanges[-1] if exchanges else None)
    if 200 <= last.status < 300:
        record = _record(last.payload, key, marker)
        if record:
            found.append(record)
    return Named(tuple(dict.fromkeys(found)))


def _from_location(location: str, item_url: str) -> str:
    if not location or OWN not in item_url:
        return ""
    try:
        path = urlsplit(location).path
    except ValueError:
        return ""
    before, _, after = urlsplit(item_url.replace(OWN, "\x00")).path.partition("\x00")
    if not path.startswith(before) and not location.startswith(("/", "http")):
        return ""
    rest = path.rpartition(before)[2] if before in path else ""
    rest = rest.removesuffix(after) if after else rest.rstrip("/")
    return unquote(rest) if rest and "/" not in rest else ""


def _record(payload: JsonValue, key: str, marker: str) -> str:
    """Find our object in the answer to its creation: where our name is, else on top."""
    if isinstance(payload, str | int) and not isinstance(payload, bool):
        return str(payload)
    records = [record for _, record in walk(payload, 2000) if isinstance(record, dict)]
    ours = [record for record in records if marker in record.values()]
    for record in (*ours[:1], *records[:2]):
        identifier = _id_of(record, key)
        if identifier:
            return identifier
    return ""


def _id_of(record: dict[str, JsonValue], key: str) -> str:
    folded: dict[str, JsonValue] = {}
    for name, value in record.items():
        folded.setdefault(fold(name), value)
    own = fold(key)
    for name in (own, own.rpartition("_")[2], *_HANDLES):
        value = folded.get(name)
        if isinstance(value, str | int) and not isinstance(value, bool) and value != "":
            return str(value)
    return ""


def _records(payload: JsonValue) -> Iterator[tuple[str, dict[str, JsonValue]]]:
    """Yield every object of an answer with the key under which it hangs."""
    for name, node in walk(payload):
        if isinstance(node, dict):
            yield name, node


def named_in_list(exchange: Exchange | None, key: str, marker: str) -> tuple[str, ...]:
    """Give the identifiers of the objects in a list that carry exactly our name."""
    payload = answer_of(exchange).payload
    found: list[str] = []
    for name, record in _records(payload):
        if marker in record.values():
            found.append(_id_of(record, key) or name)
    if not found and isinstance(payload, list) and marker in payload:
        found.append(marker)
    return tuple(dict.fromkeys(found))


def known_ids(exchange: Exchange | None, key: str) -> frozenset[str]:
    """Give the identifiers of all objects in a list."""
    payload = answer_of(exchange).payload
    found = {_id_of(record, key) for _, record in _records(payload)}
    if isinstance(payload, dict):
        found.update(name for name, value in payload.items() if isinstance(value, dict))
    if isinstance(payload, list):
        found.update(str(item) for item in payload if isinstance(item, str | int))
    return frozenset(found - {""})
