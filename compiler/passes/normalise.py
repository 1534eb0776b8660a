"""Drafts of all pages in, one settled API out: the passes in their order. Pure."""

from __future__ import annotations

from collections.abc import Sequence

from doc2tools.compiler.ir.draft import PageDraft
from doc2tools.compiler.ir.options import CompileOptions
from doc2tools.compiler.ir.source import Diagnostic
from doc2tools.compiler.ir.spec import ApiSpec, Effect, Endpoint, PageInfo
from doc2tools.compiler.passes.bases import missing_bases, reserved_base, settle_bases
from doc2tools.compiler.passes.effects import effects
from doc2tools.compiler.passes.facts import inherit, pagination_of, schemes_of
from doc2tools.compiler.passes.merge import merge
from doc2tools.compiler.passes.names import group_names, tool_names
from doc2tools.compiler.passes.operation import Operation
from doc2tools.compiler.passes.parameters import settle_parameters
from doc2tools.compiler.passes.paths import shape
from doc2tools.compiler.passes.sentences import told
from doc2tools.compiler.passes.titles import api_title


def normalise(
    drafts: Sequence[PageDraft], options: CompileOptions
) -> tuple[ApiSpec, tuple[Diagnostic, ...]]:
    """Settle the API that `drafts` describe.

    Args:
        drafts: What extraction found, a page each, in reading order.
        options: Base URL and name are used.

    Returns:
        The API, its endpoints in order of first appearance, and what was wrong with the
        documentation (the pages' own diagnostics not repeated).
    """
    settled = settle_bases(drafts, options.base_url)
    operations = merge(inherit(settled.operations, drafts), one_host=bool(options.base_url))
    judged = effects(operations)
    names = tool_names(operations, [effect.kind for effect in judged])
    groups = group_names(operations, names)
    schemes = schemes_of(drafts)
    diagnostics = list(settled.diagnostics)
    endpoints: list[Endpoint] = []
    shared = _shared_titles(drafts, operations)
    for operation, effect, name, group in zip(operations, judged, names, groups, strict=True):
        endpoint, found = _endpoint(operation, effect, name, group)
        if endpoint.title.strip().casefold() in shared:
            endpoint = endpoint.model_copy(update={"title": ""})
        endpoints.append(endpoint)
        diagnostics.extend(found)
    waiting = [
        (endpoint.name, operation.span)
        for endpoint, operation in zip(endpoints, operations, strict=True)
        if not endpoint.base_url
    ]
    blank = next(
        (fact.value for draft in drafts for fact in draft.base_urls if "://" in fact.value), ""
    )
    diagnostics.extend(missing_bases(waiting, blank))
    reserved = reserved_base(operations)
    if reserved is not None:
        diagnostics.append(reserved)
    count = {draft.page: 0 for draft in drafts}
    for operation in operations:
        for page in operation.pages:
            count[page] += 1
    spec = ApiSpec(
        title=api_title(options.name, drafts),
        base_urls=settled.base_urls,
        endpoints=tuple(endpoints),
        auth=schemes,
        pages=tuple(
            PageInfo(
                page=draft.page,
                title=draft.title,
                quality=draft.quality,
                endpoints=count[draft.page],
            )
            for draft in drafts
        ),
        rejected=tuple(candidate for draft in drafts for candidate in draft.rejected),
    )
    return spec, tuple(diagnostics)


def _shared_titles(drafts: Sequence[PageDraft], operations: Sequence[Operation]) -> frozenset[str]:
    """Give the titles that tell of no operation: a page's, or those of several paths."""
    paths: dict[str, set[str]] = {}
    for operation in operations:
        title = operation.draft.title.strip().casefold()
        paths.setdefault(title, set()).add(shape(operation.full_path))
    pages = {draft.title.strip().casefold() for draft in drafts if len(draft.endpoints) > 1}
    return frozenset(title for title, found in paths.items() if title in pages or len(found) > 2)


def _endpoint(
    operation: Operation, effect: Effect, name: str, group: str
) -> tuple[Endpoint, tuple[Diagnostic, ...]]:
    draft = operation.draft
    settled = settle_parameters(operation, operation.auth)
    names = [parameter.name for parameter in settled.parameters]
    reasons = [*draft.reasons, *([operation.base_reason] if operation.base_reason else [])]
    spans = [*draft.method.spans, *draft.path.spans]
    endpoint = Endpoint(
        name=name,
        group=group,
        title=draft.title,
        summary=told(draft.summary),
        description=draft.description,
        method=draft.method.value.upper(),
        base_url=f"{operation.origin}{operation.prefix}" if operation.origin else "",
        path=settled.path if operation.origin else f"{operation.prefix}{settled.path}" or "/",
        fixed_query=dict(operation.selectors),
        fixed_headers=settled.fixed_headers,
        parameters=settled.parameters,
        body_kind=settled.body_kind,
        samples=settled.samples,
        responses=draft.responses,
        response_fields=draft.response_fields,
        answer_fields=draft.answer_fields,
        content_types=draft.content_types,
        auth=draft.auth or settled.auth or next(iter(operation.auth), None),
        pagination=pagination_of(operation, names),
        rate_limit=draft.rate_limit or operation.rate_limit,
        effect=effect,
        deprecated=draft.deprecated,
        method_inferred=draft.method.inferred,
        rank=draft.rank,
        reasons=tuple(reasons),
        section=draft.section,
        spans=tuple(dict.fromkeys(spans)),
    )
    return endpoint, settled.diagnostics
