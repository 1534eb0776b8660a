"""Coordinates: places that a server itself answered with, and values made from them.

A documented sample often lies outside the data of the server at hand. What the server answers then
still says where its data lies.
"""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from urllib.parse import unquote

from doc2tools.compiler.ir.base import JsonValue, Origin
from doc2tools.compiler.ir.exchange import Exchange
from doc2tools.compiler.ir.spec import Endpoint, Parameter
from doc2tools.compiler.validate.answer import read_answer, walk
from doc2tools.param_db.naming import fold
from doc2tools.param_db.values import Value

__all__ = [
    "PAIR",
    "PLACE",
    "is_latitude",
    "is_longitude",
    "kilometres",
    "latitude_first",
    "moved",
    "places",
    "points_in",
    "points_sent",
    "sample_pairs",
    "tile_numbers",
]

Point = tuple[float, float]

PLACE = "@place"
"""The resource under which places are stored: no path segment folds to it."""

PAIR = re.compile(r"(-?\d{1,3}\.\d{2,15})\s{0,2},\s{0,2}(-?\d{1,3}\.\d{2,15})")
_DEGREE = r"(-?\d{1,3}(?:\.\d{1,15})?)"
_WHOLE_PAIR = re.compile(rf"(?<![\d.]){_DEGREE}\s{{0,2}},\s{{0,2}}{_DEGREE}(?![\d.])")
_LATITUDES = ("lat", "latitude")
_LONGITUDES = ("lon", "lng", "long", "longitude")
_POINT_KEYS = frozenset({"location", "coordinates", "center", "point", "position"})
_MAX_PLACES = 10
_FEW_PLACES = 4
_STEP_DEGREES = 0.002
_APART = 0.004
_SAMPLE = ((2.3522, 48.8566), (2.3376, 48.8606))
"""Two places in a city, longitude first: where a server without bounds surely has data."""
_PAIR_NAMES = frozenset(
    {
        *("coordinate", "coord", "latlng", "latlon", "lat_lng", "lat_lon", "lonlat", "lnglat"),
        *("lon_lat", "lng_lat", "ll", "point", "location", "position", "waypoint", "center"),
        *("origin", "destination", "geolocation", "near", "proximity"),
    }
)
_LATITUDE_WORD = re.compile(r"\blat(?:itude)?\b", re.IGNORECASE)
_LONGITUDE_WORD = re.compile(r"\bl(?:on|ng|ongitude)\b", re.IGNORECASE)


def points_sent(sent: dict[str, str]) -> list[Point]:
    """Give the coordinate pairs among the arguments, as they are written."""
    points = [
        (float(first), float(second))
        for name, value in sent.items()
        for first, second in _pattern(name).findall(value[:2000])[:20]
    ]
    folded = {fold(name): value for name, value in sent.items()}
    latitude = next((folded[name] for name in _LATITUDES if name in folded), "")
    longitude = next((folded[name] for name in _LONGITUDES if name in folded), "")
    if _is_degree(latitude) and _is_degree(longitude):
        points.append((float(longitude), float(latitude)))
    return [point for point in points if _is_point(point)]


def _pattern(name: str) -> re.Pattern[str]:
    """Give what a pair looks like: a parameter named for one may send whole degrees."""
    return _WHOLE_PAIR if fold(name) in _PAIR_NAMES else PAIR


def points_in(payload: JsonValue) -> list[Point]:
    """Give the coordinate pairs in an answer, as `[x, y]` or as `lat` and `lon` fields."""
    points: list[Point] = []
    for key, node in walk(payload, limit=5000):
        if isinstance(node, list) and len(node) == 2 and key.lower() in _POINT_KEYS:
            first, second = node
            if isinstance(first, float) and isinstance(second, float):
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


def places(endpoint: Endpoint, exchange: Exchange) -> list[Value]:
    """Give the distinct places that an answer holds, as values `x,y`.

    Where they are few and lie far from what was asked for, they are the edge of the server's data:
    places beyond the edge, seen from what was asked for, are added as repaired ones.
    """
    if exchange.response is None:
        return []
    answer = read_answer(exchange.response)
    points = list(dict.fromkeys(points_in(answer.payload))) if answer.payload is not None else []
    if not points:
        return []
    url = unquote(exchange.request.url)
    asked = points_sent({"url": url})
    beyond = _beyond(asked[0], points[0]) if asked and len(points) < _FEW_PLACES else []
    found = [_place(endpoint, url, point, "observed", "places in the answer") for point in points]
    found += [_place(endpoint, url, point, "repaired", "beyond its places") for point in beyond]
    return found[:_MAX_PLACES]


def is_latitude(parameter: Parameter) -> bool:
    """Tell whether a parameter takes a latitude alone."""
    return fold(parameter.name) in _LATITUDES


def is_longitude(parameter: Parameter) -> bool:
    """Tell whether a parameter takes a longitude alone."""
    return fold(parameter.name) in _LONGITUDES


