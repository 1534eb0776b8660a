"""What a model says of a page counts only where the page says so."""

from __future__ import annotations

import json
from typing import Any

import pytest

from doc2tools.compiler.extract.model import PageProposals, with_proposals
from doc2tools.compiler.extract.model_evidence import EndpointForm, hosts_of, stands
from doc2tools.compiler.extract.model_lines import Line, doubtful, parts, shown_lines
from doc2tools.compiler.extract.page import draft_page
from doc2tools.compiler.ir.draft import EndpointDraft, PageDraft, Quality, Rejected
from doc2tools.compiler.ir.options import CompileOptions
from doc2tools.compiler.ir.source import Span
from doc2tools.compiler.load.read import read_document
from doc2tools.compiler.load.source import Source
from doc2tools.compiler.passes.normalise import normalise

PAGE = """# Harbour notes

Everything is below https://harbour.example/api.

The thing under /berths/{berth}/tides gives the tide of a berth. The `unit` is required.

Also /berths/4/depth tells how deep it is, and `PUT` on /berths/{id}/depth changes that.

Elsewhere: https://weather.example/v1/wind and /guide/knots.
"""
SOURCE = Source(name="notes.md", data=PAGE.encode(), media="markdown")
LINES = shown_lines(read_document(SOURCE))
HOSTS = hosts_of(["https://harbour.example/api"])


def form(**changes: object) -> EndpointForm:
    given = {"method": "GET", "path": "/berths/{berth}/tides", "first_line": 3, "last_line": 3}
    return EndpointForm.model_validate_json(json.dumps(given | changes))


def judged(**changes: object) -> EndpointDraft | Rejected:
    return stands(form(**changes), LINES, HOSTS, "notes.md", "small")


def test_the_lines_are_those_of_the_page() -> None:
    numbers = {line.number: line for line in LINES}
    assert numbers[3].text.startswith("The thing under /berths/{berth}/tides")
    assert numbers[3].span.start == 5


def test_a_path_that_stands_there_is_taken_with_its_line() -> None:
    found = judged(parameters=[{"name": "unit", "required": True, "line": 3}])
    assert isinstance(found, EndpointDraft)
    assert found.path.value == "/berths/{berth}/tides"
    assert [span.start for span in found.path.spans] == [5]
    assert found.method.inferred
    unit = found.parameters[0]
    assert unit.required is not None
    assert (unit.name.value, unit.required.value) == ("unit", True)
    assert found.rank < 0.5


def test_an_instance_carries_a_template() -> None:
    found = judged(path="/berths/{berth}/depth", first_line=4, last_line=4)
    assert isinstance(found, EndpointDraft)


def test_a_method_that_stands_beside_the_path_is_taken() -> None:
    found = judged(method="PUT", path="/berths/{id}/depth", first_line=4, last_line=4)
    assert isinstance(found, EndpointDraft)
    assert found.method.spans


REFUSED: dict[str, dict[str, Any]] = {
    "a path that stands nowhere": {"path": "/admin/keys"},
    "a path that stands in other lines": {"path": "/berths/{id}/depth"},
    "a method that does not stand there": {"method": "DELETE"},
    "a method of another line": {"method": "PUT", "first_line": 3, "last_line": 3},
    "another host": {"path": "/v1/wind", "first_line": 5, "last_line": 5},
    "an address": {"path": "https://weather.example/v1/wind", "first_line": 5, "last_line": 5},
    "a path of placeholders": {"path": "/{a}/{b}/{c}"},
    "no lines": {"first_line": 90, "last_line": 91},
    "lines the wrong way round": {"first_line": 4, "last_line": 2},
    "steps upwards": {"path": "/berths/../tides"},
    "two slashes": {"path": "//berths/{berth}/tides"},
    "a query": {"path": "/berths/{berth}/tides?delete=1"},
    "white space": {"path": "/berths/{berth}/tides HTTP/1.1"},
    "no slash": {"path": "berths/{berth}/tides"},
    "a control": {"path": "/berths/{berth}/tides\n"},
}


