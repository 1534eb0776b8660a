"""The report in a real browser: search, filters, tools, graph, both schemes, wide and narrow."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable, Generator
from pathlib import Path
from typing import Any, Literal, cast

import jinja2
import pytest
from playwright.sync_api import Browser, Page, sync_playwright

from doc2tools.compiler.ir.graph import DependencyGraph, Edge, ToolNode
from doc2tools.compiler.report import page as report_page
from doc2tools.compiler.report.page import render_report
from doc2tools.compiler.report.picture import draw

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser")
FLAGS = ["--no-sandbox", "--disable-gpu", "--disable-background-networking", "--disable-sync"]

Open = Callable[..., Page]
Scheme = Literal["light", "dark"]


@pytest.fixture(scope="module")
def browser() -> Generator[Browser]:
    if CHROMIUM is None:
        pytest.skip("chromium is not installed")
    with sync_playwright() as driver:
        started = driver.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        yield started
        started.close()


@pytest.fixture
def visit(browser: Browser) -> Generator[Open]:
    """Give a function that opens a page, and fail if it complains or asks for anything."""
    said: list[str] = []
    pages: list[Page] = []

    def go(file: Path, *, width: int = 1280, scheme: Scheme = "light", anchor: str = "") -> Page:
        page = browser.new_page(viewport={"width": width, "height": 900}, color_scheme=scheme)
        pages.append(page)
        page.on("console", lambda message: said.append(message.text))
        page.on("pageerror", lambda fault: said.append(str(fault)))
        page.on("request", lambda request: asked(request.url))
        page.goto(file.as_uri() + anchor)
        return page

    def asked(url: str) -> None:
        if not url.startswith(("file:", "data:")):
            said.append(f"asked for {url}")

    yield go
    for page in pages:
        page.close()
    assert said == []


@pytest.fixture
def report(library_project: Path) -> Path:
    return library_project / "report.html"


def visible(page: Page) -> list[str]:
    names = page.locator(".tool:visible").evaluate_all("all => all.map(one => one.id)")
    return [name.removeprefix("tool-") for name in names]


def entries(project: Path) -> list[dict[str, Any]]:
    manifest = json.loads((project / "src" / "library" / "doc2tools.json").read_text())
    found: list[dict[str, Any]] = manifest["tools"]
    return found


def test_every_tool_is_there_with_its_status(
    visit: Open, report: Path, library_project: Path
) -> None:
    page = visit(report)
    tools = entries(library_project)
    assert sorted(visible(page)) == sorted(tool["name"] for tool in tools)
    for tool in tools:
        card = page.locator(f"#tool-{tool['name']}")
        assert card.get_attribute("data-status") == tool["status"]
    good = sum(tool["status"] == "validated" for tool in tools)
    assert f"{good} of {len(tools)}" in page.locator(".tiles").inner_text()


def test_search_and_filters(visit: Open, report: Path, library_project: Path) -> None:
    page = visit(report)
    tools = entries(library_project)
    page.keyboard.press("/")
    page.keyboard.type("book  GET")
    found = visible(page)
    assert found
    assert len(found) < len(tools)
    assert all("book" in page.locator(f"#tool-{one}").inner_text().lower() for one in found)
    assert page.locator("#shown").inner_text() == f"{len(found)} of {len(tools)} tools"
    page.keyboard.press("Escape")
    assert len(visible(page)) == len(tools)

    page.get_by_label("validated").uncheck()
    rest = {tool["name"] for tool in tools if tool["status"] != "validated"}
    assert set(visible(page)) == rest
    page.locator("#search").fill("no such thing")
    assert visible(page) == []
    page.locator("#reset").click()
    assert len(visible(page)) == len(tools)

    page.locator("#group").select_option("catalogue")
    assert set(visible(page)) == {tool["name"] for tool in tools if tool["group"] == "catalogue"}


def test_a_tool_opens_with_evidence_proof_and_origins(
    visit: Open, report: Path, library_project: Path
) -> None:
    page = visit(report)
    tool = next(one for one in entries(library_project) if one["name"] == "get_catalogue_book")
    card = page.locator("#tool-get_catalogue_book")
    assert not card.locator(".body").is_visible()
    card.locator("summary").click()
    text = card.inner_text()
    for line in (*tool["evidence"], *tool["verdict_evidence"]):
        assert line in text
    assert "get_catalogue_book(id=3)" in text
    assert "The Tide Tables" in text, "the answer of the proved call is shown"
    assert "documented example" in text
    place = tool["source"]
    assert f"{place['page']}:{place['start']}" in text


def test_keys_go_from_tool_to_tool(visit: Open, report: Path) -> None:
    page = visit(report)
    page.locator("#search").focus()
    page.keyboard.press("ArrowDown")
    page.keyboard.press("ArrowDown")
    second = page.locator(".tool").nth(1)
    focused = page.evaluate("document.activeElement.parentElement.id")
    assert focused == second.get_attribute("id")
    page.keyboard.press("Enter")
    assert second.locator(".body").is_visible()


def test_a_link_to_a_tool_opens_it(visit: Open, report: Path) -> None:
    page = visit(report, anchor="#tool-get_catalogue_book")
    assert page.locator("#tool-get_catalogue_book .body").is_visible()


@pytest.fixture
def graph_page(library_project: Path, tmp_path: Path) -> Path:
    """Give a report with a graph of its own: a → b → c proved, b → d not."""
    manifest = json.loads((library_project / "src" / "library" / "doc2tools.json").read_text())
    names = [tool["name"] for tool in manifest["tools"]][:4]
    nodes = tuple(ToolNode(name=name, status="validated") for name in names)
    pairs = ((0, 1, "proved"), (1, 2, "proved"), (1, 3, "judged"))
    edges = tuple(
        Edge.model_validate(
            {"source": names[a], "target": names[b], "parameter": "id", "field": "rows[].id",
             "similarity": 0.5, "stage": stage, "reason": "same name"}
        )
        for a, b, stage in pairs
    )  # fmt: skip
    file = tmp_path / "report.html"
    file.write_bytes(render_report(manifest, [], DependencyGraph(tools=nodes, edges=edges)))
    return file


def test_the_graph_can_be_explored(visit: Open, graph_page: Path) -> None:
    page = visit(graph_page)
    nodes, lines = page.locator(".node:not(.away)"), page.locator(".line:not(.away)")
    assert (nodes.count(), lines.count()) == (3, 2), "at first what is proved"
    assert not page.locator(".away").first.is_visible()
    page.locator("#proved").uncheck()
    assert (nodes.count(), lines.count()) == (4, 3)

    second = page.locator(".node").nth(1)
    name = second.get_attribute("data-name")
    second.click()
    assert page.locator(".line.near").count() == 3
    chosen = page.locator("#chosen")
    assert "is fed by" in chosen.inner_text()
    assert "(not proved)" in chosen.inner_text()
    chosen.locator("a").click()
    page.locator(f"#tool-{name} .body").wait_for(state="visible")

    first = page.locator(".node").first
    first.focus()
    page.keyboard.press("Enter")
    assert first.get_attribute("aria-pressed") == "true"
    page.keyboard.press("Escape")
    assert page.locator(".chosen").count() == 0


def test_the_graph_zooms_and_moves(visit: Open, graph_page: Path) -> None:
    page = visit(graph_page)
    picture = page.locator("#picture")

    def box() -> list[float]:
        return [float(word) for word in str(picture.get_attribute("viewBox")).split()]

    whole = box()
    page.locator("#closer").click()
    assert box()[2] < whole[2]
    page.locator("#fit").click()
    assert box() == whole
    area = picture.bounding_box()
    assert area is not None
    x, y = area["x"] + 8, area["y"] + 8
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x + 60, y + 30, steps=3)
    page.mouse.up()
    assert box()[0] < whole[0]
    assert box()[1] < whole[1]


def test_tools_that_feed_each_other_are_drawn() -> None:
    edges = tuple(
        Edge(source=a, target=b, parameter="id", field="id", similarity=1, stage="proved")
        for a, b in (("a", "b"), ("b", "a"), ("b", "c"))
    )
    nodes = tuple(ToolNode(name=name) for name in ("a", "b", "c", "alone"))
    picture = draw(DependencyGraph(tools=nodes, edges=edges))
    place = {node.name: node.x for node in picture.nodes}
    assert place["a"] == place["b"] < place["c"]
    assert (picture.alone, len(picture.lines)) == (1, 3)


def test_light_and_dark(visit: Open, report: Path) -> None:
    def paper(page: Page) -> str:
        return str(page.evaluate("getComputedStyle(document.body).backgroundColor"))

    light, dark = visit(report), visit(report, scheme="dark")
    assert paper(light) != paper(dark)
    before = paper(dark)
    dark.locator("#theme").click()
    assert paper(dark) == paper(light)
    dark.locator("#theme").click()
    assert paper(dark) == before


@pytest.mark.parametrize("width", [360, 768])
def test_nothing_sticks_out_on_a_narrow_screen(visit: Open, report: Path, width: int) -> None:
    page = visit(report, width=width)
    page.locator("#unfold").click()
    assert page.evaluate("document.documentElement.scrollWidth") <= width


def hostile(project: Path) -> tuple[dict[str, Any], list[Any]]:
    """Give a manifest and recordings in which every text tries to be markup."""
    attack = (
        "</script></style></title>\"'><img src=x onerror=window.hit=1>"
        "<script>window.hit=1</script><svg onload=window.hit=1>{{ 7*7 }}"
    )

    def poison(value: object, key: str = "") -> object:
        if isinstance(value, dict):
            table = cast("dict[str, object]", value)
            return {name: poison(item, name) for name, item in table.items()}
        if isinstance(value, list):
            return [poison(item, key) for item in cast("list[object]", value)]
        return attack if isinstance(value, str) and key not in {"status", "tool"} else value

    manifest = json.loads((project / "src" / "library" / "doc2tools.json").read_text())
    recordings = json.loads((project / "tests" / "recordings.json").read_text())
    return cast("dict[str, Any]", poison(manifest)), cast("list[Any]", poison(recordings))


def test_hostile_text_stays_text(
    browser: Browser, library_project: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "report.html"
    manifest, recordings = hostile(library_project)

    def run() -> bool:
        edge = Edge(
            source=manifest["tools"][0]["name"], target="</svg><script>window.hit=1</script>",
            parameter="</title><img src=x onerror=window.hit=1>", field="x", similarity=1,
        )  # fmt: skip
        graph = DependencyGraph(edges=(edge,))
        file.write_bytes(render_report(manifest, recordings, graph))
        page = browser.new_page()
        page.goto(file.as_uri())
        hit = bool(page.evaluate("!!window.hit"))
        assert page.evaluate("document.title.includes('49')") is False
        page.close()
        return hit

    assert run() is False

    # Taken out one by one: either defence alone holds, without both the attack succeeds.
    def unescaped() -> jinja2.Environment:
        folder = Path(report_page.doc2tools.templates.__path__[0]) / report_page.FOLDER
        return jinja2.Environment(  # noqa: S701 - this is the defence taken out
            loader=jinja2.FileSystemLoader(folder), trim_blocks=True, lstrip_blocks=True
        )

    def no_policy(style: str, script: str) -> str:
        del style, script
        return ""

    monkeypatch.setattr(report_page, "_environment", unescaped)
    assert run() is False, "the content security policy holds alone"
    monkeypatch.setattr(report_page, "_policy", no_policy)
    assert run() is True, "the attack works where neither defence is there"


def test_the_command_says_where_it_is(
    doc2tools: Callable[..., tuple[int, str, str]], library_project: Path, tmp_path: Path
) -> None:
    code, out, _ = doc2tools("report", library_project)
    assert code == 0
    assert Path(out.strip()).read_bytes().startswith(b"<!doctype html>")
    code, _, said = doc2tools("report", "no_such_package", "--out", tmp_path)
    assert code == 2
    assert "no_such_package" in said
