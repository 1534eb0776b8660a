"""Text of documentation and servers never becomes code."""

from __future__ import annotations

import ast
import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
import yaml
from harbour_api import make_endpoint, make_plan, prove
from hypothesis import given, settings
from hypothesis import strategies as st
from openapi_spec_validator import validate

from doc2tools.compiler.emit.check import check_tools
from doc2tools.compiler.emit.code import (
    Docstring,
    Identifier,
    Literal,
    identifier,
    is_identifier,
    markdown_code,
    toml_string,
)
from doc2tools.compiler.emit.environment import templates
from doc2tools.compiler.emit.functions import name_functions
from doc2tools.compiler.emit.package import render_package, stage_sources
from doc2tools.compiler.emit.write import write_project
from doc2tools.compiler.ir.options import CompileOptions
from doc2tools.compiler.ir.plan import PackagePlan
from doc2tools.compiler.ir.source import Span
from doc2tools.compiler.ir.spec import Parameter

HOSTILE = (
    "__import__('os').system('touch /tmp/pwned')",
    '"""',
    '\\"""\nimport os\n"""',
    "\\",
    'ends with "',
    "{{7*7}}",
    "{% raw %}{% for x in [] %}",
    "a\nb\r\nc\u2028d",
    "\u202eevil\u202c\u200b",
    "nul\0byte",
    "lambda",
    "None",
    "x" * 300,
    "🦀 crab",
    "ﬁle \u210c",
    "\ud800",
    "'''; raise SystemExit",
    "#\x0c",
    "$(id) `id`",
    "",
)


@pytest.mark.parametrize("text", HOSTILE)
def test_an_identifier_comes_of_any_text(text: str) -> None:
    name = identifier(text)
    assert name.source.isidentifier()
    assert name.source.isascii()
    assert is_identifier(name.source)


@pytest.mark.parametrize(
    "text", ["class", "a-b", "__import__", "é", "", "_", "a" * 65, "1a", "a\n"]
)
def test_what_is_no_identifier_is_refused(text: str) -> None:
    with pytest.raises(AssertionError):
        Identifier(text)


@pytest.mark.parametrize("name", ["match", "type", "id", "class_", "_private", "camelCase", "x2"])
def test_a_good_identifier_stays(name: str) -> None:
    assert identifier(name).source == name


def test_names_that_fold_alike_are_told_apart() -> None:
    parameters = tuple(
        Parameter(name=name, identifier=name, location="query") for name in ("a-b", "a_b", "a b")
    )
    function = name_functions([make_endpoint(parameters=parameters)])[0]
    assert [name.source for name in function.names] == ["a_b", "a_b_2", "a_b_3"]


@given(st.text())
def test_literals_evaluate_to_their_value(text: str) -> None:
    source = Literal.of({"key": [text, 1.5, None, True]}).source
    assert source.isascii()
    assert ast.literal_eval(source) == {"key": [text, 1.5, None, True]}


@given(st.text(), st.integers(0, 8))
@settings(max_examples=200)
def test_a_docstring_is_one_constant_whatever_it_says(text: str, indent: int) -> None:
    docstring = Docstring.of(text, indent)
    module = ast.parse("if 1:\n" + " " * 8 + docstring.source.replace("\n", "\n"))
    (statement,) = module.body
    assert isinstance(statement, ast.If)
    (expression,) = statement.body
    assert isinstance(expression, ast.Expr)
    assert isinstance(expression.value, ast.Constant)
    assert not set(str(expression.value.value)) & set("\0\r\u202e\u2028\u200b")


@pytest.mark.parametrize("text", HOSTILE)
def test_toml_strings_read_back(text: str) -> None:
    tomllib = pytest.importorskip("tomllib")
    assert isinstance(tomllib.loads(f"a = {toml_string(text)}")["a"], str)


def test_a_code_span_is_not_ended_by_its_text() -> None:
    assert markdown_code("a`b``c|d") == "``` a`b``c\\|d ```"


def test_templates_print_code_only() -> None:
    with pytest.raises(AssertionError, match="prints str"):
        templates().render("test_tools.py", {"package": "import os"})


