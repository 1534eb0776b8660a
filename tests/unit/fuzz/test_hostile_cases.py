"""Inputs that once broke something, and hostile ones made anew; see benchmarks/ for longer runs."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from types import FrameType

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from benchmarks.hostile.answers import ENDPOINT, AnswerCase, answer
from benchmarks.hostile.checks import BreachError, check_answer, check_document, check_files
from benchmarks.hostile.documents import document
from doc2tools.compiler.load.source import Source

CASES = Path(__file__).parents[2] / "cases" / "hostile"
DOCUMENTS = sorted(CASES.glob("document-*.json"))
ANSWERS = sorted(CASES.glob("answer-*.json"))
LINES = 1_500_000
"""Lines of Python that one input of these sizes may take: about two seconds."""

BOUNDED = settings(
    max_examples=100,
    deadline=None,
    derandomize=True,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)


def read_case(path: Path) -> dict[str, str]:
    return json.loads(path.read_text(encoding="ascii"))


@pytest.mark.parametrize("path", DOCUMENTS, ids=[path.stem for path in DOCUMENTS])
def test_a_document_that_broke_something(path: Path) -> None:
    case = read_case(path)
    source = Source.model_validate(
        {
            "name": "page",
            "data": case["text"].encode(),
            "media": case["media"],
            "url": case.get("url", ""),
        }
    )
    check_document(source, whole=True)


@pytest.mark.parametrize("path", ANSWERS, ids=[path.stem for path in ANSWERS])
def test_an_answer_that_broke_something(path: Path) -> None:
    case = json.loads(path.read_text(encoding="ascii"))
    url = case.get("url", "http://127.0.0.1:1/items/7")
    body = case["body"].encode()
    check_answer(
        AnswerCase(ENDPOINT, case["status"], case["headers"], body, url, 65_536, False), whole=True
    )


class Counter:
    """Counts lines of Python that run; raises when there are too many."""

    def __init__(self) -> None:
        self.lines = 0

    def __call__(self, frame: FrameType, event: str, argument: object) -> Counter:
        self.lines += 1
        if self.lines > LINES:
            raise BreachError("the input takes too many steps")
        return self


@settings(BOUNDED, max_examples=250)
@given(st.binary(min_size=16, max_size=400))
def test_any_document_compiles(data: bytes) -> None:
    check_document(document(data))


@settings(BOUNDED, max_examples=500)
@given(st.binary(min_size=16, max_size=400))
def test_any_answer_is_judged(data: bytes) -> None:
    check_answer(answer(data))


@settings(BOUNDED, max_examples=8)
@given(st.binary(min_size=100, max_size=400))
def test_any_document_makes_a_sound_package(data: bytes) -> None:
    check_document(document(data), whole=True)


@settings(BOUNDED, max_examples=8)
@given(st.binary(min_size=100, max_size=400))
def test_any_answer_makes_a_sound_package(data: bytes) -> None:
    check_answer(answer(data), whole=True)


@settings(BOUNDED, max_examples=10)
@given(st.binary(min_size=16, max_size=300))
def test_work_is_bounded(data: bytes) -> None:
    source, case = document(data), answer(data)
    before = sys.gettrace()
    sys.settrace(Counter())
    try:
        check_document(source)
        check_answer(case)
    finally:
        sys.settrace(before)


def test_an_injected_node_is_seen() -> None:
    good = b'"""Tools."""\n\n\ndef get() -> None:\n    return client().get("/items")\n'
    check_files({"src/x/tools/a.py": good})
    for bad in (b"while True: pass", b"lambda: 1", b"print(1)", b"eval('1')", b"import os; os.x()"):
        with pytest.raises(BreachError):
            check_files({"src/x/tools/a.py": good + bad + b"\n"})
    with pytest.raises(BreachError):
        check_files({"a.json": b'{"a": NaN}'})
    with pytest.raises(BreachError):
        check_files({"pyproject.toml": b"[project]\n[tool]\n[injected]\n"})
