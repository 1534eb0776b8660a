"""Names of the API that are names of Python's or ours still give typed, clean code."""

from __future__ import annotations

import importlib
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from types import ModuleType

import pytest
from harbour_api import Fact, make_endpoint, make_plan, prove

from doc2tools.compiler.emit.package import render_package
from doc2tools.compiler.emit.write import write_project
from doc2tools.compiler.ir.plan import PackagePlan
from doc2tools.compiler.ir.spec import Parameter

TOOLS = (
    *("list", "str", "int", "get10", "get9", "GET", "client", "joined", "use", "errors", "models"),
    *("tools", "ships", "datetime", "Sequence", "Mapping", "Literal", "JsonValue", "Ship"),
)


def parameter(name: str, **facts: Fact) -> Parameter:
    return Parameter.model_validate({"name": name, "identifier": name, "location": "query"} | facts)


PARAMETERS = (
    parameter("client"),
    parameter("joined", type="array", style="comma", item_type="string"),
    parameter("list", type="array"),
    parameter("str", type="string", enum=("a", "b")),
    parameter("builtins", type="integer"),
    parameter("when", type="string", format="date-time"),
    parameter("cargo", type="object", location="body"),
    parameter("manifest", type="file", location="form"),
    parameter("model"),
    parameter("self"),
    parameter("Ship"),
)
ROW = {"id": 1, "l": 2, "list": [1.5], "self": {"a": [{"class": 1}]}, "copy": None, "_id": "x"}


def test_names_that_collide(tmp_path: Path) -> None:
    tools = [
        prove(
            make_endpoint(
                name=name,
                group="ships" if number % 2 else f"pier{number}",
                path="/ships",
                method="POST" if number % 3 else "GET",
                parameters=PARAMETERS,
            ),
            [ROW] if number % 4 else ROW,
            {"list": ["a"], "str": "c"},
        )
        for number, name in enumerate(TOOLS)
    ]
    write_project(tmp_path, render_package(make_plan(*tools)))
    scripts = Path(sys.executable).parent
    rules = ["--isolated", "--no-cache", "--target-version", "py311", "--line-length", "100"]
    checks = [
        [scripts / "ruff", "check", *rules, "--select", "E4,E7,E9,F,E,I,UP,B", "."],
        [scripts / "pyright", "--pythonpath", sys.executable, "-p", "."],
        [sys.executable, "-m", "pytest", "-q", "-W", "error", "-p", "no:cacheprovider"],
    ]
    for command in checks:
        words = [str(word) for word in command]
        done = subprocess.run(words, cwd=tmp_path, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stdout


def many_tools(number: int) -> PackagePlan:
    return make_plan(
        *(
            prove(make_endpoint(name=f"get_boat_{at}", group=f"pier{at % 3}"), {"id": at})
            for at in range(number)
        )
    )


@pytest.mark.parametrize(("number", "late"), [(100, False), (101, True)])
def test_tools_of_a_large_package_are_imported_as_they_are_asked_for(
    load: Callable[[PackagePlan], ModuleType], number: int, late: bool
) -> None:
    package = load(many_tools(number))
    assert ("harbour.tools.pier0" not in sys.modules) == late
    assert len(package.__all__) == number + 3
    assert package.get_boat_7.__module__ == "harbour.tools.pier1"
    tools = importlib.import_module("harbour.tools")
    aio = importlib.import_module("harbour.aio")
    assert tools.get_boat_7 is package.get_boat_7
    assert aio.get_boat_7.__module__ == "harbour.aio.pier1"
    with pytest.raises(AttributeError, match="get_boat_999"):
        _ = package.get_boat_999
