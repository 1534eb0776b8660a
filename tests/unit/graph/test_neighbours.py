"""Nearest rows: exact where few, nearly exact where many, never more than asked."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from doc2tools.compiler.graph.neighbours import nearest

Floats = NDArray[np.float32]


def rows(count: int, seed: int, groups: int = 40) -> Floats:
    """Give unit rows around a few centres, as descriptions are."""
    rng = np.random.default_rng(seed)
    centres = np.random.default_rng(99).normal(size=(groups, 32))
    made = centres[rng.integers(0, groups, count)] + 0.6 * rng.normal(size=(count, 32))
    return np.asarray(made / np.linalg.norm(made, axis=1, keepdims=True), dtype=np.float32)


def test_the_exact_search_gives_the_best_of_all() -> None:
    queries, others = rows(20, 1), rows(300, 2)
    found = nearest(queries, others, least=0.2, most=7)
    similar = queries @ others.T
    for number in range(len(queries)):
        best = np.argsort(-similar[number], kind="stable")[:7].tolist()
        wanted = [row for row in best if similar[number, row] >= 0.2]
        assert found.row[found.query == number].tolist() == wanted
    assert found.examined == 20 * 300


def test_the_grouped_search_finds_nearly_all_and_compares_few() -> None:
    queries, others = rows(200, 3), rows(6_000, 4)
    exact = nearest(queries, others, least=0.5, most=20)
    near = nearest(queries, others, least=0.5, most=20, exact_rows=100)
    wanted = set(zip(exact.query.tolist(), exact.row.tolist(), strict=True))
    found = set(zip(near.query.tolist(), near.row.tolist(), strict=True))
    assert len(wanted & found) >= 0.95 * len(wanted)
    assert near.examined < exact.examined * 0.6


def test_nothing_is_found_in_nothing() -> None:
    none = np.zeros((0, 32), dtype=np.float32)
    assert len(nearest(rows(3, 1), none, least=0, most=5).row) == 0
    assert len(nearest(none, rows(3, 1), least=0, most=5).row) == 0
