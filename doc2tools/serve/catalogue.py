"""What is served: the tools of all toolkits, each under a name of its own.

In go toolkits and options; out comes a `Catalogue`. Nothing of a package is imported here.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from doc2tools.compiler.emit.mcp_tools import (
    JsonObject,
    answer_shape,
    definition,
    exported,
    served_names,
    table,
)
from doc2tools.compiler.emit.tokens import listing_tokens
from doc2tools.compiler.ir.errors import UsageError
from doc2tools.serve.settings import ServeOptions
from doc2tools.toolkits import Toolkit, find_toolkit, toolkits

__all__ = ["Catalogue", "Found", "LoadedToolkit", "ServedTool", "build", "find"]


@dataclass(frozen=True)
class LoadedToolkit:
    """A toolkit and its manifest."""

    toolkit: Toolkit
    manifest: JsonObject

    @property
    def name(self) -> str:
        """The package's import name."""
        return self.toolkit.name


@dataclass(frozen=True)
class ServedTool:
    """One tool as it is served.

    Attributes:
        name: The name it is served under.
        toolkit: The package that holds it.
        entry: Its entry in the manifest.
        definition: Its definition as MCP has it.
    """

    name: str
    toolkit: str
    entry: JsonObject
    definition: JsonObject

    @property
    def input_schema(self) -> JsonObject:
        """The schema of its arguments."""
        return table(self.definition, "inputSchema")

    @property
    def answer_shape(self) -> JsonObject:
        """What is known of its answer."""
        return answer_shape(table(self.definition, "outputSchema"))

    @property
    def reads(self) -> bool:
        """Whether a call leaves the API as it was."""
        return table(self.definition, "annotations").get("readOnlyHint") is True


@dataclass(frozen=True)
class Catalogue:
    """The tools of one moment.

    Attributes:
        tools: By the name they are served under.
        left_out: Number of tools that change state and are not served.
        searched: Whether `tools/list` gives search, describe and call in their place.
        tokens: What `tools/list` with every tool takes.
    """

    toolkits: tuple[LoadedToolkit, ...]
    tools: Mapping[str, ServedTool]
    left_out: int
    searched: bool
    tokens: int


@dataclass(frozen=True)
class Found:
    """The toolkits that can be served, and by name what is wrong with the others."""

    toolkits: tuple[LoadedToolkit, ...]
    problems: Mapping[str, str] = field(default_factory=dict[str, str])


def find(options: ServeOptions) -> Found:
    """Read the toolkits asked for, or all there are.

    Raises:
        UsageError: One that was asked for is missing or unreadable, or there is none at all.
    """
    if options.names:
        chosen = {kit.name: kit for kit in (find_toolkit(n, options.out) for n in options.names)}
        return Found(tuple(LoadedToolkit(kit, kit.read()) for kit in chosen.values()))
    loaded: list[LoadedToolkit] = []
    problems: dict[str, str] = {}
    for toolkit in toolkits(options.out):
        try:
            loaded.append(LoadedToolkit(toolkit, toolkit.read()))
        except UsageError as fault:
            problems[toolkit.name] = str(fault)
    if not loaded:
        raise UsageError(
            f"there is no toolkit in {options.out} and none is installed",
            hint="compile one first: doc2tools compile DOCS --allow GET",
        )
    return Found(tuple(loaded), problems)


def build(loaded: Sequence[LoadedToolkit], options: ServeOptions) -> Catalogue:
    """Choose the tools and give them their names.

    A tool that reads is served where its package holds it. One that changes state is served only
    where the operator says so, and then only if it was proved.
    """
    chosen: list[tuple[LoadedToolkit, JsonObject]] = []
    left_out = 0
    for kit in loaded:
        for entry in exported(kit.manifest):
            reads = table(entry, "annotations").get("readOnlyHint") is True
            if reads or (options.writes and entry.get("status") == "validated"):
                chosen.append((kit, entry))
            else:
                left_out += 1
    names = served_names([(kit.name, str(entry["name"])) for kit, entry in chosen])
    tools = {
        name: ServedTool(name, kit.name, entry, definition(entry, name))
        for name, (kit, entry) in zip(names, chosen, strict=True)
    }
    count = listing_tokens([tool.definition for tool in tools.values()])
    return Catalogue(
        toolkits=tuple(loaded),
        tools=tools,
        left_out=left_out,
        searched=bool(options.budget) and count > options.budget,
        tokens=count,
    )
