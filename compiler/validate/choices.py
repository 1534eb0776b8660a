"""The values that may be tried for one parameter, in order, each with its origin."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

from doc2tools.compiler.ir.base import JsonValue, Origin
from doc2tools.compiler.ir.options import CompileOptions
from doc2tools.compiler.ir.outcome import Argument
from doc2tools.compiler.ir.spec import Endpoint, Parameter
from doc2tools.compiler.validate.described import described
from doc2tools.compiler.validate.filters import is_stand_in
from doc2tools.compiler.validate.guesses import SEARCHES, neutral, weak
from doc2tools.compiler.validate.places import PLACE, latitude_first, moved, sample_pairs
from doc2tools.compiler.validate.records import NOTHING, Surroundings
from doc2tools.param_db.fit import fits, shaped
from doc2tools.param_db.naming import (
    HANDLES,
    fold,
    is_generic,
    is_structural,
    path_noun,
    resource_before,
    singular_phrase,
    stem,
    words,
)
from doc2tools.param_db.values import Value, Values

__all__ = ["OWN_ADDRESS", "Choice", "argument", "choices", "configured"]

_READING = frozenset({"get", "show", "read", "fetch", "view", "lookup", "describe", "retrieve"})
_QUANTIFIERS = frozenset({"all", "list", "get", "show", "known", "available"})
_LOGINS = ("login", "username", "user_name", "user", "handle")
"""Names of the field that a person is addressed by."""
_TEXT_FIELDS = ("title", "name", "label", "text", "summary", "description")
_ADDRESS_NAMES = frozenset({"url", "uri", "link", "href", "target_url", "redirect_url", "address"})
_KIND = re.compile(
    r"(?:the |an? )?([a-z]{3,30})(?: or (?:the |an? )?([a-z]{3,30}))? (?:of|for|identifying) ",
    re.IGNORECASE,
)
OWN_ADDRESS = "@address"
"""The resource under which addresses that answered are stored: no path segment folds to it."""


@dataclass(frozen=True, slots=True)
class Choice:
    """A value that may be tried.

    Attributes:
        proved: The server itself gave this value for this resource.
        neutral: No object needs to exist for it (an enum's member, a default, a page number).
        weak: Guessed although an object may have to exist: tried when nothing else is left.
        held: The store's entry, where it came from the store.
    """

    value: JsonValue
    origin: Origin
    source: str
    proved: bool = False
    neutral: bool = False
    weak: bool = False
    held: Value | None = None


def argument(parameter: Parameter, choice: Choice) -> Argument:
    """Give the argument that sends `choice` for `parameter`."""
    return Argument(
        name=parameter.name, value=choice.value, origin=choice.origin, source=choice.source
    )


def configured(
    parameter: Parameter, endpoint: Endpoint, options: CompileOptions
) -> tuple[Choice, ...]:
    """Give the user's values for a parameter: by `tool.name`, name, or a spelling of it."""
    names = (f"{endpoint.name}.{parameter.name}", parameter.name, parameter.identifier)
    found: JsonValue = next(
        (options.values[name] for name in names if name in options.values), None
    )
    if found is None:
        folded = fold(parameter.name)
        found = next(
            (value for name, value in options.values.items() if fold(name) == folded), None
        )
    if found is None:
        return ()
    values = found if isinstance(found, list) and parameter.type != "array" else [found]
    return tuple(
        Choice(shaped(value, parameter), "configured", "configuration [values]", neutral=True)
        for value in values
        if value is not None
    )


def choices(
    parameter: Parameter,
    endpoint: Endpoint,
    options: CompileOptions,
    values: Values,
    around: Surroundings = NOTHING,
) -> tuple[Choice, ...]:
    """Give what may be tried for `parameter`, best first; empty if nothing may."""
    held = (
        values.candidates(parameter, endpoint)
        or _of_operation(parameter, endpoint, values)
        or _listed(parameter, endpoint, values, around)
        or _referring(parameter, endpoint, values)
        or _said(parameter, endpoint, values)
        or (around.records.named(_LOGINS) if fold(parameter.name) in _LOGINS else ())
    )

    def prove(choice: Choice) -> Choice:
        scalar = choice.value
        known = isinstance(scalar, str | int | float) and values.known(parameter, endpoint, scalar)
        return replace(choice, proved=known)

    own = [prove(choice) for choice in _documented(parameter, endpoint)]
    found: list[Choice] = list(configured(parameter, endpoint, options))
    found += [_stored(value, parameter, endpoint) for value in held if value.origin == "configured"]
    found += [choice for choice in own if choice.proved]
    found += [choice for choice in own if not choice.proved]
    found += _stated(parameter)
    stored = [_stored(value, parameter, endpoint) for value in held]
    if parameter.name.lower().endswith("ids"):
        found += _several(parameter, held)
    found += stored
    found += _beside(parameter, held, values)
    if not held:
        alike = values.alike(parameter, endpoint)
        found += [replace(_stored(value, parameter, endpoint), proved=False) for value in alike]
    if not stored and fold(parameter.name) in SEARCHES:
        found += _searched(parameter, endpoint, values)
    found += _addresses(parameter, values)
    shown = [str(choice.value) for choice in found if choice.origin == "documented"]
    found += _moved(parameter, shown or list(sample_pairs(parameter)), values)
    found += _described(parameter)
    bare = not found
    if bare and parameter.required and fold(parameter.name) in SEARCHES:
        found += _any_word(around)
    found += _guessed(parameter, endpoint, values, around, bare=bare)
    return _distinct(found, parameter)


def _documented(parameter: Parameter, endpoint: Endpoint) -> list[Choice]:
    shown = [sample[parameter.name] for sample in endpoint.samples if parameter.name in sample]
    shown += [example.value for example in parameter.examples]
    # In the path of a concrete address the parameter's own name is a value like any other.
    name = "" if parameter.location == "path" else parameter.name
    kept = [value for value in shown if value is not None and not is_stand_in(value, name)]
    kept.sort(key=lambda value: is_stand_in(value, parameter.name))
    return [Choice(shaped(value, parameter), "documented", "documented example") for value in kept]


def _described(parameter: Parameter) -> list[Choice]:
    """Give the values that the description names, where they are of the parameter's type."""
    found = [shaped(value, parameter) for value in described(parameter)]
    return [Choice(value, "documented", "description") for value in found if fits(value, parameter)]


def _stated(parameter: Parameter) -> list[Choice]:
    stated: list[Choice] = []
    if parameter.default is not None and not is_stand_in(parameter.default):
        stated.append(
            Choice(shaped(parameter.default, parameter), "documented", "default", neutral=True)
        )
    for value in parameter.enum[:3]:
        stated.append(Choice(shaped(value, parameter), "documented", "enum", neutral=True))
    return stated


def _of_operation(parameter: Parameter, endpoint: Endpoint, values: Values) -> tuple[Value, ...]:
    """Read `/getAlbum?id=` and `?action=get_album&id=` as `/album/{id}`, and give its values."""
    if parameter.location not in {"query", "form"} or not is_generic(fold(parameter.name)):
        return ()
    last = endpoint.path.partition("?")[0].rstrip("/").rpartition("/")[2].partition(".")[0]
    for name in (*endpoint.fixed_query.values(), last):
        parts = words(name)
        if len(parts) > 1 and parts[0] in _READING:
            noun = singular_phrase("_".join(parts[1:]))
            path = f"/{noun}/{{{parameter.name}}}"
            placed = parameter.model_copy(update={"location": "path"})
            found = values.candidates(placed, endpoint.model_copy(update={"path": path}))
            return tuple(value for value in found if value.resource == noun)
    return ()


def _listed(
    parameter: Parameter, endpoint: Endpoint, values: Values, around: Surroundings
) -> tuple[Value, ...]:
    """Give what a list named after the parameter holds: `/_all_dbs` for `/{db}/_changes`."""
    wanted = _thing(parameter.name)
    if not wanted or is_generic(wanted):
        return ()
    placed = parameter.model_copy(update={"location": "path"})
    for path in around.lists:
        parts = [part for part in path.split("/") if part and "{" not in part]
        if not any(_thing(part) == wanted for part in parts[-1:]):
            continue
        update = {"path": f"{path}/{{{parameter.name}}}"}
        found = values.candidates(placed, endpoint.model_copy(update=update))
        if found:
            return found
    return ()


def _thing(name: str) -> str:
    """Give what a name speaks of, without handles and quantifiers: `_all_dbs`, `db_id` → `db`."""
    parts = [part for part in fold(name).split("_") if part not in _QUANTIFIERS]
    while len(parts) > 1 and parts[-1] in HANDLES:
        parts.pop()
    last = parts[-1] if parts else ""
    if last.endswith("id") and len(last) > 4:
        parts[-1] = last.removesuffix("id")
    elif len(last) == 3 and last.endswith("s"):
        parts[-1] = last[:-1]  # `dbs`: too short for the general rule
    return singular_phrase("_".join(parts))


def _referring(parameter: Parameter, endpoint: Endpoint, values: Values) -> tuple[Value, ...]:
    """Give what fields of other records refer with: `operator` for `/operators/{id}`."""
    name = fold(parameter.name)
    noun = resource_before(endpoint.path, parameter.name)[0] if parameter.location == "path" else ""
    noun = singular_phrase(noun)
    aliases = [stem(parameter.name)]
    if noun and (is_generic(name) or stem(parameter.name) == noun):
        aliases += [noun, f"{noun}_id", f"{noun}_{name}", f"{noun}_name"]
    for alias in dict.fromkeys(alias for alias in aliases if alias and alias != name):
        asked = parameter.model_copy(update={"name": alias, "location": "query"})
        found = values.candidates(asked, endpoint)
        kept = tuple(value for value in found if fold(value.name) == alias and not _is_count(value))
        if kept:
            return kept
    return ()


def _said(parameter: Parameter, endpoint: Endpoint, values: Values) -> tuple[Value, ...]:
    """Give values of what the description says it is: "Tag or digest of the target image"."""
    found = _KIND.match(" ".join(parameter.description[:200].split()))
    for word in found.groups() if found and parameter.location == "path" else ():
        if word:
            asked = parameter.model_copy(update={"name": word})
            held = values.candidates(asked, endpoint)
            kept = tuple(value for value in held if fold(word) in {value.resource, value.name})
            if kept:
                return kept
    return ()


def _is_count(value: Value) -> bool:
    return isinstance(value.value, int | float) and value.name.lower().endswith("s")


def _stored(value: Value, parameter: Parameter, endpoint: Endpoint) -> Choice:
    source = value.endpoint + (f" {value.field_path}" if value.field_path else "")
    sent = value.value
    if isinstance(sent, str) and parameter.location == "path" and len(sent) > 1:
        sent = sent.removeprefix("/")
    sure = value.origin == "observed" and _is_named(value, parameter, endpoint)
    return Choice(shaped(sent, parameter), value.origin, source, proved=sure, held=value)


def _is_named(value: Value, parameter: Parameter, endpoint: Endpoint) -> bool:
    """Tell whether what held a value names what the parameter asks for, or only wraps it.

    The texts of `{"web": ["v1"]}` may be tags of a thing called `web`: nothing says they exist.
    """
    key = value.field_path.removesuffix("[]").rpartition(".")[2].removesuffix("[]")
    if value.name or not value.field_path.endswith("[]") or key in {"", "*"}:
        return True
    folded = singular_phrase(fold(key))
    noun = singular_phrase(resource_before(endpoint.path, parameter.name)[0])
    wanted = {singular_phrase(fold(parameter.name)), stem(parameter.name), noun} - {""}
    return is_structural(folded) or any(
        folded == name or folded.endswith(f"_{name}") for name in wanted
    )


def _several(parameter: Parameter, held: tuple[Value, ...]) -> list[Choice]:
    """Join identifiers of two records for a parameter that takes several (`ids`)."""
    observed = [value for value in held if value.origin == "observed"][:2]
    if len(observed) < 2:
        return []
    joined: JsonValue = [value.value for value in observed]
    if parameter.type != "array":
        joined = ",".join(str(value.value) for value in observed)
    source = f"{observed[0].endpoint} {observed[0].field_path}"
    return [Choice(joined, "observed", source, proved=True)]


def _searched(parameter: Parameter, endpoint: Endpoint, values: Values) -> list[Choice]:
    """Search for the first word of a name that the server itself gave."""
    noun = resource_before(endpoint.path, parameter.name)[0] if parameter.location == "path" else ""
    nouns = [singular_phrase(noun), singular_phrase(path_noun(endpoint.path))]
    parts = [singular_phrase(fold(part)) for part in endpoint.path.split("/") if "{" not in part]
    found: list[Choice] = []
    for resource in dict.fromkeys([*nouns, *reversed(parts)]):
        for value in values.named(resource, (*_TEXT_FIELDS, resource), 3) if resource else ():
            word = str(value.value).split()[0]
            found.append(Choice(word, "observed", f"{value.endpoint} {value.field_path}"))
    return found


def _beside(parameter: Parameter, held: tuple[Value, ...], values: Values) -> list[Choice]:
    """Give other spellings of the same record's name: `plural_name` beside `name`."""
    found: list[Choice] = []
    for value in [value for value in held if value.origin == "observed" and value.name][:2]:
        text = str(value.value)
        for mate in values.record_mates(value):
            name, other = fold(mate.name), str(mate.value)
            handle = name.rpartition("_")[2] in {"name", "id", "key", "slug", "code"}
            if mate.record != value.record or not handle or other == text:
                continue
            if len(text) > 2 and other.lower()[: len(text) - 1] == text.lower()[:-1]:
                source = f"{mate.endpoint} {mate.field_path}"
                sent = shaped(mate.value, parameter)
                found.append(Choice(sent, "observed", source, proved=True, held=mate))
    return found[:3]


def _any_word(around: Surroundings) -> list[Choice]:
    """Look for a word of any name that the server gave: no object is named by it."""
    return [
        Choice(str(value.value).split()[0], "observed", f"{value.endpoint} {value.field_path}")
        for value in around.records.named(("title", "name", "label"), 2)
        if isinstance(value.value, str)
    ]


def _guessed(
    parameter: Parameter, endpoint: Endpoint, values: Values, around: Surroundings, *, bare: bool
) -> list[Choice]:
    """Guess where no object needs to exist, and as a last resort where one may have to."""
    source = "guessed from name and type"
    found = [
        Choice(shaped(value, parameter), "guessed", source, neutral=True)
        for value in neutral(parameter, endpoint, values)
    ]
    if found or not bare or not parameter.required:
        return found
    prefix = resource_before(endpoint.path, parameter.name)[1]
    listed = parameter.location == "path" and prefix in around.collections
    return [
        Choice(shaped(value, parameter), "guessed", source, weak=True)
        for value in weak(parameter, endpoint, listed=listed)
    ]


def _addresses(parameter: Parameter, values: Values) -> list[Choice]:
    """For an address, give one of the API's own that is known to answer."""
    if fold(parameter.name) not in _ADDRESS_NAMES and parameter.format not in {"uri", "url"}:
        return []
    return [
        Choice(value.value, "observed", f"address of {value.endpoint}", proved=True)
        for value in values.named(OWN_ADDRESS, ("url",), 1)
    ]


def _moved(parameter: Parameter, shown: list[str], values: Values) -> list[Choice]:
    """For coordinates, give places that the server itself answered with, in the sample's form."""
    groups: dict[str, list[Value]] = {}
    for value in values.named(PLACE, ("place",), 40):
        groups.setdefault(value.record, []).append(value)
    sure_first = sorted(
        groups.values(), key=lambda group: (group[-1].origin == "repaired", -len(group))
    )
    found: list[Choice] = []
    texts = list(dict.fromkeys(shown))[:2]
    swapped = latitude_first(parameter)
    for known in sure_first[:3]:
        source = f"{known[0].endpoint} {known[-1].field_path}"
        for text in texts:
            for sent in moved(text, known, swapped=swapped):
                found.append(Choice(sent, known[-1].origin, source, proved=True))
    return found[:6]


def _distinct(found: list[Choice], parameter: Parameter) -> tuple[Choice, ...]:
    taken: dict[str, Choice] = {}
    for choice in found:
        loose = choice.origin in {"configured", "documented"}
        if (loose or fits(choice.value, parameter)) and choice.value is not None:
            taken.setdefault(repr(choice.value), choice)
    return tuple(taken.values())
