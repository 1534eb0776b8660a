"""Measure the graph's first two stages on an OpenAPI file whose true edges are known.

    python -m benchmarks.restbench FOLDER [--verbose]

FOLDER holds one `*_oas.json` and one `*_gold_edges.json` with `edges[{source, target,
parameters}]`, where source and target are `METHOD /path`. Nothing is called. Printed, once with the
names of the file and once with every parameter's name replaced by a number (in the path, too;
descriptions stay): the edges that each stage keeps, the source tools that it leaves for a parameter
on average (all parameters with a source, and path parameters alone), and the share of the gold
edges kept. A gold edge counts as kept if one of its parameters is fed by the source (`any`); the
stricter figure asks for all of its parameters.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections import defaultdict
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path

from doc2tools.compiler.graph.candidates import similar_pairs
from doc2tools.compiler.graph.select import select
from doc2tools.compiler.graph.surface import Surface, read_surface
from doc2tools.compiler.ir.options import CompileOptions
from doc2tools.compiler.ir.outcome import Tool, Unvalidated
from doc2tools.compiler.ir.spec import Endpoint
from doc2tools.compiler.passes.normalise import normalise
from doc2tools.compiler.pipeline import extract_docs
from doc2tools.param_db.embedding import embedder

Feeding = tuple[int, int, str]
"""Source tool, target tool, original name of the parameter."""


@dataclass(frozen=True)
class GoldEdge:
    """A true dependency, by index of the tools."""

    source: int
    target: int
    parameters: tuple[str, ...]


def endpoints_of(file: Path) -> list[Endpoint]:
    """Read the operations of an OpenAPI file as a compile does."""
    options = CompileOptions()
    drafts = extract_docs([str(file)], options, state=None).drafts
    spec, _ = normalise(drafts, options)
    return list(spec.endpoints)


def obfuscated(endpoint: Endpoint, first: int) -> Endpoint:
    """Replace the parameters' names by numbered ones; everything else stays."""
    path, parameters = endpoint.path, list(endpoint.parameters)
    for place, parameter in enumerate(parameters):
        name = f"p{first + place}"
        path = path.replace(f"{{{parameter.name}}}", f"{{{name}}}")
        parameters[place] = parameter.model_copy(update={"name": name, "identifier": name})
    return endpoint.model_copy(
        update={"path": path, "parameters": tuple(parameters), "samples": (), "pagination": None}
    )


def tools_of(endpoints: Iterable[Endpoint]) -> list[Tool]:
    """Make tools that nobody called."""
    outcome = Unvalidated(cause="no-parameter-value", reason="nothing is called here")
    return [Tool(endpoint=endpoint, outcome=outcome) for endpoint in endpoints]


def report(
    title: str, surface: Surface, gold: list[GoldEdge], original: list[Endpoint], *, verbose: bool
) -> None:
    """Print the figures of both stages."""
    candidates = similar_pairs(surface, embedder())
    selection = select(surface, candidates)
    pairs = list(zip(candidates.parameter.tolist(), candidates.field.tolist(), strict=True))
    kept = [(pair.parameter, pair.field) for pair in selection.kept]
    print(f"{title}: {len(surface.parameters)} parameters, {len(surface.fields)} fields")
    for stage, found in (("similar", pairs), ("judged", kept)):
        feeding = _feeding(surface, found, original)
        print(f"  {stage:<8} {len(found):>6} edges, {_averages(feeding, original)}")
        missed = [edge for edge in gold if not _fed(edge, feeding, any)]
        hits, all_hits = len(gold) - len(missed), sum(_fed(one, feeding, all) for one in gold)
        print(
            f"           gold {hits}/{len(gold)} = {hits / len(gold):.1%} "
            f"(all parameters: {all_hits} = {all_hits / len(gold):.1%})"
        )
        for edge in missed if verbose else ():
            source, target = original[edge.source], original[edge.target]
            print(f"           missed: {source.path} -> {target.path} {edge.parameters}")


def _feeding(
    surface: Surface, pairs: list[tuple[int, int]], original: list[Endpoint]
) -> set[Feeding]:
    found: set[Feeding] = set()
    for parameter, field in pairs:
        site = surface.parameters[parameter]
        names = [one.name for one in surface.tools[site.tool].endpoint.parameters]
        name = original[site.tool].parameters[names.index(site.parameter.name)].name
        found.add((surface.fields[field].tool, site.tool, name))
    return found


def _averages(feeding: set[Feeding], original: list[Endpoint]) -> str:
    sources: dict[tuple[int, str], int] = defaultdict(int)
    for _, target, name in feeding:
        sources[target, name] += 1
    path = [
        count for (target, name), count in sources.items() if f"{{{name}}}" in original[target].path
    ]
    return (
        f"{sum(sources.values()) / max(1, len(sources)):.1f} sources for each of "
        f"{len(sources)} parameters ({sum(path) / max(1, len(path)):.1f} for each of "
        f"{len(path)} in paths)"
    )


def _fed(
    edge: GoldEdge, feeding: set[Feeding], quantifier: Callable[[Iterable[bool]], bool]
) -> bool:
    return quantifier((edge.source, edge.target, name) in feeding for name in edge.parameters)


def main() -> int:
    """Measure one folder."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--verbose", action="store_true", help="list the gold edges missed")
    options = parser.parse_args()
    original = endpoints_of(next(iter(sorted(options.folder.glob("*_oas.json")))))
    number = {f"{one.method} {one.path}": place for place, one in enumerate(original)}
    raw = json.loads(next(iter(sorted(options.folder.glob("*_gold_edges.json")))).read_text())
    gold = [
        GoldEdge(number[edge["source"]], number[edge["target"]], tuple(edge["parameters"]))
        for edge in raw["edges"]
    ]
    plain = read_surface(tools_of(original))
    report("names as they are", plain, gold, original, verbose=options.verbose)
    numbered: list[Endpoint] = []
    first = 1
    for endpoint in original:
        numbered.append(obfuscated(endpoint, first))
        first += len(endpoint.parameters)
    hidden = read_surface(tools_of(numbered))
    report("names obfuscated", hidden, gold, original, verbose=options.verbose)
    return 0


if __name__ == "__main__":
    sys.exit(main())
