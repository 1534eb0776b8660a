"""Options from `doc2tools.toml`, laid under those of the command line and the environment."""

from __future__ import annotations

import difflib
import tomllib
from collections.abc import Mapping, Sequence
from datetime import date, datetime, time
from pathlib import Path
from typing import cast

from pydantic import BaseModel, JsonValue, ValidationError

from doc2tools.compiler.ir.errors import UsageError
from doc2tools.compiler.ir.options import (
    AuthOptions,
    CompileOptions,
    LimitOptions,
    TlsOptions,
)

FILE_NAME = "doc2tools.toml"
TABLES: dict[str, type[BaseModel]] = {
    "auth": AuthOptions,
    "tls": TlsOptions,
    "limits": LimitOptions,
}
SECRET_KEYS = {"password": "password_env", "token": "token_env", "secret": "token_env"}


def find_config(docs: Sequence[str]) -> Path | None:
    """Give the `doc2tools.toml` in or beside the first documentation folder that has one."""
    for entry in docs:
        if "://" in entry:
            continue
        path = Path(entry)
        folders = [path, path.resolve().parent] if path.is_dir() else [path.resolve().parent]
        for folder in folders:
            if (folder / FILE_NAME).is_file():
                return folder / FILE_NAME
    return None


def read_config(file: Path) -> dict[str, JsonValue]:
    """Read a configuration file.

    Raises:
        UsageError: It is missing, no TOML, or holds a secret in the open.
    """
    try:
        text = file.read_bytes().decode("utf-8")
    except OSError as fault:
        raise UsageError(
            f"{file} cannot be read: {fault.strerror or fault}", hint="check the path of --config"
        ) from fault
    except UnicodeDecodeError as fault:
        raise UsageError(f"{file} is not UTF-8", hint="TOML files are UTF-8 text") from fault
    try:
        data = cast("dict[str, JsonValue]", _without_dates(tomllib.loads(text)))
    except tomllib.TOMLDecodeError as fault:
        raise UsageError(f"{file}: {fault}", hint="see https://toml.io for the syntax") from fault
    auth = data.get("auth")
    if isinstance(auth, dict):
        for key, instead in SECRET_KEYS.items():
            if key in auth:
                raise UsageError(
                    f"{file}: [auth] {key} would keep a secret in the open",
                    hint=f'put it into an environment variable and write {instead} = "ITS_NAME"',
                )
    return data


def build_options(
    file: Mapping[str, JsonValue], overrides: Mapping[str, JsonValue], origin: str
) -> CompileOptions:
    """Lay `overrides` (command line and environment) over `file` and check the whole.

    Args:
        file: The configuration file's content.
        overrides: Options given directly; `None` values count as not given.
        origin: What to call the file in messages.

    Raises:
        UsageError: An unknown option or a value that does not fit, named with its place.
    """
    merged: dict[str, JsonValue] = dict(file)
    for key, value in overrides.items():
        if value is None:
            continue
        old = merged.get(key)
        if isinstance(value, dict) and isinstance(old, dict):
            merged[key] = {**old, **value}
        else:
            merged[key] = value
    for key in ("allow", "allow_hosts", "allow_unsafe"):
        if key in merged:
            merged[key] = _words(merged[key])
    if isinstance(methods := merged.get("allow"), list):
        merged["allow"] = [str(method).upper() for method in methods]
    try:
        return CompileOptions.model_validate(merged)
    except ValidationError as fault:
        raise UsageError(*_explain(fault, origin)) from fault


def _without_dates(value: object) -> object:
    """Write TOML's dates and times as ISO 8601 text: they are parameter values, sent as text."""
    if isinstance(value, dict):
        table = cast("dict[str, object]", value)
        return {key: _without_dates(item) for key, item in table.items()}
    if isinstance(value, list):
        return [_without_dates(item) for item in cast("list[object]", value)]
    if isinstance(value, datetime | date | time):
        return value.isoformat()
    return value


def _words(value: JsonValue) -> JsonValue:
    """Read `"GET,POST"` and `["GET", "POST"]` alike."""
    if isinstance(value, str):
        value = [value]
    if not isinstance(value, list):
        return value
    parts: list[JsonValue] = []
    for item in value:
        if not isinstance(item, str):
            return value
        parts += [part for part in item.replace(",", " ").split() if part]
    return parts


def _explain(fault: ValidationError, origin: str) -> tuple[str, str]:
    first = fault.errors()[0]
    place = [str(part) for part in first["loc"]]
    key = ".".join(place)
    if first["type"] == "extra_forbidden":
        model = TABLES.get(place[0], CompileOptions) if len(place) > 1 else CompileOptions
        known = sorted(model.model_fields)
        close = difflib.get_close_matches(place[-1], known, n=1)
        hint = f"did you mean {close[0]}?" if close else f"known here: {', '.join(known)}"
        return f"{origin}: unknown option {key}", hint
    return f"{origin}: {key}: {first['msg']}", "see docs/configuration.md"
