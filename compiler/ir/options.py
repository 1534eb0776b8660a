"""What the user asked for: the options of a compile, from command line, environment and file."""

from __future__ import annotations

import re
from typing import Literal
from urllib.parse import urlsplit

from pydantic import Field, field_validator

from doc2tools.compiler.ir.base import Frozen, JsonValue

METHODS = ("GET", "HEAD", "OPTIONS", "POST", "PUT", "PATCH", "DELETE")

NAME = re.compile(r"[a-z][a-z0-9_]{0,63}")

AuthType = Literal["none", "basic", "bearer", "header", "query", "cookie", "login"]


class AuthOptions(Frozen):
    """`[auth]`: how calls authenticate. Secrets are named by environment variable or file.

    Attributes:
        type: The scheme.
        username: User name of `basic`.
        password_env: Environment variable that holds the password.
        token_env: Environment variable that holds the token of the other schemes.
        password_file: A file that holds the password (first line).
        token_file: A file that holds the token (first line).
        name: The header, query parameter or cookie that carries the token.
        prefix: What goes before the token in a header, such as `Token `.
        url: `login`: address to call first, absolute or below the base URL.
        method: `login`: its method.
        body: `login`: its JSON or form fields; a value `"$NAME"` is read from the environment.
        body_kind: `login`: how the body is sent.
        keep: `login`: `cookie`, or `json:path.to.token` for a bearer token in the answer.
    """

    type: AuthType = "none"
    username: str = ""
    password_env: str = ""
    token_env: str = ""
    password_file: str = ""
    token_file: str = ""
    name: str = ""
    prefix: str = ""
    url: str = ""
    method: str = "POST"
    body: dict[str, JsonValue] = {}
    body_kind: Literal["json", "form"] = "json"
    keep: str = "cookie"


class TlsOptions(Frozen):
    """`[tls]`: `verify = false` for self-signed hosts, or `ca`, the path of a CA bundle."""

    verify: bool = True
    ca: str = ""


class LimitOptions(Frozen):
    """`[limits]`.

    Attributes:
        requests_per_second: For each host; 0 means no limit. `None`: 5 for remote hosts, no limit
            for loopback ones.
        concurrency: Calls under way at once.
        timeout: Seconds for one call.
        response_bytes: Bytes of an answer that are read.
        calls: Calls that one compile may make; 0 means no limit.
        pages: Pages that a crawl may fetch.
    """

    requests_per_second: float | None = Field(default=None, ge=0)
    concurrency: int = Field(default=8, ge=1, le=64)
    timeout: float = Field(default=15.0, gt=0)
    response_bytes: int = Field(default=2_000_000, gt=0)
    calls: int = Field(default=20_000, ge=0)
    pages: int = Field(default=500, gt=0)


class CompileOptions(Frozen):
    """All that steers a compile.

    Attributes:
        base_url: Overrides what the documentation says; scheme, host and base path.
        allow: Methods that may be called, upper case; none: nothing is called.
        allow_hosts: Hosts (`name` or `name:port`) that may be called beside the base URL's own.
        allow_unsafe: Names of tools that may be called although they change state.
        name: The package's name: a Python identifier.
        values: Known parameter values by parameter name; a list gives several.
        sandbox: `auto` and `strict` need bubblewrap, `strict` a system call filter as well; `weak`
            is for the user alone to choose.
        export: Which tools the package holds.
        confirm_writes: Digest of the write plan that the user has seen and agrees to.
        llm: `auto` uses a model where one is configured, `required` insists on it, `off` never
            does.
        llm_model: The model's name, as its provider knows it.
        llm_base_url: Where the provider listens; "" means what the client library takes.
        llm_budget: Tokens, in and out, that one compile may spend; 0 means no limit.
        param_db: Address of a shared Chroma server; "" keeps values on disk beside the output.
        embedder: What embeds names and descriptions; see `param_db.embedding`.
        graph: `proved` calls what a dependency edge needs for its proof; `off` builds no graph.
        templates: The user's folder of templates that win over the built-in ones.
        max_tokens: The compile fails if `tools/list` takes more tokens; 0 means no limit.
    """

    base_url: str = ""
    allow: tuple[str, ...] = ()
    allow_hosts: tuple[str, ...] = ()
    allow_unsafe: tuple[str, ...] = ()
    name: str = ""
    auth: AuthOptions = AuthOptions()
    tls: TlsOptions = TlsOptions()
    values: dict[str, JsonValue] = {}
    limits: LimitOptions = LimitOptions()
    llm: Literal["off", "auto", "required"] = "auto"
    llm_model: str = ""
    llm_base_url: str = ""
    llm_budget: int = Field(default=500_000, ge=0)
    param_db: str = ""
    embedder: str = "wordllama"
    graph: Literal["proved", "off"] = "proved"
    templates: str = ""
    max_tokens: int = Field(default=0, ge=0)
    sandbox: Literal["auto", "strict", "weak"] = "auto"
    export: Literal["validated", "all"] = "validated"
    confirm_writes: str = ""

    @field_validator("allow")
    @classmethod
    def _known_methods(cls, value: tuple[str, ...]) -> tuple[str, ...]:
        for method in value:
            if method not in METHODS:
                raise ValueError(f"{method!r} is none of {', '.join(METHODS)}")
        return tuple(dict.fromkeys(value))

    @field_validator("name")
    @classmethod
    def _importable_name(cls, value: str) -> str:
        if value and not NAME.fullmatch(value):
            raise ValueError(f"{value!r} is no package name: lower-case letters, digits, _")
        return value

    @field_validator("base_url")
    @classmethod
    def _absolute_address(cls, value: str) -> str:
        if not value:
            return value
        try:
            parts = urlsplit(value)
            host, _ = parts.hostname, parts.port
        except ValueError as fault:
            raise ValueError(f"{value!r} is no address: {fault}") from fault
        if parts.scheme not in {"http", "https"} or not host:
            raise ValueError(f"{value!r} is no http or https address with a host")
        if "@" in parts.netloc:
            raise ValueError("an address holds no user name or password: use [auth]")
        if parts.query or parts.fragment:
            raise ValueError(f"{value!r} ends in a query or fragment")
        return value.rstrip("/")
