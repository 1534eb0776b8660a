"""What the lock says of a proposed repair: accepted, or refused with every reason."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias


@dataclass(frozen=True, slots=True)
class Violation:
    """One thing that a repair may not do.

    Attributes:
        code: One of `policy.CODES`.
        line: Line of the proposed module, 1-based; 0 where it has none.
        message: What was found, for people and for the model's next try.
    """

    code: str
    line: int
    message: str

    def __str__(self) -> str:
        """Give `line: code: message`."""
        return f"{self.line}: {self.code}: {self.message}"


@dataclass(frozen=True, slots=True)
class Accepted:
    """The repair changes the one body, and nothing in it is refused."""

    source: str


@dataclass(frozen=True, slots=True)
class Refused:
    """The repair is not run; there is at least one reason, in the order of lines."""

    reasons: tuple[Violation, ...]


LockResult: TypeAlias = Accepted | Refused


@dataclass(frozen=True, slots=True)
class Permit:
    """What the endpoint may reach.

    Attributes:
        method: The endpoint's HTTP method, upper case.
        base_urls: Base URLs that it may name; scheme, host and port must be those of one of them.
    """

    method: str
    base_urls: tuple[str, ...] = ()
