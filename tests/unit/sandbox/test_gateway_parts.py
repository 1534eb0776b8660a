"""The gateway's parts: limits, redaction, decoding, bodies and credentials."""

from __future__ import annotations

import base64
import gzip
import html
import json
import threading
import time
import tracemalloc
import zlib
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import cast
from urllib.parse import quote, quote_plus

import brotli  # pyright: ignore[reportMissingTypeStubs]  (it has none)
import pytest
from hypothesis import given
from hypothesis import strategies as st

from doc2tools.compiler.ir.errors import UsageError
from doc2tools.compiler.ir.options import AuthOptions
from doc2tools.sandbox.bodies import body_bytes, body_text
from doc2tools.sandbox.credentials import load_credentials
from doc2tools.sandbox.decoding import BodyDecoder, DecodingError
from doc2tools.sandbox.limits import Budget, Deadline, HostRate, retry_after
from doc2tools.sandbox.redaction import Redactor

NOW = datetime(2026, 1, 1, tzinfo=UTC)
BROTLI = cast("Callable[[bytes], bytes]", brotli.compress)  # pyright: ignore[reportUnknownMemberType]


class TestLimits:
    def test_deadline(self) -> None:
        deadline = Deadline(0.05)
        assert 0 < deadline.remaining() <= 0.05
        deadline.extend(1)
        assert deadline.remaining() > 1
        assert Deadline(0).remaining() <= 0

    def test_rate_lets_a_second_through_and_then_spaces(self) -> None:
        rate = HostRate(10)
        waits = [rate.reserve() for _ in range(13)]
        assert waits[:10] == [0.0] * 10
        assert abs(waits[10] - 0.1) < 0.02
        assert abs(waits[12] - 0.3) < 0.02

    def test_a_slow_rate(self) -> None:
        rate = HostRate(0.5)
        assert rate.reserve() == 0
        assert abs(rate.reserve() - 2) < 0.02

    def test_no_rate_still_holds(self) -> None:
        rate = HostRate(0)
        assert [rate.reserve() for _ in range(1000)] == [0.0] * 1000
        rate.hold(0.5)
        assert abs(rate.reserve() - 0.5) < 0.02

    def test_budget(self) -> None:
        budget = Budget(2)
        assert [budget.spend() for _ in range(4)] == [True, True, False, False]
        assert budget.spent == 2
        assert all(Budget(0).spend() for _ in range(100))

    @pytest.mark.parametrize(
        ("value", "seconds"),
        [
            ("3", 3.0),
            (" 120 ", 120.0),
            ("Thu, 01 Jan 2026 00:00:30 GMT", 30.0),
            ("Wed, 31 Dec 2025 00:00:00 GMT", 0.0),
            ("", None),
            ("soon", None),
            ("-5", None),
            ("1.5", None),
            ("Thu, 99 Foo 2026", None),
            ("9" * 400, 999_999_999.0),
        ],
    )
    def test_retry_after(self, value: str, seconds: float | None) -> None:
        assert retry_after(value, NOW) == seconds

    @given(st.text(max_size=40))
    def test_retry_after_never_raises(self, value: str) -> None:
        assert (retry_after(value, NOW) or 0) >= 0


SECRET = 'pä$$/w+rd "quoted" <&>'  # noqa: S105 (invented)


