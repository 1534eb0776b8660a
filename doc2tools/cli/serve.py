"""`doc2tools serve [NAME…]`: compiled and installed toolkits as an MCP server."""

from __future__ import annotations

import difflib
import os
import secrets
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from doc2tools.cli import options as o
from doc2tools.cli.screen import escape, stderr
from doc2tools.compiler.ir.errors import UsageError

if TYPE_CHECKING:
    from doc2tools.serve.service import Service
    from doc2tools.serve.settings import CallLimits, HttpOptions, PassedHeader

ACCESS = "Access"
LIMITS = "Limits"
NEVER_PASSED = frozenset(
    {
        "accept",
        "accept-encoding",
        "connection",
        "content-encoding",
        "content-length",
        "content-type",
        "expect",
        "host",
        "mcp-protocol-version",
        "mcp-session-id",
        "te",
        "trailer",
        "transfer-encoding",
        "upgrade",
    }
)


def serve_command(
    names: Annotated[
        list[str] | None,
        typer.Argument(
            help="Packages to serve, by name or folder; default: all compiled and installed ones.",
            metavar="[NAME…]",
            show_default=False,
        ),
    ] = None,
    *,
    out: o.Out = Path("generated"),
    stdio: Annotated[
        bool, typer.Option("--stdio", help="Speak on standard input and output, not HTTP.")
    ] = False,
    host: Annotated[
        str, typer.Option("--host", help="Address to listen on.", envvar="DOC2TOOLS_HOST")
    ] = "127.0.0.1",
    port: Annotated[
        int,
        typer.Option(
            "--port", help="Port; 0: a free one.", envvar="DOC2TOOLS_PORT", min=0, max=65_535
        ),
    ] = 8000,
    reload: Annotated[
        bool, typer.Option("--reload", help="Take up packages that change while serving.")
    ] = False,
    writes: Annotated[
        bool, typer.Option("--writes", help="Serve validated tools that change state, too.")
    ] = False,
    budget: Annotated[
        int,
        typer.Option(
            "--budget",
            help="Tokens of tools/list above which search, describe and call replace it; 0: never.",
            envvar="DOC2TOOLS_BUDGET",
            min=0,
            metavar="TOKENS",
        ),
    ] = 8_000,
    embedder: o.Embedder = None,
    token_env: Annotated[
        str | None,
        typer.Option(
            "--token-env",
            help="Environment variable that holds the token callers must show.",
            metavar="VARIABLE",
            rich_help_panel=ACCESS,
        ),
    ] = None,
    token_file: Annotated[
        Path | None,
        typer.Option(
            "--token-file",
            help="File that holds the token callers must show.",
            metavar="FILE",
            rich_help_panel=ACCESS,
        ),
    ] = None,
    no_token: Annotated[
        bool,
        typer.Option(
            "--no-token",
            help="Ask for no token even beyond loopback: something before the server does.",
            rich_help_panel=ACCESS,
        ),
    ] = False,
    allow_host: Annotated[
        list[str] | None,
        typer.Option(
            "--allow-host",
            help="A further name under which the server is called; may be repeated.",
            metavar="NAME",
            rich_help_panel=ACCESS,
        ),
    ] = None,
    allow_origin: Annotated[
        list[str] | None,
        typer.Option(
            "--allow-origin",
            help="A web origin whose pages may call the server; may be repeated.",
            metavar="ORIGIN",
            rich_help_panel=ACCESS,
        ),
    ] = None,
    pass_header: Annotated[
        list[str] | None,
        typer.Option(
            "--pass-header",
            help="A header of the caller that goes on to the API, there called AS.",
            metavar="NAME[=AS]",
            rich_help_panel=ACCESS,
        ),
    ] = None,
    timeout: Annotated[
        float, typer.Option("--timeout", help="Seconds for one call.", rich_help_panel=LIMITS)
    ] = 30.0,
    concurrency: Annotated[
        int,
        typer.Option(
            "--concurrency",
            help="Calls of one tool under way at once.",
            min=1,
            rich_help_panel=LIMITS,
        ),
    ] = 8,
    tool_limit: Annotated[
        list[str] | None,
        typer.Option(
            "--tool-limit",
            help="Another timeout, and concurrency, for one tool; may be repeated.",
            metavar="TOOL=SECONDS[:NUMBER]",
            rich_help_panel=LIMITS,
        ),
    ] = None,
    max_bytes: Annotated[
        int,
        typer.Option(
            "--max-bytes",
            help="Bytes of an API's answer that are read; a longer one is an error.",
            min=1,
            rich_help_panel=LIMITS,
        ),
    ] = 2_000_000,
    max_result: Annotated[
        int,
        typer.Option(
            "--max-result",
            help="Bytes of a result; a longer one is cut, visibly.",
            min=1,
            rich_help_panel=LIMITS,
        ),
    ] = 40_000,
) -> int:
    """Serve toolkits to MCP clients, over HTTP or standard input and output."""
    if timeout <= 0:
        raise UsageError("--timeout must be more than 0 seconds")
    # The libraries below take half a second to import, which no other command should pay.
    from doc2tools.sandbox.addresses import is_loopback  # noqa: PLC0415
    from doc2tools.serve.catalogue import find  # noqa: PLC0415
    from doc2tools.serve.metrics import Metrics  # noqa: PLC0415
    from doc2tools.serve.running import serve_http, serve_stdio  # noqa: PLC0415
    from doc2tools.serve.service import Service  # noqa: PLC0415
    from doc2tools.serve.settings import (  # noqa: PLC0415
        CallLimits,
        HttpOptions,
        ServeOptions,
    )

    token = _token(token_env, token_file)
    limits = CallLimits(timeout, concurrency)
    options = ServeOptions(
        names=tuple(names or ()),
        out=out,
        writes=writes,
        budget=budget,
        limits=limits,
        tool_limits=_tool_limits(tool_limit or (), limits),
        answer_bytes=max_bytes,
        result_bytes=max_result,
        pass_headers=_passed(pass_header or ()),
        embedder=embedder or "wordllama",
        reload=reload,
    )
    made = False
    if not (stdio or token or no_token or is_loopback(host)):
        token, made = secrets.token_urlsafe(32), True
    if token and any(header.name == "authorization" for header in options.pass_headers):
        raise UsageError(
            "Authorization carries the server's own token, so it cannot go on to the API",
            hint="let callers use another header: --pass-header X-Api-Authorization=Authorization",
        )
    found = find(options)
    for name, problem in found.problems.items():
        _say(f"{name} is left out: {problem}")
    service = Service(found, options, Metrics(), token)
    _require_tools(options.tool_limits, service)
    _introduce(service)
    if stdio:
        serve_stdio(service, _say)
        return 0
    http = HttpOptions(host, port, token, tuple(allow_host or ()), tuple(allow_origin or ()))
    _explain_access(http, made)
    serve_http(service, http, _say)
    return 0


