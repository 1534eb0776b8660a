"""What later steps rely on: places and ranges, evidence, samples with values, refusals, bounds."""

from __future__ import annotations

import random
import time

import pytest

from doc2tools.compiler.extract.candidates import Findings
from doc2tools.compiler.extract.endpoints import find_endpoints
from doc2tools.compiler.extract.outline import Outline, outline
from doc2tools.compiler.ir.document import Code, Document, Heading, Paragraph
from doc2tools.compiler.load.read import read_document
from doc2tools.compiler.load.source import Source

PAGE = """# Books

Base URL: https://books.example.org/v1

## List books

`GET /books`

Lists all books. There may be many.

| Parameter | Description |
|---|---|
| page | Which page |

## One book

`GET /books/{id}`

Gives one book.

    curl https://books.example.org/v1/books/42?lang=en

## Health

See https://status.example.com/ and [the guide](/docs/guide).
"""


def _read(text: str) -> tuple[Outline, Findings]:
    page = outline(read_document(Source(name="p.md", data=text.encode(), media="markdown")))
    return page, find_endpoints(page)


def test_ranges_cut_the_page_between_endpoints() -> None:
    page, findings = _read(PAGE)
    first, second = findings.endpoints
    texts = [
        "".join(run.text for run in entry.block.runs)
        for entry in page.entries[first.start : first.end]
        if isinstance(entry.block, Heading | Paragraph)
    ]
    assert texts[0] == "List books"
    assert "One book" not in texts
    assert any(isinstance(e.block, Code) for e in page.entries[second.start : second.end])
    assert first.end <= second.start
    assert first.row is None


def test_titles_and_summaries_are_what_the_page_says() -> None:
    first, second = (item.draft for item in _read(PAGE)[1].endpoints)
    assert (first.title, first.summary) == ("List books", "Lists all books.")
    assert (second.title, second.summary) == ("One book", "Gives one book.")
    assert first.section == ("Books", "List books")


def test_a_sample_carries_the_values_of_path_and_query() -> None:
    second = _read(PAGE)[1].endpoints[1].draft
    assert second.samples[0].values == {"id": "42", "lang": "en"}
    assert second.base_url is not None
    assert second.base_url.value == "https://books.example.org/v1"


def test_every_field_cites_its_lines() -> None:
    first = _read(PAGE)[1].endpoints[0].draft
    assert [span.start for span in first.method.spans] == [7]
    assert first.path.spans[0].start == 7
    assert first.method.inferred == ""
    assert first.reasons[0].startswith("p.md:7")


def test_a_verb_that_is_nowhere_is_inferred_with_the_reason() -> None:
    (endpoint,) = _read("# API\n\n## /things/{id}\n\nOne thing.\n")[1].endpoints
    assert endpoint.draft.method.value == "GET"
    assert endpoint.draft.method.inferred
    assert endpoint.draft.method.spans == ()


def test_refusals_give_a_reason_and_a_place() -> None:
    rejected = {item.text: item for item in _read(PAGE)[1].rejected}
    assert rejected["https://status.example.com/"].reason == "another service"
    assert rejected["https://status.example.com/"].span.start == 25


def test_rows_of_a_table_are_told_apart() -> None:
    text = "| Method | Path |\n|---|---|\n| GET | /a |\n| POST | /b |\n"
    first, second = _read(text)[1].endpoints
    assert (first.row, second.row) == (0, 1)
    assert first.anchor == second.anchor


def test_the_same_page_gives_the_same_findings() -> None:
    assert _read(PAGE)[1] == _read(PAGE)[1]


PIECES = (
    *("/a", "GET ", "{", "}", "<", ">", "[/", "(", ":x", "curl ", "'", '"', "`", "https://", "a.b"),
    *("?", "=", "&", " or ", "\n", "\n\n", "# ", "- ", "|", "fetch(", "$", "%s", "...", ","),
    *("\\", "é", "1.", "\x00", "{{", "}}", "POST", "*", "_", "//", "#", "base url: ", "HTTP/1.1"),
)


@pytest.mark.parametrize("seed", range(60))
def test_no_page_raises(seed: int) -> None:
    chance = random.Random(seed)  # noqa: S311 - not for secrets
    text = "".join(chance.choice(PIECES) for _ in range(chance.randrange(20, 1500)))
    _, findings = _read(text)
    for endpoint in findings.endpoints:
        assert endpoint.start <= endpoint.anchor < max(endpoint.end, endpoint.anchor + 1)
        assert endpoint.draft.path.value.startswith(("/", "?"))


@pytest.mark.parametrize(
    "piece", ["/a", "GET /a ", "curl ", "fetch(", "[/", "{", "`/a` ", ":a?", "a;/"]
)
@pytest.mark.parametrize("kind", ["paragraph", "code", "heading"])
def test_a_long_line_of_one_piece_takes_no_time(piece: str, kind: str) -> None:
    text = piece * (40_000 // len(piece))
    page = {"paragraph": text, "code": f"```\n{text}\n```", "heading": f"# {text}"}[kind]
    document: Document = read_document(Source(name="p.md", data=page.encode(), media="markdown"))
    begun = time.process_time()
    find_endpoints(outline(document))
    assert time.process_time() - begun < 10
