"""Options that several commands share, and how they become `CompileOptions`.

Order: command line, then environment (`DOC2TOOLS_…`), then `doc2tools.toml`, then defaults. No
option takes a secret: they name the environment variable or the file that holds it.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Annotated

import typer
from pydantic import JsonValue

from doc2tools.cli.plain import plain_json
from doc2tools.compiler.ir.errors import UsageError
from doc2tools.compiler.ir.options import CompileOptions
from doc2tools.config import build_options, find_config, read_config

AUTH = "Authentication"
LIMITS = "Limits"
MODEL = "Model"

Docs = Annotated[
    list[str], typer.Argument(help="Files, folders or addresses of documentation.", metavar="DOCS…")
]
Out = Annotated[
    Path, typer.Option("--out", "-o", help="Output folder.", envvar="DOC2TOOLS_OUT", metavar="DIR")
]
Config = Annotated[
    Path | None,
    typer.Option(
        "--config",
        help="Configuration file; default: doc2tools.toml in or beside the documentation.",
        envvar="DOC2TOOLS_CONFIG",
        metavar="FILE",
    ),
]
AsJson = Annotated[bool, typer.Option("--json", help="Write the summary as JSON to stdout.")]
Quiet = Annotated[bool, typer.Option("--quiet", "-q", help="Show warnings and errors only.")]
BaseUrl = Annotated[
    str | None,
    typer.Option(
        "--base-url",
        help="Scheme, host and base path of the API; overrides the documentation.",
        envvar="DOC2TOOLS_BASE_URL",
        metavar="URL",
    ),
]
Name = Annotated[
    str | None,
    typer.Option("--name", help="The package's import name.", envvar="DOC2TOOLS_NAME"),
]
Allow = Annotated[
    list[str] | None,
    typer.Option(
        "--allow",
        help="Methods that may be called, such as GET; nothing is called without it.",
        envvar="DOC2TOOLS_ALLOW",
        metavar="METHOD",
    ),
]
AllowHost = Annotated[
    list[str] | None,
    typer.Option(
        "--allow-host",
        help="A further host, or host:port, that may be called.",
        envvar="DOC2TOOLS_ALLOW_HOSTS",
        metavar="HOST",
    ),
]
AllowUnsafe = Annotated[
    list[str] | None,
    typer.Option(
        "--allow-unsafe",
        help="A tool that may be called although it changes state.",
        metavar="TOOL",
    ),
]
ConfirmWrites = Annotated[
    str | None,
    typer.Option(
        "--confirm-writes",
        help="Digest of the write plan that was shown and may be run.",
        envvar="DOC2TOOLS_CONFIRM_WRITES",
        metavar="DIGEST",
    ),
]
Value = Annotated[
    list[str] | None,
    typer.Option("--value", help="A known parameter value; may be repeated.", metavar="NAME=VALUE"),
]
Sandbox = Annotated[
    str | None,
    typer.Option(
        "--sandbox",
        help="auto (bubblewrap), strict (and the system call filter) or weak (a plain process).",
        envvar="DOC2TOOLS_SANDBOX",
        metavar="MODE",
    ),
]
Llm = Annotated[
    str | None,
    typer.Option(
        "--llm",
        help="auto (a model where one is configured), required, or off (rules alone).",
        envvar="DOC2TOOLS_LLM",
        metavar="MODE",
        rich_help_panel=MODEL,
    ),
]
LlmModel = Annotated[
    str | None,
    typer.Option(
        "--llm-model",
        help="The model's name.",
        envvar="DOC2TOOLS_LLM_MODEL",
        metavar="NAME",
        rich_help_panel=MODEL,
    ),
]
LlmBaseUrl = Annotated[
    str | None,
    typer.Option(
        "--llm-base-url",
        help="A server that speaks the Messages API.",
        envvar="DOC2TOOLS_LLM_BASE_URL",
        metavar="URL",
        rich_help_panel=MODEL,
    ),
]
LlmBudget = Annotated[
    int | None,
    typer.Option(
        "--llm-budget",
        help="Tokens that a compile may spend; 0: no limit.",
        envvar="DOC2TOOLS_LLM_BUDGET",
        metavar="TOKENS",
        rich_help_panel=MODEL,
    ),
]
ParamDb = Annotated[
    str | None,
    typer.Option(
        "--param-db",
        help="Address of a shared Chroma server; default: on disk beside the output.",
        envvar="DOC2TOOLS_PARAM_DB",
        metavar="URL",
    ),
]
Embedder = Annotated[
    str | None,
    typer.Option(
        "--embedder",
        help="wordllama, minilm, or the folder of a sentence-transformers model.",
        envvar="DOC2TOOLS_EMBEDDER",
        metavar="MODEL",
    ),
]
Graph = Annotated[
    str | None,
    typer.Option(
        "--graph",
        help="proved (dependency edges, each proved by calls) or off.",
        envvar="DOC2TOOLS_GRAPH",
        metavar="MODE",
    ),
]
Templates = Annotated[
    str | None,
    typer.Option(
        "--templates",
        help="Folder of templates that win over the built-in ones.",
        envvar="DOC2TOOLS_TEMPLATES",
        metavar="DIR",
    ),
]
MaxTokens = Annotated[
    int | None,
    typer.Option(
        "--max-tokens",
        help="Fail if tools/list takes more tokens; 0: no limit.",
        envvar="DOC2TOOLS_MAX_TOKENS",
        metavar="TOKENS",
        rich_help_panel=LIMITS,
    ),
]
Export = Annotated[
    str | None,
    typer.Option(
        "--export",
        help="Tools that the package holds: validated, or all.",
        envvar="DOC2TOOLS_EXPORT",
        metavar="WHICH",
    ),
]
AuthType = Annotated[
    str | None,
    typer.Option(
        "--auth",
        help="basic, bearer, header, query, cookie or login.",
        envvar="DOC2TOOLS_AUTH",
        metavar="TYPE",
        rich_help_panel=AUTH,
    ),
]
Username = Annotated[
    str | None, typer.Option("--username", help="User name of basic.", rich_help_panel=AUTH)
]
PasswordEnv = Annotated[
    str | None,
    typer.Option(
        "--password-env",
        help="Environment variable that holds the password.",
        metavar="VARIABLE",
        rich_help_panel=AUTH,
    ),
]
PasswordFile = Annotated[
    str | None,
    typer.Option(
        "--password-file",
        help="File that holds the password.",
        metavar="FILE",
        rich_help_panel=AUTH,
    ),
]
TokenEnv = Annotated[
    str | None,
    typer.Option(
        "--token-env",
        help="Environment variable that holds the token.",
        metavar="VARIABLE",
        rich_help_panel=AUTH,
    ),
]
TokenFile = Annotated[
    str | None,
    typer.Option(
        "--token-file", help="File that holds the token.", metavar="FILE", rich_help_panel=AUTH
    ),
]
AuthName = Annotated[
    str | None,
    typer.Option(
        "--auth-name",
        help="Header, query parameter or cookie that carries the token.",
        metavar="NAME",
        rich_help_panel=AUTH,
    ),
]
AuthPrefix = Annotated[
    str | None,
    typer.Option(
        "--auth-prefix",
        help="Text before the token in the header.",
        metavar="TEXT",
        rich_help_panel=AUTH,
    ),
]
LoginUrl = Annotated[
    str | None,
    typer.Option(
        "--login-url", help="login: address called first.", metavar="URL", rich_help_panel=AUTH
    ),
]
LoginMethod = Annotated[
    str | None, typer.Option("--login-method", help="login: its method.", rich_help_panel=AUTH)
]
LoginBody = Annotated[
    list[str] | None,
    typer.Option(
        "--login-body",
        help='login: a field; "$NAME" is read from the environment.',
        metavar="FIELD=VALUE",
        rich_help_panel=AUTH,
    ),
]
LoginBodyKind = Annotated[
    str | None,
    typer.Option(
        "--login-body-kind",
        help="login: json or form.",
        metavar="KIND",
        rich_help_panel=AUTH,
    ),
]
LoginKeep = Annotated[
    str | None,
    typer.Option(
        "--login-keep",
        help="login: cookie, or json:path.to.token.",
        metavar="WHAT",
        rich_help_panel=AUTH,
    ),
]
Insecure = Annotated[
    bool,
    typer.Option("--insecure", help="Do not verify TLS certificates.", rich_help_panel=AUTH),
]
CaFile = Annotated[
    str | None,
    typer.Option("--ca", help="CA bundle to verify with.", metavar="FILE", rich_help_panel=AUTH),
]
Rate = Annotated[
    float | None,
    typer.Option(
        "--rate",
        help="Requests a second for each host; 0: no limit. Default: 5, on loopback no limit.",
        rich_help_panel=LIMITS,
    ),
]
Concurrency = Annotated[
    int | None,
    typer.Option("--concurrency", help="Calls under way at once.", rich_help_panel=LIMITS),
]
Timeout = Annotated[
    float | None,
    typer.Option("--timeout", help="Seconds for one call.", rich_help_panel=LIMITS),
]
MaxBytes = Annotated[
    int | None,
    typer.Option("--max-bytes", help="Bytes of an answer that are read.", rich_help_panel=LIMITS),
]
MaxCalls = Annotated[
    int | None,
    typer.Option("--max-calls", help="Calls a compile may make.", rich_help_panel=LIMITS),
]
MaxPages = Annotated[
    int | None,
    typer.Option("--max-pages", help="Pages a crawl may fetch.", rich_help_panel=LIMITS),
]


def table(**entries: JsonValue) -> dict[str, JsonValue] | None:
    """Give the entries that were given as a table, or None where none was."""
    given: dict[str, JsonValue] = {
        key: value for key, value in entries.items() if value is not None
    }
    return given or None


def pairs(words: Sequence[str] | None, option: str) -> dict[str, JsonValue] | None:
    """Read `NAME=VALUE` words; a name given twice makes a list.

    Raises:
        UsageError: A word has no `=`.
    """
    if not words:
        return None
    found: dict[str, list[JsonValue]] = {}
    for word in words:
        name, mark, value = word.partition("=")
        if not mark or not name:
            raise UsageError(f"{option} takes NAME=VALUE, not {word!r}")
        found.setdefault(name, []).append(value)
    return {name: values if len(values) > 1 else values[0] for name, values in found.items()}


def strings(words: Sequence[str] | None) -> list[JsonValue] | None:
    """Give the words as a JSON list, or None where none was given."""
    return list(words) if words else None


def resolve(
    docs: Sequence[str], config: Path | None, given: Mapping[str, JsonValue]
) -> CompileOptions:
    """Join the options given with those of the configuration file.

    Raises:
        UsageError: The file or an option is wrong.
    """
    file = config or find_config(docs)
    content = read_config(file) if file else {}
    return build_options(content, given, str(file) if file else "options")


def to_json(value: object) -> str:
    """Write data as people and programs both read it: two spaces, keys as they come."""
    return plain_json(json.dumps(value, indent=2, ensure_ascii=False))
