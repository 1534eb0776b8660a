"""Runs generated code: a warm worker in confinement, whose only way out is the gateway.

`load` takes a package's files in, `run` calls one of its functions and gives what the parent saw. A
worker that dies or hangs is replaced; calls that were under way with it are made once more, each
alone in a second worker, so that only the call that is to blame fails.
"""

from __future__ import annotations

import contextlib
import hashlib
import itertools
import re
import threading
import time
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from types import TracebackType
from typing import Literal, Self

from doc2tools.compiler.ir.errors import SandboxError
from doc2tools.compiler.ir.exchange import Exchange, Request, ToolError, ToolRun
from doc2tools.compiler.ir.plan import ToolCall
from doc2tools.sandbox.bubblewrap import HINT, USERNS_HINT, Bubblewrap, SandboxProbe, probe
from doc2tools.sandbox.confinement import THREADS, Launcher, Limits
from doc2tools.sandbox.gateway import SAFE, Gateway
from doc2tools.sandbox.limits import Deadline
from doc2tools.sandbox.process import Send, Worker, WorkerLostError
from doc2tools.sandbox.weak import PlainProcess, weak_notice

__all__ = ["Sandbox", "SandboxProbe", "probe"]

SandboxMode = Literal["auto", "strict", "weak"]

MAX_FILES = 5_000
MAX_PACKAGE_BYTES = 64_000_000
NOTICE_WITHOUT_FILTER = (
    "the sandbox has namespaces but no system call filter: this kernel or machine has none"
)
FILTER_HINT = "--sandbox auto is content with bubblewrap's namespaces"

_PACKAGE_PATH = re.compile(
    r"(?:[A-Za-z_][A-Za-z0-9_]{0,99}/){0,8}[A-Za-z_][A-Za-z0-9_]{0,99}\.[a-z]{1,8}"
)