class TestRedaction:
    @pytest.mark.parametrize(
        "form",
        [
            SECRET,
            json.dumps(SECRET)[1:-1],
            json.dumps(SECRET, ensure_ascii=False)[1:-1],
            html.escape(SECRET),
            quote(SECRET),
            quote(SECRET, safe=""),
            quote_plus(SECRET),
            quote(quote(SECRET, safe=""), safe=""),
            base64.b64encode(SECRET.encode()).decode(),
            base64.urlsafe_b64encode(SECRET.encode()).decode().rstrip("="),
            SECRET.encode().hex(),
            SECRET.encode().decode("latin-1"),
        ],
    )
    def test_forms(self, form: str) -> None:
        redactor = Redactor([SECRET])
        assert redactor.text(f"a={form};") == "a=***;"
        assert redactor.data(f"a={form};".encode()) == b"a=***;"

    @given(before=st.binary(max_size=12), after=st.binary(max_size=12))
    def test_base64_at_any_alignment(self, before: bytes, after: bytes) -> None:
        secret = "kH7planted93xQ"  # noqa: S105 (invented)
        text = base64.b64encode(before + secret.encode() + after).decode()
        shown = Redactor([secret]).text(text)
        assert "***" in shown

    def test_a_short_secret_stands_alone(self) -> None:
        redactor = Redactor(["icing"])
        assert redactor.text('{"user": "icing", "name": "icing2 icings"}') == (
            '{"user": "***", "name": "icing2 icings"}'
        )
        assert redactor.data(b"root:icing@host") == b"root:***@host"

    def test_nothing_known(self) -> None:
        redactor = Redactor(["", "  "])
        assert redactor.text("text") == "text"
        assert redactor.headers({"set-cookie": "a=b", "x": "y"}) == {"set-cookie": "***", "x": "y"}

    def test_learns_later(self) -> None:
        redactor = Redactor(["first-secret-1"])
        redactor.add("second-secret-2")
        assert redactor.text("first-secret-1 second-secret-2") == "*** ***"
        assert "secret-1" not in repr(redactor)

    def test_is_quick_on_a_long_text(self) -> None:
        redactor = Redactor(["kH7planted93xQ", "short"])
        text = b"abc def " * 250_000
        started = time.monotonic()
        assert redactor.data(text) == text
        assert time.monotonic() - started < 0.5


class TestDecoding:
    @pytest.mark.parametrize("size", [1, 7, 100_000])
    def test_in_pieces(self, size: int) -> None:
        body = json.dumps(list(range(5000))).encode()
        for coding, packed in (
            ("gzip", gzip.compress(body)),
            ("deflate", zlib.compress(body)),
            ("deflate", zlib.compress(body)[2:-4]),
            ("gzip, deflate", zlib.compress(gzip.compress(body))),
            ("br", BROTLI(body)),
            ("br, gzip", gzip.compress(BROTLI(body))),
            ("identity", body),
            ("", body),
        ):
            decoder = BodyDecoder(coding, 1_000_000)
            for start in range(0, len(packed), size):
                decoder.feed(packed[start : start + size])
            assert decoder.body() == body
            assert not decoder.full

    def test_a_bomb_stays_small(self) -> None:
        packed = gzip.compress(gzip.compress(bytes(50_000_000)))
        decoder = BodyDecoder("gzip, gzip", 10_000)
        decoder.feed(packed)
        assert decoder.full
        assert len(decoder.body()) == 10_000

    @pytest.mark.parametrize("limit", [10_000, 100_000, 300_000])
    @pytest.mark.parametrize("coding", ["br", "gzip, br"])
    def test_a_brotli_bomb_stays_small(self, coding: str, limit: int) -> None:
        # 40 bytes that stand for 50 million, fed whole: what is decoded stays near the limit.
        decoder = BodyDecoder(coding, limit)
        plain = gzip.compress(bytes(20_000_000), 1) if "gzip" in coding else bytes(20_000_000)
        packed = BROTLI(plain)
        tracemalloc.start()
        try:
            decoder.feed(packed)
            peak = tracemalloc.get_traced_memory()[1]
        finally:
            tracemalloc.stop()
        assert decoder.full
        assert len(decoder.body()) == limit
        assert peak < 3_000_000

    def test_just_the_limit_is_not_too_much(self) -> None:
        decoder = BodyDecoder("gzip", 1000)
        decoder.feed(gzip.compress(bytes(1000)))
        assert not decoder.full
        decoder = BodyDecoder("gzip", 999)
        decoder.feed(gzip.compress(bytes(1000)))
        assert decoder.full

    @pytest.mark.parametrize(
        "coding", ["zstd", "gzip, zstd", "gzip, gzip, gzip", "br, br, br", "x" * 99]
    )
    def test_other_codings(self, coding: str) -> None:
        with pytest.raises(DecodingError, match="not supported"):
            BodyDecoder(coding, 10)

    @given(st.binary(min_size=1, max_size=200))
    def test_noise(self, data: bytes) -> None:
        for coding in ("gzip", "deflate", "br"):
            decoder = BodyDecoder(coding, 1000)
            try:
                decoder.feed(data)
            except DecodingError:
                continue
            assert len(decoder.body()) <= 1000


