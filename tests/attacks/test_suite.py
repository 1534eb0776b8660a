"""The suite itself: enough attacks, each whole, and no class whose tests could not fail."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from tests.attacks.attack import Attack, every

CLASSES = {
    "answers",
    "credentials",
    "docs-as-path",
    "gateway-host",
    "gateway-method",
    "sandbox",
    "state-change",
    "state-folder",
    "terminal",
    "text-into-code",
}


def test_there_are_enough() -> None:
    found = Counter(attack.folder for attack in every())
    assert set(found) == CLASSES
    assert sum(found.values()) >= 80
    assert min(found.values()) >= 4


@pytest.mark.parametrize("attack", every(), ids=lambda attack: attack.path.stem)
def test_each_says_what_it_is(attack: Attack) -> None:
    assert attack.folder == attack.path.parent.name
    assert len(attack.title) > 10
    assert len(attack.holds) > 10
    assert attack.material


def test_every_class_has_one_that_succeeds_without_its_defence() -> None:
    assert {attack.folder for attack in every() if attack.without} == CLASSES


def test_every_class_is_run() -> None:
    text = "".join(path.read_text() for path in Path(__file__).parent.glob("test_*.py"))
    for name in CLASSES:
        assert text.count(f'attacks("{name}"') + text.count(f', "{name}"') >= 2
