"""Rules that find signs of endpoints; each is one small file behind one hook.

A rule has a `name` and `find(outline)`. The built-in ones are listed here; a plug-in registers its
own under the entry-point group `doc2tools.rules`, as a class or a function that makes a rule.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from importlib.metadata import entry_points
from typing import Protocol

from doc2tools.compiler.extract.candidates import Candidate
from doc2tools.compiler.extract.outline import Outline
from doc2tools.compiler.extract.rules.action_values import ActionValues
from doc2tools.compiler.extract.rules.bare_path import BarePath
from doc2tools.compiler.extract.rules.function_list import FunctionList
from doc2tools.compiler.extract.rules.json_listing import JsonListing
from doc2tools.compiler.extract.rules.nested_verbs import NestedVerbs
from doc2tools.compiler.extract.rules.prose import Prose
from doc2tools.compiler.extract.rules.relative_query import RelativeQuery
from doc2tools.compiler.extract.rules.request_samples import RequestSamples
from doc2tools.compiler.extract.rules.tables import Tables
from doc2tools.compiler.extract.rules.verb_path import VerbPath

__all__ = ["Rule", "all_rules"]


class Rule(Protocol):
    """One way to find endpoints."""

    name: str

    def find(self, outline: Outline) -> Iterable[Candidate]:
        """Yield the candidates that the page holds, in reading order."""
        ...


@cache
def all_rules() -> tuple[Rule, ...]:
    """Give the built-in rules and those of installed plug-ins, in a fixed order."""
    rules: list[Rule] = [
        VerbPath(),
        NestedVerbs(),
        BarePath(),
        Tables(),
        RequestSamples(),
        Prose(),
        FunctionList(),
        JsonListing(),
        RelativeQuery(),
        ActionValues(),
    ]
    for point in sorted(entry_points(group="doc2tools.rules"), key=lambda point: point.name):
        rules.append(point.load()())
    return tuple(rules)
