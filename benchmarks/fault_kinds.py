"""Faults for documentation: seven kinds, put into the pages' text or into what was read from them.

A fault is only worth something where a call depends on it, so each knows the call that it breaks:
the address of a call that worked, changed as the fault changes the documentation.
"""

from __future__ import annotations

import random
import re
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal
from urllib.parse import parse_qsl, quote, urlencode, urlsplit

from doc2tools.compiler.ir.base import JsonValue, Location, ValueType
from doc2tools.compiler.ir.draft import EndpointDraft, PageDraft, ParameterDraft
from doc2tools.compiler.ir.outcome import Tool, Validated
from doc2tools.compiler.ir.source import Cited
from doc2tools.compiler.ir.spec import Parameter
from doc2tools.compiler.passes.paths import PLACEHOLDER, shape
from doc2tools.compiler.passes.types import coerce
from doc2tools.compiler.passes.words import plural, singular
from doc2tools.compiler.repair.address import is_literal, parts_of, whole_path
from doc2tools.compiler.repair.siblings import prefix_of

Kind = Literal["segment", "prefix", "type", "required", "location", "stale", "example"]
KINDS: tuple[Kind, ...] = (
    "segment",
    "prefix",
    "type",
    "required",
    "location",
    "stale",
    "example",
)
Drafts = tuple[PageDraft, ...]
_NOUNS = ("coupons", "harbours", "invoices", "lanterns", "orchards", "voyages")
_OTHER_WORDS = ("entries", "elements", "resources", "things", "records")


@dataclass(frozen=True)
class Fault:
    """One fault, ready to be put in.

    Attributes:
        variant: How the fault was made.
        target: The tool that it breaks, as it was without the fault; for a stale endpoint the one
            whose documentation it imitates.
        path: The shape of the whole path that the documentation gives afterwards.
        parameter: The parameter that it is about, if any.
        draft: Puts the fault into what was read from the pages.
        text: Puts it into the files of a copy of the documentation; `None` where it cannot be.
        call: The address that a call following the faulty documentation uses.
    """

    kind: Kind
    variant: str
    target: Tool
    path: str
    draft: Callable[[Drafts], Drafts]
    call: str
    parameter: str = ""
    text: Callable[[Path], None] | None = None
    level: str = "read"


def proof_url(tool: Tool) -> str:
    """Give the address of the call that validated a tool."""
    outcome = tool.outcome
    assert isinstance(outcome, Validated)
    assert outcome.attempt.exchange is not None
    return outcome.attempt.exchange.request.url


def faults(tool: Tool, drafts: Drafts, kind: Kind, chance: random.Random) -> Iterator[Fault]:
    """Give the faults of one kind that a validated tool's documentation can have."""
    makers: dict[Kind, Callable[[Tool, Drafts, random.Random], Iterator[Fault]]] = {
        "segment": _segment,
        "prefix": _prefix,
        "type": _type,
        "required": _required,
        "location": _location,
        "stale": _stale,
        "example": _example,
    }
    if not tool.endpoint.fixed_query:
        yield from makers[kind](tool, drafts, chance)


def is_meant(draft: EndpointDraft, tool: Tool) -> bool:
    """Tell whether a draft describes the tool's endpoint."""
    if draft.method.value.upper() != tool.endpoint.method.upper():
        return False
    own = shape(_path_of(draft))
    whole = shape(whole_path(tool.endpoint))
    return own != "/" and (whole == own or whole.endswith(own))


def _path_of(draft: EndpointDraft) -> str:
    path = draft.path.value
    return urlsplit(path).path if "://" in path else path.partition("?")[0]


def _edited(tool: Tool, change: Callable[[EndpointDraft], EndpointDraft]) -> Callable[..., Drafts]:
    def apply(drafts: Drafts) -> Drafts:
        return tuple(
            page.model_copy(
                update={
                    "endpoints": tuple(
                        change(draft) if is_meant(draft, tool) else draft
                        for draft in page.endpoints
                    )
                }
            )
            for page in drafts
        )

    return apply


def _with_path(change: Callable[[str], str]) -> Callable[[EndpointDraft], EndpointDraft]:
    def apply(draft: EndpointDraft) -> EndpointDraft:
        path = draft.path.model_copy(update={"value": change(draft.path.value)})
        return draft.model_copy(update={"path": path})

    return apply


