"""The only way out of the sandbox: checks, rations, signs, sends, bounds, redacts and records.

A `Request` without credentials comes in; an `Exchange` without credentials goes out. Each redirect
hop is a request of its own. Whatever goes wrong with the server is a typed failure in the exchange.
"""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Callable, Mapping
from types import TracebackType
from typing import Self

from doc2tools.compiler.ir.exchange import Exchange, Request, Response, TransportFailure
from doc2tools.compiler.ir.options import CompileOptions
from doc2tools.sandbox.addresses import Origin, Refused, Target, is_loopback, read_url
from doc2tools.sandbox.authentication import Authenticator
from doc2tools.sandbox.bodies import body_bytes, body_text
from doc2tools.sandbox.credentials import load_credentials
from doc2tools.sandbox.limits import (
    DEFAULT_RATE,
    MAX_RETRY_AFTER,
    Budget,
    Deadline,
    HostRate,
    retry_after,
)
from doc2tools.sandbox.policy import Policy
from doc2tools.sandbox.recordings import Recordings
from doc2tools.sandbox.redaction import Redactor
from doc2tools.sandbox.transport import (
    IDEMPOTENT,
    Answer,
    Lookup,
    Transport,
    TransportError,
    look_up,
)

MAX_TRIES = 3
FAULTS_BEFORE_REST = 3
REST_SECONDS = 10.0
SAFE = frozenset({"GET", "HEAD", "OPTIONS"})

_HOP_BY_HOP = frozenset(
    {"accept-encoding", "connection", "content-length", "expect", "host", "keep-alive"}
    | {"te", "trailer", "transfer-encoding", "upgrade"}
)


class _Health:
    """Lets an origin that cannot be reached rest, so that not every call waits for it in turn."""

    def __init__(self) -> None:
        self._faults = 0
        self._until = 0.0
        self._failure: TransportFailure | None = None

    def resting(self) -> TransportFailure | None:
        return self._failure if time.monotonic() < self._until else None

    def note(self, failure: TransportFailure | None) -> None:
        if failure is None or failure.cause not in ("unreachable", "dns"):
            self._faults = 0
            return
        self._faults += 1
        if self._faults >= FAULTS_BEFORE_REST:
            self._failure = failure
            self._until = time.monotonic() + REST_SECONDS


