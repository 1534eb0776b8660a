"""Values outlive the process: on a real Chroma, on disk and on a server."""

from __future__ import annotations

import multiprocessing
import socket
import threading
import time
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, cast

import chromadb
import numpy as np
import pytest
from chromadb.config import Settings

from doc2tools.compiler.ir.base import Location
from doc2tools.compiler.ir.errors import StoreError, UsageError
from doc2tools.compiler.ir.spec import Effect, Endpoint, Parameter
from doc2tools.param_db.chroma import COLLECTION, Folder, Place, place_of
from doc2tools.param_db.embedding import Embedder, Vectors, embedder
from doc2tools.param_db.entry import Entry, filters, host_of, pack
from doc2tools.param_db.store import KEPT_PER_FIELD, stored_values
from doc2tools.param_db.value import Value

NOON = datetime(2026, 1, 1, 12, tzinfo=UTC)
MODEL = embedder()


def value(name: str, held: str | int, resource: str, **more: object) -> Value:
    return Value(name=name, value=held, resource=resource, **cast("dict[str, Any]", more))


def asked(name: str, path: str, location: Location = "path") -> tuple[Parameter, Endpoint]:
    wanted = Parameter(name=name, identifier=name, location=location, required=True)
    effect = Effect(kind="read", reason="GET")
    return wanted, Endpoint(
        name="tool", group="g", method="GET", path=path, parameters=(wanted,), effect=effect
    )


def host_for(request: pytest.FixtureRequest) -> str:
    return f"{abs(hash(request.node.nodeid))}.example.org"


def test_a_value_comes_back_with_all_that_is_known_of_it(
    place: Place, request: pytest.FixtureRequest
) -> None:
    host = host_for(request)
    kept = value(
        "id",
        7,
        "user",
        type="integer",
        description="key of a user",
        endpoint="list_users",
        field_path="[].id",
        collection="/org/{}/user",
        context=("acme", 3),
        record="list_users(acme,3)/[0]",
        successes=2,
        failures=1,
    )
    with stored_values(place, MODEL) as store:
        assert store.save([kept], host, NOON) == 1
    with stored_values(place, MODEL) as store:
        (entry,) = store.every(host)
        (found,) = store.candidates(*asked("id", "/users/{id}"), host)
    assert entry.seen == "2026-01-01T12:00:00+00:00"
    assert entry.record != kept.record
    again = entry.as_value()
    for name in Value.__slots__:
        expected = host if name == "host" else getattr(kept, name)
        if name != "record":
            assert getattr(again, name) == expected, name
    assert found == again
    assert type(found.value) is int


def test_nothing_leaks_between_hosts_or_resources(
    place: Place, request: pytest.FixtureRequest
) -> None:
    host = host_for(request)
    with stored_values(place, MODEL) as store:
        store.save([value("id", 7, "user"), value("id", 31, "album")], host)
        store.save([value("id", 8, "user"), value("region", "eu", "zone")], f"other.{host}")
        found = store.candidates(*asked("id", "/users/{id}"), host)
        assert [held.value for held in found] == [7]
        assert store.candidates(*asked("id", "/posts/{id}"), host) == ()
        assert store.candidates(*asked("region", "/zones", "query"), host) == ()
        assert [one.host for one in store.every(host)] == [host, host]


def test_values_of_one_record_come_back_together_and_not_those_of_another_answer(
    folder: Folder,
) -> None:
    def answer(user: int, city: str) -> list[Value]:
        record = "list_users()/[0]"
        return [
            value("id", user, "user", record=record),
            value("city", city, "user", record=record),
        ]

    with stored_values(folder, MODEL) as store:
        store.save(answer(1, "Oslo"), "a.org", NOON)
        store.save(answer(2, "Rome"), "a.org", NOON)
        for user, city in ((1, "Oslo"), (2, "Rome")):
            held = [one.as_value() for one in store.every("a.org") if one.value == user]
            assert {mate.value for mate in store.mates(held, "a.org")} == {user, city}


