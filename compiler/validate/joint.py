"""Arguments whose values belong together: time windows, tiles, positions, fields of one record.

In go the choices for single parameters and what the server gave; out come arguments for several
parameters at once, those that need no more than this.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from doc2tools.compiler.ir.spec import Endpoint, Parameter
from doc2tools.compiler.validate.choices import Choice
from doc2tools.compiler.validate.places import PLACE, is_latitude, is_longitude, tile_numbers
from doc2tools.compiler.validate.records import Surroundings
from doc2tools.compiler.validate.times import is_moment, moved_to, now_of
from doc2tools.param_db.fit import fits, shaped
from doc2tools.param_db.naming import fold, path_shape, placeholders
from doc2tools.param_db.values import Value, Values

__all__ = ["Picked", "alike", "inside", "observed", "positions", "recent", "recorded", "tiles"]

Picked = dict[str, Choice]
"""One value for each of some parameters, by wire name."""

_MAX_RECORDS = 3
_ENTRIES = ("path", "file", "filename", "name", "key", "id")
_ZOOMS = ("z", "zoom", "level")


def recent(shown: Sequence[Picked], values: Values) -> Iterator[Picked]:
    """Give documented samples with their time window moved to the server's own time."""
    now = now_of(values)
    for picked in shown if now is not None else ():
        bounds = [name for name, choice in picked.items() if is_moment(name, choice.value)]
        if bounds and now is not None:
            yield picked | {
                name: Choice(moved_to(name, picked[name].value, now), "repaired", "server's clock")
                for name in bounds
            }


def tiles(options_of: Mapping[str, tuple[Choice, ...]], values: Values) -> Iterator[Picked]:
    """Give the numbers of a map tile that holds a known place, at the documented zoom.

    Where no place is known yet, the one tile that holds the whole world comes as a weak guess.
    """
    named = {fold(name): name for name in options_of}
    zoom = next((named[name] for name in _ZOOMS if name in named), "")
    if not zoom or not {"x", "y"} <= named.keys():
        return
    shown = options_of[zoom][0] if options_of[zoom] else None
    depth = shown.value if shown else None
    rest = {name: found[0] for name, found in options_of.items() if found}
    for place in values.named(PLACE, ("place",), 2):
        numbers = tile_numbers(str(place.value), depth) if isinstance(depth, int) else None
        if numbers is not None and shown is not None:
            source = f"computed from {place.endpoint} {place.field_path}"
            at = {
                named[name]: Choice(number, "observed", source, proved=True)
                for name, number in zip(("x", "y"), numbers, strict=True)
            }
            yield rest | {zoom: shown} | at
    if not (options_of[named["x"]] and options_of[named["y"]]):
        whole = Choice(0, "guessed", "the tile of the whole world", weak=True)
        yield rest | dict.fromkeys((zoom, named["x"], named["y"]), whole)


def positions(
    needed: Sequence[Parameter], options_of: Mapping[str, tuple[Choice, ...]], values: Values
) -> Iterator[Picked]:
    """Give latitude and longitude, where they are two parameters, of places that are known."""
    latitude = next((one for one in needed if is_latitude(one)), None)
    longitude = next((one for one in needed if is_longitude(one)), None)
    if latitude is None or longitude is None:
        return
    rest = {name: found[0] for name, found in options_of.items() if found}
    for place in values.named(PLACE, ("place",), 3):
        x, _, y = str(place.value).partition(",")
        source = f"{place.endpoint} {place.field_path}"
        yield rest | {
            parameter.name: Choice(shaped(text, parameter), place.origin, source, proved=True)
            for parameter, text in ((latitude, y), (longitude, x))
        }


def recorded(
    needed: Sequence[Parameter],
    options_of: Mapping[str, tuple[Choice, ...]],
    around: Surroundings,
) -> Iterator[Picked]:
    """Give the fields of one record that are named as the parameters of a path are.

    Only where a parameter has no value of its own, and at least two names fit: a single `id`
    would be any record's.
    """
    path = [parameter for parameter in needed if parameter.location == "path"]
    open_ones = [parameter for parameter in path if not _has_value(options_of[parameter.name])]
    if len(path) < 2 or not open_ones or len(path) != len(needed):
        return
    count = 0
    for found in around.records.with_fields([parameter.name for parameter in path]):
        picked = {
            parameter.name: _of_record(value, parameter)
            for parameter, value in zip(path, found, strict=True)
        }
        if all(fits(picked[parameter.name].value, parameter) for parameter in path):
            yield picked
            count += 1
        if count >= _MAX_RECORDS:
            return