class TestBodies:
    @pytest.mark.parametrize(
        ("data", "content_type", "text"),
        [
            (b'{"a": 1}', "application/json", '{"a": 1}'),
            ("Größe".encode(), "text/html", "Größe"),
            ("Größe".encode("latin-1"), "text/html; charset=ISO-8859-1", "Größe"),
            ("Größe".encode(), 'text/html; charset="UTF-8"', "Größe"),
            ("Größe".encode(), "text/html; charset=nonsense", "Größe"),
            ("Größe".encode(), "text/html; charset=rot13", "Größe"),
            ("Größe".encode(), "text/html; charset=us-ascii", "Größe"),
            (b"", "", ""),
        ],
    )
    def test_text(self, data: bytes, content_type: str, text: str) -> None:
        assert body_text(data, {"content-type": content_type}) == (text, False)

    def test_bytes(self) -> None:
        assert body_text(b"\xff\xfe\x00", {}) == (base64.b64encode(b"\xff\xfe\x00").decode(), True)

    @given(
        st.binary(max_size=60),
        st.sampled_from(
            ["", "utf-8", "latin-1", "utf-16", "gbk", "shift_jis", "idna", "zip", "\0"]
        ),
    )
    def test_the_way_back(self, data: bytes, charset: str) -> None:
        headers = {"content-type": f"text/plain; charset={charset}"}
        text, encoded = body_text(data, headers)
        assert body_bytes(text, encoded=encoded, headers=headers) == data

    def test_what_is_no_base64(self) -> None:
        assert body_bytes("not base64!", encoded=True, headers={}) == b""


class TestCredentials:
    def test_from_a_file(self, tmp_path: Path) -> None:
        path = tmp_path / "token"
        path.write_text("  the-token  \nsecond line\n")
        auth = AuthOptions(type="bearer", token_file=str(path))
        loaded = load_credentials(auth, {})
        assert loaded.headers == {"Authorization": "Bearer the-token"}
        assert "the-token" not in repr(loaded)

    @pytest.mark.parametrize(
        ("auth", "message"),
        [
            ({"type": "basic", "username": "u"}, "names no password"),
            ({"type": "bearer"}, "names no token"),
            ({"type": "bearer", "token_env": "NOT_THERE"}, "NOT_THERE is not set"),
            ({"type": "header", "token_env": "TOKEN"}, "has no name"),
            ({"type": "query", "token_env": "TOKEN"}, "has no name"),
            ({"type": "cookie", "token_env": "TOKEN"}, "has no name"),
            ({"type": "bearer", "token_file": "/nonexistent/file"}, "cannot be read"),
            ({"type": "bearer", "token_env": "BROKEN"}, "line break"),
            ({"type": "login"}, "no url"),
            ({"type": "login", "url": "/l", "body": {"p": "$NOT_THERE"}}, "NOT_THERE"),
        ],
    )
    def test_what_is_missing(self, auth: dict[str, object], message: str) -> None:
        options = AuthOptions().model_copy(update=auth)
        with pytest.raises(UsageError, match=message) as caught:
            load_credentials(options, {"TOKEN": "visible-token", "BROKEN": "visible\ntoken"})
        assert caught.value.hint
        assert "visible" not in str(caught.value) + caught.value.hint

    def test_an_empty_file(self, tmp_path: Path) -> None:
        (tmp_path / "token").touch()
        with pytest.raises(UsageError, match="is empty"):
            load_credentials(AuthOptions(type="bearer", token_file=str(tmp_path / "token")), {})

    def test_login_body(self) -> None:
        body = {"user": "ada", "password": "$PW", "nested": {"keys": ["$PW", 1, None]}, "cost": "$"}
        auth = AuthOptions.model_validate({"type": "login", "url": "/login", "body": body})
        loaded = load_credentials(auth, {"PW": "the-password"})
        assert loaded.login_body == {
            "user": "ada",
            "password": "the-password",
            "nested": {"keys": ["the-password", 1, None]},
            "cost": "$",
        }
        assert set(loaded.secrets) == {"the-password"}
        assert "the-password" not in repr(loaded)


def test_rate_is_fair_under_threads() -> None:
    rate = HostRate(100)
    waits: list[float] = []

    def take() -> None:
        waits.extend(rate.reserve() for _ in range(50))

    threads = [threading.Thread(target=take) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert abs(max(waits) - 1.0) < 0.1
