"""Frames between the gateway's process and the worker: a JSON header and raw bytes, both bounded.

Eight bytes give the two lengths, big-endian. The worker has its own copy of this small protocol, as
it imports nothing of doc2tools. What the worker sends is untrusted: JSON only, checked on reading.
"""

from __future__ import annotations

import contextlib
import json
import socket
import struct
import threading
from typing import BinaryIO, cast

from doc2tools.compiler.ir.base import JsonValue

MAX_HEADER = 1_048_576
MAX_BODY = 9_000_000
SEND_SECONDS = 10

_LENGTHS = struct.Struct(">II")

Header = dict[str, JsonValue]


class ChannelError(Exception):
    """The other end is gone, does not read, or does not keep to the protocol."""


class Channel:
    """One end of a socket pair. Any thread may send; one thread receives."""

    def __init__(self, end: socket.socket) -> None:
        """Take over `end`."""
        # A worker that does not read must not hold up a sender for good.
        end.setsockopt(socket.SOL_SOCKET, socket.SO_SNDTIMEO, struct.pack("ll", SEND_SECONDS, 0))
        self._socket = end
        self._stream = cast("BinaryIO", end.makefile("rb", buffering=65_536))
        self._lock = threading.Lock()

    def send(self, header: Header, body: bytes = b"") -> None:
        """Send one frame.

        Raises:
            ChannelError: the other end is gone or does not read.
        """
        text = json.dumps(header).encode()
        data = _LENGTHS.pack(len(text), len(body)) + text
        try:
            with self._lock:
                if len(body) < 65_536:
                    self._socket.sendall(data + body)
                else:
                    self._socket.sendall(data)
                    self._socket.sendall(body)
        except OSError as error:
            raise ChannelError(f"the worker does not read: {error}") from None

    def receive(self) -> tuple[Header, bytes] | None:
        """Give the next frame, or `None` when the other end is gone; nothing comes after that.

        Raises:
            ChannelError: the frame is malformed or too long.
        """
        frame = None
        try:
            frame = self._receive()
        finally:
            if frame is None:
                self._stream.close()
        return frame

    def _receive(self) -> tuple[Header, bytes] | None:
        try:
            lengths = self._stream.read(_LENGTHS.size)
            if len(lengths) < _LENGTHS.size:
                return None
            header_length, body_length = _LENGTHS.unpack(lengths)
            if header_length > MAX_HEADER or body_length > MAX_BODY:
                raise ChannelError("the worker sent a frame that is too long")
            text = self._stream.read(header_length)
            body = self._stream.read(body_length) if body_length else b""
        except (OSError, ValueError):
            return None
        if len(text) < header_length or len(body) < body_length:
            return None
        try:
            header: object = json.loads(text)
        except (ValueError, RecursionError):
            raise ChannelError("the worker sent a frame that is no JSON") from None
        if not isinstance(header, dict):
            raise ChannelError("the worker sent a frame that is no object")
        return cast("Header", header), body

    def close(self) -> None:
        """Close this end; a thread in `receive` gets `None`."""
        with contextlib.suppress(OSError):
            self._socket.shutdown(socket.SHUT_RDWR)
        self._socket.close()
