"""What validation tells its listeners while it runs."""

from __future__ import annotations

from dataclasses import dataclass

from doc2tools.compiler.ir.outcome import Outcome, Verdict

__all__ = ["CallJudged", "ToolFinished", "WaveFinished", "WaveStarted"]


@dataclass(frozen=True, slots=True)
class WaveStarted:
    """A wave begins: `tools` tools have values that were not tried yet."""

    number: int
    tools: int


@dataclass(frozen=True, slots=True)
class CallJudged:
    """One call of a tool was made and judged; comes from a worker thread."""

    name: str
    verdict: Verdict
    elapsed: float


@dataclass(frozen=True, slots=True)
class WaveFinished:
    """A wave has ended: how many tools it validated, and how many values it brought."""

    number: int
    validated: int
    values: int


@dataclass(frozen=True, slots=True)
class ToolFinished:
    """What became of a tool is settled."""

    name: str
    outcome: Outcome
