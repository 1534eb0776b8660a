"""Measure Pass@10: how often one of at most 10 candidates is a value that the server knows.

    python -m benchmarks.leave_one_out FOLDER [NAME …] [--verbose]

FOLDER is that of `benchmarks.servers`: running servers, each with `docs/` and a `gold.json` whose
endpoints hold a `call` that was proved. Each API is held out in turn:

1. Its documentation is read, and every documented parameter value is taken out
   (`benchmarks.without_examples`).
2. It is run in waves, as a compile does, so that its own answers fill the value database: a Chroma
   store on disk, which all APIs share, under rules that keep their hosts apart.
3. The parameters that need an existing value are told by the server, not by us. A parameter counts
   if it is a path parameter or a required one, without an enumeration, its endpoint's proved call
   gives true information, and of 6 random values of the same shape (digit for digit, letter for
   letter, from a fixed seed) in its place fewer than 3 do: a count that may be any number, or a
   text that is only echoed, needs nothing that exists, and among identifiers that lie densely from
   1 on (which also falls out) a guess is as good. The verdicts are the compiler's own
   (`validate.classify`).
4. A parameter passes if one of its at most 10 candidates makes the call give true information, the
   other parameters being as in the proved call, or, where a candidate came from another record than
   that, as in the candidate's own. Values that the endpoint itself answered with are no candidates.

`database` takes the candidates that the compiler finds in the values read back from the store (and
the places and the clock of the run, which are not stored), guesses left out. `chosen` is what the
compiler tries: these, then its own guesses where no object needs to exist (a status, a count).
`guessed` takes those that the compiler guesses from name and type with an empty store, filled up to
10 with the usual ones of that type. Every call is a GET through the sandbox and its gateway. Must
show: `database` at least twice `guessed`.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import re
import string
import tempfile
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.parse import parse_qsl, unquote, urlsplit

from benchmarks.servers import configure, template
from benchmarks.without_examples import without_examples
from doc2tools.compiler.emit.package import stage_sources
from doc2tools.compiler.ir.base import JsonValue
from doc2tools.compiler.ir.exchange import Request
from doc2tools.compiler.ir.options import CompileOptions
from doc2tools.compiler.ir.outcome import Argument
from doc2tools.compiler.ir.spec import ApiSpec, Endpoint, Parameter
from doc2tools.compiler.passes.normalise import normalise
from doc2tools.compiler.pipeline import extract_docs
from doc2tools.compiler.validate.choices import Choice, choices
from doc2tools.compiler.validate.control import Control
from doc2tools.compiler.validate.plan import ArgumentSet, argument_sets, refusal
from doc2tools.compiler.validate.records import surroundings
from doc2tools.compiler.validate.run import validate_with
from doc2tools.compiler.validate.tool_run import Context, call_tool
from doc2tools.compiler.writing import main_policy
from doc2tools.config import build_options, read_config
from doc2tools.param_db.chroma import Folder
from doc2tools.param_db.embedding import embedder
from doc2tools.param_db.entry import host_of
from doc2tools.param_db.fit import fits, shaped
from doc2tools.param_db.meaning import Meaning
from doc2tools.param_db.naming import path_noun, path_shape, placeholders, resource_before
from doc2tools.param_db.store import StoredValues, stored_values
from doc2tools.param_db.values import Value, ValueStore
from doc2tools.sandbox.gateway import Gateway
from doc2tools.sandbox.recordings import Recordings
from doc2tools.sandbox.sandbox import Sandbox

SOURCES = ("database", "chosen", "guessed")
LIMIT = 10
RANDOM = 6


@dataclass
class Figures:
    """What was measured on one API."""

    name: str
    needed: int = 0
    passed: dict[str, int] = field(default_factory=lambda: dict.fromkeys(SOURCES, 0))
    first: dict[str, int] = field(default_factory=lambda: dict.fromkeys(SOURCES, 0))
    lines: list[str] = field(default_factory=list[str])
    unmatched: int = 0


@dataclass(frozen=True)
class Candidate:
    """A value to try, and the other arguments that belong to it."""

    value: JsonValue
    beside: dict[str, JsonValue] = field(default_factory=dict[str, JsonValue])
    proved: bool = False


@dataclass
class Bench:
    """One API under measurement."""

    spec: ApiSpec
    context: Context
    run: ValueStore
    store: StoredValues
    host: str

    def works(self, endpoint: Endpoint, given: dict[str, JsonValue], *, proved: bool) -> bool:
        """Tell whether a call gives true information."""
        arguments = tuple(
            Argument(name=one.name, value=given[one.name], origin="observed")
            for one in endpoint.parameters
            if one.name in given
        )
        tried = call_tool(endpoint, ArgumentSet(arguments, proved), self.context)
        return tried.good

    def view(self, endpoint: Endpoint) -> ValueStore:
        """Give the values that the store holds for the host, but for the endpoint's own answers."""
        view = ValueStore(Meaning(embedder))
        kept = (one.as_value() for one in self.store.every(self.host))
        view.add(one for one in kept if one.endpoint != endpoint.name)
        view.add(one for one in self.run if one.resource.startswith("@"))
        return view

    def candidates(self, parameter: Parameter, endpoint: Endpoint, source: str) -> list[Candidate]:
        """Give at most `LIMIT` candidates, best first."""
        options = self.context.options
        if source == "guessed":
            found = list(choices(parameter, endpoint, options, ValueStore()))
            for value in usual(parameter, endpoint):
                choice = Choice(shaped(value, parameter), "guessed", "usual")
                if fits(choice.value, parameter):
                    found.append(choice)
            return distinct(Candidate(one.value) for one in found)
        view = self.view(endpoint)
        around = surroundings(self.spec.endpoints)
        around.records.add(view)
        listed = choices(parameter, endpoint, options, view, around)
        held = [
            Candidate(one.value, beside(parameter, endpoint, one), proved=one.proved)
            for one in listed
            if one.origin != "guessed"
        ]
        for chosen in argument_sets(endpoint, options, view, around):
            sent = {one.name: one.value for one in chosen.arguments if one.origin != "guessed"}
            if parameter.name in sent:
                held.append(Candidate(sent[parameter.name], sent, proved=chosen.proved))
        if source == "chosen":
            held += [Candidate(one.value) for one in listed if one.origin == "guessed"]
        return distinct(held)

    def rank(
        self, parameter: Parameter, endpoint: Endpoint, proved: dict[str, JsonValue], source: str
    ) -> int:
        """Give the place of the first candidate that works, 0 for none."""
        for place, one in enumerate(self.candidates(parameter, endpoint, source), 1):
            sent = proved | one.beside | {parameter.name: one.value}
            if self.works(endpoint, sent, proved=one.proved):
                return place
        return 0


