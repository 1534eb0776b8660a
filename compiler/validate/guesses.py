"""Values guessed from a parameter's name, type and format, where nothing better is known.

Two kinds: neutral ones, for which no object needs to exist (a count, a language, the last hour),
and weak ones (any text, the first number), tried only once nothing else is left to try.
"""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta

from doc2tools.compiler.ir.base import JsonValue
from doc2tools.compiler.ir.spec import Endpoint, Parameter
from doc2tools.compiler.validate.described import extensions
from doc2tools.compiler.validate.filters import takes_command
from doc2tools.compiler.validate.places import is_latitude, is_longitude, sample_pairs
from doc2tools.compiler.validate.promises import status_parameter
from doc2tools.compiler.validate.times import bounds, now_of, written
from doc2tools.param_db.naming import fold, path_noun, resource_before, singular_phrase, words
from doc2tools.param_db.privacy import is_secret_name
from doc2tools.param_db.values import Values

__all__ = ["SEARCHES", "is_identifier", "neutral", "weak"]

_COUNTS = frozenset(
    {
        *("limit", "count", "size", "page", "per_page", "page_size", "pagesize", "max", "top"),
        *("length", "number", "n", "rows", "amount", "quantity", "num", "max_results", "first"),
        *("numbyte", "second", "delay", "duration", "depth", "hour", "last", "take", "results"),
        *("page_number", "pageno", "max_item", "batch_size", "minute", "level"),
    }
)
_OFFSETS = frozenset({"offset", "skip", "start_index", "startindex", "from_index", "cursor_offset"})
_PIXELS = frozenset({"width", "height", "w", "h"})
_WELL_KNOWN: dict[str, tuple[JsonValue, ...]] = {
    "lang": ("en",),
    "language": ("en",),
    "locale": ("en",),
    "hl": ("en",),
    "language_code": ("en",),
    "unit": ("metric",),
    "timezone": ("UTC",),
    "time_zone": ("UTC",),
    "tz": ("UTC",),
    "order": ("asc",),
    "sort_order": ("asc",),
    "direction": ("asc",),
    "country_code": ("us",),
    "currency": ("USD",),
    "base_currency": ("USD",),
    "encoding": ("utf-8",),
    "bbox": ("-180,-90,180,90",),
    "zoom": (13,),
    "z": (13,),
    "step": ("60", "1m"),
    "interval": ("60", "1m"),
    "resolution": ("60", "1m"),
    "window": ("1h", "3600"),
    "granularity": ("day", "60"),
    "qop": ("auth",),
    "algorithm": ("MD5", "sha256"),
    "hash_algorithm": ("sha256", "md5"),
}
_FORMAT_NAMES = frozenset({"ext", "extension", "format", "fmt", "output_format", "suffix"})
_FORMATS: dict[str, tuple[str, ...]] = {
    "graph": ("svg", "png", "dot"),
    "diagram": ("svg", "png", "dot"),
    "chart": ("svg", "png", "json"),
    "image": ("png", "jpg", "svg"),
    "photo": ("jpg", "png", "webp"),
    "picture": ("jpg", "png", "webp"),
    "thumbnail": ("jpg", "png", "webp"),
    "icon": ("png", "svg", "ico"),
    "tile": ("png", "mvt", "pbf"),
    "feed": ("xml", "rss", "atom"),
    "calendar": ("ics", "json", "xml"),
}
_ANY_FORMAT = ("json", "xml", "csv")
_WEAK: dict[str, tuple[JsonValue, ...]] = {
    "country": ("US", "germany"),
    "city": ("London",),
    "location": ("London",),
    "region": ("europe",),
    "color": ("ff0000", "red"),
    "colour": ("ff0000", "red"),
    "hex": ("ff0000",),
    "ip": ("127.0.0.1",),
    "ip_address": ("127.0.0.1",),
    "domain": ("localhost", "example.com"),
    "host": ("localhost",),
    "hostname": ("localhost",),
    "port": (80,),
    "mime_type": ("text/plain",),
    "zip": ("90210",),
    "zip_code": ("90210",),
    "postcode": ("10115",),
    "postal_code": ("90210",),
    "isbn": ("9780140328721",),
    "first_name": ("anna",),
    "firstname": ("anna",),
    "expression": ("1+1",),
    "expr": ("1",),
    "version": ("latest", "1"),
}
_SPOKEN: tuple[tuple[re.Pattern[str], tuple[JsonValue, ...]], ...] = tuple(
    (re.compile(pattern, re.IGNORECASE), values)
    for pattern, values in (
        (r"\bcurrenc(?:y|ies)\b|\bISO[ -]?4217\b", ("EUR", "USD")),
        (r"\blanguage code\b|\bISO[ -]?639\b|\bBCP[ -]?47\b", ("en",)),
        (r"\bcountry code\b|\bISO[ -]?3166\b", ("DE", "US")),
        (r"\btime ?zone\b", ("UTC",)),
        (r"\bIP(?:v4)? address\b", ("127.0.0.1",)),
        (r"\bregular expression\b|\bregex\b", (".*",)),
    )
)
"""What a description speaks of, and values of that kind."""
_FREE_TEXT_LIST = """
    text string str word phrase sentence message msg content input data value anything any term
    keyword query q search etag title label comment note search_term search_query prefix pattern
    needle body payload caption subject topic name
"""
_FREE_TEXT = frozenset(_FREE_TEXT_LIST.split())
SEARCHES = frozenset(
    {
        *("q", "query", "search", "term", "keyword", "text", "search_term", "search_query"),
        *("querystring", "query_string", "searchterm", "searchquery"),
    }
)
"""Parameters that take words to look for."""
_SEARCHED = ("a", "the", "test")
_ANY_TEXT = frozenset({"anything", "any", "text", "string", "word", "phrase", "message"})
"""What takes any text, also where `/anything` alone is an endpoint."""
_IDENTIFIER_LIST = "id uuid guid key slug hash sha token ref digest checksum fingerprint serial"
_IDENTIFIERS = frozenset(_IDENTIFIER_LIST.split())
_TEXT = "test"
_ENCODED = {"base64": "dGVzdA==", "base32": "ORSXG5A=", "hex": "74657374", "binary": "01110100"}


