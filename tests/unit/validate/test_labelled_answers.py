"""Hand-labelled answers of real servers: the rules tell them apart as `docs/answers.md` says.

Each file under `tests/cases/answers` holds the answers of one server with the label that a person
gave them, before the rules had seen them, and why.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from functools import cache
from pathlib import Path
from typing import Any

from doc2tools.compiler.ir.exchange import ToolRun
from doc2tools.compiler.validate.case import Judgement
from doc2tools.compiler.validate.classify import judge
from tests.unit.validate.test_classify import endpoint_of, exchange_of

ROOT = Path(__file__).parents[3]
CASES = ROOT / "tests" / "cases" / "answers"
LABELS = ("information", "partial", "empty", "error", "html", "wrong-record", "refused", "failed")
WRONG_RECORD = {"wrong-record", "zero-journey", "far-away", "all-zero"}
PAGES = {"page-instead-of-data", "login-page"}
WORKS = {"information", "partial"}


def label_of(judgement: Judgement, status: int) -> str:
    """Give the label that a judgement means."""
    verdict = judgement.verdict
    if judgement.rule == "partial-answer":
        return "partial"
    if verdict.verdict == "information":
        return "information"
    if judgement.rule in WRONG_RECORD:
        return "wrong-record"
    if judgement.rule in PAGES:
        return "html"
    if verdict.cause == "empty-response":
        return "empty"
    return "failed" if status >= 500 else "refused" if status >= 400 else "error"


@cache
def matrix() -> tuple[Counter[tuple[str, str]], tuple[str, ...]]:
    """Give how often each label was judged as which, and what was judged wrongly."""
    counts: Counter[tuple[str, str]] = Counter()
    wrong: list[str] = []
    for file in sorted(CASES.glob("*.json")):
        cases: list[dict[str, Any]] = json.loads(file.read_text())
        for case in cases:
            exchange = exchange_of(case["exchange"])
            run = ToolRun(tool="tool", exchanges=(exchange,))
            judgement = judge(endpoint_of(dict(case["endpoint"])), run)
            found = label_of(judgement, case["exchange"]["status"])
            counts[case["label"], found] += 1
            if found != case["label"]:
                wrong.append(f"{file.stem} {case['exchange']['url']}: {case['label']} → {found}")
    return counts, tuple(wrong)


def test_there_are_enough_and_of_each_kind() -> None:
    counts, _ = matrix()
    assert counts.total() >= 300
    assert {label for label, _ in counts} == set(LABELS)


def test_the_documented_matrix_is_the_measured_one() -> None:
    counts, wrong = matrix()
    page = (ROOT / "docs" / "answers.md").read_text()
    rows = re.findall(r"^\| (?:\*\*)?([a-z-]+)(?:\*\*)? \|((?: *\d* *\|)+)$", page, flags=re.M)
    documented = {
        (label, LABELS[number]): int(cell)
        for label, cells in rows
        for number, cell in enumerate(cells.strip("|").split("|")[: len(LABELS)])
        if cell.strip()
    }
    assert documented == dict(counts), "\n".join(wrong)


def test_nothing_but_information_is_taken_for_it() -> None:
    """What makes a false validation: the worst mistake there is."""
    counts, wrong = matrix()
    false = sum(
        number
        for (label, found), number in counts.items()
        if found in WORKS and label not in WORKS | {"empty"}
    )
    assert false <= 2, "\n".join(wrong)


def test_information_is_taken_for_it() -> None:
    counts, wrong = matrix()
    good = sum(number for (label, _), number in counts.items() if label == "information")
    assert counts["information", "information"] >= 0.98 * good, "\n".join(wrong)
