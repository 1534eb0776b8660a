"""What the server offers at this moment: the tools listed, and what a call of one does.

Independent of how a client is connected. Over the token budget, three tools take the place of all:
`search`, `describe` and `call`.
"""

from __future__ import annotations

import asyncio
import difflib
import json
import logging
import os
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, cast

from mcp import types

from doc2tools.compiler.emit.mcp_tools import JsonObject, wire
from doc2tools.compiler.ir.base import JsonValue
from doc2tools.compiler.ir.errors import UsageError
from doc2tools.sandbox.redaction import Redactor
from doc2tools.serve import catalogue
from doc2tools.serve.arguments import Arguments, check
from doc2tools.serve.calls import ToolkitCalls
from doc2tools.serve.catalogue import Catalogue, Found, ServedTool
from doc2tools.serve.clients import secrets_of
from doc2tools.serve.meta_tools import CALL, DESCRIBE, FOUND, SEARCH, brief, meta_tools
from doc2tools.serve.metrics import Metrics
from doc2tools.serve.outcomes import Failed
from doc2tools.serve.results import Result, failure, own
from doc2tools.serve.settings import ServeOptions

if TYPE_CHECKING:
    from doc2tools.serve.search import Index

__all__ = ["Moment", "Service"]

log = logging.getLogger("doc2tools.serve")


class Moment:
    """All that changes when a package is taken up anew, so that it changes at once."""

    def __init__(self, found: Found, options: ServeOptions, secret: str) -> None:
        """Choose and name the tools; import nothing.

        Args:
            found: The toolkits.
            options: What the operator set.
            secret: The token that callers show.
        """
        self.options = options
        self.catalogue: Catalogue = catalogue.build(found.toolkits, options)
        self.redactor = Redactor([secret])
        for kit in self.catalogue.toolkits:
            self.redactor.add(*secrets_of(kit.manifest, os.environ))
        self.calls = {
            kit.name: ToolkitCalls(kit, options, self.redactor) for kit in self.catalogue.toolkits
        }
        tools = self.catalogue.tools.values()
        self.meta: dict[str, JsonObject] = {}
        if self.catalogue.searched:
            names = [kit.name for kit in self.catalogue.toolkits]
            reads = all(tool.reads for tool in tools)
            self.meta = {str(m["name"]): m for m in meta_tools(len(tools), names, reads)}
        listed = self.meta.values() if self.meta else (tool.definition for tool in tools)
        self.listing = [types.Tool.model_validate(self.clean(item)) for item in listed]
        self._index: Index | None = None
        self._lock = threading.Lock()

    def clean(self, value: JsonObject) -> JsonObject:
        """Give a value without secrets, should the documentation hold one."""
        text = wire(value).decode("utf-8", "replace")
        cleaned = self.redactor.text(text)
        return value if cleaned == text else cast("JsonObject", json.loads(cleaned))

    def search(self, query: str, number: int) -> list[ServedTool]:
        """Give the tools that fit a task best, the best first. Slow the first time."""
        tools = list(self.catalogue.tools.values())
        with self._lock:
            if self._index is None:
                self._index = self._indexed(tools)
            return [tools[at] for at in self._index.search(query, number)]

    def _indexed(self, tools: Sequence[ServedTool]) -> Index:
        from doc2tools.param_db.embedding import embedder  # noqa: PLC0415 - for search only
        from doc2tools.serve.search import Index, by_name, texts_of  # noqa: PLC0415 - likewise

        titles: dict[str, str] = {}
        endpoints: dict[str, dict[str, JsonObject]] = {}
        for kit in self.catalogue.toolkits:
            titles[kit.name] = str(kit.manifest.get("title", ""))
            try:
                endpoints[kit.name] = by_name(kit.toolkit.read("endpoints.json"))
            except UsageError:
                endpoints[kit.name] = {}
        texts = [
            texts_of(
                tool,
                titles[tool.toolkit],
                endpoints[tool.toolkit].get(str(tool.entry["name"]), {}),
            )
            for tool in tools
        ]
        return Index(texts, lambda: embedder(self.options.embedder))

    def close(self) -> None:
        """Cut the calls under way."""
        for calls in self.calls.values():
            calls.close()


