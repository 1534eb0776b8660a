"""One piece of evidence that a call changes state."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Evidence:
    """A verb that says that a call changes state, and where it stands.

    Attributes:
        verb: Its base form.
        where: What is quoted to people.
        strong: It says so by itself; weak evidence needs support, or the absence of contrary words.
        firm: Words such as "returns" beside it do not unsay it.
    """

    verb: str
    where: str
    strong: bool
    firm: bool = False
