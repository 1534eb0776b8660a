"""How well a page is organised, measured, with the figures as reasons."""

from __future__ import annotations

from doc2tools.compiler.extract.candidates import Findings
from doc2tools.compiler.extract.outline import Outline
from doc2tools.compiler.ir.document import Heading, Table
from doc2tools.compiler.ir.draft import EndpointDraft, Quality


def grade(
    outline: Outline, findings: Findings, drafts: tuple[EndpointDraft, ...], answered: int
) -> Quality:
    """Grade the page by how its endpoints, parameters and answers are set out.

    Args:
        outline: The page.
        findings: Its endpoints.
        drafts: The same endpoints with their parameters, or as found.
        answered: How many endpoints have a sample answer.
    """
    count = len(findings.endpoints)
    if not count:
        return Quality(grade="unorganised", reasons=("no endpoint is documented on the page",))
    placed = own = stated = 0
    for found in findings.endpoints:
        if not 0 <= found.anchor < len(outline.entries):
            continue
        entry = outline.entries[found.anchor]
        placed += isinstance(entry.block, Heading | Table) or bool(entry.section)
        own += found.end - found.start > 1
        stated += not found.draft.method.inferred
    with_parameters = [draft for draft in drafts if draft.parameters]
    typed = sum(
        1
        for draft in with_parameters
        if all(p.description or p.type is not None for p in draft.parameters)
    )
    shares = {
        "stand under a heading or in a table": placed / count,
        "have a text of their own": own / count,
        "state their method": stated / count,
        "have a sample answer": answered / count,
    }
    if with_parameters:
        shares["describe every parameter"] = typed / len(with_parameters)
    reasons = tuple(
        f"{round(100 * share)}% of {count} endpoints {what}" for what, share in shares.items()
    )
    low = sum(1 for share in shares.values() if share < 0.5)
    if low == 0:
        return Quality(grade="organised", reasons=reasons)
    if low >= len(shares) - 1:
        return Quality(grade="unorganised", reasons=reasons)
    return Quality(grade="semi-organised", reasons=reasons)
