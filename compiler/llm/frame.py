"""The frame for untrusted text: what a model is asked, and what counts as its answer.

Instructions are our own words and fixed; all else is data, quoted as JSON between marks that the
data cannot hold. A reply can only be one of the typed answers that the question names: what a page
says can widen neither methods nor hosts nor values.
"""

from __future__ import annotations

import hashlib
import json
import unicodedata
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Generic, TypeAlias, TypeVar, cast

from pydantic import ValidationError

from doc2tools.compiler.llm.choice import Choice, Form
from doc2tools.compiler.llm.prompts import prompt

__all__ = ["Answered", "Messages", "Question", "Reading", "Unreadable", "read", "render"]

T = TypeVar("T", bound=Form)

Redact = Callable[[str], str]

LONGEST_TEXT = 20_000
LONGEST_DATA = 60_000
LONGEST_REPLY = 200_000
MOST_FAULTS = 8
DEEPEST = 40
CUT = "[cut here by doc2tools]"


@dataclass(frozen=True, slots=True)
class Question(Generic[T]):
    """One question.

    Attributes:
        instruction: What is asked: our own fixed words, never text from outside.
        answer: The form of the answer; closed types, see `choice`.
        data: Name to untrusted text. The names are ours.
        choices: Field of the answer to what may be chosen for it.
    """

    instruction: str
    answer: type[T]
    data: Mapping[str, str]
    choices: Mapping[str, Choice] = field(default_factory=dict[str, Choice])

    def __post_init__(self) -> None:
        """Refuse questions whose own words are not plain."""
        for text in (self.instruction, *self.data):
            if not text.isascii() or not text.strip():
                raise AssertionError(f"a question's own words are plain ASCII: {text[:60]!r}")
        for name in self.choices:
            if name not in self.answer.model_fields:
                raise AssertionError(f"{self.answer.__name__} has no field {name}")


@dataclass(frozen=True, slots=True)
class Messages:
    """What is sent to a model.

    Attributes:
        system: Frame, instruction and schema: our own words only.
        user: The data.
        schema: The answer's JSON schema, for a server that can hold a reply to it.
    """

    system: str
    user: str
    schema: Mapping[str, object] = field(default_factory=dict[str, object])


@dataclass(frozen=True, slots=True)
class Answered(Generic[T]):
    """A reply that fits the question's form."""

    value: T


@dataclass(frozen=True, slots=True)
class Unreadable:
    """A reply that is no answer; the reason holds no text of it."""

    reason: str


Reading: TypeAlias = Answered[T] | Unreadable


def render(question: Question[T], redact: Redact) -> Messages:
    """Put a question into its frame; the same question always gives the same messages.

    Args:
        question: The question.
        redact: Takes credentials out of a text; applied to every text from outside.
    """
    data = _quoted(_data(question, redact))
    mark = _mark(data)
    schema = _schema(question)
    shown = json.dumps(schema, ensure_ascii=True, sort_keys=True)
    system = f"{prompt('frame')}\n\nThe question: {question.instruction}\n\nThe schema: {shown}"
    return Messages(system, f"<data {mark}>\n{data}\n</data {mark}>", schema)


def read(question: Question[T], reply: str) -> Reading[T]:
    """Read a reply; whatever it holds, a value comes back."""
    if len(reply) > LONGEST_REPLY:
        return Unreadable(f"the reply has more than {LONGEST_REPLY:,} characters")
    try:
        found = json.loads(_only_object(reply), object_pairs_hook=_distinct, parse_constant=_refuse)
        if not isinstance(found, dict):
            return Unreadable("the reply is no JSON object")
        value = question.answer.model_validate_json(json.dumps(found))
    except ValidationError as error:
        faults = {
            (".".join(map(str, item["loc"])), item["type"].replace("_", " "))
            for item in error.errors(include_input=False, include_url=False)
        }
        # Only names of ours: a place that is no field may be text of the reply.
        known = sorted(f"{place} ({why})" for place, why in faults if _is_place(place, question))
        shown = "; ".join(known[:MOST_FAULTS]) or "its fields are not those of the schema"
        return Unreadable(f"the reply does not fit the form: {shown}")
    except (ValueError, RecursionError, MemoryError):
        return Unreadable("the reply is no JSON object")
    for name, choice in question.choices.items():
        given: object = getattr(value, name)
        several = isinstance(given, list | tuple)
        chosen = list(cast("Sequence[object]", given)) if several else [given]
        if not all(item is None or item in choice for item in chosen):
            return Unreadable(f"the reply's {name} is not among what was offered")
    return Answered(value)


