"""Mermaid: a flowchart of tools around merged parameters, for pages that draw it."""

from __future__ import annotations

import re

from doc2tools.compiler.graph.formats.flows import Flow, flows
from doc2tools.compiler.ir.graph import DependencyGraph

__all__ = ["mermaid"]

_UNSAFE = re.compile(r"[^A-Za-z0-9 _./-]")
_LONGEST = 120


def mermaid(graph: DependencyGraph) -> str:
    """Write the graph as a Mermaid flowchart.

    Every character of a name that might mean something to Mermaid or HTML is written as an entity.
    """
    found = flows(graph)
    lines = ["flowchart LR"]
    numbers = {name: number for number, name in enumerate(found.tools)}
    lines += [f'  t{number}["{_label(name)}"]' for name, number in numbers.items()]
    places = {name: number for number, name in enumerate(found.parameters)}
    lines += [f'  p{number}(["{_label(name)}"])' for name, number in places.items()]
    lines += [
        f"  t{numbers[one.tool]} {_arrow(one)} p{places[one.parameter]}" for one in found.gives
    ]
    lines += [
        f"  p{places[one.parameter]} {_arrow(one)} t{numbers[one.tool]}" for one in found.takes
    ]
    if places:
        lines.append("  classDef parameter fill:#eef4ff,stroke:#5b7bb4,color:#1b2a4a")
        lines.append(
            "  class " + ",".join(f"p{number}" for number in places.values()) + " parameter"
        )
    return "\n".join(lines) + "\n"


def _arrow(flow: Flow) -> str:
    return "-->" if flow.proved else "-.->"


def _label(name: str) -> str:
    return _UNSAFE.sub(lambda found: f"#{ord(found[0])};", name[:_LONGEST]) or "-"
