"""Expressions of callers: what takes parts is let through, what multiplies is not."""

from __future__ import annotations

import pytest

from doc2tools.serve.fields import refusal


@pytest.mark.parametrize(
    "expression",
    [
        "entries",
        "entries[0].text",
        "entries[*].{at: at, text: text, id: id}",
        "entries[?lit == `true` && height > `10`].[name, height] | [:5]",
        "sort_by(entries, &height)[-1].name",
        "length(entries[?contains(name, 'Mole')])",
        "data[].items[].label",
        "keys(@)",
        "@",
    ],
)
def test_parts_may_be_taken(expression: str) -> None:
    assert refusal(expression) == ""


@pytest.mark.parametrize(
    ("expression", "why"),
    [
        ("|".join(["[@,@,@,@,@,@,@,@,@,@]"] * 30), "side by side"),
        ("|".join(["{a:@,b:@}"] * 20), "side by side"),
        ("entries[*].[@,@,@,@][].[@,@,@,@][].[@,@,@,@]", "side by side"),
        ("join(',', entries)", "the function join"),
        ("to_string(@)", "the function to_string"),
        ("map(&@, entries)", "the function map"),
        ("entries[*].[`[1,2,3]`]", "a single value"),
        ("!" * 100 + "@", "nested too deeply"),
        ("entries[", "no JMESPath expression"),
        ("", "no JMESPath expression"),
        ("a" * 2_000, "longer than"),
        ("\ud800", "no JMESPath expression"),
    ],
)
def test_nothing_may_multiply(expression: str, why: str) -> None:
    assert why in refusal(expression)


def test_deep_ones_end() -> None:
    for expression in ("(" * 400 + "@" + ")" * 400, "!" * 900 + "@", "a" + ".a" * 400, "&" * 900):
        assert isinstance(refusal(expression), str)
