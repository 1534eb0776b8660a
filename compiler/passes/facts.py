"""Auth, pagination and rate limit: an endpoint's own, else its page's, else the set's."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from doc2tools.compiler.ir.draft import AuthDraft, PageDraft, PaginationDraft
from doc2tools.compiler.passes.operation import Operation


def inherit(operations: Sequence[Operation], drafts: Sequence[PageDraft]) -> tuple[Operation, ...]:
    """Give each operation what its page, or a page without endpoints, says for all."""
    pages = {draft.page: draft for draft in drafts}
    overviews = [draft for draft in drafts if not draft.endpoints]
    settled: list[Operation] = []
    for operation in operations:
        own = pages.get(operation.pages[0])
        near = [own, *overviews] if own is not None else overviews
        settled.append(
            replace(
                operation,
                auth=next((draft.auth for draft in near if draft.auth), ()),
                pagination=next((draft.pagination for draft in near if draft.pagination), None),
                rate_limit=next((draft.rate_limit for draft in near if draft.rate_limit), ""),
                shared=tuple(parameter for draft in near for parameter in draft.shared),
            )
        )
    return tuple(settled)


def schemes_of(drafts: Sequence[PageDraft]) -> tuple[AuthDraft, ...]:
    """Give the authentication schemes of the whole set, each once."""
    found: list[AuthDraft] = []
    for draft in drafts:
        for scheme in draft.auth:
            if not any((scheme.type, scheme.name) == (known.type, known.name) for known in found):
                found.append(scheme)
    return tuple(found)


def pagination_of(operation: Operation, names: Sequence[str]) -> PaginationDraft | None:
    """Give how answers are paged; a page's general word only where the parameters are there."""
    own = operation.draft.pagination
    if own is not None:
        return own
    general = operation.pagination
    if general is None or operation.draft.method.value.upper() != "GET":
        return None
    return general if set(general.parameters) & set(names) else None