def _segment(tool: Tool, drafts: Drafts, chance: random.Random) -> Iterator[Fault]:
    parts = parts_of(whole_path(tool.endpoint))
    first = (
        len(parts_of(prefix_of(whole_path(tool.endpoint))))
        if prefix_of(whole_path(tool.endpoint))
        else 0
    )
    places = [
        number
        for number, part in enumerate(parts)
        if number >= first and is_literal(part) and re.fullmatch(r"[A-Za-z][\w-]{2,}", part)
    ]
    if not places:
        return
    place = chance.choice(places)
    old = parts[place]
    variant, new = _renamed(old, chance)
    if new == old:
        return
    changed = [*parts[:place], new, *parts[place + 1 :]]
    pattern = re.compile(rf"(?<=/){re.escape(old)}(?![\w-])")
    url = urlsplit(proof_url(tool))
    pieces = url.path.lstrip("/").split("/")
    if place >= len(pieces) or pieces[place] != old:
        return
    pieces[place] = new
    yield Fault(
        "segment",
        variant,
        tool,
        shape("/" + "/".join(changed)),
        _edited(tool, _with_path(lambda path: pattern.sub(new, path, count=1))),
        url._replace(path="/" + "/".join(pieces)).geturl(),
        text=_in_lines(tool, drafts, pattern, new),
    )


def _renamed(old: str, chance: random.Random) -> tuple[str, str]:
    inner = chance.randrange(1, max(2, len(old) - 1))
    swapped = old[:inner] + old[inner + 1 : inner + 2] + old[inner] + old[inner + 2 :]
    choices = {
        "letters swapped": swapped,
        "letter lost": old[:inner] + old[inner + 1 :],
        "number": singular(old) if singular(old) != old else plural(old),
        "separator": old.replace("_", "-") if "_" in old else old.replace("-", "_"),
        "word added": f"{old}-list",
        "other word": chance.choice(_OTHER_WORDS),
    }
    usable = {variant: new for variant, new in choices.items() if new != old and len(new) > 1}
    variant = chance.choice(sorted(usable))
    return variant, usable[variant]


def _prefix(tool: Tool, drafts: Drafts, chance: random.Random) -> Iterator[Fault]:
    del chance
    prefix = prefix_of(whole_path(tool.endpoint))
    rest = whole_path(tool.endpoint)[len(prefix) :]
    if not prefix or rest in {"", "/"}:
        return
    pattern = re.compile(rf"{re.escape(prefix)}(?=/)")
    url = urlsplit(proof_url(tool))
    yield Fault(
        "prefix",
        "dropped",
        tool,
        shape(rest),
        _edited(tool, _with_path(lambda path: pattern.sub("", path, count=1))),
        url._replace(path=url.path[len(prefix) :]).geturl(),
        text=_in_lines(tool, drafts, pattern, ""),
    )


def _in_lines(
    tool: Tool, drafts: Drafts, pattern: re.Pattern[str], new: str
) -> Callable[[Path], None]:
    """Change the lines of the pages that give the endpoint's path."""
    places: dict[str, set[int]] = {}
    for page in drafts:
        for draft in page.endpoints:
            if is_meant(draft, tool):
                for span in (*draft.path.spans, *draft.method.spans):
                    places.setdefault(span.page, set()).update(range(span.start, span.end + 1))

    def apply(folder: Path) -> None:
        for page, numbers in places.items():
            file = folder / page
            lines = file.read_text(encoding="utf-8", errors="surrogateescape").split("\n")
            for number in numbers:
                if number <= len(lines):
                    lines[number - 1] = pattern.sub(new, lines[number - 1])
            file.write_text("\n".join(lines), encoding="utf-8", errors="surrogateescape")

    return apply


def _sent(tool: Tool) -> dict[str, JsonValue]:
    assert isinstance(tool.outcome, Validated)
    return {one.name: one.value for one in tool.outcome.attempt.arguments}


def _needed(tool: Tool) -> list[Parameter]:
    sent = _sent(tool)
    return [one for one in tool.endpoint.parameters if one.required and one.name in sent]


def _parameters(
    name: str, change: Callable[[ParameterDraft], ParameterDraft]
) -> Callable[[EndpointDraft], EndpointDraft]:
    def apply(draft: EndpointDraft) -> EndpointDraft:
        changed = tuple(change(one) if one.name.value == name else one for one in draft.parameters)
        return draft.model_copy(update={"parameters": changed})

    return apply


