"""Speaks HTTP: one pool of connections to addresses that were checked, everything bounded.

A name is resolved once and its addresses are judged before a socket opens; the connection is made
to those very addresses, under the name for Host, SNI and certificate. Redirects are not followed.
Foreign exceptions become `TransportError`s here and nowhere else.
"""

from __future__ import annotations

import http.client
import re
import socket
import ssl
import threading
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

import certifi
import urllib3
from urllib3.connectionpool import HTTPConnectionPool
from urllib3.exceptions import (
    ConnectTimeoutError,
    HTTPError,
    MaxRetryError,
    NewConnectionError,
    ProtocolError,
    ReadTimeoutError,
    SSLError,
)
from urllib3.util import Retry, Timeout

from doc2tools.compiler.ir.exchange import TransportCause, TransportFailure
from doc2tools.compiler.ir.options import TlsOptions
from doc2tools.sandbox.addresses import Origin, Target, as_address
from doc2tools.sandbox.connections import (
    CONNECT_SECONDS,
    PinnedPool,
    PinnedTlsPool,
    Watch,
    Watchdog,
    current,
    os_reason,
)
from doc2tools.sandbox.decoding import ACCEPTED, BodyDecoder, DecodingError
from doc2tools.sandbox.limits import Deadline

IDEMPOTENT = frozenset({"GET", "HEAD", "OPTIONS", "PUT", "DELETE", "TRACE"})
MAX_ANSWER_HEADER_BYTES = 131_072
CHUNK = 65_536
RESOLVED_FOR = 300.0

_CONTROL = re.compile(r"[\x00-\x08\x0a-\x1f\x7f]")

Lookup = Callable[[str, int], list[str]]
AddressCheck = Callable[[Origin, str], TransportFailure | None]


class TransportError(Exception):
    """No answer came; `failure` says why."""

    def __init__(self, cause: TransportCause, message: str) -> None:
        """Keep the typed failure."""
        super().__init__(message)
        self.failure = TransportFailure(cause=cause, message=message)


@dataclass(frozen=True, slots=True)
class Answer:
    """What came back: lower-case header names, decoded body, bounded."""

    status: int
    headers: dict[str, str]
    set_cookies: tuple[str, ...]
    body: bytes
    truncated: bool


def look_up(host: str, port: int) -> list[str]:
    """Ask the system's resolver for the addresses of `host`."""
    found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    return list(dict.fromkeys(str(entry[4][0]) for entry in found))


@dataclass
class _Resolved:
    addresses: tuple[str, ...]
    until: float = field(default_factory=lambda: time.monotonic() + RESOLVED_FOR)


