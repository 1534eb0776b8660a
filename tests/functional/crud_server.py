"""An honest notebook service over HTTP, and the ways in which one can be dishonest."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Generator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

Fields = dict[str, Any]

OTHERS: dict[str, dict[str, Any]] = {
    "notes": {
        "1": {"id": 1, "title": "Shopping", "text": "milk"},
        "2": {"id": 2, "title": "Garden", "text": "water the beans"},
        "3": {"id": 3, "title": "doc2tools is a compiler", "text": "somebody else's"},
    },
    "tags": {"blue": {"label": "Blue"}, "red": {"label": "Red"}},
    "jobs": {"1": {"id": 1, "command": "sweep"}},
    "users": {"1": {"id": 1, "name": "Ada"}, "2": {"id": 2, "name": "Grace"}},
    "keys": {"1": {"id": 1, "name": "deploy"}},
}

DOCS = """# Notebook API

## Notes

### List notes

`GET /notes`

The notes, as a JSON list.

### Create a note

`POST /notes`

| Field | Type | Required | Description |
|---|---|---|---|
| title | string | yes | Title of the note |
| text | string | no | What it says |

```
curl -X POST http://notebook.example/notes -H 'Content-Type: application/json' \
-d '{"title": "Shopping", "text": "milk", "pinned": true, "author_id": 1}'
```

### Get a note

`GET /notes/{id}`

### Change a note

`PUT /notes/{id}`

JSON body:

| Field | Type | Required | Description |
|---|---|---|---|
| title | string | yes | Title of the note |
| text | string | no | What it says |

### Delete a note

`DELETE /notes/{id}`

## Tags

### Set a tag

`PUT /tags/{name}`

```
curl -X PUT http://notebook.example/tags/blue -H 'Content-Type: application/json' \
-d '{"label": "Blue"}'
```

### Read a tag

`GET /tags/{name}`

### Delete a tag

`DELETE /tags/{name}`

## Jobs

### Start a job

`POST /jobs`

| Field | Type | Required | Description |
|---|---|---|---|
| command | string | yes | What to run |

### List jobs

`GET /jobs`

## Users

`GET /users` lists the users.

`POST /users` creates a user.

| Field | Type | Required | Description |
|---|---|---|---|
| name | string | yes | The name |

`GET /users/{id}` gives a user.

`DELETE /users/{id}` deletes a user.

## Keys

`GET /keys` lists the keys.

`POST /keys` creates a key.

| Field | Type | Required | Description |
|---|---|---|---|
| name | string | yes | The name |

`GET /keys/{id}` gives a key.

