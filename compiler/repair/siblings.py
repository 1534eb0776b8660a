"""What the tools that work tell about the others: base paths, segments, suffixes, parameters."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field

from doc2tools.compiler.ir.spec import Endpoint, Parameter
from doc2tools.compiler.passes.paths import PLACEHOLDER, is_prefix
from doc2tools.compiler.repair.address import is_literal, parts_of, placeholder_in, whole_path
from doc2tools.param_db.naming import fold

__all__ = ["Siblings", "prefix_of", "shape_of"]

MOST_PREFIX_PARTS = 4


@dataclass(frozen=True, slots=True)
class Siblings:
    """The working endpoints of an API, and what they have in common.

    Attributes:
        working: Endpoints that a call validated, in the API's order.
        documented: All documented endpoints.
    """

    working: tuple[Endpoint, ...]
    documented: tuple[Endpoint, ...]
    _children: dict[str, Counter[str]] = field(default_factory=dict[str, "Counter[str]"])

    def __post_init__(self) -> None:
        """Count which segments follow which path."""
        for endpoint in self.working:
            parts = parts_of(whole_path(endpoint))
            for position, part in enumerate(parts):
                if part:
                    shape = shape_of(parts[:position])
                    self._children.setdefault(shape, Counter())[part] += 1

    def children(self, parts: Sequence[str]) -> Counter[str]:
        """Give the segments that working endpoints have after the path `parts`."""
        return self._children.get(shape_of(parts), Counter())

    def prefixes(self) -> list[tuple[str, int]]:
        """Give the base paths of the working endpoints with their number, the commonest first."""
        counted: Counter[str] = Counter()
        for endpoint in self.working:
            counted[prefix_of(whole_path(endpoint))] += 1
        return counted.most_common()

    def shared_starts(self) -> list[tuple[str, int]]:
        """Give the literal beginnings that several working endpoints share, the longest first."""
        counted: Counter[str] = Counter()
        for endpoint in self.working:
            for start in _starts(whole_path(endpoint)):
                counted[start] += 1
        several = [(start, number) for start, number in counted.items() if number >= 2]
        return sorted(several, key=lambda entry: (-entry[1], -len(entry[0]), entry[0]))

    def suffixes(self) -> list[tuple[str, int]]:
        """Give the format suffixes of the working endpoints, the commonest first."""
        counted: Counter[str] = Counter()
        for endpoint in self.working:
            last = parts_of(whole_path(endpoint))[-1]
            bare = PLACEHOLDER.sub("", last)
            dot = bare.rfind(".")
            ending = bare[dot:] if dot >= 0 else ""
            if 2 <= len(ending) <= 6 and ending[1:].isalpha():
                counted[ending] += 1
        return counted.most_common(3)

    def with_slash(self) -> int:
        """Give how many working endpoints end in a slash."""
        return sum(1 for endpoint in self.working if whole_path(endpoint).endswith("/"))

    def parameters(self, name: str) -> list[tuple[Endpoint, Parameter]]:
        """Give the working endpoints' parameters of this name, in any spelling."""
        folded = fold(name)
        return [
            (endpoint, parameter)
            for endpoint in self.working
            for parameter in endpoint.parameters
            if fold(parameter.name) == folded
        ]

    def placeholder_at(self, parts: Sequence[str], position: int) -> str:
        """Give the placeholder that working endpoints have at a position of a path, or ""."""
        for part in self.children(parts[:position]):
            if name := placeholder_in(part):
                return name
        return ""


def shape_of(parts: Sequence[str]) -> str:
    """Give the beginning of a path with its placeholders' names left out."""
    return "/".join(PLACEHOLDER.sub("{}", part) for part in parts)


def prefix_of(path: str) -> str:
    """Give the leading segments that name no resource, such as `/api/v1`."""
    kept: list[str] = []
    for part in parts_of(path)[:MOST_PREFIX_PARTS]:
        if not is_prefix(part):
            break
        kept.append(part)
    return "/" + "/".join(kept) if kept else ""


def _starts(path: str) -> list[str]:
    """Give the beginnings of a path made of fixed segments, the last segment left out."""
    found: list[str] = []
    parts = parts_of(path)
    for number, part in enumerate(parts[:-1][:MOST_PREFIX_PARTS], start=1):
        if not is_literal(part):
            break
        found.append("/" + "/".join(parts[:number]))
    return found
