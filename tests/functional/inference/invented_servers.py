"""Invented servers: a function of path and query each, and what their documentation promises."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Callable, Generator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from itertools import pairwise
from urllib.parse import parse_qsl, unquote, urlsplit

Answer = tuple[int, str, str]
"""Status, media type, body."""
Routes = Callable[[list[str], dict[str, str]], Answer]

JSON, XML, TEXT, SVG = "application/json", "application/xml", "text/plain", "image/svg+xml"
PORT = "5b0c8e0a-2a86-4e55-9d7a-6f8c11d0a001"
BERTHS = {"4": {"number": 4, "length": 180.5, "quay": "north"}}
VESSELS = {
    "9074729": {"imo": "9074729", "name": "Silver Heron", "operator": "norline"},
    "9321483": {"imo": "9321483", "name": "Baltic Star", "operator": "norline"},
    "9460899": {"imo": "9460899", "name": "Anna Maria", "operator": "norline"},
}
ROOM = '<room no="12"><work ref="w-77"/></room>'
NODES = {"alpha-1": {"role": "leader"}, "beta-1": {"role": "follower"}}
PEERS = {"alpha-1": ["beta-1"], "beta-1": ["alpha-1"]}
OBJECTS = {"plans": ["deck.txt", "hull/keel.txt"]}
WEST, EAST, SOUTH, NORTH = 8.30, 8.60, 54.60, 54.80


def found(value: object) -> Answer:
    return 200, JSON, json.dumps(value)


def absent(what: str) -> Answer:
    return 404, JSON, json.dumps({"message": f"no such {what}"})


def refused(text: str) -> Answer:
    return 400, JSON, json.dumps({"message": text})


def harbour(path: list[str], query: dict[str, str]) -> Answer:  # noqa: PLR0911, PLR0912 - routes
    match path:
        case ["ports"]:
            port = {"uuid": PORT, "name": "Westhaven", "country": "Nordland"}
            return found({"data": [port], "meta": {"page": 1, "total": 1}})
        case ["ports", uuid, *rest] if uuid == PORT:
            match rest:
                case []:
                    return found({"uuid": PORT, "name": "Westhaven", "depth": 14.2})
                case ["weather"]:
                    return found({"port": PORT, "wind": {"speed": 7.1, "from": 220}})
                case ["berths"]:
                    return found({"data": list(BERTHS.values())})
                case ["berths", number] if number in BERTHS:
                    return found(BERTHS[number])
                case _:
                    return absent("berth")
        case ["vessels", "search"]:
            words = query.get("q", "").lower()
            hits = [one for one in VESSELS.values() if words and words in one["name"].lower()]
            return found({"results": hits}) if words else refused("q is required")
        case ["vessels", imo] if imo in VESSELS:
            return found(VESSELS[imo])
        case ["vessels", imo, "calls"] if imo in VESSELS:
            if not {"from", "until"} <= query.keys():
                return refused("from and until are required")
            return found({"calls": [{"port": PORT, "day": query["from"]}]})
        case ["operators", "norline", "fleet"]:
            return found(list(VESSELS.values()))
        case _:
            return absent("object")


def gallery(path: list[str], query: dict[str, str]) -> Answer:  # noqa: PLR0911 - routes
    def good(inner: str) -> Answer:
        return 200, XML, f'<?xml version="1.0"?><reply status="ok">{inner}</reply>'

    fault = (200, XML, '<reply status="failed"><error code="70" message="not found"/></reply>')
    work = '<work id="w-77" title="Tide" technique="ink"><artist id="a-5">Ada Reef</artist></work>'
    match path:
        case ["gallery", "rooms"]:
            return good('<rooms><room id="r-12" floor="1"/><room id="r-13" floor="2"/></rooms>')
        case ["gallery", "rooms", "r-12" | "r-13" as room]:
            return good(f'<room id="{room}"><works>{work}</works></room>')
        case ["gallery", "getWork"] if query.get("id") == "w-77":
            return good(work)
        case ["gallery", "getArtist"] if query.get("id") == "a-5":
            return good('<artist id="a-5" name="Ada Reef" born="1931"/>')
        case ["gallery", "works", "w-77", "label"] if query.get("lang") in {"en", "de"}:
            return good("<label>Tide, ink on paper</label>")
        case ["gallery", "find"] if query.get("technique") in {"oil", "ink", "bronze"}:
            return good(f"<works>{work}</works>")
        case _:
            return fault


def store(path: list[str], query: dict[str, str]) -> Answer:  # noqa: PLR0911, PLR0912 - routes
    del query
    match path:
        case ["v1", "nodes"]:
            return found({node: {**facts, "peers": PEERS[node]} for node, facts in NODES.items()})
        case ["v1", "nodes", node] if node in NODES:
            return found({"node": node, **NODES[node]})
        case ["v1", "nodes", node, "peers", peer] if peer in PEERS.get(node, ()):
            return found({"from": node, "to": peer, "lag": 3})
        case ["v1", "keys"]:
            return found(["colour/sea", "depth"])
        case ["v1", "keys", "colour/sea" | "depth" as key]:
            return found({"key": key, "value": "grey"})
        case ["v1", "buckets"]:
            return found([{"bucket": "plans", "objects": 2}])
        case ["v1", "buckets", bucket, "objects"] if bucket in OBJECTS:
            return found([{"name": name, "size": 12} for name in OBJECTS[bucket]])
        case ["v1", "buckets", bucket, "objects", name] if name in OBJECTS.get(bucket, ()):
            return found({"name": name, "size": 12, "tags": ["a"]})
        case ["v1", "content", bucket, *name] if "/".join(name) in OBJECTS.get(bucket, ()):
            return 200, TEXT, "keel: 14 m of oak\n"
        case ["v1", "health"]:
            return found({"healthy": True, "nodes": 2})
        case ["v1", "leases"]:
            return found([])
        case ["v1", "leases", "l-41"]:  # known to people only
            return found({"lease": "l-41", "ttl": 30})
        case _:
            return 404, TEXT, "404 page not found\n" if len(path) < 2 else "no such key\n"


def snapped(lat: float, lon: float) -> tuple[float, float]:
    return min(max(lat, SOUTH), NORTH), min(max(lon, WEST), EAST)


def ferry(path: list[str], query: dict[str, str]) -> Answer:  # noqa: PLR0911 - routes
    """Whatever is asked for, it answers `Ok` about the nearest place that it knows."""
    try:
        match path:
            case ["nearest"]:
                lat, lon = snapped(float(query["lat"]), float(query["lon"]))
                return found({"code": "Ok", "fairway": {"name": "Sound", "location": [lon, lat]}})
            case ["course", "ferry" | "barge" | "yacht", coordinates]:
                pairs = [tuple(map(float, pair.split(","))) for pair in coordinates.split("|")]
                at = [snapped(lat, lon) for lat, lon in pairs]
                legs = [abs(a[0] - b[0]) + abs(a[1] - b[1]) for a, b in pairwise(at)]
                stops = [{"location": [lon, lat]} for lat, lon in at]
                course = {"distance": sum(legs), "duration": sum(legs) * 9, "legs": legs}
                return found({"code": "Ok", "courses": [course], "waypoints": stops})
            case ["depth", z, x, y]:
                column = int((8.45 + 180) / 360 * 2 ** int(z))
                if int(x) != column:
                    return 200, JSON, ""
                return found({"tile": [int(x), int(y)], "depths": [4.5, 7.0]})
            case ["piers"]:
                return found([{"id": "p9", "name": "Ness", "lat": 54.71, "lon": 8.44}])
            case ["piers", "p9", "timetable"] if len(query.get("date", "")) == 8:
                return found({"pier": "p9", "departures": [{"at": "08:15", "to": "Hook"}]})
            case _:
                return absent("place")
    except (KeyError, ValueError):
        return refused("coordinates are invalid")


def sensors(path: list[str], query: dict[str, str]) -> Answer:  # noqa: PLR0911, PLR0912 - routes
    now = time.time()
    match path:
        case ["series"]:
            return found(["tide.level", "wind.speed"])
        case ["series", "tide.level" | "wind.speed", "points"]:
            for name in ("start", "end", "step"):
                if name not in query:
                    return refused(f"missing parameter '{name}'")
            start, end = float(query["start"]), float(query["end"])
            if not now - 90_000 < start < end < now + 3_600:
                return found({"points": []})
            return found({"points": [[start, 1.5], [end, 1.75]]})
        case ["plot", "tide.level.svg" | "wind.speed.svg"]:
            return 200, SVG, '<svg xmlns="http://www.w3.org/2000/svg"><path d="M0 0"/></svg>'
        case ["convert"] if query.get("unit") in {"kelvin", "celsius"} and "value" in query:
            return found({"value": float(query["value"]) + 273.15, "unit": query["unit"]})
        case ["echo", text]:
            return found({"text": text, "length": len(text)})
        case ["alarms"]:
            return found({"alarms": [{"alarm_id": 881, "series": "tide.level"}]})
        case ["alarms", "881", "notes"]:
            return found([{"author": "watch", "text": "checked"}])
        case ["report"] if query.get("month", "0").isdigit() and len(query.get("year", "")) == 4:
            return found({"month": query["month"], "mean": 1.62})
        case ["export"]:
            if query.get("kind") not in {"full", "delta"}:
                return refused("kind must be one of full, delta")
            return found({"kind": query["kind"], "rows": 3})
        case _:
            return absent("series")


SERVERS: dict[str, Routes] = {
    "harbour": harbour,
    "gallery": gallery,
    "store": store,
    "ferry": ferry,
    "sensors": sensors,
}


@contextmanager
def serving(routes: Routes) -> Generator[tuple[str, list[str]]]:
    """Serve `routes` on loopback; gives the base URL and the request lines that come in."""
    seen: list[str] = []

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_GET(self) -> None:
            seen.append(f"{self.command} {self.path}")
            url = urlsplit(self.path)
            path = [unquote(part) for part in url.path.split("/") if part]
            status, media, body = routes(path, dict(parse_qsl(url.query)))
            data = body.encode()
            self.send_response(status)
            self.send_header("Content-Type", media)
            self.send_header("Content-Length", str(len(data)))
            self.end_headers()
            self.wfile.write(data)

        do_POST = do_PUT = do_DELETE = do_GET

        def log_message(self, format: str, *args: object) -> None:
            del format, args

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_address[1]}", seen
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