def sample_pairs(parameter: Parameter) -> tuple[str, ...]:
    """Give what a parameter for coordinates may look like: two pairs, then one; else nothing.

    The order of a pair and what separates pairs are taken from the description and the name.
    """
    name = fold(parameter.name)
    text = parameter.description[:500]
    spoken = bool(_LATITUDE_WORD.search(text) and _LONGITUDE_WORD.search(text))
    if parameter.type not in {"string", "any", "array"} or name in (*_LATITUDES, *_LONGITUDES):
        return ()
    plain = name in {"coordinate", "coord"} or "lat" in name or "lng" in name or name == "ll"
    if name not in _PAIR_NAMES or not (spoken or plain):
        return ()
    swapped = latitude_first(parameter)
    pairs = [f"{y},{x}" if swapped else f"{x},{y}" for x, y in _SAMPLE]
    separator = "|" if "|" in text else ";"
    several = parameter.name.lower().endswith("s") or separator in text
    return (separator.join(pairs), pairs[0]) if several else (pairs[0],)


def latitude_first(parameter: Parameter) -> bool:
    """Tell whether a parameter for coordinates takes them as latitude, longitude."""
    text = parameter.description[:500]
    latitude, longitude = _LATITUDE_WORD.search(text), _LONGITUDE_WORD.search(text)
    if latitude is not None and longitude is not None:
        return latitude.start() < longitude.start()
    name = fold(parameter.name)
    return name.startswith("lat") or name == "ll"


def _place(endpoint: Endpoint, url: str, point: Point, origin: Origin, how: str) -> Value:
    return Value(
        name="place",
        value=f"{point[0]:.6f},{point[1]:.6f}",
        resource=PLACE,
        origin=origin,
        endpoint=endpoint.name,
        field_path=how,
        record=f"{endpoint.name} {url}",
    )


def _beyond(asked: Point, edge: Point) -> list[Point]:
    east, north = edge[0] - asked[0], edge[1] - asked[1]
    length = math.hypot(east, north)
    if length < 1.0:
        return []
    steps = (_STEP_DEGREES * number for number in range(1, _FEW_PLACES + 1))
    return [(edge[0] + east / length * step, edge[1] + north / length * step) for step in steps]


def moved(text: str, known: Sequence[Value], *, swapped: bool = False) -> tuple[str, ...]:
    """Give `text` with its coordinate pairs replaced by known places, if there are enough of them.

    After the whole text comes its first pair alone, for a call that takes one place. Places are
    written longitude first, unless `swapped`.
    """
    text = text[:2000]
    pairs = list(PAIR.finditer(text))
    distinct = list(dict.fromkeys(str(value.value) for value in known))
    if swapped:
        distinct = [",".join(reversed(place.split(","))) for place in distinct]
    if not pairs or not distinct:
        return ()
    found: list[str] = []
    if len(distinct) == 1 and len(pairs) > 1:
        distinct.append(_beside(distinct[0]))
    if distinct:
        used = iter([distinct[number % len(distinct)] for number in range(len(pairs))])
        found.append(PAIR.sub(lambda _: next(used), text))
    if len(pairs) > 1 and pairs[0].start() == 0:
        found.append(distinct[0])
    return tuple(found)


def _beside(place: str) -> str:
    """Give a place some hundred metres away: a way needs two ends."""
    first, second = (float(part) for part in place.split(","))
    return f"{first + _APART:.6f},{second + _APART:.6f}"


def tile_numbers(place: str, zoom: int) -> tuple[int, int] | None:
    """Give the numbers of the map tile that holds a place (web Mercator, as in OpenStreetMap)."""
    found = PAIR.fullmatch(place)
    if found is None or not 0 <= zoom <= 24:
        return None
    longitude, latitude = float(found.group(1)), float(found.group(2))
    if abs(latitude) > 85:
        return None
    count = 2**zoom
    angle = math.radians(latitude)
    x = (longitude + 180.0) / 360.0 * count
    y = (1.0 - math.asinh(math.tan(angle)) / math.pi) / 2.0 * count
    return int(x) % count, min(count - 1, max(0, int(y)))


def kilometres(one: Point, other: Point) -> float:
    """Distance on the sphere (haversine), both points as longitude, latitude in degrees."""
    first, second = math.radians(one[1]), math.radians(other[1])
    turn = math.radians(other[0] - one[0])
    half = (
        math.sin((second - first) / 2) ** 2
        + math.cos(first) * math.cos(second) * math.sin(turn / 2) ** 2
    )
    return 12742.0 * math.asin(math.sqrt(min(1.0, max(0.0, half))))


def _is_degree(value: JsonValue) -> bool:
    if isinstance(value, bool) or not isinstance(value, str | int | float):
        return False
    return re.fullmatch(r"-?\d{1,3}(\.\d{1,15})?", str(value)) is not None


def _is_point(point: Point) -> bool:
    return abs(point[0]) <= 180 and abs(point[1]) <= 180 and point != (0.0, 0.0)