def distinct(found: Iterable[Candidate]) -> list[Candidate]:
    """Give the first `LIMIT` candidates of different values."""
    taken: dict[str, Candidate] = {}
    for one in found:
        taken.setdefault(repr(one.value), one)
    return list(taken.values())[:LIMIT]


def usual(parameter: Parameter, endpoint: Endpoint) -> Iterator[JsonValue]:
    """Give what anyone would guess from a parameter's name and type."""
    numbers: tuple[JsonValue, ...] = (1, 2, 3, 0, 10, 5, 100, 1000, 42, 7)
    if parameter.type in {"integer", "number"}:
        yield from numbers
        return
    noun = resource_before(endpoint.path, parameter.name)[0] or path_noun(endpoint.path)
    yield from (1, parameter.name, noun, "test", "example", "default", "main", "admin", "foo", "en")
    yield from numbers


def beside(parameter: Parameter, endpoint: Endpoint, choice: Choice) -> dict[str, JsonValue]:
    """Give the path arguments of the call that a candidate came from, where they are its own."""
    held = choice.held
    head = endpoint.path.partition("{" + parameter.name + "}")[0]
    outer = placeholders(head)
    if held is None or len(held.context) != len(outer) or path_shape(head) != held.collection:
        return {}
    return dict(zip(outer, held.context, strict=True))


def proved_values(endpoint: Endpoint, call: str) -> dict[str, JsonValue] | None:
    """Read the arguments out of a proved call, or give `None` if it is of another template."""
    parts = urlsplit(call)
    pieces = re.split(r"\{[^{}]*\}", endpoint.path)
    found = re.fullmatch("(.+)".join(re.escape(piece) for piece in pieces), parts.path)
    if found is None:
        return None
    names = placeholders(endpoint.path)
    values: dict[str, JsonValue] = dict(zip(names, map(unquote, found.groups()), strict=True))
    known = {parameter.name for parameter in endpoint.parameters}
    values |= {name: value for name, value in parse_qsl(parts.query) if name in known}
    types = {parameter.name: parameter for parameter in endpoint.parameters}
    return {name: shaped(value, types[name]) for name, value in values.items() if name in types}


def measured(bench: Bench, gold: dict[str, Any], figures: Figures) -> None:
    """Fill in the figures of one API."""
    by_path: dict[str, Endpoint] = {}
    for endpoint in bench.spec.endpoints:
        if endpoint.method == "GET" and refusal(endpoint, bench.context.options) is None:
            by_path.setdefault(template(endpoint.path), endpoint)
    for known in gold["endpoints"]:
        if not known["answers"] or known.get("changes_state") or not known.get("call"):
            continue
        endpoint = by_path.get(template(known["path"]))
        values = proved_values(endpoint, known["call"]) if endpoint else None
        if endpoint is None or values is None:
            figures.unmatched += 1
            continue
        for parameter in endpoint.parameters:
            if parameter.name in values and (parameter.required or parameter.location == "path"):
                one_parameter(bench, endpoint, parameter, values, figures)


