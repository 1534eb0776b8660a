"""Simple, task-shaped tools over an over-flexible endpoint.

First fingerprints (name, purpose, what is fixed, what is free), then each function; no free code:
the result is an endpoint with some parameters fixed, which is rendered and called like any other.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from urllib.parse import quote

from pydantic import Field

from doc2tools.compiler.ir.base import JsonValue
from doc2tools.compiler.ir.outcome import Argument, Tool, Validated
from doc2tools.compiler.ir.spec import Endpoint, Parameter
from doc2tools.compiler.llm.choice import Form
from doc2tools.compiler.llm.frame import Answered, Question
from doc2tools.compiler.llm.prompts import prompt
from doc2tools.compiler.repair.agent.bench import Bench, described, shown_parameter
from doc2tools.compiler.repair.agent.values import usable_value
from doc2tools.compiler.validate.plan import ArgumentSet
from doc2tools.param_db.naming import fold

__all__ = ["FunctionForm", "TasksForm", "flexible", "task_tools"]

MANY_OPTIONAL = 6
MOST_ENDPOINTS = 6
MOST_FOR_PAGE = 10
MOST_SHOWN = 20
MOST_FREE = 4
"""Arguments of a function that is called simple."""
MOST_TOKENS = 700
LONGEST_NAME = 50
QUERY_LANGUAGE = frozenset(
    {
        *("query", "q", "filter", "filters", "where", "sql", "expr", "expression", "match", "jql"),
        *("cql", "promql", "search", "search_query", "criteria", "condition", "select", "fields"),
    }
)
_LANGUAGE = re.compile(
    r"\b(?:query|filter|search|expression) (?:language|syntax|string|expression)|\bexpression\b|"
    r"\bselector\b|\boperators?\b|\bboolean\b",
    re.IGNORECASE,
)
_NAME = re.compile(r"[a-z][a-z0-9]*(?:_[a-z0-9]+)*")
_PURPOSE = re.compile(r"[A-Za-z0-9 ,.'()/-]{10,120}")


class TaskForm(Form):
    """The fingerprint of one function."""

    name: str = Field(max_length=80)
    purpose: str = Field(max_length=300)
    fixed: list[int] = Field(max_length=8)
    free: list[int] = Field(default=[], max_length=8)


class TasksForm(Form):
    """Functions that would serve common tasks."""

    tasks: list[TaskForm] = Field(max_length=10)


class GivenForm(Form):
    """A parameter's number and a value for it."""

    parameter: int
    value: str = Field(max_length=300)


class FunctionForm(Form):
    """The values of one function."""

    fixed: list[GivenForm] = Field(max_length=8)
    example: list[GivenForm] = Field(default=[], max_length=8)


@dataclass(frozen=True, slots=True)
class _Task:
    """A fingerprint that was accepted."""

    name: str
    purpose: str
    fixed: tuple[Parameter, ...]
    free: tuple[Parameter, ...]


def flexible(endpoint: Endpoint) -> bool:
    """Tell whether an endpoint takes so much that most calls use little of it."""
    usable = _usable_parameters(endpoint)
    optional = [one for one in usable if not one.required]
    return len(optional) >= MANY_OPTIONAL or any(_speaks(one) for one in usable)


def _speaks(parameter: Parameter) -> bool:
    """Tell whether the parameter takes a language of its own."""
    text = f"{parameter.name} {parameter.description}"
    plain = parameter.type in ("string", "any") and not parameter.enum
    return plain and fold(parameter.name) in QUERY_LANGUAGE and bool(_LANGUAGE.search(text))


def _usable_parameters(endpoint: Endpoint) -> list[Parameter]:
    return [
        one
        for one in endpoint.parameters
        if one.location in ("query", "path") and one.type not in ("file", "object", "array")
    ][:MOST_SHOWN]


