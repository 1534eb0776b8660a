"""Proves dependency edges by calls: with the source's own value, and with a wrong one as control.

An edge stands only if the target answers to a value out of the source's recorded answer, and does
not answer, or answers otherwise, to a wrong value of the same form (GOAT, arXiv 2510.12218, section
3.2, which has no control). Equal calls are made once; the gateway's recordings serve what was
called before. Results do not depend on which thread was faster.
"""

from __future__ import annotations

import threading
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

from doc2tools.compiler.events import EdgeTried
from doc2tools.compiler.graph.prove_calls import Prover
from doc2tools.compiler.graph.prove_explore import explored_edges
from doc2tools.compiler.graph.prove_plan import Known, Obstacle, Plan, plan_edge
from doc2tools.compiler.ir.exchange import Exchange, Request
from doc2tools.compiler.ir.graph import DependencyGraph, Edge, FieldNode, StageCount, ToolNode
from doc2tools.compiler.ir.options import CompileOptions
from doc2tools.compiler.ir.outcome import Tool
from doc2tools.compiler.validate.control import Control
from doc2tools.compiler.validate.tool_run import Caller, Context
from doc2tools.param_db.values import ValueStore

__all__ = ["prove_graph"]

MIN_EDGES = 300
"""Edges that are tried at least, if there are so many."""
EDGES_A_TOOL = 1
MOST_IN_VAIN = 14
"""After so many explored edges in a row that do not hold, a parameter is left alone."""


def prove_graph(
    graph: DependencyGraph,
    tools: Sequence[Tool],
    caller: Caller,
    root: str,
    options: CompileOptions,
    *,
    send: Callable[[Request], Exchange] | None = None,
    on_event: Callable[[object], None] = lambda _: None,
    give_up: Callable[[], None] | None = None,
) -> DependencyGraph:
    """Try the judged edges, best first, and give the graph with what became of each.

    Args:
        graph: Edges at stage `judged`.
        tools: The tools with their outcomes.
        caller: The sandbox that holds the staged package.
        root: The package, as `Sandbox.load` named it.
        options: What may be called, and limits.
        send: Asks for addresses that do not exist, to know a server that answers to anything.
        on_event: Gets an `EdgeTried` for each edge.
        give_up: Ends calls that wait or are under way, when interrupted.
    """
    judged = [edge for edge in graph.edges if edge.stage == "judged"]
    known = Known({tool.endpoint.name: tool for tool in tools}, judged, options)
    stop = threading.Event()
    context = Context(
        caller=caller,
        control=Control(send, [tool.endpoint for tool in tools]),
        root=root,
        options=options,
        values=ValueStore(),
        on_event=on_event,
        stopped=stop.is_set,
    )
    room = max(MIN_EDGES, EDGES_A_TOOL * len(tools))
    chosen = _choose(judged, known, room)
    prover = Prover(context, known)
    tried: dict[Key, Edge] = {}
    with ThreadPoolExecutor(options.limits.concurrency, "doc2tools-proof") as pool:

        def keep(edge: Edge) -> None:
            tried[edge.key] = edge
            on_event(EdgeTried(edge.source, edge.target, edge.stage))

        def explore(plans: Sequence[Plan]) -> list[Edge]:
            found: list[Edge] = []
            for plan in plans:
                if any(edge.stage == "proved" for edge in found[-MOST_IN_VAIN:]) or (
                    len(found) < MOST_IN_VAIN
                ):
                    found.append(prover.prove(plan))
            return found

        try:
            for edge in pool.map(prover.prove, chosen.plans):
                keep(edge)
            proved = [edge for edge in tried.values() if edge.stage == "proved"]
            explored = _choose(explored_edges(tools, judged, proved, options), known, room)
            for edges in pool.map(explore, _by_parameter(explored.plans).values()):
                for edge in edges:
                    keep(edge)
        except BaseException:
            stop.set()
            pool.shutdown(wait=False, cancel_futures=True)
            if give_up is not None:
                give_up()
            raise
    return _settled(graph, chosen, explored, tried)


Key = tuple[str, str, str, str]


@dataclass(frozen=True, slots=True)
class _Chosen:
    """The edges that are tried, and what is said of the others."""

    plans: list[Plan]
    others: dict[Key, Edge]
    kinds: Counter[str]


