"""Answers that want to fill, hold up or crash whoever reads them, or give a credential away."""

from __future__ import annotations

import base64
import gzip
import json
import re
import time
import zlib
from collections.abc import Callable
from typing import cast
from urllib.parse import quote

import brotli  # pyright: ignore[reportMissingTypeStubs]  (it has none)
import pytest

from doc2tools.compiler.emit.answers import read_answer
from doc2tools.compiler.emit.models import Models
from doc2tools.compiler.ir.exchange import Exchange, Request, ToolRun
from doc2tools.compiler.ir.spec import Effect, Endpoint
from doc2tools.compiler.validate.classify import judge
from doc2tools.compiler.validate.harvest import harvest
from doc2tools.sandbox import connections, decoding, transport
from doc2tools.sandbox.decoding import BodyDecoder
from doc2tools.sandbox.redaction import Redactor
from tests.attacks.attack import Attack, attacks
from tests.attacks.conftest import OpenGateway
from tests.attacks.raw_server import OK, RawServer, Reply, answer, drip

SECRET = 'kH7-planted "93/xQ+é'  # noqa: S105 (invented)
LIMIT = 100_000
SECONDS = 2.5
_compress = cast("Callable[[bytes], bytes]", brotli.compress)  # pyright: ignore[reportUnknownMemberType]

FORMS = {
    "plain": SECRET,
    "json": json.dumps(SECRET)[1:-1],
    "percent": quote(SECRET, safe=""),
    "base64": base64.b64encode(SECRET.encode()).decode(),
    "base64-shifted": base64.b64encode(b"x:" + SECRET.encode() + b":y").decode(),
    "hex": SECRET.encode().hex(),
    "twice-percent": quote(quote(SECRET, safe=""), safe=""),
}
CORE = base64.b64encode(b"x:" + SECRET.encode()).decode()[4:-4]


def _zero_bomb() -> bytes:
    engine = zlib.compressobj(9, wbits=31)
    return b"".join([*(engine.compress(bytes(1_000_000)) for _ in range(6)), engine.flush()])


def _headers(count: int, size: int) -> bytes:
    return b"".join(b"X-%d: %s\r\n" % (number, b"h" * size) for number in range(count))


MADE: dict[str, Callable[[], Reply]] = {
    "gzip-bomb": lambda: answer(_zero_bomb(), b"Content-Encoding: gzip\r\n"),
    "gzip-bomb-twice": lambda: answer(
        gzip.compress(_zero_bomb()), b"Content-Encoding: gzip, gzip\r\n"
    ),
    "brotli-bomb": lambda: answer(_compress(bytes(5_000_000)), b"Content-Encoding: br\r\n"),
    "flood": lambda: lambda _: (b"flood " * 10_000 if n else OK + b"\r\n" for n in range(3_000)),
    "header-flood": lambda: lambda _: (OK, *(_headers(100, 1_000) for _n in range(100))),
    "wide-headers": lambda: answer(b"{}", _headers(4, 60_000)),
    "drip": lambda: drip(OK + b"Content-Length: 1000\r\n\r\n", 0.05, 30),
    "drip-headers": lambda: drip(b"HTTP/1.1 200 OK\r\nX-Slow: ", 0.05, 30),
    "deep-json": lambda: answer(b"[" * 40_000 + b"]" * 40_000),
    "deep-objects": lambda: answer(b'{"a":' * 15_000 + b"1" + b"}" * 15_000),
    "deep-xml": lambda: answer(b"<a>" * 12_000 + b"</a>" * 12_000),
    "wide-object": lambda: answer(json.dumps({f"key{n}": n for n in range(5_000)}).encode()),
    "huge-number": lambda: answer(b'{"id": ' + b"9" * 90_000 + b"}"),
}
"""The answers that are too long to be written into a file."""


def reply_of(attack: Attack) -> Reply:
    """Give the attack's answer as bytes."""
    if "make" in attack.material:
        return MADE[attack.material["make"]]()
    text: str = attack.material["raw"].replace("\r\n", "\n").replace("\n", "\r\n")
    for name, form in FORMS.items():
        text = text.replace(f"@{name.upper()}@", form)
    head, _, body = text.partition("\r\n\r\n")
    data = body.rstrip("\r\n").encode()
    for escape, value in attack.material.get("bytes", {}).items():
        data = data.replace(escape.encode(), bytes.fromhex(value))
    return f"{head}\r\nConnection: close\r\n\r\n".encode() + data


