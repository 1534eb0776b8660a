"""Decides which tools may be called, and with which sets of arguments, best first.

In go an endpoint, the options and the values known so far; out come argument sets, or the reason
why there are none. Identifiers are never guessed.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from doc2tools.compiler.ir.base import JsonValue
from doc2tools.compiler.ir.options import CompileOptions
from doc2tools.compiler.ir.outcome import Argument, Blocked, Unvalidated
from doc2tools.compiler.ir.spec import Endpoint, Parameter
from doc2tools.compiler.validate.choices import Choice, argument, choices, configured
from doc2tools.compiler.validate.filters import (
    changes_state,
    is_credential,
    is_long_poll,
    is_stand_in,
)
from doc2tools.compiler.validate.joint import (
    Picked,
    alike,
    inside,
    observed,
    positions,
    recent,
    recorded,
    tiles,
)
from doc2tools.compiler.validate.messages import Complaint
from doc2tools.compiler.validate.records import NOTHING, Surroundings
from doc2tools.param_db.fit import shaped
from doc2tools.param_db.naming import fold
from doc2tools.param_db.values import Values

__all__ = ["ArgumentSet", "advised", "argument_sets", "missing", "refusal", "required"]

_MAX_SETS = 12
_MAX_SAMPLES = 4
_MAX_WEAK = 3
_READING_FLAGS = frozenset(
    {
        *("key", "list", "all", "recurse", "recursive", "raw", "detail", "detailed", "full"),
        *("count", "expand", "stat", "meta", "metadata", "info", "name", "summary", "children"),
    }
)
"""Optional flags, folded, that only say how much is read: no other one is set on a guess."""


@dataclass(frozen=True, slots=True)
class ArgumentSet:
    """The arguments of one call.

    Attributes:
        proved: Every argument is known to exist on the server, or needs no object to exist.
        weak: An argument is guessed although an object may have to exist.
    """

    arguments: tuple[Argument, ...] = ()
    proved: bool = False
    weak: bool = False

    @property
    def observed(self) -> bool:
        """At least one value comes from the server's own answers."""
        return any(argument.origin in {"observed", "repaired"} for argument in self.arguments)

    @property
    def key(self) -> str:
        """The same for sets that send the same."""
        pairs = sorted((argument.name, repr(argument.value)) for argument in self.arguments)
        return json.dumps(pairs)


def refusal(endpoint: Endpoint, options: CompileOptions) -> Blocked | Unvalidated | None:
    """Give why `endpoint` must not or cannot be called, or `None` if it may."""
    allowed = {method.upper() for method in options.allow}
    if endpoint.method.upper() not in allowed:
        names = ", ".join(sorted(allowed)) or "none"
        return Blocked(reason=f"{endpoint.method} is not among the allowed methods ({names})")
    if endpoint.effect.kind != "read" and endpoint.name not in options.allow_unsafe:
        return Blocked(reason=f"a call would change state: {endpoint.effect.reason}")
    if not endpoint.base_url:
        return Unvalidated(
            cause="missing-base-url", reason="the documentation gives no base URL for it"
        )
    return None


def required(endpoint: Endpoint) -> tuple[Parameter, ...]:
    """Give the parameters without which the generated function cannot be called."""
    return tuple(parameter for parameter in endpoint.parameters if parameter.required)


def missing(
    endpoint: Endpoint, options: CompileOptions, values: Values
) -> tuple[tuple[str, ...], str]:
    """Give the required parameters that have no value, and what to say about them."""
    names: list[str] = []
    credentials: list[str] = []
    for parameter in required(endpoint):
        found = _choices(parameter, endpoint, options, values, NOTHING)
        if all(choice.weak for choice in found):
            names.append(parameter.name)
            if is_credential(parameter):
                credentials.append(parameter.name)
    if credentials:
        return tuple(names), f"{', '.join(credentials)} carries a credential: configure [auth]"
    return tuple(names), f"no value is known for {', '.join(names)}"


