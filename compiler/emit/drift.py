"""How far the documentation has drifted from a package: two manifests in, their differences out.

Each difference says which step of semantic versioning (semver.org, 2.0.0) it asks of the package:
`major` where code that calls the package may break, `minor` where it can do more, `patch` where
only words or addresses change.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal, TypeAlias

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from doc2tools.compiler.ir.base import JsonValue

Step: TypeAlias = Literal["none", "patch", "minor", "major"]

ORDER: tuple[Step, ...] = ("none", "patch", "minor", "major")
UNANSWERED = frozenset(("unreachable", "tls", "timeout", "rate-limited", "unauthorised"))
"""Causes of failure that say nothing of the documentation."""

_NAMED = 5
_SCALARS = frozenset(("string", "integer", "number", "boolean"))


@dataclass(frozen=True, slots=True)
class Difference:
    """One difference in words for people, and the step that it asks for."""

    what: str
    step: Step


@dataclass(frozen=True, slots=True)
class Change:
    """A tool that both manifests hold, and what is different about it."""

    name: str
    differences: tuple[Difference, ...]

    @property
    def step(self) -> Step:
        """The largest step of its differences."""
        return largest(self.differences)


@dataclass(frozen=True, slots=True)
class Drift:
    """What has changed between two manifests of one package.

    Attributes:
        added: Names of the tools that only the new one exports.
        removed: Names of those that only the old one exports.
        changed: Tools that both export, with their differences.
        package: Differences of the package as a whole.
        reasons: Name of a removed tool to the reason.
        unchecked: Tools of which only the documentation was compared, because no call could be
            made or none was answered.
    """

    added: tuple[str, ...] = ()
    removed: tuple[str, ...] = ()
    changed: tuple[Change, ...] = ()
    package: tuple[Difference, ...] = ()
    reasons: Mapping[str, str] = field(default_factory=dict[str, str])
    unchecked: tuple[str, ...] = ()

    @property
    def step(self) -> Step:
        """The step of the package's version that all of it together asks for."""
        if self.removed:
            return "major"
        differences = [one for change in self.changed for one in change.differences]
        found = largest([*differences, *self.package])
        return "minor" if self.added and found != "major" else found

    def to_json(self) -> dict[str, JsonValue]:
        """Give the drift in JSON's types."""
        return {
            "step": self.step,
            "added": list(self.added),
            "removed": [{"name": n, "reason": self.reasons.get(n, "")} for n in self.removed],
            "changed": [
                {"name": one.name, "step": one.step, "differences": _listed(one.differences)}
                for one in self.changed
            ],
            "package": _listed(self.package),
            "unchecked": list(self.unchecked),
        }


def largest(differences: Iterable[Difference]) -> Step:
    """Give the largest step that any of `differences` asks for, "none" if there is none."""
    found: Step = "none"
    for difference in differences:
        if ORDER.index(difference.step) > ORDER.index(found):
            found = difference.step
    return found


def compare(old: Mapping[str, object], new: Mapping[str, object]) -> Drift:
    """Compare two manifests (`doc2tools.json`) of one package.

    Args:
        old: The manifest of the package as it is.
        new: The manifest of the package as the documentation now has it.

    Raises:
        ValueError: One of them is no manifest.
    """
    before, after = _read(old), _read(new)
    was = {tool.name: tool for tool in before.tools if tool.exported}
    known = {tool.name: tool for tool in after.tools}
    added = [name for name, tool in known.items() if tool.exported and name not in was]
    removed: dict[str, str] = {}
    changed: list[Change] = []
    unchecked: list[str] = []
    for name, tool in was.items():
        now = known.get(name)
        if now is None:
            removed[name] = "the documentation describes it no more"
            continue
        if _is_unchecked(tool, now):
            unchecked.append(name)
        elif not now.exported:
            removed[name] = f"{now.cause or now.status}: {now.message}".rstrip(": ")
            continue
        if differences := _tool(tool, now):
            changed.append(Change(name, tuple(differences)))
    return Drift(
        tuple(sorted(added)),
        tuple(sorted(removed)),
        tuple(sorted(changed, key=lambda change: change.name)),
        tuple(_package(before, after)),
        removed,
        tuple(sorted(unchecked)),
    )


