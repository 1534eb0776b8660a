"""Says what a step gives as a noun phrase: `the album of the first item that matches “blue”`.

In go executed steps; out come phrases that hold what the user knows, never what an answer gave.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from doc2tools.compiler.graph.sample.execute import Called, Executed, Fed
from doc2tools.compiler.graph.sample.phrases import (
    Noun,
    is_handle,
    is_search_name,
    joined,
    noun_of,
    parameter_words,
    quoted,
)
from doc2tools.compiler.ir.base import JsonValue
from doc2tools.compiler.ir.spec import Parameter
from doc2tools.compiler.passes.answer_paths import KEYS, last_key, split_path
from doc2tools.compiler.validate.body_rules import is_envelope
from doc2tools.param_db.naming import (
    fold,
    is_structural,
    resource_before,
    singular,
    stem,
    words,
)

__all__ = ["Describer", "main_part", "with_article"]

_CALLED = {"title": "titled", "name": "named", "label": "labelled"}
_MAX_WRAPS = 4


def main_part(payload: JsonValue) -> JsonValue:
    """Give what an answer is about: without the envelope around it."""
    node = payload
    for _ in range(_MAX_WRAPS):
        if not isinstance(node, dict):
            break
        inner = [(k, v) for k, v in node.items() if not is_envelope(k) and v not in (None, "")]
        if len(inner) != 1 or not isinstance(inner[0][1], dict | list):
            break
        node = inner[0][1]
    return node


def with_article(noun: str) -> str:
    """Put `the` before a noun phrase."""
    return f"the {noun}"


@dataclass(slots=True)
class Describer:
    """Describes the steps of one executed subgraph.

    Attributes:
        said: Arguments that the text has named so far: nobody says them twice.
    """

    done: Executed
    said: set[tuple[str, str]] = field(default_factory=set[tuple[str, str]])

    def noun(self, step: int) -> Noun:
        """Give what a step gives; what it really gave decides whether it is many."""
        called = self.done.steps[step]
        noun = noun_of(called.tool.endpoint)
        main = main_part(called.payload)
        if isinstance(main, list) and len(main) > 1 and not noun.many:
            noun = Noun(noun.one, noun.several, True, noun.searched)
        elif isinstance(main, list) and len(main) == 1 and noun.many and self._identifies(step):
            noun = Noun(noun.one, noun.several, False, noun.searched)
        return noun

    def what(self, step: int) -> tuple[str, bool]:
        """Give what a step gives, with all that the user knows of it; and whether it is many."""
        noun = self.noun(step)
        taken = self.selections(step)
        rest = self._qualities(step)
        if not taken:
            return f"{with_article(noun.text)}{rest}", noun.many
        if not noun.many and self._same_noun(step, noun):
            return f"the details of {joined(taken)}{rest}", True
        fed = self.done.feeding(step)
        link = "for" if self._field(fed[0]) else "of"
        field = words(self._field(fed[0]))
        tail = words(noun.one)[-len(field) :]
        if len(taken) == 1 and field and tail == field and not noun.searched:
            taken = [taken[0].partition(" of ")[2]]  # not: the type of the type of …
            link = "of"
        if noun.searched:
            link = "that match" if noun.many else "that matches"
        return f"{with_article(noun.text)} {link} {joined(taken)}{rest}", noun.many

    def selections(self, step: int) -> list[str]:
        """Say what a step takes from others, each source once."""
        found: dict[int, tuple[str, str]] = {}
        feeding = self.done.feeding(step)
        for fed in feeding:
            others = (one.source for one in feeding if one.source != fed.source)
            through = any(
                other.source == fed.source and other.chosen.held == fed.chosen.held
                for source in others
                for other in self.done.feeding(source)
            )
            if fed.source not in found and not through:
                found[fed.source] = (self.selection(fed), parameter_words(fed.edge.parameter))
        if len(found) == 1:
            return [selection for selection, _ in found.values()]
        return [f"{selection} as {parameter}" for selection, parameter in found.values()]

    def selection(self, fed: Fed, *, short: bool = False) -> str:
        """Say which value is taken: `the first item`, `the album ID of the item with ID 6`."""
        chosen = fed.chosen
        if chosen.way == "own":
            noun = self.noun(fed.source)
            entity = with_article(noun.one) if short else self.what(fed.source)[0]
            entity = entity.removeprefix("the details of ")
        else:
            unit, inside = self._unit(fed)
            rest = "" if short else self._rest(fed.source, inside)
            entity = {
                "only": f"the only {unit}",
                "placed": f"the {chosen.text} {unit}",
                "named": f"the {unit} {_naming(chosen.key)} {quoted(chosen.text)}",
            }[chosen.way]
            entity = f"{entity}{rest}"
        name = self._field(fed)
        return f"the {name} of {entity}" if name else entity

    def value(self, fed: Fed) -> str:
        """Name the very value that is taken: `the ID of the first item`."""
        entity = self.selection(fed, short=True)
        key = last_key(fed.edge.field)
        if not key or self._field(fed):
            return entity
        return f"the {parameter_words(key)} of {entity}"

    def _rest(self, step: int, inside: str) -> str:
        """Say what the user knows of the list that something is chosen from."""
        if inside:
            return f" in {self.what(step)[0]}"
        taken = self.selections(step)
        rest = self._qualities(step)
        if not taken and not rest:
            return ""
        if self.noun(step).searched:
            link = "that match"
            rest = rest.replace(" that matches ", " that match ")
        else:
            link = "of"
        of = f" {link} {joined(taken)}" if taken else ""
        return f" among those{of}{rest}" if rest.startswith((" with", " that")) or of else rest

    def _unit(self, fed: Fed) -> tuple[str, str]:
        """Give what the list holds, and the list's name if that is not what the tool gives."""
        noun = self.noun(fed.source)
        listed = fed.chosen.listed
        folded = fold(listed)
        plain = not listed or is_structural(folded) or is_envelope(listed)
        spoken = [singular(word) for word in words(listed)]
        own = {singular(word.lower()) for word in noun.one.split(" ")}
        if fed.edge.field.endswith(KEYS) or (
            noun.one == noun.several and not noun.one.endswith("series") and (plain or not spoken)
        ):
            return f"entry of the {noun.one}", ""
        if plain or not spoken or set(spoken) <= own:
            return noun.one, ""
        several = words(listed)
        return " ".join((*several[:-1], singular(several[-1]))), listed

    def _field(self, fed: Fed) -> str:
        """Name the field that is taken, where it is not just how the record is addressed."""
        key = last_key(fed.edge.field)
        if not key:
            return ""
        owner = stem(key)
        noun = noun_of(self.done.steps[fed.target].tool.endpoint)
        target = {singular(word.lower()) for word in noun.one.split(" ")}
        known = {*target, *words(fed.edge.parameter), *words(stem(fed.edge.parameter))}
        inside = _inside(fed, key)
        if is_handle(key) and (not owner or set(owner.split("_")) <= known):
            return "" if inside == parameter_words(key) else inside
        same = {singular(word) for word in words(key)}
        unit = {singular(word) for word in words(self._unit(fed)[0])}
        return "name" if same <= unit else _inside(fed, key)

    def _same_noun(self, step: int, noun: Noun) -> bool:
        """Tell whether a step gives the very things that its source lists."""
        fed = self.done.feeding(step)
        if not self._identifies(step) or self._field(fed[0]):
            return False
        owner = stem(last_key(fed[0].edge.field)).split("_")[-1]
        if owner and owner != noun.one.rpartition(" ")[2].lower():
            return False
        unit, _ = self._unit(fed[0])
        return unit.split(" ")[-1] == noun.one.split(" ")[-1] or unit.endswith(noun.one)

    def _identifies(self, step: int) -> bool:
        """Tell whether a step's last path argument says which one record is wanted."""
        return self.done.steps[step].tool.endpoint.path.rstrip("/").endswith("}")

    def _qualities(self, step: int) -> str:
        """Say the values that the user knows: ` with type “hosts”`."""
        called = self.done.steps[step]
        nested: list[str] = []
        plain: list[str] = []
        for parameter in called.tool.endpoint.parameters:
            if parameter.name not in called.free or parameter.name not in called.arguments:
                continue
            value = called.arguments[parameter.name]
            if (parameter.name, str(value)) in self.said:
                continue
            self.said.add((parameter.name, str(value)))
            place = _owner_of(called, parameter)
            if self.noun(step).searched and is_search_name(parameter.name):
                match = "match" if self.noun(step).many else "matches"
                nested.append(f" that {match} {quoted(value)}")
            elif place:
                nested.append(f" of the {place} {quoted(value)}")
            else:
                plain.append(f"{parameter_words(parameter.name)} {quoted(value)}")
        return "".join(nested) + (f" with {joined(plain)}" if plain else "")