def exchange(attack: Attack, server: RawServer, open_gateway: OpenGateway) -> Exchange:
    """Ask for the hostile answer, with a credential."""
    server.replies["*"] = reply_of(attack)
    gateway = open_gateway(
        server.base_url,
        auth={"type": "basic", "username": "reader", "password_env": "PLANTED"},
        limits={"timeout": 1.0, "response_bytes": LIMIT},
        environment={"PLANTED": SECRET},
    )
    request = Request(method="GET", url=f"{server.base_url}/items?q=1", headers={"Accept": "*/*"})
    return gateway.exchange(request)


def leaks(shown: Exchange) -> list[str]:
    """Tell in which forms the credential is still there."""
    response = shown.response
    parts = [shown.request.url, shown.failure.message if shown.failure else ""]
    if response is not None:
        parts += [response.body, response.final_url, *response.headers.values()]
    text = " ".join(parts)
    found = [name for name, form in FORMS.items() if form in text or form.lower() in text.lower()]
    return found + (["core"] if CORE in text else [])


@attacks("answers")
def test_fails(attack: Attack, server: RawServer, open_gateway: OpenGateway) -> None:
    expect = attack.expect
    started = time.monotonic()
    shown = exchange(attack, server, open_gateway)
    assert time.monotonic() - started < SECONDS
    response = shown.response
    if "failure" in expect:
        assert shown.failure is not None
        assert shown.failure.cause == expect["failure"], shown.failure.message
    if "truncated" in expect:
        assert response is not None
        assert response.truncated
    if response is not None:
        assert len(response.body) <= LIMIT * 4 / 3 + 4
        assert not re.search(r"[\x00-\x08\x0a-\x1f\x7f]", "".join(response.headers.values()))
        assert Exchange.model_validate_json(shown.model_dump_json()) == shown
    assert leaks(shown) == []
    _read_all(shown, server)


def _read_all(shown: Exchange, server: RawServer) -> None:
    """Let everything that reads answers read this one, in good time."""
    effect = Effect(kind="read", reason="GET")
    endpoint = Endpoint(
        name="items", group="api", method="GET", base_url=server.base_url, path="/items",
        effect=effect,
    )  # fmt: skip
    started = time.monotonic()
    judge(endpoint, ToolRun(tool="items", exchanges=(shown,)))
    harvest(endpoint, (), shown)
    if shown.response is not None:
        found = read_answer(shown.response)
        if found.kind == "json":
            models = Models()
            models.add("items", found.value)
            models.views()
    assert time.monotonic() - started < SECONDS


def _unlimited(self: BodyDecoder, data: bytes) -> None:
    for stage in vars(self)["_stages"]:
        data = stage.feed(data, 10**9)
    vars(self)["_parts"].append(data)


def _all(self: BodyDecoder) -> bytes:
    return b"".join(vars(self)["_parts"])


def _as_it_is(_: Redactor, value: object) -> object:
    return value


def _never(_: object) -> None:
    pass


DEFENCES: dict[str, list[tuple[object, str, object]]] = {
    "decoding": [(BodyDecoder, "feed", _unlimited), (BodyDecoder, "body", _all)],
    "bytes": [
        (BodyDecoder, "feed", _unlimited),
        (BodyDecoder, "body", _all),
        (transport, "CHUNK", 10**8),
    ],
    "watchdog": [(connections, "_cut", _never)],
    "headers": [(transport, "MAX_ANSWER_HEADER_BYTES", 10**9)],
    "redaction": [(Redactor, name, _as_it_is) for name in ("text", "data", "headers")],
}


@attacks("answers", unguarded=True)
def test_succeeds_without_its_defence(
    attack: Attack,
    server: RawServer,
    open_gateway: OpenGateway,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    for place, name, instead in DEFENCES[attack.without["defence"]]:
        monkeypatch.setattr(place, name, instead)
    started = time.monotonic()
    shown = exchange(attack, server, open_gateway)
    seconds = time.monotonic() - started
    size = len(shown.response.body) if shown.response else 0
    match attack.without["shows"]:
        case "size":
            assert size > 10 * LIMIT
        case "time":
            assert seconds > attack.without["seconds"]
        case "headers":
            assert shown.response is not None
            assert sum(map(len, shown.response.headers.values())) > 200_000
        case _:
            assert leaks(shown) != []


def test_accepts_what_it_can_decode() -> None:
    assert set(decoding.ACCEPTED.split(", ")) == {"gzip", "deflate", "br"}
