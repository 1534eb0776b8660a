"""Proposals for the base path: what working siblings, the server or the documentation have."""

from __future__ import annotations

import re
from collections.abc import Iterator

from doc2tools.compiler.repair.address import SEGMENT, begins, is_literal, parts_of, whole_path
from doc2tools.compiler.repair.patches import BasePath
from doc2tools.compiler.repair.siblings import prefix_of, shape_of
from doc2tools.compiler.repair.suspect import Proposal, Suspect

__all__ = ["base_paths"]

_COMMON = ("/api/v1", "/api", "/v1", "/api/v2", "/v2", "/rest")
_SEVERAL = 3
_VERSION = re.compile(r"/v(\d{1,2})(?=/|$)")


def base_paths(suspect: Suspect) -> Iterator[Proposal]:
    """Propose to add, drop or change the base path."""
    if not suspect.gone:
        return
    path = whole_path(suspect.endpoint)
    own = prefix_of(path)
    yield from _shown(suspect, path, own)
    siblings = suspect.siblings
    number = len(siblings.working)
    attested = any(prefix == own for prefix, _ in siblings.prefixes()) if number else False
    for prefix, count in siblings.prefixes()[:4]:
        share = count / number
        if prefix == own:
            continue
        sure = 0.45 if attested and own else 0.55
        reason = f"{count} of {number} working tools have it" if prefix else "working tools lack it"
        yield Proposal(BasePath(own, prefix), sure + 0.38 * share, reason)
    for start, count in siblings.shared_starts()[:3]:
        joint = parts_of(start)[-1] == parts_of(path)[0]
        if start == own or begins(path, start) or joint or start == prefix_of(start):
            continue
        share = count / number
        reason = f"{count} of {number} working tools are below it"
        yield Proposal(BasePath("", start), 0.3 + 0.3 * share, reason)
    settled = any(prefix and count >= 2 for prefix, count in siblings.prefixes())
    if not number or (number < suspect.lost and not settled):
        yield from _unaided(suspect, own)


def _shown(suspect: Suspect, path: str, own: str) -> Iterator[Proposal]:
    """Propose the base path before the same path where the server shows it."""
    rest = parts_of(path)[len(parts_of(own)) if own else 0 :]
    wanted = shape_of(rest)
    if not any(is_literal(part) for part in rest):
        return
    for known in suspect.shown:
        before = known[: len(known) - len(rest)]
        prefix = "/" + "/".join(before) if before else ""
        tail = known[len(before) :]
        same = len(known) >= len(rest) and shape_of(tail) == wanted
        plain = all(SEGMENT.fullmatch(part) for part in before)
        if same and plain and prefix != own and len(before) <= 4:
            yield Proposal(BasePath(own, prefix), 0.9, "the server itself shows it so")


def _unaided(suspect: Suspect, own: str) -> Iterator[Proposal]:
    """Propose common base paths where most tools' addresses are not there: one fault, not many."""
    lone = suspect.lost < _SEVERAL
    for number, base in enumerate(suspect.bases[:3]):
        if base != own:
            yield Proposal(BasePath(own, base), 0.95 - 0.01 * number, "the documentation states it")
    sure = 0.36 if lone else 0.92
    for found in _VERSION.finditer(own):
        for version in (int(found.group(1)) + 1, int(found.group(1)) - 1):
            if version > 0:
                other = f"{own[: found.start()]}/v{version}{own[found.end() :]}"
                yield Proposal(BasePath(own, other), sure, "another version")
    if own:
        yield Proposal(BasePath(own, ""), sure - 0.02, "the path may have no prefix")
        return
    for number, base in enumerate(_COMMON):
        yield Proposal(BasePath("", base), sure - 0.01 * number, "a common base path")
