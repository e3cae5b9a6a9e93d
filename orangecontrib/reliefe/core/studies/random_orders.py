"""Random orders of rows that keep groups, or the relation of classes with covariates.

`study.py` permutes targets by them.
"""

import numpy as np

SWAPS = 50  # of swaps from the target to a hub, and from there to each order


def within(codes: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """An order (n,) in which rows change places with rows of the same code only; codes (n,)."""
    order = np.argsort(codes, kind="stable")
    out = np.empty(len(codes), np.intp)
    out[order] = order[np.lexsort((rng.random(len(codes)), codes[order]))]
    return out


def swapped(
    codes: np.ndarray, e: np.ndarray, order: np.ndarray, rng: np.random.Generator, inside: np.ndarray | None = None
) -> np.ndarray:
    """An order (n,) after rounds of swaps of random pairs, by the odds that their classes were the other way round.

    Shapes: `codes` (n,); `e` (n, G), probabilities of the classes; `inside` (n,), within which rows are swapped.

    Berrett, Wang, Barber and Samworth (2020), J. R. Stat. Soc. B 82:175, Algorithm 2.
    """
    order, logs, n = order.copy(), np.log(np.maximum(e, 1e-9)), len(codes)
    for _ in range(SWAPS):
        pick = rng.permutation(n)
        if inside is None:
            i, j = pick[: n // 2], pick[n // 2 : 2 * (n // 2)]
        else:
            pick = pick[np.argsort(inside[pick], kind="stable")]
            starts = np.flatnonzero(np.diff(inside[pick], prepend=-1))
            place = np.arange(n) - np.repeat(starts, np.diff(starts, append=n))
            first = np.flatnonzero((place[:-1] % 2 == 0) & (inside[pick[:-1]] == inside[pick[1:]]))
            i, j = pick[first], pick[first + 1]
        a, b = codes[order[i]], codes[order[j]]
        gain = logs[i, b] + logs[j, a] - logs[i, a] - logs[j, b]
        swap = rng.random(len(i)) < 1 / (1 + np.exp(-gain))
        order[i], order[j] = np.where(swap, order[j], order[i]), np.where(swap, order[i], order[j])
    return order