def inside(
    endpoint: Endpoint,
    needed: Sequence[Parameter],
    options_of: Mapping[str, tuple[Choice, ...]],
    around: Surroundings,
) -> Iterator[Picked]:
    """Give what another endpoint lists under the same placeholders, for one more behind them.

    `/stages/{package}/{stage}` lists what `/files/{package}/{stage}/{path}` reads. Only where the
    last placeholder follows another one: behind a word it would be of that word's kind.
    """
    names = placeholders(endpoint.path)
    last = next((one for one in needed if names and one.name == names[-1]), None)
    if last is None or len(names) < 2 or f"}}/{{{last.name}}}" not in endpoint.path:
        return
    outer, known = names[:-1], {parameter.name: parameter for parameter in needed}
    if _has_value(options_of[last.name]) and options_of[last.name][0].proved:
        return
    rest = {name: found[0] for name, found in options_of.items() if found}
    fields = list(dict.fromkeys([fold(last.name), *_ENTRIES]))
    count = 0
    for other, placed in around.placed:
        if placed != tuple(fold(name) for name in outer) or other == endpoint.name:
            continue
        for value in around.records.below(other, fields):
            if len(value.context) != len(outer) or count >= _MAX_RECORDS:
                continue
            source = f"argument of {other}"
            picked = {
                name: Choice(shaped(sent, known[name]), "observed", source, proved=True)
                for name, sent in zip(outer, value.context, strict=True)
                if name in known
            }
            yield rest | picked | {last.name: _of_record(value, last)}
            count += 1


def alike(
    needed: Sequence[Parameter], options_of: Mapping[str, tuple[Choice, ...]]
) -> Iterator[Picked]:
    """Give values of one kind for all placeholders of a path: all names, or all numbers.

    `/repos/{owner}/{repo}` takes the names of both or the numbers of both, of one record.
    """
    path = [parameter for parameter in needed if parameter.location == "path"]
    if len(path) < 2:
        return
    rest = {name: found[0] for name, found in options_of.items() if found}
    numbers_first = all(parameter.name.lower().endswith("id") for parameter in path)
    for numbered in (True, False) if numbers_first else (False, True):
        kinds = {
            parameter.name: [
                choice
                for choice in options_of[parameter.name]
                if choice.held is not None
                and choice.origin == "observed"
                and _is_numbered(choice.held) is numbered
            ]
            for parameter in path
        }
        if not all(kinds.values()):
            continue
        record = next(iter(kinds[path[-1].name])).held
        near = record.record if record is not None else ""
        yield rest | {
            name: next((one for one in found if one.held and one.held.record == near), found[0])
            for name, found in kinds.items()
        }


def _is_numbered(value: Value) -> bool:
    """Tell an identifier apart from a name: by its field, or because it is a number."""
    last = fold(value.name).rpartition("_")[2]
    return last in {"id", "uuid", "guid", "number"} or isinstance(value.value, int | float)


def _has_value(found: tuple[Choice, ...]) -> bool:
    return any(not choice.weak for choice in found)


def _of_record(value: Value, parameter: Parameter) -> Choice:
    source = f"{value.endpoint} {value.field_path}"
    sent = shaped(value.value, parameter)
    return Choice(sent, "observed", source, proved=True, held=value)


def observed(
    endpoint: Endpoint,
    options_of: Mapping[str, tuple[Choice, ...]],
    values: Values,
    around: Surroundings,
) -> Iterator[Picked]:
    """Give sets around each stored value, with values of the same record beside it."""
    needed = [parameter for parameter in endpoint.parameters if parameter.name in options_of]
    order = [parameter for parameter in reversed(needed) if parameter.location == "path"]
    order += [parameter for parameter in needed if parameter.location != "path"]
    for parameter in order:
        stored = [
            choice
            for choice in options_of[parameter.name]
            if choice.origin in {"observed", "repaired"}
        ]
        for choice in _by_turns(stored):
            picked = {name: _best(found) for name, found in options_of.items()}
            picked[parameter.name] = choice
            if choice.held is not None:
                others = {one.name: one for one in needed if one.name != parameter.name}
                head = endpoint.path.partition("{" + parameter.name + "}")[0]
                picked.update(_mates(endpoint, others, choice.held, values))
                picked.update(_outer(head, others, choice.held, around))
            yield picked


def _by_turns(stored: list[Choice]) -> Iterator[Choice]:
    """Give the best value of each field, then the second: fields differ more than values."""
    fields: dict[str, list[Choice]] = {}
    for choice in stored:
        fields.setdefault(choice.source, []).append(choice)
    for turn in range(max((len(found) for found in fields.values()), default=0)):
        yield from (found[turn] for found in fields.values() if turn < len(found))


def _best(found: tuple[Choice, ...]) -> Choice:
    proved = [choice for choice in found if choice.proved or choice.origin == "configured"]
    return proved[0] if proved else found[0]


def _outer(head: str, known: Mapping[str, Parameter], held: Value, around: Surroundings) -> Picked:
    """Give the arguments of the call that `held` came from, for the same places of the path."""
    outer = placeholders(head)
    same = path_shape(head) == held.collection or around.same_placeholders(held.endpoint, outer)
    if not held.context or len(held.context) != len(outer) or not same:
        return {}
    source = f"argument of {held.endpoint}"
    return {
        name: Choice(shaped(value, known[name]), "observed", source, proved=True)
        for name, value in zip(outer, held.context, strict=True)
        if name in known
    }


def _mates(
    endpoint: Endpoint, known: Mapping[str, Parameter], held: Value, values: Values
) -> Picked:
    """Give other parameters' values from the record that `held` came from."""
    mates = values.record_mates(held)
    found: Picked = {}
    for name in known if mates else ():
        mate = values.choose(known[name], endpoint, mates)
        if mate is not None and not (mate.name == held.name and mate.value == held.value):
            found[name] = _of_record(mate, known[name])
    return found
