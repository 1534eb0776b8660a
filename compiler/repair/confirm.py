"""Faults of the documentation that did not keep a tool from working: found, proved and mended.

A call that worked may have left the documentation's path: it sent an optional parameter, or a value
other than the documented one. What the documentation says is then tried as well, mostly from the
recorded answers; where that fails, the parameter is required, or the documented value is wrong.
"""

from __future__ import annotations

from doc2tools.compiler.ir.base import JsonValue
from doc2tools.compiler.ir.outcome import Argument, Tool, Validated
from doc2tools.compiler.ir.spec import Endpoint, Parameter
from doc2tools.compiler.passes.examples import same_value
from doc2tools.compiler.repair.patches import Patch, ReplaceExample, Require
from doc2tools.compiler.repair.trial import Bench
from doc2tools.compiler.validate.filters import is_credential, is_stand_in
from doc2tools.compiler.validate.plan import ArgumentSet
from doc2tools.param_db.fit import shaped

__all__ = ["confirm"]

_REFUSED = range(400, 500)
_NOT_ABOUT_IT = frozenset({401, 403, 404, 405, 406, 407, 408, 410, 429})
_MOST_MARKS = 4
_MOST_VALUES = 2


def confirm(tool: Tool, bench: Bench) -> Tool:
    """Give a validated tool with the faults of its documentation mended, by a few calls each."""
    reads = tool.endpoint.effect.kind == "read"
    if not isinstance(tool.outcome, Validated) or not reads or bench.spent:
        return tool
    patches = [*_required(tool, bench), *_wrong_values(tool, bench)]
    if not patches:
        return tool
    endpoint = tool.endpoint
    for patch in patches:
        endpoint = patch.apply(endpoint)
    lines = tuple(line for patch in patches if (line := patch.line) not in tool.repairs)
    return tool.model_copy(update={"endpoint": endpoint, "repairs": (*tool.repairs, *lines)})


def _arguments(tool: Tool) -> tuple[Argument, ...]:
    return tool.outcome.attempt.arguments if isinstance(tool.outcome, Validated) else ()


def _required(tool: Tool, bench: Bench) -> list[Patch]:
    """Find optional parameters without which the call is refused."""
    sent = _arguments(tool)
    known = {parameter.name: parameter for parameter in tool.endpoint.parameters}
    optional = [one for one in sent if one.name in known and not known[one.name].required]
    found: list[Patch] = []
    for argument in optional[:_MOST_MARKS]:
        rest = tuple(one for one in sent if one is not argument)
        if _is_refused(tool.endpoint, rest, argument.name, bench):
            found.append(Require(argument.name))
    return found


def _is_refused(
    endpoint: Endpoint, arguments: tuple[Argument, ...], name: str, bench: Bench
) -> bool:
    trial = bench.once(endpoint, ArgumentSet(arguments))
    tried = trial.worst
    if tried is None or tried.exchange is None or tried.exchange.response is None:
        return False
    complaint = tried.judgement.complaint
    if complaint is not None and complaint.missing and complaint.parameter == name:
        return True
    if complaint is not None and complaint.parameter != name:
        return False
    status = tried.exchange.response.status
    refused = status in _REFUSED and status not in _NOT_ABOUT_IT
    return refused or (tried.judgement.verdict.cause == "missing-parameter" and status < 500)


def _wrong_values(tool: Tool, bench: Bench) -> list[Patch]:
    """Find documented values with which the call fails, where another value works."""
    sent = _arguments(tool)
    found: list[Patch] = []
    for parameter in tool.endpoint.parameters:
        argument = next((one for one in sent if one.name == parameter.name), None)
        if argument is None or argument.origin in {"configured", "guessed"}:
            continue
        if is_credential(parameter) or len(found) >= _MOST_VALUES:
            continue
        shown = _documented(parameter, tool.endpoint)
        if not shown or any(_alike(value, argument.value, parameter) for value in shown):
            continue
        wrong = shown[0]
        tried = ArgumentSet(
            tuple(
                one.model_copy(update={"value": shaped(wrong, parameter), "origin": "documented"})
                if one is argument
                else one
                for one in sent
            )
        )
        trial = bench.once(tool.endpoint, tried)
        if trial.best is None and trial.worst is not None:
            status = trial.worst.attempt.exchange
            response = status.response if status else None
            if response is not None and response.status < 500:
                found.append(ReplaceExample(parameter.name, wrong, argument.value))
    return found


def _documented(parameter: Parameter, endpoint: Endpoint) -> list[JsonValue]:
    """Give the values that the documentation shows for a parameter, as examples or in samples."""
    shown = [one.value for one in parameter.examples if one.origin == "documented"]
    shown += [sample[parameter.name] for sample in endpoint.samples if parameter.name in sample]
    return [value for value in shown if not is_stand_in(value, parameter.name)]


def _alike(one: JsonValue, other: JsonValue, parameter: Parameter) -> bool:
    return same_value(shaped(one, parameter), other) or str(one) == str(other)