def argument_sets(
    endpoint: Endpoint,
    options: CompileOptions,
    values: Values,
    around: Surroundings = NOTHING,
) -> tuple[ArgumentSet, ...]:
    """Give the sets of arguments worth trying, best first, none twice, weak guesses last.

    Documented samples and values that the server gave take turns, so that a stale documentation
    does not use up all calls.
    """
    needed = required(endpoint)
    options_of = {
        parameter.name: _choices(parameter, endpoint, options, values, around)
        for parameter in needed
    }
    together = [
        *tiles(options_of, values),
        *positions(needed, options_of, values),
        *recorded(needed, options_of, around),
        *inside(endpoint, needed, options_of, around),
        *alike(needed, options_of),
    ]
    ordered = [picked for picked in together if all(name in picked for name in options_of)]
    if all(options_of.values()):
        single = [] if needed else list(_one_optional(endpoint, options, values, around))
        shown = list(_samples(endpoint, options, options_of))
        seen = list(observed(endpoint, options_of, values, around))
        late = list(recent([*shown[:2], *seen[:2], *list(_varied(needed, options_of))[:1]], values))
        given = [*ordered, *late, *seen]
        ordered = [*_ordered(needed, options_of, shown, given), *single]
    sets: dict[str, ArgumentSet] = {}
    for picked in ordered:
        arguments = tuple(
            argument(parameter, picked[parameter.name])
            for parameter in endpoint.parameters
            if parameter.name in picked
        )
        is_weak = any(choice.weak for choice in picked.values())
        candidate = ArgumentSet(arguments, _is_proved(picked, needed), is_weak)
        sets.setdefault(candidate.key, candidate)
    firm = [chosen for chosen in sets.values() if not chosen.weak]
    guessed = [chosen for chosen in sets.values() if chosen.weak]
    return tuple(firm[:_MAX_SETS] + guessed[:_MAX_WEAK])


def _ordered(
    needed: Sequence[Parameter],
    options_of: dict[str, tuple[Choice, ...]],
    shown: list[Picked],
    seen: list[Picked],
) -> list[Picked]:
    """Put configured values first, then documented and observed ones by turns."""
    first: list[Picked] = [] if needed else [{}]
    given = {name: found[0] for name, found in options_of.items()}
    if needed and any(choice.origin == "configured" for choice in given.values()):
        first.append(given)
    proved = [picked for picked in shown if _is_proved(picked, needed)]
    rest = [picked for picked in shown if not _is_proved(picked, needed)]
    return [*first, *proved, *_alternate(rest, seen), *_varied(needed, options_of)]


def advised(
    endpoint: Endpoint,
    before: ArgumentSet,
    complaint: Complaint,
    options: CompileOptions,
    values: Values,
    *,
    around: Surroundings = NOTHING,
) -> ArgumentSet | None:
    """Give `before` with the parameter that an error names set or changed, if that can be done."""
    parameter = next((p for p in endpoint.parameters if p.name == complaint.parameter), None)
    if parameter is None:
        return None
    tried = {repr(held.value) for held in before.arguments if held.name == parameter.name}
    allowed = [
        Choice(shaped(value, parameter), "documented", "the server's error message", neutral=True)
        for value in complaint.choices
        if not is_stand_in(value) and not changes_state(parameter, value)
    ]
    wanted = parameter.model_copy(update={"required": True})
    for choice in (*allowed, *_choices(wanted, endpoint, options, values, around)):
        if repr(choice.value) in tried:
            continue
        others = tuple(held for held in before.arguments if held.name != parameter.name)
        sure = before.proved and not choice.weak
        return ArgumentSet((*others, argument(parameter, choice)), sure, before.weak)
    return None


