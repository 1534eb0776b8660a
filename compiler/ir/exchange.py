"""HTTP exchanges as the gateway records them: no credentials, bodies bounded."""

from __future__ import annotations

from typing import Literal

from doc2tools.compiler.ir.base import Frozen


class Request(Frozen):
    """What a tool asked to send, before the gateway added credentials."""

    method: str
    url: str
    headers: dict[str, str] = {}
    body: str = ""
    body_base64: bool = False


class Response(Frozen):
    """What the server answered.

    Attributes:
        headers: Lower-case names; `set-cookie` and echoed credentials redacted.
        body: Text, or base64 where `body_base64`.
        truncated: The body went over the size limit and was cut.
        final_url: The address after redirects.
        elapsed: Seconds from sending to the last byte.
    """

    status: int
    headers: dict[str, str] = {}
    body: str = ""
    body_base64: bool = False
    truncated: bool = False
    final_url: str = ""
    elapsed: float = 0.0

    @property
    def content_type(self) -> str:
        """The media type without its parameters, in lower case."""
        return self.headers.get("content-type", "").partition(";")[0].strip().lower()


TransportCause = Literal[
    "unreachable", "dns", "tls", "timeout", "redirect", "protocol", "refused-by-policy", "budget"
]


class TransportFailure(Frozen):
    """No answer came: why, in one of a closed set of causes."""

    cause: TransportCause
    message: str


class Exchange(Frozen):
    """One request and what became of it."""

    request: Request
    response: Response | None = None
    failure: TransportFailure | None = None
    replayed: bool = False


class ToolError(Frozen):
    """The code under test raised: `kind` is the exception's class name. Repairable."""

    kind: str
    message: str
    traceback: str = ""


class ToolRun(Frozen):
    """One call of a tool in the sandbox, as the parent saw it.

    `exchanges` is what went through the gateway, recorded by the parent; `returned` is a JSON
    excerpt (at most 2,000 characters) of what the code says it returned, never the verdict's basis.
    """

    tool: str
    exchanges: tuple[Exchange, ...] = ()
    returned: str = ""
    error: ToolError | None = None
    timed_out: bool = False
    elapsed: float = 0.0
