"""The graph's first two stages over generated toolkits of growing size: time, memory, recall.

    python -m benchmarks.graph_scale [TOOLS …] [--apis N]

Each toolkit is made of resources as specifications describe them: list, search, read, create,
sub-resource and action endpoints, answers with wrapped lists, references to other resources, and
fields with types and descriptions; about 1.5 parameters and 11 fields a tool, so that 5,500 tools
have 8,000 parameters and 60,000 fields. `--apis` spreads the resources over several base URLs. The
true edges are known from the making: a field holds the identifier of the resource that a path
parameter asks for. Each size runs in a process of its own. Printed: seconds for the whole build
(the embedding model's loading included), seconds of processor time, milliseconds a tool, peak of
resident memory, the edges that are left after each stage, source tools for a parameter, the share
of path parameters that have a true source among theirs, and the share of the kept edges of path
parameters that are true.
"""

from __future__ import annotations

import argparse
import multiprocessing
import random
import resource
import sys
import time
from collections.abc import Iterator
from multiprocessing.connection import Connection

from doc2tools.compiler.graph.build import candidate_graph
from doc2tools.compiler.ir.base import ValueType
from doc2tools.compiler.ir.draft import AnswerField
from doc2tools.compiler.ir.graph import DependencyGraph
from doc2tools.compiler.ir.outcome import Tool, Unvalidated
from doc2tools.compiler.ir.spec import Effect, Endpoint, Parameter

SIZES = (500, 1_000, 2_000, 5_500, 16_000)
HEADS = (
    "order", "invoice", "shipment", "customer", "voucher", "parcel", "locker", "courier", "refund",
    "depot", "pallet", "manifest", "carrier", "tariff", "permit", "account", "project", "ticket",
    "branch", "policy", "claim", "vehicle", "driver", "route", "station", "sensor", "device",
    "reading", "alert", "playlist", "track", "artist", "album", "recipe", "ingredient", "menu",
    "booking", "hotel", "room", "flight", "airport", "passenger", "lesson", "course", "student",
)  # fmt: skip
MODIFIERS = (
    "", "sales", "purchase", "delivery", "archived", "shared", "public", "rental", "partner",
    "regional", "draft", "master", "linked", "external", "service", "training", "harbour", "night",
    "mountain", "river", "garden", "winter", "city", "school", "museum", "library", "factory",
)  # fmt: skip
COMMON: tuple[tuple[str, ValueType, str], ...] = (
    ("name", "string", "Display name"),
    ("created_at", "string", "When it was created"),
    ("updated_at", "string", "When it was changed last"),
    ("status", "string", "Current state"),
    ("description", "string", "Free text"),
    ("total", "number", "Sum of all amounts"),
    ("currency", "string", "ISO 4217 code"),
    ("enabled", "boolean", "Whether it is in use"),
    ("version", "integer", "Counts the changes"),
    ("tags", "string", "Labels"),
)
OPTIONS = ("page", "per_page", "sort", "fields", "language")
READ = Effect(kind="read", reason="GET")
WRITE = Effect(kind="write", reason="POST", idempotent=False)
UNCALLED = Unvalidated(cause="no-parameter-value", reason="nothing is called here")


