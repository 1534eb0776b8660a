"""What the stages of the agent share: the model, the sandbox, the values known, and the proof.

A proof is a real call through sandbox and gateway, judged by the same rules as every other call.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace

from doc2tools.compiler.emit.package import stage_sources
from doc2tools.compiler.events import Listener
from doc2tools.compiler.ir.base import JsonValue
from doc2tools.compiler.ir.exchange import ToolRun
from doc2tools.compiler.ir.options import CompileOptions
from doc2tools.compiler.ir.outcome import Argument, Attempt, Tool, Validated, Verdict
from doc2tools.compiler.ir.plan import PackagePlan, ToolCall
from doc2tools.compiler.ir.spec import Endpoint
from doc2tools.compiler.llm.model import Model
from doc2tools.compiler.validate.control import Control
from doc2tools.compiler.validate.harvest import documented_values, harvest
from doc2tools.compiler.validate.plan import ArgumentSet, refusal
from doc2tools.compiler.validate.tool_run import Caller, Context, Tried, call_tool
from doc2tools.param_db.values import Values, ValueStore
from doc2tools.sandbox.sandbox import Sandbox

__all__ = ["Alone", "Bench", "Proof", "described", "noted", "shown_parameter"]

MOST_CALLS = 5
TEXT = 700


@dataclass(frozen=True, slots=True)
class Proof:
    """What the calls made for one tool gave.

    Attributes:
        good: The call that proved it, without reserve.
        last: The last call made.
        calls: Calls made.
    """

    good: Tried | None = None
    last: Tried | None = None
    calls: int = 0


@dataclass(frozen=True, slots=True)
class Alone:
    """Runs each call in a worker of its own, as code that a model wrote must be."""

    sandbox: Sandbox

    def run(self, call: ToolCall) -> ToolRun:
        """Call a tool and give what the parent recorded."""
        return self.sandbox.run(call, alone=True)


@dataclass(slots=True)
class Bench:
    """What the stages work with.

    Attributes:
        values: The values that documentation and answers gave so far.
        calls: Calls made for proofs.
    """

    plan: PackagePlan
    sandbox: Sandbox
    model: Model
    on_event: Listener
    values: Values = field(default_factory=ValueStore)
    calls: int = 0

    def learn(self, tools: Iterable[Tool]) -> None:
        """Take what documentation and validated answers hold into the values."""
        self.values.add(documented_values(self.plan.spec))
        for tool in tools:
            attempt = tool.outcome.attempt if isinstance(tool.outcome, Validated) else None
            exchange = attempt.exchange if attempt else None
            if attempt is not None and exchange is not None:
                self.values.add(harvest(tool.endpoint, attempt.arguments, exchange))

    @property
    def options(self) -> CompileOptions:
        """The options of the compile."""
        return self.plan.options

    def may_call(self, endpoint: Endpoint) -> bool:
        """Tell whether the endpoint only reads and its method is allowed."""
        return endpoint.effect.kind == "read" and refusal(endpoint, self.options) is None

    def sources(self, endpoints: Sequence[Endpoint]) -> dict[str, str]:
        """Give the staged package of these endpoints."""
        return stage_sources(self.plan.name, self.plan.base_url, endpoints, self.options)

    def stage(self, endpoints: Sequence[Endpoint]) -> str:
        """Load the staged package of these endpoints, and give its root."""
        return self.sandbox.load(self.sources(endpoints))

    def prove(
        self,
        endpoint: Endpoint,
        sets: Sequence[ArgumentSet],
        root: str,
        caller: Caller | None = None,
    ) -> Proof:
        """Call a tool with `sets` in turn until one call proves it."""
        send = self.sandbox.gateway.exchange
        control = Control(send, (*self.plan.spec.endpoints, endpoint))
        context = Context(
            caller or self.sandbox,
            control,
            root,
            self.options,
            self.values,
            self.on_event,
            lambda: False,
        )
        proof = Proof()
        for chosen in sets[:MOST_CALLS]:
            tried = call_tool(endpoint, chosen, context)
            self.calls += 1
            proof = replace(proof, last=tried, calls=proof.calls + 1)
            if tried.good and not tried.judgement.tentative:
                return replace(proof, good=tried)
            if tried.judgement.retry == "never":
                break
        return proof

    def proved(self, endpoint: Endpoint, proof: Proof, calls: int = 0) -> Validated:
        """Give the outcome of a good proof; guessed values that it proved are no longer guesses."""
        tried = proof.good
        assert tried is not None, "only a good proof gives an outcome"  # noqa: S101 - our own
        attempt = tried.attempt
        settled = tuple(self._settled(argument) for argument in attempt.arguments)
        attempt = attempt.model_copy(update={"arguments": settled})
        if attempt.exchange is not None:
            self.values.add(harvest(endpoint, settled, attempt.exchange))
        return Validated(attempt=attempt, calls=calls + proof.calls)

    def _settled(self, argument: Argument) -> Argument:
        if argument.origin != "guessed":
            return argument
        source = f"proposed by the model {self.model.terms.model}, proved by the call"
        return argument.model_copy(update={"origin": "repaired", "source": source})

    def guess(self, name: str, value: JsonValue) -> Argument:
        """Give an argument whose value a model proposed."""
        source = f"proposed by the model {self.model.terms.model}"
        return Argument(name=name, value=value, origin="guessed", source=source)


def described(endpoint: Endpoint) -> str:
    """Give what the documentation says about an endpoint, in short."""
    said = (endpoint.title, endpoint.summary, endpoint.description)
    return "\n".join(dict.fromkeys(text.strip()[:TEXT] for text in said if text.strip()))[:TEXT]


def shown_parameter(endpoint: Endpoint, name: str) -> str:
    """Give what the documentation says about a parameter, in one line."""
    parameter = next(one for one in endpoint.parameters if one.name == name)
    parts = [parameter.name, f"in {parameter.location}", parameter.type]
    parts.append("required" if parameter.required else "optional")
    if parameter.enum:
        parts.append("one of " + ", ".join(str(value) for value in parameter.enum[:20]))
    if parameter.format or parameter.pattern:
        parts.append(f"form {parameter.format or parameter.pattern}"[:80])
    examples = [str(example.value)[:60] for example in parameter.examples[:3]]
    if examples:
        parts.append("for example " + ", ".join(examples))
    return "; ".join(parts) + (f": {parameter.description[:200]}" if parameter.description else "")


def noted(attempt: Attempt, line: str) -> Attempt:
    """Give the attempt with one more line of evidence."""
    verdict: Verdict = attempt.verdict
    evidence = (*verdict.evidence, line)
    return attempt.model_copy(update={"verdict": verdict.model_copy(update={"evidence": evidence})})
