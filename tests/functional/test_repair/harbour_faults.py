"""A harbour's API: strict about paths, places, marks and forms; and documentation with its faults.

Each fault is a text of the true documentation and what the faulty one says in its place.
"""

from __future__ import annotations

import json
import threading
from collections.abc import Generator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qs, unquote, urlsplit

SHIPS = [
    {"id": 41, "name": "Alma", "flag": "NO", "tonnage": 1200},
    {"id": 42, "name": "Brise", "flag": "FR", "tonnage": 800},
]
BERTHS = [{"berth": "north/1", "length": 120}, {"berth": "north/2", "length": 90}]

TRUE = """# Harbour API

All paths are below `{base}`.

## Ships

### List ships

`GET /api/v2/ships`

The ships in port, as a JSON list.

### Show a ship

`GET /api/v2/ships/{{ship_id}}`

One ship. For example `curl {base}/api/v2/ships/41`.

### Crew of a ship

`GET /api/v2/ships/{{ship_id}}/crew`

The people aboard.

## Quays

### List berths

`GET /api/v2/berths`

The berths of all quays.

### Cranes

`GET /api/v2/cranes`

The cranes of all quays.

### Harbour masters

`GET /api/v2/harbour_masters`

The harbour masters on duty.

## Traffic

### Tides

`GET /api/v2/tides`

The tides at a port.

| Parameter | In | Type | Required | Description | Example |
|---|---|---|---|---|---|
| port | query | string | yes | Name of the port | bergen |

### Pilots

`GET /api/v2/pilots`

The pilots of a district.

| Parameter | In | Type | Required | Description | Example |
|---|---|---|---|---|---|
| district | query | string | yes | Code of the district | w1 |

### Signals

`GET /api/v2/signals`

The signals of one kind.

| Parameter | In | Type | Required | Description | Example |
|---|---|---|---|---|---|
| kind | query | string | yes | Kind of signal | lamp |

### Depths

`GET /api/v2/depths`

The depths at a mark.

| Parameter | In | Type | Required | Description | Example |
|---|---|---|---|---|---|
| mark | query | string | yes | Name of the mark | red-7 |

### Chart

`GET /api/v2/chart`

The harbour's chart as a picture.

### Weather

`GET /api/v2/weather.json`

The weather over the harbour.

### Notices

`GET /api/v2/notices/`

Notices to mariners.
"""

FAULTS: dict[str, tuple[str, str]] = {
    "segment": ("`GET /api/v2/cranes`", "`GET /api/v2/crames`"),
    "separator": ("`GET /api/v2/harbour_masters`", "`GET /api/v2/harbour-masters`"),
    "prefix": ("`GET /api/v2/berths`", "`GET /berths`"),
    "required": (
        "| port | query | string | yes | Name of the port | bergen |",
        "| port | query | string | no | Name of the port | bergen |",
    ),
    "location": (
        "| district | query | string | yes | Code of the district | w1 |",
        "| district | header | string | yes | Code of the district | w1 |",
    ),
    "example": ("| Kind of signal | lamp |", "| Kind of signal | torch |"),
    "type": (
        "| mark | query | string | yes | Name of the mark | red-7 |",
        "| mark | query | integer | yes | Name of the mark | red-7 |",
    ),
    "suffix": ("`GET /api/v2/weather.json`", "`GET /api/v2/weather`"),
    "slash": ("`GET /api/v2/notices/`", "`GET /api/v2/notices`"),
    "stale": (
        "### Notices\n",
        "### List lighthouses\n\n`GET /api/v2/lighthouses`\n\nThe lighthouses.\n\n### Notices\n",
    ),
}


def documentation(base: str, *faults: str) -> str:
    """Give the documentation with some faults in it."""
    text = TRUE.format(base=base)
    for name in faults:
        old, new = FAULTS[name]
        assert text.count(old) == 1, name
        text = text.replace(old, new)
    return text


def answer(path: str, query: dict[str, list[str]], accept: str) -> tuple[int, str, bytes]:
    """Give status, media type and body."""
    if path == "/api/v2/chart":
        if "image/png" in accept:
            return 200, "image/png", b"\x89PNG\r\n\x1a\n\0\0 a picture of the harbour"
        return _json(406, {"error": "not acceptable", "accept": ["image/png"]})
    status, value = _value(path, query)
    return _json(status, value)


def _json(status: int, value: object) -> tuple[int, str, bytes]:
    return status, "application/json", json.dumps(value).encode()


def _value(path: str, query: dict[str, list[str]]) -> tuple[int, object]:
    given = {name: values[-1] for name, values in query.items()}
    fixed: dict[str, object] = {
        "/api/v2/ships": SHIPS,
        "/api/v2/berths": BERTHS,
        "/api/v2/cranes": [{"crane": "K1", "lifts": 40}],
        "/api/v2/harbour_masters": [{"master": "Solveig", "watch": "first"}],
        "/api/v2/weather.json": {"wind": 7, "from": "SW"},
        "/api/v2/notices/": [{"notice": 1, "says": "buoy adrift"}],
    }
    if path in fixed:
        return 200, fixed[path]
    parts = path.split("/")
    if path.startswith("/api/v2/ships/") and len(parts) in {5, 6}:
        return _ship(parts)
    wanted: dict[str, tuple[str, dict[str, object]]] = {
        "/api/v2/tides": ("port", {"bergen": {"high": "04:12"}}),
        "/api/v2/pilots": ("district", {"w1": [{"pilot": "Odd"}]}),
        "/api/v2/signals": ("kind", {"lamp": [{"signal": "A"}], "horn": [{"signal": "B"}]}),
        "/api/v2/depths": ("mark", {"red-7": {"metres": 11}}),
    }
    if path in wanted:
        name, known = wanted[path]
        if name not in given:
            return 400, {"error": f"missing parameter '{name}'"}
        if given[name] not in known:
            return 400, {"error": f"invalid value for '{name}': must be one of {', '.join(known)}"}
        return 200, known[given[name]]
    return 404, {"error": "no such route"}


def _ship(parts: list[str]) -> tuple[int, object]:
    ship = next((one for one in SHIPS if str(one["id"]) == parts[4]), None)
    if ship is None:
        return 404, {"error": f"there is no ship {parts[4]}"}
    if len(parts) == 5:
        return 200, ship
    if parts[5] == "crew":
        return 200, [{"sailor": "Kari", "aboard": ship["name"]}]
    return 404, {"error": "no such route"}


class Harbour:
    """The running service.

    Attributes:
        requests: Method and path of all that was asked.
    """

    def __init__(self, base_url: str, requests: list[str]) -> None:
        self.base_url = base_url
        self.requests = requests


@contextmanager
def serving() -> Generator[Harbour]:
    """Run the service on a free port."""
    asked: list[str] = []

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_GET(self) -> None:
            url = urlsplit(self.path)
            asked.append(f"GET {url.path}")
            accept = self.headers.get("Accept", "")
            status, media, body = answer(unquote(url.path), parse_qs(url.query), accept)
            self.send_response(status)
            self.send_header("Content-Type", media)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def do_POST(self) -> None:
            asked.append(f"POST {self.path}")
            self.send_error(405)

        do_PUT = do_DELETE = do_PATCH = do_POST

        def log_message(self, format: str, *args: object) -> None:
            del format, args

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield Harbour(f"http://127.0.0.1:{server.server_port}", asked)
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
