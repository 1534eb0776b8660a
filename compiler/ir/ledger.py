"""The ledger: what the questions to a model took, by what they were about."""

from __future__ import annotations

from typing import Literal

from doc2tools.compiler.ir.base import Frozen

Matter = Literal["page", "verdict", "values", "tasks", "code"]
"""What a question is about: a page, or a tool's verdict, values, task-shaped forms or code."""


class Spending(Frozen):
    """The questions on one subject.

    Attributes:
        subject: The name of a page or a tool.
        cached: How many of the replies came from the state folder.
        tokens_in: Tokens sent when the replies were made, whenever that was.
        tokens_out: Tokens of the replies.
        cached_tokens: How many of both were not spent now, as the reply was kept.
    """

    matter: Matter
    subject: str
    questions: int = 0
    tokens_in: int = 0
    tokens_out: int = 0
    cached: int = 0
    cached_tokens: int = 0


class Ledger(Frozen):
    """All questions of one compile.

    Attributes:
        model: The model's name.
        entries: By subject, in the order in which they were first asked about.
        left_open: Questions that were not asked, each as `matter subject`.
        reason: Why they were not asked.
    """

    model: str = ""
    entries: tuple[Spending, ...] = ()
    left_open: tuple[str, ...] = ()
    reason: str = ""

    @property
    def questions(self) -> int:
        """Replies read, repeats included."""
        return sum(entry.questions for entry in self.entries)

    @property
    def cached(self) -> int:
        """Replies that came from the state folder."""
        return sum(entry.cached for entry in self.entries)

    @property
    def tokens_in(self) -> int:
        """Tokens sent when the replies were made."""
        return sum(entry.tokens_in for entry in self.entries)

    @property
    def tokens_out(self) -> int:
        """Tokens of the replies."""
        return sum(entry.tokens_out for entry in self.entries)

    @property
    def spent(self) -> int:
        """Tokens of both kinds that this compile itself paid for."""
        kept = sum(entry.cached_tokens for entry in self.entries)
        return self.tokens_in + self.tokens_out - kept

    @property
    def settled(self) -> Ledger:
        """The ledger without what depends on which replies were kept."""
        bare = {"cached": 0, "cached_tokens": 0}
        entries = tuple(entry.model_copy(update=bare) for entry in self.entries)
        return self.model_copy(update={"entries": entries})

    def tokens_of(self, subject: str) -> int:
        """Tokens of both kinds that the questions on one tool took."""
        return sum(
            entry.tokens_in + entry.tokens_out
            for entry in self.entries
            if entry.subject == subject and entry.matter != "page"
        )
