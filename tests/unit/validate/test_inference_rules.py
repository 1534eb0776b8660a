"""Values inferred from names, types, descriptions, places, clocks and records, each by itself."""

from __future__ import annotations

import json

import pytest
from invented_api import endpoint, parameter

from doc2tools.compiler.ir.base import JsonValue
from doc2tools.compiler.ir.exchange import Exchange, Request, Response
from doc2tools.compiler.ir.options import CompileOptions
from doc2tools.compiler.ir.spec import Endpoint, Parameter
from doc2tools.compiler.validate.described import described, extensions
from doc2tools.compiler.validate.guesses import neutral, weak
from doc2tools.compiler.validate.keys import listed_keys
from doc2tools.compiler.validate.places import PLACE, latitude_first, sample_pairs
from doc2tools.compiler.validate.plan import argument_sets
from doc2tools.compiler.validate.records import Surroundings, surroundings
from doc2tools.compiler.validate.times import NOW
from doc2tools.param_db.values import Scalar, Value, ValueStore

GET = CompileOptions(allow=("GET",))
CLOCK = 1_790_000_000
"""2026-09-21T14:13:20Z."""


def store(*values: Value) -> ValueStore:
    held = ValueStore()
    held.add(values)
    return held


def seen(name: str, value: Scalar, resource: str, **facts: str) -> Value:
    return Value(name=name, value=value, resource=resource, **facts)  # type: ignore[arg-type] # texts


def sets(
    subject: Endpoint, values: ValueStore, around: Surroundings | None = None
) -> list[tuple[dict[str, JsonValue], bool]]:
    found = argument_sets(subject, GET, values, around or surroundings([subject]))
    return [({held.name: held.value for held in one.arguments}, one.weak) for one in found]


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ("Mode, typically car, bike or foot if supplied", ("car", "bike", "foot")),
        ("State: any, passing, warning or critical", ("passing", "warning", "critical")),
        ("One of `kelvin`, `celsius`.", ("kelvin", "celsius")),
        ("Format: json, xml or csv", ("json", "xml", "csv")),
        ("A day such as 2024-05-01", ("2024-05-01",)),
        ('The tide, for example "spring"', ("spring",)),
        ("The state, e.g. open", ()),
        ("The name of the user or group", ()),
        ("Sort by name or date.", ()),
        ("May be true or false", ()),
        ("comma separated list of fields", ()),
        ("e.g. <name>, such as YOUR_KEY", ()),
    ],
)
def test_values_that_a_description_names(text: str, values: tuple[str, ...]) -> None:
    assert described(parameter("zone", description=text)) == values


def test_a_long_description_is_read_in_time() -> None:
    text = "one of " + "a, " * 50_000 + "e.g. " * 50_000
    assert len(described(parameter("zone", description=text))) <= 4


def test_extensions_of_the_text() -> None:
    subject = endpoint("/plot/{ext}", summary="A picture, as .svg or .png file. See v1.2")
    assert extensions(subject) == ("svg", "png")


@pytest.mark.parametrize(
    ("given", "guess"),
    [
        (parameter("limit", type="integer"), (1,)),
        (parameter("limit", type="integer", minimum=10), (10,)),
        (parameter("verbose", type="boolean"), (False,)),
        (parameter("lang"), ("en",)),
        (parameter("width", type="integer"), (100,)),
        (parameter("since", description="Start time."), ("2026-09-21T13:13:20Z",)),
        (parameter("until", type="integer", description="End, Unix time"), (CLOCK,)),
        (
            parameter("to", type="integer", description="Timestamp in milliseconds"),
            (CLOCK * 1000,),
        ),
        (parameter("date"), ("2026-09-21",)),
        (parameter("day", description="As YYYYMMDD"), ("20260921",)),
        (parameter("from", description="Day, DD.MM.YYYY"), ("21.09.2026",)),
        (parameter("year", type="integer"), (2026,)),
        (parameter("month", type="integer"), (9,)),
        (parameter("from", description="Sender of the parcel"), ()),
        (parameter("user_id"), ()),
        (parameter("password"), ()),
    ],
    ids=lambda value: value.name if isinstance(value, Parameter) else "",
)
def test_neutral_guesses(given: Parameter, guess: tuple[JsonValue, ...]) -> None:
    now = Value(name="now", value=CLOCK, resource=NOW)
    assert neutral(given, endpoint("/x", given), store(now)) == guess


