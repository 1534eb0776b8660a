"""Whether a compile has a model, and the model it has.

The key is read here and handed to the client alone; whatever is sent, kept or shown passes through
a redactor that knows it.
"""

from __future__ import annotations

import contextlib
import os
import time
from collections.abc import Mapping

from doc2tools.compiler.events import Listener, Notice
from doc2tools.compiler.ir.errors import UsageError
from doc2tools.compiler.ir.ledger import Ledger
from doc2tools.compiler.ir.options import CompileOptions
from doc2tools.compiler.llm.frame import Messages
from doc2tools.compiler.llm.model import Model, Terms
from doc2tools.compiler.llm.provider import KEY, NO_KEY, Provider, connection, public_place
from doc2tools.compiler.state import State
from doc2tools.sandbox.credentials import load_credentials
from doc2tools.sandbox.redaction import Redactor

__all__ = ["consult", "describe_model", "left_open", "settle"]


def settle(options: CompileOptions, environment: Mapping[str, str] | None = None) -> CompileOptions:
    """Give the options with `auto` settled, so that a run's address says if a model is used.

    Raises:
        UsageError: A model is required and none is configured.
    """
    where = connection(options, os.environ if environment is None else environment)
    if where is not None:
        return options.model_copy(update={"llm_model": where.model})
    if options.llm == "required":
        raise UsageError(
            "a model is required, and none is configured",
            hint=f"set {KEY}, or give --llm-base-url; or leave --llm at auto",
        )
    plain = CompileOptions()
    return options.model_copy(
        update={
            "llm": "off",
            "llm_model": plain.llm_model,
            "llm_base_url": plain.llm_base_url,
            "llm_budget": plain.llm_budget,
        }
    )


def consult(
    options: CompileOptions,
    state: State,
    on_event: Listener,
    environment: Mapping[str, str] | None = None,
) -> Model | None:
    """Give the model of a compile whose options are settled; nothing is asked yet."""
    given = os.environ if environment is None else environment
    where = connection(options, given)
    if where is None:
        return None
    redactor = Redactor([] if where.key == NO_KEY else [where.key])
    with contextlib.suppress(UsageError):  # the gateway says what is wrong with a credential
        redactor.add(*load_credentials(options.auth, given).secrets)
    terms = Terms(where.model, options.llm_budget, required=options.llm == "required")

    def notice(message: str, hint: str) -> None:
        on_event(Notice(redactor.text(message), redactor.text(hint)))

    return Model(Provider(where, redactor.text), terms, state, redactor.text, notice)


def left_open(ledger: Ledger) -> str:
    """Say in one line what was not asked, "" where everything was."""
    if not ledger.left_open:
        return ""
    shown = ", ".join(ledger.left_open[:6])
    more = len(ledger.left_open) - 6
    rest = f" and {more} more" if more > 0 else ""
    return f"the model was not asked all: {ledger.reason or 'no reply came'}; open: {shown}{rest}"


def describe_model(
    options: CompileOptions, *, ask: bool, environment: Mapping[str, str] | None = None
) -> str:
    """Say which model is configured, and whether it replies, if that is to be asked.

    Raises:
        UsageError: The model's address is none.
        ProviderError: It was asked, and gave no reply.
    """
    where = connection(options, os.environ if environment is None else environment)
    if where is None:
        return f"none configured, rules alone ({KEY} or --llm-base-url adds one)"
    redact = Redactor([] if where.key == NO_KEY else [where.key]).text
    shown = redact(f"{where.model} at {public_place(where.base_url)}")
    if not ask:
        return f"{shown}, not asked (--ask-model does)"
    question = Messages("Reply with the word yes.", "Are you there?", {"type": "object"})
    began = time.perf_counter()
    reply = Provider(where, redact, retries=0).send(question, (), 5)
    seconds = time.perf_counter() - began
    return f"{shown} replies, {seconds:.1f} s, {reply.tokens_in + reply.tokens_out} tokens"
