"""A value that stands in a path as a command is never sent, whatever stage asks for it."""

from __future__ import annotations

from dataclasses import dataclass, field

import pytest
from invented_api import endpoint, parameter

from doc2tools.compiler.ir.exchange import Exchange, Request, Response, ToolRun
from doc2tools.compiler.ir.options import CompileOptions
from doc2tools.compiler.ir.outcome import Argument
from doc2tools.compiler.ir.plan import ToolCall
from doc2tools.compiler.validate.control import Control
from doc2tools.compiler.validate.filters import changes_state
from doc2tools.compiler.validate.plan import ArgumentSet
from doc2tools.compiler.validate.tool_run import Context, Tried, call_tool
from doc2tools.param_db.values import ValueStore


@dataclass
class Sent:
    """A sandbox that notes what it was asked to call."""

    calls: list[ToolCall] = field(default_factory=list[ToolCall])

    def run(self, call: ToolCall) -> ToolRun:
        self.calls.append(call)
        url = f"http://127.0.0.1:9/{'/'.join(map(str, call.arguments.values()))}"
        answer = Response(status=200, headers={"content-type": "application/json"}, body='{"a": 1}')
        return ToolRun(
            tool=call.tool,
            exchanges=(Exchange(request=Request(method="GET", url=url), response=answer),),
        )


@pytest.mark.parametrize(
    ("value", "refused"),
    [
        ("SET", True),
        ("INCR", True),
        ("DEL", True),
        ("PUBLISH", True),
        ("delete", True),
        ("shutdown", True),
        ("GET", False),
        ("LRANGE", False),
        ("update", False),
        ("record", False),
        ("order-66", False),
        ("delete-old-files", False),
        (7, False),
    ],
)
def test_a_command_in_a_path(value: str | int, refused: bool) -> None:
    assert changes_state(parameter("id", "path"), value) is refused
    assert not changes_state(parameter("q"), value)


@pytest.mark.parametrize("origin", ["documented", "observed", "guessed", "repaired"])
def test_no_stage_sends_it(origin: str) -> None:
    tried, caller = attempt(origin)
    assert caller.calls == []
    assert tried.judgement.verdict.cause == "blocked"
    assert "'SET' would change state" in " ".join(
        (tried.judgement.verdict.message, *tried.judgement.verdict.evidence)
    )


def test_what_the_user_configured_is_sent() -> None:
    _, caller = attempt("configured")
    assert [call.arguments for call in caller.calls] == [{"id": "SET", "key": "plum"}]


def attempt(origin: str) -> tuple[Tried, Sent]:
    caller = Sent()
    subject = endpoint("/{id}/{key}")
    context = Context(
        root="larder",
        caller=caller,
        options=CompileOptions(),
        values=ValueStore(),
        control=Control(None, ()),
        on_event=lambda _: None,
        stopped=lambda: False,
    )
    arguments = tuple(
        Argument.model_validate({"name": name, "value": value, "origin": origin})
        for name, value in (("id", "SET"), ("key", "plum"))
    )
    return call_tool(subject, ArgumentSet(arguments), context), caller
