"""Every case under `tests/cases/classify` gets the verdict that it states."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from doc2tools.compiler.ir.exchange import Exchange, Request, Response, ToolRun, TransportFailure
from doc2tools.compiler.ir.outcome import Verdict
from doc2tools.compiler.ir.spec import Effect, Endpoint, Parameter
from doc2tools.compiler.validate.classify import classify, judge

CASES = Path(__file__).parents[2] / "cases" / "classify"
BASE = "http://127.0.0.1:8000"


def endpoint_of(facts: dict[str, Any]) -> Endpoint:
    parameters = [
        Parameter.model_validate({"identifier": entry["name"], **entry})
        for entry in facts.pop("parameters", [])
    ]
    head = {"name": "tool", "group": "tools", "base_url": BASE}
    effect = Effect(kind="read", reason="GET")
    return Endpoint.model_validate(head | facts | {"parameters": parameters, "effect": effect})


def exchange_of(facts: dict[str, Any], method: str = "GET") -> Exchange:
    url = facts["url"] if "://" in facts["url"] else BASE + facts["url"]
    request = Request(method=method, url=url)
    if "failure" in facts:
        return Exchange(request=request, failure=TransportFailure.model_validate(facts["failure"]))
    headers = {"content-type": facts.get("content_type", "")} | facts.get("headers", {})
    response = Response(
        status=facts["status"],
        headers={name: value for name, value in headers.items() if value},
        body=facts.get("body", ""),
        body_base64=facts.get("body_base64", False),
        truncated=facts.get("truncated", False),
    )
    return Exchange(request=request, response=response)


def load(path: Path) -> tuple[Endpoint, ToolRun, dict[str, Any]]:
    case = json.loads(path.read_text())
    endpoint = endpoint_of(case["endpoint"])
    run = ToolRun(
        tool="tool",
        exchanges=tuple(exchange_of(entry, endpoint.method) for entry in case["exchanges"]),
        error=case.get("error"),
        timed_out=case.get("timed_out", False),
    )
    return endpoint, run, case


@pytest.mark.parametrize("path", sorted(CASES.glob("*.json")), ids=lambda path: path.stem)
def test_case(path: Path) -> None:
    endpoint, run, case = load(path)
    control = exchange_of(case["control"]) if "control" in case else None
    expected = case["expect"]
    judgement = judge(endpoint, run, control, proved=case.get("proved", False))
    verdict = judgement.verdict
    assert (verdict.verdict, verdict.cause) == (expected["verdict"], expected["cause"]), verdict
    assert verdict.message
    if "rule" in expected:
        assert judgement.rule == expected["rule"]
    if "evidence" in expected:
        assert any(expected["evidence"] in line for line in verdict.evidence)
    if "parameter" in expected:
        assert judgement.complaint is not None
        assert judgement.complaint.parameter == expected["parameter"]


def test_cases_are_many() -> None:
    assert len(list(CASES.glob("*.json"))) >= 80


def test_classify_needs_only_endpoint_and_run() -> None:
    endpoint, run, _ = load(CASES / "ok-json-object.json")
    verdict = classify(endpoint, run)
    assert isinstance(verdict, Verdict)
    assert verdict.evidence[0] == "GET http://127.0.0.1:8000/books/7 answered 200"


def test_choices_in_a_message_are_read() -> None:
    endpoint, run, _ = load(CASES / "param-wrong-choices.json")
    complaint = judge(endpoint, run).complaint
    assert complaint is not None
    assert complaint.choices == ("metric", "imperial")


def test_what_the_tool_returned_is_no_evidence() -> None:
    endpoint, run, _ = load(CASES / "object-404-json.json")
    boasting = run.model_copy(update={"returned": '{"id": 99, "title": "Dune"}'})
    assert classify(endpoint, boasting) == classify(endpoint, run)
