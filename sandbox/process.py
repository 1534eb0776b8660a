"""One running worker, as its parent sees it: start, load, call, end.

The thread that calls is the one that carries out the requests of its call, so a call costs no
thread beyond the one that reads the worker's frames.
"""

from __future__ import annotations

import contextlib
import itertools
import os
import secrets
import signal
import socket
import subprocess
import threading
import time
from collections.abc import Callable, Mapping
from http.client import responses as REASONS
from queue import Empty, SimpleQueue
from typing import cast

from doc2tools.compiler.ir.base import JsonValue
from doc2tools.compiler.ir.errors import SandboxError
from doc2tools.compiler.ir.exchange import Exchange, Request, ToolRun, TransportFailure
from doc2tools.compiler.ir.plan import ToolCall
from doc2tools.sandbox.bodies import body_bytes
from doc2tools.sandbox.confinement import Launcher, Limits
from doc2tools.sandbox.frames import Channel, ChannelError, Header
from doc2tools.sandbox.limits import Deadline
from doc2tools.sandbox.untrusted import read_error, read_names, read_request, read_returned

START_SECONDS = 30.0
LOAD_SECONDS = 15.0
GRACE_SECONDS = 1.0
MAX_EXCHANGES = 50
MAX_REDIRECTS = 10
MAX_VIOLATIONS = 20
REDIRECTS = frozenset({301, 302, 303, 307, 308})

ANSWERS = frozenset({"exchange", "done", "loaded", "abandoning"})

Inbox = SimpleQueue[tuple[Header, bytes] | None]
Send = Callable[[Request, Deadline], Exchange]


class WorkerLostError(Exception):
    """The worker died, was killed, or stopped answering, in the middle of a call.

    Attributes:
        exchanges: What the call had sent by then.
        late: The call's own time was up.
        blamed: The call did not end although the worker still listened: it alone is to blame.
    """

    def __init__(
        self, reason: str, exchanges: list[Exchange], *, late: bool = False, blamed: bool = False
    ) -> None:
        """Keep what is known of the call."""
        super().__init__(reason)
        self.exchanges = tuple(exchanges)
        self.late = late
        self.blamed = blamed


