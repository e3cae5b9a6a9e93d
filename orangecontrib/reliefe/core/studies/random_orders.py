"""Random orders of rows that keep groups, or the relation of classes with covariates.

`study.py` permutes targets by them; `joint_effects.py` and `cells.py` permute residuals.
"""

import numpy as np

# Rounds of swaps. `study.py` calls `swapped` once from the target to a hub, an order from which it calls it again for
# each permutation: so the target and all permutations are equally far from the hub, and exchangeable with each other.
ROUNDS = 50
N_PERMUTED = 199  # permuted residuals in tests of effects of covariates, so that the smallest p is .005
MIN_PROBABILITY = 1e-9  # of a class, whose logarithm is taken


def permutation(n: int, rng: np.random.Generator, blocks: np.ndarray | None = None) -> np.ndarray:
    """Draw an order (n,) of all rows, or within blocks with codes (n,)."""
    return rng.permutation(n) if blocks is None else within(blocks, rng)


def within(codes: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """Draw an order (n,) in which rows change places with rows of the same code only; codes (n,)."""
    by_code = np.argsort(codes, kind="stable")
    # Sorted by code and, among equal codes, by a random number: places of a code get rows of this code.
    randomly_within_code = np.lexsort((rng.random(len(codes)), codes[by_code]))
    order = np.empty(len(codes), np.intp)
    order[by_code] = by_code[randomly_within_code]
    return order


def swapped(
    codes: np.ndarray,
    probabilities: np.ndarray,
    order: np.ndarray,
    rng: np.random.Generator,
    blocks: np.ndarray | None = None,
) -> np.ndarray:
    """Swap the classes of random pairs of rows in rounds, by the odds that they were the other way round.

    Rows i and j with classes a and b are swapped with probability 1 / (1 + exp(-gain)), where
    gain = log p_ib + log p_ja - log p_ia - log p_jb.

    Berrett, Wang, Barber and Samworth (2020), J. R. Stat. Soc. B 82:175, Algorithm 2.

    Parameters
    ----------
    codes : (n,) int array
        Classes from 0.
    probabilities : (n, G) array
        Probabilities of the classes of each row.
    order : (n,) int array
        Order to begin with.
    rng : np.random.Generator
        Source of pairs and swaps.
    blocks : (n,) int array, optional
        Codes of blocks, within which rows are swapped; None: all rows are.

    Returns
    -------
    (n,) int array
        The order after all rounds.
    """
    order = order.copy()
    logs = np.log(np.maximum(probabilities, MIN_PROBABILITY))
    for _ in range(ROUNDS):
        i, j = _random_pairs(len(codes), rng, blocks)
        a = codes[order[i]]
        b = codes[order[j]]
        gain = logs[i, b] + logs[j, a] - logs[i, a] - logs[j, b]
        swap = rng.random(len(i)) < 1 / (1 + np.exp(-gain))
        of_i = np.where(swap, order[j], order[i])
        of_j = np.where(swap, order[i], order[j])
        order[i] = of_i
        order[j] = of_j
    return order


def _random_pairs(n: int, rng: np.random.Generator, blocks: np.ndarray | None) -> tuple[np.ndarray, np.ndarray]:
    """Draw disjoint pairs of n rows, each of one block: their first and their second rows.

    Rows of a block are paired in a random order: the first with the second, the third with the fourth. One row of a
    block of odd size has no partner. For example rows 5 2 7 | 1 4 in two blocks give the pairs (5, 2) and (1, 4).
    """
    drawn = rng.permutation(n)
    if blocks is None:
        half = n // 2
        return drawn[:half], drawn[half : 2 * half]
    drawn = drawn[np.argsort(blocks[drawn], kind="stable")]  # one block after another, each in a random order
    starts = np.flatnonzero(np.diff(blocks[drawn], prepend=-1))
    position_in_block = np.arange(n) - np.repeat(starts, np.diff(starts, append=n))
    has_partner = blocks[drawn[:-1]] == blocks[drawn[1:]]
    first = np.flatnonzero((position_in_block[:-1] % 2 == 0) & has_partner)
    return drawn[first], drawn[first + 1]
