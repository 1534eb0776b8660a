"""A model behind the Messages API, reached with the `anthropic` client.

In go messages; out comes the text of a reply with the tokens it took, or a `ProviderError`. A
server that can be held to a schema is, by forcing the one tool `answer`; any other is read as plain
text.
"""

from __future__ import annotations

import json
import logging
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Protocol, cast
from urllib.parse import urlsplit

from doc2tools.compiler.ir.errors import ProviderError, UsageError
from doc2tools.compiler.ir.options import CompileOptions
from doc2tools.compiler.llm.frame import LONGEST_REPLY, Messages, Redact

if TYPE_CHECKING:
    from anthropic import Anthropic
    from anthropic.types import Message, MessageParam

__all__ = [
    "Connection",
    "Messenger",
    "Provider",
    "Refusal",
    "Reply",
    "Turn",
    "connection",
    "public_place",
]

DEFAULT_MODEL = "claude-sonnet-4-6"
KEY = "ANTHROPIC_API_KEY"
BASE_URL = "ANTHROPIC_BASE_URL"
PUBLIC = "https://api.anthropic.com"
SECONDS = 120.0
OWN_SECONDS = 600.0
"""For a server that the user named: a model on an ordinary machine reads some tokens a second."""
RETRIES = 2
NO_KEY = "no-key"
STOP = "\n\n\n\n"
"""Small models go on with empty lines after their answer; JSON holds none."""


class _SlowError(BaseException):
    """No reply within the time. Not an `Exception`, so that the client does not ask again."""


class Refusal(ProviderError):
    """The provider will not answer this compile at all: asking again is of no use."""


@dataclass(frozen=True, slots=True)
class Connection:
    """Where a model is; the key is shown nowhere.

    Attributes:
        given: The user named the server, so that it need not be the vendor's own.
    """

    model: str
    base_url: str
    key: str = field(repr=False)
    given: bool = False


@dataclass(frozen=True, slots=True)
class Turn:
    """An answer that was none, and what was said to it."""

    reply: str
    correction: str


@dataclass(frozen=True, slots=True)
class Reply:
    """What came back.

    Attributes:
        text: One JSON object where all is well; anything else where not.
    """

    text: str
    tokens_in: int
    tokens_out: int


class Messenger(Protocol):
    """What sends messages to a model."""

    def send(self, messages: Messages, turns: Sequence[Turn], most: int) -> Reply:
        """Send the messages and give the reply, of at most `most` tokens.

        Raises:
            ProviderError: No reply came.
        """
        ...


def connection(options: CompileOptions, environment: Mapping[str, str]) -> Connection | None:
    """Give the model that the user has configured, or None; nothing is asked.

    Raises:
        UsageError: The address is none.
    """
    key = environment.get(KEY, "").strip()
    base = options.llm_base_url.strip() or environment.get(BASE_URL, "").strip()
    if options.llm == "off" or not (key or base):
        return None
    if base:
        try:
            parts = urlsplit(base)
            usable = parts.scheme in ("http", "https") and bool(parts.hostname)
        except ValueError:
            usable = False
        if not usable:
            raise UsageError(
                "the model's base URL is no http or https address",
                hint=f"check --llm-base-url and {BASE_URL}",
            )
    model = options.llm_model or DEFAULT_MODEL
    return Connection(model, base or PUBLIC, key or NO_KEY, given=bool(base))


