"""What the client's template is filled with: addresses, environment variables, the auth scheme."""

from __future__ import annotations

from collections.abc import Collection

from doc2tools.compiler.emit.code import Docstring, Expression, Identifier, Literal
from doc2tools.compiler.emit.functions import VERBS
from doc2tools.compiler.emit.text import api_name
from doc2tools.compiler.ir.options import AuthOptions, TlsOptions


def environment_prefix(name: str) -> str:
    """Give what the names of the package's environment variables start with."""
    return name.upper()


def client_values(
    name: str,
    version: str,
    *,
    title: str,
    base_url: str,
    methods: Collection[str],
    auth: AuthOptions,
    tls: TlsOptions,
) -> dict[str, object]:
    """Give the values of `client.py.jinja`.

    Args:
        name: The package's import name.
        version: Its version.
        title: The API's title.
        base_url: Where calls go unless the user says otherwise.
        methods: HTTP methods of the tools; each gets a method of the client.
        auth: How calls authenticate; secrets come from the environment at run time.
        tls: Whether certificates are checked.
    """
    prefix = environment_prefix(name)
    subject = api_name(title, name)
    keep = auth.keep.removeprefix("json:").split(".") if auth.keep.startswith("json:") else []
    verbs = [verb for verb in VERBS if verb == "GET" or verb in methods]
    return {
        "docstring": Docstring.of(f"HTTP client of the {subject} API."),
        "base_url": Literal.of(base_url.rstrip("/")),
        "base_url_variable": Literal.of(f"{prefix}_BASE_URL"),
        "tls_variable": Literal.of(f"{prefix}_TLS_VERIFY"),
        "username_variable": Literal.of(f"{prefix}_USERNAME"),
        "password_variable": Literal.of(f"{prefix}_PASSWORD"),
        "token_variable": Literal.of(f"{prefix}_TOKEN"),
        "verify_tls": Literal.of(tls.verify),
        "user_agent": Literal.of(f"{name}/{version}"),
        "scheme": auth.type,
        "credential": auth.type != "none",
        "username": Literal.of(auth.username),
        "auth_name": Literal.of(auth.name or _DEFAULT_NAMES.get(auth.type, "Authorization")),
        "auth_prefix": Literal.of(auth.prefix or ("Bearer " if auth.type == "login" else "")),
        "login_url": Literal.of(auth.url if "://" in auth.url else f"/{auth.url.lstrip('/')}"),
        "login_method": Literal.of(auth.method.upper()),
        "login_body": Literal.of(auth.body),
        "login_token": Expression("(" + "".join(f"{Literal.of(part)}, " for part in keep) + ")"),
        "login_kind": Literal.of("json" if auth.body_kind == "json" else "data"),
        "login_hint": Literal.of(_login_hint(auth)),
        "verbs": [{"name": Identifier(v.lower()), "method": Literal.of(v)} for v in verbs],
    }


_DEFAULT_NAMES = {"query": "api_key", "cookie": "session"}


def _login_hint(auth: AuthOptions) -> str:
    names = sorted(
        value[1:] for value in auth.body.values() if isinstance(value, str) and value[:1] == "$"
    )
    return f"set {' and '.join(names)} in the environment" if names else "check the login's body"