def _say(text: str) -> None:
    stderr().print(f"[bold]serve:[/] {escape(text)}", soft_wrap=True)


def _require_tools(names: Iterable[str], service: Service) -> None:
    tools = service.moment.catalogue.tools
    for name in names:
        if name not in tools:
            near = difflib.get_close_matches(name, list(tools), 3)
            raise UsageError(
                f"--tool-limit: no tool {name!r} is served",
                hint=f"there is {', '.join(near)}" if near else "",
            )


def _introduce(service: Service) -> None:
    catalogue = service.moment.catalogue
    kits = ", ".join(kit.name for kit in catalogue.toolkits)
    tools = f"{len(catalogue.tools)} tools of {len(catalogue.toolkits)} toolkits ({kits})"
    if catalogue.searched:
        mode = (
            f"as search, describe and call: all would take {catalogue.tokens:,} tokens, "
            f"more than --budget {service.options.budget:,}"
        )
    else:
        mode = f"one by one: {catalogue.tokens:,} tokens"
    _say(f"{tools}, {mode}")
    if catalogue.left_out:
        why = "not proved" if service.options.writes else "--writes serves those that are proved"
        _say(f"{catalogue.left_out} tools that change state are left out: {why}")


def _explain_access(options: HttpOptions, made: bool) -> None:
    if made:
        _say(f"callers need this token, made for this run: {options.token}")
    elif options.token:
        _say("callers need the token")
    else:
        _say("callers need no token")


def _token(variable: str | None, file: Path | None) -> str:
    if variable and file:
        raise UsageError("give one of --token-env and --token-file")
    if variable:
        token = os.environ.get(variable, "").strip()
        if not token:
            raise UsageError(f"the environment variable {variable} holds no token")
        return token
    if file:
        try:
            lines = file.read_text(encoding="utf-8").splitlines()
        except (OSError, UnicodeDecodeError) as fault:
            raise UsageError(f"{file} cannot be read: {fault}") from fault
        token = lines[0].strip() if lines else ""
        if not token:
            raise UsageError(f"{file} holds no token in its first line")
        return token
    return ""


def _passed(words: Sequence[str]) -> tuple[PassedHeader, ...]:
    from doc2tools.serve.settings import PassedHeader  # noqa: PLC0415

    found: list[PassedHeader] = []
    for word in words:
        name, _, sent_as = word.partition("=")
        for header in (name, sent_as or name):
            plain = header.replace("-", "").replace("_", "")
            if not plain.isalnum() or not header.isascii() or header.lower() in NEVER_PASSED:
                raise UsageError(f"--pass-header {word}: {header!r} is no header that can go on")
        found.append(PassedHeader(name.lower(), sent_as or name))
    return tuple(found)


def _tool_limits(words: Sequence[str], usual: CallLimits) -> dict[str, CallLimits]:
    from doc2tools.serve.settings import CallLimits  # noqa: PLC0415

    found: dict[str, CallLimits] = {}
    for word in words:
        name, _, value = word.partition("=")
        seconds, _, number = value.partition(":")
        try:
            limits = CallLimits(float(seconds), int(number) if number else usual.concurrency)
        except ValueError:
            limits = CallLimits(0, 0)
        if not name or not limits.timeout > 0 or limits.concurrency < 1:
            raise UsageError(f"--tool-limit takes TOOL=SECONDS[:NUMBER], not {word!r}")
        found[name] = limits
    return found
