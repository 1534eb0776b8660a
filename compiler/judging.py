"""Gives every endpoint its outcome: kept ones where nothing changed, else by real calls.

In go a plan without tools and the write plan; out come the tools, each with its outcome, and the
dependency graph: validate → repair → write → verify → graph, all in one sandbox behind one gateway.
"""

from __future__ import annotations

from contextlib import nullcontext
from dataclasses import dataclass

from doc2tools.compiler.clock import Clock
from doc2tools.compiler.emit.package import render_package, stage_sources
from doc2tools.compiler.events import Listener, Notice, StageStarted
from doc2tools.compiler.graph.build import candidate_graph
from doc2tools.compiler.graph.prove import prove_graph
from doc2tools.compiler.ir.base import Frozen
from doc2tools.compiler.ir.graph import DependencyGraph
from doc2tools.compiler.ir.ledger import Ledger
from doc2tools.compiler.ir.options import CompileOptions
from doc2tools.compiler.ir.outcome import Failed, Tool
from doc2tools.compiler.ir.plan import PackagePlan
from doc2tools.compiler.llm.model import Model
from doc2tools.compiler.repair.agent.bench import Bench
from doc2tools.compiler.repair.agent.stage import finish, found_by_rules
from doc2tools.compiler.repair.rules import repair
from doc2tools.compiler.state import State, key_of
from doc2tools.compiler.validate.run import validate
from doc2tools.compiler.validate.verify import verify
from doc2tools.compiler.writing import Writing, main_policy
from doc2tools.param_db.added import added_digest
from doc2tools.param_db.run_values import RunValues, place_for
from doc2tools.param_db.values import Values
from doc2tools.sandbox.gateway import Gateway
from doc2tools.sandbox.recordings import Recordings
from doc2tools.sandbox.sandbox import Sandbox

PASSING = frozenset({"unreachable", "tls", "rate-limited"})


class Judged(Frozen):
    """The tools, graph and ledger of one finished run, as the state folder keeps them."""

    tools: tuple[Tool, ...]
    graph: DependencyGraph | None = None
    ledger: Ledger | None = None


@dataclass(frozen=True, slots=True)
class Findings:
    """What judging gave.

    Attributes:
        calls: Requests that went over the network to give every tool its outcome.
        graph: None where none was wanted.
        graph_calls: Requests that went over the network to prove the graph's edges.
        ledger: What was asked of a model, when the outcomes were found; None without one.
    """

    tools: tuple[Tool, ...]
    calls: int = 0
    graph: DependencyGraph | None = None
    graph_calls: int = 0
    ledger: Ledger | None = None


class Renderer:
    """Renders a plan once: what is verified and what is written are mostly the same."""

    def __init__(self) -> None:
        self.plan: PackagePlan | None = None
        self.files: dict[str, bytes] = {}

    def render(self, plan: PackagePlan) -> dict[str, bytes]:
        """Give the package's files."""
        if plan != self.plan:
            self.files = render_package(plan)
            self.plan = plan
        return self.files


