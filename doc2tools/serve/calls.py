"""Runs the tools of one toolkit: checked arguments in, an outcome out, in bounded time.

Tools are ordinary blocking functions and run in threads. A call waits for a free place of its tool
and then of its toolkit, so that one API that hangs takes places from nobody else; a place is free
again only when its thread is done, so that threads never pile up.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from typing import cast

from pydantic import TypeAdapter

from doc2tools.compiler.emit.mcp_tools import fields_argument
from doc2tools.compiler.ir.base import JsonValue
from doc2tools.sandbox.limits import Deadline
from doc2tools.sandbox.redaction import Redactor
from doc2tools.serve.api import Call, OtherHostError, TooLargeError, Transports
from doc2tools.serve.arguments import Arguments, Checker
from doc2tools.serve.catalogue import LoadedToolkit, ServedTool
from doc2tools.serve.clients import Clients
from doc2tools.serve.fields import refusal
from doc2tools.serve.outcomes import Answered, Failed, Outcome
from doc2tools.serve.packages import Package
from doc2tools.serve.results import Result, render
from doc2tools.serve.settings import CallLimits, ServeOptions

THREADS = 32
"""Calls of one toolkit that are under way at once."""

GRACE = 1.0
"""Seconds after the deadline in which a cut connection makes its thread give up by itself."""

MESSAGE = 2_000

log = logging.getLogger("doc2tools.serve")
_ANYTHING: TypeAdapter[object] = TypeAdapter(object)


class ToolkitCalls:
    """Calls the tools of one toolkit."""

    def __init__(self, kit: LoadedToolkit, options: ServeOptions, redactor: Redactor) -> None:
        """Import nothing and start no thread yet.

        Args:
            kit: The toolkit.
            options: The limits.
            redactor: Knows the secrets that no caller may see.
        """
        self._options = options
        self._redactor = redactor
        self._package = Package(kit.toolkit.package)
        self._transports = Transports(options.answer_bytes)
        self._clients = Clients(self._package, kit.manifest, self._transports, redactor)
        self._executor = ThreadPoolExecutor(THREADS, thread_name_prefix=f"call-{kit.name}")
        self._places = asyncio.Semaphore(THREADS)
        self._tool_places: dict[str, asyncio.Semaphore] = {}
        self._checker = Checker()
        self._under_way: set[Call] = set()

    def limits(self, tool: ServedTool) -> CallLimits:
        """Give a tool's limits."""
        return self._options.tool_limits.get(tool.name, self._options.limits)

    async def call(
        self,
        tool: ServedTool,
        arguments: Mapping[str, JsonValue],
        headers: Mapping[str, str],
    ) -> Result:
        """Call a tool.

        Args:
            tool: One of this toolkit's.
            arguments: As the caller gave them.
            headers: The caller's headers that go on to the API.
        """
        limits = self.limits(tool)
        call = Call(Deadline(limits.timeout), headers)
        places = self._tool_places.get(tool.name)
        if places is None:
            places = self._tool_places[tool.name] = asyncio.Semaphore(limits.concurrency)
        try:
            async with asyncio.timeout(limits.timeout):
                await places.acquire()
                try:
                    await self._places.acquire()
                except BaseException:
                    places.release()
                    raise
        except TimeoutError:
            busy = f"{tool.name} is busy: no place became free in time; try again later"
            return self._result(tool, Failed("busy", busy))
        return await self._run(tool, arguments, call, places)

    async def _run(
        self,
        tool: ServedTool,
        arguments: Mapping[str, JsonValue],
        call: Call,
        places: asyncio.Semaphore,
    ) -> Result:
        loop = asyncio.get_running_loop()

        def leave(_: object) -> None:
            self._under_way.discard(call)
            self._places.release()
            places.release()

        try:
            work = loop.run_in_executor(self._executor, self._work, tool, arguments, call)
        except RuntimeError:
            leave(None)
            return self._result(tool, Failed("tool-fault", "the server is shutting down"))
        self._under_way.add(call)
        work.add_done_callback(leave)
        try:
            done, _ = await asyncio.wait({work}, timeout=call.deadline.remaining() + GRACE)
        except asyncio.CancelledError:
            call.cancel()
            raise
        if not done:
            call.cancel()
            return self._result(tool, _late(tool, self.limits(tool)))
        return work.result()

    def _work(self, tool: ServedTool, arguments: Mapping[str, JsonValue], call: Call) -> Result:
        checked = self._checker.check(tool, arguments)
        if isinstance(checked, Failed):
            return self._result(tool, checked)
        fields = fields_argument(tool.entry)
        part = fields in checked
        if part and (why := refusal(str(checked[fields]))):
            return self._result(tool, Failed("wrong-arguments", f"{fields}: {why}"))
        try:
            outcome = self._outcome(tool, checked, call)
        except Exception as fault:
            outcome = self._failure(fault, tool, call)
        return self._result(tool, outcome, part=part)

    def _outcome(self, tool: ServedTool, arguments: Arguments, call: Call) -> Outcome:
        entry = tool.entry
        try:
            function = self._package.function(str(entry["module"]), str(entry["name"]))
            self._clients.choose(call)
            return Answered(_plain(function(**arguments)))
        finally:
            self._clients.leave()

    def _failure(self, fault: Exception, tool: ServedTool, call: Call) -> Failed:
        match fault:
            case TooLargeError():
                limit = f"{self._options.answer_bytes:,} bytes"
                failed = Failed("too-large", f"the answer is longer than {limit}: ask for less")
            case OtherHostError():
                failed = Failed("api-error", "the API redirects to another host: not followed")
            case ImportError():
                log.error("%s: %s (%s)", tool.name, fault, type(fault.__cause__).__name__)
                failed = Failed("tool-fault", f"the toolkit {tool.toolkit} cannot be used")
            case _ if call.cancelled:
                failed = Failed("cancelled", f"{tool.name} was cut off: the server stops")
            case _ if call.deadline.remaining() <= 0:
                failed = _late(tool, self.limits(tool))
            case ValueError():
                failed = Failed("wrong-arguments", self._words(fault))
            case _ if any(base.__name__ == "ApiError" for base in type(fault).__mro__):
                failed = Failed("api-error", self._words(fault))
            case _:
                # As a literal: what an API sends must not steer the operator's terminal.
                log.error("%s: %s: %r", tool.name, type(fault).__name__, self._words(fault))
                failed = Failed("tool-fault", f"the tool failed: {type(fault).__name__}")
        return failed

    def _result(self, tool: ServedTool, outcome: Outcome, *, part: bool = False) -> Result:
        limit = self._options.result_bytes
        return render(outcome, None if part else tool.answer_shape, self._redactor, limit)

    def _words(self, fault: Exception) -> str:
        return self._redactor.text(str(fault))[:MESSAGE]

    def close(self) -> None:
        """Cut the calls under way and let the threads end."""
        for call in tuple(self._under_way):
            call.cancel()
        self._executor.shutdown(wait=False, cancel_futures=True)

    async def drain(self) -> None:
        """Let the calls under way end, then give everything back: a newer package is in place."""
        for _ in range(THREADS):
            await self._places.acquire()
        self._executor.shutdown(wait=False)
        self._transports.close()
        self._package.forget()


def _late(tool: ServedTool, limits: CallLimits) -> Failed:
    return Failed("timeout", f"{tool.name} gave no answer within {limits.timeout:g} s")


def _plain(value: object) -> JsonValue | bytes:
    """Give an answer in JSON's types; models inside lists and tables too, without unset fields."""
    if isinstance(value, bytes):
        return value
    dumped = _ANYTHING.dump_python(
        value, mode="json", by_alias=True, exclude_unset=True, warnings=False, fallback=str
    )
    return cast("JsonValue", dumped)