def test_no_moment_without_the_servers_clock() -> None:
    given = parameter("since", description="Start time.")
    assert neutral(given, endpoint("/x", given), store()) == ()


@pytest.mark.parametrize(
    ("path", "name", "listed", "guess"),
    [
        ("/echo/{text}", "text", False, ("test",)),
        ("/etag/{etag}", "etag", False, ("test",)),
        ("/base64/{value}", "value", False, ("dGVzdA==", "test")),
        ("/users/{name}", "name", False, ()),
        ("/users/{user}", "user", True, ()),
        ("/users/{user_id}", "user_id", False, ()),
        ("/keys/{key}", "key", False, ()),
        ("/secret/{passwd}", "passwd", False, ()),
        ("/run/{command}", "command", False, ()),
        ("/queue/{flush}", "flush", False, ()),
        ("/color/{hex}", "hex", False, ("ff0000",)),
    ],
)
def test_weak_guesses_leave_identifiers_alone(
    path: str, name: str, listed: bool, guess: tuple[JsonValue, ...]
) -> None:
    given = parameter(name, "path", required=True, type="string")
    assert weak(given, endpoint(path, given), listed=listed) == guess


def test_only_a_flag_that_reads_is_set_on_a_guess() -> None:
    names = ("keys", "rescan", "force", "purge", "commit", "token")
    flags = [parameter(name, type="boolean") for name in names]
    tried = [held for held, weakness in sets(endpoint("/kv", *flags), store()) if weakness]
    assert tried == [{"keys": True}]


def test_weak_guesses_come_after_everything_else() -> None:
    subject = endpoint("/echo/{text}")
    assert sets(subject, store()) == [({"text": "test"}, True)]
    known = store(seen("text", "ebb", "echo"))
    assert sets(subject, known)[0] == ({"text": "ebb"}, False)


def test_coordinates_are_written_as_described() -> None:
    lat_first = parameter("points", description="{latitude},{longitude} separated by |")
    assert latitude_first(lat_first)
    two, one = sample_pairs(lat_first)
    assert two == "48.8566,2.3522|48.8606,2.3376"
    assert one == "48.8566,2.3522"
    assert sample_pairs(parameter("coordinates"))[1] == "2.3522,48.8566"
    assert sample_pairs(parameter("location", description="Name of the place")) == ()
    assert sample_pairs(parameter("lat")) == ()


def test_latitude_and_longitude_come_from_one_place() -> None:
    subject = endpoint(
        "/near",
        parameter("lat", required=True, type="number"),
        parameter("lng", required=True, type="number"),
    )
    place = seen("place", "8.440000,54.710000", PLACE)
    assert sets(subject, store(place))[0] == ({"lat": 54.71, "lng": 8.44}, False)


def test_a_tile_holds_a_known_place() -> None:
    subject = endpoint("/tiles/{z}/{x}/{y}.png")
    place = seen("place", "8.440000,54.710000", PLACE)
    first, weakness = sets(subject, store(place))[0]
    assert first == {"z": 13, "x": 4288, "y": 2602} and not weakness
    assert ({"z": 0, "x": 0, "y": 0}, True) in sets(subject, store())


def test_two_parameters_come_from_one_record() -> None:
    around = surroundings([])
    fields = {"type": "lamp", "id": "n1"}
    records = [
        seen(name, value, "node", record="list_nodes()/[0]", endpoint="list_nodes")
        for name, value in fields.items()
    ]
    other = seen("id", "n2", "node", record="list_nodes()/[1]", endpoint="list_nodes")
    around.records.add([other, *records])
    tried = sets(endpoint("/credentials/{type}/{id}"), store(), around)
    assert tried == [({"type": "lamp", "id": "n1"}, False)]
    assert sets(endpoint("/credentials/{id}"), store(), around) == [], "any record has an id"


def test_what_a_sibling_lists_under_the_same_placeholders() -> None:
    lists = endpoint("/stages/{package}/{stage}", name="list_files")
    reads = endpoint("/files/{package}/{stage}/{path}", name="read_file")
    around = surroundings([lists, reads])
    entry = Value(
        name="name",
        value="a.conf",
        resource="stage",
        endpoint="list_files",
        field_path="results[].name",
        record="list_files(p,s)/results[0]",
        context=("p", "s"),
    )
    around.records.add([entry])
    wanted = ({"package": "p", "stage": "s", "path": "a.conf"}, False)
    assert sets(reads, store(), around)[0] == wanted
    apart = endpoint("/packages/{package}/{stage}/albums/{album}", name="read_album")
    assert wanted not in sets(apart, store(), around)


