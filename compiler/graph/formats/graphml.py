"""GraphML: tools and merged parameters as one heterogeneous graph, as in NaviAgent.

Structural edges say what a tool `takes` and `gives`; `feeds` edges go from tool to tool and carry
the counts of calls.
"""

from __future__ import annotations

import re
from typing import Any

from doc2tools.compiler.graph.network import networkx
from doc2tools.compiler.ir.graph import DependencyGraph

__all__ = ["graphml", "heterogeneous"]

_NOT_XML = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def heterogeneous(graph: DependencyGraph) -> Any:  # noqa: ANN401 - networkx has no types
    """Give a `networkx.MultiDiGraph` of tools (`tool:NAME`) and parameters (`parameter:NAME`)."""
    nx = networkx()
    net: Any = nx.MultiDiGraph(name=xml_text(graph.name))
    for tool in graph.tools:
        net.add_node(
            f"tool:{xml_text(tool.name)}",
            kind="tool",
            label=xml_text(tool.name),
            title=xml_text(tool.title),
            method=xml_text(tool.method),
            path=xml_text(tool.path),
            status=xml_text(tool.status),
            successes=tool.successes,
            failures=tool.failures,
        )
    for one in graph.merged:
        net.add_node(
            f"parameter:{xml_text(one.name)}",
            kind="parameter",
            label=xml_text(one.name),
            evidence=xml_text("; ".join(one.evidence)),
        )
    for one in graph.merged:
        place = f"parameter:{xml_text(one.name)}"
        for use in one.parameters:
            net.add_edge(
                place, f"tool:{xml_text(use.tool)}", kind="takes", name=xml_text(use.parameter)
            )
        for use in one.fields:
            net.add_edge(
                f"tool:{xml_text(use.tool)}", place, kind="gives", field=xml_text(use.field)
            )
    for edge in graph.edges:
        net.add_edge(
            f"tool:{xml_text(edge.source)}",
            f"tool:{xml_text(edge.target)}",
            kind="feeds",
            name=xml_text(edge.parameter),
            field=xml_text(edge.field),
            stage=edge.stage,
            score=edge.score,
            reason=xml_text(edge.reason),
            successes=edge.successes,
            failures=edge.failures,
        )
    return net


def graphml(graph: DependencyGraph) -> str:
    """Write the heterogeneous graph as GraphML."""
    nx = networkx()
    lines = "\n".join(nx.generate_graphml(heterogeneous(graph), named_key_ids=True))
    return f"<?xml version='1.0' encoding='utf-8'?>\n{lines}\n"


def xml_text(text: str) -> str:
    """Replace characters that XML cannot hold, not even escaped."""
    return _NOT_XML.sub("\ufffd", text)
