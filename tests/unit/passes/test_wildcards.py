"""Patterns with gaps find what any pattern would, without trying every way."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from doc2tools.compiler.passes.wildcards import gapped

TEXTS = st.lists(st.text("ab.", max_size=3), min_size=1, max_size=5)


@given(TEXTS, st.text("ab.", max_size=12))
def test_it_matches_what_backtracking_matches(texts: list[str], text: str) -> None:
    plain = "[^/]{1,200}".join(map(re.escape, texts))
    assert bool(re.fullmatch(gapped(texts), text)) == bool(re.fullmatch(plain, text))


def test_groups_are_the_gaps() -> None:
    match = re.fullmatch(gapped(["", "-", ".json"], keep=True), "2024-a-b.json")
    assert match is not None
    assert match.groups() == ("2024", "a-b")


@pytest.mark.parametrize("between", ["", "a"])
def test_many_gaps_end_at_once(between: str) -> None:
    # Backtracking would take longer than the universe has.
    pattern = gapped(["", *[between] * 150, "x"])
    assert re.fullmatch(pattern, "a" * 5_000) is None
