"""Coverage of the intervals of `explain`: how often the difference apart - alike of other samples lies in them.

python benchmarks/intervals.py [--sets N] [--designs NAME ...] [--minutes N]     goes on where it ended
python benchmarks/intervals.py --table [--write]     prints the table, or puts it in doc/scripting.md; runs nothing

Ten features, of which the first acts unless the design says otherwise. The true difference is the mean over all sets.
The width is a median, in units of the width that would do: 2 * 1.96 standard deviations of the difference between sets.
*doubted* is the share of sets in which the sentence says that the interval may be too short.
A line of JSON for each set goes to doc/intervals/results.jsonl.

Samples of three quarters of the rows were taken, since their intervals are shorter than those of halves, or of halves
and twenty blocks, and hold the truth as often. In 279 sets of twelve of these designs: widths of 1.35, 1.63 and 1.48
for MultiSURF with 60 rows, 1.30, 1.41 and 1.37 for ReliefF, tails and 60 rows.
"""

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from common import ROOT, table
from resumed import run_sets

from orangecontrib.reliefe.core import METHODS, explain, rank

RESULTS = ROOT / "doc" / "intervals" / "results.jsonl"
PAGE = ROOT / "doc" / "scripting.md"
BEGIN = "<!-- table: written by benchmarks/intervals.py --write -->"
FEATURES = 10
SIZE = 1.5  # of the effect on the logit
PAIR_SIZE = 2.0
TAILS = 2.5  # degrees of freedom
COPIES, CORRELATION = 3, 0.9  # correlated features beside the first one
SHARE_ILL = 0.2
SHARE_MISSING = 0.2
FREQUENCY = 0.3  # of an allele

Random = np.random.Generator
Values = Callable[[Random, int], np.ndarray]
Effect = Callable[[np.ndarray], np.ndarray]


def normal(rng: Random, n: int) -> np.ndarray:
    """Independent normal features."""
    return rng.normal(size=(n, FEATURES))


def heavy_tails(rng: Random, n: int) -> np.ndarray:
    """Independent features with Student's distribution."""
    return rng.standard_t(TAILS, size=(n, FEATURES))


def copies(rng: Random, n: int) -> np.ndarray:
    """Normal features; three are correlated with the first one."""
    X = rng.normal(size=(n, FEATURES))
    X[:, 1 : 1 + COPIES] *= np.sqrt(1 - CORRELATION**2)
    X[:, 1 : 1 + COPIES] += CORRELATION * X[:, :1]
    return X


def genotypes(rng: Random, n: int) -> np.ndarray:
    """Counts of an allele."""
    return rng.binomial(2, FREQUENCY, size=(n, FEATURES)).astype(float)


def line(X: np.ndarray) -> np.ndarray:
    """The first feature acts alone."""
    return SIZE * X[:, 0]


def pair(X: np.ndarray) -> np.ndarray:
    """The first two features act by the sign of their product."""
    return PAIR_SIZE * np.sign(X[:, 0] * X[:, 1])


def nothing(X: np.ndarray) -> np.ndarray:
    """No feature acts."""
    return np.zeros(len(X))


class Design(NamedTuple):
    """Values, effect, target and method of the sets of a line."""

    method: str
    rows: int
    values: Values = normal
    effect: Effect = line
    share_ill: float = 0.5  # of the rows
    share_missing: float = 0.0  # of the values


DESIGNS = {
    "60 rows": Design("multisurf", 60),
    "200 rows": Design("multisurf", 200),
    "3,000 rows": Design("multisurf", 3000),
    "heavy tails, 60 rows": Design("multisurf", 60, heavy_tails),
    "heavy tails, 200 rows": Design("multisurf", 200, heavy_tails),
    "nothing acts, 60 rows": Design("multisurf", 60, effect=nothing),
    "a pair, 200 rows": Design("multisurf", 200, effect=pair),
    "copies, 200 rows": Design("multisurf", 200, copies),
    "classes 20:80, 200 rows": Design("multisurf", 200, share_ill=SHARE_ILL),
    "20 % missing, 200 rows": Design("multisurf", 200, share_missing=SHARE_MISSING),
    "genotypes, 200 rows": Design("multisurf", 200, genotypes),
    "ReliefF, 60 rows": Design("relieff", 60),
    "ReliefF, 200 rows": Design("relieff", 200),
    "ReliefF, heavy tails, 200 rows": Design("relieff", 200, heavy_tails),
    "RReliefF, 60 rows": Design("rrelieff", 60),
    "RReliefF, heavy tails, 200 rows": Design("rrelieff", 200, heavy_tails),
}


def line_of(name: str, number: int) -> dict[str, object]:
    """Difference of the first feature in one set, and its interval."""
    design = DESIGNS[name]
    rng = np.random.default_rng([5, list(DESIGNS).index(name), number])
    n = design.rows
    X = design.values(rng, n)
    effect = design.effect(X)
    if "classification" in METHODS[design.method].tasks:
        noisy = effect + rng.logistic(size=n)
        y = noisy > np.quantile(noisy, 1 - design.share_ill)
    else:
        y = effect + rng.normal(size=n)
    X[rng.random(X.shape) < design.share_missing] = np.nan
    explanation = explain(rank(X, y, design.method), 0, X, y, random_state=number)
    return {
        "design": name,
        "set": number,
        "difference": explanation.difference,
        "interval": explanation.interval,
        "doubted": bool(explanation.interval_doubt),
    }


def coverage_table(lines: list[dict]) -> str:
    """Shares of intervals that have the mean difference with standard errors, relative widths, and shares of doubts."""
    rows = []
    for name in DESIGNS:
        of_design = [each for each in lines if each["design"] == name and each["interval"] is not None]
        if len(of_design) < 2:
            continue
        differences = np.array([each["difference"] for each in of_design])
        low, high = np.array([each["interval"] for each in of_design]).T
        truth = differences.mean()
        covered = np.mean((low <= truth) & (truth <= high))
        error = np.sqrt(covered * (1 - covered) / len(of_design))
        width = np.median(high - low) / (2 * 1.96 * differences.std(ddof=1))
        doubted = np.mean([each["doubted"] for each in of_design])
        cells = [f"{truth:.4f}", f"{covered:.3f} ± {error:.3f}", f"{width:.2f}", f"{doubted:.2f}"]
        rows.append([name, len(of_design), *cells])
    return table(["design", "sets", "difference", "covered", "width", "doubted"], rows, markdown=True)


def main() -> None:
    """Run the sets that are not there yet, and print the table."""
    run_sets(__doc__, DESIGNS, 200, RESULTS, PAGE, BEGIN, line_of, coverage_table)


if __name__ == "__main__":
    main()
