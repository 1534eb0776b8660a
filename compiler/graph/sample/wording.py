"""Puts an executed subgraph into words by templates: the query, each step, the final answer.

The query holds only what the user knows; the answer only what the outputs hold. The same random
numbers give the same words.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import files

from doc2tools.compiler.graph.sample.describe import Describer, main_part, with_article
from doc2tools.compiler.graph.sample.execute import Called, Executed
from doc2tools.compiler.graph.sample.phrases import joined, parameter_words, quoted
from doc2tools.compiler.ir.base import JsonValue
from doc2tools.compiler.validate.body_rules import is_envelope
from doc2tools.param_db.naming import singular, words
from doc2tools.param_db.privacy import is_personal_value, is_secret_name

__all__ = ["Wording", "put_into_words"]

_FACTS = 5
_LISTED = 5
_DEPTH = 3
_TEXT = 120
_MOMENT = 1e9
_SAYS_NOTHING = (0, "", False, "success", "ok", "OK")
_TELLING = ("title", "name", "label", "id", "status", "state", "type", "version", "description")


@dataclass(frozen=True, slots=True)
class Wording:
    """The words of a task; `steps` are in the order of the calls."""

    query: str
    steps: tuple[str, ...]
    answer: str


def put_into_words(done: Executed, rng: random.Random) -> Wording:
    """Write a task's query, sub-instructions and final answer."""
    describer = Describer(done)
    wanted = [describer.what(step) for step in done.sinks]
    many = len(wanted) > 1 or wanted[0][1]
    query = _choose(
        rng, "query", "many" if many else "one", {"what": joined([w for w, _ in wanted])}
    )
    steps = tuple(_instruction(done, step, rng) for step in range(len(done.steps)))
    return Wording(query, steps, _answer(done))


@lru_cache(maxsize=8)
def _templates(name: str) -> tuple[tuple[str, str], ...]:
    """Read a file of sentences: the sentence, and when it is right."""
    text = (files("doc2tools.templates") / "tasks" / f"{name}.txt").read_text(encoding="utf-8")
    lines = [line for line in text.splitlines() if line.strip() and not line.startswith("#")]
    pairs = (line.rpartition(" | ") for line in lines)
    return tuple((sentence.strip(), tag.strip()) for sentence, _, tag in pairs)


def _choose(rng: random.Random, name: str, tag: str, values: Mapping[str, str]) -> str:
    fitting = [text for text, when in _templates(name) if when in {tag, "any"}]
    return _filled(rng.choice(fitting), values)


def _filled(sentence: str, values: Mapping[str, str]) -> str:
    """Fill the marks of a template; a value is never read as a template itself."""
    pieces: list[str] = []
    rest = sentence
    while "{" in rest:
        head, _, tail = rest.partition("{")
        mark, _, rest = tail.partition("}")
        value = values[mark.lower()]
        pieces += [head, _capital(value) if mark[:1].isupper() else value]
    return "".join((*pieces, rest))


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]


def _instruction(done: Executed, step: int, rng: random.Random) -> str:
    """Say what one call does, with the very values that it is made with."""
    called = done.steps[step]
    noun = Describer(done).noun(step)
    given: list[str] = []
    called_so = ""
    for name, value in called.arguments.items():
        spoken = parameter_words(name)
        if noun.one.lower().endswith(spoken.lower()) and not called_so:
            called_so = f" {quoted(value)}"
        else:
            given.append(f"{spoken} {quoted(value)}")
    verb = "list" if noun.many and not noun.searched else "find" if noun.searched else "get"
    action = f"{verb} {with_article(noun.text)}{called_so}"
    action += f" with {joined(given)}" if given else ""
    if not done.feeding(step):
        return _choose(rng, "step", "given", {"action": action})
    values = [Describer(done).value(fed) for fed in done.feeding(step)]
    taken = joined(list(dict.fromkeys(values)))
    return _choose(rng, "step", "taken", {"action": action, "taken": taken})


def _answer(done: Executed) -> str:
    """Say how the goal was reached, and what the outputs say."""
    sentences = list(dict.fromkeys(_ways(done)))
    for step in done.sinks:
        sentences.append(_found(done, step))
    return " ".join(sentences)


def _ways(done: Executed) -> Iterator[str]:
    for fed in done.fed:
        value = Describer(done).value(fed)
        yield f"{_capital(value)} is {quoted(fed.chosen.held.value)}."