class _Entry(BaseModel):
    model_config = ConfigDict(extra="ignore", populate_by_name=True)


class _Parameter(_Entry):
    name: str
    identifier: str = ""
    place: str = Field(default="", alias="in")
    type: str = "any"
    item_type: str | None = None
    required: bool = False
    default: JsonValue = None
    enum: list[JsonValue] = []


class _Response(_Entry):
    kind: str | None = None
    fields: list[str] = []


class _Hints(_Entry):
    read: bool = Field(default=True, alias="readOnlyHint")
    destructive: bool = Field(default=False, alias="destructiveHint")
    idempotent: bool = Field(default=True, alias="idempotentHint")


class _Tool(_Entry):
    name: str
    module: str = ""
    method: str = "GET"
    url: str = ""
    summary: str = ""
    exported: bool = False
    status: str = "validated"
    cause: str | None = None
    message: str = ""
    deprecated: bool = False
    parameters: list[_Parameter] = []
    response: _Response | None = None
    annotations: _Hints = _Hints()
    input_schema: dict[str, JsonValue] | None = None
    output_schema: dict[str, JsonValue] | None = None
    iterator: str | None = None


class _Auth(_Entry):
    type: str = "none"


class _Options(_Entry):
    auth: _Auth = _Auth()


class _Manifest(_Entry):
    name: str
    base_url: str = ""
    options: _Options = _Options()
    tools: list[_Tool]


def _read(manifest: Mapping[str, object]) -> _Manifest:
    try:
        return _Manifest.model_validate(dict(manifest))
    except ValidationError as error:
        first = error.errors()[0]
        place = ".".join(str(part) for part in first["loc"])
        raise ValueError(f"no manifest of a package: {place}: {first['msg']}") from error


def _is_unchecked(old: _Tool, new: _Tool) -> bool:
    """Say whether nothing was learnt of the tool by calling, though it was proved before."""
    unasked = new.status == "blocked" or new.cause in UNANSWERED
    return old.status == "validated" and new.status != "validated" and unasked


def _package(old: _Manifest, new: _Manifest) -> Iterable[Difference]:
    if old.name != new.name:
        yield Difference(f"the package is {new.name}, it was {old.name}", "major")
    if old.base_url != new.base_url:
        yield Difference(f"the base URL is {new.base_url}, it was {old.base_url}", "patch")
    was, now = old.options.auth.type, new.options.auth.type
    if was != now:
        yield Difference(f"calls authenticate by {now}, it was {was}", "major")


def _tool(old: _Tool, new: _Tool) -> list[Difference]:
    found: list[Difference] = []
    if old.module != new.module:
        found.append(Difference(f"it is in {new.module}, it was in {old.module}", "major"))
    if (old.method, old.url) != (new.method, new.url):
        request = f"{new.method} {new.url}"
        found.append(Difference(f"it calls {request}, it was {old.method} {old.url}", "patch"))
    found += _hints(old.annotations, new.annotations)
    found += _parameters(old.parameters, new.parameters)
    if old.deprecated != new.deprecated:
        step: Step = "minor" if new.deprecated else "patch"
        found.append(Difference(f"it is {'' if new.deprecated else 'not '}deprecated", step))
    if old.status == new.status == "validated":
        found += _answer(old, new)
        if old.iterator and old.iterator != new.iterator:
            found.append(Difference(f"the iterator {old.iterator} is gone", "major"))
        elif new.iterator and not old.iterator:
            found.append(Difference(f"the iterator {new.iterator} is new", "minor"))
    if old.summary != new.summary or (not found and _texts_differ(old, new)):
        found.append(Difference("its description reads otherwise", "patch"))
    return found


def _texts_differ(old: _Tool, new: _Tool) -> bool:
    """Say whether the schemas of the arguments differ, where both manifests have one."""
    both = old.input_schema is not None and new.input_schema is not None
    return both and old.input_schema != new.input_schema


