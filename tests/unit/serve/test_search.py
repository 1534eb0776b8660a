"""Search by words, synonyms, meaning and intent."""

from __future__ import annotations

import pytest

from doc2tools.param_db.embedding import embedder
from doc2tools.serve.search import Index, Texts, words

TOOLS = [
    Texts("list lights", "GET", summary="Give every light of the register."),
    Texts("delete light", "DELETE", summary="Take a light out of the register."),
    Texts("create light", "POST", summary="Enter a light into the register."),
    Texts("get cover", "GET", summary="Give the picture of an album."),
    Texts(
        "get_runtimeinfo", "GET", summary="Runtime properties.", answer="startTime goroutineCount"
    ),
    Texts("schedule downtime", "POST", summary="Plan a downtime for a host."),
    Texts("list users", "GET", summary="Give the accounts.", api="harbour Harbour Office"),
    *(Texts(f"get thing {n}", "GET", summary="Give a thing.") for n in range(30)),
]


@pytest.fixture(scope="module")
def index() -> Index:
    return Index(TOOLS, embedder)


@pytest.mark.parametrize(
    ("query", "right"),
    [
        ("which lights are there?", 0),
        ("remove a light", 1),
        ("add a new light", 2),
        ("album art", 3),
        ("how many goroutines run?", 4),
        ("plan a maintenance window for the server", 5),
        ("members at the Harbour Office", 6),
    ],
)
def test_the_right_tool_comes_first(index: Index, query: str, right: int) -> None:
    assert index.search(query, 5)[0] == right


def test_anything_can_be_asked(index: Index) -> None:
    for query in ["", " ", "?!", "\0", "x" * 100_000, "😀", "the of and", "\ud800", "a" * 900]:
        assert len(index.search(query, 5)) == 5
    assert len(index.search("light", 1_000)) == len(TOOLS)
    assert Index([], embedder).search("light", 5) == []


def test_the_same_request_gives_the_same_order() -> None:
    for query in ("light", "give the thing"):
        assert Index(TOOLS, embedder).search(query, 20) == Index(TOOLS, embedder).search(query, 20)


def test_names_are_taken_apart() -> None:
    assert words("getUserByID list_users v2") == ["user", "id", "list", "user", "v", "2"]
