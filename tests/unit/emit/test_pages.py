"""Paged answers become an iterator, where the style and the place of the items are known."""

from __future__ import annotations

import ast
import asyncio
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from types import ModuleType
from typing import Any, TypeGuard

import pytest
import requests
from harbour_api import Fact, make_endpoint, make_plan, prove
from paged_server import SHIPS, paged_server

from doc2tools.compiler.emit.package import render_package
from doc2tools.compiler.ir.draft import PaginationDraft
from doc2tools.compiler.ir.outcome import Tool
from doc2tools.compiler.ir.plan import PackagePlan
from doc2tools.compiler.ir.spec import Parameter

Load = Callable[..., ModuleType]
NAMES = [ship["name"] for ship in SHIPS]


@pytest.fixture
def paged(other: tuple[str, list[str]]) -> Iterator[tuple[str, list[str]]]:
    """Give a running server, and what it was asked for."""
    with paged_server(other[0]) as running:
        yield running


@pytest.fixture
def other() -> Iterator[tuple[str, list[str]]]:
    """Give another running server."""
    with paged_server() as running:
        yield running


def parameter(name: str, **facts: Fact) -> Parameter:
    given = {"name": name, "identifier": name, "location": "query", "type": "any"} | facts
    return Parameter.model_validate(given)


def listing(base: str, path: str, style: str = "", *parameters: Parameter, **more: Fact) -> Tool:
    """Give a tool that was proved on the server's real answer."""
    draft = None
    if style:
        names = tuple(one.name for one in parameters)
        draft = PaginationDraft.model_validate({"style": style, "parameters": names})
    endpoint = make_endpoint(
        name=f"list_{path.strip('/').replace('-', '_')}",
        path=path,
        base_url=base,
        parameters=parameters,
        pagination=draft,
        **more,
    )
    if endpoint.method == "POST":
        answer = requests.post(base + path, json={"page": 1}, timeout=9)
    else:
        answer = requests.get(base + path, timeout=9)
    headers = {"content-type": "application/json"}
    if "Link" in answer.headers:
        headers["link"] = answer.headers["Link"]
    return prove(endpoint, answer.json(), {}, headers=headers)


def package(load: Load, base: str, *tools: Tool) -> Any:  # noqa: ANN401 - a generated module
    return load(make_plan(*tools, base_url=base))


PAGE = parameter("page", type="integer")
START = (parameter("start", type="integer"), parameter("limit"))


@dataclass(frozen=True)
class Case:
    """A way of paging: where, how it is documented, and how many calls or items come of it."""

    path: str
    style: str
    parameters: tuple[Parameter, ...]
    calls: int
    items: int = 10

    @property
    def name(self) -> str:
        return f"iter_list_{self.path.strip('/').replace('-', '_')}"


CASES = (
    Case("/page", "page", (PAGE,), 4),
    Case("/page0", "page", (PAGE,), 4),
    Case("/offset", "offset", START, 5, items=7),
    Case("/cursor", "cursor", (parameter("cursor"),), 3),
    Case("/link", "link-header", (), 3),
    Case("/link", "", (), 3),
    Case("/next", "next-url", (), 3),
    Case("/next", "", (), 3),
)


@pytest.mark.parametrize("case", CASES, ids=str)
def test_every_style_gives_all_items(load: Load, paged: tuple[str, list[str]], case: Case) -> None:
    base, asked = paged
    tools = package(load, base, listing(base, case.path, case.style, *case.parameters))
    asked.clear()
    ships = getattr(tools, case.name)
    assert [ship.name for ship in ships()] == NAMES
    assert len(asked) == case.calls
    assert [ship.name for ship in ships(max_pages=1)] == NAMES[: case.items]


def test_pages_are_read_as_they_are_needed(load: Load, paged: tuple[str, list[str]]) -> None:
    base, asked = paged
    tools = package(load, base, listing(base, "/next"))
    asked.clear()
    ships = tools.iter_list_next()
    assert asked == []
    assert [next(ships).id for _ in range(11)] == list(range(11))
    assert asked == ["/next", "/next?start=10"]


def test_the_caller_chooses_where_to_begin(load: Load, paged: tuple[str, list[str]]) -> None:
    base, _ = paged
    tools = package(
        load,
        base,
        listing(base, "/page", "page", PAGE),
        listing(base, "/cursor", "cursor", parameter("cursor")),
    )
    assert [ship.id for ship in tools.iter_list_page(page=3)] == list(range(20, 25))
    assert [ship.id for ship in tools.iter_list_cursor(cursor="c20")] == list(range(20, 25))


def test_a_page_in_the_body(load: Load, paged: tuple[str, list[str]]) -> None:
    base, _ = paged
    tool = listing(
        base,
        "/search",
        "page",
        parameter("page", type="integer", location="body"),
        method="POST",
        body_kind="json",
    )
    tools = package(load, base, tool)
    assert [ship.name for ship in tools.iter_list_search()] == NAMES


CIRCLES = (
    Case("/stuck", "page", (PAGE,), 2, items=3),
    Case("/stuck", "offset", START, 2, items=3),
    Case("/cursor-loop", "cursor", (parameter("cursor"),), 3, items=6),
    Case("/next-loop", "next-url", (), 2, items=2),
)


@pytest.mark.parametrize("case", CIRCLES, ids=str)
def test_what_leads_in_a_circle_ends(load: Load, paged: tuple[str, list[str]], case: Case) -> None:
    base, asked = paged
    tools = package(load, base, listing(base, case.path, case.style, *case.parameters))
    asked.clear()
    assert len(list(getattr(tools, case.name)())) == case.items
    assert len(asked) == case.calls