class Provider:
    """Sends messages with the `anthropic` client, which repeats what is worth repeating."""

    def __init__(
        self,
        where: Connection,
        redact: Redact,
        *,
        seconds: float = 0.0,
        retries: int = RETRIES,
    ) -> None:
        """Open nothing yet.

        Args:
            where: The model.
            redact: Takes credentials out of what the server says.
            seconds: What one reply may take; 0 leaves it to the kind of server.
            retries: How often a request that met a fault of the transport is repeated.
        """
        self._where = where
        self._redact = redact
        self._seconds = seconds or (OWN_SECONDS if where.given else SECONDS)
        self._retries = retries
        self._forced = True
        self._made: Anthropic | None = None

    def send(self, messages: Messages, turns: Sequence[Turn], most: int) -> Reply:
        """Send the messages and give the reply, of at most `most` tokens.

        Raises:
            Refusal: The server refuses this key, model or address.
            ProviderError: No reply came.
        """
        import anthropic  # noqa: PLC0415 - slow to import, and most compiles ask nothing

        try:
            try:
                message = self._create(messages, turns, most, forced=self._forced)
            except (anthropic.BadRequestError, anthropic.UnprocessableEntityError,
                    anthropic.NotFoundError, anthropic.HTTPNotImplementedError,
                    anthropic.InternalServerError):  # fmt: skip
                if not self._forced:
                    raise
                message = self._create(messages, turns, most, forced=False)
                self._forced = False
        except anthropic.AnthropicError as fault:
            raise self._fault(fault) from None
        except _SlowError:
            raise self._slow() from None
        except (ValueError, TypeError, RecursionError):
            raise ProviderError("the model's server sent what is no message") from None
        return self._reply(message)

    def _client(self) -> Anthropic:
        import anthropic  # noqa: PLC0415 - see above

        class Patient(anthropic.DefaultHttpxClient):
            """Waits once: a server too slow for a question is as slow for the next try."""

            def send(self, *given: Any, **options: Any) -> Any:  # noqa: ANN401 - as the base has it
                try:
                    return super().send(*given, **options)
                except Exception as fault:
                    # Which library the client is built on has changed; the name has not.
                    if type(fault).__name__ == "ReadTimeout":
                        raise _SlowError from None
                    raise

        if self._made is None:
            for name in ("anthropic", "httpx2", "httpx"):
                logging.getLogger(name).setLevel(logging.WARNING)  # else a line for every request
            self._made = anthropic.Anthropic(
                api_key=self._where.key,
                base_url=self._where.base_url,
                timeout=self._seconds,
                max_retries=self._retries,
                # A redirect would carry the key to wherever it points.
                http_client=Patient(follow_redirects=False, timeout=self._seconds),
            )
        return self._made

    def _create(
        self, messages: Messages, turns: Sequence[Turn], most: int, *, forced: bool
    ) -> Message:
        spoken: list[MessageParam] = [{"role": "user", "content": messages.user}]
        for turn in turns:
            spoken.append({"role": "assistant", "content": turn.reply or "{}"})
            spoken.append({"role": "user", "content": turn.correction})
        # Servers of one's own are held to their likeliest words; the vendor's newer models take no
        # temperature.
        body = {"temperature": 0} if self._where.given else None
        create = self._client().messages.create
        if forced:
            return create(
                model=self._where.model,
                max_tokens=most,
                system=messages.system,
                messages=spoken,
                tools=[
                    {
                        "name": "answer",
                        "description": "Take the answer to the question.",
                        "input_schema": dict(messages.schema),
                    }
                ],
                tool_choice={"type": "tool", "name": "answer"},
                stop_sequences=[STOP],
                extra_body=body,
            )
        return create(
            model=self._where.model,
            max_tokens=most,
            system=messages.system,
            messages=spoken,
            stop_sequences=[STOP],
            extra_body=body,
        )

    def _reply(self, message: Message) -> Reply:
        texts: list[str] = []
        answer: str | None = None
        # The client checks no types: a server may leave out or misname what it likes.
        content: object = getattr(message, "content", None)
        blocks = cast("list[object]", content) if isinstance(content, list) else []
        for block in blocks:
            kind = getattr(block, "type", "")
            if kind == "tool_use" and answer is None:
                answer = _json(getattr(block, "input", None))
            elif kind == "text":
                texts.append(str(getattr(block, "text", "") or ""))
        if answer is None and self._forced:
            self._forced = False
        text = _unwrapped("".join(texts)) if answer is None else answer
        usage = getattr(message, "usage", None)
        names = ("input_tokens", "cache_read_input_tokens", "cache_creation_input_tokens")
        return Reply(
            self._redact(text[: LONGEST_REPLY + 1]),
            sum(_count(usage, name) for name in names),
            _count(usage, "output_tokens"),
        )

    def _slow(self) -> ProviderError:
        place = public_place(self._where.base_url)
        return ProviderError(
            f"the model at {place} gave no reply within {self._seconds:.0f} s",
            hint="use a smaller model or a faster server, or --llm off",
        )

    def _fault(self, fault: Exception) -> ProviderError:
        import anthropic  # noqa: PLC0415 - see above

        place = public_place(self._where.base_url)
        if isinstance(fault, anthropic.APITimeoutError):
            return self._slow()
        if isinstance(fault, anthropic.APIConnectionError):
            return ProviderError(
                f"the model at {place} cannot be reached",
                hint=f"check that it runs, and --llm-base-url or {BASE_URL}; or --llm off",
            )
        if not isinstance(fault, anthropic.APIStatusError):
            return ProviderError(f"the model at {place} sent what is no message")
        status = fault.status_code
        if status in (401, 403):
            return Refusal(
                f"the model at {place} refuses the key ({status})",
                hint=f"check {KEY}; or --llm off",
            )
        if status == 404 or 300 <= status < 400:
            return Refusal(
                f"there is no model {self._where.model} at {place} ({status})",
                hint="check --llm-model and --llm-base-url; or --llm off",
            )
        said = {429: "asks to slow down", 529: "is overloaded"}.get(status, f"answered {status}")
        return ProviderError(f"the model at {place} {said}", hint="try again later, or --llm off")


def public_place(base_url: str) -> str:
    """Give scheme and host of an address: no user, password or path."""
    parts = urlsplit(base_url)
    return f"{parts.scheme}://{parts.netloc.rpartition('@')[2]}"


def _json(value: object) -> str:
    try:
        return json.dumps(value)
    except (ValueError, TypeError, RecursionError):
        return ""


def _count(usage: object, name: str) -> int:
    value = getattr(usage, name, 0)
    return value if isinstance(value, int) and 0 <= value < 10**9 else 0


def _unwrapped(text: str) -> str:
    """Take the call of the tool off that some models write out instead of making it."""
    start, end = text.find("{"), text.rfind("}")
    if start < 0 or '"arguments"' not in text or len(text) > LONGEST_REPLY:
        return text
    try:
        found: object = json.loads(text[start : end + 1])
    except (ValueError, RecursionError):
        return text
    if isinstance(found, dict):
        call = cast("dict[str, object]", found)
        if call.keys() == {"name", "arguments"} and isinstance(call["arguments"], dict):
            return _json(cast("object", call["arguments"]))
    return text