def judge(
    plan: PackagePlan,
    state: State,
    writing: Writing,
    renderer: Renderer,
    *,
    fresh: bool,
    on_event: Listener,
    model: Model | None = None,
) -> Findings:
    """Give every endpoint's outcome: from the state where nothing changed, else by real calls."""
    place = place_for(plan.options, state.folder)
    key = key_of(plan.digest, writing.key, added_digest(place))
    if not fresh and (judged := state.get("judged", key, Judged)):
        on_event(Notice("documentation and options are unchanged: outcomes of the last run stand"))
        return Findings(judged.tools, graph=judged.graph, ledger=judged.ledger)
    options, endpoints = plan.options, plan.spec.endpoints
    bases = sorted({endpoint.base_url for endpoint in endpoints if endpoint.base_url})
    recordings = Recordings(state.calls(plan.name), fresh=fresh)
    values = RunValues(place, options, endpoints)
    values.begin()
    policy = main_policy(options, bases, endpoints)
    gateway = Gateway(policy, options, plan.base_url, recordings)
    clock = Clock(on_event)
    started = StageStarted("run", len(endpoints))
    clock.start(started)
    with gateway, Sandbox(gateway, options.sandbox, options.limits.concurrency) as sandbox:
        if sandbox.notice:
            on_event(Notice(sandbox.notice))
        root = sandbox.load(stage_sources(plan.name, plan.base_url, endpoints, options))
        rules = plan.model_copy(update={"spec": found_by_rules(plan.spec)})
        tools = validate(rules.spec, options, sandbox, root, on_event, values=values)
        clock.finish(started, f"{gateway.calls_made} calls")
        tools = _repaired(rules, tools, sandbox, values, on_event)
        bench = Bench(plan, sandbox, model, on_event, values) if model else None
        tools = _consulted(tools, bench)
        if writing.confirmed:
            started = StageStarted("write", len(writing.plan.families))
            clock.start(started)
            writing.run()
            clock.finish(started, f"{writing.calls} calls")
        tools = writing.merge(tools)
        started = StageStarted("verify")
        clock.start(started)
        ledger = model.ledger.settled if model else None
        whole = plan.model_copy(update={"tools": tools, "ledger": ledger})
        with writing.replaying(recordings) or nullcontext(gateway) as source:
            sandbox.gateway = source
            tools = verify(whole, renderer.render(whole), sandbox)
        clock.finish(started, "the package answers as the recorded calls did")
        calls = gateway.calls_made
        sandbox.gateway = gateway
        graph = _graph(plan, tools, sandbox, root, on_event) if options.graph != "off" else None
    values.finish()
    lasting = not any(_may_pass(tool, options) for tool in tools) and not (model and model.lost)
    if writing.settled and lasting:
        state.put("judged", key, Judged(tools=tools, graph=graph, ledger=ledger))
    return Findings(tools, calls, graph, gateway.calls_made - calls, ledger)


def _repaired(
    plan: PackagePlan,
    tools: tuple[Tool, ...],
    sandbox: Sandbox,
    values: Values,
    on_event: Listener,
) -> tuple[Tool, ...]:
    """Mend what the documentation has wrong, as far as rules can and calls prove it."""
    clock = Clock(on_event)
    started = StageStarted("repair")
    clock.start(started)
    before = sandbox.gateway.calls_made
    mended = repair(tools, plan, sandbox, on_event, values=values)
    number = sum(1 for tool in mended if tool.repairs)
    clock.finish(started, f"{number} repaired, {sandbox.gateway.calls_made - before} calls")
    return mended


def _consulted(tools: tuple[Tool, ...], bench: Bench | None) -> tuple[Tool, ...]:
    """Let a model, where there is one, add to what the rules gave."""
    if bench is None:
        return tools
    clock = Clock(bench.on_event)
    started = StageStarted("model")
    clock.start(started)
    before = sum(tool.outcome.status == "validated" for tool in tools)
    found = finish(tools, bench)
    more = sum(tool.outcome.status == "validated" for tool in found) - before
    ledger = bench.model.ledger
    spent = f"{ledger.questions} replies, {ledger.spent:,} tokens"
    clock.finish(started, f"{more} more validated, {spent}")
    return found


def _graph(
    plan: PackagePlan, tools: tuple[Tool, ...], sandbox: Sandbox, root: str, on_event: Listener
) -> DependencyGraph:
    """Find the edges that descriptions speak for, and prove them by calls."""
    gateway, options = sandbox.gateway, plan.options
    clock = Clock(on_event)
    graph = candidate_graph(tools, name=plan.name, embedding=options.embedder)
    started = StageStarted("graph", len(graph.edges))
    clock.start(started)
    called = tuple(tool.endpoint for tool in tools)
    if called != plan.spec.endpoints:
        root = sandbox.load(stage_sources(plan.name, plan.base_url, called, options))
    before = gateway.calls_made
    graph = prove_graph(
        graph,
        tools,
        sandbox,
        root,
        options,
        send=gateway.exchange,
        on_event=on_event,
        give_up=gateway.close,
    )
    proved = sum(edge.stage == "proved" for edge in graph.edges)
    calls = gateway.calls_made - before
    clock.finish(started, f"{proved} of {len(graph.edges)} edges proved, {calls} calls")
    return graph


def _may_pass(tool: Tool, options: CompileOptions) -> bool:
    """Tell whether the tool failed for a reason that may be gone by itself at the next run.

    A credential is no part of the options, so a refusal of it is not held against the next one.
    """
    if not isinstance(tool.outcome, Failed):
        return False
    cause = tool.outcome.attempt.verdict.cause
    return cause in PASSING or (cause == "unauthorised" and options.auth.type != "none")