def test_a_link_to_another_host_is_not_followed(
    load: Load, paged: tuple[str, list[str]], other: tuple[str, list[str]]
) -> None:
    base, _ = paged
    tools = package(load, base, listing(base, "/next-elsewhere"))
    with pytest.raises(tools.ApiError, match="another host"):
        list(tools.iter_list_next_elsewhere())
    assert other[1] == []


def test_very_many_pages_are_refused_unless_meant(
    load: Load, paged: tuple[str, list[str]], monkeypatch: pytest.MonkeyPatch
) -> None:
    base, asked = paged
    tools = package(load, base, listing(base, "/endless"))
    monkeypatch.setattr("harbour.client.PAGE_LIMIT", 5)
    with pytest.raises(tools.ApiError, match="max_pages"):
        list(tools.iter_list_endless())
    asked.clear()
    assert len(list(tools.iter_list_endless(max_pages=8))) == 8
    assert len(asked) == 8


def test_the_asynchronous_iterator_gives_the_same(load: Load, paged: tuple[str, list[str]]) -> None:
    base, _ = paged
    package(load, base, listing(base, "/next"))

    async def collect() -> list[str]:
        aio = __import__("harbour.aio", fromlist=["aio"])
        return [ship.name async for ship in aio.iter_list_next()]

    assert asyncio.run(collect()) == NAMES


def source(*tools: Tool) -> str:
    files = render_package(make_plan(*tools))
    return files["src/harbour/tools/ships.py"].decode()


def draft(style: str, *names: str) -> PaginationDraft:
    return PaginationDraft.model_validate({"style": style, "parameters": names})


SHIP = {"id": 1}
NO_ITERATOR: list[tuple[str, PaginationDraft | None, object, dict[str, Any]]] = [
    ("nothing says that it is paged", None, {"ships": [SHIP]}, {}),
    ("the answer has no list", draft("page", "page"), {"ship": SHIP}, {}),
    ("two lists are as likely", draft("page", "page"), {"a": [SHIP], "b": [SHIP]}, {}),
    ("the parameter is not there", draft("page", "seite"), {"ships": [SHIP]}, {}),
    ("the next cursor was not seen", draft("cursor", "page"), {"ships": [SHIP]}, {}),
    ("the next address was not seen", draft("next-url"), {"ships": [SHIP]}, {}),
    ("a header of lists, but one ship", draft("link-header"), {"id": 1, "crew": [SHIP]}, {}),
    ("text", draft("page", "page"), "one\ntwo", {}),
    ("it changes state", draft("page", "page"), {"ships": [SHIP]}, {"effect": {
        "kind": "write", "reason": "POST"}}),
]  # fmt: skip


@pytest.mark.parametrize(
    ("pagination", "answer", "more"),
    [case[1:] for case in NO_ITERATOR],
    ids=[case[0] for case in NO_ITERATOR],
)
def test_there_is_none_where_the_style_or_the_list_is_not_known(
    pagination: PaginationDraft | None, answer: object, more: dict[str, Any]
) -> None:
    endpoint = make_endpoint(path="/ships", parameters=(PAGE,), pagination=pagination, **more)
    assert "def iter_" not in source(prove(endpoint, answer, {}))


@pytest.mark.parametrize(
    ("answer", "items"),
    [
        ([SHIP], "()"),
        ({"data": [SHIP], "errors": []}, '("data",)'),
        ({"ships": [SHIP], "crews": [SHIP]}, '("ships",)'),
        ({"_embedded": {"ships": [SHIP]}, "page": 1}, '("_embedded", "ships")'),
        ({"data": [SHIP], "included": {"items": [SHIP]}}, '("data",)'),
    ],
)
def test_where_the_items_are(answer: object, items: str) -> None:
    endpoint = make_endpoint(path="/ships", parameters=(PAGE,), pagination=draft("page", "page"))
    assert f'pages=Pages("page", {items}, parameter="page")' in source(prove(endpoint, answer, {}))


def test_names_of_iterators_collide_with_nothing() -> None:
    endpoint = make_endpoint(
        name="list_ships",
        path="/ships",
        parameters=(PAGE, parameter("max_pages"), parameter("Pages"), parameter("Iterator")),
        pagination=draft("page", "page"),
    )
    taken = make_endpoint(name="iter_list_ships", path="/other", parameters=())
    text = source(prove(endpoint, {"ships": [SHIP]}, {}), prove(taken, {"id": 1}, {}))
    assert "def iter_list_ships_2(" in text
    assert "page_limit: int | None = None" in text
    assert "import Pages as _Pages" in text


def is_method(node: ast.AST) -> TypeGuard[Any]:
    return isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute)


def test_hostile_names_in_an_answer_stay_strings(load: Load) -> None:
    name = '"); import os; ("'
    answer = {name: [SHIP], "meta": {"next_cursor": None}}
    endpoint = make_endpoint(
        path="/ships", parameters=(parameter("cursor"),), pagination=draft("cursor", "cursor")
    )
    plan: PackagePlan = make_plan(prove(endpoint, answer, {}))
    load(plan)
    text = source(*plan.tools)
    assert "iter_get_ship" in text
    calls = {node.func.attr for node in ast.walk(ast.parse(text)) if is_method(node)}
    assert calls == {"get", "pages"}
