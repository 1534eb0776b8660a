"""What the rules keep and drop where real answers were recorded."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from doc2tools.compiler.emit.graph_json import graph_json, read_graph
from doc2tools.compiler.graph.build import candidate_graph
from doc2tools.compiler.ir.base import JsonValue
from tests.unit.graph.graph_tools import called, edges_of, parameter


def test_a_value_that_worked_joins_fields_of_any_name() -> None:
    gauges = called("/overview", {"panels": [{"zq": "ktr-4471-b"}, {"zq": "ktr-9982-c"}]})
    gauge = called("/gauge/{g}", {"level": 4}, parameter("g"), g="ktr-4471-b")
    assert ("overview", "panels[].zq", "gauge_g", "g") in edges_of(gauges, gauge)


def test_small_and_common_values_join_nothing() -> None:
    overview = called("/overview", {"panels": [{"zq": 1, "state": "active"}]})
    gauge = called("/gauge/{g}", {"level": 4}, parameter("g"), g=1)
    other = called("/mode/{m}", {"level": 4}, parameter("m"), m="active")
    assert edges_of(overview, gauge, other) == []


def test_a_field_that_gives_back_the_argument_is_no_source() -> None:
    crew = called("/ships/{ship_id}/crew", {"ship_id": 71234, "crew": ["Ann"]},
                  parameter("ship_id", kind="integer"), ship_id=71234)  # fmt: skip
    near = called("/ships/{ship_id}/near", {"near": [{"ship_id": 88123}, {"ship_id": 90001}]},
                  parameter("ship_id", kind="integer"), ship_id=71234)  # fmt: skip
    cargo = called("/ships/{ship_id}/cargo", {"tons": 4},
                   parameter("ship_id", kind="integer"), ship_id=71234)  # fmt: skip
    found = edges_of(crew, near, cargo)
    assert ("ships_ship_id_near", "near[].ship_id", "ships_ship_id_cargo", "ship_id") in found
    assert not [edge for edge in found if edge[0] == "ships_ship_id_crew"]


def test_another_resources_identifier_is_dropped() -> None:
    ports = called("/ports", {"ports": [{"id": 5, "name": "Bay"}]})
    ships = called("/ships", {"ships": [{"id": 7, "name": "Gull"}]})
    ship = called("/ships/{id}", {"id": 7}, parameter("id", kind="integer"))
    assert edges_of(ports, ships, ship) == [("ships", "ships[].id", "ships_id", "id")]


def test_type_and_format_contradict() -> None:
    ships = called("/ships", [{"id": "not-a-number", "self": "https://one.test/ships/7"}])
    ship = called("/ships/{id}", {"id": 7}, parameter("id", kind="integer"))
    assert edges_of(ships, ship) == []


def test_a_documented_pattern_contradicts_and_costs_no_more_than_a_plain_one() -> None:
    ships = called("/ships", [{"id": "a" * 60 + "!"}])
    id_ = parameter("id")

    def fed(pattern: str) -> bool:
        return bool(
            edges_of(ships, called("/ships/{id}", {}, id_.model_copy(update={"pattern": pattern})))
        )

    assert not fed("^[0-9]+$")
    assert fed("^a+!$")
    assert not fed("^(a+)+$")  # an engine that goes back and forth would not end
    assert fed("^[a$"), "no pattern at all"


def test_keys_of_a_map_and_bare_lists_feed_what_they_list() -> None:
    ships = called("/ships", {"ships": {"gull-1": {"tons": 4}, "tern-2": {"tons": 5}}})
    ports = called("/ports", ["bay-1", "cape-2"])
    ship = called("/ships/{ship}", {"tons": 4}, parameter("ship"))
    port = called("/ports/{name}", {"depth": 9}, parameter("name"))
    found = edges_of(ships, ports, ship, port)
    assert found == [
        ("ships", "ships.*", "ships_ship", "ship"),
        ("ports", "[]", "ports_name", "name"),
    ]


def test_records_are_told_by_their_fields() -> None:
    ship = called("/ships/{id}", {"id": 7, "tonnage": 4, "draught": 2, "homePort": "Bay"},
                  parameter("id", kind="integer"), id=7)  # fmt: skip
    radar = called("/radar", {"echoes": [{"id": 9, "tonnage": 5, "draught": 3, "homePort": "X"}]})
    weather = called("/weather", {"fronts": [{"id": 3, "pressure": 1001, "speed": 20}]})
    found = edges_of(ship, radar, weather)
    assert found == [("radar", "echoes[].id", "ships_id", "id")]


def test_paging_settings_choices_and_secrets_are_fed_by_nothing() -> None:
    options = [
        parameter("page", "query", "integer"),
        parameter("sort", "query"),
        parameter("api_key", "query"),
        parameter("min_tons", "query", "number"),
        parameter("since", "query"),
        parameter("kind", "query").model_copy(update={"enum": ("barge", "tug")}),
    ]
    fields: JsonValue = {
        "page": 3,
        "sort": "x",
        "api_key": "k",
        "min_tons": 2,
        "since": "y",
        "kind": "tug",
    }
    assert edges_of(called("/a", [fields]), called("/b", {}, *options)) == []


def test_no_edge_joins_two_apis_unless_a_value_does() -> None:
    here = called("/ships", [{"id": 71234, "tons": 3}])
    number = parameter("id", kind="integer")
    there = called("/ships/{id}", {}, number, base_url="https://two.test", name="there")
    worked = called("/ships/{id}", {}, number, base_url="https://three.test", name="w", id=71234)
    same = called("/ships/{id}", {}, number, base_url="https://data.one.test", name="same")
    assert edges_of(here, there) == []
    assert edges_of(here, same) == [("ships", "[].id", "same", "id")]
    assert edges_of(here, worked) == [("ships", "[].id", "w", "id")]


names = st.text(max_size=12) | st.sampled_from(
    ["id", "ship_id", "ships", "{x}", "{", "}", "_", "ids"]
)
answers = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | names,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(names, inner, max_size=3),
    max_leaves=12,
)


@settings(max_examples=40, deadline=None)
@given(st.lists(st.tuples(names, names, names, answers), max_size=5))
def test_no_tools_make_it_fail(parts: list[tuple[str, str, str, JsonValue]]) -> None:
    tools = [
        called(f"/{first}/{{{second}}}/{first}", answer, parameter(second, description=third),
               parameter(third, "query", "any"), name=f"t{number}")
        for number, (first, second, third, answer) in enumerate(parts)
    ]  # fmt: skip
    graph = candidate_graph(tools)
    assert read_graph(graph_json(graph)) == graph
    assert all(edge.source != edge.target for edge in graph.edges)
