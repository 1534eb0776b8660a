"""Rules that find signs of endpoints; each is one small file in this folder.

A rule is a class with a `name` and `find(outline)`. A file here needs no registration: its rule is
found by those two. A plug-in registers the same kind of class under the entry-point group
`doc2tools.rules`. Rules run in alphabetical order of their names, plug-ins last.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable, Iterator
from functools import cache
from importlib import import_module
from importlib.metadata import entry_points
from pkgutil import iter_modules
from typing import Protocol, cast

from doc2tools.compiler.extract.candidates import Candidate
from doc2tools.compiler.extract.outline import Outline

__all__ = ["Rule", "all_rules"]


class Rule(Protocol):
    """One way to find endpoints."""

    name: str

    def find(self, outline: Outline) -> Iterable[Candidate]:
        """Yield the candidates that the page holds, in reading order."""
        ...


@cache
def all_rules() -> tuple[Rule, ...]:
    """Give the rules of this folder and those of installed plug-ins, in a fixed order."""
    own = sorted(_own_rules(), key=lambda rule: rule.name)
    points = sorted(entry_points(group="doc2tools.rules"), key=lambda point: point.name)
    return (*own, *(cast("Callable[[], Rule]", point.load())() for point in points))


def _own_rules() -> Iterator[Rule]:
    for found in iter_modules(__path__):
        module = import_module(f"{__name__}.{found.name}")
        for _, kind in inspect.getmembers(module, inspect.isclass):
            is_own = kind.__module__ == module.__name__
            if is_own and isinstance(getattr(kind, "name", None), str) and hasattr(kind, "find"):
                yield cast("Callable[[], Rule]", kind)()
