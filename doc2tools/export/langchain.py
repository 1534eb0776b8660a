"""A toolkit as LangChain tools, for `pip install 'doc2tools[langchain]'`.

from doc2tools.export.langchain import langchain_tools

agent_tools = langchain_tools("library")
"""

from __future__ import annotations

import asyncio
import importlib
import inspect
import sys
from collections.abc import Callable, Collection
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pydantic_core import to_jsonable_python

from doc2tools.compiler.emit.mcp_tools import description, exported, input_schema
from doc2tools.compiler.ir.errors import UsageError
from doc2tools.toolkits import Toolkit, find_toolkit

if TYPE_CHECKING:
    from langchain_core.tools import StructuredTool

__all__ = ["langchain_tools"]


def langchain_tools(
    name: str, *, out: Path = Path("generated"), names: Collection[str] = ()
) -> list[StructuredTool]:
    """Give a toolkit's tools as LangChain's `StructuredTool`, sync and async.

    A tool gives JSON-ready data. What the API refuses, and arguments that the tool does not take,
    are given back to the model as text, as `handle_tool_error` does.

    Args:
        name: An installed package, one below `out`, or a project's folder.
        out: Where compiled packages lie.
        names: Only these tools; none means all.

    Raises:
        UsageError: There is no such toolkit, or langchain-core is not installed.
    """
    try:
        tools: Any = importlib.import_module("langchain_core.tools")
    except ImportError as fault:
        raise UsageError(
            "langchain-core is not installed", hint="pip install 'doc2tools[langchain]'"
        ) from fault
    toolkit = find_toolkit(name, out)
    package = _package(toolkit)
    refused: type[Exception] = package.ApiError
    made: list[StructuredTool] = []
    for entry in exported(toolkit.read()):
        tool = str(entry["name"])
        if names and tool not in names:
            continue
        call = _caller(getattr(package, tool), refused, tools.ToolException)
        made.append(
            tools.StructuredTool.from_function(
                func=call,
                coroutine=_in_thread(call),
                name=tool,
                description=description(entry),
                args_schema=input_schema(entry),
                infer_schema=False,
                handle_tool_error=True,
            )
        )
    return made


def _package(toolkit: Toolkit) -> Any:  # noqa: ANN401 - a generated module has no type here
    if toolkit.project is not None:
        source = str(toolkit.package.parent.resolve())
        if source not in sys.path:
            sys.path.insert(0, source)
    return importlib.import_module(toolkit.name)


def _caller(
    function: Callable[..., object],
    refused: type[Exception],
    as_text: type[Exception],
) -> Callable[..., object]:
    signature = inspect.signature(function)

    def call(**arguments: object) -> object:
        try:
            signature.bind(**arguments)
        except TypeError as fault:
            raise as_text(f"wrong arguments: {fault}") from fault
        try:
            answer = function(**arguments)
        except refused as fault:
            raise as_text(str(fault)) from fault
        return to_jsonable_python(answer, by_alias=True, bytes_mode="base64")

    return call


def _in_thread(call: Callable[..., object]) -> Callable[..., object]:
    async def later(**arguments: object) -> object:
        return await asyncio.to_thread(call, **arguments)

    return later