@pytest.mark.parametrize("changes", REFUSED.values(), ids=REFUSED.keys())
def test_what_does_not_stand_there_is_refused(changes: dict[str, Any]) -> None:
    found = judged(**changes)
    assert isinstance(found, Rejected)
    assert found.reason.startswith("proposed by a model: ")


PARAMETERS: dict[str, dict[str, object]] = {
    "not on the line": {"name": "limit", "line": 3},
    "on a line that is none": {"name": "unit", "line": 99},
    "no name": {"name": "unit; DROP", "line": 3},
    "part of a word": {"name": "tid", "line": 3},
}


@pytest.mark.parametrize("given", PARAMETERS.values(), ids=PARAMETERS.keys())
def test_parameters_must_stand_there_too(given: dict[str, object]) -> None:
    found = judged(parameters=[given])
    assert isinstance(found, EndpointDraft)
    assert found.parameters == ()


def test_the_summary_is_the_pages_own() -> None:
    found = judged(first_line=2, last_line=3)
    assert isinstance(found, EndpointDraft)
    assert found.summary == "Everything is below https://harbour.example/api."


def test_which_pages_are_shown() -> None:
    assert parts(draft_page(SOURCE), LINES)
    plain = Source(name="a.md", data=b"# Hello\n\nNothing of note.\n", media="markdown")
    assert not parts(draft_page(plain), shown_lines(read_document(plain)))
    good = Source(
        name="b.md", data=b"# Ships\n\n## List\n\n`GET /ships`\n\nLists ships.\n", media="markdown"
    )
    assert not doubtful(draft_page(good))


def test_only_a_few_parts_of_a_long_page_are_shown() -> None:
    text = "\n\n".join(f"Item {n} is a thing like /items/{n}/thing." for n in range(2_000))
    page = Source(name="a.md", data=text.encode(), media="markdown")
    lines = shown_lines(read_document(page))
    shown = parts(PageDraft(page="a.md"), lines)
    assert 1 <= len(shown) <= 2
    assert all(sum(len(line.text) for line in part) <= 3_600 for part in shown)


def test_of_a_page_that_is_organised_only_the_doubts_are_shown() -> None:
    span = Span(page="a.md", start=40, end=40)
    lines = [
        Line(number, f"Line {number} is about /thing{number}.", Span(page="a.md", start=n, end=n))
        for number, n in ((number, 2 * number) for number in range(1, 101))
    ]
    found = judged()
    assert isinstance(found, EndpointDraft)
    draft = PageDraft(
        page="a.md",
        endpoints=(found.model_copy(update={"rank": 0.9}),),
        quality=Quality(grade="semi-organised"),
        rejected=(Rejected(text="/thing20", reason="a mention in passing", span=span),),
    )
    assert doubtful(draft)
    (part,) = parts(draft, lines)
    assert [line.number for line in part] == list(range(16, 25))


def test_the_rules_endpoints_stay_as_they_are() -> None:
    good = Source(
        name="ships.md",
        data=b"# Ships\n\nBase URL: https://harbour.example/api\n\n## List\n\n`GET /ships`\n",
        media="markdown",
    )
    drafts = [draft_page(good), draft_page(SOURCE)]
    options = CompileOptions(base_url="https://harbour.example/api")
    spec, _ = normalise(drafts, options)
    found = judged()
    assert isinstance(found, EndpointDraft)
    whole = with_proposals(spec, drafts, [PageProposals("notes.md", (found, found))], options)
    assert whole.endpoints[: len(spec.endpoints)] == spec.endpoints
    added = whole.endpoints[len(spec.endpoints) :]
    assert [(one.path, one.base_url) for one in added] == [
        ("/berths/{berth}/tides", "https://harbour.example/api")
    ]
    assert added[0].proposed
    assert added[0].name not in {one.name for one in spec.endpoints}


def test_lines_may_hold_anything() -> None:
    hostile = "/" * 50_000 + " " + "{" * 10_000 + "/a" * 30_000 + " %s" * 1_000
    lines = [Line(1, hostile, LINES[0].span)]
    assert isinstance(stands(form(first_line=1, last_line=1), lines, HOSTS, "x", "m"), Rejected)