class Worker:
    """A worker process and the channel to it. Thread-safe."""

    def __init__(self, launcher: Launcher, limits: Limits) -> None:
        """Start a worker and wait until it is ready.

        Must be called on a thread that lives as long as the worker: the kernel ends the worker
        when that thread ends.

        Raises:
            SandboxError: it did not start.
        """
        ours, theirs = socket.socketpair()
        with theirs:
            self._started = launcher.start(theirs.fileno(), limits)
        self._process = self._started.process
        self._channel = Channel(ours)
        self._inboxes: dict[str, Inbox] = {}
        self._lock = threading.Lock()
        self._loading = threading.Lock()
        self._loaded: set[str] = set()
        self._numbers = itertools.count()
        self._violations = 0
        self._dead = threading.Event()
        self.reason = ""
        self._wait_until_ready()
        self._reader = threading.Thread(target=self._read, name="sandbox-reader", daemon=True)
        self._reader.start()

    @property
    def alive(self) -> bool:
        """Whether calls can still be made."""
        return not self._dead.is_set()

    @property
    def pid(self) -> int:
        """The process that was started (under bubblewrap, bubblewrap's own)."""
        return self._process.pid

    def load(self, root: str, files: Mapping[str, str]) -> None:
        """Write a package into the worker and import its client, once.

        Raises:
            WorkerLostError: the worker ended.
            SandboxError: the package could not be written.
        """
        with self._loading:
            if root in self._loaded:
                return
            number = f"load-{next(self._numbers)}"
            inbox = self._open(number)
            try:
                named = cast("dict[str, JsonValue]", dict(files))
                self._send({"op": "load", "id": number, "root": root, "files": named})
                try:
                    frame = inbox.get(timeout=LOAD_SECONDS)
                except Empty:
                    frame = None
                if frame is None:
                    self.kill("loading a package took too long")
                    raise WorkerLostError(self.reason, [])
            finally:
                self._inboxes.pop(number, None)
            if error := frame[0].get("error"):
                raise SandboxError(f"the worker cannot load the package: {str(error)[:300]}")
            self._loaded.add(root)

    def call(self, call: ToolCall, send: Send) -> ToolRun:
        """Make one call and carry out the requests it sends.

        Raises:
            WorkerLostError: the worker ended, or does not answer when the call's time is up.
        """
        started = time.monotonic()
        deadline = Deadline(call.timeout)
        identity = secrets.token_hex(16)
        exchanges: list[Exchange] = []
        inbox = self._open(identity)
        try:
            self._send(
                {
                    "op": "call",
                    "id": identity,
                    "root": call.root,
                    "module": call.module,
                    "function": call.function,
                    "arguments": call.arguments,
                }
            )
            done, timed_out = self._attend(identity, inbox, deadline, exchanges, send)
        except WorkerLostError as lost:
            raise WorkerLostError(
                str(lost), exchanges, late=lost.late, blamed=lost.blamed
            ) from None
        finally:
            self._inboxes.pop(identity, None)
        return ToolRun(
            tool=call.tool,
            exchanges=tuple(exchanges),
            returned=read_returned(done.get("returned")),
            error=None if timed_out else read_error(done.get("error")),
            timed_out=timed_out,
            elapsed=round(time.monotonic() - started, 6),
        )

    def kill(self, reason: str) -> None:
        """End the worker at once; calls under way are lost."""
        with self._lock:
            if self._dead.is_set():
                return
            self.reason = reason
            self._dead.set()
            inboxes = list(self._inboxes.values())
        _end(self._process)
        self._channel.close()
        for inbox in inboxes:
            inbox.put(None)
        self._started.clear()

    def _attend(
        self,
        identity: str,
        inbox: Inbox,
        deadline: Deadline,
        exchanges: list[Exchange],
        send: Send,
    ) -> tuple[Header, bool]:
        timed_out = blamed = False
        while True:
            left = GRACE_SECONDS if timed_out else deadline.remaining()
            try:
                frame = inbox.get(timeout=max(0.0, left))
            except Empty:
                if timed_out:
                    self.kill("a call did not end when its time was up")
                    raise WorkerLostError(
                        self.reason, exchanges, late=True, blamed=blamed
                    ) from None
                timed_out = True
                self._send({"op": "abandon", "id": identity})
                continue
            if frame is None:
                raise WorkerLostError(self.reason, exchanges)
            header, body = frame
            if header["op"] == "abandoning":
                # The worker still listens, so it is this call alone that does not end.
                blamed = True
                continue
            if header["op"] == "done":
                return header, timed_out or deadline.remaining() <= 0
            self._carry_out(header, body, deadline, exchanges, send)

    def _carry_out(
        self, header: Header, body: bytes, deadline: Deadline, exchanges: list[Exchange], send: Send
    ) -> None:
        request = read_request(header, body)
        if request is None:
            self.kill("the worker sent a malformed request")
            return
        failure = _excess(exchanges)
        if failure is not None:
            exchange = Exchange(request=request, failure=failure)
            if len(exchanges) >= MAX_EXCHANGES + MAX_VIOLATIONS:
                self.kill("a call would not stop sending requests")
                return
        elif deadline.remaining() <= 0:
            late = TransportFailure(cause="timeout", message="the call's time is up")
            exchange = Exchange(request=request, failure=late)
        else:
            exchange = send(request, deadline)
        exchanges.append(exchange)
        self._answer(header.get("id"), exchange)

    def _answer(self, number: JsonValue, exchange: Exchange) -> None:
        response = exchange.response
        if response is None:
            failure = exchange.failure
            cause = failure.cause if failure else "protocol"
            message = failure.message if failure else ""
            self._send({"op": "answer", "id": number, "failure": cause, "message": message})
            return
        data = body_bytes(response.body, encoded=response.body_base64, headers=response.headers)
        self._send(
            {
                "op": "answer",
                "id": number,
                "status": response.status,
                "reason": REASONS.get(response.status, ""),
                "headers": cast("dict[str, JsonValue]", response.headers),
            },
            data,
        )

    def _open(self, identity: str) -> Inbox:
        inbox: Inbox = SimpleQueue()
        with self._lock:
            if self._dead.is_set():
                raise WorkerLostError(self.reason, [])
            self._inboxes[identity] = inbox
        return inbox

    def _send(self, header: Header, body: bytes = b"") -> None:
        try:
            self._channel.send(header, body)
        except ChannelError as error:
            self.kill(str(error))
            raise WorkerLostError(self.reason, []) from None

    def _read(self) -> None:
        reason = "the worker ended"
        try:
            while frame := self._channel.receive():
                if not self._dispatch(frame):
                    reason = "the worker does not keep to the protocol"
                    break
        except ChannelError as error:
            reason = str(error)
        self.kill(f"{reason}{self._exit_reason()}" if reason == "the worker ended" else reason)

    def _dispatch(self, frame: tuple[Header, bytes]) -> bool:
        header = frame[0]
        operation = header.get("op")
        key = header.get("call" if operation == "exchange" else "id")
        inbox = self._inboxes.get(key) if isinstance(key, str) else None
        if inbox is not None and operation in ANSWERS:
            inbox.put(frame)
            return True
        # A stray thread of a finished call, or a forgery: no request without a call under way.
        self._violations += 1
        if operation == "exchange" and isinstance(header.get("id"), int):
            with contextlib.suppress(WorkerLostError):
                refusal: Header = {
                    "op": "answer",
                    "id": header["id"],
                    "failure": "refused-by-policy",
                    "message": "the request belongs to no call under way",
                }
                self._send(refusal)
        return self._violations <= MAX_VIOLATIONS

    def _wait_until_ready(self) -> None:
        timer = threading.Timer(START_SECONDS, self._process.kill)
        timer.start()
        try:
            frame = self._channel.receive()
        except ChannelError:
            frame = None
        finally:
            timer.cancel()
        stream = self._process.stderr
        if frame is not None and frame[0].get("op") == "ready":
            if stream:
                stream.close()
            self.lost = read_names(frame[0].get("lost"))
            return
        self._process.kill()
        if frame is not None:
            self._channel.close()
            self._channel.receive()
        text = stream.read(20_000).decode("utf-8", "replace").strip() if stream else ""
        self.kill("the worker did not start")
        last = text.splitlines()[-1][:300] if text else "it gave no reason"
        raise SandboxError(f"the worker did not start: {last}")

    def _exit_reason(self) -> str:
        try:
            code = self._process.wait(timeout=1)
        except subprocess.TimeoutExpired:
            return ""
        # Bubblewrap hands a signal on as 128 and its number.
        number = -code if code < 0 else code - 128
        if number in list(signal.Signals):
            return f" by {signal.Signals(number).name}"
        return f" with exit code {code}"


def _excess(exchanges: list[Exchange]) -> TransportFailure | None:
    if len(exchanges) >= MAX_EXCHANGES:
        message = f"one call may send {MAX_EXCHANGES} requests"
        return TransportFailure(cause="budget", message=message)
    hops = 0
    for exchange in reversed(exchanges):
        if exchange.response is None or exchange.response.status not in REDIRECTS:
            break
        hops += 1
    if hops > MAX_REDIRECTS:
        return TransportFailure(cause="redirect", message=f"more than {MAX_REDIRECTS} redirects")
    return None


def _end(process: subprocess.Popen[bytes]) -> None:
    # The session is the worker's own, so its group holds nothing that we did not start.
    if process.poll() is None:
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(process.pid, signal.SIGKILL)
        with contextlib.suppress(ProcessLookupError):
            process.kill()
    with contextlib.suppress(subprocess.TimeoutExpired):
        process.wait(timeout=5)
    if process.stderr:
        process.stderr.close()
