"""What a call does to the server: read, write or destructive, with the reason.

The method decides first (RFC 9110, section 9.2). Documentation is full of GETs that change state,
so a safe method is believed only as long as path, selectors, title, summary and description do not
say otherwise. What is the client's own, such as a cookie, is no state of the server.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from doc2tools.compiler.ir.spec import Effect
from doc2tools.compiler.passes.effect_paths import read_path, read_selectors, verb_segments
from doc2tools.compiler.passes.effect_text import (
    LOOSE_READS,
    is_noun_in,
    read_description,
    read_sentence,
)
from doc2tools.compiler.passes.evidence import Evidence
from doc2tools.compiler.passes.operation import Operation
from doc2tools.compiler.passes.paths import shape
from doc2tools.compiler.passes.verbs import DESTROY

SAFE_METHODS = frozenset(
    {
        "GET", "HEAD", "OPTIONS", "TRACE", "PROPFIND", "REPORT", "SEARCH", "QUERY",
    }
)  # fmt: skip
_WRITES = frozenset({"POST", "PUT", "PATCH", "DELETE"})


@dataclass(frozen=True, slots=True)
class Call:
    """What is known of a call for judging its effect."""

    method: str
    path: str
    selectors: tuple[tuple[str, str], ...] = ()
    title: str = ""
    summary: str = ""
    description: str = ""
    parameters: tuple[str, ...] = ()


def effects(operations: Sequence[Operation]) -> tuple[Effect, ...]:
    """Judge what calls of `operations`, all those of the API, do.

    A verb in a path that changes state in one call is believed in the others, too, unless their
    text says that they read.
    """
    calls = [call_of(operation) for operation in operations]
    places: dict[tuple[object, ...], list[Call]] = {}
    keys = [(shape(operation.full_path), operation.selectors) for operation in operations]
    for key, call in zip(keys, calls, strict=True):
        places.setdefault(key, []).append(call)
    besides = [
        tuple(other for other in places[key] if other is not call)
        for key, call in zip(keys, calls, strict=True)
    ]
    judged = [judge(call, beside) for call, beside in zip(calls, besides, strict=True)]
    proved = {
        part
        for call, effect in zip(calls, judged, strict=True)
        if effect.kind != "read" and call.method in SAFE_METHODS
        for part in verb_segments(call.path)
    }
    for index, call in enumerate(calls):
        shared = proved.intersection(verb_segments(call.path))
        if judged[index].kind == "read" and shared and not _reads(call):
            verb = min(shared)
            kind = "destructive" if verb in DESTROY else "write"
            reason = f"{call.method}, but {verb!r} in the path changes state elsewhere in this API"
            judged[index] = Effect(kind=kind, reason=reason, idempotent=False)
    return tuple(judged)


def _reads(call: Call) -> bool:
    """Tell whether the text says for sure that the call reads."""
    reads = read_sentence(call.summary).reads or read_sentence(call.title, is_title=True).reads
    return bool(reads) and reads not in LOOSE_READS


def call_of(operation: Operation) -> Call:
    """Give what is known of an operation for judging its effect."""
    draft = operation.draft
    return Call(
        method=draft.method.value.upper(),
        path=operation.documented or operation.path,
        selectors=operation.selectors,
        title=draft.title,
        summary=draft.summary,
        description=draft.description,
        parameters=tuple(parameter.name.value for parameter in draft.parameters),
    )


def judge(call: Call, beside: Sequence[Call] = ()) -> Effect:
    """Judge a call.

    Args:
        call: The call.
        beside: The calls of other methods on the same path: where there is a DELETE, words of
            deleting belong to it and not to the GET.
    """
    if call.method not in SAFE_METHODS:
        return _unsafe(call)
    found = _evidence(call, beside)
    if found is None:
        return Effect(kind="read", reason=f"{call.method}, and nothing says that it changes state")
    kind = "destructive" if found.verb in DESTROY else "write"
    reason = f"{call.method}, but {found.where} says that it changes state ({found.verb})"
    return Effect(kind=kind, reason=reason, idempotent=kind == "destructive")


def _unsafe(call: Call) -> Effect:
    idempotent = call.method in {"PUT", "DELETE"}
    if call.method == "DELETE":
        return Effect(kind="destructive", reason="method DELETE", idempotent=True)
    pieces = [*read_selectors(call.selectors), *read_path(call.path, call.parameters)]
    text = read_sentence(call.summary or call.title).evidence
    pieces.extend([text] if text else [])
    for piece in pieces:
        if piece.strong and piece.verb in DESTROY:
            reason = f"method {call.method}, and {piece.where} says {piece.verb}"
            return Effect(kind="destructive", reason=reason, idempotent=idempotent)
    return Effect(kind="write", reason=f"method {call.method}", idempotent=idempotent)


def _evidence(call: Call, beside: Sequence[Call]) -> Evidence | None:
    """Weigh all evidence; give the piece that decides for a change of state, if one does."""
    selectors = next(iter(read_selectors(call.selectors)), None)
    if selectors is not None and selectors.strong:
        return selectors
    title, summary = read_sentence(call.title, is_title=True), read_sentence(call.summary)
    described = read_description(f"{call.summary}\n{call.description}")
    if not call.summary and call.description:
        summary = read_sentence(call.description)
    said = [
        piece
        for piece in (summary.evidence, described, title.evidence)
        if piece is not None and not _belongs_beside(piece, call, beside)
    ]
    reads = summary.reads or title.reads
    reliable = bool(reads) and reads not in LOOSE_READS
    restful = any(other.method in _WRITES for other in beside)
    in_path = list(read_path(call.path, call.parameters))
    for piece in in_path:
        if piece.strong and not _unsaid(piece, reliable, bool(reads), restful):
            return piece
    spoken = next((piece for piece in said if piece.strong), None)
    if spoken is not None and not (spoken is title.evidence and summary.reads):
        return spoken
    weak = [piece for piece in (*in_path, *said) if not (piece.strong and piece in in_path)]
    text = f"{call.title} {call.summary}"
    doubtful = [piece for piece in weak if not is_noun_in(piece.verb, text)]
    return doubtful[0] if doubtful and not reads and not restful else None


def _unsaid(piece: Evidence, reliable: bool, reads: bool, restful: bool) -> bool:
    """Tell whether a path's verb is unsaid by the text, or by unsafe methods on the same path."""
    if piece.verb in DESTROY and piece.firm:
        return False
    if piece.firm:
        return reliable or restful
    return reads or restful


def _belongs_beside(piece: Evidence, call: Call, beside: Sequence[Call]) -> bool:
    """Tell whether words were meant for another method on the same path, as shared headings are."""
    wanted = {"DELETE", "POST"} if piece.verb in DESTROY else {"POST", "PUT", "PATCH"}
    own = call.summary.strip() or call.description.strip()
    return any(
        other.method in wanted and (other.summary.strip() or other.description.strip()) != own
        for other in beside
    )