class Gateway:
    """Makes the calls of one compile. Thread-safe; a context manager that closes its connections.

    Attributes:
        policy: What may be called.
        on_exchange: Called with every exchange, replayed and refused ones included.
    """

    def __init__(
        self,
        policy: Policy,
        options: CompileOptions,
        base_url: str,
        recordings: Recordings,
        *,
        offline: bool = False,
        on_exchange: Callable[[Exchange], None] | None = None,
        environment: Mapping[str, str] | None = None,
        lookup: Lookup = look_up,
    ) -> None:
        """Read the credentials; open no socket.

        Args:
            policy: What may be called.
            options: Authentication, TLS and limits.
            base_url: Requests to its origin get the credentials.
            recordings: Where exchanges are kept and replayed from.
            offline: Only replay; what is not recorded is unreachable.
            on_exchange: Called with every exchange.
            environment: Where credentials are read from; the process's own by default.
            lookup: Resolves names.

        Raises:
            UsageError: a credential is missing or unusable.
        """
        self.policy = policy
        self.on_exchange = on_exchange
        self._limits = options.limits
        self._recordings = recordings
        self._offline = offline
        self._redactor = Redactor()
        credentials = load_credentials(
            options.auth, os.environ if environment is None else environment
        )
        self._authenticator = Authenticator(options.auth, credentials, base_url, self._redactor)
        self._transport = Transport(
            options.tls,
            policy.decide_address,
            lookup=lookup,
            response_bytes=self._limits.response_bytes,
        )
        self._budget = Budget(self._limits.calls)
        self._rates: dict[str, HostRate] = {}
        self._health: dict[Origin, _Health] = {}
        self._lock = threading.Lock()
        self._closed = threading.Event()

    def __enter__(self) -> Self:
        """Give the gateway itself."""
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        """Close all connections."""
        self.close()

    def close(self) -> None:
        """Close all connections and end every wait."""
        self._closed.set()
        self._transport.close()

    @property
    def calls_made(self) -> int:
        """Requests that really went out, logins and repeats included."""
        return self._budget.spent

    @property
    def login_problem(self) -> str:
        """Why the configured login failed, or "" where it did not."""
        return self._authenticator.problem

    def redact(self, text: str) -> str:
        """Give `text` without any credential of this compile."""
        return self._redactor.text(text)

    def exchange(
        self, request: Request, *, deadline: Deadline | None = None, scope: str = ""
    ) -> Exchange:
        """Carry out one request, or replay it.

        Args:
            request: What a tool asked to send.
            deadline: When its call must be done; waiting for the rate limit moves it on.
            scope: Keeps its recording apart from those of the same request in other scopes.

        Returns:
            The exchange: request without credentials, and answer or failure.

        Raises:
            StoreError: the answer could not be recorded.
        """
        exchange = self._exchange(request, deadline or Deadline(self._limits.timeout), scope)
        if self.on_exchange is not None:
            self.on_exchange(exchange)
        return exchange

    def _exchange(self, request: Request, deadline: Deadline, scope: str) -> Exchange:
        lower = {name.lower(): value for name, value in request.headers.items()}
        body = body_bytes(request.body, encoded=request.body_base64, headers=lower)
        refusal = self.policy.decide(request.method, request.url, request.headers, body)
        target = read_url(request.url)
        if refusal is not None or isinstance(target, Refused):
            return Exchange(request=self._shown(request), failure=self._clean(refusal))
        headers = {
            name: value
            for name, value in self._authenticator.strip(request.headers).items()
            if name.lower() not in _HOP_BY_HOP
        }
        signed = self._authenticator.concerns(target)
        if signed:
            target = self._authenticator.strip_query(target)
        request = self._shown(request.model_copy(update={"url": str(target), "headers": headers}))

        def send() -> Exchange:
            return self._send(request, target, headers, body, deadline)

        def keep(exchange: Exchange) -> bool:
            # With a credential configured, a refusal may be the credential's fault.
            status = exchange.response.status if exchange.response else 0
            return not (signed and status in (401, 403))

        key = Recordings.key(request, self._authenticator.context if signed else "", scope)
        if request.method in SAFE:
            return self._recordings.once(key, send, keep, request)
        exchange = self._recordings.get(key, request)
        if exchange is None:
            exchange = send()
            if keep(exchange):
                self._recordings.put(key, exchange)
        return exchange

    def _send(
        self,
        request: Request,
        target: Target,
        headers: dict[str, str],
        body: bytes,
        deadline: Deadline,
    ) -> Exchange:
        if self._offline:
            failure = TransportFailure(
                cause="unreachable", message=f"offline, and no answer recorded for {request.url}"
            )
            return Exchange(request=request, failure=failure)
        started = time.monotonic()
        try:
            answer = self._answer(request.method, target, headers, body, deadline)
        except TransportError as error:
            return Exchange(request=request, failure=self._clean(error.failure))
        return Exchange(
            request=request,
            response=self._response(answer, request.url, time.monotonic() - started),
        )

    def _answer(
        self, method: str, target: Target, headers: dict[str, str], body: bytes, deadline: Deadline
    ) -> Answer:
        def login(verb: str, where: Target, sent: dict[str, str], data: bytes) -> Answer:
            return self._paced(verb, where, sent, data, deadline)

        if not self._authenticator.concerns(target):
            return self._paced(method, target, headers, body, deadline)
        where, signed, generation = self._authenticator.sign(target, headers, login)
        answer = self._paced(method, where, signed, body, deadline)
        if answer.status == 401 and self._authenticator.renewable:
            self._authenticator.renew(generation, login)
            where, signed, _ = self._authenticator.sign(target, headers, login)
            answer = self._paced(method, where, signed, body, deadline)
            self._authenticator.note_renewal(answer.status)
        return answer

    def _paced(
        self, method: str, target: Target, headers: dict[str, str], body: bytes, deadline: Deadline
    ) -> Answer:
        rate = self._rate(target.origin.host)
        for attempt in range(1, MAX_TRIES + 1):
            self._wait(rate, deadline)
            answer = self._transmit(method, target, headers, body, deadline)
            if answer.status not in (429, 503):
                return answer
            pause = retry_after(answer.headers.get("retry-after", ""))
            if pause is None and answer.status == 429 and attempt == 1:
                pause = 1.0
            refused = answer.status == 429 and self.policy.repeats_writes
            repeatable = refused or method in IDEMPOTENT
            if pause is None or pause > MAX_RETRY_AFTER or not repeatable or attempt == MAX_TRIES:
                return answer
            rate.hold(pause)
        raise AssertionError("the last attempt returns")

    def _wait(self, rate: HostRate, deadline: Deadline) -> None:
        pause = rate.reserve()
        if pause > 0:
            deadline.extend(pause)
            if self._closed.wait(pause):
                raise TransportError("budget", "the compile was ended")

    def _transmit(
        self, method: str, target: Target, headers: dict[str, str], body: bytes, deadline: Deadline
    ) -> Answer:
        with self._lock:
            health = self._health.setdefault(target.origin, _Health())
        if failure := health.resting():
            raise TransportError(failure.cause, f"{failure.message} (not tried again for now)")
        if not self._budget.spend():
            raise TransportError(
                "budget", f"the limit of {self._budget.limit:,} calls is used up (limits.calls)"
            )
        own = Deadline(min(self._limits.timeout, deadline.remaining()))
        try:
            answer = self._transport.send(method, target, headers, body, own)
        except TransportError as error:
            health.note(error.failure)
            raise
        health.note(None)
        return answer

    def _rate(self, host: str) -> HostRate:
        with self._lock:
            rate = self._rates.get(host)
            if rate is None:
                given = self._limits.requests_per_second
                if given is None:
                    given = 0.0 if is_loopback(host) else DEFAULT_RATE
                rate = self._rates[host] = HostRate(given)
            return rate

    def _response(self, answer: Answer, url: str, elapsed: float) -> Response:
        headers = self._redactor.headers(answer.headers)
        data = self._redactor.data(answer.body)
        if len(data) != len(answer.body):
            headers.pop("content-length", None)
        text, encoded = body_text(data, headers)
        return Response(
            status=answer.status,
            headers=headers,
            body=text,
            body_base64=encoded,
            truncated=answer.truncated,
            final_url=url,
            elapsed=round(elapsed, 6),
        )

    def _shown(self, request: Request) -> Request:
        redactor = self._redactor
        return request.model_copy(
            update={
                "url": redactor.text(request.url),
                "headers": redactor.headers(request.headers),
                "body": request.body if request.body_base64 else redactor.text(request.body),
            }
        )

    def _clean(self, failure: TransportFailure | None) -> TransportFailure:
        if failure is None:
            return TransportFailure(cause="refused-by-policy", message="the URL cannot be read")
        return failure.model_copy(update={"message": self._redactor.text(failure.message)})