def test_a_list_named_after_the_parameter() -> None:
    lists = endpoint("/_all_dbs", name="list_dbs")
    reads = endpoint("/{db}/_changes", name="changes")
    value = Value(name="", value="birds", resource="all_db", collection="/all_dbs", field_path="[]")
    around = surroundings([lists, reads])
    assert sets(reads, store(value), around) == [({"db": "birds"}, False)]


def test_a_call_named_after_its_thing() -> None:
    given = parameter("id", required=True)
    work = seen("id", "w-77", "work")
    assert sets(endpoint("/getWork", given), store(work))[0] == ({"id": "w-77"}, False)
    assert sets(endpoint("/getRoom", given), store(work)) == []


def test_a_field_that_refers_to_a_thing() -> None:
    vessel = seen("operator", "norline", "vessel")
    subject = endpoint("/operators/{id}/fleet")
    assert sets(subject, store(vessel))[0] == ({"id": "norline"}, False)
    count = seen("operators", 3, "vessel")
    assert ({"id": 3}, False) not in sets(subject, store(count))


def test_names_go_with_names_and_numbers_with_numbers() -> None:
    lists = endpoint("/repos", name="list_repos")
    reads = endpoint("/repos/{owner}/{repo}", name="get_repo")
    record = {"record": "list_repos()/[0]", "endpoint": "list_repos"}
    values = [
        seen("id", 9, "repo", field_path="[].id", **record),
        seen("name", "tidelib", "repo", field_path="[].name", **record),
        seen("id", 4, "owner", field_path="[].owner.id", **record),
        seen("login", "ada", "owner", field_path="[].owner.login", **record),
    ]
    around = surroundings([lists, reads])
    around.records.add(values)
    tried = [held for held, _ in sets(reads, store(*values), around)][:2]
    assert tried == [{"owner": "ada", "repo": "tidelib"}, {"owner": 4, "repo": 9}]
    person = endpoint("/users/{username}")
    assert sets(person, store(*values), around)[0] == ({"username": "ada"}, False)


def test_a_description_says_what_kind_is_wanted() -> None:
    given = parameter("base", required=True, type="string", description="Base currency code")
    assert weak(given, endpoint("/latest", given), listed=False) == ("EUR", "USD")


@pytest.mark.parametrize(
    ("path", "body", "keys"),
    [
        ("/services", {"web": ["v1"], "db": []}, ["web", "db"]),
        ("/services", {"services": ["web"]}, []),
        ("/services", {"data": ["web"], "errors": []}, []),
        ("/services", {"web": "up"}, []),
        ("/service", {"web": ["v1"]}, []),
        ("/services", {"web": [], "api_token": []}, ["web"]),
        ("/hosts/{host}/services", {"web": []}, []),
    ],
)
def test_keys_that_are_identifiers(path: str, body: JsonValue, keys: list[str]) -> None:
    response = Response(
        status=200, headers={"content-type": "application/json"}, body=json.dumps(body)
    )
    exchange = Exchange(
        request=Request(method="GET", url=f"http://127.0.0.1:9{path}"), response=response
    )
    assert [value.value for value in listed_keys(endpoint(path), exchange)] == keys


def test_texts_below_another_things_name_are_not_known_to_exist() -> None:
    tag = seen("", "v1", "web", field_path="web[]", collection="/service")
    subject = endpoint("/services/{service}")
    found = argument_sets(subject, GET, store(tag), surroundings([subject]))
    assert [one.proved for one in found] == [False]
    own = seen("", "web", "service", field_path="services[]", collection="/service")
    assert argument_sets(subject, GET, store(own))[0].proved


def test_records_hold_no_secret() -> None:
    around = surroundings([])
    facts = {"type": "lamp", "password": "hunter2"}
    around.records.add(
        seen(name, value, "node", record="r", endpoint="e") for name, value in facts.items()
    )
    assert list(around.records.with_fields(["type", "password"])) == []
