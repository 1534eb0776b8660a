"""Measure the value database with a catalogue of many values.

    python -m benchmarks.param_scale [--values 100000] [--queries 300] [--server]

An invented catalogue: 8 hosts with resources, fields and records, about 5,000 fields in all, so
that a field holds at most as many values as the store keeps. Measured are insertion (values a
second, embedding included), a query for the candidates of one parameter (median and 95th
percentile, milliseconds) against the store on disk and against the view in memory, how many of the
best 10 the two have in common, and peak memory (MiB). `--server` measures a Chroma server, started
on loopback, instead of the store on disk. Must show: over 2,000 values/s and under 20 ms.
"""

from __future__ import annotations

import argparse
import random
import resource
import statistics
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path

from benchmarks.chroma_server import chroma_server
from doc2tools.compiler.ir.spec import Effect, Endpoint, Parameter
from doc2tools.param_db.chroma import Folder, Place, place_of
from doc2tools.param_db.embedding import embedder
from doc2tools.param_db.meaning import Meaning
from doc2tools.param_db.store import KEPT_PER_FIELD, StoredValues, stored_values
from doc2tools.param_db.values import Value, ValueStore

HOSTS = 8
FIELDS = ("id", "name", "code", "owner_id", "status", "region", "label", "created_on")
ADJECTIVES = """
    red blue old new inner outer public private main local remote daily weekly open closed north
    south east west upper lower early late short long small large prime second third base
"""
NOUNS = """
    station river flight parcel invoice recipe planet song museum bridge garden ticket engine
    vessel harbour sensor orchard library theatre chapter
"""
SAVE = 1000
"""Values that one call of `save` brings: what a large compile has."""


def host(number: int) -> str:
    """Give the name of an invented host."""
    return f"api{number}.example.org"


def resources(number: int) -> list[str]:
    """Give the resources of a host: a part is its own, a part common to all."""
    names = [f"{adjective}_{noun}" for adjective in ADJECTIVES.split() for noun in NOUNS.split()]
    return names[number * 70 :][:80]


def catalogue(count: int) -> Iterator[tuple[str, list[Value]]]:
    """Give `count` values in batches of one host."""
    rng = random.Random(5)  # noqa: S311 - an invented catalogue
    made = 0
    record = 0
    batches: dict[str, list[Value]] = {host(number): [] for number in range(HOSTS)}
    while made < count:
        number = record % HOSTS
        names = resources(number)
        # Records of one resource come one after the other, as an answer lists them.
        noun = names[(record // (HOSTS * KEPT_PER_FIELD)) % len(names)]
        batch = batches[host(number)]
        for field in FIELDS:
            text: str | int = rng.randrange(10**9)
            text = text if field.endswith("id") else f"{noun[:4]}-{text:x}"
            batch.append(
                Value(
                    name=field,
                    value=text,
                    resource=noun,
                    endpoint=f"list_{noun}",
                    field_path=f"items[].{field}",
                    record=f"list_{noun}()/items[{record}]",
                    collection=f"/{noun}",
                )
            )
        made += len(FIELDS)
        record += 1
        if len(batch) >= SAVE:
            yield host(number), batch
            batches[host(number)] = []
    yield from ((name, batch) for name, batch in batches.items() if batch)


def questions(count: int) -> Iterator[tuple[str, Parameter, Endpoint]]:
    """Give parameters of invented endpoints, path and query ones."""
    rng = random.Random(7)  # noqa: S311 - an invented catalogue
    for _ in range(count):
        number = rng.randrange(HOSTS)
        noun = rng.choice(resources(number))
        kind = rng.choice(("id", f"{noun}_id", "code", "region", "owner_id"))
        in_path = kind in {"id", f"{noun}_id", "code"}
        parameter = Parameter(
            name=kind, identifier=kind, location="path" if in_path else "query", required=in_path
        )
        path = f"/{noun}/{{{kind}}}" if in_path else f"/{noun}"
        effect = Effect(kind="read", reason="GET")
        endpoint = Endpoint(
            name="tool", group="g", method="GET", path=path, parameters=(parameter,), effect=effect
        )
        yield host(number), parameter, endpoint


def timed(ask: Callable[[], tuple[Value, ...]]) -> tuple[tuple[float, float], tuple[Value, ...]]:
    """Give the milliseconds that a question took, by the wall and of CPU, and its answer."""
    began, before = time.perf_counter(), time.process_time()
    found = ask()
    worked = time.process_time() - before
    return ((time.perf_counter() - began) * 1000, worked * 1000), found


def peak() -> int:
    """Give the peak memory of this process in MiB."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024


def insert(store: StoredValues, views: dict[str, ValueStore], count: int) -> None:
    """Fill the store and the views, and print how fast."""
    took = worked = written = 0.0
    for name, batch in catalogue(count):
        views[name].add(batch)
        began, before = time.perf_counter(), time.process_time()
        written += store.save(batch, name)
        took += time.perf_counter() - began
        worked += time.process_time() - before
    print(
        f"insertion: {written:.0f} values in {took:.1f} s, {written / took:.0f}/s "
        f"({written / worked:.0f} a second of CPU); held {len(store)}"
    )


def ask(store: StoredValues, views: dict[str, ValueStore], count: int) -> None:
    """Ask both for candidates, and print how fast and how alike."""
    times: dict[str, list[tuple[float, float]]] = {"store": [], "memory": []}
    common = wanted = 0
    for name, parameter, endpoint in questions(count):
        spent, kept = timed(lambda: store.candidates(parameter, endpoint, name))  # noqa: B023
        times["store"].append(spent)
        spent, held = timed(lambda: views[name].candidates(parameter, endpoint))  # noqa: B023
        times["memory"].append(spent)
        fields = {value.field_path for value in held}
        wanted += len(held)
        common += sum(1 for value in kept if value.field_path in fields)
    for place, spent in times.items():
        wall = sorted(one for one, _ in spent)
        worked = statistics.median(one for _, one in spent)
        print(
            f"query ({place}): median {statistics.median(wall):.1f} ms ({worked:.1f} ms of CPU), "
            f"95% under {wall[int(len(wall) * 0.95)]:.1f} ms"
        )
    print(f"candidates: {wanted} in memory; {common} of the same fields from the store")


def main() -> None:
    """Measure, and print a line for each figure."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--values", type=int, default=100_000)
    parser.add_argument("--queries", type=int, default=300)
    parser.add_argument("--server", action="store_true")
    arguments = parser.parse_args()
    model = embedder()
    before = peak()
    views = {host(number): ValueStore(Meaning(embedder)) for number in range(HOSTS)}
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        place: Place = Folder(folder / "params")
        if arguments.server:
            place = place_of(stack.enter_context(chroma_server(folder)), folder)
        with stored_values(place, model) as store:
            insert(store, views, arguments.values)
            ask(store, views, arguments.queries)
        began = time.perf_counter()
        with stored_values(place, model) as store:
            opened = time.perf_counter() - began
            spent = [
                timed(lambda: store.candidates(parameter, endpoint, name))[0][0]  # noqa: B023
                for name, parameter, endpoint in questions(20)
            ]
        again = statistics.median(spent)
        print(f"opened again: {opened:.2f} s; first query {spent[0]:.0f} ms, median {again:.1f} ms")
    print(f"memory: peak {peak()} MiB, {before} MiB before the first value")


if __name__ == "__main__":
    main()
