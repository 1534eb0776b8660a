"""A run's values: its own in memory, those of earlier runs on request, and back at the end."""

from __future__ import annotations

from pathlib import Path

from doc2tools.compiler.ir.options import CompileOptions
from doc2tools.compiler.ir.spec import Effect, Endpoint, Parameter
from doc2tools.param_db.chroma import Folder
from doc2tools.param_db.embedding import embedder
from doc2tools.param_db.entry import Entry
from doc2tools.param_db.run_values import RunValues, place_for
from doc2tools.param_db.store import stored_values
from doc2tools.param_db.value import Value

ID = Parameter(name="id", identifier="id", location="path", required=True)
OPTIONS = CompileOptions(values={"zone": ["eu", "us"], "get_user.page": 3})


def endpoint(base_url: str = "https://api.example.org/v1", name: str = "get_user") -> Endpoint:
    effect = Effect(kind="read", reason="GET")
    return Endpoint(
        name=name,
        group="g",
        method="GET",
        base_url=base_url,
        path="/users/{id}",
        parameters=(ID,),
        effect=effect,
    )


def entries(folder: Folder) -> list[Entry]:
    with stored_values(folder, embedder()) as store:
        return sorted(store.every(), key=lambda one: (one.host, one.name, str(one.value)))


def test_what_a_run_learns_is_counted_once(folder: Folder) -> None:
    seen = Value(name="id", value=7, resource="user", host="api.example.org", endpoint="list_users")
    for expected in (1, 2, 3):
        run = RunValues(folder, CompileOptions(), [endpoint()])
        run.begin()
        if expected == 1:
            assert run.remember([endpoint()]) == 0
            run.add([seen])
        else:
            assert run.remember([endpoint()]) == 1
        run.note(ID, endpoint(), 7, worked=True)
        run.finish()
        (entry,) = entries(folder)
        assert (entry.successes, entry.failures) == (expected, 0)


def test_values_go_under_the_host_of_their_answer_or_their_tool(folder: Folder) -> None:
    tools = [endpoint(), endpoint("http://127.0.0.1:8000", "other")]
    run = RunValues(folder, OPTIONS, tools)
    run.add(
        [
            Value(name="id", value=1, resource="user", host="127.0.0.1:8000", endpoint="other"),
            Value(name="id", value=2, resource="user", origin="documented", endpoint="get_user"),
            Value(name="place", value="1.0,2.0", resource="@place", endpoint="other"),
            Value(name="id", value=3, resource="user", endpoint="nobody"),
        ]
    )
    run.finish()
    assert [(one.host, one.name, one.value, one.origin) for one in entries(folder)] == [
        ("127.0.0.1:8000", "id", 1, "observed"),
        ("api.example.org", "id", 2, "documented"),
        ("api.example.org", "page", 3, "configured"),
        ("api.example.org", "zone", "eu", "configured"),
        ("api.example.org", "zone", "us", "configured"),
    ]


def test_each_tool_is_given_values_of_its_own_host(folder: Folder) -> None:
    hosts = ("api.example.org", "127.0.0.1:8000")
    with stored_values(folder, embedder()) as store:
        for number, host in enumerate(hosts):
            store.save([Value(name="id", value=number, resource="user")], host)
    run = RunValues(folder, CompileOptions(), [endpoint()])
    assert run.remember([endpoint()]) == 1
    assert [(one.value, one.host) for one in run] == [(0, "api.example.org")]


def test_looking_back_makes_no_store(folder: Folder) -> None:
    run = RunValues(folder, CompileOptions(), [endpoint()])
    run.begin()
    assert run.remember([endpoint()]) == 0
    run.finish()
    assert not folder.exists


def test_the_place_is_beside_the_output_or_on_the_server(tmp_path: Path) -> None:
    assert place_for(CompileOptions(), tmp_path) == Folder(tmp_path / "params")
    shared = place_for(CompileOptions(param_db="https://chroma.example.org"), tmp_path)
    assert str(shared) == "https://chroma.example.org:443"
