"""SVG: three columns, from the tools that give values over the parameters to those that take them.

Each column is ordered by the mean place of its neighbours, so that few lines cross (the barycentre
method of Sugiyama et al., IEEE SMC 11(2), 1981).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import doc2tools.templates
from doc2tools.compiler.graph.formats.flows import Flow, Flows, flows
from doc2tools.compiler.graph.formats.graphml import xml_text
from doc2tools.compiler.ir.graph import DependencyGraph

__all__ = ["svg"]

_ROW = 24
_TOP = 78
_WIDTH = 300
_GAP = 150
_MARGIN = 24
_SWEEPS = 12
_LETTERS = 40
_TEMPLATES = Path(str(doc2tools.templates.__file__)).parent


@dataclass(frozen=True, slots=True)
class Box:
    """One node of the picture, placed; `hue` in degrees."""

    label: str
    title: str
    x: float
    y: float
    hue: int
    parameter: bool


@dataclass(frozen=True, slots=True)
class Line:
    """One line of the picture, from the right edge of a box to the left edge of another."""

    x: float
    y: float
    bend: float
    to_x: float
    to_y: float
    hue: int
    proved: bool
    title: str


def svg(graph: DependencyGraph) -> str:
    """Draw the graph's standing edges; titles of nodes and lines tell the details."""
    from jinja2 import Environment, FileSystemLoader, StrictUndefined  # noqa: PLC0415 - see above

    environment = Environment(
        loader=FileSystemLoader(_TEMPLATES),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
    found = flows(graph)
    columns = _columns(found)
    places = _places(columns)
    height = _TOP + _ROW * max(1, *(len(column) for column in columns)) + _MARGIN
    hues = {name: _hue(number) for number, name in enumerate(found.parameters)}
    titles = {tool.name: f"{tool.method} {tool.path} {tool.title}" for tool in graph.tools}
    boxes = [_box(key, place, hues, titles) for key, place in places.items()]
    lines = [
        *(
            _line(("give", one.tool), ("parameter", one.parameter), one, places, hues)
            for one in found.gives
        ),
        *(
            _line(("parameter", one.parameter), ("take", one.tool), one, places, hues)
            for one in found.takes
        ),
    ]
    return environment.get_template("graph/graph.svg.jinja").render(
        name=xml_text(graph.name),
        width=2 * _MARGIN + 3 * _WIDTH + 2 * _GAP,
        height=height,
        box_width=_WIDTH,
        box_height=_ROW - 6,
        boxes=boxes,
        lines=lines,
        heads=[
            (_MARGIN + column * (_WIDTH + _GAP), text)
            for column, text in enumerate(("gives", "parameter", "takes"))
        ],
        summary=_summary(graph, found),
    )


def _summary(graph: DependencyGraph, found: Flows) -> str:
    proved = sum(edge.stage == "proved" for edge in graph.edges)
    standing = sum(edge.stage != "refuted" for edge in graph.edges)
    return (
        f"{len(graph.tools)} tools, {len(found.parameters)} fed parameters, "
        f"{standing} edges, {proved} proved (solid lines)"
    )


def _hue(number: int) -> int:
    """Give hues far apart for neighbours, by the golden angle."""
    return round(number * 137.508) % 360


Key = tuple[str, str]


def _columns(found: Flows) -> list[list[Key]]:
    """Order the three columns: each by the mean place of its neighbours, in a few sweeps."""
    columns: list[list[Key]] = [
        list(dict.fromkeys(("give", one.tool) for one in found.gives)),
        [("parameter", name) for name in found.parameters],
        list(dict.fromkeys(("take", one.tool) for one in found.takes)),
    ]
    near: dict[Key, list[Key]] = {}
    for side, lines in (("give", found.gives), ("take", found.takes)):
        for one in lines:
            tool, parameter = (side, one.tool), ("parameter", one.parameter)
            near.setdefault(tool, []).append(parameter)
            near.setdefault(parameter, []).append(tool)
    for sweep in range(_SWEEPS):
        for number in (0, 1, 2) if sweep % 2 else (2, 1, 0):
            columns[number] = _ordered(columns[number], near, _ranks(columns))
    return columns


def _ranks(columns: Sequence[Sequence[Key]]) -> dict[Key, float]:
    return {
        key: (place + 0.5) / len(column) for column in columns for place, key in enumerate(column)
    }


def _ordered(column: list[Key], near: dict[Key, list[Key]], ranks: dict[Key, float]) -> list[Key]:
    def mean(key: Key) -> float:
        others = near.get(key, [])
        return sum(ranks[other] for other in others) / len(others) if others else ranks[key]

    return sorted(column, key=lambda key: (round(mean(key), 6), key))


def _places(columns: Sequence[Sequence[Key]]) -> dict[Key, tuple[float, float]]:
    """Spread each column evenly over the height of the tallest.

    networkx's layered layouts keep no order within a layer, so they are of no use here.
    """
    tallest = max(len(column) for column in columns)
    found: dict[Key, tuple[float, float]] = {}
    for number, column in enumerate(columns):
        step = _ROW * tallest / max(1, len(column))
        x = _MARGIN + number * (_WIDTH + _GAP)
        for place, key in enumerate(column):
            found[key] = (x, _TOP + step * (place + 0.5) - _ROW / 2)
    return found


def _box(key: Key, place: tuple[float, float], hues: dict[str, int], titles: dict[str, str]) -> Box:
    kind, name = key
    parameter = kind == "parameter"
    return Box(
        label=_short(name),
        title=xml_text(name if parameter else f"{name}: {titles.get(name, '')}"[:300]),
        x=place[0],
        y=round(place[1], 1),
        hue=hues.get(name, 215) if parameter else 215,
        parameter=parameter,
    )


def _short(name: str) -> str:
    text = " ".join(xml_text(name).split())
    return text if len(text) <= _LETTERS else text[: _LETTERS - 1] + "…"


def _line(
    start: Key,
    end: Key,
    flow: Flow,
    places: dict[Key, tuple[float, float]],
    hues: dict[str, int],
) -> Line:
    half = (_ROW - 6) / 2
    (x, y), (to_x, to_y) = places[start], places[end]
    return Line(
        x=x + _WIDTH,
        y=round(y + half, 1),
        bend=_GAP / 2,
        to_x=to_x,
        to_y=round(to_y + half, 1),
        hue=hues[flow.parameter],
        proved=flow.proved,
        title=xml_text(f"{flow.tool}: {flow.detail}"[:300]),
    )
