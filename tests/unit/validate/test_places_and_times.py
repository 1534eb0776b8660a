"""Places and moments of the server itself, and sample values moved to them."""

from __future__ import annotations

import json

import pytest
from invented_api import endpoint, parameter

from doc2tools.compiler.ir.base import JsonValue
from doc2tools.compiler.ir.exchange import Exchange, Request, Response
from doc2tools.compiler.ir.options import CompileOptions
from doc2tools.compiler.validate.places import kilometres, moved, places, points_in, tile_numbers
from doc2tools.compiler.validate.plan import argument_sets
from doc2tools.compiler.validate.times import NOW, clock, is_moment, moved_to
from doc2tools.param_db.values import Value, ValueStore

NEAREST = endpoint("/nearest/{coordinates}", name="nearest")


def exchange(url: str, body: object, **headers: str) -> Exchange:
    response = Response(status=200, headers=headers, body=json.dumps(body))
    return Exchange(request=Request(method="GET", url=url), response=response)


def place(text: str) -> Value:
    return Value(name="place", value=text, resource="@place")


def test_places_in_an_answer_and_beyond_its_edge() -> None:
    body = {"waypoints": [{"location": [7.488727, 43.769885]}]}
    found = places(NEAREST, exchange("http://127.0.0.1/nearest/13.388860,52.517037", body))
    assert (found[0].value, found[0].origin) == ("7.488727,43.769885", "observed")
    beyond = [held for held in found if held.origin == "repaired"]
    assert len(beyond) == 4
    for held in beyond:
        east, north = (float(part) for part in str(held.value).split(","))
        assert east < 7.488727
        assert north < 43.769885


def test_near_places_have_no_beyond() -> None:
    body = {"places": [{"lat": "43.73", "lon": "7.41"}]}
    found = places(NEAREST, exchange("http://127.0.0.1/nearest/7.4100,43.7300", body))
    assert [held.value for held in found] == ["7.410000,43.730000"]
    assert places(NEAREST, exchange("http://127.0.0.1/x", {"location": "town"})) == []


def test_points_only_where_keys_say_so() -> None:
    assert points_in({"location": [7.4, 43.7], "range": [1.5, 2.5]}) == [(7.4, 43.7)]
    assert points_in({"lat": 43.7, "lng": 7.4}) == [(7.4, 43.7)]
    assert points_in({"location": [700.5, 43.7], "lat": True, "lon": False}) == []


def test_moved_keeps_the_form_of_the_sample() -> None:
    known = [place("1.1,2.2"), place("3.3,4.4")]
    assert moved("13.388,52.517;13.397,52.529", known) == ("1.1,2.2;3.3,4.4", "1.1,2.2")
    assert moved("13.388,52.517", known) == ("1.1,2.2",)
    assert moved("at 13.388,52.517 now", known) == ("at 1.1,2.2 now",)
    assert moved("13.388,52.517;13.397,52.529", known[:1]) == (
        "1.1,2.2;1.104000,2.204000",
        "1.1,2.2",
    ), "a way needs two ends"
    assert moved("52.517,13.388", known, swapped=True) == ("2.2,1.1",)
    assert moved("no pairs", known) == ()


def test_tile_numbers_as_the_web_map_has_them() -> None:
    assert tile_numbers("7.419758,43.731142", 13) == (4264, 2987)
    assert tile_numbers("0.00,0.00", 0) == (0, 0)
    assert tile_numbers("7.41,89.99", 13) is None
    assert tile_numbers("nowhere", 13) is None
    assert tile_numbers("7.41,43.73", 99) is None


def test_distance() -> None:
    assert round(kilometres((13.3889, 52.5170), (7.4888, 43.7699)), -1) == 1070


@pytest.mark.parametrize(
    ("name", "value", "wanted"),
    [
        ("start", "2015-07-01T20:10:30.781Z", "2023-11-14T21:13:20Z"),
        ("end", "2015-07-01T20:11:00Z", "2023-11-14T22:13:20Z"),
        ("from_date", "2015-07-01", "2023-11-14"),
        ("until", 1435781430, 1700000000),
        ("since", "1435781430", "1699996400"),
        ("to", "1435781430000", "1700000000000"),
    ],
)
def test_moments_move_to_the_server_clock(name: str, value: JsonValue, wanted: JsonValue) -> None:
    assert is_moment(name, value)
    assert moved_to(name, value, 1_700_000_000) == wanted


def test_what_is_no_moment() -> None:
    assert not is_moment("start", 20)
    assert not is_moment("start", "2015-07-01T20:10:30 and more")
    assert not is_moment("id", "2015-07-01")
    assert not is_moment("step", "1435781430")


def test_the_clock_of_an_answer() -> None:
    dated = exchange("http://127.0.0.1/x", {}, date="Tue, 14 Nov 2023 22:13:20 GMT")
    (found,) = clock(NEAREST, dated)
    assert (found.value, found.resource) == (1_700_000_000, NOW)
    assert clock(NEAREST, exchange("http://127.0.0.1/x", {}, date="yesterday")) == []
    assert clock(NEAREST, exchange("http://127.0.0.1/x", {})) == []


def test_a_stale_window_is_moved_after_the_documented_one() -> None:
    store = ValueStore()
    store.add([Value(name="now", value=1_700_000_000, resource=NOW)])
    window = [parameter(name, required=True) for name in ("query", "start", "end")]
    sample = {"query": "up", "start": "1435781430", "end": "1435781460"}
    sets = argument_sets(
        endpoint("/range", *window, samples=[sample]), CompileOptions(allow=("GET",)), store
    )
    sent = [[held.value for held in chosen.arguments] for chosen in sets[:2]]
    assert sent == [["up", "1435781430", "1435781460"], ["up", "1699996400", "1700000000"]]
    assert [held.origin for held in sets[1].arguments] == ["documented", "repaired", "repaired"]
