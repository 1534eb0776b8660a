"""Closed answers: a model chooses among what we offer, and never writes the thing itself."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from pydantic import BaseModel, ConfigDict

MOST_OPTIONS = 50


@dataclass(frozen=True, slots=True)
class Choice:
    """What may be chosen for one field.

    Methods, hosts, values and parameter names come to a model as options, and leave it as the keys
    that stand for them.

    Attributes:
        options: Key to the text that is shown for it; the keys are ours.
        longest: Characters of an option that are shown.
    """

    options: dict[str, str]
    longest: int = 300

    @classmethod
    def among(cls, texts: Iterable[str]) -> Choice:
        """Offer texts under the keys `option-1`, `option-2` and so on, at most 50 of them."""
        offered = list(texts)[:MOST_OPTIONS]
        return cls({f"option-{number}": text for number, text in enumerate(offered, 1)})

    def __contains__(self, key: object) -> bool:
        """Say whether `key` is one of those offered."""
        return isinstance(key, str) and key in self.options

    def text(self, key: str) -> str:
        """Give what was offered under `key`, as it was, not as the model saw it."""
        return self.options[key]


class Form(BaseModel):
    """Base of all answers: closed to unknown fields, immutable, nothing is converted."""

    model_config = ConfigDict(frozen=True, extra="forbid", strict=True)
