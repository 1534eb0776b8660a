"""Nearest rows by inner product, in blocks, so that no matrix of all pairs is ever held.

Up to `EXACT_ROWS` rows the search is exact. Beyond, rows are grouped around centroids and only the
groups nearest to a query are searched (an inverted file, as in Jégou et al., IEEE PAMI 33(1),
2011), so that the cost grows far slower than the number of pairs.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

__all__ = ["EXACT_ROWS", "Matches", "nearest"]

Floats = NDArray[np.float32]
Integers = NDArray[np.int64]

EXACT_ROWS = 20_000
_CELLS = 8_000_000
"""Similarities that are held at once: 32 MB."""

_PROBED = 0.1
_LEAST_PROBES = 24
_TRAINING = 16_384
_ROUNDS = 4


@dataclass(frozen=True, slots=True)
class Matches:
    """Pairs of query and row, by query, then most similar first.

    Attributes:
        query: (n,) indexes of queries.
        row: (n,) indexes of rows.
        similarity: (n,) inner products.
        examined: Pairs that were compared.
    """

    query: Integers
    row: Integers
    similarity: Floats
    examined: int


def nearest(
    queries: Floats, rows: Floats, *, least: float, most: int, exact_rows: int = EXACT_ROWS
) -> Matches:
    """Give up to `most` rows for each query with a similarity of at least `least`.

    Args:
        queries: (q, d) float32, unit length.
        rows: (n, d) float32, unit length.
        least: The lowest inner product that counts.
        most: Rows for one query.
        exact_rows: Up to so many rows, all are compared.
    """
    if not len(queries) or not len(rows):
        empty = np.zeros(0, dtype=np.int64)
        return Matches(empty, empty, np.zeros(0, dtype=np.float32), 0)
    exact = len(rows) <= exact_rows
    blocks = _all_blocks(queries, rows) if exact else _near_blocks(queries, rows)
    found: list[tuple[Integers, Integers, Floats]] = []
    examined = held = 0
    for query_ids, row_ids in blocks:
        similar = queries[query_ids] @ rows[row_ids].T
        examined += similar.size
        where_query, where_row = np.nonzero(similar >= least)
        values = similar[where_query, where_row]
        found.append((query_ids[where_query], row_ids[where_row], values))
        held += len(values)
        if held > _CELLS:
            found = [_best(found, most)]
            held = len(found[0][2])
    query, row, similarity = _best(found, most)
    return Matches(query, row, similarity, examined)


def _best(
    found: list[tuple[Integers, Integers, Floats]], most: int
) -> tuple[Integers, Integers, Floats]:
    """Join blocks and keep the best `most` rows of each query; equals in the rows' order."""
    query = np.concatenate([block[0] for block in found])
    row = np.concatenate([block[1] for block in found])
    similarity = np.concatenate([block[2] for block in found])
    order = np.lexsort((row, -similarity, query))
    query, row, similarity = query[order], row[order], similarity[order]
    starts = np.searchsorted(query, query)
    kept = np.arange(len(query)) - starts < most
    return query[kept], row[kept], similarity[kept]


def _all_blocks(queries: Floats, rows: Floats) -> Iterator[tuple[Integers, Integers]]:
    step = max(1, _CELLS // len(rows))
    row_ids = np.arange(len(rows), dtype=np.int64)
    for start in range(0, len(queries), step):
        yield np.arange(start, min(start + step, len(queries)), dtype=np.int64), row_ids


def _near_blocks(queries: Floats, rows: Floats) -> Iterator[tuple[Integers, Integers]]:
    """Yield, for each group of rows, the queries that probe it."""
    centroids = _centroids(rows)
    groups = _nearest_one(rows, centroids)
    order = np.argsort(groups, kind="stable").astype(np.int64)
    bounds = np.searchsorted(groups[order], np.arange(len(centroids) + 1))
    probes = min(len(centroids), max(_LEAST_PROBES, int(len(centroids) * _PROBED)))
    probing = _probing(queries, centroids, probes)
    for group in range(len(centroids)):
        row_ids = order[bounds[group] : bounds[group + 1]]
        query_ids = np.flatnonzero(probing[:, group]).astype(np.int64)
        if not len(row_ids) or not len(query_ids):
            continue
        step = max(1, _CELLS // len(row_ids))
        for start in range(0, len(query_ids), step):
            yield query_ids[start : start + step], row_ids


def _centroids(rows: Floats) -> Floats:
    """Find about √n centroids by a few rounds of k-means on an even sample of the rows."""
    count = int(len(rows) ** 0.5)
    sample = rows[np.linspace(0, len(rows) - 1, min(len(rows), _TRAINING)).astype(np.int64)]
    centroids = sample[np.linspace(0, len(sample) - 1, count).astype(np.int64)].copy()
    for _ in range(_ROUNDS):
        groups = _nearest_one(sample, centroids)
        sums = np.zeros_like(centroids)
        np.add.at(sums, groups, sample)
        lengths = np.linalg.norm(sums, axis=1, keepdims=True)
        centroids = np.where(lengths > 0, sums / np.where(lengths > 0, lengths, 1), centroids)
    return np.asarray(centroids, dtype=np.float32)


def _nearest_one(rows: Floats, centroids: Floats) -> Integers:
    groups = np.zeros(len(rows), dtype=np.int64)
    step = max(1, _CELLS // len(centroids))
    for start in range(0, len(rows), step):
        block = rows[start : start + step] @ centroids.T
        groups[start : start + step] = block.argmax(axis=1)
    return groups


def _probing(queries: Floats, centroids: Floats, probes: int) -> NDArray[np.bool_]:
    """Tell which groups each query probes, `(q, groups)`."""
    probing = np.zeros((len(queries), len(centroids)), dtype=np.bool_)
    step = max(1, _CELLS // len(centroids))
    for start in range(0, len(queries), step):
        block = queries[start : start + step] @ centroids.T
        near = np.argpartition(-block, probes - 1, axis=1)[:, :probes]
        np.put_along_axis(probing[start : start + step], near, values=True, axis=1)
    return probing