class Service:
    """Lists tools and calls them."""

    def __init__(self, found: Found, options: ServeOptions, metrics: Metrics, secret: str) -> None:
        """Take up the toolkits."""
        self.options = options
        self.metrics = metrics
        self._secret = secret
        self.moment = Moment(found, options, secret)
        self.metrics.tools.set(len(self.moment.catalogue.tools))
        self.on_change: list[Callable[[], object]] = []
        self._draining: set[asyncio.Task[None]] = set()

    def replace(self, found: Found) -> None:
        """Take up other toolkits; calls under way end with the old ones."""
        old, self.moment = self.moment, Moment(found, self.options, self._secret)
        self.metrics.tools.set(len(self.moment.catalogue.tools))
        for calls in old.calls.values():
            task = asyncio.create_task(calls.drain())
            self._draining.add(task)
            task.add_done_callback(self._draining.discard)
        for told in self.on_change:
            told()

    async def call(
        self, name: str, arguments: Mapping[str, JsonValue], headers: Mapping[str, str]
    ) -> types.CallToolResult:
        """Call a tool by the name it is listed under.

        Args:
            name: The tool.
            arguments: As the caller gave them.
            headers: All headers of the caller's request, lower case; only those that the operator
                lets pass go on.
        """
        moment = self.moment
        try:
            return await self._answer(moment, name, arguments, headers)
        except Exception as fault:
            # A fault of ours; its text may hold anything.
            log.error("%r: %r", name[:80], moment.redactor.text(repr(fault))[:1_000])
            return failure(Failed("tool-fault", "the server failed"), moment.redactor).reply

    async def _answer(
        self,
        moment: Moment,
        name: str,
        arguments: Mapping[str, JsonValue],
        headers: Mapping[str, str],
    ) -> types.CallToolResult:
        meta = moment.meta.get(name)
        if meta is not None:
            checked = check(cast("JsonObject", meta["inputSchema"]), arguments)
            if isinstance(checked, Failed):
                return failure(checked, moment.redactor).reply
            if name != CALL:
                return await self._look_up(moment, name, checked)
            name = str(checked["name"])
            arguments = cast("JsonObject", checked.get("arguments") or {})
        tool = moment.catalogue.tools.get(name)
        if tool is None or (moment.meta and meta is None):
            return failure(_unknown(moment, name), moment.redactor).reply
        return (await self._call(moment, tool, arguments, headers)).reply

    async def _call(
        self,
        moment: Moment,
        tool: ServedTool,
        arguments: Mapping[str, JsonValue],
        headers: Mapping[str, str],
    ) -> Result:
        passed = {
            header.sent_as: headers[header.name]
            for header in self.options.pass_headers
            if header.name in headers
        }
        began = time.perf_counter()
        outcome = "cancelled"
        try:
            with self.metrics.under_way.track_inprogress():
                result = await moment.calls[tool.toolkit].call(tool, arguments, passed)
            outcome = result.outcome
            return result
        except Exception:
            outcome = "tool-fault"
            raise
        finally:
            self.metrics.calls.labels(tool.toolkit, tool.name, outcome).inc()
            self.metrics.seconds.labels(tool.toolkit).observe(time.perf_counter() - began)

    async def _look_up(
        self, moment: Moment, name: str, arguments: Arguments
    ) -> types.CallToolResult:
        if name == SEARCH:
            number = int(str(arguments.get("limit", FOUND)))
            found = await asyncio.to_thread(moment.search, str(arguments["query"]), number)
            tools: list[JsonValue] = [moment.clean(brief(tool)) for tool in found]
            return own({"tools": tools})
        assert name == DESCRIBE  # noqa: S101 - there are three
        tool = moment.catalogue.tools.get(str(arguments["name"]))
        if tool is None:
            return failure(_unknown(moment, str(arguments["name"])), moment.redactor).reply
        return own({"tool": moment.clean(tool.definition)})

    def close(self) -> None:
        """Cut the calls under way."""
        self.moment.close()


def _unknown(moment: Moment, name: str) -> Failed:
    near = difflib.get_close_matches(name[:80], list(moment.catalogue.tools), 3)
    if moment.meta and name in moment.catalogue.tools:
        return Failed("unknown-tool", f"use the tool {CALL!r} to call {name!r}")
    hint = f"; there is {', '.join(near)}" if near else ""
    return Failed("unknown-tool", f"there is no tool {name[:80]!r}{hint}")