class Transport:
    """Sends requests to checked addresses. Thread-safe."""

    def __init__(
        self,
        tls: TlsOptions,
        check: AddressCheck,
        *,
        lookup: Lookup = look_up,
        response_bytes: int = 2_000_000,
    ) -> None:
        """Open no socket yet.

        Args:
            tls: Whether and by which authorities certificates are checked.
            check: Judges each resolved address of a host.
            lookup: Resolves a name.
            response_bytes: Bytes of an answer that are read, raw and decoded alike.
        """
        self._tls = tls
        self._check = check
        self._lookup = lookup
        self._response_bytes = response_bytes
        self._resolved: dict[Origin, _Resolved] = {}
        self._pools: dict[Origin, HTTPConnectionPool] = {}
        self._lock = threading.Lock()
        self._watchdog = Watchdog()

    def close(self) -> None:
        """Close all connections."""
        self._watchdog.close()
        with self._lock:
            for pool in self._pools.values():
                pool.close()
            self._pools.clear()

    def addresses(self, origin: Origin, deadline: Deadline) -> tuple[str, ...]:
        """Give the checked addresses of an origin, resolved at most every five minutes.

        Raises:
            TransportError: the name is unknown, or one of its addresses may not be called.
        """
        if as_address(origin.host) is not None:
            found = (origin.host,)
        else:
            known = self._resolved.get(origin)
            if known is not None and known.until > time.monotonic():
                return known.addresses
            found = self._resolve(origin.host, origin.port, deadline)
        for address in found:
            if refusal := self._check(origin, address):
                raise TransportError(refusal.cause, refusal.message)
        self._resolved[origin] = _Resolved(found)
        return found

    def send(
        self,
        method: str,
        target: Target,
        headers: Mapping[str, str],
        body: bytes,
        deadline: Deadline,
    ) -> Answer:
        """Send one request and read its answer, bounded in time and bytes.

        Raises:
            TransportError: no answer came.
        """
        origin = target.origin
        watch = Watch(self.addresses(origin, deadline), deadline)
        current.watch = watch
        self._watchdog.add(watch)
        try:
            answer = self._exchange(method, target, headers, body, deadline)
            if watch.expired:
                # The end of a connection that was cut can look like the end of an answer.
                raise TimeoutError
            return answer
        except (HTTPError, http.client.HTTPException, OSError, ValueError) as error:
            problem = translate(error, origin)
            reached = problem.failure.cause != "unreachable" or watch.sock is not None
            if reached and (watch.expired or deadline.remaining() <= 0):
                message = f"no complete answer from {origin} in time"
                raise TransportError("timeout", message) from None
            raise problem from None
        finally:
            self._watchdog.remove(watch)
            current.watch = None

    def _exchange(
        self,
        method: str,
        target: Target,
        headers: Mapping[str, str],
        body: bytes,
        deadline: Deadline,
    ) -> Answer:
        pool = self._pool(target.origin)
        left = deadline.remaining()
        if left <= 0:
            raise TransportError("timeout", f"no time left to call {target.origin}")
        idempotent = method in IDEMPOTENT
        tries = Retry(
            total=1 if idempotent else 0,
            connect=1 if idempotent else 0,
            read=False,
            redirect=False,
            status=False,
            other=False,
            respect_retry_after_header=False,
            backoff_factor=0.05,
        )

        def ask() -> urllib3.BaseHTTPResponse:
            return pool.urlopen(
                method,
                target.path,
                body=body or None,
                headers={**headers, "Accept-Encoding": ACCEPTED},
                retries=tries,
                redirect=False,
                assert_same_host=False,
                timeout=Timeout(connect=min(CONNECT_SECONDS, left), read=left),
                preload_content=False,
                decode_content=False,
            )

        try:
            response = ask()
        except ProtocolError:
            # Perhaps a kept connection that the server closed just now, the request unseen.
            if not idempotent or deadline.remaining() <= 0:
                raise
            response = ask()
        try:
            return self._read(method, response, deadline)
        except BaseException:
            response.close()
            raise

    def _read(self, method: str, response: urllib3.BaseHTTPResponse, deadline: Deadline) -> Answer:
        size = sum(len(name) + len(value) for name, value in response.headers.items())
        if size > MAX_ANSWER_HEADER_BYTES:
            raise TransportError("protocol", f"the answer has {size:,} bytes of headers")
        headers: dict[str, str] = {}
        for name, value in response.headers.items():
            key, plain = name.lower(), _CONTROL.sub(" ", value)
            headers[key] = f"{headers[key]}, {plain}" if key in headers else plain
        cookies = tuple(response.headers.getlist("set-cookie"))
        coding = headers.get("content-encoding", "")
        try:
            decoder = BodyDecoder("" if method == "HEAD" else coding, self._response_bytes)
            raw = 0
            while not decoder.full:
                data = response.read(CHUNK, decode_content=False)
                if not data:
                    break
                raw += len(data)
                decoder.feed(data)
                if deadline.remaining() <= 0:
                    raise TransportError("timeout", "the answer did not end in time")
                if raw > self._response_bytes:
                    decoder.full = True
        except DecodingError as error:
            raise TransportError("protocol", str(error)) from None
        if decoder.full:
            response.close()
        else:
            response.release_conn()
        if coding:
            for name in ("content-encoding", "content-length"):
                headers.pop(name, None)
        headers.pop("transfer-encoding", None)
        return Answer(response.status, headers, cookies, decoder.body(), decoder.full)

    def _pool(self, origin: Origin) -> HTTPConnectionPool:
        with self._lock:
            pool = self._pools.get(origin)
            if pool is None:
                pool = self._pools[origin] = self._new_pool(origin)
            return pool

    def _new_pool(self, origin: Origin) -> HTTPConnectionPool:
        if origin.scheme == "http":
            return PinnedPool(origin.host, origin.port, maxsize=64)
        if not self._tls.verify:
            return PinnedTlsPool(
                origin.host, origin.port, maxsize=64, cert_reqs="CERT_NONE", assert_hostname=False
            )
        return PinnedTlsPool(
            origin.host,
            origin.port,
            maxsize=64,
            cert_reqs="CERT_REQUIRED",
            ca_certs=self._tls.ca or certifi.where(),
        )

    def _resolve(self, host: str, port: int, deadline: Deadline) -> tuple[str, ...]:
        # The system's resolver cannot be interrupted, so it runs in a thread that is left behind.
        outcome: list[list[str] | Exception] = []

        def work() -> None:
            try:
                outcome.append(self._lookup(host, port))
            except (OSError, UnicodeError) as error:
                outcome.append(error)

        thread = threading.Thread(target=work, name="resolver", daemon=True)
        thread.start()
        thread.join(max(0.0, min(CONNECT_SECONDS, deadline.remaining())))
        if not outcome:
            raise TransportError("dns", f"looking up {host} took too long")
        found = outcome[0]
        if isinstance(found, Exception) or not found:
            raise TransportError("dns", f"the host {host} is not known")
        return tuple(found)


def translate(error: BaseException, origin: Origin) -> TransportError:
    """Give the typed failure for an exception of urllib3, `http.client`, ssl or the system."""
    reason = error.reason if isinstance(error, MaxRetryError) and error.reason else error
    cause = reason.__cause__ or reason.__context__ or reason
    if isinstance(reason, SSLError) or isinstance(cause, ssl.SSLError):
        return TransportError("tls", f"TLS with {origin} failed: {_tls_reason(reason, cause)}")
    if isinstance(reason, NewConnectionError):
        text = os_reason(cause if isinstance(cause, OSError) else None)
        return TransportError("unreachable", f"{origin} cannot be reached: {text}")
    if isinstance(reason, ConnectTimeoutError):
        return TransportError(
            "unreachable", f"{origin} cannot be reached: connecting took too long"
        )
    if isinstance(reason, ReadTimeoutError | TimeoutError):
        return TransportError("timeout", f"no answer from {origin} in time")
    detail = str(reason.args[-1] if reason.args else reason)[:200]
    if isinstance(reason, OSError) and not isinstance(reason, HTTPError):
        return TransportError("unreachable", f"the connection to {origin} broke: {detail}")
    return TransportError("protocol", f"{origin} gave no valid HTTP answer: {detail}")


def _tls_reason(reason: BaseException, cause: BaseException) -> str:
    for error in (cause, reason):
        if isinstance(error, ssl.SSLCertVerificationError):
            return f"{error.verify_message} (tls.verify = false or tls.ca settles this)"
    return str(reason.args[0] if reason.args else reason)[:200]