def task_tools(tools: Sequence[Tool], bench: Bench) -> tuple[Tool, ...]:
    """Give further tools over the flexible endpoints among `tools`, each proved by a call."""
    names = {tool.endpoint.name for tool in tools}
    pages: dict[str, int] = {}
    found: list[Tool] = []
    chosen = [
        tool
        for tool in tools
        if isinstance(tool.outcome, Validated)
        and not tool.endpoint.proposed
        and tool.endpoint.method == "GET"
        and bench.may_call(tool.endpoint)
        and flexible(tool.endpoint)
    ]
    for tool in chosen[:MOST_ENDPOINTS]:
        page = tool.endpoint.spans[0].page if tool.endpoint.spans else ""
        left = MOST_FOR_PAGE - pages.get(page, 0)
        for task in _fingerprints(tool, bench, names, left):
            pages[page] = pages.get(page, 0) + 1
            made = _function(tool, task, bench)
            if made is not None:
                names.add(made.endpoint.name)
                found.append(made)
    return tuple(found)


def _fingerprints(tool: Tool, bench: Bench, names: Collection[str], most: int) -> Iterator[_Task]:
    endpoint = tool.endpoint
    known = _usable_parameters(endpoint)
    question = Question(
        instruction=prompt("tasks"),
        answer=TasksForm,
        data={
            "endpoint": f"{endpoint.name}: {endpoint.method} {endpoint.path}",
            "documentation": described(endpoint),
            "parameters": _numbered(endpoint, known),
        },
    )
    asked = bench.model.ask(question, "tasks", endpoint.name, MOST_TOKENS) if most > 0 else None
    if not isinstance(asked, Answered):
        return
    seen: set[tuple[frozenset[int], frozenset[int]]] = set()
    taken = set(names)
    for form in asked.value.tasks[:most]:
        task = _task(form, known)
        key = (frozenset(form.fixed), frozenset(form.free))
        if task is None or task.name in taken or key in seen:
            continue
        seen.add(key)
        taken.add(task.name)
        yield task


def _task(form: TaskForm, known: Sequence[Parameter]) -> _Task | None:
    numbers = [*form.fixed, *form.free]
    valid = all(1 <= number <= len(known) for number in numbers)
    simple = form.fixed and len(form.free) <= MOST_FREE
    if not simple or not valid or len(set(numbers)) != len(numbers):
        return None
    name = form.name.strip().lower()[:LONGEST_NAME].rstrip("_")
    purpose = " ".join(form.purpose.split())
    if not _NAME.fullmatch(name) or not _PURPOSE.fullmatch(purpose):
        return None
    fixed = tuple(known[number - 1] for number in form.fixed)
    free = tuple(known[number - 1] for number in form.free)
    return _Task(name, purpose, fixed, free)


def _numbered(endpoint: Endpoint, parameters: Sequence[Parameter]) -> str:
    return "\n".join(
        f"{number}: {shown_parameter(endpoint, parameter.name)}"
        for number, parameter in enumerate(parameters, 1)
    )


