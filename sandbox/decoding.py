"""Undoes gzip, deflate and brotli in bounded steps: a small answer cannot grow without limit."""

from __future__ import annotations

import zlib
from collections.abc import Callable
from typing import Protocol, cast

import brotli  # pyright: ignore[reportMissingTypeStubs]  (it has none)

ACCEPTED = "gzip, deflate, br"
_KNOWN = frozenset({"gzip", "x-gzip", "deflate", "br"})
_STEP = 65_536


class DecodingError(Exception):
    """The body is not what its `Content-Encoding` says, or is of a kind that is not decoded."""


class BodyDecoder:
    """Collects a body piece by piece, decoded, up to a limit.

    Attributes:
        full: The limit is reached; what comes after it is dropped.
    """

    def __init__(self, content_encoding: str, limit: int) -> None:
        """Prepare for a body of at most `limit` decoded bytes.

        Raises:
            DecodingError: an encoding that was not asked for, or more than two in a row.
        """
        names = [name.strip().lower() for name in content_encoding.split(",")]
        names = [name for name in names if name not in ("", "identity")]
        if len(names) > 2 or not all(name in _KNOWN for name in names):
            raise DecodingError(f"the content encoding {content_encoding[:60]!r} is not supported")
        self._stages = [_stage(name) for name in reversed(names)]
        self._limit = limit
        self._parts: list[bytes] = []
        self._size = 0
        self.full = False

    def feed(self, data: bytes) -> None:
        """Take the next raw bytes.

        Raises:
            DecodingError: they cannot be decoded.
        """
        # Each stage may give no more than the limit, so a bomb inside a bomb stays small too.
        allowed = self._limit - self._size + 1
        for stage in self._stages:
            data = stage.feed(data, allowed)
        self._parts.append(data)
        self._size += len(data)
        self.full = self._size > self._limit

    def body(self) -> bytes:
        """Give what was collected, cut at the limit."""
        return b"".join(self._parts)[: self._limit]


class _Stage(Protocol):
    def feed(self, data: bytes, limit: int) -> bytes: ...


class _Engine(Protocol):
    def process(self, data: bytes, *, output_buffer_limit: int) -> bytes: ...
    def is_finished(self) -> bool: ...


_new_engine = cast("Callable[[], _Engine]", brotli.Decompressor)  # pyright: ignore[reportUnknownMemberType]
_BrokenError = cast("type[Exception]", brotli.error)  # pyright: ignore[reportUnknownMemberType]


def _stage(name: str) -> _Stage:
    return _Brotli() if name == "br" else _Inflater(deflate=name == "deflate")


class _Brotli:
    def __init__(self) -> None:
        self._engine = _new_engine()

    def feed(self, data: bytes, limit: int) -> bytes:
        parts: list[bytes] = []
        try:
            while limit > 0 and not self._engine.is_finished():
                part = self._engine.process(data, output_buffer_limit=min(limit, _STEP))
                parts.append(part)
                limit -= len(part)
                data = b""
                if not part:
                    break
        except _BrokenError:
            raise DecodingError("the compressed body is broken") from None
        return b"".join(parts)


class _Inflater:
    def __init__(self, *, deflate: bool) -> None:
        self._deflate = deflate
        self._pending = b""
        self._engine = None if deflate else zlib.decompressobj(zlib.MAX_WBITS | 16)

    def feed(self, data: bytes, limit: int) -> bytes:
        if self._engine is None:
            data = self._pending = self._pending + data
            if len(data) < 2:
                return b""
            self._engine = zlib.decompressobj(_deflate_bits(data))
        parts: list[bytes] = []
        while data and limit > 0:
            try:
                part = self._engine.decompress(data, limit)
            except zlib.error:
                raise DecodingError("the compressed body is broken") from None
            parts.append(part)
            limit -= len(part)
            data = self._engine.unconsumed_tail
            if self._engine.eof:
                data = self._engine.unused_data
                if self._deflate or not data.startswith(b"\x1f"):
                    break
                # The next member of a gzip file (RFC 1952, section 2.2).
                self._engine = zlib.decompressobj(zlib.MAX_WBITS | 16)
        return b"".join(parts)


def _deflate_bits(head: bytes) -> int:
    # "deflate" is sent both with the zlib wrapper and, wrongly, without (RFC 9110, 8.4.1.2).
    wrapped = head[0] & 15 == 8 and (head[0] << 8 | head[1]) % 31 == 0
    return zlib.MAX_WBITS if wrapped else -zlib.MAX_WBITS