def _found(done: Executed, step: int) -> str:
    called = done.steps[step]
    noun = Describer(done).noun(step)
    main = main_part(called.payload)
    if called.payload is None:
        return _text_found(called, noun.one)
    if isinstance(main, list):
        return _list_found(main, noun.one, noun.several)
    if isinstance(main, dict):
        told = _told(main, noun.one)
        if told:
            return f"{_capital(with_article(noun.one))} has {told}."
        lists = {key: value for key, value in main.items() if isinstance(value, list) and value}
        if lists:
            key = max(lists, key=lambda name: len(lists[name]))
            spoken = parameter_words(key)
            return _list_found(lists[key], singular(spoken), spoken)
        keys = [key for key in main if not is_secret_name(key)]
        inside = joined([quoted(key) for key in keys[:_LISTED]])
        return f"The answer has {len(main)} {'entry' if len(main) == 1 else 'entries'}: {inside}."
    return f"{_capital(with_article(noun.one))} is {quoted(main)}."


def _told(record: JsonValue, noun: str) -> str:
    """Give the most telling facts of a record: `name “blue” and ID 3`."""
    facts: dict[str, JsonValue] = {}
    for key, value in _facts(record, 0):
        facts.setdefault(parameter_words(key), value)
    shown = sorted(facts.items(), key=lambda fact: _rank(fact[0], noun))[:_FACTS]
    last = noun.lower().split(" ")[-1]
    if "name" not in facts:
        shown = [("name" if key.lower() == last else key, value) for key, value in shown]
    return joined([f"{key} {quoted(value)}" for key, value in shown])


def _list_found(items: list[JsonValue], one: str, several: str) -> str:
    if len(items) == 1:
        if _plain(items[0]):
            return f"There is one {one}: {quoted(items[0])}."
        told = _told(items[0], one)
        return f"There is one {one}, with {told}." if told else f"There is one {one}."
    names, key = _names(items[:_LISTED], one)
    head = f"There are {len(items)} {several}"
    if not names:
        return f"{head}."
    if len(set(names)) < len(names):
        known = joined(list(dict.fromkeys(names)))
        return f"{head}; the first of them have {key} {known}." if key else f"{head}: {known}."
    more = len(items) - len(names)
    known = joined([*names, f"{more} more"] if more else names)
    called = not key or key.split(" ")[-1].lower() in (
        *_TELLING,
        one.rsplit(" ", maxsplit=1)[-1].lower(),
    )
    return f"{head}: {known}." if called else f"{head}, with {key} {known}."


def _names(items: list[JsonValue], noun: str) -> tuple[list[str], str]:
    """Give what entries are called, by the most telling field that tells them apart."""
    if all(_plain(item) for item in items):
        return [quoted(item) for item in items], ""
    tables = [
        {parameter_words(key): quoted(value) for key, value in reversed(list(_facts(item, 0)))}
        for item in items
    ]
    common = [key for key in tables[0] if all(key in table for table in tables)]
    common.sort(key=lambda key: _rank(key, noun))
    telling = [key for key in common if len({table[key] for table in tables}) == len(tables)]
    best = (telling or common or [""])[0]
    return ([table[best] for table in tables], best) if best else ([], "")


def _text_found(called: Called, one: str) -> str:
    response = called.response
    if response.body_base64 or (not response.body.isprintable() and "\0" in response.body):
        size = len(response.body) * 3 // 4 if response.body_base64 else len(response.body)
        return f"{_capital(with_article(one))} is {response.content_type}, about {size} bytes."
    text = " ".join(response.body.split())
    return f"{_capital(with_article(one))} says: {quoted(text[:_TEXT])}."


def _plain(value: JsonValue) -> bool:
    if isinstance(value, float) and value > _MOMENT:
        return False  # a moment in seconds: nobody reads it so
    if isinstance(value, str):
        return bool(value.strip()) and len(value) <= _TEXT and not is_personal_value(value)
    return isinstance(value, int | float)


def _facts(node: JsonValue, depth: int) -> Iterator[tuple[str, JsonValue]]:
    """Yield a record's plain fields, those near the top first."""
    if not isinstance(node, dict) or depth > _DEPTH:
        return
    for key, value in node.items():
        shown = _plain(value) and not is_secret_name(key) and value not in _SAYS_NOTHING
        if shown and words(key):
            yield key, value
    for key, value in node.items():
        if isinstance(value, dict) and not is_secret_name(key):
            yield from _facts(value, depth + 1)


def _rank(key: str, noun: str) -> tuple[int, bool]:
    """Order facts: what the record is called, its identifier, its state, then the rest."""
    parts = words(key)
    if list(parts) == noun.lower().split(" ")[-len(parts) :]:
        return 0, False
    telling = len(parts) == 1 and parts[0] in _TELLING
    return 1 + (_TELLING.index(parts[0]) if telling else len(_TELLING)), is_envelope(key)
