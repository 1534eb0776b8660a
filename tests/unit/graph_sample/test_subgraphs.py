"""Subgraphs are connected, acyclic, and fill each parameter once; phrases read as English."""

from __future__ import annotations

import json
import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from doc2tools.compiler.graph.prove_fields import read_field
from doc2tools.compiler.graph.sample.phrases import joined, noun_of, parameter_words, quoted
from doc2tools.compiler.graph.sample.picks import pick
from doc2tools.compiler.graph.sample.shorten import shortened
from doc2tools.compiler.graph.sample.subgraphs import Drawer
from doc2tools.compiler.ir.base import JsonValue
from doc2tools.compiler.ir.exchange import Response
from doc2tools.compiler.ir.graph import Edge
from doc2tools.compiler.ir.spec import Effect, Endpoint, Parameter


def chance(seed: int) -> random.Random:
    return random.Random(seed)  # noqa: S311 - what is drawn is no secret


def edge(source: str, target: str, parameter: str = "id", field: str = "[].id") -> Edge:
    return Edge(
        source=source,
        target=target,
        parameter=parameter,
        field=field,
        similarity=1.0,
        stage="proved",
    )


@given(
    st.lists(
        st.tuples(st.integers(0, 7), st.integers(0, 7), st.sampled_from("xy")),
        min_size=1,
        max_size=30,
    ),
    st.integers(0, 10_000),
)
def test_subgraphs_can_be_called_in_order(joins: list[tuple[int, int, str]], seed: int) -> None:
    edges = [edge(f"t{one}", f"t{two}", name) for one, two, name in dict.fromkeys(joins)]
    found = Drawer(edges).draw(chance(seed), 2, 4)
    if found is None:
        return
    place = {tool: number for number, tool in enumerate(found.tools)}
    assert 2 <= len(place) <= 4
    assert all(place[one.source] < place[one.target] for one in found.edges)
    filled = [(one.target, one.parameter) for one in found.edges]
    assert len(filled) == len(set(filled))
    joined_tools = {name for one in found.edges for name in (one.source, one.target)}
    assert joined_tools == set(found.tools)


def test_cycles_are_broken_at_random() -> None:
    ring = [edge("a", "b"), edge("b", "c"), edge("c", "a")]
    orders = {
        found.tools
        for seed in range(60)
        if (found := Drawer(ring).draw(chance(seed), 3, 3)) is not None
    }
    assert orders == {("a", "b", "c"), ("b", "c", "a"), ("c", "a", "b")}


def test_what_was_used_least_is_drawn_more() -> None:
    drawer = Drawer([edge("a", "b"), edge("c", "d")])
    first = drawer.draw(chance(0), 2, 2)
    assert first is not None
    for _ in range(50):
        drawer.note(first)
    drawn = [drawer.draw(chance(seed), 2, 2) for seed in range(40)]
    assert sum(one is not None and one.tools != first.tools for one in drawn) > 30


@pytest.mark.parametrize(
    ("name", "title", "one", "several", "many"),
    [
        ("list_harbours", "", "harbour", "harbours", True),
        ("get_harbour_by_code", "", "harbour", "harbours", False),
        ("get_value_of_setting", "", "value of the setting", "values of the setting", False),
        ("list_label_values", "Querying label values", "label value", "label values", True),
        ("get_stats_tsdb", "TSDB Stats", "TSDB stats", "TSDB stats", True),
        ("query", "Instant queries", "instant query result", "instant query results", True),
        ("get_status", "", "status", "statuses", False),
        ("list_boxes", "", "box", "boxes", True),
    ],
)
def test_nouns(name: str, title: str, one: str, several: str, many: bool) -> None:
    endpoint = Endpoint(
        name=name,
        group="all",
        title=title,
        method="GET",
        path="/x",
        effect=Effect(kind="read", reason=""),
        parameters=(Parameter(name="query", identifier="query", location="query", required=True),)
        if name == "query"
        else (),
    )
    noun = noun_of(endpoint)
    assert (noun.one, noun.several, noun.many) == (one, several, many)


def test_words_and_values() -> None:
    assert parameter_words("boatIds") == "boat IDs"
    assert parameter_words("label_name") == "label name"
    assert joined(["a", "b", "c"]) == "a, b and c"
    assert quoted(3) == "3"
    assert quoted("x" * 100) == f"“{'x' * 59}…”"


def test_picks_say_what_only_a_list_can_tell() -> None:
    payload: JsonValue = {"rows": [{"id": n, "title": f"row {n} of many"} for n in range(40, 60)]}
    found = read_field(payload, "rows[].id", repeated=True)
    ways: set[str] = set()
    for seed in range(200):
        chosen = pick(chance(seed), payload, found)
        ways.add(chosen.way)
        assert chosen.held in found
        if chosen.way == "named":
            assert str(chosen.held.value) not in chosen.text
        if chosen.text == "first":
            assert chosen.held.value == 40
        if chosen.text == "last":
            assert chosen.held.value == 59
    assert ways == {"placed"}
    names: JsonValue = {"rows": [{"id": 40, "title": "North"}, {"id": 41, "title": "South"}]}
    found = read_field(names, "rows[].id", repeated=True)
    assert {pick(chance(seed), names, found).way for seed in range(50)} == {
        "placed",
        "named",
    }


def test_outputs_are_shortened_around_what_is_used() -> None:
    rows: JsonValue = [{"id": number, "text": "x" * 200} for number in range(500)]
    response = Response(status=200)
    short = shortened({"rows": rows}, response, [("rows", 400, "id")])
    assert len(json.dumps(short)) < 13_000
    assert 400 in [held.value for held in read_field(short, "rows[].id")]
    assert shortened(None, Response(status=200, body="hello"), []) == "hello"
