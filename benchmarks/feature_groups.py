"""Features that are ranked as one: time beside single features, false discoveries, and weak features that are found.

python benchmarks/feature_groups.py [--sets N]

Four tables, in three minutes with 100 sets. Times are the least CPU seconds of three calls in turn. Tests of groups
have 95 permuted targets where nothing is relevant, and 50 where eight weak features of 60 have a common cause.
"""

import argparse
import time
from collections.abc import Callable
from functools import partial

import numpy as np
from common import table

from orangecontrib.reliefe.core import Packed, rank, significance

METHODS = ("relieff", "multisurf")
SHAPES = ((300, 100), (1000, 200), (2000, 500), (3000, 1000))
SIZE = 5  # features of a group whose ranking is timed
CALLS = 3
GENOTYPES = 1000, 100_000  # people and variants
UNKNOWN = 0.01  # share of the genotypes
IN_GENES = 0.6  # share of the variants
MOST_VARIANTS = 400  # of a gene
SIZES = [1] * 10 + [2] * 5 + [5] * 4 + [10] * 2  # of the groups where nothing is relevant
N_NULL = 95
N_WEAK = 50
WEAK = range(10, 18)
LOADING = 0.35  # of a weak feature on the cause, in standard deviations of its noise


def least_times(calls: list[Callable[[], object]]) -> list[float]:
    """Least CPU time of each call, which take turns."""
    for call in calls:
        call()
    times = []
    for _ in range(CALLS):
        for call in calls:
            start = time.process_time()
            call()
            times.append(time.process_time() - start)
    return np.reshape(times, (CALLS, len(calls))).min(axis=0).tolist()


def times() -> None:
    """Print times of a ranking of single features, and of groups of them."""
    rows = []
    for n, p in SHAPES:
        rng = np.random.default_rng(0)
        X = rng.normal(size=(n, p))
        y = (X[:, 0] + X[:, 1] > 0).astype(int)
        X[:, -1] = rng.integers(0, 3, n)
        groups = [f"g{j // SIZE}" for j in range(p)]
        for method in METHODS:
            row = [n, p, method]
            for nominal in (None, [p - 1]):  # numbers, whose values are weighted, and with a category, diffs
                single = partial(rank, X, y, method, n_jobs=1, nominal=nominal)
                of_single, of_grouped = least_times([single, partial(single, feature_groups=groups)])
                row += [f"{of_single:.3f}", f"{of_grouped:.3f}", f"{of_grouped / of_single:.1f}"]
            rows.append(row)
    numbers = ["numbers, s", "in groups", "ratio"]
    with_category = ["with a category, s", "in groups", "ratio"]
    header = ["rows", "features", "method", *numbers, *with_category]
    print(table(header, rows), end="\n\n")


def times_of_genotypes() -> None:
    """Print times of a ranking of single variants, and of genes of Pareto-distributed sizes, packed."""
    n, p = GENOTYPES
    rng = np.random.default_rng(0)
    codes = rng.binomial(2, 0.3, (n, p)).astype(np.int8)
    codes[rng.random((n, p)) < UNKNOWN] = -1
    packed = Packed.of(codes)
    y = rng.integers(0, 2, n).astype(str)
    sizes = np.minimum(1 + rng.pareto(1.2, p) * 3, MOST_VARIANTS).astype(int)
    sizes = sizes[np.cumsum(sizes) < IN_GENES * p]
    genes = np.repeat([f"gene{g}" for g in range(len(sizes))], sizes).astype(object)
    groups = [*genes, *[None] * (p - len(genes))]
    rows = []
    for method in METHODS:
        single = partial(rank, packed, y, method, n_jobs=1, missing="ignore")
        of_single, of_genes = least_times([single, partial(single, feature_groups=groups)])
        rows.append([method, f"{of_single:.1f}", f"{of_genes:.1f}", f"{of_genes / of_single:.1f}"])
    title = f"{n:,} people, {p:,} variants, {len(sizes):,} genes of {len({*sizes.tolist()})} sizes"
    print(table([title, "variants, s", "in genes", "ratio"], rows), end="\n\n")


def false_discoveries(n_sets: int) -> None:
    """Print shares of small p-values where nothing is relevant, by the size of the group."""
    groups = [f"g{g}" for g, size in enumerate(SIZES) for _ in range(size)]
    of_group = np.repeat(np.arange(len(SIZES)), SIZES)
    rows = []
    for method in METHODS:
        p_values, n_with_discoveries = [], 0
        for seed in range(n_sets):
            rng = np.random.default_rng(seed)
            X = rng.normal(size=(80, len(groups))) + rng.normal(size=(80, len(SIZES)))[:, of_group]
            y = rng.integers(0, 2, 80)
            tested = significance(X, y, method, feature_groups=groups, n_shuffles=N_NULL, random_state=seed)
            p_values.append(tested.p)
            n_with_discoveries += bool((tested.q <= 0.1).any())
        is_small = np.array(p_values) <= 0.05
        by_size = [is_small[:, np.array(SIZES) == size].mean() for size in sorted({*SIZES})]
        rows.append([method, *(f"{share:.3f}" for share in (is_small.mean(), *by_size, n_with_discoveries / n_sets))])
    sizes = [f"of {size}" for size in sorted({*SIZES})]
    print(table(["method", "p <= .05, all", *sizes, "sets with q <= .10"], rows), end="\n\n")


def weak_features(n_sets: int) -> None:
    """Print how often eight weak features with a common cause are found, as a group and one by one."""
    groups = ["weak" if j in WEAK else None for j in range(60)]
    first, last = WEAK[0], WEAK[-1] + 1
    rows = []
    for method in METHODS:
        shares_found = np.zeros(3)
        for seed in range(n_sets):
            rng = np.random.default_rng(seed)
            cause = rng.normal(size=100)
            X = rng.normal(size=(100, 60))
            X[:, first:last] += LOADING * cause[:, None]
            y = (cause > 0).astype(int)
            options = {"n_shuffles": N_WEAK, "random_state": seed}
            as_one = significance(X, y, method, feature_groups=groups, **options).q <= 0.1
            single = (significance(X, y, method, **options).q <= 0.1)[first:last]
            shares_found += as_one[first], single.any(), single.mean()
        rows.append([method, *(f"{share:.2f}" for share in shares_found / n_sets)])
    print(table(["method", "the group", "any of its features", "each of them"], rows), end="\n\n")


def main() -> None:
    """Print the four tables."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sets", type=int, default=100)
    arguments = parser.parse_args()
    times()
    times_of_genotypes()
    false_discoveries(arguments.sets)
    weak_features(arguments.sets)


if __name__ == "__main__":
    main()
