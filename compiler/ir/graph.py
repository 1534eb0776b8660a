"""The dependency graph: which field of one tool's answer can fill which parameter of another.

Edges come in GOAT's stages (similar → judged → proved by execution), each with its counts;
equivalent parameters and fields are merged under one standard name, as in NaviAgent's
heterogeneous graph.
"""

from __future__ import annotations

from typing import Literal

from doc2tools.compiler.ir.base import Frozen, JsonValue, Location, ValueType
from doc2tools.compiler.ir.outcome import VerdictKind

__all__ = [
    "DependencyGraph",
    "Edge",
    "EdgeStage",
    "FieldNode",
    "FieldUse",
    "MergedParameter",
    "ObservedCall",
    "ParameterNode",
    "ParameterUse",
    "Proof",
    "ProofCall",
    "StageCount",
    "StageName",
    "ToolNode",
]

EdgeStage = Literal["candidate", "judged", "proved", "refuted", "untested"]
"""How far an edge came.

`candidate`: similar; `judged`: kept by the rules, proof not tried yet; `proved`: the value from the
source answers and a wrong one does not; `refuted`: it was tried and does not hold; `untested`:
kept by the rules, but it may or can not be tried.
"""

StageName = Literal["complete", "similar", "judged", "proved"]


class ProofCall(Frozen):
    """One call on which a proof rests.

    Attributes:
        tool: The tool's name.
        arguments: Wire name to value, as called.
        exchange: SHA-256 of the recorded exchange, in hexadecimal; "" if no answer came.
        status: The HTTP status, if an answer came.
        verdict: The judgement of the call.
        message: Why, in a line.
    """

    tool: str
    arguments: dict[str, JsonValue] = {}
    exchange: str = ""
    status: int | None = None
    verdict: VerdictKind | None = None
    message: str = ""


class Proof(Frozen):
    """What was tried to prove an edge.

    Attributes:
        value: What the source's answer holds at the edge's field, and the target was called with.
        control: The wrong value that the target was called with as a control.
        source: The call that the value was taken from.
        right: The target's call with `value`.
        wrong: The target's call with `control`.
    """

    value: JsonValue = None
    control: JsonValue = None
    source: ProofCall | None = None
    right: ProofCall | None = None
    wrong: ProofCall | None = None


class Edge(Frozen):
    """`field` of the answer of `source` can fill `parameter` of `target`.

    Attributes:
        source: Name of the tool that gives the value.
        target: Name of the tool that takes it.
        parameter: The target's parameter, by wire name.
        field: Path in the source's answer, such as `results[].id` or `data.*` for a map's keys.
        similarity: Of the descriptions of field and parameter, 0 to 1: the first stage's measure.
        score: How sure the judgement is, 0 to 1.
        reason: Why the edge stands at its stage, in a sentence.
        proof: The calls that were made for it, if any.
        successes: Calls of the target that worked with a value from this field.
        failures: Calls of the target that failed with a value from this field.
    """

    source: str
    target: str
    parameter: str
    field: str
    similarity: float
    score: float = 0.0
    reason: str = ""
    stage: EdgeStage = "candidate"
    proof: Proof | None = None
    successes: int = 0
    failures: int = 0

    @property
    def key(self) -> tuple[str, str, str, str]:
        """What makes the edge unique: source, target, parameter, field."""
        return (self.source, self.target, self.parameter, self.field)


class StageCount(Frozen):
    """How many edges one stage kept and dropped.

    Attributes:
        stage: `complete` counts every pair of a field and another tool's parameter, and is never
            built.
        edges: Pairs of field and parameter that are left after the stage.
        pairs: Distinct pairs of source and target tool among them.
        parameters: Distinct parameters of target tools among them.
        sources: Source tools for one such parameter, on average.
        dropped: What the stage dropped, by class of reason.
    """

    stage: StageName
    edges: int
    pairs: int = 0
    parameters: int = 0
    sources: float = 0.0
    dropped: dict[str, int] = {}


class ParameterNode(Frozen):
    """A parameter of a tool, as the graph knows it.

    Attributes:
        name: The wire name.
        merged: Standard name of the merged parameter that it belongs to.
        known: Whether a value for it is known without the graph: a default, an enumeration, an
            example, or the value of a call that worked.
    """

    name: str
    location: Location
    type: ValueType = "any"
    required: bool = False
    merged: str = ""
    known: bool = False


class FieldNode(Frozen):
    """A field of a tool's answer that belongs to a merged parameter.

    Attributes:
        path: Its path in the answer.
        merged: Standard name of the merged parameter that it belongs to.
        observed: Seen in a real answer; otherwise the documentation says so.
    """

    path: str
    type: ValueType = "any"
    merged: str = ""
    observed: bool = False


class ToolNode(Frozen):
    """A tool of the graph.

    Attributes:
        status: Of its outcome: `validated`, `failed`, `blocked` or `unvalidated`.
        effect: `read`, `write` or `destructive`.
        fields: The fields that take part in an edge.
        field_count: All fields of its answer that were looked at.
        successes: Observed calls that worked.
        failures: Observed calls that failed.
    """

    name: str
    title: str = ""
    group: str = ""
    method: str = "GET"
    path: str = ""
    status: str = "unvalidated"
    effect: str = "read"
    parameters: tuple[ParameterNode, ...] = ()
    fields: tuple[FieldNode, ...] = ()
    field_count: int = 0
    successes: int = 0
    failures: int = 0


class ParameterUse(Frozen):
    """One parameter of one tool, by wire name."""

    tool: str
    parameter: str


class FieldUse(Frozen):
    """One field of one tool's answer, by path."""

    tool: str
    field: str


class MergedParameter(Frozen):
    """Parameters and fields that mean the same, under one standard name.

    Attributes:
        name: The standard name, unique in the graph, such as `movie_id`.
        parameters: Where it is taken.
        fields: Where it is given.
        evidence: Why they were merged, a line each.
    """

    name: str
    parameters: tuple[ParameterUse, ...] = ()
    fields: tuple[FieldUse, ...] = ()
    evidence: tuple[str, ...] = ()


class ObservedCall(Frozen):
    """One call that really happened, in the order of a session.

    Attributes:
        tool: The tool's name.
        arguments: Wire name to value.
        worked: The call gave information.
        answer: The answer, read; it is what later calls may take their values from.
    """

    tool: str
    arguments: dict[str, JsonValue] = {}
    worked: bool = True
    answer: JsonValue = None


class DependencyGraph(Frozen):
    """The graph of one toolkit.

    Attributes:
        name: The toolkit's name.
        tools: The nodes, in the toolkit's order.
        edges: The kept edges (judged and beyond), by target, parameter, then best first.
        merged: The merged parameters, by name.
        stages: The counts of each stage, from the complete graph on.
    """

    name: str = ""
    tools: tuple[ToolNode, ...] = ()
    edges: tuple[Edge, ...] = ()
    merged: tuple[MergedParameter, ...] = ()
    stages: tuple[StageCount, ...] = ()