class Sandbox:
    """Generated code runs here. A context manager; `load` and `run` are thread-safe.

    Attributes:
        gateway: The way out.
        mode: `strict` (bubblewrap) or `weak` (a plain process with limits), once entered.
        notice: What is lost, for the user to read; "" where the strict mode is whole.
        starts: Workers started so far.
    """

    def __init__(
        self,
        gateway: Gateway,
        mode: SandboxMode = "auto",
        concurrency: int = 8,
        *,
        limits: Limits | None = None,
    ) -> None:
        """Start nothing yet.

        Args:
            gateway: The way out.
            mode: `auto` needs bubblewrap, and says so where the kernel has no system call filter;
                `strict` needs both; `weak` is a plain process with limits, on the user's word only.
            concurrency: Calls under way at once, at most 64.
            limits: What a worker may use.
        """
        self.gateway = gateway
        self.mode: Literal["strict", "weak"] = "weak" if mode == "weak" else "strict"
        self.notice = ""
        self.starts = 0
        self._wanted = mode
        self._limits = limits or Limits()
        self._places = threading.BoundedSemaphore(max(1, min(concurrency, THREADS)))
        self._packages: dict[str, dict[str, str]] = {}
        self._numbers = itertools.count(1)
        self._launcher: Launcher | None = None
        self._worker: Worker | None = None
        self._lone_worker: Worker | None = None
        self._lock = threading.Lock()
        self._alone = threading.Lock()
        self._spawner: ThreadPoolExecutor | None = None

    def __enter__(self) -> Self:
        """Start the worker.

        Raises:
            SandboxError: it does not start in the mode that was asked for.
        """
        # The kernel ends a worker when the thread that started it ends, so that is a thread that
        # lives as long as the sandbox.
        self._spawner = ThreadPoolExecutor(1, thread_name_prefix="sandbox-spawner")
        try:
            self._enter_mode()
        except BaseException:
            self.close()
            raise
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        """End the workers."""
        self.close()

    @property
    def pids(self) -> tuple[int, ...]:
        """The processes that were started and still run (under bubblewrap, bubblewrap's own)."""
        workers = (self._worker, self._lone_worker)
        return tuple(worker.pid for worker in workers if worker is not None and worker.alive)

    def close(self) -> None:
        """End the workers; calls under way are lost."""
        spawner, self._spawner = self._spawner, None
        with self._lock:
            workers = [self._worker, self._lone_worker]
            self._worker = self._lone_worker = None
        for worker in workers:
            if worker is not None:
                worker.kill("the sandbox was closed")
        if spawner is not None:
            spawner.shutdown()

    def load(self, files: Mapping[str, str], *, written_by_model: bool = False) -> str:
        """Take in a package; `client.py` is imported at once, the rest when it is called.

        Args:
            files: Path below the package's folder to source.
            written_by_model: A model wrote a part of it; such code never runs in the weak mode.

        Returns:
            The package's root, for `ToolCall.root`.

        Raises:
            SandboxError: a path or the size is not a package's, the worker does not work, or the
                mode is too weak for the code.
        """
        _check(files)
        if written_by_model and self.mode == "weak":
            raise SandboxError("code that a model wrote does not run in the weak sandbox", HINT)
        digest = hashlib.sha256(repr(sorted(files.items())).encode("utf-8", "replace")).hexdigest()
        with self._lock:
            root = f"toolkit_{next(self._numbers)}_{digest[:12]}"
            self._packages[root] = dict(files)
        try:
            self._current().load(root, files)
        except WorkerLostError:
            try:
                self._current().load(root, files)
            except WorkerLostError as error:
                raise SandboxError(f"the package cannot be loaded: {error}") from None
        return root

    def run(self, call: ToolCall, *, alone: bool = False, scope: str = "") -> ToolRun:
        """Make one call and wait for it.

        Args:
            call: What to call, in a package that is loaded.
            alone: In a fresh worker that is ended afterwards, so that no other code can have a
                hand in the call, nor it in later ones. Costs a start, about 0.1 s.
            scope: Keeps the recordings of the call apart from those of other scopes.

        Returns:
            What the parent saw: every exchange, and what the code returned or raised. A call that
            overstays its time has `timed_out`; one that ends its worker has an error of the kind
            `WorkerDied`.

        Raises:
            SandboxError: the package is not loaded, or workers can no longer be started.
        """
        files = self._packages.get(call.root)
        if files is None:
            raise SandboxError(f"no package {call.root!r} is loaded")
        started = time.monotonic()

        def send(request: Request, deadline: Deadline) -> Exchange:
            return self.gateway.exchange(request, deadline=deadline, scope=scope)

        with self._places:
            if alone:
                return self._run_alone(call, files, send, started, fresh=True)
            try:
                worker = self._current()
                worker.load(call.root, files)
                return worker.call(call, send)
            except WorkerLostError as lost:
                if lost.blamed or not _repeatable(lost.exchanges):
                    return _lost_run(call, lost, started)
            return self._run_alone(call, files, send, started)

    def _run_alone(
        self,
        call: ToolCall,
        files: Mapping[str, str],
        send: Send,
        started: float,
        *,
        fresh: bool = False,
    ) -> ToolRun:
        with self._alone:
            worker = self._lone_worker
            if worker is None or not worker.alive or fresh:
                self._end_lone_worker()
                worker = self._lone_worker = self._start()
            try:
                worker.load(call.root, files)
                return worker.call(call, send)
            except WorkerLostError as lost:
                return _lost_run(call, lost, started)
            finally:
                if fresh:
                    self._end_lone_worker()

    def _end_lone_worker(self) -> None:
        worker, self._lone_worker = self._lone_worker, None
        if worker is not None:
            worker.kill("its call is done")

    def _current(self) -> Worker:
        with self._lock:
            if self._worker is None or not self._worker.alive:
                self._worker = self._start()
            return self._worker

    def _start(self) -> Worker:
        spawner, launcher = self._spawner, self._launcher
        if spawner is None or launcher is None:
            raise SandboxError("the sandbox is closed")
        try:
            worker = spawner.submit(Worker, launcher, self._limits).result()
        except RuntimeError:
            raise SandboxError("the sandbox is closed") from None
        self.starts += 1
        return worker

    def _enter_mode(self) -> None:
        if self._wanted == "weak":
            self._launcher = PlainProcess()
            lost = self._current().lost + (() if self._limits.landlock else ("landlock",))
            self.notice = weak_notice(lost)
            return
        try:
            self._launcher = Bubblewrap()
            lost = self._current().lost
        except SandboxError as error:
            hint = error.hint or USERNS_HINT
            raise SandboxError(f"the sandbox does not work here: {error}", hint) from None
        if lost and self._wanted == "strict":
            raise SandboxError("the strict sandbox lacks its system call filter here", FILTER_HINT)
        self.notice = NOTICE_WITHOUT_FILTER if lost else ""


def _check(files: Mapping[str, str]) -> None:
    for path in files:
        if not _PACKAGE_PATH.fullmatch(path):
            raise SandboxError(f"not the path of a file in a package: {path[:120]!r}")
    size = sum(map(len, files.values()))
    if len(files) > MAX_FILES or size > MAX_PACKAGE_BYTES:
        raise SandboxError(f"the package is too large: {len(files):,} files, {size:,} characters")
    with contextlib.suppress(UnicodeEncodeError):
        for source in files.values():
            source.encode()
        return
    raise SandboxError("the package's source is no valid text")


def _repeatable(exchanges: tuple[Exchange, ...]) -> bool:
    return all(exchange.request.method in SAFE for exchange in exchanges)


def _lost_run(call: ToolCall, lost: WorkerLostError, started: float) -> ToolRun:
    error = None if lost.late else ToolError(kind="WorkerDied", message=str(lost))
    return ToolRun(
        tool=call.tool,
        exchanges=lost.exchanges,
        error=error,
        timed_out=lost.late,
        elapsed=round(time.monotonic() - started, 6),
    )
