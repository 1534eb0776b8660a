"""Candidates read as targets: what the later steps of finding endpoints work on."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from doc2tools.compiler.extract.candidates import Candidate
from doc2tools.compiler.extract.decoys import refusal
from doc2tools.compiler.extract.templates import Target, parse_targets
from doc2tools.compiler.ir.draft import Rejected


@dataclass(slots=True)
class Sighting:
    """One target at one place.

    Attributes:
        candidate: Where and how it was seen.
        target: What was seen.
        path: Template from the host's root, base path included once that is settled.
        prefix: The part of `path` that the place itself does not show.
        method: The verb, once it is settled; "" before.
        why_method: Why the verb is assumed where the place states none.
        instance: Path that shows values, where `path` was made from it.
        values: Placeholder name to value, where this is an instance of a template.
    """

    candidate: Candidate
    target: Target
    path: str
    prefix: str
    method: str
    why_method: str
    instance: str
    values: dict[str, str]

    @property
    def concrete(self) -> bool:
        """No placeholder is in the path."""
        return "{" not in self.path


def sight(candidate: Candidate, target: Target) -> Sighting:
    """Make a fresh sighting."""
    path = target.path or "/"
    if not path.startswith("/"):
        path = "/" + path
    return Sighting(candidate, target, path, "", candidate.method, "", "", {})


def read_candidates(
    candidates: Iterable[Candidate],
) -> tuple[list[Sighting], list[Rejected]]:
    """Read every candidate as a target; refuse those whose own shape tells that they are none."""
    sightings: list[Sighting] = []
    rejected: list[Rejected] = []
    seen: set[tuple[int, int | None, int, str, str, str]] = set()
    for candidate in candidates:
        key = (candidate.index, candidate.row, candidate.order, candidate.text, candidate.method,
               candidate.rule)  # fmt: skip
        if key in seen:
            continue
        seen.add(key)
        for target in parse_targets(candidate.text, candidate.emphasised):
            reason = refusal(target, candidate)
            if reason:
                rejected.append(
                    Rejected(text=candidate.text[:300], reason=reason, span=candidate.span)
                )
            else:
                sightings.append(sight(candidate, target))
    return sightings, rejected
