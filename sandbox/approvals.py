"""Which single request that changes state may leave just now: the current step of a confirmed plan.

The plan's executor, outside the sandbox, grants one approval at a time: method, address and body.
It is used up by the first request that asks; whatever code in the sandbox sends beside it, sends
again or sends altered is refused by the policy before a socket opens.
"""

from __future__ import annotations

import json
import re
import threading
from collections.abc import Generator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Literal
from urllib.parse import parse_qsl

from pydantic import PrivateAttr

from doc2tools.compiler.ir.base import JsonValue
from doc2tools.compiler.ir.exchange import TransportFailure
from doc2tools.compiler.ir.spec import Endpoint
from doc2tools.sandbox.addresses import Refused, Target, read_url
from doc2tools.sandbox.policy import Policy

__all__ = ["READS", "Approval", "Approvals", "GuardedPolicy"]

READS = frozenset({"GET", "HEAD", "OPTIONS"})
"""Methods that need no approval; everything else does."""

_PLACEHOLDER = re.compile(r"\{[^{}]{0,200}\}")


@dataclass(frozen=True, slots=True)
class Approval:
    """One request that may be sent, once.

    Attributes:
        method: Upper case.
        url: The whole address, query included.
        body: What a JSON or form body must hold, all of it; `None` for no body.
    """

    method: str
    url: str
    body_kind: Literal["none", "json", "form"] = "none"
    body: JsonValue = None

    def objection(self, method: str, url: str, body: bytes) -> str:
        """Say in what a request differs from what was approved; "" where in nothing."""
        if method != self.method:
            return f"the current step is a {self.method}"
        wanted, given = read_url(self.url), read_url(url)
        if isinstance(wanted, Refused) or isinstance(given, Refused) or not _same(wanted, given):
            return f"the current step calls {self.url}"
        if not self._fits(body):
            return "the body is not the current step's"
        return ""

    def _fits(self, body: bytes) -> bool:
        if self.body_kind == "none":
            return not body.strip()
        try:
            text = body.decode()
            if self.body_kind == "form":
                sent = parse_qsl(text, keep_blank_values=True, max_num_fields=1_000)
                wanted = self.body if isinstance(self.body, dict) else {}
                return sorted(sent) == sorted((name, str(value)) for name, value in wanted.items())
            found = json.loads(text, object_pairs_hook=_distinct)
        except (ValueError, RecursionError):
            return False
        return json.dumps(found, sort_keys=True) == json.dumps(self.body, sort_keys=True)


class Approvals:
    """What may change state now. Thread-safe; nothing, unless something was granted."""

    def __init__(self, standing: Sequence[Endpoint] = ()) -> None:
        """Grant nothing yet.

        Args:
            standing: Operations that the user named as callable although they change state; these
                are granted for good, with whatever arguments.
        """
        self._standing = tuple((one.method.upper(), _pattern(one)) for one in standing)
        self._current: Approval | None = None
        self._lock = threading.Lock()

    @contextmanager
    def granted(self, approval: Approval) -> Generator[None]:
        """Let this one request out, once, until the block ends."""
        with self._lock:
            self._current = approval
        try:
            yield
        finally:
            with self._lock:
                self._current = None

    def take(self, method: str, url: str, body: bytes) -> str:
        """Use up the approval of a request; give why there is none, or ""."""
        plain = url.partition("?")[0].partition("#")[0]
        if any(method == verb and pattern.fullmatch(plain) for verb, pattern in self._standing):
            return ""
        with self._lock:
            approval = self._current
            if approval is None:
                return f"a {method} changes state, and no step of a confirmed plan is under way"
            objection = approval.objection(method, url, body)
            if not objection:
                self._current = None
            return objection and f"this {method} is not in the confirmed plan: {objection}"


class GuardedPolicy(Policy):
    """A policy under which requests that change state need an approval each."""

    _approvals: Approvals = PrivateAttr(default_factory=Approvals)

    @classmethod
    def guard(cls, policy: Policy, approvals: Approvals) -> GuardedPolicy:
        """Give `policy` with the demand for approvals on top."""
        guarded = cls(**{name: getattr(policy, name) for name in Policy.model_fields})
        guarded._approvals = approvals
        return guarded

    @property
    def repeats_writes(self) -> bool:
        """One approval is one request: a create is never sent twice."""
        return False

    def decide(
        self, method: str, url: str, headers: Mapping[str, str], body: bytes = b""
    ) -> TransportFailure | None:
        """Give the refusal of a request, or `None` where it may be sent, this once."""
        failure = super().decide(method, url, headers, body)
        if failure is not None or method in READS:
            return failure
        reason = self._approvals.take(method, url, body)
        return TransportFailure(cause="refused-by-policy", message=reason) if reason else None


def _same(wanted: Target, given: Target) -> bool:
    def query(target: Target) -> list[tuple[str, str]]:
        return sorted(parse_qsl(target.query, keep_blank_values=True))

    paths = (wanted.path.partition("?")[0], given.path.partition("?")[0])
    return wanted.origin == given.origin and paths[0] == paths[1] and query(wanted) == query(given)


def _distinct(pairs: list[tuple[str, object]]) -> dict[str, object]:
    # Of a key given twice, a server may take either.
    if len({key for key, _ in pairs}) < len(pairs):
        raise ValueError("a key is given twice")
    return dict(pairs)


def _pattern(endpoint: Endpoint) -> re.Pattern[str]:
    template = endpoint.base_url + endpoint.path
    pieces = [re.escape(piece) for piece in _PLACEHOLDER.split(template)]
    return re.compile("[^/?#]{1,2000}".join(pieces))
