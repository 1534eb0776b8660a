"""The code agent: a model rewrites the body of one failing function, under the lock.

Up to three rounds, each with the reasons of the one before. A body that the lock accepts is read as
a change of the endpoint (`patch`), and runs in a worker of its own. If its call gives information,
the function that the compiler renders from the changed endpoint must send the same request and give
the same proof; that one is shipped.
"""

from __future__ import annotations

import ast
import textwrap
from dataclasses import dataclass

from pydantic import Field

from doc2tools.compiler.emit.functions import Function, name_functions
from doc2tools.compiler.ir.errors import SandboxError
from doc2tools.compiler.ir.exchange import Exchange
from doc2tools.compiler.ir.outcome import Argument, Cause, Failed, Tool, Validated
from doc2tools.compiler.ir.spec import Endpoint
from doc2tools.compiler.llm.choice import Form
from doc2tools.compiler.llm.frame import Answered, Question
from doc2tools.compiler.llm.prompts import prompt
from doc2tools.compiler.repair.agent.bench import Alone, Bench, described, shown_parameter
from doc2tools.compiler.repair.agent.patch import Inexpressible, patched
from doc2tools.compiler.repair.lock import check_repair, without_docstring
from doc2tools.compiler.repair.outcome import Permit, Refused
from doc2tools.compiler.validate.plan import ArgumentSet

__all__ = ["CodeForm", "repair_code"]

ROUNDS = 3
MOST_TOKENS = 500
ANSWER = 1_200
MENDABLE: frozenset[Cause] = frozenset(
    {
        *("missing-path", "missing-parameter", "wrong-parameter-value", "abnormal-response"),
        *("server-fault", "code-fault", "failed-validation", "empty-response"),
    }
)
"""Failures that another request may mend."""


class CodeForm(Form):
    """A new body, or none."""

    nothing: bool = False
    body: str = Field(default="", max_length=8_000)


@dataclass(frozen=True, slots=True)
class _Subject:
    """The function under repair.

    Attributes:
        sources: The staged package that holds it alone.
        path: Its module in there.
        bases: Base URLs that it may name.
    """

    function: Function
    sources: dict[str, str]
    path: str
    bases: tuple[str, ...]
    arguments: tuple[Argument, ...]

    @property
    def module(self) -> str:
        return self.sources[self.path]

    @property
    def permit(self) -> Permit:
        return Permit(self.function.endpoint.method.upper(), self.bases)


@dataclass(frozen=True, slots=True)
class _Made:
    """A repair that is proved: the endpoint, the calls it took, and the proof."""

    endpoint: Endpoint
    calls: int
    outcome: Validated


def repair_code(tool: Tool, bench: Bench) -> Tool:
    """Let a model rewrite a function that failed after all the rules; proved, or left as it was."""
    outcome = tool.outcome
    if not isinstance(outcome, Failed) or not bench.may_call(tool.endpoint):
        return tool
    if outcome.attempt.verdict.cause not in MENDABLE or bench.sandbox.mode == "weak":
        return tool
    subject = _subject(tool.endpoint, outcome, bench)
    tries: list[str] = []
    for _ in range(ROUNDS):
        asked = bench.model.ask(
            _question(subject, outcome, tries), "code", tool.endpoint.name, MOST_TOKENS
        )
        if not isinstance(asked, Answered) or asked.value.nothing:
            return tool
        made = _try(subject, asked.value.body, bench)
        if isinstance(made, str):
            tries.append(f"{asked.value.body[:800]}\n-> {made}"[:1_400])
            continue
        changes = _difference(tool, made.endpoint)
        note = f"rewritten by the model {bench.model.terms.model}: {changes}"
        return Tool(
            endpoint=made.endpoint,
            outcome=made.outcome.model_copy(update={"calls": outcome.calls + made.calls}),
            rounds=tool.rounds + len(tries) + 1,
            repairs=(*tool.repairs, note),
        )
    return tool


def _subject(endpoint: Endpoint, outcome: Failed, bench: Bench) -> _Subject:
    sources = bench.sources([endpoint])
    function = name_functions([endpoint])[0]
    known = {one.base_url for one in bench.plan.spec.endpoints if one.base_url}
    return _Subject(
        function=function,
        sources=sources,
        path=f"tools/{function.module}.py",
        bases=tuple(sorted({*known, endpoint.base_url})),
        arguments=outcome.attempt.arguments,
    )


def _question(subject: _Subject, outcome: Failed, tries: list[str]) -> Question[CodeForm]:
    endpoint = subject.function.endpoint
    data = {
        "function": _function_text(subject),
        "documentation": described(endpoint),
        "parameters": "\n".join(
            shown_parameter(endpoint, parameter.name) for parameter in endpoint.parameters[:20]
        ),
        "request": _request_text(outcome.attempt.exchange),
        "answer": _answer_text(outcome.attempt.exchange),
        "verdict": f"{outcome.attempt.verdict.cause}: {outcome.attempt.verdict.message}"[:400],
    }
    if tries:
        data["earlier tries"] = "\n\n".join(tries)
    return Question(instruction=prompt("code"), answer=CodeForm, data=data)


