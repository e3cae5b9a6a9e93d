"""CPU milliseconds of rankings by bits and by numbers, in turns, one thread: columns of few values.

python benchmarks/few_values.py
"""

import statistics
import time

import numpy as np
from common import table

from orangecontrib.reliefe.core import rank
from orangecontrib.reliefe.core.relief.formats import bits as bit_columns

CALLS = 5
NEVER = 10**9  # columns
MUSHROOM = (6, 4, 10, 2, 9, 2, 2, 2, 12, 2, 5, 4, 4, 9, 9, 1, 4, 3, 5, 9, 6, 7)  # values of each of its columns
ZOO = (*(2,) * 15, 6)


def tables() -> dict[str, tuple[np.ndarray, np.ndarray, np.ndarray]]:
    """Values, classes that two columns decide, and masks of the nominal ones."""
    rng = np.random.default_rng(0)
    words, snps = (rng.random((2000, 2000)) < 0.1).astype(float), rng.integers(0, 3, (2000, 1000)).astype(float)
    lacking = np.where(rng.random(snps.shape) < 0.01, np.nan, snps)
    mixed = np.c_[snps[:, :600], rng.normal(size=(2000, 400))]
    found = {
        "zoo's shape, 101 x 16": (np.column_stack([rng.integers(0, v, 101) for v in ZOO]), 16),
        "mushrooms' shape, 8,124 x 22": (np.column_stack([rng.integers(0, v, 8124) for v in MUSHROOM]), 22),
        "presence of words, 2,000 x 2,000": (words, 0),
        "genotypes, 2,000 x 1,000": (snps, 1000),
        "genotypes, 1 % unknown": (lacking, 1000),
        "600 genotypes, 400 numbers": (mixed, 600),
    }
    out = {}
    for title, (X, n_nominal) in found.items():
        y = (np.nan_to_num(X[:, 0]) > 0) != (np.nan_to_num(X[:, 1]) > 0)
        out[title] = X.astype(float), y.astype(int), np.arange(X.shape[1]) < n_nominal
    return out


def main() -> None:
    """Print a table."""
    usual, rows = bit_columns.MIN_COLUMNS, []
    for title, (X, y, nominal) in tables().items():
        for method in ("relieff", "multisurf"):
            times: dict[int, list[float]] = {NEVER: [], usual: []}
            for call in range(CALLS + 1):
                for least, found in times.items():
                    bit_columns.MIN_COLUMNS = least
                    begin = time.process_time()
                    rank(X, y, method, nominal=nominal, n_jobs=1)
                    if call:
                        found.append(1000 * (time.process_time() - begin))
            before, after = (statistics.median(found) for found in times.values())
            rows.append([title, method, f"{before:.0f}", f"{after:.0f}", f"{before / after:.1f}"])
    print(table(["table", "method", "numbers, ms", "bits, ms", "ratio"], rows, markdown=True))


if __name__ == "__main__":
    main()
