"""The lock accepts honest repairs and refuses every attack, each with its reason."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from doc2tools.compiler.repair.lock import check_repair
from doc2tools.compiler.repair.outcome import Accepted, Permit, Refused
from doc2tools.compiler.repair.policy import CODES, POLICY
from tests.lock_cases import FUNCTION, MODULE, LockCase, lock_cases, proposed, staged

BASE = "http://127.0.0.1:8000"
BEFORE = staged(BASE)[MODULE]
PERMIT = Permit("GET", (BASE,))
CASES = lock_cases()
START = BEFORE.index('    return client().get(\n        "/items/{item_id}"')


def with_body(body: str) -> str:
    return BEFORE[:START] + body + "\n"


@pytest.mark.parametrize("case", CASES, ids=[case.name for case in CASES])
def test_case(case: LockCase) -> None:
    source = proposed(BEFORE, case, BASE)
    result = check_repair(BEFORE, source, FUNCTION, PERMIT)

    if case.honest:
        assert result == Accepted(source)
        return
    assert isinstance(result, Refused)
    found = {reason.code for reason in result.reasons}
    assert case.expect <= found, [str(reason) for reason in result.reasons]
    assert all(reason.message for reason in result.reasons)


def test_enough_cases() -> None:
    attacks = [case for case in CASES if not case.honest]
    assert len(attacks) >= 70
    assert len(CASES) - len(attacks) >= 15


def test_every_code_has_an_attack() -> None:
    assert {code for case in CASES for code in case.expect} - {"accepted"} == set(CODES)


def test_every_code_of_the_table_is_known() -> None:
    tables = (POLICY.name_codes, POLICY.module_codes, POLICY.attribute_codes)
    assert {code for table in tables for code in table.values()} <= set(CODES)
    assert {code for _, code in POLICY.node_codes} <= set(CODES)


def test_reasons_name_the_line() -> None:
    source = with_body("    answer = 1\n    import os\n    return os")
    result = check_repair(BEFORE, source, FUNCTION, PERMIT)
    assert isinstance(result, Refused)
    lines = {reason.code: reason.line for reason in result.reasons}
    assert source.split("\n")[lines["process-control"] - 1].strip() in ("import os", "return os")
    assert source.split("\n")[lines["constant-answer"] - 1].strip().startswith(("return", "answer"))


def test_the_method_is_the_endpoints() -> None:
    source = BEFORE.replace(
        'client().get(\n        "/items/{', 'client().delete(\n        "/items/{'
    )
    refused = check_repair(BEFORE, source, FUNCTION, PERMIT)
    assert isinstance(refused, Refused)
    assert refused.reasons[0].code == "other-method"
    assert check_repair(BEFORE, source, FUNCTION, Permit("DELETE", (BASE,))) == Accepted(source)


def test_another_function_is_not_repaired() -> None:
    source = BEFORE.replace('"/items")', '"/v2/items")')
    refused = check_repair(BEFORE, source, FUNCTION, PERMIT)
    assert isinstance(refused, Refused)
    assert {reason.code for reason in refused.reasons} == {"outside-changed"}
    assert check_repair(BEFORE, source, "list_items", PERMIT) == Accepted(source)


@pytest.mark.parametrize(("kind", "accepted"), [("bool", True), ("str", False)])
def test_a_flag_may_be_put_into_words(kind: str, accepted: bool) -> None:
    before = f"""from ..client import client


def show(flag: {kind}) -> object:
    return client().get("/show", query={{"flag": flag}})
"""
    after = before.replace('"flag": flag', '"flag": "yes" if flag else "no"')
    result = check_repair(before, after, "show", PERMIT)
    assert isinstance(result, Accepted) == accepted


HOSTILE = (
    "    return " + "(" * 5_900,
    "    return " + "-" * 5_900 + "1",
    "    return " + "not " * 1_400 + "1",
    "    return " + "x." * 2_900 + "x",
    "    return " + "x if x else " * 480 + "x",
    "    return " + "1+" * 2_900 + "1",
    "    return " + '"a" ' * 1_450,
    "    return " + "x and " * 950 + "x",
    "    return " + "x < " * 1_400 + "x",
    "    return " + "lambda: " * 700 + "x",
    "    return " + "[" * 190 + "]" * 190,
    "    return " + "f'{" * 90 + "x" + "}'" * 90,
    "    return x" + "[0]" * 1_900,
    "    return x" + "()" * 2_900,
    "".join(f"{' ' * (4 + n)}if x:\n" for n in range(95)) + " " * 99 + "pass",
    "    return '\\ud800'",
    "    return '\ud800'",
    "    return '\0'",
    "    return \\",
    "    return '''",
    "\treturn 1",
    "",
    "    '''" + "x" * 100,
    "return 1",
    "    pass\n" * 1_100,
)


@pytest.mark.parametrize("body", HOSTILE, ids=range(len(HOSTILE)))
def test_hostile_text_is_refused_without_an_exception(body: str) -> None:
    assert isinstance(check_repair(BEFORE, with_body(body), FUNCTION, PERMIT), Refused)


@pytest.mark.parametrize("source", ["", "\0", "\ufeff", "x" * 10_000_000, BEFORE[:-40], BEFORE * 2])
def test_other_modules_are_refused(source: str) -> None:
    assert isinstance(check_repair(BEFORE, source, FUNCTION, PERMIT), Refused)


@settings(max_examples=150, deadline=None)
@given(st.text(max_size=300))
def test_any_text_is_judged(text: str) -> None:
    assert isinstance(check_repair(BEFORE, with_body(f"    {text}"), FUNCTION, PERMIT), Refused)


WORDS = (
    *("client()", ".get(", '"/items/{item_id}"', "item_id", "path=", "{", "}", "[", "]", "(", ")"),
    *(
        ", ",
        ": ",
        " = ",
        "answer",
        "return ",
        "\n    ",
        "\n        ",
        "if ",
        "for x in ",
        "1",
        "'a'",
    ),
    *(
        "lambda: ",
        "**",
        "*",
        ".__class__",
        "import os",
        "try:",
        "except:",
        " or ",
        " if ",
        " else ",
    ),
    *(
        ":=",
        "f'{x}'",
        "await ",
        "yield ",
        "global x",
        "json.loads(",
        "def f():",
        "@",
        "while True:",
    ),
)


@settings(max_examples=300, deadline=None)
@given(st.lists(st.sampled_from(WORDS), max_size=40))
def test_any_words_are_judged(words: list[str]) -> None:
    source = with_body("    " + "".join(words))
    result = check_repair(BEFORE, source, FUNCTION, PERMIT)
    if isinstance(result, Accepted):
        assert "client().get(" in source[START:]
        assert "os" not in source[START:].split()
