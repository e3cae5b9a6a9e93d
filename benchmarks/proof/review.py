"""Tables 1 to 4 of Urbanowicz et al. (2018), Relief-based feature selection: introduction and review."""

from types import ModuleType

import numpy as np

from orangecontrib.reliefe.core import rank

from .record import AGREES, DIFFERS, NO_VERDICT, Experiment, Lines, Section, number, verdict

EXACT = 1e-12
ROWS = np.array([[1, 1, 1], [1, 1, 0], [1, 0, 1], [1, 0, 0], [0, 1, 1], [0, 1, 0], [0, 0, 1], [0, 0, 0]], float)
RESPONSIBLE = (0.75, 0.1875, 0.1875)  # Table 1, the last line
PAIR = np.array([[1, 0, 1], [1, 0, 0], [0, 1, 1], [0, 1, 0], [0, 0, 1], [0, 0, 0], [1, 1, 1], [1, 1, 0]], float)
PAIR_CLASS = np.array([1, 1, 1, 1, 0, 0, 0, 0])
NEAREST = (  # Table 3: of each row its nearest hit, and its nearest misses with the feature that differs
    ("R2(A3)", "R5(A1), R7(A2)"),
    ("R1(A3)", "R6(A1), R8(A2)"),
    ("R4(A3)", "R5(A2), R7(A1)"),
    ("R3(A3)", "R6(A2), R8(A1)"),
    ("R6(A3)", "R1(A1), R3(A2)"),
    ("R5(A3)", "R2(A1), R4(A2)"),
    ("R8(A3)", "R1(A2), R3(A1)"),
    ("R7(A3)", "R2(A2), R4(A1)"),
)
SUMMARY = (4, 4, -8)  # Table 4, the last line
SIZES, DRAWS, NOISE = (50, 200, 800, 3200), 10, 5


def relief(X: np.ndarray, y: np.ndarray) -> np.ndarray:
    """Scores (p,) by Relief of two-valued features; equally near rows share the credit."""
    return rank(X, y, "relievedf", nominal=np.ones(X.shape[1], bool), n_neighbors=1).scores


def conjunctions(X: np.ndarray) -> np.ndarray:
    """Class of Table 1: (A1 and A2) or (A1 and A3)."""
    A = X.astype(bool)
    return ((A[:, 0] & A[:, 1]) | (A[:, 0] & A[:, 2])).astype(int)


def responsibility(_: ModuleType | None) -> Lines:
    """Table 1 with every row twice, so that the nearest hit is the same row."""
    X = np.repeat(ROWS, 2, axis=0)
    lines = []
    for f, (printed, ours) in enumerate(zip(RESPONSIBLE, relief(X, conjunctions(X)), strict=True)):
        cells = ["Table 1, every row twice", f"A{f + 1}", number(printed, 6), number(ours, 6)]
        lines.append([*cells, verdict(ours, printed, EXACT)])
    return lines


def convergence(_: ModuleType | None) -> Lines:
    """Table 1 as measured by its source: rows drawn at random, five random features beside the three."""
    lines = []
    for n in SIZES:
        found = []
        for seed in range(DRAWS):
            X = np.random.default_rng(seed).integers(0, 2, (n, 3 + NOISE)).astype(float)
            found.append(relief(X, conjunctions(X))[:3])
        mean = np.mean(found, axis=0)
        share = "near .75, .1875, .1875"
        near = AGREES if np.abs(mean - RESPONSIBLE).max() < 0.03 else DIFFERS
        cells = [f"Table 1, {n} rows at random", "A1, A2, A3", share, ", ".join(number(m, 3) for m in mean)]
        lines.append([*cells, near if n == SIZES[-1] else NO_VERDICT])
    return lines


def nearest(_: ModuleType | None) -> Lines:
    """Table 3: nearest hits and misses of each row as the target."""
    lines = []
    for i, printed in enumerate(NEAREST):
        for kind, known, found in zip(("hit", "misses"), printed, (_nearest(i, True), _nearest(i, False)), strict=True):
            same = AGREES if known == found else DIFFERS
            lines.append([f"Table 3, target R{i + 1}", f"nearest {kind}", known, found, same])
    return lines


def _nearest(i: int, same: bool) -> str:
    """The rows of the same or the other class that are nearest to row i, each with the feature that differs."""
    rows = [j for j in range(len(PAIR)) if j != i and (PAIR_CLASS[j] == PAIR_CLASS[i]) == same]
    different = {j: _differences(i, j) for j in rows}
    least = min(d.sum() for d in different.values())
    found = [(j, np.flatnonzero(d)[0] + 1) for j, d in different.items() if d.sum() == least]
    return ", ".join(f"R{j + 1}(A{f})" for j, f in found)


def _differences(i: int, j: int) -> np.ndarray:
    """Differences (p,) of two rows as Relief sees them: the scores of a set of these two, each the other's miss."""
    return relief(PAIR[[i, j]], np.array([0, 1]))


def summary(_: ModuleType | None) -> Lines:
    """Table 4: sums over the eight targets."""
    ours = relief(PAIR, PAIR_CLASS) * len(PAIR)
    lines = []
    for f, (printed, found) in enumerate(zip(SUMMARY, ours, strict=True)):
        cells = ["Table 4, total of Relief", f"A{f + 1}", number(printed), number(found)]
        lines.append([*cells, verdict(found, printed, EXACT)])
    return lines


SECTION = Section(
    "review",
    "The review's worked examples",
    ("where", "of", "printed", "ours", "verdict"),
    (
        Experiment("table 1", responsibility),
        Experiment("table 1, random rows", convergence),
        Experiment("table 3", nearest),
        Experiment("table 4", summary),
    ),
    "python -m benchmarks reproduce --sections review",
)
