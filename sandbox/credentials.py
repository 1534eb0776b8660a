"""Reads credentials from the environment or a file; they live in this process and nowhere else."""

from __future__ import annotations

import base64
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from doc2tools.compiler.ir.base import JsonValue
from doc2tools.compiler.ir.errors import UsageError
from doc2tools.compiler.ir.options import AuthOptions

MAX_SECRET_FILE = 65_536


@dataclass(frozen=True, slots=True)
class Credentials:
    """What the gateway adds to requests for the base URL's origin. Never shown by `repr`.

    Attributes:
        headers: Header name to value.
        query: Query parameter name to value.
        cookies: Cookie name to value.
        login_body: Fields of the login request, variables filled in.
        secrets: Every text that must not be seen anywhere.
    """

    headers: Mapping[str, str] = field(default_factory=dict[str, str], repr=False)
    query: Mapping[str, str] = field(default_factory=dict[str, str], repr=False)
    cookies: Mapping[str, str] = field(default_factory=dict[str, str], repr=False)
    login_body: Mapping[str, JsonValue] = field(default_factory=dict[str, JsonValue], repr=False)
    secrets: tuple[str, ...] = field(default=(), repr=False)


def load_credentials(auth: AuthOptions, environment: Mapping[str, str]) -> Credentials:
    """Read the credentials that `auth` names.

    Raises:
        UsageError: a variable, file or setting is missing or unusable; names it, shows no value.
    """
    match auth.type:
        case "none":
            return Credentials()
        case "basic":
            password = _secret(auth.password_env, auth.password_file, "password", environment)
            pair = f"{auth.username}:{password}"
            encoded = base64.b64encode(pair.encode()).decode()
            return Credentials(
                headers={"Authorization": f"Basic {encoded}"}, secrets=(password, pair, encoded)
            )
        case "login":
            if not auth.url:
                raise UsageError(
                    "[auth] type login has no url", "set url, the address to log in at"
                )
            secrets: list[str] = []
            body = {key: _fill(value, environment, secrets) for key, value in auth.body.items()}
            return Credentials(login_body=body, secrets=tuple(secrets))
        case _:
            token = _secret(auth.token_env, auth.token_file, "token", environment)
            return _token_credentials(auth, token)


def _token_credentials(auth: AuthOptions, token: str) -> Credentials:
    if auth.type == "bearer":
        value = f"{auth.prefix or 'Bearer '}{token}"
        return Credentials(headers={auth.name or "Authorization": value}, secrets=(token,))
    if not auth.name:
        raise UsageError(
            f"[auth] type {auth.type} has no name",
            f"set name, the {_carrier(auth.type)} that carries the token",
        )
    if auth.type == "query":
        return Credentials(query={auth.name: f"{auth.prefix}{token}"}, secrets=(token,))
    if auth.type == "cookie":
        return Credentials(cookies={auth.name: f"{auth.prefix}{token}"}, secrets=(token,))
    return Credentials(headers={auth.name: f"{auth.prefix}{token}"}, secrets=(token,))


def _carrier(kind: str) -> str:
    return {"query": "query parameter", "cookie": "cookie"}.get(kind, "header")


def _secret(variable: str, file: str, what: str, environment: Mapping[str, str]) -> str:
    if variable:
        return _variable(variable, environment)
    if not file:
        raise UsageError(
            f"[auth] names no {what}", f"set {what}_env to an environment variable's name"
        )
    try:
        with Path(file).expanduser().open("rb") as stream:
            lines = stream.read(MAX_SECRET_FILE).decode().splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise UsageError(
            f"the {what} file {file} cannot be read: {type(error).__name__}",
            f"check {what}_file in [auth]",
        ) from None
    if not lines or not lines[0].strip():
        raise UsageError(f"the {what} file {file} is empty", f"put the {what} on its first line")
    return _checked(lines[0].strip(), f"the {what} file {file}")


def _variable(name: str, environment: Mapping[str, str]) -> str:
    value = environment.get(name, "")
    if not value:
        raise UsageError(
            f"the environment variable {name} is not set", f"export {name}=… before the compile"
        )
    return _checked(value, f"the environment variable {name}")


def _checked(value: str, source: str) -> str:
    if any(character in value for character in "\r\n\0"):
        raise UsageError(f"{source} holds a line break", "give the secret on one line")
    return value


def _fill(value: JsonValue, environment: Mapping[str, str], secrets: list[str]) -> JsonValue:
    if isinstance(value, str) and value.startswith("$") and len(value) > 1:
        secret = _variable(value.removeprefix("$").strip("{}"), environment)
        secrets.append(secret)
        return secret
    if isinstance(value, dict):
        return {key: _fill(item, environment, secrets) for key, item in value.items()}
    if isinstance(value, list):
        return [_fill(item, environment, secrets) for item in value]
    return value