def _inside(fed: Fed, key: str) -> str:
    """Give a field's name with the object that holds it: `metric name` for `metric.name`."""
    steps = split_path(fed.edge.field)
    last_list = max((n for n, (_, is_key) in enumerate(steps) if not is_key), default=-1)
    between = [step for step, is_key in steps[last_list + 1 : -1] if is_key]
    holder = between[-1] if between else ""
    if not holder or is_structural(fold(holder)) or is_envelope(holder) or last_list < 0:
        return parameter_words(key)
    return f"{parameter_words(holder)} {parameter_words(key)}"


def _naming(key: str) -> str:
    """Say by what a record is known: `titled`, `whose display name is`."""
    other = f"whose {parameter_words(key)} is"
    return _CALLED.get(words(key)[0], other) if len(words(key)) == 1 else other


def _owner_of(called: Called, parameter: Parameter) -> str:
    """Give whose part is asked for: `repo` for `/repos/{name}/packages`; "" for none."""
    path = called.tool.endpoint.path.rstrip("/")
    if parameter.location != "path" or path.endswith("{" + parameter.name + "}"):
        return ""
    noun = singular(resource_before(path, parameter.name)[0]) or stem(parameter.name)
    own = {singular(word) for word in noun_of(called.tool.endpoint).one.lower().split(" ")}
    return parameter_words(noun) if noun and own != {noun} else ""
