"""What a model may propose as a value, and which endpoints it is asked to make simpler."""

from __future__ import annotations

from typing import cast

import pytest

from doc2tools.compiler.events import ignore
from doc2tools.compiler.ir.base import JsonValue
from doc2tools.compiler.ir.options import CompileOptions
from doc2tools.compiler.ir.plan import PackagePlan
from doc2tools.compiler.ir.spec import ApiSpec, Effect, Endpoint, Parameter
from doc2tools.compiler.llm.model import Model
from doc2tools.compiler.repair.agent.bench import Bench
from doc2tools.compiler.repair.agent.tasks import flexible
from doc2tools.compiler.repair.agent.values import usable_value
from doc2tools.sandbox.sandbox import Sandbox

BASE = "http://127.0.0.1:8000/api"
PLAN = PackagePlan(
    name="library", base_url=BASE, spec=ApiSpec(title="L"), tools=(), options=CompileOptions()
)
BENCH = Bench(PLAN, cast("Sandbox", None), cast("Model", None), ignore)


def parameter(name: str, **changes: object) -> Parameter:
    given = Parameter(name=name, identifier=name, location="query", type="string")
    return given.model_copy(update=changes)


GOOD: list[tuple[str, Parameter, JsonValue]] = [
    ("Paris", parameter("city"), "Paris"),
    (" 17 ", parameter("count", type="integer"), 17),
    ("2024-05-01", parameter("day", format="date"), "2024-05-01"),
    (f"{BASE}/books/1", parameter("link"), f"{BASE}/books/1"),
    ("list", parameter("action"), "list"),
]


@pytest.mark.parametrize(("text", "given", "value"), GOOD)
def test_a_value_is_taken_as_its_parameter_has_it(
    text: str, given: Parameter, value: JsonValue
) -> None:
    assert usable_value(text, given, BENCH) == value


BAD: list[tuple[str, Parameter]] = [
    ("", parameter("city")),
    ("your_city", parameter("city")),
    ("<city>", parameter("city")),
    ("{city}", parameter("city")),
    ("city", parameter("city")),
    ("x" * 300, parameter("city")),
    ("a\nb", parameter("city")),
    ("a\x00b", parameter("city")),
    ("../../etc/passwd", parameter("file_name")),
    ("http://evil.example/steal", parameter("url")),
    ("https://127.0.0.1:8001/", parameter("url")),
    ("http://127.0.0.1:8000@evil.example/", parameter("url")),
    ("gopher://evil.example", parameter("url")),
    ("delete", parameter("action")),
    ("true", parameter("purge")),
    ("sk-1234", parameter("api_key")),
    ("Bearer x", parameter("Authorization", location="header")),
    ("many", parameter("count", type="integer")),
    ("red", parameter("colour", enum=("green", "blue"))),
]


@pytest.mark.parametrize(("text", "given"), BAD)
def test_a_value_that_must_not_be_sent_is_refused(text: str, given: Parameter) -> None:
    assert usable_value(text, given, BENCH) is None


def endpoint(*parameters: Parameter) -> Endpoint:
    read = Effect(kind="read", reason="GET")
    return Endpoint(
        name="find", group="g", method="GET", path="/find", effect=read, parameters=parameters
    )


def test_an_endpoint_is_flexible_by_many_options_or_a_language() -> None:
    few = [parameter(f"option_{number}") for number in range(5)]
    assert not flexible(endpoint(*few))
    assert flexible(endpoint(*few, parameter("option_5")))
    assert not flexible(endpoint(parameter("query", description="Text to look for.")))
    language = "Filter in the query language, such as `year > 1990`."
    assert flexible(endpoint(parameter("query", description=language)))
    assert not flexible(endpoint(parameter("unit", description=language)))
