"""An invented API of harbours and boats, with tools that answer to anything, on loopback."""

from __future__ import annotations

import json
import threading
from collections import Counter
from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from urllib.parse import unquote

HARBOURS: list[dict[str, object]] = [
    {"code": "ALV-7", "name": "Alvik", "berths": 31},
    {"code": "BRE-2", "name": "Breidvik", "berths": 12},
    {"code": "CAS-9", "name": "Castello", "berths": 58},
]
BOATS: list[dict[str, object]] = [
    {"boat_id": 4100 + number, "name": name, "harbour": code, "length": 7.5 + number}
    for number, (name, code) in enumerate(
        [
            ("Seagull", "ALV-7"),
            ("Merlin", "ALV-7"),
            ("Osprey", "BRE-2"),
            ("Petrel", "CAS-9"),
            ("Skua", "CAS-9"),
        ]
    )
]
DOCS = """# Harbour API

Base URL: `{base}`

## List harbours

`GET /harbours`

Returns all harbours.

## Show a harbour

`GET /harbours/{{code}}`

Returns one harbour with its depth.

Parameter | Type | Description
---|---|---
`code` | string, required | the code of the harbour, e.g. `ALV-7`

## List the boats of a harbour

`GET /harbours/{{code}}/boats`

Returns the boats that lie there.

Parameter | Type | Description
---|---|---
`code` | string, required | the code of the harbour, e.g. `ALV-7`

## Show a boat

`GET /boats/{{boat_id}}`

Returns one boat with its owner's harbour.

Parameter | Type | Description
---|---|---
`boat_id` | integer, required | the ID of the boat, e.g. `4101`

## Greet a harbour

`GET /greetings/{{code}}`

Returns a greeting.

Parameter | Type | Description
---|---|---
`code` | string, required | the code of the harbour, e.g. `ALV-7`

## Repeat a harbour

`GET /echoes/{{code}}`

Returns what it was given.

Parameter | Type | Description
---|---|---
`code` | string, required | the code of the harbour, e.g. `ALV-7`

## Delete a boat

`DELETE /boats/{{boat_id}}`

Deletes a boat.

Parameter | Type | Description
---|---|---
`boat_id` | integer, required | the ID of the boat, e.g. `4101`
"""


@dataclass
class Harbours:
    """A running server, and how often each address was asked for."""

    base_url: str = ""
    asked: Counter[str] = field(default_factory=Counter[str])

    def write_docs(self, folder: Path) -> Path:
        """Write the documentation into `folder`."""
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "harbours.md").write_text(DOCS.format(base=self.base_url))
        return folder


def answer(path: str, count: int) -> dict[str, object] | None:
    """Give the answer to a path; None for what is not there."""
    head, *rest = [unquote(part) for part in path.strip("/").split("/")]
    text = rest[0] if rest else ""
    nothing: dict[str, object] = {}
    harbour = next((one for one in HARBOURS if one["code"] == text), nothing)
    boat = next((one for one in BOATS if str(one["boat_id"]) == text), nothing)
    there = [one for one in BOATS if one["harbour"] == text]
    answers: dict[tuple[str, int], dict[str, object]] = {
        ("harbours", 0): {"harbours": HARBOURS},
        ("harbours", 1): harbour and {**harbour, "depth": 4.5, "flag": "blue"},
        ("harbours", 2): harbour and {"boats": there},
        ("boats", 1): boat and {**boat, "mast": "wood", "crew": 3},
        ("greetings", 1): {"greeting": "Ahoy, whoever you are", "served": count},
        ("echoes", 1): {"said": text, "letters": len(text), "served": count},
    }
    return answers.get((head, len(rest))) or None


@contextmanager
def harbours() -> Generator[Harbours]:
    """Run the server."""
    held = Harbours()

    class Api(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            held.asked[f"GET {self.path}"] += 1
            self.answer(answer(self.path.partition("?")[0], held.asked.total()))

        def do_DELETE(self) -> None:
            held.asked[f"DELETE {self.path}"] += 1
            self.answer({"deleted": True})

        def answer(self, value: dict[str, object] | None) -> None:
            body = json.dumps(value or {"error": "not found"}).encode()
            self.send_response(200 if value else 404)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, format: str, *args: object) -> None:
            del format, args

    with ThreadingHTTPServer(("127.0.0.1", 0), Api) as server:
        thread = threading.Thread(target=server.serve_forever, daemon=True)
        thread.start()
        held.base_url = f"http://127.0.0.1:{server.server_address[1]}"
        try:
            yield held
        finally:
            server.shutdown()
            thread.join()
