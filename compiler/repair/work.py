"""How far the repair of one tool has come, and what is told where it came to nothing."""

from __future__ import annotations

from dataclasses import dataclass, field

from doc2tools.compiler.ir.outcome import Failed, Tool
from doc2tools.compiler.ir.spec import Endpoint
from doc2tools.compiler.repair.evidence import Evidence
from doc2tools.compiler.repair.patches import Patch
from doc2tools.compiler.repair.suspect import Notes

__all__ = ["Work", "came_further", "with_notes"]


@dataclass(slots=True)
class Work:
    """One tool under repair.

    Attributes:
        current: Its endpoint with the patches that brought it further so far.
        patches: Those patches.
        calls: Calls made for it, those for its proof included.
    """

    tool: Tool
    current: Endpoint
    evidence: Evidence
    patches: tuple[Patch, ...] = ()
    tried: set[str] = field(default_factory=set[str])
    notes: Notes = field(default_factory=Notes)
    calls: int = 0
    rounds: int = 0
    repaired: Tool | None = None


def came_further(before: Evidence, now: Evidence) -> bool:
    """Tell whether a call got past what stopped the one before it."""
    if now.further != before.further:
        return now.further > before.further
    if before.complaint is None or now.complaint is None:
        return False
    return before.complaint.parameter != now.complaint.parameter


def with_notes(work: Work) -> Tool:
    """Give a tool that could not be repaired, with what was tried as evidence."""
    outcome = work.tool.outcome
    if not isinstance(outcome, Failed) or not (work.notes.lines or work.calls):
        return work.tool
    verdict = outcome.attempt.verdict
    told = verdict.model_copy(update={"evidence": (*verdict.evidence, *work.notes.lines)})
    attempt = outcome.attempt.model_copy(update={"verdict": told})
    failed = Failed(attempt=attempt, calls=outcome.calls + work.calls)
    return work.tool.model_copy(
        update={"outcome": failed, "rounds": work.tool.rounds + work.rounds}
    )
