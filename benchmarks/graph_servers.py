"""Measure the proved graph, and the tasks sampled from it, on real servers.

    python -m benchmarks.graph_servers FOLDER [NAME …] [--edges] [--judged FILE] [--known FILE]
                                       [--samples N] [--work DIR]

FOLDER is that of `benchmarks.servers`. Each server is compiled with only base URL and auth
configured, once more to see that nothing is called twice, and the edges of each stage are printed.
`--edges` prints the final edges, to be judged by hand.

`--judged` names a file of final edges with a judgement each: `SERVER SOURCE FIELD TARGET PARAMETER
true|false` in a line, separated by tabs; printed is the precision, and what the file does not
judge. `--known` names a file of all edges that a person finds, `SERVER SOURCE TARGET PARAMETER` in
a line; printed is the share of them that was proved by any field.

`--samples` draws so many tasks over all servers, in turns, checks them by their schema, and prints
how many were drawn, which were rejected and why.
"""

from __future__ import annotations

import argparse
import csv
import json
import os
import tempfile
from collections import Counter
from pathlib import Path
from typing import Any

from benchmarks.servers import configure
from doc2tools.compiler.ir.errors import UsageError
from doc2tools.compiler.ir.graph import DependencyGraph, Edge
from doc2tools.compiler.pipeline import CompileResult, compile_docs
from doc2tools.config import build_options, read_config


def compiled(server: Path, work: Path) -> tuple[CompileResult, CompileResult]:
    """Compile one server's documentation twice."""
    gold: dict[str, Any] = json.loads((server / "gold.json").read_text())
    work.mkdir(parents=True, exist_ok=True)
    config, environment = configure(gold, work)
    os.environ.update(environment)
    options = build_options(
        read_config(config), {"allow": "GET", "name": f"api_{server.name}", "llm": "off"}, "config"
    )
    first = compile_docs([str(server / "docs")], options, work / "generated")
    return first, compile_docs([str(server / "docs")], options, work / "generated")


def show(name: str, first: CompileResult, second: CompileResult, *, edges: bool) -> None:
    """Print one server's stages, and its final edges where asked for."""
    graph = first.plan.graph or DependencyGraph()
    counts = ", ".join(f"{stage.stage} {stage.edges}" for stage in graph.stages)
    stages = Counter(edge.stage for edge in graph.edges)
    print(
        f"{name:<11} {counts}; refuted {stages['refuted']}, untested {stages['untested']}; "
        f"{first.calls} calls to validate, {first.graph_calls} to prove; again: "
        f"{second.calls + second.graph_calls} calls, {len(second.changed)} files changed"
    )
    for edge in proved(graph) if edges else ():
        print("\t".join((name, edge.source, edge.field, edge.target, edge.parameter)))


def proved(graph: DependencyGraph) -> list[Edge]:
    """Give the final edges."""
    return [edge for edge in graph.edges if edge.stage == "proved"]


def precision(graphs: dict[str, DependencyGraph], file: Path) -> None:
    """Print which share of the final edges a person judged to be true."""
    judged = {tuple(row[:5]): row[5] == "true" for row in rows(file)}
    found = [
        (name, edge.source, edge.field, edge.target, edge.parameter)
        for name, graph in graphs.items()
        for edge in proved(graph)
    ]
    known = [key for key in found if key in judged]
    right = sum(judged[key] for key in known)
    share = f"{right / len(known):.3f}" if known else "-"
    print(f"precision: {right} of {len(known)} judged edges are true: {share}")
    for key in found:
        if key not in judged:
            print("  not judged:", *key, sep="\t")
        elif not judged[key]:
            print("  false:", *key, sep="\t")


def recall(graphs: dict[str, DependencyGraph], file: Path) -> None:
    """Print which share of the edges that a person found was proved."""
    wanted: dict[str, set[tuple[str, ...]]] = {}
    for row in rows(file):
        wanted.setdefault(row[0], set()).add(tuple(row[1:4]))
    for name, edges in wanted.items():
        found = {(e.source, e.target, e.parameter) for e in proved(graphs[name])}
        hit = edges & found
        print(f"recall on {name}: {len(hit)} of {len(edges)}: {len(hit) / len(edges):.3f}")
        for edge in sorted(edges - found):
            print("  missed:", *edge, sep="\t")


def rows(file: Path) -> list[list[str]]:
    """Read a file of columns separated by tabs, without comments."""
    lines = [line for line in file.read_text().splitlines() if line and line[0] != "#"]
    return list(csv.reader(lines, delimiter="\t"))


def sample(names: list[str], work: Path, number: int, seed: int) -> None:
    """Draw tasks from each graph, more from the others where one has too few."""
    from doc2tools.compiler.graph.sample.draw import Wanted  # noqa: PLC0415 - loads networkx
    from doc2tools.compiler.graph.sample.model import Sample  # noqa: PLC0415
    from doc2tools.compiler.sampling import sample_tasks  # noqa: PLC0415

    left, total = number, 0
    queries: Counter[str] = Counter()
    rejected: Counter[str] = Counter()
    sizes: dict[str, int] = {}
    for name in names:
        try:
            room = Wanted(number=number, seed=seed)
            out, to = work / name / "generated", work / name / "all-tasks"
            sizes[name] = len(sample_tasks(f"api_{name}", out, to, room).drawn.samples)
        except UsageError:
            sizes[name] = 0
    for place, name in enumerate(sorted(sizes, key=lambda name: (sizes[name], name))):
        share = min(sizes[name], left // (len(sizes) - place))
        if not share:
            print(f"{name:<11} 0 tasks")
            continue
        wanted = Wanted(number=share, seed=seed)
        out, to = work / name / "generated", work / name / "tasks"
        drawn = sample_tasks(f"api_{name}", out, to, wanted)
        left -= len(drawn.drawn.samples)
        rejected.update(drawn.drawn.rejected)
        lines = (to / "tasks.jsonl").read_text().splitlines()
        checked = [Sample.model_validate_json(line) for line in lines]
        queries.update(f"{name}: {one.query}" for one in checked)
        total += len(checked)
        edges = drawn.card["edges"]
        print(f"{name:<11} {len(checked)} tasks; edges {edges}; {drawn.calls} calls")
    twice = sum(count - 1 for count in queries.values())
    print(f"{total} tasks of {number}, valid by schema, every call made; {twice} queries twice")
    print(f"rejected: {dict(rejected.most_common())}")


def main() -> None:
    """Measure the servers named."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("folder", type=Path)
    parser.add_argument("names", nargs="*")
    parser.add_argument("--edges", action="store_true")
    parser.add_argument("--judged", type=Path)
    parser.add_argument("--known", type=Path)
    parser.add_argument("--samples", type=int, default=0)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--work", type=Path, help="keep the output here")
    arguments = parser.parse_args()
    servers = sorted(path.parent for path in arguments.folder.glob("*/gold.json"))
    chosen = [one for one in servers if not arguments.names or one.name in arguments.names]
    work = arguments.work or Path(tempfile.mkdtemp())
    graphs: dict[str, DependencyGraph] = {}
    for server in chosen:
        first, second = compiled(server, work / server.name)
        graphs[server.name] = first.plan.graph or DependencyGraph()
        show(server.name, first, second, edges=arguments.edges)
    total = sum(len(proved(graph)) for graph in graphs.values())
    print(f"{total} final edges on {len(graphs)} servers")
    if arguments.judged:
        precision(graphs, arguments.judged)
    if arguments.known:
        recall(graphs, arguments.known)
    if arguments.samples:
        sample(list(graphs), work, arguments.samples, arguments.seed)


if __name__ == "__main__":
    main()