def is_identifier(parameter: Parameter) -> bool:
    """Tell whether a parameter names one certain object by a text that nobody can guess."""
    return bool(set(words(parameter.name)) & _IDENTIFIERS) or parameter.format == "uuid"


def neutral(parameter: Parameter, endpoint: Endpoint, values: Values) -> tuple[JsonValue, ...]:
    """Guess where no object needs to exist: a status, a flag, a count, a format, a moment."""
    name = fold(parameter.name)
    kind = parameter.type
    if is_secret_name(parameter.name) or kind in {"file", "object"}:
        return ()
    if parameter.name == status_parameter(endpoint) or kind == "boolean":
        return (200,) if kind != "boolean" else (False,)
    number = _number(name, parameter) if kind != "array" else None
    moment = _moment(parameter, values) if number is None else number
    if moment is not None:
        return (moment,)
    if name in _FORMAT_NAMES:
        return tuple(dict.fromkeys([*extensions(endpoint), *_formats(parameter, endpoint)]))
    return _of_type(_WELL_KNOWN.get(name, ()), parameter)


def weak(parameter: Parameter, endpoint: Endpoint, *, listed: bool) -> tuple[JsonValue, ...]:
    """Guess where an object may have to exist, from the name alone; identifiers only as 1.

    Args:
        parameter: Without any better value.
        endpoint: Its endpoint.
        listed: Another endpoint lists what the parameter names, so that any text is no guess.
    """
    name = fold(parameter.name)
    if is_secret_name(parameter.name) or takes_command(parameter):
        return ()
    if is_latitude(parameter) or is_longitude(parameter):
        return (48.8566 if is_latitude(parameter) else 2.3522,)
    known = sample_pairs(parameter) or _of_type(_WEAK.get(name, ()), parameter)
    spoken = (held for speaks, held in _SPOKEN if speaks.search(parameter.description[:300]))
    known = known or _of_type(next(spoken, ()), parameter)
    if not known and parameter.type in {"integer", "number"}:
        known = (_least(parameter),)
    if name in _ANY_TEXT:
        listed = False
    if known or listed or is_identifier(parameter) or parameter.type not in {"string", "any"}:
        return known
    return _text(parameter, endpoint, name)


def _text(parameter: Parameter, endpoint: Endpoint, name: str) -> tuple[JsonValue, ...]:
    noun = resource_before(endpoint.path, parameter.name)[0] if parameter.location == "path" else ""
    about = set(words(f"{endpoint.path} {endpoint.summary} {parameter.description[:300]}"))
    coded = [code for encoding, code in _ENCODED.items() if encoding in about]
    last = name.rpartition("_")[2]
    free = name in _FREE_TEXT or last in _FREE_TEXT or singular_phrase(noun) == name
    if parameter.location == "path" and last == "name" and noun and noun != name:
        free = False  # `/users/{name}`: some user's
    # In a query any text is refused with a message that may say what is allowed.
    free = free or parameter.location != "path"
    if name in SEARCHES and (parameter.location != "path" or "search" in about):
        return _SEARCHED
    if not free or parameter.format in {"date", "date-time", "uri", "url", "uuid"}:
        return ()
    return (*coded, _TEXT)


def _number(name: str, parameter: Parameter) -> int | None:
    if name in _OFFSETS:
        return int(max(0, parameter.minimum or 0))
    if name in _PIXELS:
        return 100
    return _least(parameter) if name in _COUNTS else None


def _least(parameter: Parameter) -> int:
    low = parameter.minimum if parameter.minimum is not None else 1
    return int(max(1, min(low, 2**53)))


def _of_type(known: tuple[JsonValue, ...], parameter: Parameter) -> tuple[JsonValue, ...]:
    if parameter.type not in {"integer", "number"}:
        return known
    return tuple(int(text) for text in map(str, known) if text.isdigit())


def _formats(parameter: Parameter, endpoint: Endpoint) -> tuple[str, ...]:
    """Give the usual formats of what the endpoint gives: of a graph other ones than of data."""
    head = endpoint.path.partition("{" + parameter.name + "}")[0].rstrip("./")
    noun = singular_phrase(fold(head.rpartition("/")[2])) or path_noun(endpoint.path)
    last = noun.rpartition("_")[2]
    return _FORMATS.get(last, _ANY_FORMAT)


def _moment(parameter: Parameter, values: Values) -> JsonValue:
    """Give the bound of the last hour, or today, by the server's clock, as the parameter wants."""
    bound = bounds(parameter)
    clock = now_of(values)
    if bound is None or clock is None:
        return None
    moment = datetime.fromtimestamp(clock, UTC)
    if bound == "start":
        moment -= timedelta(hours=1)
    return written(moment, parameter)