def one_parameter(
    bench: Bench,
    endpoint: Endpoint,
    parameter: Parameter,
    values: dict[str, JsonValue],
    figures: Figures,
) -> None:
    """Measure one parameter, if it needs an existing value."""
    if parameter.enum or not bench.works(endpoint, values, proved=True):
        return
    rng = random.Random(endpoint.name + parameter.name)  # noqa: S311 - the same values in every run
    held = values[parameter.name]
    others = [shaped(alike(str_of(held), rng), parameter) for _ in range(RANDOM)]
    working = [
        bench.works(endpoint, values | {parameter.name: other}, proved=False) for other in others
    ]
    if sum(working) * 2 >= RANDOM:
        return
    figures.needed += 1
    places = {source: bench.rank(parameter, endpoint, values, source) for source in figures.passed}
    for source, place in places.items():
        figures.passed[source] += place > 0
        figures.first[source] += place == 1
    shown = ", ".join(f"{source} {place or '-'}" for source, place in places.items())
    figures.lines.append(f"{endpoint.path} {parameter.name}={held!r}: {shown}")


def str_of(value: JsonValue) -> str:
    """Give a value as it is sent."""
    return ",".join(map(str, value)) if isinstance(value, list) else str(value)


def alike(text: str, rng: random.Random) -> str:
    """Give another text of the same shape: digits for digits, letters for letters."""
    kinds = (string.digits, string.ascii_lowercase, string.ascii_uppercase)
    pools = {character: kind for kind in kinds for character in kind}
    while True:
        made = "".join(rng.choice(pools.get(character, character)) for character in text)
        if made != text or not set(text) & pools.keys():
            return made


def settle(server: Path, gold: dict[str, Any], work: Path) -> tuple[ApiSpec, CompileOptions]:
    """Read an API's documentation and take every documented value out."""
    config, environment = configure(gold, work)
    os.environ.update(environment)
    given: dict[str, JsonValue] = {"allow": ["GET"], "llm": "off"}
    options = build_options(read_config(config), given, str(config))
    drafts = extract_docs([str(server / "docs")], options, state=None).drafts
    return without_examples(normalise(drafts, options)[0]), options


def measure(server: Path, work: Path, store: StoredValues) -> Figures:
    """Hold one API out."""
    gold: dict[str, Any] = json.loads((server / "gold.json").read_text())
    work.mkdir(parents=True)
    spec, options = settle(server, gold, work)
    figures = Figures(server.name)
    bases = sorted({one.base_url for one in spec.endpoints if one.base_url})
    policy = main_policy(options, bases, spec.endpoints)
    gateway = Gateway(policy, options, options.base_url, Recordings(None))
    with gateway, Sandbox(gateway, options.sandbox, options.limits.concurrency) as sandbox:
        root = sandbox.load(stage_sources("held_out", options.base_url, spec.endpoints, options))
        run = ValueStore(Meaning(embedder))
        sent: list[Request] = []

        def send(request: Request) -> Any:  # noqa: ANN401 - passed on
            sent.append(request)
            return gateway.exchange(request)

        validate_with(spec, options, sandbox, root, lambda _: None, values=run, send=send)
        host = host_of(options.base_url)
        answered: list[Value] = [value for value in run if value.origin != "documented"]
        store.save(answered, host)
        context = Context(
            sandbox,
            Control(send, spec.endpoints),
            root,
            options,
            run,
            lambda _: None,
            lambda: False,
        )
        measured(Bench(spec, context, run, store, host), gold, figures)
    return figures


def show(figures: Figures, *, verbose: bool) -> None:
    """Print one API's figures."""
    parts = [f"{figures.name:<11} needed {figures.needed:>3}"]
    for source, passed in figures.passed.items():
        share = 100 * passed / figures.needed if figures.needed else 0
        parts.append(f"{source} {passed} ({share:.0f}%), first {figures.first[source]}")
    parts.append(f"not matched {figures.unmatched}")
    print("  ".join(parts))
    for line in figures.lines if verbose else ():
        print(f"    {line}")


def total(all_figures: Sequence[Figures]) -> Figures:
    """Add the figures up."""
    whole = Figures("all")
    for one in all_figures:
        whole.needed += one.needed
        whole.unmatched += one.unmatched
        for source in whole.passed:
            whole.passed[source] += one.passed[source]
            whole.first[source] += one.first[source]
    return whole


def main() -> None:
    """Measure the servers named, and print a line for each."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("folder", type=Path)
    parser.add_argument("names", nargs="*")
    parser.add_argument("--verbose", action="store_true")
    arguments = parser.parse_args()
    servers = sorted(path.parent for path in arguments.folder.glob("*/gold.json"))
    chosen = [one for one in servers if not arguments.names or one.name in arguments.names]
    found: list[Figures] = []
    with tempfile.TemporaryDirectory() as work:
        place = Folder(Path(work) / "params")
        with stored_values(place, embedder()) as store:
            for server in chosen:
                found.append(measure(server, Path(work) / server.name, store))
                show(found[-1], verbose=arguments.verbose)
    whole = total(found)
    show(whole, verbose=False)
    guessed = whole.passed["guessed"]
    if guessed:
        print(f"database / guessed: {whole.passed['database'] / guessed:.2f}")


if __name__ == "__main__":
    main()