def _choices(
    parameter: Parameter,
    endpoint: Endpoint,
    options: CompileOptions,
    values: Values,
    around: Surroundings,
) -> tuple[Choice, ...]:
    if is_credential(parameter) or parameter.type == "file":
        return configured(parameter, endpoint, options)
    if is_long_poll(parameter.name) and not parameter.required:
        return ()
    found = choices(parameter, endpoint, options, values, around)
    return tuple(
        choice
        for choice in found
        if choice.origin == "configured" or not changes_state(parameter, choice.value)
    )


def _samples(
    endpoint: Endpoint, options: CompileOptions, options_of: dict[str, tuple[Choice, ...]]
) -> Iterator[Picked]:
    """Give documented samples: whole first, then without what is not required."""
    known = {parameter.name: parameter for parameter in endpoint.parameters}
    for sample in endpoint.samples[:_MAX_SAMPLES]:
        picked: Picked = {}
        for name, value in sample.items():
            parameter = known.get(name)
            if parameter is None or not _may_send(parameter, value):
                continue
            given = configured(parameter, endpoint, options)
            shown = Choice(shaped(value, parameter), "documented", "documented sample")
            picked[name] = given[0] if given else _same(shown, options_of.get(name, ()))
        whole = {name: found[0] for name, found in options_of.items()} | picked
        if whole and picked:
            yield whole
            yield {name: choice for name, choice in whole.items() if name in options_of}


def _same(shown: Choice, known: tuple[Choice, ...]) -> Choice:
    """Give the choice of the same value that says more about where it came from."""
    for choice in known:
        if repr(choice.value) == repr(shown.value):
            return choice
    return shown


def _may_send(parameter: Parameter, value: JsonValue) -> bool:
    if value is None or is_stand_in(value, parameter.name) or is_credential(parameter):
        return False
    if changes_state(parameter, value):
        return False
    return parameter.required or not is_long_poll(parameter.name)


def _one_optional(
    endpoint: Endpoint, options: CompileOptions, values: Values, around: Surroundings
) -> Iterator[Picked]:
    """Give one optional query parameter at a time: documentation forgets to call them required."""
    found: list[tuple[bool, Picked]] = []
    for parameter in endpoint.parameters:
        if parameter.location not in {"query", "form", "body"}:
            continue
        sure = [
            choice
            for choice in _choices(parameter, endpoint, options, values, around)
            if choice.origin != "guessed"
        ]
        sure.sort(key=lambda choice: not choice.proved)
        if sure:
            found.append((not sure[0].proved, {parameter.name: sure[0]}))
    found.sort(key=lambda entry: entry[0])
    yield from (picked for _, picked in found[:4])
    for parameter in endpoint.parameters:
        flag = parameter.location == "query" and fold(parameter.name) in _READING_FLAGS
        known = any(parameter.name in picked for _, picked in found)
        if flag and not known and parameter.type in {"boolean", "any"}:
            yield {parameter.name: Choice(True, "guessed", "a flag of its own", weak=True)}


def _varied(
    needed: Sequence[Parameter], options_of: dict[str, tuple[Choice, ...]]
) -> Iterator[Picked]:
    """Give the best of each, then change one parameter at a time."""
    if not needed:
        return
    base = {name: found[0] for name, found in options_of.items()}
    yield base
    for step in range(1, 4):
        for parameter in needed:
            found = options_of[parameter.name]
            if step < len(found):
                yield base | {parameter.name: found[step]}


def _alternate(one: list[Picked], other: list[Picked]) -> Iterator[Picked]:
    """Two of `one`, then two of `other`, and so on."""
    for position in range(0, max(len(one), len(other)), 2):
        yield from one[position : position + 2]
        yield from other[position : position + 2]


def _is_proved(picked: Picked, needed: Sequence[Parameter]) -> bool:
    held = [picked[parameter.name] for parameter in needed if parameter.name in picked]
    sure = all(choice.proved or choice.neutral for choice in held)
    return sure and any(choice.proved for choice in held) and len(picked) == len(needed)
