"""The model as the compiler asks it: replies kept, tokens counted, a budget, one second try.

A question gives its answer, or a value that says why there is none; only a compile that requires a
model ends where its provider fails.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol, TypeAlias, TypeVar

from pydantic import BaseModel

from doc2tools.compiler.ir.base import Frozen
from doc2tools.compiler.ir.errors import ProviderError
from doc2tools.compiler.ir.ledger import Ledger, Matter, Spending
from doc2tools.compiler.llm.choice import Form
from doc2tools.compiler.llm.frame import (
    Answered,
    Messages,
    Question,
    Redact,
    Unreadable,
    read,
    render,
)
from doc2tools.compiler.llm.prompts import prompt
from doc2tools.compiler.llm.provider import Messenger, Refusal, Reply, Turn

__all__ = ["Asked", "Entry", "Model", "Replies", "Terms", "Unasked"]

T = TypeVar("T", bound=Form)
M = TypeVar("M", bound=BaseModel)

MOST_TRIES = 2
MOST_FAULTS = 2
MOST_TOKENS = 700
QUOTED = 2_000
CHARACTERS_A_TOKEN = 2.5
"""Fewer than tokenizers make of JSON, so that an estimate is none too low."""


class Entry(Frozen):
    """A reply as the state folder keeps it."""

    text: str
    tokens_in: int
    tokens_out: int


class Replies(Protocol):
    """Where replies are kept."""

    def get(self, kind: str, key: str, model: type[M]) -> M | None:
        """Give the entry, or None where there is none."""
        ...

    def put(self, kind: str, key: str, entry: BaseModel) -> None:
        """Keep an entry."""
        ...


@dataclass(frozen=True, slots=True)
class Unasked:
    """The question was not asked, or no reply came."""

    reason: str


Asked: TypeAlias = Answered[T] | Unreadable | Unasked


@dataclass(frozen=True, slots=True)
class Terms:
    """On which terms a compile asks.

    Attributes:
        model: The model's name.
        budget: Tokens, in and out, that the replies used may have taken; 0 means no limit.
        required: A provider that fails ends the compile.
    """

    model: str
    budget: int = 0
    required: bool = False


class Model:
    """Asks one question after the other; not for use from several threads.

    Replies that were kept count towards the budget like new ones, so that a compile repeated ends
    at the same question.
    """

    def __init__(
        self,
        messenger: Messenger,
        terms: Terms,
        replies: Replies,
        redact: Redact,
        notice: Callable[[str, str], None],
    ) -> None:
        """Ask nothing yet.

        Args:
            messenger: What sends messages to the model.
            terms: On which terms.
            replies: Where replies are kept.
            redact: Takes credentials out of all that is sent and all that is kept.
            notice: Told what a person should know, with a hint.
        """
        self.terms = terms
        self._messenger = messenger
        self._replies = replies
        self._redact = redact
        self._notice = notice
        self._faults = 0
        self._closed = ""
        self._short = ""
        self._missed = False
        self._entries: dict[tuple[Matter, str], Spending] = {}
        self._open: dict[str, None] = {}

    @property
    def lost(self) -> bool:
        """The provider failed at least once, so that a later compile may learn more."""
        return self._missed

    @property
    def ledger(self) -> Ledger:
        """What was asked so far."""
        return Ledger(
            model=self.terms.model,
            entries=tuple(self._entries.values()),
            left_open=tuple(self._open),
            reason=(self._closed or self._short) if self._open else "",
        )

    def ask(
        self, question: Question[T], matter: Matter, subject: str, most: int = MOST_TOKENS
    ) -> Asked[T]:
        """Ask a question, and once more where the reply is no answer.

        Args:
            question: The question.
            matter: What it is about, for the ledger.
            subject: The page or tool that it is about.
            most: Tokens that the answer may take.

        Returns:
            The answer, or why there is none.

        Raises:
            ProviderError: The provider fails, and the compile requires a model.
        """
        messages = render(question, self._redact)
        turns: list[Turn] = []
        reading: Answered[T] | Unreadable = Unreadable("nothing was asked")
        for _ in range(MOST_TRIES):
            reply = self._reply(messages, turns, most, matter, subject)
            if isinstance(reply, Unasked):
                return reply
            reading = read(question, reply.text)
            if isinstance(reading, Answered):
                return reading
            turns.append(Turn(reply.text[:QUOTED], f"{prompt('again')}\n\n{reading.reason}"))
        return reading

    def _reply(
        self, messages: Messages, turns: list[Turn], most: int, matter: Matter, subject: str
    ) -> Reply | Unasked:
        name = f"{matter} {subject}"
        if self._closed:
            self._open[name] = None
            return Unasked(self._closed)
        key = _address(self.terms.model, messages, turns, most)
        kept = self._replies.get("replies", key, Entry)
        cost = (kept.tokens_in + kept.tokens_out) if kept else _estimate(messages, turns) + most
        if self.terms.budget and self._total + cost > self.terms.budget:
            # A smaller question may still fit.
            self._short = f"the budget of {self.terms.budget:,} tokens is used up"
            self._open[name] = None
            return Unasked(self._short)
        if kept is not None:
            self._count(matter, subject, kept, cached=True)
            return Reply(kept.text, kept.tokens_in, kept.tokens_out)
        try:
            sent = self._messenger.send(messages, turns, most)
        except ProviderError as fault:
            return self._failed(fault, name)
        self._faults = 0
        # What the server says may hold what it was sent, the key among it.
        entry = Entry(
            text=self._redact(sent.text), tokens_in=sent.tokens_in, tokens_out=sent.tokens_out
        )
        self._replies.put("replies", key, entry)
        self._count(matter, subject, entry, cached=False)
        return Reply(entry.text, entry.tokens_in, entry.tokens_out)

    def _failed(self, fault: ProviderError, name: str) -> Unasked:
        if self.terms.required:
            raise fault
        self._faults += 1
        self._missed = True
        self._open[name] = None
        if isinstance(fault, Refusal) or self._faults >= MOST_FAULTS:
            self._closed = str(fault)
            self._notice(f"{fault}; the compile goes on by rules alone", fault.hint)
        return Unasked(str(fault))

    @property
    def _total(self) -> int:
        return sum(entry.tokens_in + entry.tokens_out for entry in self._entries.values())

    def _count(self, matter: Matter, subject: str, entry: Entry, *, cached: bool) -> None:
        known = self._entries.get((matter, subject)) or Spending(matter=matter, subject=subject)
        tokens = entry.tokens_in + entry.tokens_out
        self._entries[(matter, subject)] = known.model_copy(
            update={
                "questions": known.questions + 1,
                "tokens_in": known.tokens_in + entry.tokens_in,
                "tokens_out": known.tokens_out + entry.tokens_out,
                "cached": known.cached + cached,
                "cached_tokens": known.cached_tokens + (tokens if cached else 0),
            }
        )


def _estimate(messages: Messages, turns: list[Turn]) -> int:
    said = sum(len(turn.reply) + len(turn.correction) for turn in turns)
    schema = len(json.dumps(messages.schema))
    whole = len(messages.system) + schema + len(messages.user) + said
    return round(whole / CHARACTERS_A_TOKEN)


def _address(model: str, messages: Messages, turns: list[Turn], most: int) -> str:
    said = [(turn.reply, turn.correction) for turn in turns]
    whole = json.dumps([model, messages.system, messages.user, said, most])
    return hashlib.sha256(whole.encode("utf-8", "surrogatepass")).hexdigest()
