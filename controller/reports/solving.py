"""A little linear algebra."""

from collections.abc import Sequence


def form(matrix: Sequence[Sequence[float]], vector: Sequence[float]) -> float:
    """v' M^-1 v for a symmetric, positive definite M, by elimination: the sum of the squares of what is left
    of v, each over its pivot."""
    rows, rest, value = [list(row) for row in matrix], list(vector), 0.0
    for step, pivots in enumerate(rows):
        pivot = pivots[step]
        value += rest[step] ** 2 / pivot
        for below in range(step + 1, len(rows)):
            factor = rows[below][step] / pivot
            rest[below] -= factor * rest[step]
            rows[below] = [one - factor * other for one, other in zip(rows[below], pivots, strict=True)]
    return value
