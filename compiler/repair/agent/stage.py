"""The model's part of judging, after rules and repair by rules: its results only add.

In go the tools with their outcomes; out come the same tools, none of them worse than before, and
further ones. Order: endpoints that a model found on pages, tentative verdicts, values, code, and
task-shaped tools over what is then proved.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from doc2tools.compiler.ir.outcome import Failed, Tool, Unvalidated, Validated
from doc2tools.compiler.ir.spec import ApiSpec
from doc2tools.compiler.repair.agent.bench import Bench
from doc2tools.compiler.repair.agent.code import repair_code
from doc2tools.compiler.repair.agent.tasks import task_tools
from doc2tools.compiler.repair.agent.values import find_values
from doc2tools.compiler.repair.agent.verdicts import settle_verdict
from doc2tools.compiler.validate.run import validate_with

__all__ = ["finish", "found_by_rules", "proposed_only"]


def found_by_rules(spec: ApiSpec) -> ApiSpec:
    """Give the API without what a model proposed."""
    kept = tuple(endpoint for endpoint in spec.endpoints if not endpoint.proposed)
    return spec.model_copy(update={"endpoints": kept})


def proposed_only(spec: ApiSpec) -> ApiSpec:
    """Give the API with only what a model proposed."""
    kept = tuple(endpoint for endpoint in spec.endpoints if endpoint.proposed)
    return spec.model_copy(update={"endpoints": kept})


def finish(tools: Sequence[Tool], bench: Bench) -> tuple[Tool, ...]:
    """Let the model add to what the rules gave.

    Args:
        tools: Of the endpoints that the rules found, with their outcomes.
        bench: What the stages work with; its package plan names the proposed endpoints too.

    Returns:
        The same tools in the same order, then those of proposed endpoints, then task-shaped ones.

    Raises:
        ProviderError: The provider fails, and the compile requires a model.
    """
    bench.learn(tools)
    found = (*tools, *_proposed(bench))
    found = _each(found, settle_verdict, bench)
    known = _validated(found)
    found = _each(found, find_values, bench)
    found = _each(found, repair_code, bench)
    if _validated(found) > known:
        found = _again(found, bench)
    return (*found, *task_tools(found, bench))


def _each(
    tools: Sequence[Tool], stage: Callable[[Tool, Bench], Tool], bench: Bench
) -> tuple[Tool, ...]:
    return tuple(_better(tool, stage(tool, bench)) for tool in tools)


def _better(before: Tool, after: Tool) -> Tool:
    """Give what a stage made of a tool, unless that is less than it was."""
    lost = before.outcome.status == "validated" and after.outcome.status != "validated"
    return before if lost else after


def _validated(tools: Sequence[Tool]) -> int:
    return sum(1 for tool in tools if isinstance(tool.outcome, Validated))


def _proposed(bench: Bench) -> tuple[Tool, ...]:
    """Call the endpoints that a model found on pages, as any others."""
    spec = proposed_only(bench.plan.spec)
    if not spec.endpoints:
        return ()
    return _validate(spec, bench)


def _again(tools: Sequence[Tool], bench: Bench) -> tuple[Tool, ...]:
    """Try what waited for values once more, as newly proved tools brought some."""
    waiting = [
        tool
        for tool in tools
        if isinstance(tool.outcome, Unvalidated)
        and tool.outcome.cause == "no-parameter-value"
        and bench.may_call(tool.endpoint)
    ]
    if not waiting:
        return tuple(tools)
    spec = bench.plan.spec.model_copy(
        update={"endpoints": tuple(tool.endpoint for tool in waiting)}
    )
    after = {tool.endpoint.name: tool for tool in _validate(spec, bench)}
    return tuple(_replaced(tool, after.get(tool.endpoint.name)) for tool in tools)


def _replaced(tool: Tool, after: Tool | None) -> Tool:
    if after is None or not isinstance(after.outcome, Validated | Failed):
        return tool
    return after.model_copy(update={"rounds": tool.rounds + after.rounds, "repairs": tool.repairs})


def _validate(spec: ApiSpec, bench: Bench) -> tuple[Tool, ...]:
    gateway = bench.sandbox.gateway
    return validate_with(
        spec,
        bench.options,
        bench.sandbox,
        bench.stage(spec.endpoints),
        bench.on_event,
        values=bench.values,
        send=gateway.exchange,
        give_up=gateway.close,
    )
