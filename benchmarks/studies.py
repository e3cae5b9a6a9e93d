"""Studies with covariates, censoring and repeated measures: false discoveries where nothing is relevant, and power.

python benchmarks/studies.py [--sets N]

Prints, for each design of tests/studies/designs.py: the share of sets with any q <= .10 where nothing is relevant, the
share of features that only follow the covariate with p <= .05, and the shares of relevant features found at q <= .10.
30 sets take some 20 minutes.
"""

import argparse
from collections.abc import Callable
from typing import Any

import numpy as np
from common import table

from orangecontrib.reliefe.core import Survival, rank, significance
from orangecontrib.reliefe.tests.studies.designs import CONFOUNDED, lifetimes, repeated

SHUFFLES = 20
WAYS = {
    "MultiSURF, unadjusted": ("multisurf", False),
    "MultiSURF, adjusted": ("multisurf", True),
    "ReliefF or RReliefF, adjusted": (None, True),
}


def tested(X: np.ndarray, y: Any, method: str, **options: Any) -> tuple[np.ndarray, np.ndarray]:
    """p and q of all features."""
    found = significance(X, y, method, n_shuffles=SHUFFLES, **options)
    return found.p, found.q


def confounded(design: Callable[..., Any], sets: int, number: bool) -> list[list[object]]:
    """A row for each way: any discovery, confounded features with p <= .05, main effects and pairs found."""
    out: list[list[object]] = []
    power = {"main": 0.5, "pair": 1.1} if number else {"main": 0.7, "pair": 2.2}
    for title, (method, adjusted) in WAYS.items():
        name, figures = method or ("rrelieff" if number else "relieff"), []
        for seed in range(sets):
            rng = np.random.default_rng((seed, 2026))
            X, y, c, odd = design(rng, number=number)
            nominal = np.full(X.shape[1], design is CONFOUNDED["populations"])
            p, q = tested(X, y, name, nominal=nominal, **({"covariates": c} if adjusted else {}))
            X, y, c, _ = design(rng, n=400, p=100, number=number, **power)
            options = {"covariates": c} if adjusted else {}
            _, found = tested(X, y, name, nominal=nominal[:100], **options)
            figures.append([(q <= 0.1).any(), (p[odd] <= 0.05).mean(), *((found[f] <= 0.1).mean() for f in PLACES)])
        out.append([title, *(f"{value:.3f}" for value in np.mean(figures, axis=0))])
    return out


PLACES = slice(0, 5), slice(5, 7)


def of_times(sets: int) -> list[list[object]]:
    """The same for three features that act on censoring alone."""
    out: list[list[object]] = []
    for method in ("multisurf", "rrelieff"):
        figures = []
        for seed in range(sets):
            X, time, event, odd = lifetimes(np.random.default_rng((seed, 2026)))
            p, q = tested(X, Survival(time, event), method)
            figures.append([(q <= 0.1).any(), (p[odd] <= 0.05).mean()])
        out.append([method, *(f"{value:.3f}" for value in np.mean(figures, axis=0))])
    return out


def of_groups(sets: int) -> list[list[object]]:
    """Any discovery, and share of p <= .05, in repeated measures without any effect."""
    out: list[list[object]] = []
    for constant in (True, False):
        for grouped in (False, True):
            figures = []
            for seed in range(sets):
                X, y, g = repeated(np.random.default_rng((seed, 2026)), constant)
                found = significance(X, y, "multisurf", **({"groups": g} if grouped else {"n_shuffles": SHUFFLES}))
                figures.append([(found.q <= 0.1).any(), (found.p <= 0.05).mean()])
            title = f"target {'constant' if constant else 'varies'}, {'groups' if grouped else 'rows'} permuted"
            out.append([title, *(f"{value:.3f}" for value in np.mean(figures, axis=0))])
    return out


def main() -> None:
    """Print all tables."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sets", type=int, default=30)
    sets = parser.parse_args().sets
    rank(np.eye(4), [0, 1, 0, 1], "relieff")  # compiles
    for number in (False, True):
        for name, design in CONFOUNDED.items():
            print(f"\n{'Numbers' if number else 'Classes'}, {name}")
            titles = ["method", "any q <= .10", "confounded p <= .05", "main found", "pair found"]
            print(table(titles, confounded(design, sets, number)))
    print(
        "\nCensoring depends on features\n" + table(["method", "any q <= .10", "of censoring p <= .05"], of_times(sets))
    )
    print("\nRepeated measures\n" + table(["design", "any q <= .10", "p <= .05"], of_groups(sets)))


if __name__ == "__main__":
    main()