def nouns(count: int) -> list[str]:
    """Give distinct resource names, `sales_order` and the like; numbered once words run out."""
    plain = [f"{one}_{head}".strip("_") for one in MODIFIERS for head in HEADS]
    found = plain[:count]
    for number in range(2, 2 + count // len(plain)):
        found.extend(f"{noun}{'abcdefghijklmnop'[number % 16] * number}" for noun in plain)
    return found[:count]


def fields_of(
    noun: str, others: list[str], rng: random.Random, *, prefix: str
) -> list[AnswerField]:
    """Describe the record of a resource: common fields, some of its own, some references."""
    kind: ValueType = "string" if len(noun) % 3 == 0 else "integer"
    words = noun.replace("_", " ")
    found = [AnswerField(path=f"{prefix}id", type=kind, description=f"Identifier of the {words}")]
    for name, type_, told in rng.sample(COMMON, 6):
        found.append(AnswerField(path=f"{prefix}{name}", type=type_, description=told))
    kind_name = f"{prefix}{noun.rpartition('_')[2]}_kind"
    found.append(AnswerField(path=kind_name, type="string", description="Kind"))
    for other in rng.sample(others, min(3, len(others))):
        reference = f"{prefix}{other}_id"
        found.append(AnswerField(path=reference, description=f"The {other} it belongs to"))
    return found


def resource_tools(noun: str, base: str, others: list[str], rng: random.Random) -> Iterator[Tool]:
    """Make the six tools of a resource."""
    plural, words = f"{noun}s", noun.replace("_", " ")
    kind: ValueType = "string" if len(noun) % 3 == 0 else "integer"
    own = Parameter(
        name=rng.choice((f"{noun}_id", "id", f"{noun}Id")),
        identifier="own_id",
        location="path",
        type=kind,
        required=True,
        description=rng.choice(("", f"ID of the {words}", "The identifier")),
    )
    option = rng.choice(OPTIONS)
    page = Parameter(name=option, identifier=option, location="query", type="integer")
    text = Parameter(name="q", identifier="q", location="query", type="string")
    label = Parameter(name="name", identifier="name", location="body", type="string")
    other = f"{rng.choice(others or [noun])}_id"
    narrow = Parameter(name=other, identifier=other, location="query", type="string")
    listed = fields_of(noun, others, rng, prefix="data[].")
    single = fields_of(noun, others, rng, prefix="")
    root, one = f"/v1/{plural}", f"/v1/{plural}/{{{own.name}}}"
    record = "entries" if rng.random() < 0.5 else "notes"
    inner = [
        AnswerField(path="items[].id", type="integer", description=f"Identifier of the {record}"),
        *(AnswerField(path=f"items[].{name}", type=type_) for name, type_, _ in COMMON[:8]),
    ]
    shapes = (
        (f"list_{plural}", "GET", root, (page, narrow), listed, f"List {words}s"),
        (f"search_{plural}", "GET", f"{root}/search", (page, text), listed, f"Find {words}s"),
        (f"get_{noun}", "GET", one, (own,), single, f"Read one {words}"),
        (f"create_{noun}", "POST", root, (label,), single, f"Add a {words}"),
        (f"get_{noun}_{record}", "GET", f"{one}/{record}", (own, page), inner, f"Its {record}"),
        (f"cancel_{noun}", "POST", f"{one}/cancel", (own,), single, f"Cancel a {words}"),
    )
    for name, method, path, parameters, fields, summary in shapes:
        endpoint = Endpoint(
            name=name if not base.endswith("0") else f"{name}_{base[-2:]}",
            group="tools",
            summary=summary,
            method=method,
            base_url=base,
            path=path,
            parameters=parameters,
            answer_fields=tuple(fields),
            effect=READ if method == "GET" else WRITE,
        )
        yield Tool(endpoint=endpoint, outcome=UNCALLED)


def toolkit(tools: int, apis: int) -> list[Tool]:
    """Make a toolkit of `tools` tools; the same for the same arguments."""
    rng = random.Random(tools)  # noqa: S311 - the benchmark's own toolkits, always the same
    names = nouns(tools // 6 + 1)
    found: list[Tool] = []
    for number, noun in enumerate(names):
        start = number % apis
        others = [names[place] for place in range(start, len(names), apis) if place != number]
        found.extend(resource_tools(noun, f"https://api{number % apis}.test", others, rng))
    return found[:tools]


def asked_noun(tool: Tool) -> str:
    """Give the resource that a tool's path parameter asks for."""
    return tool.endpoint.path.split("/")[2][:-1]


def given_noun(tool: Tool, path: str) -> str:
    """Give the resource that a field identifies; "" for one that identifies none."""
    name = path.rpartition(".")[2]
    if name == "id":
        return "" if path.startswith("items") else asked_noun(tool)
    return name.removesuffix("_id") if name.endswith("_id") else ""


def quality(graph: DependencyGraph, tools: list[Tool]) -> tuple[float, float]:
    """Give the share of path parameters with a true source, and of true edges among theirs."""
    by_name = {tool.endpoint.name: tool for tool in tools}
    fed: set[str] = set()
    right = total = 0
    for edge in graph.edges:
        target = by_name[edge.target]
        if f"{{{edge.parameter}}}" not in target.endpoint.path:
            continue
        true = given_noun(by_name[edge.source], edge.field) == asked_noun(target)
        total += 1
        right += true
        if true:
            fed.add(edge.target)
    asking = sum("{" in tool.endpoint.path for tool in tools)
    return len(fed) / max(1, asking), right / max(1, total)


def measure(tools: int, apis: int, pipe: Connection) -> None:
    """Build one graph and send the figures."""
    made = toolkit(tools, apis)
    parameters = sum(len(tool.endpoint.parameters) for tool in made)
    fields = sum(len(tool.endpoint.answer_fields) for tool in made)
    before = time.process_time()
    began = time.perf_counter()
    graph = candidate_graph(made)
    seconds = time.perf_counter() - began
    used = resource.getrusage(resource.RUSAGE_SELF)
    peak = used.ru_maxrss // 1024
    processor = used.ru_utime + used.ru_stime - before
    edges = [stage.edges for stage in graph.stages]
    sources = graph.stages[-1].sources
    pipe.send((parameters, fields, seconds, processor, peak, edges, sources, *quality(graph, made)))


def main() -> int:
    """Print the curve."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("tools", nargs="*", type=int, default=list(SIZES))
    parser.add_argument("--apis", type=int, default=1)
    options = parser.parse_args()
    context = multiprocessing.get_context("spawn")
    print(
        "tools params  fields seconds   CPU ms/tool peak-MB      complete  similar judged"
        "  src  fed true"
    )
    for tools in options.tools or SIZES:
        here, there = context.Pipe(duplex=False)
        process = context.Process(target=measure, args=(tools, options.apis, there))
        process.start()
        parameters, fields, seconds, processor, peak, edges, sources, fed, true = here.recv()
        process.join()
        complete, similar, judged = edges
        print(
            f"{tools:>5} {parameters:>6} {fields:>7} {seconds:>7.1f} {processor:>5.1f} "
            f"{seconds * 1000 / tools:>7.2f} {peak:>7} {complete:>13} {similar:>8} {judged:>6} "
            f"{sources:>4.1f} {fed:>4.0%} {true:>5.1%}",
            flush=True,
        )
    return 0


if __name__ == "__main__":
    sys.exit(main())
