"""What a tool's outcome says, in the words of the manifest and of the generated code."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from urllib.parse import urlsplit

from doc2tools.compiler.emit.answers import Answer, proof, read_answer
from doc2tools.compiler.emit.code import Literal
from doc2tools.compiler.emit.docstrings import Example
from doc2tools.compiler.emit.functions import Function, Returns
from doc2tools.compiler.ir.base import JsonValue
from doc2tools.compiler.ir.outcome import Argument, Failed, Outcome, Tool, Validated

_LINE = 88


@dataclass(frozen=True, slots=True)
class Proved:
    """A tool beside its function, and the answer that validated it, if one did."""

    tool: Tool
    function: Function
    answer: Answer | None


def read_proof(tool: Tool) -> Answer | None:
    """Give the answer that validated `tool`, or `None`."""
    exchange = proof(tool.outcome)
    if exchange is None or exchange.response is None:
        return None
    return read_answer(exchange.response)


def arguments_of(outcome: Outcome) -> tuple[Argument, ...]:
    """Give the arguments of the call that decided the outcome."""
    return outcome.attempt.arguments if isinstance(outcome, Validated | Failed) else ()


def values_of(outcome: Outcome) -> dict[str, JsonValue]:
    """Give the values of the proved call by wire name; none if no call validated the tool."""
    if not isinstance(outcome, Validated):
        return {}
    return {argument.name: argument.value for argument in outcome.attempt.arguments}


def proved_arguments(function: Function, values: Mapping[str, JsonValue]) -> dict[str, JsonValue]:
    """Give the arguments of the proved call by Python name, in the signature's order."""
    return {
        name.source: values[parameter.name]
        for parameter, name in function.arguments()
        if parameter.name in values and values[parameter.name] is not None
    }


def example_of(function: Function, returns: Returns, answer: Answer | None) -> Example | None:
    """Write the proved call as a doctest, if it is short enough to read."""
    required = {
        name.source
        for parameter, name in function.arguments()
        if parameter.required or parameter.location == "path"
    }
    given = proved_arguments(function, function.values)
    parts: list[str] = []
    for name, value in given.items():
        source = Literal.of(value).source
        if len(source) > _LINE - 20 or source.startswith("("):
            return None
        parts.append(source if name in required else f"{name}={source}")
    path, shown = _excerpt(returns, answer)
    call = f">>> {function.name}({', '.join(parts)}){path}"
    if len(call) <= _LINE:
        return Example((call,), shown)
    middle = [f"...     {part}," for part in parts]
    return Example((f">>> {function.name}(", *middle, f"... ){path}"), shown)


def _excerpt(returns: Returns, answer: Answer | None) -> tuple[str, str]:
    """Choose a telling part of the answer: how to reach it, and what it holds, shortened."""
    if answer is None or answer.kind != "json":
        return "", ""
    value = answer.value
    if returns.type.name in ("list", "dict") or not returns.parsed:
        return "", _shorten(value) if not _has_model(returns) else ""
    if not isinstance(value, dict):
        return "", ""
    simple = {
        key: item
        for key, item in value.items()
        if key.isidentifier() and key.isascii() and not hasattr(dict, key) and _is_plain(item)
    }
    for key, item in simple.items():
        if isinstance(item, list) and item:
            return f".{key}", _shorten(item)
    for key, item in simple.items():
        if isinstance(item, str | int | float) and item != "":
            return f".{key}", _shorten(item)
    return "", ""


def _has_model(returns: Returns) -> bool:
    kinds = [returns.type]
    while kinds:
        kind = kinds.pop()
        if kind.module.endswith("models"):
            return True
        kinds += kind.args
    return False


def _is_plain(value: JsonValue) -> bool:
    if isinstance(value, list):
        return all(isinstance(item, str | int | float) for item in value[:50])
    return isinstance(value, str | int | float)


def _shorten(value: JsonValue) -> str:
    if isinstance(value, list):
        shown: list[str] = []
        room = 60
        for item in value[:50]:
            source = ascii(item)
            room -= len(source) + 2
            if room < 0:
                break
            shown.append(source)
        if not shown:
            return ""
        return f"[{', '.join(shown)}{', ...' if len(shown) < len(value) else ''}]"
    source = ascii(value)
    return source if len(source) <= _LINE - 16 else ""


def is_public(url: str) -> bool:
    """Say whether an address holds no user name or password."""
    try:
        return urlsplit(url).username is None
    except ValueError:
        return False


def public_url(url: str) -> str:
    """Give `url` without user name and password."""
    scheme, mark, rest = url.partition("://")
    host, slash, path = rest.partition("/")
    return f"{scheme}{mark}{host.rpartition('@')[2]}{slash}{path}" if mark else url
