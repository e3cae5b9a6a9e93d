"""Methods for a number, on sets that the rule of `auto` was not learned on: ``python benchmarks/outcomes.py --help``.

`doc/which.md` has only 12 public sets with a number. This adds one outcome of each public set with several numbers,
and two sets that come with scikit-learn and Orange. The areas are those of `which.py`: mean R2 of a forest with the
best 1, 2, 4 .. 64 features, on the test rows of three folds.
"""

import sys
from collections.abc import Iterator
from types import SimpleNamespace
from typing import Any

import numpy as np
from common import table
from evaluation import arguments, parsed
from rivals import NUMBERS
from scipy.stats import rankdata, wilcoxon
from sklearn.datasets import load_diabetes
from threadpoolctl import threadpool_limits
from which import Problem

METHODS = ("boostedlearnedrelief", "boostedrelief", "residualrelief", "multisurf", "rrelieff", "learnedrelief")
REFERENCE = "rrelieff"  # the choice of `auto` for a number until these sets were measured
SEVERAL_NUMBERS = (
    "slump", "andro", "edm", "jura", "enb", "scpf", "rf1", "atp1d", "water-quality-MTR", "soil-quality", "sf1", "sf2",
    "foodtruck",
)  # fmt: skip
LIMIT = 60.0  # CPU seconds of the ranking of a fold


def main() -> int:
    """Print the areas of all methods on each set, and their comparison with the reference."""
    options = parsed(arguments(__doc__, SEVERAL_NUMBERS, ()), SEVERAL_NUMBERS)
    if options is None:
        return 1
    lines, areas = [], []
    with threadpool_limits(1):
        for name, loaded in sets(options.data):
            # `Problem` asks a module of data for a set by its name.
            problem = Problem(SimpleNamespace(load=lambda _, loaded=loaded: loaded), name, NUMBERS)
            areas.append([float(np.mean(problem.line(method, LIMIT)["areas"])) for method in METHODS])
            lines.append([name, *problem.dense.shape, *(f"{area:.3f}" for area in areas[-1])])
    print(table(["set", "rows", "features", *METHODS], lines))
    print()
    print(compared(np.array(areas)))
    return 0


def sets(data: Any) -> Iterator[tuple[str, dict[str, Any]]]:
    """Name and content of each set; of several outcomes the middle one is taken."""
    for name in SEVERAL_NUMBERS:
        loaded = data.load(name)
        outcomes = loaded["Y"].toarray() if hasattr(loaded["Y"], "toarray") else np.asarray(loaded["Y"])
        yield name, {**loaded, "y": outcomes[:, outcomes.shape[1] // 2]}
    diabetes = load_diabetes()
    numbers = np.zeros(diabetes.data.shape[1], bool)
    yield "diabetes", {"X": diabetes.data, "y": diabetes.target, "feature_is_nominal": numbers}
    from Orange.data import Table

    housing = Table("housing")
    nominal = np.array([variable.is_discrete for variable in housing.domain.attributes])
    yield "housing", {"X": housing.X, "y": housing.Y, "feature_is_nominal": nominal}


def compared(areas: np.ndarray) -> str:
    """Table of mean areas and ranks, and of the sets on which a method is better and worse than the reference."""
    ranks = np.mean([rankdata(-row) for row in areas], axis=0)
    reference = areas[:, METHODS.index(REFERENCE)]
    lines = []
    for method, column, mean_rank in zip(METHODS, areas.T, ranks, strict=True):
        better, worse = int((column > reference).sum()), int((column < reference).sum())
        p = wilcoxon(column, reference).pvalue if method != REFERENCE else 1.0
        lines.append([method, f"{column.mean():.3f}", f"{mean_rank:.1f}", better, worse, f"{p:.3f}"])
    return table(["method", "area", "mean rank", f"better than {REFERENCE}", "worse", "p"], lines)


if __name__ == "__main__":
    sys.exit(main())
