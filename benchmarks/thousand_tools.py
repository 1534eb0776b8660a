"""Writes a package of any number of tools: an invented office's API, each endpoint with an answer.

`python -m benchmarks.thousand_tools OUT --number 1000` compiles nothing; it renders a plan.
"""

from __future__ import annotations

import argparse
import itertools
import json
from collections.abc import Iterator
from pathlib import Path

from doc2tools.compiler.emit.package import render_package
from doc2tools.compiler.emit.write import write_project
from doc2tools.compiler.ir.exchange import Exchange, Request, Response
from doc2tools.compiler.ir.options import CompileOptions
from doc2tools.compiler.ir.outcome import Argument, Attempt, Tool, Validated, Verdict
from doc2tools.compiler.ir.plan import PackagePlan
from doc2tools.compiler.ir.source import Span
from doc2tools.compiler.ir.spec import ApiSpec, Effect, Endpoint, Example, Parameter

# Things that real services manage, near to and far from what requests ask for.
_THINGS = """
invoice customer order shipment warehouse supplier contract payment refund subscription coupon
product category review cart employee vacation payslip shift meeting room desk visitor badge
ticket incident runbook dashboard panel datasource pipeline build artifact branch commit issue
release container image volume network cluster namespace secret certificate domain record zone
playlist podcast episode artist concert venue seat photo gallery video caption document folder
comment template workflow trigger schedule sensor device gateway firmware reading threshold
vehicle driver journey stop timetable fare parcel courier depot hotel booking guest recipe
ingredient menu table course lesson student grade exam book loan member branch patient doctor
prescription ward flight gate passenger account transfer card loan budget survey question
"""
THINGS = tuple(dict.fromkeys(_THINGS.split()))
ACTIONS = (
    ("list_{}s", "GET", "/{}s", "List the {}s, the newest first."),
    ("get_{}", "GET", "/{}s/{{id}}", "Give one {} with all its details."),
    ("search_{}s", "GET", "/{}s/search", "Find {}s by words in their name or description."),
    ("count_{}s", "GET", "/{}s/count", "Count the {}s, by state."),
    ("get_{}_history", "GET", "/{}s/{{id}}/history", "Say who changed the {}, and when."),
    ("list_{}_tags", "GET", "/{}s/{{id}}/tags", "List the tags of a {}."),
    ("get_{}_owner", "GET", "/{}s/{{id}}/owner", "Say who is responsible for a {}."),
    ("export_{}s", "GET", "/{}s/export", "Export all {}s as a file for a spreadsheet."),
    ("get_{}_statistics", "GET", "/{}s/statistics", "Give figures on the {}s of the last month."),
)
ANSWER = {
    "id": 7,
    "name": "first",
    "state": "open",
    "created": "2024-05-06T04:00:00Z",
    "items": [{"id": 1, "amount": 2.5, "label": "one"}],
    "next": None,
}


def endpoints(number: int, base_url: str) -> Iterator[Endpoint]:
    """Give that many different endpoints; only the first thousand or so read well."""
    pairs = itertools.product(ACTIONS, THINGS)
    for at, ((name, method, path, text), thing) in enumerate(itertools.islice(pairs, number)):
        parameters = [
            Parameter(
                name="limit",
                identifier="limit",
                location="query",
                type="integer",
                default=20,
                description=f"How many {thing}s to give at most.",
            ),
            Parameter(
                name="state",
                identifier="state",
                location="query",
                type="string",
                enum=("open", "closed", "archived"),
                description=f"Only {thing}s in this state.",
            ),
        ]
        if "{{id}}" in path:
            parameters.insert(
                0,
                Parameter(
                    name="id",
                    identifier="id",
                    location="path",
                    type="integer",
                    required=True,
                    examples=(Example(value=7),),
                    description=f"Number of the {thing}.",
                ),
            )
        yield Endpoint(
            name=name.format(thing),
            group=thing,
            summary=text.format(thing),
            method=method,
            base_url=base_url,
            path=path.format(thing),
            parameters=tuple(parameters),
            effect=Effect(kind="read", reason=method),
            spans=(Span(page="office.md", start=at * 10 + 1, end=at * 10 + 9),),
        )


def write_package(out: Path, number: int, base_url: str, name: str = "office") -> Path:
    """Write the package below `out` and give its folder."""
    listed = tuple(endpoints(number, base_url))
    plan = PackagePlan(
        name=name,
        base_url=base_url,
        spec=ApiSpec(title="Office", endpoints=listed),
        tools=tuple(_validated(endpoint) for endpoint in listed),
        options=CompileOptions(allow=("GET",), base_url=base_url),
    )
    folder = out / name
    write_project(folder, render_package(plan))
    return folder


def _validated(endpoint: Endpoint) -> Tool:
    given = tuple(
        Argument(name=p.name, value=7, origin="documented")
        for p in endpoint.parameters
        if p.required
    )
    url = endpoint.url.replace("{id}", "7")
    exchange = Exchange(
        request=Request(method=endpoint.method, url=url),
        response=Response(
            status=200,
            headers={"content-type": "application/json"},
            body=json.dumps(ANSWER),
        ),
    )
    verdict = Verdict(verdict="information", cause="ok", message="200 with JSON")
    attempt = Attempt(arguments=given, exchange=exchange, verdict=verdict)
    return Tool(endpoint=endpoint, outcome=Validated(attempt=attempt))


def main() -> None:
    """Write a package."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("out", type=Path)
    parser.add_argument("--number", type=int, default=1_000)
    parser.add_argument("--base-url", default="http://127.0.0.1:9")
    options = parser.parse_args()
    print(write_package(options.out, options.number, options.base_url))


if __name__ == "__main__":
    main()