def test_counts_add_up_and_time_moves_on(folder: Folder) -> None:
    worked = value("id", 7, "user", successes=1)
    with stored_values(folder, MODEL) as store:
        store.save([worked], "a.org", NOON)
        store.save([worked], "a.org", NOON + timedelta(hours=1))
        store.save([value("id", 7, "user", failures=2)], "a.org", NOON + timedelta(hours=2))
        (entry,) = store.every()
        assert (entry.successes, entry.failures) == (2, 2)
        assert entry.seen == "2026-01-01T14:00:00+00:00"
        assert store.save([value("id", 7, "user")], "a.org", NOON + timedelta(hours=3)) == 0


def test_a_field_keeps_what_worked_and_then_the_newest(folder: Folder) -> None:
    with stored_values(folder, MODEL) as store:
        store.save([value("id", 1, "user", successes=1), value("id", 2, "user")], "a.org", NOON)
        for day in range(1, 4):
            ids = range(day * 100, day * 100 + KEPT_PER_FIELD)
            store.save(
                [value("id", number, "user") for number in ids], "a.org", NOON + timedelta(days=day)
            )
        held = {int(entry.value) for entry in store.every()}
    assert len(held) == KEPT_PER_FIELD
    assert 1 in held
    assert 2 not in held
    assert all(number >= 300 for number in held - {1})


def test_search_is_by_meaning(folder: Folder) -> None:
    with stored_values(folder, MODEL) as store:
        store.save(
            [
                value("iata", "OSL", "airport", description="code of an airport"),
                value("colour", "red", "car", description="paint of the car"),
            ],
            "a.org",
        )
        best = store.search("airport code")[0]
        assert (best.entry.value, best.entry.host) == ("OSL", "a.org")
        assert store.search("airport code", host="b.org") == []


class Narrow:
    """A model of another width."""

    name = "narrow-8"
    dimensions = 8

    def embed(self, texts: Sequence[str]) -> Vectors:
        return np.ones((len(texts), 8), dtype=np.float32) / np.float32(8**0.5)


def test_another_model_is_refused_with_what_to_do(place: Place) -> None:
    with stored_values(place, MODEL) as store:
        store.save([value("id", 7, "user")], "narrow.example.org")
    other: Embedder = Narrow()
    with (
        pytest.raises(UsageError, match=r"'wordllama-256' \(256 wide\), not by 'narrow-8'") as told,
        stored_values(place, other),
    ):
        pass
    assert "--embedder" in told.value.hint


def test_a_damaged_file_is_told_and_nothing_else_breaks(folder: Folder) -> None:
    folder.path.mkdir()
    (folder.path / "chroma.sqlite3").write_bytes(b"no database" * 500)
    with pytest.raises(StoreError, match="cannot be used") as told, stored_values(folder, MODEL):
        pass
    assert "delete the folder" in told.value.hint


def test_a_folder_that_cannot_be_made_is_told(tmp_path: Path) -> None:
    (tmp_path / "params").write_text("a file")
    place = Folder(tmp_path / "params")
    with pytest.raises(StoreError, match="cannot be used"), stored_values(place, MODEL):
        pass


def test_a_server_that_is_not_there_is_told() -> None:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        place = place_of(f"http://127.0.0.1:{probe.getsockname()[1]}", Path())
        with pytest.raises(StoreError, match="cannot be used") as told, stored_values(place, MODEL):
            pass
    assert "--param-db" in told.value.hint


def test_a_server_that_is_no_chroma_is_told() -> None:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        answer = b"HTTP/1.1 200 OK\r\nContent-Length: 5\r\nConnection: close\r\n\r\nhello"

        def serve() -> None:
            connection, _ = listener.accept()
            with connection:
                connection.recv(4096)
                connection.sendall(answer)

        thread = threading.Thread(target=serve)
        thread.start()
        place = place_of(f"http://127.0.0.1:{listener.getsockname()[1]}", Path())
        with pytest.raises(StoreError, match="is no Chroma"), stored_values(place, MODEL):
            pass
        thread.join(5)


@pytest.mark.parametrize(
    "address", ["chroma:8000", "ftp://h", "http://", "http://[::1", "http://h/x"]
)
def test_an_address_that_is_none_is_told(address: str) -> None:
    with pytest.raises(UsageError):
        place_of(address, Path())


