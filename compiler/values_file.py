"""The file in which a person fills in the values that a compile could not find.

`<name>.values.toml` lies beside the package's folder: a `[values]` table with an empty entry for
every parameter that tools wait for. The next compile takes up what was filled in; what
`doc2tools.toml` or the command line says goes before it.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, time
from pathlib import Path
from typing import cast

from doc2tools.compiler.emit.code import printable, toml_string
from doc2tools.compiler.ir.base import JsonValue
from doc2tools.compiler.ir.errors import StoreError, UsageError
from doc2tools.compiler.ir.options import CompileOptions
from doc2tools.compiler.ir.outcome import Failed, Tool, Unvalidated
from doc2tools.compiler.ir.spec import Parameter
from doc2tools.compiler.state import write_atomically
from doc2tools.compiler.validate.filters import is_credential
from doc2tools.param_db.naming import fold, is_generic
from doc2tools.param_db.privacy import is_secret_name

__all__ = [
    "VALUES_SUFFIX",
    "Waiting",
    "read_values",
    "render",
    "update",
    "values_file",
    "waiting",
    "with_values",
]

VALUES_SUFFIX = ".values.toml"
_MAX_BYTES = 1_000_000
_MAX_ENTRIES = 500
_MAX_TOOLS = 6
_MAX_TEXT = 160
_VALUES_MAY_HELP = frozenset({"wrong-parameter-value", "missing-parameter", "empty-response"})


@dataclass(slots=True)
class Waiting:
    """A value that tools wait for.

    Attributes:
        key: As it stands in `[values]`: the parameter's name, or `tool.name` where the name alone
            would mean something else in another tool.
        parameter: The first of them.
        tools: What waits, as `name (METHOD path)`.
        tried: What was tried in vain, as it was sent.
    """

    key: str
    parameter: Parameter
    tools: list[str] = field(default_factory=list[str])
    tried: list[str] = field(default_factory=list[str])


def values_file(out: Path, name: str) -> Path:
    """Give the file's place for the package `name` below the output folder `out`."""
    return out / f"{name}{VALUES_SUFFIX}"


def read_values(path: Path) -> dict[str, JsonValue]:
    """Give what was filled in; empty entries, and a file that is not there, give nothing.

    Raises:
        UsageError: The file cannot be read, or is no TOML.
    """
    try:
        data = path.read_bytes()
    except FileNotFoundError:
        return {}
    except OSError as fault:
        raise UsageError(
            f"{path} cannot be read: {fault.strerror or fault}", hint="mend or remove it"
        ) from fault
    if len(data) > _MAX_BYTES:
        raise UsageError(f"{path} is too large", hint="mend or remove it")
    try:
        table = tomllib.loads(data.decode()).get("values", {})
    except (tomllib.TOMLDecodeError, UnicodeDecodeError, RecursionError) as fault:
        raise UsageError(f"{path}: {fault}", hint="see https://toml.io for the syntax") from fault
    if not isinstance(table, dict):
        raise UsageError(f"{path}: values is no table", hint="begin it with [values]")
    filled = cast("dict[str, object]", table)
    return {key: _plain(value) for key, value in filled.items() if value not in ("", [], {})}


def with_values(options: CompileOptions, filled: Mapping[str, JsonValue]) -> CompileOptions:
    """Lay the file's values under those of the options."""
    given = options.values
    general = {fold(name) for name in given if "." not in name}
    under = {
        key: value
        for key, value in filled.items()
        if key not in given and fold(key.rpartition(".")[2]) not in general
    }
    return options.model_copy(update={"values": under | given}) if under else options


def waiting(tools: Sequence[Tool]) -> tuple[Waiting, ...]:
    """Give the values that are missing or did not help, credentials left out."""
    found: dict[str, Waiting] = {}
    for tool in tools:
        endpoint = tool.endpoint
        for parameter, tried in _open(tool):
            if is_credential(parameter) or is_secret_name(parameter.name):
                continue
            general = not is_generic(fold(parameter.name)) and "." not in parameter.name
            key = parameter.name if general else f"{endpoint.name}.{parameter.name}"
            entry = found.setdefault(key, Waiting(key, parameter))
            entry.tools.append(f"{endpoint.name} ({endpoint.method} {endpoint.path})")
            if tried and tried not in entry.tried:
                entry.tried.append(tried)
    return tuple(found.values())[:_MAX_ENTRIES]