`DELETE /keys/{id}` deletes a key.
"""

SERIALS = {"notes", "jobs", "users", "keys", "posts"}


class Notebook:
    """The service's state and its ways.

    Attributes:
        ways: `lie`: creates answer with somebody else's id; `keep`: deletes are answered and not
            done; `mute`: creates answer with no id; `location`: with a Location alone; `wrap`:
            inside an envelope; `crash`: the connection ends after a create is done; `shrug`: PUT
            is answered and not done; `refuse`: creates are refused; `busy`: creates are done and
            then answered with 429; `redirect`: creates are sent on to another address; `soft`:
            deleted objects are still given, marked as deleted; `stall`: a PUT waits until
            `released`, and is not done; `die`: nothing is answered after a create; `words`:
            identifiers are words, and deletes answer with what was deleted
        log: Method, path and body of every request, in order.
    """

    def __init__(self, *ways: str) -> None:
        self.ways = set(ways)
        self.data: dict[str, dict[str, Any]] = json.loads(json.dumps(OTHERS))
        self.data["posts"] = {}
        self.log: list[tuple[str, str, str]] = []
        self.next_id = 100
        self.lock = threading.Lock()
        self.dead = False
        self.on_write: Callable[[str, int], None] = lambda _when, _number: None
        self.stalled, self.released = threading.Event(), threading.Event()

    def others(self) -> bytes:
        """Give everything that was there before, as bytes, with nothing that came later."""
        kept = {
            kind: {key: value for key, value in self.data[kind].items() if key in OTHERS[kind]}
            for kind in OTHERS
        }
        return json.dumps(kept, sort_keys=True).encode()

    def ours(self) -> list[str]:
        """Give the addresses of everything that was not there before."""
        return [
            f"/{kind}/{key}"
            for kind, held in self.data.items()
            for key in held
            if key not in OTHERS.get(kind, {})
        ]

    def writes(self) -> list[str]:
        return [f"{method} {path}" for method, path, _ in self.log if method != "GET"]


ALL_OTHERS = json.dumps(OTHERS, sort_keys=True).encode()


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    notebook: Notebook

    def log_message(self, format: str, *args: object) -> None:
        del format, args

    def _answer(self, status: int, value: object = None, **headers: str) -> None:
        body = b"" if value is None else json.dumps(value).encode()
        self.send_response(status)
        if body:
            self.send_header("Content-Type", "application/json")
        for name, text in headers.items():
            self.send_header(name, text)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def _do(self) -> None:
        length = int(self.headers.get("Content-Length") or 0)
        text = self.rfile.read(length).decode()
        book = self.notebook
        with book.lock:
            if book.dead:
                self.close_connection = True
                return
            book.log.append((self.command, self.path, text))
            if self.command != "GET":
                book.on_write("before", len(book.writes()))
            kind, _, key = self.path.partition("?")[0].strip("/").partition("/")
            held = book.data.get(kind)
            if held is None or (key and "/" in key):
                self._answer(404, {"error": "not found"})
                return
            body: Fields = json.loads(text) if text else {}
            getattr(self, f"_{self.command.lower()}")(book, kind, held, key, body)
            if self.command != "GET":
                book.on_write("after", len(book.writes()))

    def _get(self, book: Notebook, kind: str, held: dict[str, Any], key: str, body: Fields) -> None:
        del body
        if not key and kind != "tags":
            self._answer(200, list(held.values()))
        elif key in held:
            self._answer(200, held[key])
        elif "soft" in book.ways and key.isdigit() and int(key) < book.next_id:
            self._answer(200, {"id": int(key), "deleted": True})
        else:
            self._answer(404, {"error": "not found"})

    def _post(
        self, book: Notebook, kind: str, held: dict[str, Any], key: str, body: Fields
    ) -> None:
        if key or kind not in SERIALS:
            self._answer(405, {"error": "method not allowed"})
            return
        if "refuse" in book.ways:
            self._answer(422, {"error": "title is taken"})
            return
        if "redirect" in book.ways:
            self._answer(307, None, Location="/users")
            return
        number, book.next_id = book.next_id, book.next_id + 1
        if "words" in book.ways:
            held[f"a{number}f"] = {**body, "id": f"a{number}f"}
            self._answer(201, held[f"a{number}f"])
            return
        held[str(number)] = {"id": number, **body}
        book.dead = "die" in book.ways
        if "crash" in book.ways:
            self.close_connection = True
            self.connection.close()
        elif "busy" in book.ways:
            self._answer(429, {"error": "too many"}, **{"Retry-After": "0"})
        elif "lie" in book.ways:
            self._answer(201, {**held[str(number)], "id": 2})
        elif "mute" in book.ways:
            self._answer(201, {"status": "created"})
        elif "location" in book.ways:
            self._answer(201, None, Location=f"/{kind}/{number}")
        elif "wrap" in book.ways:
            self._answer(201, {"id": 7, "data": {"type": kind, **held[str(number)]}})
        else:
            self._answer(201, held[str(number)])

    def _put(self, book: Notebook, kind: str, held: dict[str, Any], key: str, body: Fields) -> None:
        if kind not in {"notes", "tags", "posts"} or (kind != "tags" and key not in held):
            self._answer(404, {"error": "not found"})
            return
        if "stall" in book.ways:
            book.stalled.set()
            book.released.wait(30)
            self.close_connection = True
            return
        if "shrug" not in book.ways or key not in held:
            kept = {"id": held[key]["id"]} if kind != "tags" else {}
            held[key] = {**kept, **body}
        self._answer(200, held[key])

    def _delete(
        self, book: Notebook, kind: str, held: dict[str, Any], key: str, body: Fields
    ) -> None:
        del kind, body
        if key not in held:
            self._answer(404, {"error": "not found"})
            return
        gone = held[key]
        if "keep" not in book.ways:
            del held[key]
        if "words" in book.ways:
            self._answer(200, gone)
        else:
            self._answer(204)

    do_GET = do_POST = do_PUT = do_DELETE = do_PATCH = _do


class Server(ThreadingHTTPServer):
    daemon_threads = True

    def handle_error(self, request: object, client_address: object) -> None:
        """Connections that are cut on purpose are no news."""


@contextmanager
def serving(book: Notebook) -> Generator[str]:
    """Serve a notebook on loopback; give its base URL."""
    handler = type("NotebookHandler", (Handler,), {"notebook": book})
    server = Server(("127.0.0.1", 0), handler)
    thread = threading.Thread(target=server.serve_forever, args=(0.05,), daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_address[1]}"
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
