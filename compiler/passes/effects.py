"""What a call does to the server: read, write or destructive, with the reason."""

from __future__ import annotations

from collections.abc import Sequence

from doc2tools.compiler.ir.spec import Effect
from doc2tools.compiler.passes.operation import Operation

SAFE_METHODS = frozenset({"GET", "HEAD", "OPTIONS", "TRACE", "PROPFIND", "REPORT", "SEARCH", "QUERY"})


def effect_of(operation: Operation, operations: Sequence[Operation]) -> Effect:
    """Judge what a call of `operation` does."""
    del operations
    method = operation.draft.method.value.upper()
    if method in SAFE_METHODS:
        return Effect(kind="read", reason=f"{method} is a safe method")
    kind = "destructive" if method == "DELETE" else "write"
    return Effect(kind=kind, reason=f"method {method}", idempotent=method in {"PUT", "DELETE"})