def _type(tool: Tool, drafts: Drafts, chance: random.Random) -> Iterator[Fault]:
    sent = _sent(tool)
    options: list[tuple[Parameter, ValueType]] = []
    kinds: tuple[ValueType, ...] = ("integer", "number", "boolean")
    for parameter in _needed(tool):
        value = sent[parameter.name]
        wrong: list[ValueType] = [kind for kind in kinds if coerce(value, kind) is None]
        if wrong and not isinstance(value, list):
            options.append((parameter, chance.choice(wrong)))
    for parameter, kind in options:
        known = any(
            one.name.value == parameter.name
            for page in drafts
            for draft in page.endpoints
            if is_meant(draft, tool)
            for one in draft.parameters
        )
        if known:
            stated = Cited[ValueType](value=kind)
            yield Fault(
                "type",
                f"{parameter.type} as {kind}",
                tool,
                shape(whole_path(tool.endpoint)),
                _edited(
                    tool,
                    _parameters(
                        parameter.name,
                        lambda one, s=stated: one.model_copy(update={"type": s, "enum": None}),
                    ),
                ),
                "",
                parameter=parameter.name,
            )


def _without(tool: Tool, name: str) -> str:
    url = urlsplit(proof_url(tool))
    kept = [(key, value) for key, value in parse_qsl(url.query, True) if key != name]
    return url._replace(query=urlencode(kept, quote_via=quote)).geturl()


def _required(tool: Tool, drafts: Drafts, chance: random.Random) -> Iterator[Fault]:
    del drafts, chance
    for parameter in _needed(tool):
        if parameter.location != "query":
            continue
        optional = Cited[bool](value=False)
        yield Fault(
            "required",
            "mark missing",
            tool,
            shape(whole_path(tool.endpoint)),
            _edited(
                tool,
                _parameters(
                    parameter.name,
                    lambda one, mark=optional: one.model_copy(update={"required": mark}),
                ),
            ),
            _without(tool, parameter.name),
            parameter=parameter.name,
        )


def _location(tool: Tool, drafts: Drafts, chance: random.Random) -> Iterator[Fault]:
    del drafts
    for parameter in _needed(tool):
        if parameter.location == "query":
            where: Location = chance.choice(("header", "form", "body"))
            place = Cited[Location](value=where)
            yield Fault(
                "location",
                f"query as {where}",
                tool,
                shape(whole_path(tool.endpoint)),
                _edited(
                    tool,
                    _parameters(
                        parameter.name, lambda one, p=place: one.model_copy(update={"location": p})
                    ),
                ),
                _without(tool, parameter.name),
                parameter=parameter.name,
            )
        elif parameter.location == "path":
            yield from _path_as_query(tool, parameter)


def _path_as_query(tool: Tool, parameter: Parameter) -> Iterator[Fault]:
    parts = parts_of(whole_path(tool.endpoint))
    hole = f"{{{parameter.name}}}"
    if hole not in parts or len(parts) < 2:
        return
    place = parts.index(hole)
    kept = [part for part in parts if part != hole]
    url = urlsplit(proof_url(tool))
    pieces = url.path.lstrip("/").split("/")
    if place >= len(pieces):
        return
    query = f"{quote(parameter.name)}={pieces.pop(place)}"
    stated = {"location": Cited[Location](value="query"), "required": Cited[bool](value=True)}

    def moved(draft: EndpointDraft) -> EndpointDraft:
        path = draft.path.value
        names = PLACEHOLDER.findall(path)
        wanted = next((one for one in names if one == parameter.name), "")
        if not wanted:
            return draft
        bare = path.replace(f"/{{{wanted}}}", "", 1)
        changed = draft.model_copy(
            update={"path": draft.path.model_copy(update={"value": bare or "/"})}
        )
        return _parameters(wanted, lambda one: one.model_copy(update=stated))(changed)

    yield Fault(
        "location",
        "path as query",
        tool,
        shape("/" + "/".join(kept)),
        _edited(tool, moved),
        url._replace(path="/" + "/".join(pieces), query=query).geturl(),
        parameter=parameter.name,
    )


