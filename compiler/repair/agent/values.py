"""Values for parameters that have none that works: a model proposes, a real call decides.

A proposed value is a guess. It is no example and goes into no database, unless a call with it gave
information without reserve.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from pydantic import Field

from doc2tools.compiler.ir.base import JsonValue
from doc2tools.compiler.ir.outcome import Argument, Cause, Failed, Tool, Unvalidated
from doc2tools.compiler.ir.spec import Endpoint, Parameter
from doc2tools.compiler.llm.choice import Form
from doc2tools.compiler.llm.frame import Answered, Question
from doc2tools.compiler.llm.prompts import prompt
from doc2tools.compiler.passes.splitting import split_address
from doc2tools.compiler.repair.agent.bench import Bench, described, shown_parameter
from doc2tools.compiler.validate.filters import changes_state, is_credential, is_stand_in
from doc2tools.compiler.validate.plan import ArgumentSet, required
from doc2tools.param_db.fit import fits, shaped

__all__ = ["find_values", "usable_value"]

MOST_VALUES = 5
MOST_PARAMETERS = 4
MOST_TOKENS = 250
LONGEST_VALUE = 200
OPEN: frozenset[Cause] = frozenset(
    {
        *("no-parameter-value", "wrong-parameter-value", "missing-parameter", "missing-path"),
        *("empty-response", "abnormal-response"),
    }
)
"""Failures that other values may mend."""


class ValuesForm(Form):
    """Values for the parameters of these numbers; those of numbers not asked about do no harm."""

    values_1: list[str] = Field(default=[], max_length=MOST_VALUES)
    values_2: list[str] = Field(default=[], max_length=MOST_VALUES)
    values_3: list[str] = Field(default=[], max_length=MOST_VALUES)
    values_4: list[str] = Field(default=[], max_length=MOST_VALUES)


def find_values(tool: Tool, bench: Bench) -> Tool:
    """Try values that a model proposes for a tool that failed for want of the right ones."""
    lack = _lack(tool) if bench.may_call(tool.endpoint) else None
    sets = _asked_sets(tool, lack, bench) if lack is not None else []
    proof = bench.prove(tool.endpoint, sets, bench.stage([tool.endpoint])) if sets else None
    if lack is None or proof is None or proof.good is None:
        return tool
    calls = tool.outcome.calls if isinstance(tool.outcome, Failed) else 0
    names = ", ".join(parameter.name for parameter in lack.wanted)
    note = f"values of {names}: proposed by the model {bench.model.terms.model}"
    return tool.model_copy(
        update={
            "outcome": bench.proved(tool.endpoint, proof, calls),
            "repairs": (*tool.repairs, note),
            "rounds": tool.rounds + 1,
        }
    )


@dataclass(frozen=True, slots=True)
class _Lack:
    """The required parameters that want a value, and the arguments for the others."""

    wanted: tuple[Parameter, ...]
    fixed: tuple[Argument, ...]


def _lack(tool: Tool) -> _Lack | None:
    """Give what a tool lacks, or None where no value of a model can help."""
    outcome, needed = tool.outcome, required(tool.endpoint)
    if not isinstance(outcome, Failed | Unvalidated) or any(_refused(one) for one in needed):
        return None
    cause = outcome.cause if isinstance(outcome, Unvalidated) else outcome.attempt.verdict.cause
    given = outcome.attempt.arguments if isinstance(outcome, Failed) else ()
    wanted = tuple(one for one in needed if not _settled(one, given))
    fixed = [_first(one, given) for one in needed if one not in wanted]
    known = tuple(argument for argument in fixed if argument is not None)
    if cause not in OPEN or not 0 < len(wanted) <= MOST_PARAMETERS or len(known) < len(fixed):
        return None
    return _Lack(wanted, known)


def _asked_sets(tool: Tool, lack: _Lack, bench: Bench) -> list[ArgumentSet]:
    asked = bench.model.ask(_question(tool, lack.wanted), "values", tool.endpoint.name, MOST_TOKENS)
    if not isinstance(asked, Answered):
        return []
    form = asked.value
    proposed = (form.values_1, form.values_2, form.values_3, form.values_4)
    lists = [
        _usable(texts, parameter, bench)
        for texts, parameter in zip(proposed, lack.wanted, strict=False)
    ]
    return list(_sets(tool.endpoint, lack, lists, bench)) if all(lists) else []


def _refused(parameter: Parameter) -> bool:
    return is_credential(parameter) or parameter.type in ("file", "object")


def _settled(parameter: Parameter, given: Sequence[Argument]) -> bool:
    """Tell whether the parameter needs no object to exist, or has a value that nobody guessed."""
    if parameter.enum or parameter.default is not None:
        return True
    return any(
        one.name == parameter.name and one.origin in ("configured", "observed") for one in given
    )


def _first(parameter: Parameter, given: Sequence[Argument]) -> Argument | None:
    known = next((one for one in given if one.name == parameter.name), None)
    if known is not None:
        return known
    stated = parameter.default if parameter.default is not None else None
    if stated is None and parameter.enum:
        stated = parameter.enum[0]
    if stated is None or changes_state(parameter, stated):
        return None
    return Argument(name=parameter.name, value=stated, origin="documented", source="default")


def _question(tool: Tool, wanted: Sequence[Parameter]) -> Question[ValuesForm]:
    endpoint, outcome = tool.endpoint, tool.outcome
    data = {
        "tool": f"{endpoint.name}: {endpoint.method} {endpoint.path}",
        "documentation": described(endpoint),
    }
    for number, parameter in enumerate(wanted, 1):
        data[f"parameter {number}"] = shown_parameter(endpoint, parameter.name)
    if isinstance(outcome, Failed):
        sent = {one.name: str(one.value)[:100] for one in outcome.attempt.arguments}
        shown = ", ".join(f"{name} = {value}" for name, value in sent.items())
        data["tried without success"] = f"{shown}: {outcome.attempt.verdict.message}"[:600]
    return Question(instruction=prompt("values"), answer=ValuesForm, data=data)


def _usable(texts: Sequence[str], parameter: Parameter, bench: Bench) -> list[JsonValue]:
    found: list[JsonValue] = []
    for text in texts[:MOST_VALUES]:
        value = usable_value(text, parameter, bench)
        if value is not None and value not in found:
            found.append(value)
    return found


def usable_value(text: str, parameter: Parameter, bench: Bench) -> JsonValue:
    """Give a proposed value as the parameter takes it, or None where it may not be sent."""
    plain = text.strip()
    if not plain or len(plain) > LONGEST_VALUE or not plain.isprintable():
        return None
    if is_stand_in(plain, parameter.name) or ".." in plain or is_credential(parameter):
        return None
    if "://" in plain and not _own(plain, bench):
        return None
    value = shaped(plain, parameter)
    if changes_state(parameter, value) or not fits(value, parameter):
        return None
    return value


def _own(address: str, bench: Bench) -> bool:
    """Tell whether an address is on the API's own host: no server is sent elsewhere by a guess."""
    host = split_address(address).netloc.lower()
    bases = {bench.plan.base_url, *(one.base_url for one in bench.plan.spec.endpoints)}
    return host in {split_address(base).netloc.lower() for base in bases if base}


def _sets(
    endpoint: Endpoint, lack: _Lack, lists: Sequence[Sequence[JsonValue]], bench: Bench
) -> Iterator[ArgumentSet]:
    order = [parameter.name for parameter in endpoint.parameters]
    seen: set[str] = set()
    for turn in range(max(len(values) for values in lists)):
        picked = [
            bench.guess(parameter.name, values[min(turn, len(values) - 1)])
            for parameter, values in zip(lack.wanted, lists, strict=True)
        ]
        arguments = sorted((*lack.fixed, *picked), key=lambda one: order.index(one.name))
        chosen = ArgumentSet(tuple(arguments))
        if chosen.key not in seen:
            seen.add(chosen.key)
            yield chosen