def _hints(old: _Hints, new: _Hints) -> Iterable[Difference]:
    if old.read and not new.read:
        yield Difference("it changes state on the server now", "major")
    elif not old.destructive and new.destructive:
        yield Difference("it deletes or overwrites state on the server now", "major")
    elif old != new:
        yield Difference("its effect is described otherwise", "patch")


def _parameters(old: Sequence[_Parameter], new: Sequence[_Parameter]) -> Iterable[Difference]:
    was = {parameter.identifier or parameter.name: parameter for parameter in old}
    now = {parameter.identifier or parameter.name: parameter for parameter in new}
    for name, parameter in was.items():
        if name not in now:
            yield Difference(f"parameter {name} is gone", "major")
        else:
            yield from _parameter(name, parameter, now[name])
    for name, parameter in now.items():
        if name not in was:
            kind = "required" if parameter.required else "optional"
            step: Step = "major" if parameter.required else "minor"
            yield Difference(f"parameter {name} ({kind}) is new", step)
    kept = [n for n, p in was.items() if p.required and n in now and now[n].required]
    if kept != [n for n, p in now.items() if p.required and n in was and was[n].required]:
        yield Difference("the required parameters come in another order", "major")


def _parameter(name: str, old: _Parameter, new: _Parameter) -> Iterable[Difference]:
    if not old.required and new.required:
        yield Difference(f"parameter {name} is required now", "major")
    if old.required and not new.required:
        words = f"parameter {name} is optional now and can be given by name only"
        yield Difference(words, "major")
    was, now = _kind(old), _kind(new)
    if was != now:
        step: Step = "minor" if _is_wider(old, new) else "major"
        yield Difference(f"parameter {name} is {now}, it was {was}", step)
    elif old.enum or new.enum:
        yield from _enum(name, old.enum, new.enum)
    if (old.name, old.place) != (new.name, new.place):
        sent = f"as {new.name} in {new.place}, it was {old.name} in {old.place}"
        yield Difference(f"parameter {name} is sent {sent}", "patch")
    if old.default != new.default:
        yield Difference(f"parameter {name} has another default", "patch")


def _kind(parameter: _Parameter) -> str:
    if parameter.type == "array" and parameter.item_type:
        return f"array of {parameter.item_type}"
    return parameter.type


def _is_wider(old: _Parameter, new: _Parameter) -> bool:
    if new.type == "any":
        return old.type in _SCALARS
    return (old.type, new.type) == ("integer", "number")


def _enum(name: str, old: Sequence[JsonValue], new: Sequence[JsonValue]) -> Iterable[Difference]:
    gone = [value for value in old if value not in new]
    more = [value for value in new if value not in old]
    if not new:
        yield Difference(f"parameter {name} takes any value now", "minor")
    elif not old:
        yield Difference(f"parameter {name} takes only {_names(new)} now", "major")
    elif gone:
        yield Difference(f"parameter {name} does not take {_names(gone)} any more", "major")
    elif more:
        yield Difference(f"parameter {name} takes {_names(more)}, too", "minor")


def _answer(old: _Tool, new: _Tool) -> Iterable[Difference]:
    was, now = old.response, new.response
    if was is None or now is None:
        return
    if was.kind != now.kind:
        yield Difference(f"the answer is {now.kind}, it was {was.kind}", "major")
        return
    known, found = frozenset(was.fields), frozenset(now.fields)
    if gone := [path for path in was.fields if path not in found]:
        yield Difference(f"the answer lacks {_names(gone)}", "major")
    if more := [path for path in now.fields if path not in known]:
        yield Difference(f"the answer has {_names(more)}", "minor")
    schemas = old.output_schema, new.output_schema
    if not gone and not more and None not in schemas and schemas[0] != schemas[1]:
        yield Difference("the answer's fields have other types", "minor")


def _names(values: Sequence[JsonValue]) -> str:
    shown = ", ".join(str(value) for value in values[:_NAMED])
    return shown + (f" and {len(values) - _NAMED} more" if len(values) > _NAMED else "")


def _listed(differences: Iterable[Difference]) -> list[JsonValue]:
    return [{"what": one.what, "step": one.step} for one in differences]
