"""What the passes work on: a draft with its page, its address taken apart, and its evidence."""

from __future__ import annotations

from dataclasses import dataclass, field
from urllib.parse import unquote_plus

from doc2tools.compiler.ir.draft import AuthDraft, EndpointDraft, PaginationDraft, ParameterDraft
from doc2tools.compiler.ir.source import Span


@dataclass(frozen=True, slots=True)
class Operation:
    """One operation between the drafts and the settled endpoint.

    Attributes:
        draft: All that is known of it, merged over its pages.
        pages: The pages that document it, in reading order.
        origin: Scheme and host from the documentation, or "".
        prefix: Documented base path, such as `/v2`, or "".
        path: Template below the prefix, with `{name}` placeholders.
        selectors: Fixed query that selects the operation.
        own_origin: The origin stands in the endpoint's own text.
        base_reason: Why this base URL, for people.
        documented: The path below the documented base URL: names come from it, so that they do not
            depend on the configured one.
    """

    draft: EndpointDraft
    pages: tuple[str, ...]
    path: str
    origin: str = ""
    prefix: str = ""
    selectors: tuple[tuple[str, str], ...] = ()
    own_origin: bool = False
    base_reason: str = ""
    documented: str = ""
    auth: tuple[AuthDraft, ...] = field(default=())
    pagination: PaginationDraft | None = None
    rate_limit: str = ""
    shared: tuple[ParameterDraft, ...] = field(default=())

    @property
    def full_path(self) -> str:
        """The template from the host's root on."""
        return f"{self.prefix}{self.path}" or "/"

    @property
    def span(self) -> Span | None:
        """The first line that states it."""
        return first_span(self.draft)


def first_span(draft: EndpointDraft) -> Span | None:
    """Give the first line that states the path or the method of `draft`."""
    for spans in (draft.path.spans, draft.method.spans):
        if spans:
            return spans[0]
    return None


def split_query(path: str) -> tuple[str, tuple[tuple[str, str], ...]]:
    """Split a template into its path and the pairs of its query, percent-decoded."""
    head, _, query = path.partition("?")
    pairs: list[tuple[str, str]] = []
    for piece in query.partition("#")[0].split("&"):
        name, _, value = piece.partition("=")
        if name.strip():
            pairs.append((unquote_plus(name.strip()), unquote_plus(value.strip())))
    return head.partition("#")[0], tuple(pairs)
