"""The command line with every documented parameter value taken out of the settled API.

What is taken out and what stays is said in `benchmarks.servers`, which runs this.
"""

from __future__ import annotations

from collections.abc import Sequence

from doc2tools.cli import main
from doc2tools.compiler import pipeline
from doc2tools.compiler.ir.draft import PageDraft
from doc2tools.compiler.ir.options import CompileOptions
from doc2tools.compiler.ir.source import Diagnostic
from doc2tools.compiler.ir.spec import ApiSpec, Endpoint, Parameter
from doc2tools.compiler.passes.normalise import normalise

__all__ = ["run", "without_examples"]


def without_examples(spec: ApiSpec) -> ApiSpec:
    """Give `spec` without samples and without examples of parameters."""
    bare = tuple(_endpoint(endpoint) for endpoint in spec.endpoints)
    return spec.model_copy(update={"endpoints": bare})


def _endpoint(endpoint: Endpoint) -> Endpoint:
    parameters = tuple(_parameter(parameter) for parameter in endpoint.parameters)
    return endpoint.model_copy(update={"samples": (), "parameters": parameters})


def _parameter(parameter: Parameter) -> Parameter:
    fields = tuple(_parameter(field) for field in parameter.fields)
    return parameter.model_copy(update={"examples": (), "fields": fields})


def _normalise(
    drafts: Sequence[PageDraft], options: CompileOptions
) -> tuple[ApiSpec, tuple[Diagnostic, ...]]:
    spec, diagnostics = normalise(drafts, options)
    return without_examples(spec), diagnostics


def run() -> None:
    """Run the command line on stripped specifications."""
    pipeline.normalise = _normalise
    main.run()