def _stale(tool: Tool, drafts: Drafts, chance: random.Random) -> Iterator[Fault]:
    """Document an endpoint that does not exist: in words of its own, or as a twin of a real one."""
    found = next(
        ((n, d) for n, page in enumerate(drafts) for d in page.endpoints if is_meant(d, tool)), None
    )
    if found is None:
        return
    number, draft = found
    parts = parts_of(whole_path(tool.endpoint))
    places = [n for n, part in enumerate(parts) if is_literal(part)]
    if not places or whole_path(tool.endpoint) == "/":
        return
    noun = chance.choice(_NOUNS)
    twin = chance.random() < 0.5
    changed = [*parts]
    changed[places[-1]] = f"{parts[places[-1]]}-{noun}" if twin else noun
    own = _path_of(draft)
    pieces = own.strip("/").split("/")
    literal = [n for n, part in enumerate(pieces) if is_literal(part)]
    if not literal:
        return
    pieces[literal[-1]] = changed[places[-1]]
    update: dict[str, object] = {
        "path": draft.path.model_copy(update={"value": "/" + "/".join(pieces)}),
        "samples": (),
    }
    if not twin:
        update |= {
            "title": f"List {noun}",
            "summary": f"Lists all {noun} of the account.",
            "description": f"Lists all {noun} of the account, newest first.",
            "responses": (),
            "section": (*draft.section[:-1], noun.capitalize()),
        }
    stale = draft.model_copy(update=update)

    def apply(pages: Drafts) -> Drafts:
        page = pages[number]
        grown = page.model_copy(update={"endpoints": (*page.endpoints, stale)})
        return (*pages[:number], grown, *pages[number + 1 :])

    url = urlsplit(proof_url(tool))
    real = url.path.lstrip("/").split("/")
    real[min(places[-1], len(real) - 1)] = changed[places[-1]]
    yield Fault(
        "stale",
        "twin" if twin else "own words",
        tool,
        shape("/" + "/".join(changed)),
        apply,
        url._replace(path="/" + "/".join(real)).geturl(),
    )


def _example(tool: Tool, drafts: Drafts, chance: random.Random) -> Iterator[Fault]:
    """Replace every documented value of a parameter on whose documented value the call rested."""
    del drafts
    outcome = tool.outcome
    assert isinstance(outcome, Validated)
    for argument in outcome.attempt.arguments:
        parameter = next((p for p in tool.endpoint.parameters if p.name == argument.name), None)
        shown = {str(one.value) for one in parameter.examples} if parameter else set[str]()
        if parameter is None or parameter.enum or str(argument.value) not in shown:
            continue
        if isinstance(argument.value, bool | list | dict) or parameter.location == "header":
            continue
        number = isinstance(argument.value, int | float)
        wrong: JsonValue = 987_654_321 if number else f"no-such-{chance.randrange(10_000)}"
        yield Fault(
            "example",
            "number" if number else "text",
            tool,
            shape(whole_path(tool.endpoint)),
            _edited(tool, _with_values(parameter.name, wrong)),
            _with_value(tool, parameter, argument.value, wrong),
            parameter=parameter.name,
        )


def _with_values(name: str, wrong: JsonValue) -> Callable[[EndpointDraft], EndpointDraft]:
    def apply(draft: EndpointDraft) -> EndpointDraft:
        def spoiled(one: ParameterDraft) -> ParameterDraft:
            if one.name.value != name:
                return one
            default = (
                None if one.default is None else one.default.model_copy(update={"value": wrong})
            )
            return one.model_copy(
                update={"examples": (Cited[JsonValue](value=wrong),), "default": default}
            )

        samples = tuple(
            sample.model_copy(
                update={"values": {k: wrong if k == name else v for k, v in sample.values.items()}}
            )
            for sample in draft.samples
        )
        parameters = tuple(spoiled(one) for one in draft.parameters)
        return draft.model_copy(update={"parameters": parameters, "samples": samples})

    return apply


def _with_value(tool: Tool, parameter: Parameter, value: JsonValue, wrong: JsonValue) -> str:
    url = urlsplit(proof_url(tool))
    if parameter.location == "query":
        pairs = [
            (key, str(wrong) if key == parameter.name else held)
            for key, held in parse_qsl(url.query, True)
        ]
        return url._replace(query=urlencode(pairs, quote_via=quote)).geturl()
    text = quote(str(value), safe=",;:@/" if parameter.format == "path" else ",;:@")
    head, found, tail = url.path.rpartition(text)
    return url._replace(path=f"{head}{quote(str(wrong))}{tail}").geturl() if found else ""


def spread(
    tools: Sequence[Tool],
    drafts: Drafts,
    chance: random.Random,
    counted: Counter[str],
    usable: Callable[[Fault], bool],
) -> Iterator[Fault]:
    """Give one fault for each tool, of the kind of which there are the fewest so far."""
    order = list(tools)
    chance.shuffle(order)
    for tool in order:
        for kind in sorted(KINDS, key=lambda kind: (counted[kind], kind)):
            found = list(faults(tool, drafts, kind, chance))
            chance.shuffle(found)
            fault = next((one for one in found if usable(one)), None)
            if fault is not None:
                counted[kind] += 1
                yield fault
                break
