"""A local server that speaks the Messages API: it replays recorded replies and refuses the rest.

A recording is a JSON file: `prompt` (the name of a file in `templates/prompts`), `where` (data of
the question to the text that it must hold) and `reply` (the object, or any text). A request that no
recording fits is answered with 400 and kept in `refused`.
"""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Generator, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

from doc2tools.compiler.llm.prompts import FOLDER, prompt

CASES = Path(__file__).parent / "cases" / "model"


@dataclass
class Recording:
    """One recorded reply."""

    prompt: str
    where: dict[str, str]
    reply: Any
    name: str = ""

    def fits(self, asked: str, data: dict[str, Any]) -> bool:
        return asked == self.prompt and all(
            text in str(data.get(name, "")) for name, text in self.where.items()
        )


def recordings(folder: str) -> list[Recording]:
    """Read the recordings of a folder below `tests/cases/model`."""
    files = sorted((CASES / folder).glob("*.json"))
    found = [(path.stem, json.loads(path.read_text(encoding="utf-8"))) for path in files]
    return [Recording(one["prompt"], one["where"], one["reply"], name) for name, one in found]


@dataclass
class Replay:
    """The server's state, and what it saw.

    Attributes:
        tools: Answer by the forced tool, as the vendor does; else in plain text.
        statuses: Statuses to answer the next requests with, before any reply.
        pause: Seconds before every answer.
        raw: Sent instead of a message.
        echo_key: Put the key that was sent into every text.
    """

    recordings: Sequence[Recording]
    tools: bool = True
    statuses: list[int] = field(default_factory=list[int])
    pause: float = 0.0
    raw: bytes | None = None
    echo_key: bool = False
    base_url: str = ""
    asked: list[str] = field(default_factory=list[str])
    used: list[str] = field(default_factory=list[str])
    refused: list[str] = field(default_factory=list[str])
    keys: set[str] = field(default_factory=set[str])
    bodies: list[dict[str, Any]] = field(default_factory=list[dict[str, Any]])

    def find(self, system: str, user: str) -> Recording | None:
        asked = next((name for name in _prompts() if prompt(name) in system), "")
        data: dict[str, Any] = json.loads(user.partition("\n")[2].rpartition("\n")[0])
        self.asked.append(asked)
        found = next((one for one in self.recordings if one.fits(asked, data)), None)
        if found is None:
            self.refused.append(f"{asked}: {json.dumps(data)[:600]}")
        else:
            self.used.append(found.name)
        return found


def _prompts() -> Iterator[str]:
    yield from (path.stem for path in sorted(FOLDER.glob("*.md")) if path.stem != "frame")


@contextmanager
def replaying(replay: Replay) -> Generator[Replay]:
    """Serve until the block ends."""

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["Content-Length"]))
            request: dict[str, Any] = json.loads(body)
            replay.bodies.append(request)
            sent = self.headers.get("x-api-key") or self.headers.get("Authorization", "")
            key = sent.removeprefix("Bearer ")
            replay.keys.add(key)
            time.sleep(replay.pause)
            if replay.statuses:
                status = replay.statuses.pop(0)
                self.send(status, {"type": "error", "error": {"type": "x", "message": "no"}})
                return
            if replay.raw is not None:
                self.send_bytes(200, replay.raw)
                return
            found = replay.find(request["system"], request["messages"][0]["content"])
            if found is None:
                error = {"type": "invalid_request_error", "message": "nothing recorded"}
                self.send(400, {"type": "error", "error": error})
                return
            self.send(200, message(found.reply, request, tools=replay.tools, note=self.note(key)))

        def note(self, key: str) -> str:
            return key if replay.echo_key else ""

        def send(self, status: int, value: object) -> None:
            self.send_bytes(status, json.dumps(value).encode())

        def send_bytes(self, status: int, body: bytes) -> None:
            self.send_response(status)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, format: str, *args: object) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True)
    thread.start()
    replay.base_url = f"http://127.0.0.1:{server.server_address[1]}"
    try:
        yield replay
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


def message(reply: object, request: dict[str, Any], *, tools: bool, note: str = "") -> object:
    """Write a reply as the Messages API has it."""
    text = reply if isinstance(reply, str) else json.dumps(reply)
    block: dict[str, Any] = {"type": "text", "text": text + note}
    if tools and "tools" in request and isinstance(reply, dict):
        block = {"type": "tool_use", "id": "toolu_1", "name": "answer", "input": reply}
    return {
        "id": "msg_1",
        "type": "message",
        "role": "assistant",
        "model": request["model"],
        "content": [block],
        "stop_reason": "tool_use" if block["type"] == "tool_use" else "end_turn",
        "usage": {"input_tokens": len(json.dumps(request)) // 4, "output_tokens": len(text) // 4},
    }
