"""A harbour's service whose documentation leaves to a model what rules cannot know."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Generator, Sequence
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

SHIPS = [
    {"callsign": "DGPS", "name": "Gull", "flag": "NO", "kind": "ferry", "length": 80},
    {"callsign": "OXKL", "name": "Tern", "flag": "DK", "kind": "tanker", "length": 210},
    {"callsign": "LAXQ", "name": "Skua", "flag": "NO", "kind": "tanker", "length": 190},
]

PAGES = {
    "ships.md": """# Harbour API

The base URL is `{base}`.

## List ships

`GET /ships`

Lists the ships in port, as a JSON list.

| Parameter | Type | Required | Description |
|---|---|---|---|
| query | string | no | Filter expression in the query language: `field:value`, joined by `+` |
| limit | integer | no | Most ships to list |

## Get a pilot

`GET /pilots/{{badge}}`

Gives the pilot who wears the badge: a sea bird and a number.

| Parameter | Type | Required | Description |
|---|---|---|---|
| badge | string | yes | What the pilot's badge shows |

## Cargo of the day

`GET /cargo/today`

Lists what is unloaded today.

## Berths that are free

`GET /berths/free/{{callsign}}`

Lists the free berths that a ship fits into, by the callsign of the ship.
""",
    "notes.md": """# Notes on tides

People ask how to learn of the tide. There is no page for it yet, but the thing under
/tides/today gives it to everybody who asks; see also /guide/knots on our site.
""",
}


class Harbour(BaseHTTPRequestHandler):
    """Answers reads; remembers every request."""

    seen: list[str]
    watchers: Sequence[Callable[[], None]] = ()

    def do_GET(self) -> None:
        self.seen.append(f"GET {self.path}")
        for watch in self.watchers:
            watch()
        parts = urlsplit(self.path)
        query = {name: values[0] for name, values in parse_qs(parts.query).items()}
        match parts.path.strip("/").split("/"):
            case ["ships"]:
                self.ships(query)
            case ["pilots", "tern-7"]:
                self.answer(200, {"badge": "tern-7", "name": "Ada Holm", "ships": 12})
            case ["cargo", "manifest", "today"]:
                self.answer(200, [{"cargo": "timber", "tons": 40}])
            case ["berths", "free", "DGPS"]:
                self.answer(200, [])
            case ["berths", "free", _]:
                self.answer(200, [])
            case ["tides", "today"]:
                self.answer(200, {"high": "06:12", "low": "12:30"})
            case _:
                self.answer(404, {"error": "nothing here"})

    def do_POST(self) -> None:
        self.seen.append(f"POST {self.path}")
        self.answer(200, {"done": True})

    do_DELETE = do_PUT = do_POST

    def ships(self, query: dict[str, str]) -> None:
        found = SHIPS
        for term in query.get("query", "").split("+"):
            name, _, value = term.partition(":")
            found = [one for one in found if not name or str(one.get(name)) == value]
        self.answer(200, found[: int(query.get("limit", "9"))])

    def answer(self, status: int, value: object) -> None:
        body = json.dumps(value).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *args: object) -> None:
        pass


def look_away() -> None:
    """Watch nothing."""


@contextmanager
def harbour(
    folder: Path, watch: Callable[[], None] = look_away
) -> Generator[tuple[Path, str, list[str]]]:
    """Give the documentation's folder, the base URL and the requests seen so far.

    `watch` is called at every request, while the worker that sent it waits.
    """
    seen: list[str] = []
    handler = type("Seen", (Harbour,), {"seen": seen, "watchers": (watch,)})
    server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
    thread = threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True)
    thread.start()
    base = f"http://127.0.0.1:{server.server_address[1]}"
    docs = folder / "docs"
    docs.mkdir()
    for name, text in PAGES.items():
        (docs / name).write_text(text.format(base=base))
    try:
        yield docs, base, seen
    finally:
        server.shutdown()
        thread.join()
        server.server_close()