def _function_text(subject: _Subject) -> str:
    node = _node(subject.module, subject.function.name.source)
    lines = subject.module.split("\n")
    return "\n".join(lines[node.lineno - 1 : node.end_lineno])[:3_000] if node else ""


def _request_text(exchange: Exchange | None) -> str:
    if exchange is None:
        return ""
    return f"{exchange.request.method} {exchange.request.url}\n{exchange.request.body[:400]}"[:900]


def _answer_text(exchange: Exchange | None) -> str:
    response = exchange.response if exchange else None
    if response is None or response.body_base64:
        return ""
    return f"{response.status} {response.content_type}\n{response.body[:ANSWER]}"


def _try(subject: _Subject, body: str, bench: Bench) -> _Made | str:
    """Prove a proposed body; give the endpoint that says the same, or why there is none."""
    name = subject.function.name.source
    proposed = _spliced(subject.module, name, body)
    if proposed is None:
        return "the body is no Python"
    locked = check_repair(subject.module, proposed, name, subject.permit)
    if isinstance(locked, Refused):
        return "refused: " + "; ".join(reason.message for reason in locked.reasons[:4])
    changed = patched(locked.source, subject.function, subject.bases, bench.plan.spec.endpoints)
    if isinstance(changed, Inexpressible):
        return f"refused: {changed.reason}"
    return _proved(subject, locked.source, changed, bench)


def _proved(subject: _Subject, source: str, changed: Endpoint, bench: Bench) -> _Made | str:
    """Call the body as it was written, then what the compiler renders from the changed endpoint."""
    pairs = zip(subject.function.endpoint.parameters, changed.parameters, strict=True)
    wire = {old.name: new.name for old, new in pairs}
    arguments = tuple(
        argument.model_copy(update={"name": wire[argument.name]}) for argument in subject.arguments
    )
    chosen = [ArgumentSet(arguments)]
    sources = {**subject.sources, subject.path: source}
    try:
        root = bench.sandbox.load(sources, written_by_model=True)
        written = bench.prove(changed, chosen, root, Alone(bench.sandbox))
    except SandboxError as fault:
        return f"the sandbox does not run it: {fault}"
    if written.good is None:
        said = written.last.judgement.verdict if written.last else None
        return f"it fails as well: {said.cause}: {said.message}" if said else "it was not called"
    rendered = bench.prove(changed, chosen, bench.stage([changed]))
    if rendered.good is None or not _same_request(rendered.good.exchange, written.good.exchange):
        return "it works, but the function that the compiler makes of it does not"
    return _Made(changed, written.calls + rendered.calls, bench.proved(changed, rendered))


def _same_request(one: Exchange | None, other: Exchange | None) -> bool:
    if one is None or other is None:
        return False
    first, second = one.request, other.request
    return (first.method, first.url, first.body) == (second.method, second.url, second.body)


def _node(source: str, name: str) -> ast.FunctionDef | None:
    try:
        body = ast.parse(source).body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None
    found = [one for one in body if isinstance(one, ast.FunctionDef) and one.name == name]
    return found[0] if len(found) == 1 else None


def _spliced(module: str, name: str, body: str) -> str | None:
    """Put the statements in the place of the function's own."""
    node = _node(module, name)
    text = _statements(body, name)
    if node is None or text is None:
        return None
    own = without_docstring(node)
    lines = module.split("\n")
    first, last = own[0].lineno, own[-1].end_lineno or own[-1].lineno
    return "\n".join((*lines[: first - 1], text, *lines[last:]))


def _statements(body: str, name: str) -> str | None:
    """Give the statements, four columns in; a whole function gives those below its docstring."""
    text = textwrap.dedent(body.strip("\n")).strip()
    if text.startswith("```"):
        text = "\n".join(line for line in text.split("\n") if not line.startswith("```"))
    whole = _node(text, name)
    if whole is not None:
        own = without_docstring(whole)
        last = own[-1].end_lineno if own else None
        if not own or last is None:
            return None
        text = textwrap.dedent("\n".join(text.split("\n")[own[0].lineno - 1 : last]))
    return textwrap.indent(text, "    ") if text.strip() else None


def _difference(tool: Tool, endpoint: Endpoint) -> str:
    """Say in a few words what the repair changed."""
    old = tool.endpoint
    said: list[str] = []
    if (old.base_url, old.path) != (endpoint.base_url, endpoint.path):
        said.append(f"path {old.path} to {endpoint.path}")
    for before, after in zip(old.parameters, endpoint.parameters, strict=True):
        if (before.name, before.location) != (after.name, after.location):
            said.append(f"{before.name} in {before.location} to {after.name} in {after.location}")
    if old.fixed_query != endpoint.fixed_query:
        said.append("fixed query values")
    if old.fixed_headers != endpoint.fixed_headers:
        said.append("fixed headers")
    return ", ".join(said) or "the same request in other words"
