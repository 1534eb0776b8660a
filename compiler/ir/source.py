"""Positions in documentation, facts that cite them, and diagnostics about them."""

from __future__ import annotations

from typing import Generic, Literal, TypeVar

from doc2tools.compiler.ir.base import Frozen

T = TypeVar("T")


class Span(Frozen):
    """Lines of one documentation page: 1-based, both ends included."""

    page: str
    start: int
    end: int

    def __str__(self) -> str:
        """Give `page:line`, or `page:first-last` for several lines."""
        if self.start == self.end:
            return f"{self.page}:{self.start}"
        return f"{self.page}:{self.start}-{self.end}"


class Cited(Frozen, Generic[T]):
    """A fact and its evidence.

    Attributes:
        value: The fact.
        spans: The lines that state it; empty only where it is inferred.
        confidence: 0 to 1; how sure the rule is.
        inferred: Why the fact is assumed, where no line states it.
        rule: The extractor rule that found it.
    """

    value: T
    spans: tuple[Span, ...] = ()
    confidence: float = 1.0
    inferred: str = ""
    rule: str = ""


Level = Literal["error", "warning", "info"]

DiagnosticCode = Literal[
    "conflicting-base-urls",
    "crawl-failed",
    "crawl-limit",
    "example-base-url",
    "missing-base-url",
    "openapi-broken-ref",
    "openapi-invalid",
    "openapi-no-operations",
    "openapi-parameter",
    "openapi-remote-ref",
    "openapi-version",
    "page-binary",
    "page-empty",
    "page-failed",
    "page-index-only",
    "page-javascript-shell",
    "page-too-slow",
    "page-truncated",
    "page-undecodable",
    "page-unreadable",
    "parameter-contradiction",
    "path-parameter-without-place",
    "several-base-urls",
]
"""Every fault of documentation that can be reported; `docs/diagnostics.md` explains each."""


class Diagnostic(Frozen):
    """A fault of the documentation, for people: what, where, and what to do next.

    Attributes:
        code: Stable name in kebab case.
        level: `error` where a page or tool is lost by it, else `warning` or `info`.
        span: Where it is, if it has a place.
        message: What happened.
        hint: What to do next; may be empty.
    """

    code: DiagnosticCode
    level: Level
    message: str
    span: Span | None = None
    hint: str = ""

    def __str__(self) -> str:
        """Give `file:line: level[code]: message`, as compilers do."""
        place = f"{self.span.page}:{self.span.start}: " if self.span else ""
        return f"{place}{self.level}[{self.code}]: {self.message}"