def _choose(edges: Sequence[Edge], known: Known, room: int) -> _Chosen:
    """Plan the calls of as many edges as there is room for."""
    plans: list[Plan] = []
    others: dict[Key, Edge] = {}
    kinds: Counter[str] = Counter()
    for edge in edges:
        plan = plan_edge(edge, known)
        if isinstance(plan, Plan):
            plans.append(plan)
        else:
            others[edge.key] = _hindered(edge, plan)
            kinds[plan.kind] += 1
    ordered = _in_turns(plans)
    for plan in ordered[room:]:
        obstacle = Obstacle(f"not tried: {room} edges were tried before it", "over the limit")
        others[plan.edge.key] = _hindered(plan.edge, obstacle)
        kinds[obstacle.kind] += 1
    return _Chosen(ordered[:room], others, kinds)


def _settled(
    graph: DependencyGraph, chosen: _Chosen, explored: _Chosen, tried: Mapping[Key, Edge]
) -> DependencyGraph:
    """Put what became of the edges into the graph, explored ones behind their parameter's others.

    Explored edges that do not hold are only counted: there was never a reason for them.
    """
    more = [tried[plan.edge.key] for plan in explored.plans if plan.edge.key in tried]
    proved = [edge for edge in more if edge.stage == "proved"]
    kinds = chosen.kinds + Counter({"explored in vain": len(more) - len(proved)})
    for plan in chosen.plans:
        stage = tried[plan.edge.key].stage
        kinds += Counter({_WHY[stage]: 1} if stage in _WHY else {})
    known = {**chosen.others, **tried}
    edges = [known.get(edge.key, edge) for edge in graph.edges]
    places: dict[tuple[str, str], int] = {}
    for edge in edges:
        places.setdefault((edge.target, edge.parameter), len(places))
    edges += proved
    edges.sort(key=lambda edge: places.get((edge.target, edge.parameter), len(places)))
    count = _count(edges, dict(sorted(kinds.items())))
    return graph.model_copy(
        update={
            "edges": tuple(edges),
            "tools": tuple(_with_fields(tool, proved) for tool in graph.tools),
            "stages": (*graph.stages, count),
        }
    )


_WHY = {"refuted": "refuted by calls", "untested": "no clear answer"}


def _with_fields(tool: ToolNode, proved: Sequence[Edge]) -> ToolNode:
    """Add the fields that only explored edges take."""
    known = {one.path for one in tool.fields}
    paths = dict.fromkeys(edge.field for edge in proved if edge.source == tool.name)
    more = [FieldNode(path=path, type="string", observed=True) for path in paths]
    fresh = tuple(one for one in more if one.path not in known)
    return tool.model_copy(update={"fields": (*tool.fields, *fresh)}) if fresh else tool


def _in_turns(plans: Iterable[Plan]) -> list[Plan]:
    """Give the best edge of each parameter, then the second best, and so on."""
    groups = _by_parameter(plans)
    longest = max((len(group) for group in groups.values()), default=0)
    return [
        group[turn] for turn in range(longest) for group in groups.values() if turn < len(group)
    ]


def _by_parameter(plans: Iterable[Plan]) -> dict[tuple[str, str], list[Plan]]:
    groups: dict[tuple[str, str], list[Plan]] = {}
    for plan in plans:
        groups.setdefault((plan.edge.target, plan.edge.parameter), []).append(plan)
    return groups


def _hindered(edge: Edge, obstacle: Obstacle) -> Edge:
    stage = "refuted" if obstacle.refuted else "untested"
    reason = "; ".join(text for text in (edge.reason, obstacle.reason) if text)
    return edge.model_copy(update={"stage": stage, "reason": reason})


def _count(edges: Sequence[Edge], dropped: dict[str, int]) -> StageCount:
    proved = [edge for edge in edges if edge.stage == "proved"]
    parameters = {(edge.target, edge.parameter) for edge in proved}
    feeding = {(edge.source, edge.target, edge.parameter) for edge in proved}
    return StageCount(
        stage="proved",
        edges=len(proved),
        pairs=len({(edge.source, edge.target) for edge in proved}),
        parameters=len(parameters),
        sources=round(len(feeding) / len(parameters), 2) if parameters else 0.0,
        dropped=dropped,
    )