def test_credentials_in_an_address_are_refused() -> None:
    with pytest.raises(UsageError, match="no user name"):
        place_of("http://ann:pw@host:8000", Path())


def _fill(folder: str, worker: int) -> None:
    for number in range(3):
        with stored_values(Folder(Path(folder)), embedder()) as store:
            held = [
                value("id", 1000 * worker + 10 * number + k, f"thing{worker}") for k in range(4)
            ]
            store.save(held, "a.org")
            time.sleep(0.01)


def test_processes_that_share_a_folder_take_turns(folder: Folder) -> None:
    context = multiprocessing.get_context("spawn")
    workers = [context.Process(target=_fill, args=(str(folder.path), n)) for n in (1, 2)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join(60)
        assert worker.exitcode == 0
    with stored_values(folder, MODEL) as store:
        assert len(list(store.every())) == len(store) == 24
        assert len(store.search("thing1 id", limit=24)) == 24


def test_threads_that_share_a_server_do_not_disturb_each_other(chroma: str) -> None:
    place = place_of(chroma, Path())
    faults: list[BaseException] = []

    def fill(worker: int) -> None:
        try:
            with stored_values(place, MODEL) as store:
                held = [value("id", 100 * worker + k, f"shared{worker}") for k in range(10)]
                store.save(held, "shared.example.org")
        except BaseException as fault:
            faults.append(fault)

    threads = [threading.Thread(target=fill, args=(number,)) for number in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(30)
    with stored_values(place, MODEL) as store:
        assert len(list(store.every("shared.example.org"))) == 40
    assert faults == []


def test_what_others_wrote_is_checked_when_it_is_read(folder: Folder) -> None:
    good = pack(value("id", 7, "user"), "a.org", "")
    assert good is not None
    bad: list[dict[str, Any]] = [
        {"host": "a.org", "entry": "[" * 5000},
        {"host": "a.org", "entry": '{"name": "id", "value": {"a": 1}, "origin": "observed"}'},
        {"host": "a.org", "entry": '{"name": "id", "value": 1, "origin": "guessed"}'},
        {"host": "a.org", "entry": '{"name": "password", "value": "x", "origin": "observed"}'},
        {
            "host": "a.org",
            "entry": '{"name": "id", "value": "%s", "origin": "observed"}' % ("x" * 999),
        },
        {"host": "a.org"},
        {"host": 7, "entry": good.model_dump_json()},
        filters(good),
    ]
    with stored_values(folder, MODEL):
        pass
    settings = Settings(anonymized_telemetry=False)
    client: Any = chromadb.PersistentClient(str(folder.path), settings=settings)
    client.get_collection(COLLECTION, embedding_function=None).add(
        ids=[str(number) for number in range(len(bad))],
        embeddings=MODEL.embed(["user id"] * len(bad)),
        metadatas=bad,
    )
    client.close()
    with stored_values(folder, MODEL) as store:
        assert [entry.value for entry in store.every()] == [7]
        assert [found.entry.value for found in store.search("user id")] == [7]


def test_hosts_have_one_spelling() -> None:
    assert host_of("https://Ann:pw@API.Example.org:443/v2?x=1") == "api.example.org"
    assert host_of("http://127.0.0.1:8000") == host_of("127.0.0.1:8000") == "127.0.0.1:8000"
    assert host_of("http://api.example.org:80") == "api.example.org"
    assert host_of("https://api.example.org:80") == "api.example.org:80"


def test_an_entry_without_words_can_be_kept(folder: Folder) -> None:
    with stored_values(folder, MODEL) as store:
        store.save([value("", "é", ""), value("日本", "x", "")], "a.org")
        assert len(store) == 2
        assert [entry.host for entry in store.every()] == ["a.org", "a.org"]


def test_entries_are_the_same_wherever_they_are_made() -> None:
    one, other = (pack(value("id", 7, "user"), "a.org", seen) for seen in ("then", "now"))
    assert isinstance(one, Entry)
    assert isinstance(other, Entry)
    assert one.id == other.id
