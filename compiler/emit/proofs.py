"""What a tool's outcome says, in the words of the manifest and of the generated code."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from doc2tools.compiler.emit.answers import Answer, proof, read_answer
from doc2tools.compiler.emit.code import Literal
from doc2tools.compiler.emit.docstrings import Example
from doc2tools.compiler.emit.functions import Function, Returns, is_required
from doc2tools.compiler.emit.models import Models
from doc2tools.compiler.emit.types import Type
from doc2tools.compiler.ir.base import JsonValue
from doc2tools.compiler.ir.outcome import Argument, Failed, Outcome, Tool, Validated

_LINE = 88
_REACH = 3
_DULL = frozenset(("status", "code", "success", "ok", "message", "error", "errors"))


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


def example_of(function: Function, answer: Answer | None, models: Models) -> Example | None:
    """Write the proved call as a doctest, if it is short enough to read."""
    required = {name.source for parameter, name in function.arguments() if is_required(parameter)}
    given = proved_arguments(function, function.values)
    parts: list[str] = []
    for name, value in given.items():
        source = Literal.of(value).source
        if len(source) > _LINE - 20 or source.startswith("("):
            return None
        parts.append(source if name in required else f"{name}={source}")
    path, shown = _excerpt(function.returns, answer, models)
    call = f">>> {function.name}({', '.join(parts)}){path}"
    if len(call) <= _LINE:
        return Example((call,), shown)
    middle = [f"...     {part}," for part in parts]
    return Example((f">>> {function.name}(", *middle, f"... ){path}"), shown)


def _excerpt(returns: Returns, answer: Answer | None, models: Models) -> tuple[str, str]:
    """Choose a telling part of the answer: how to reach it, and what it holds, shortened."""
    if answer is None or answer.kind != "json":
        return "", ""
    found = [
        (_weight(path, value), number, path, _shorten(value))
        for number, (path, value) in enumerate(_parts("", answer.value, returns.type, models))
    ]
    usable = [(weight, number, path, text) for weight, number, path, text in found if text]
    if not usable:
        return "", ""
    _, _, path, text = min(usable)
    return path, text


def _parts(
    path: str, value: JsonValue, kind: Type, models: Models
) -> Iterator[tuple[str, JsonValue]]:
    """Yield what can be reached by attributes and the first items of lists, with its path."""
    yield path, value
    if path.count(".") >= _REACH:
        return
    attributes = models.attributes(kind)
    if isinstance(value, dict):
        for key, (name, inner) in attributes.items():
            if key in value:
                yield from _parts(f"{path}.{name}", value[key], inner, models)
    elif isinstance(value, list) and value and kind.name == "list":
        yield from _parts(f"{path}[0]", value[0], kind.args[0], models)


def _weight(path: str, value: JsonValue) -> tuple[int, int]:
    """Rank a part: lists of plain values, then plain values; those near the top first."""
    dull = path.rpartition(".")[2].lower() in _DULL
    kind = 0 if isinstance(value, list) else 2 if dull else 1
    return kind, path.count(".") + path.count("[")


def _shorten(value: JsonValue) -> str:
    """Write a plain value or a list of them; "" for what is empty, nested or long."""
    if isinstance(value, list):
        shown: list[str] = []
        room = 60
        for item in value[:50]:
            if isinstance(item, dict | list):
                return ""
            source = ascii(item)
            room -= len(source) + 2
            if room < 0:
                break
            shown.append(source)
        if not shown:
            return ""
        return f"[{', '.join(shown)}{', ...' if len(shown) < len(value) else ''}]"
    if value is None or value == "" or isinstance(value, dict):
        return ""
    source = ascii(value)
    return source if len(source) <= _LINE - 16 else ""


def public_url(url: str) -> str:
    """Give `url` without user name and password."""
    scheme, mark, rest = url.partition("://")
    host, slash, path = rest.partition("/")
    return f"{scheme}{mark}{host.rpartition('@')[2]}{slash}{path}" if mark else url