def _data(question: Question[T], redact: Redact) -> dict[str, object]:
    """Collect the data: texts and what may be chosen, cleaned and bounded."""
    left = LONGEST_DATA
    data: dict[str, object] = {}
    for name, text in question.data.items():
        shown = clean(text, redact, min(LONGEST_TEXT, left))
        left = max(0, left - len(shown))
        data[name] = shown
    for name, choice in question.choices.items():
        options = {key: clean(text, redact, choice.longest) for key, text in choice.options.items()}
        data[f"choices for {name}"] = options
    return data


def clean(text: str, redact: Redact, longest: int) -> str:
    """Give `text` without credentials, with what cannot be seen made visible, and bounded."""
    # Credentials go first: a cut through one would leave a piece that is no longer known.
    shown = "".join(map(_visible, redact(text)[: longest + 1]))
    if len(text) <= longest and len(shown) <= longest:
        return shown
    return shown[:longest] + CUT


def _visible(character: str) -> str:
    if character == "\n" or " " <= character <= "~":
        return character
    # Controls, formats (bidi, zero width, tags), surrogates, private use, unassigned, separators.
    if unicodedata.category(character) in ("Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"):
        return f"[U+{ord(character):04X}]"
    return character


def _quoted(data: Mapping[str, object]) -> str:
    return json.dumps(data, ensure_ascii=True, indent=1)


def _mark(data: str) -> str:
    """Give a mark that the data does not hold: its own digest, made anew should it hold that."""
    mark = hashlib.sha256(data.encode()).hexdigest()[:24]
    while mark in data:
        mark = hashlib.sha256(mark.encode()).hexdigest()[:24]
    return mark


def _schema(question: Question[T]) -> dict[str, object]:
    """Give the answer's JSON schema, with what may be chosen as enumerations."""
    schema: dict[str, object] = question.answer.model_json_schema()
    properties = schema.get("properties")
    if isinstance(properties, dict):
        for name, choice in question.choices.items():
            known = cast("dict[str, object]", properties[name])
            several = known.get("type") == "array"
            allowed: dict[str, object] = {"type": "string", "enum": list(choice.options)}
            properties[name] = {"type": "array", "items": allowed} if several else allowed
    schema["additionalProperties"] = False
    return cast("dict[str, object]", _bare(schema))


def _bare(schema: object) -> object:
    """Give a schema without its titles and descriptions, which cost tokens and say nothing."""
    if isinstance(schema, list):
        return [_bare(item) for item in cast("list[object]", schema)]
    if not isinstance(schema, dict):
        return schema
    found = cast("dict[str, object]", schema)
    return {
        key: _bare(item)
        for key, item in found.items()
        if not (key in ("title", "description") and isinstance(item, str))
    }


def _is_place(place: str, question: Question[T]) -> bool:
    parts = place.split(".")
    names = set(question.answer.model_fields)
    schema = question.answer.model_json_schema()
    for nested in schema.get("$defs", {}).values():
        names |= set(nested.get("properties", {}))
    return all(part in names or part.isdecimal() for part in parts)


def _only_object(reply: str) -> str:
    """Take a code fence or a sentence off around one JSON object; nothing inside is touched."""
    start, end = reply.find("{"), reply.rfind("}")
    if start < 0 or end < start:
        raise ValueError("no object")
    if any(bracket in reply[:start] + reply[end + 1 :] for bracket in "[]"):
        raise ValueError("an object inside something else")
    text = reply[start : end + 1]
    depth = deepest = 0
    for character in text:
        depth += (character in "{[") - (character in "}]")
        deepest = max(deepest, depth)
    if deepest > DEEPEST:
        raise ValueError("too deep")
    return text


def _distinct(pairs: list[tuple[str, object]]) -> dict[str, object]:
    found = dict(pairs)
    if len(found) != len(pairs):
        raise ValueError("a name is given twice")
    return found


def _refuse(name: str) -> object:
    raise ValueError(f"{name} is no JSON")