def _open(tool: Tool) -> Iterator[tuple[Parameter, str]]:
    """Give the parameters whose values keep a tool from being proved, and what was tried."""
    outcome = tool.outcome
    if isinstance(outcome, Unvalidated):
        for parameter in tool.endpoint.parameters:
            if parameter.name in outcome.missing:
                yield parameter, ""
    elif isinstance(outcome, Failed) and outcome.attempt.verdict.cause in _VALUES_MAY_HELP:
        sent = {held.name: held for held in outcome.attempt.arguments}
        for parameter in tool.endpoint.parameters:
            held = sent.get(parameter.name)
            if parameter.required and held is not None:
                yield parameter, _toml(held.value)


def render(name: str, entries: Sequence[Waiting], filled: Mapping[str, JsonValue]) -> str:
    """Write the file: what was filled in stays, what is waited for is empty.

    Args:
        name: The package's name.
        entries: What tools wait for.
        filled: What a person filled in before.
    """
    lines = [
        f"# Values that doc2tools did not find for {_line(name)}. Fill in what you know and",
        "# compile again. An empty entry changes nothing; a list gives several values to try.",
        "",
        "[values]",
    ]
    keys = {entry.key for entry in entries}
    for key, value in filled.items():
        if key not in keys:
            lines += ["", f"{toml_string(key)} = {_toml(value)}"]
    for entry in entries:
        lines += ["", *_comments(entry)]
        lines.append(f"{toml_string(entry.key)} = {_toml(filled.get(entry.key, ''))}")
    return "\n".join(lines) + "\n"


def _comments(entry: Waiting) -> Iterator[str]:
    parameter = entry.parameter
    kind = parameter.type if parameter.type != "any" else "type unknown"
    place = f", documented in {parameter.spans[0]}" if parameter.spans else ""
    yield f"# {_line(parameter.name)}: {parameter.location} parameter, {kind}{_line(place)}"
    if parameter.description:
        yield f"#   {_line(parameter.description)}"
    if parameter.enum:
        yield f"#   one of: {_line(', '.join(map(str, parameter.enum[:12])))}"
    for tool in entry.tools[:_MAX_TOOLS]:
        yield f"#   waits: {_line(tool)}"
    if len(entry.tools) > _MAX_TOOLS:
        yield f"#   waits: and {len(entry.tools) - _MAX_TOOLS} more"
    if entry.tried:
        yield f"#   in vain: {_line(', '.join(entry.tried[:4]))}"


def update(
    out: Path, name: str, tools: Sequence[Tool], filled: Mapping[str, JsonValue]
) -> Path | None:
    """Write, rewrite or remove the file; give its place where values are waited for.

    Raises:
        StoreError: It cannot be written or removed.
    """
    path = values_file(out, name)
    entries = waiting(tools)
    try:
        if not entries and not filled:
            path.unlink(missing_ok=True)
            return None
        data = render(name, entries, filled).encode()
        if not path.is_file() or path.read_bytes() != data:
            write_atomically(path, data)
    except OSError as fault:
        raise StoreError(
            f"{path} cannot be written: {fault.strerror or fault}",
            hint="choose another folder with --out, or free some space",
        ) from fault
    return path if any(entry.key not in filled for entry in entries) else None


def _line(text: str) -> str:
    """Make text from outside one line of a comment: no controls, nothing that reorders it."""
    shown = " ".join(printable(text[:2_000]).split())
    kept = "".join(character if character.isprintable() else "\ufffd" for character in shown)
    return kept if len(kept) <= _MAX_TEXT else kept[: _MAX_TEXT - 1] + "…"


def _toml(value: JsonValue) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, list):
        return f"[{', '.join(map(_toml, value))}]"
    if isinstance(value, dict):
        pairs = (f"{toml_string(key)} = {_toml(item)}" for key, item in value.items())
        return "{" + ", ".join(pairs) + "}"
    if isinstance(value, int | float):
        return repr(value)
    return toml_string(str(value)) if value is not None else '""'


def _plain(value: object) -> JsonValue:
    """Give a TOML value as JSON; dates and times become ISO 8601 text."""
    if isinstance(value, dict):
        table = cast("dict[str, object]", value)
        return {key: _plain(item) for key, item in table.items()}
    if isinstance(value, list):
        return [_plain(item) for item in cast("list[object]", value)]
    if isinstance(value, date | time):
        return value.isoformat()
    return value if isinstance(value, str | bool | int | float) else str(value)
