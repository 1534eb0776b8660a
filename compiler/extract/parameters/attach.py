"""Gives every found endpoint the parameters that its page documents."""

from __future__ import annotations

from dataclasses import dataclass

from doc2tools.compiler.extract.candidates import Findings
from doc2tools.compiler.extract.outline import Outline
from doc2tools.compiler.ir.draft import EndpointDraft, ParameterDraft
from doc2tools.compiler.ir.source import Diagnostic


@dataclass(frozen=True, slots=True)
class Parameters:
    """The endpoints of a page with their parameters, in the order they were given.

    Attributes:
        endpoints: Drafts with `parameters`, `body_kind`, `headers` and `samples` completed.
        shared: Parameters that the page says all endpoints take; each endpoint has them already.
        diagnostics: Contradictions among the page's statements on parameters.
    """

    endpoints: tuple[EndpointDraft, ...]
    shared: tuple[ParameterDraft, ...] = ()
    diagnostics: tuple[Diagnostic, ...] = ()


def attach_parameters(outline: Outline, findings: Findings) -> Parameters:
    """Read the parameters of every endpoint in `findings` from the page."""
    return Parameters(tuple(found.draft for found in findings.endpoints))