def hostile_plan() -> PackagePlan:
    """Give a plan in which every text is hostile."""
    tools: list[Any] = []
    for number, text in enumerate(HOSTILE):
        other = HOSTILE[(number * 7 + 3) % len(HOSTILE)]
        parameters = (
            Parameter(
                name=text,
                identifier=text,
                location="query",
                type="string",
                required=True,
                description=text,
                default=other,
                enum=(text, other),
            ),
            Parameter(name=other, identifier=text, location="query", description=other),
            Parameter(name=text, identifier="client", location="header", format=text),
            Parameter(name="list", identifier="list", location="query", type="array"),
            Parameter(name="str", identifier="str", location="query"),
            Parameter(
                name="joined", identifier="joined", location="query", type="array", style="comma"
            ),
        )
        endpoint = make_endpoint(
            name=text,
            group=other,
            title=text,
            summary=text,
            description=f"{other}\n\n{text}",
            path=f"/{text}/{{{other}}}",
            parameters=parameters,
            fixed_query={text: other, "action": text},
            fixed_headers={"X-Text": text},
            section=(text,),
            spans=(Span(page=text or "p", start=1, end=2),),
        )
        answer = {text: other, "rows": [{text: number, other: None, "json": [text], "str": 1}]}
        tools.append(prove(endpoint, answer, {text: other}))
    plan = make_plan(*tools)
    return plan.model_copy(update={"spec": plan.spec.model_copy(update={"title": HOSTILE[2]})})


def test_a_hostile_plan_gives_a_package_that_only_calls(
    load: Callable[[PackagePlan], ModuleType],
) -> None:
    plan = hostile_plan()
    files = render_package(plan)
    for path, content in files.items():
        text = content.decode("utf-8")
        assert "\u202e" not in text, path
        assert "\0" not in text, path
        if path.endswith(".py"):
            ast.parse(text)
        if path.endswith(".json"):
            assert text.isascii() or path.endswith("openapi.json")
            json.loads(text)
        if path.endswith("openapi.json"):
            assert yaml.safe_load(text) == json.loads(text)
            validate(json.loads(text))
    package: Any = load(plan)
    assert len(package.__all__) == len(HOSTILE) + 3
    for name in package.__all__:
        assert callable(getattr(package, name))


def test_a_hostile_package_is_clean(tmp_path: Path) -> None:
    write_project(tmp_path, render_package(hostile_plan()))
    ruff = Path(sys.executable).with_name("ruff")
    words = [str(ruff), "check", "--no-cache", "--select", "E4,E5,E7,E9,F,E,I,UP,B", "."]
    done = subprocess.run(words, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout


def test_a_hostile_plan_can_be_staged() -> None:
    plan = hostile_plan()
    files = stage_sources("harbour", plan.base_url, plan.spec.endpoints, CompileOptions())
    for source in files.values():
        ast.parse(source)


def test_the_same_plan_gives_the_same_bytes() -> None:
    assert render_package(hostile_plan()) == render_package(hostile_plan())


GOOD = """\"\"\"Tools of the group ships.\"\"\"
from pydantic import JsonValue
from ..client import client
__all__ = ["get_ship"]
def get_ship(ship_id: int) -> JsonValue:
    \"\"\"Get one ship.\"\"\"
    return client().get("/ships/{ship_id}", path={"ship_id": ship_id})
"""


@pytest.mark.parametrize(
    ("was", "becomes"),
    [
        ("path={", "path={**{}, "),
        ('"ship_id": ship_id', '"ship_id": eval(ship_id)'),
        ('"ship_id": ship_id', '"other": ship_id'),
        ("ship_id: int)", "ship_id: int = print())"),
        ("ship_id: int)", "ship_id: print(1))"),
        ("ship_id: int)", "ship_id: int, *rest)"),
        ("from pydantic import JsonValue", "from os import system as JsonValue"),
        ("    return", "    import os\n    return"),
        ("def get_ship", "@print\ndef get_ship"),
        ("def get_ship", "def get_boat"),
        ("/ships/", "/boats/"),
        ("client().get", "client().delete"),
        ("client().get", "open('x').get"),
        ("Get one ship.", "Get two ships."),
        ('["get_ship"]', '["get_ship", "system"]'),
        ("__all__", "print()\n__all__"),
    ],
)
def test_the_check_refuses_anything_else(was: str, becomes: str) -> None:
    parameter = Parameter(
        name="ship_id", identifier="ship_id", location="path", type="integer", required=True
    )
    endpoint = make_endpoint(parameters=(parameter,))
    functions = name_functions([endpoint])
    check_tools(GOOD, functions, endpoint.base_url, (), brief=True)
    assert was in GOOD
    with pytest.raises(AssertionError):
        check_tools(GOOD.replace(was, becomes), functions, endpoint.base_url, (), brief=True)
