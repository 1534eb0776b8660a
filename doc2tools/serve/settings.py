"""What an operator sets for a server."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

BUDGET = 8_000
ANSWER_BYTES = 2_000_000
RESULT_BYTES = 40_000
TIMEOUT = 30.0
CONCURRENCY = 8


@dataclass(frozen=True, slots=True)
class CallLimits:
    """Bounds of one tool's calls.

    Attributes:
        timeout: Seconds for a call, its wait for a free place included.
        concurrency: Calls of the tool that are under way at once.
    """

    timeout: float = TIMEOUT
    concurrency: int = CONCURRENCY


@dataclass(frozen=True, slots=True)
class PassedHeader:
    """A header of the caller that goes on to the API.

    Attributes:
        name: As the caller sends it, lower case.
        sent_as: As the API gets it.
    """

    name: str
    sent_as: str


@dataclass(frozen=True, slots=True)
class ServeOptions:
    """All that steers a server.

    Attributes:
        names: Toolkits to serve, by name or folder; none: all there are.
        out: Folder of the compiled packages.
        writes: Whether validated tools that change state are served.
        budget: Tokens of `tools/list` above which search takes its place; 0: never.
        limits: Of every tool that `tool_limits` does not name.
        tool_limits: Of single tools, by the name they are served under.
        answer_bytes: Bytes of an API's answer that are read; a longer one is an error.
        result_bytes: Bytes of a result; a longer one is cut, visibly.
        pass_headers: Headers of the caller that go on to the API.
        embedder: What ranks tools by meaning.
        reload: Whether a changed package is taken up while serving.
    """

    names: tuple[str, ...] = ()
    out: Path = Path("generated")
    writes: bool = False
    budget: int = BUDGET
    limits: CallLimits = CallLimits()
    tool_limits: dict[str, CallLimits] = field(default_factory=dict[str, CallLimits])
    answer_bytes: int = ANSWER_BYTES
    result_bytes: int = RESULT_BYTES
    pass_headers: tuple[PassedHeader, ...] = ()
    embedder: str = "wordllama"
    reload: bool = False


@dataclass(frozen=True, slots=True)
class HttpOptions:
    """Where a server listens, and whom it answers.

    Attributes:
        host: Address to listen on.
        port: Port; 0: a free one.
        token: What callers must show as `Authorization: Bearer …`; empty: nothing.
        allow_hosts: Further names under which the server may be called.
        allow_origins: Web origins, such as `https://chat.example`, whose pages may call it.
    """

    host: str = "127.0.0.1"
    port: int = 8000
    token: str = field(default="", repr=False)
    allow_hosts: tuple[str, ...] = ()
    allow_origins: tuple[str, ...] = ()
