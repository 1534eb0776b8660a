"""How often search puts the right tool among the first five, in a pool of 1,000 tools.

`python -m benchmarks.serve_search GENERATED` takes a folder of compiled toolkits and the requests
in `cases/serve_requests.tsv` (toolkit, method and path, request in plain words). Every endpoint of
the toolkits is in the pool, proved or not; invented tools fill it up to `--pool`. Requests whose
endpoint the toolkits do not hold are counted apart: they cannot be found.

`cases/serve_requests_oblique.tsv` holds harder requests, which the weights were chosen with: they
avoid the words of the documentation, and some need knowledge of the world.
"""

from __future__ import annotations

import argparse
import json
import re
import time
from dataclasses import dataclass
from pathlib import Path

from benchmarks.thousand_tools import endpoints
from doc2tools.compiler.emit.mcp_tools import JsonObject, definition, exported, served_names
from doc2tools.param_db.embedding import embedder
from doc2tools.serve.catalogue import ServedTool
from doc2tools.serve.search import Index, Texts, by_name, texts_of
from doc2tools.toolkits import toolkits

CASES = Path(__file__).parent / "cases" / "serve_requests.tsv"
FIRST = 5


@dataclass(frozen=True)
class Case:
    """A request and the endpoints that answer it."""

    toolkit: str
    endpoints: frozenset[str]
    request: str


def cases(path: Path) -> list[Case]:
    """Read the requests."""
    found: list[Case] = []
    for line in path.read_text(encoding="utf-8").splitlines():
        toolkit, places, request = line.split("\t")
        right = frozenset(_shape(*place.strip().split(" ", 1)) for place in places.split("|"))
        found.append(Case(toolkit, right, request))
    return found


def _shape(method: str, path: str) -> str:
    return f"{method} {re.sub(r'[{][^{}]*[}]', '{}', path).rstrip('/').lower()}"


def place(tool: ServedTool) -> str:
    """Give a tool's method and path."""
    path = "/" + str(tool.entry["url"]).partition("://")[2].partition("/")[2]
    return _shape(str(tool.entry["method"]), path)


def pool(generated: Path, number: int) -> tuple[list[ServedTool], list[Texts]]:
    """Give the toolkits' tools and the invented ones, and what they are found by."""
    titles: dict[str, str] = {"office": "Office"}
    documented: dict[str, dict[str, JsonObject]] = {"office": {}}
    entries: list[tuple[str, JsonObject]] = []
    for toolkit in toolkits(generated):
        if toolkit.project is None:
            continue
        manifest = toolkit.read()
        titles[toolkit.name] = str(manifest.get("title", ""))
        documented[toolkit.name] = by_name(toolkit.read("endpoints.json"))
        entries += [(toolkit.name, entry) for entry in exported(manifest)]
    missing = max(0, number - len(entries))
    for endpoint in endpoints(missing, "http://127.0.0.1:9"):
        properties: JsonObject = {
            p.identifier: {"type": p.type, "description": p.description}
            for p in endpoint.parameters
        }
        entry: JsonObject = {
            "name": endpoint.name,
            "module": "tools.x",
            "title": "",
            "summary": endpoint.summary,
            "method": endpoint.method,
            "url": endpoint.url,
            "input_schema": {"type": "object", "properties": properties},
        }
        entries.append(("office", entry))
    names = served_names([(kit, str(entry["name"])) for kit, entry in entries])
    tools = [
        ServedTool(name, kit, entry, definition(entry, name))
        for name, (kit, entry) in zip(names, entries, strict=True)
    ]
    texts = [
        texts_of(t, titles[t.toolkit], documented[t.toolkit].get(str(t.entry["name"]), {}))
        for t in tools
    ]
    return tools, texts


def main() -> None:
    """Print the share of requests whose tool is among the first five."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("generated", type=Path)
    parser.add_argument("--cases", type=Path, default=CASES)
    parser.add_argument("--pool", type=int, default=1_000)
    parser.add_argument("--verbose", action="store_true")
    options = parser.parse_args()
    tools, texts = pool(options.generated, options.pool)
    index = Index(texts, embedder)
    held = {(tool.toolkit, place(tool)) for tool in tools}
    index.search("warm", FIRST)
    first = ranked = 0
    absent: list[Case] = []
    missed: list[str] = []
    began = time.perf_counter()
    asked = cases(options.cases)
    for case in asked:
        if not any((case.toolkit, right) in held for right in case.endpoints):
            absent.append(case)
            continue
        ranked += 1
        found = [tools[at] for at in index.search(case.request, FIRST)]
        if any(t.toolkit == case.toolkit and place(t) in case.endpoints for t in found):
            first += 1
        else:
            names = ", ".join(tool.name for tool in found)
            missed.append(f"{case.toolkit} {sorted(case.endpoints)[0]}: {case.request} → {names}")
    seconds = time.perf_counter() - began
    if options.verbose:
        print("\n".join(missed))
        print("\n".join(f"not in the pool: {c.toolkit} {sorted(c.endpoints)}" for c in absent))
    result = {
        "pool": len(tools),
        "of toolkits": sum(tool.toolkit != "office" for tool in tools),
        "requests": ranked,
        "among the first five": first,
        "share": round(first / ranked, 4),
        "not in the pool": len(absent),
        "milliseconds a search": round(1_000 * seconds / max(1, ranked), 2),
    }
    print(json.dumps(result, indent=2))


if __name__ == "__main__":
    main()