def _function(tool: Tool, task: _Task, bench: Bench) -> Tool | None:
    endpoint = tool.endpoint
    known = _usable_parameters(endpoint)
    numbers = {parameter.name: number for number, parameter in enumerate(known, 1)}
    chosen = [
        f"{'fixed' if one in task.fixed else 'free'} {numbers[one.name]}: "
        f"{shown_parameter(endpoint, one.name)}"
        for one in (*task.fixed, *task.free)
    ]
    question = Question(
        instruction=prompt("task"),
        answer=FunctionForm,
        data={
            "function": f"{task.name}: {task.purpose}",
            "endpoint": f"{endpoint.method} {endpoint.path}",
            "documentation": described(endpoint),
            "parameters": "\n".join(chosen),
        },
    )
    asked = bench.model.ask(question, "tasks", endpoint.name, MOST_TOKENS // 2)
    if not isinstance(asked, Answered):
        return None
    fixed = _given(asked.value.fixed, task.fixed, numbers, bench)
    shown = _given(asked.value.example, task.free, numbers, bench)
    shaped = _shaped(tool, task, fixed, bench) if len(fixed) == len(task.fixed) else None
    return _proved(tool, shaped, shown, bench) if shaped is not None else None


def _proved(tool: Tool, shaped: Endpoint, shown: dict[str, JsonValue], bench: Bench) -> Tool | None:
    sets = list(_sets(tool, shaped, shown, bench))
    proof = bench.prove(shaped, sets, bench.stage([shaped])) if sets else None
    if proof is None or proof.good is None:
        return None
    outcome = bench.proved(shaped, proof)
    if not shaped.parameters and _digest(outcome) == _digest(tool.outcome):
        return None  # what is fixed changes nothing
    model = bench.model.terms.model
    note = f"task-shaped tool over {tool.endpoint.name}, by the model {model}"
    return Tool(endpoint=shaped, outcome=outcome, rounds=1, repairs=(note,))


def _given(
    forms: Sequence[GivenForm],
    parameters: Sequence[Parameter],
    numbers: dict[str, int],
    bench: Bench,
) -> dict[str, JsonValue]:
    by_number = {numbers[parameter.name]: parameter for parameter in parameters}
    found: dict[str, JsonValue] = {}
    for form in forms:
        parameter = by_number.get(form.parameter)
        value = usable_value(form.value, parameter, bench) if parameter else None
        if parameter is not None and value is not None:
            found.setdefault(parameter.name, value)
    return found


def _shaped(tool: Tool, task: _Task, fixed: dict[str, JsonValue], bench: Bench) -> Endpoint | None:
    """Give the endpoint with values in the place of what is fixed."""
    endpoint = tool.endpoint
    path = endpoint.path
    query = dict(endpoint.fixed_query)
    for parameter in task.fixed:
        text = _text(fixed[parameter.name])
        if parameter.location == "query":
            query[parameter.name] = text
            continue
        filled = quote(text, safe="")
        if "%" in filled or "{" in text:
            return None
        path = path.replace("{" + parameter.name + "}", filled)
    free = {parameter.name for parameter in task.free}
    gone = {parameter.name for parameter in task.fixed}
    kept = tuple(
        parameter.model_copy(update={"required": True})
        for parameter in endpoint.parameters
        if parameter.name in free or (parameter.required and parameter.name not in gone)
    )
    if any(parameter.location not in ("path", "query") for parameter in kept):
        return None
    reason = f"a task-shaped tool over {endpoint.name}, by the model {bench.model.terms.model}"
    return endpoint.model_copy(
        update={
            "name": task.name,
            "title": "",
            "summary": task.purpose,
            "description": "",
            "path": path,
            "fixed_query": query,
            "parameters": kept,
            "samples": (),
            "pagination": None,
            "reasons": (*endpoint.reasons, reason),
            "proposed": reason,
        }
    )


def _text(value: JsonValue) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    return str(value)


def _sets(
    tool: Tool, shaped: Endpoint, shown: dict[str, JsonValue], bench: Bench
) -> Iterator[ArgumentSet]:
    """Give argument sets: proved and documented values first, then those that the model shows."""
    outcome = tool.outcome
    proved = (
        {one.name: one for one in outcome.attempt.arguments}
        if isinstance(outcome, Validated)
        else {}
    )
    for own_first in (True, False):
        picked: list[Argument] = []
        for parameter in shaped.parameters:
            known = proved.get(parameter.name)
            guess = (
                bench.guess(parameter.name, shown[parameter.name])
                if parameter.name in shown
                else None
            )
            choice = (known or guess) if own_first else (guess or known)
            if choice is None:
                return
            picked.append(choice)
        yield ArgumentSet(tuple(picked))
        if picked == [proved.get(one.name) for one in shaped.parameters] and not shown:
            return


def _digest(outcome: object) -> str:
    if not isinstance(outcome, Validated) or outcome.attempt.exchange is None:
        return ""
    response = outcome.attempt.exchange.response
    return hashlib.sha256(response.body.encode()).hexdigest() if response else ""
