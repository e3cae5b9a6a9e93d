"""Least-angle regression of several targets on the same features, one step of all of them at a time.

With the entered columns X_A = QR, signs s and R'z = s, the direction of a step is Qz.  A column that enters appends one
entry to z and leaves the rest as they are, so that a step needs the products of all columns with one new vector only:
X is read once for all targets.
"""

from dataclasses import dataclass, field

import numpy as np
from scipy import sparse
from scipy.linalg import solve_triangular

from ..points.points import Points
from ..work.threads import Work

MAX_STEPS = 1000  # columns that enter at most, unless more are asked for: the time grows with the square of them
MAX_CELLS = 1 << 26  # of the vectors that are kept at once
DEPENDENT = 1e-7  # length of what is new in a column, as a share of its length, below which it cannot enter
DONE = 1e-12  # correlation, as a share of the largest one, that is rounding
CHUNK = 32  # vectors that are subtracted at once
COLUMNS = 1024  # that a thread multiplies at once
TALL = 2  # rows for each column, above which the columns are replaced by a square matrix with the same products


def coefficients(points: Points, targets: np.ndarray, n_steps: int | None, work: Work) -> np.ndarray:
    """Coefficients (q, k) of least-angle regressions after a number of steps, in each of which a column enters.

    Shapes: `targets` (n, k).

    Efron, Hastie, Johnstone and Tibshirani (2004), Least angle regression, Annals of Statistics 32:407-499.
    """
    (n, q), k = points.shape, targets.shape[1]
    steps = min(q, n - 1, n_steps or MAX_STEPS)
    goals = points.back(targets).T
    columns: Points | np.ndarray = square_root(points, work) if n > TALL * q else points
    out = np.empty((k, q))
    at_once = max(MAX_CELLS // (steps * columns.shape[0]), 1)
    groups = range(0, k, at_once)
    for start, _ in zip(groups, work.split(len(groups)), strict=True):
        some = slice(start, start + at_once)
        out[some] = _together(columns, goals[some], steps, work)
    return np.asarray(out.T)


def square_root(points: Points, work: Work) -> np.ndarray:
    """Matrix (q, q) whose columns have the same products as those of the points."""
    sizes, vectors = np.linalg.eigh(points.gram(work))
    return np.asarray(np.sqrt(np.maximum(sizes, 0.0))[:, None] * vectors.T)


@dataclass(eq=False)
class Path:
    """One regression on its way."""

    left: np.ndarray  # (q,): products of the columns with what is not yet explained
    basis: np.ndarray  # (steps, n): orthonormal vectors that the entered columns span, as many as there are
    change: np.ndarray = field(init=False)  # of `left` for a step of length 1
    entered: list[int] = field(default_factory=list)
    z: list[float] = field(default_factory=list)
    gone: list[float] = field(default_factory=list)  # way before each entry
    way: float = 0.0
    open: np.ndarray = field(init=False)  # (q,) columns that may enter

    def __post_init__(self) -> None:
        self.change, self.open = np.zeros(len(self.left)), np.ones(len(self.left), bool)
        self.height = self.first = float(np.abs(self.left).max())  # |left| of the entered columns
        self.next: int | None = int(np.argmax(np.abs(self.left))) if self.first > 0 else None

    def add(self, column: np.ndarray) -> np.ndarray | None:
        """Let the next column enter; its new direction, or None where it is not independent of the rest."""
        t, j = len(self.entered), self.next
        self.open[j] = False
        shares, rest, length = np.zeros(t), column, np.linalg.norm(column)
        for _ in range(2):
            before = np.linalg.norm(rest)
            for start in range(0, t, CHUNK):
                some = self.basis[start : min(start + CHUNK, t)]
                share = some @ rest
                rest = rest - share @ some
                shares[start : start + CHUNK] += share
            if np.linalg.norm(rest) > 0.5 * before:
                break
        new = float(np.linalg.norm(rest))
        if new <= DEPENDENT * length:
            return None
        sign = 1.0 if self.left[j] > 0 else -1.0
        self.z.append((sign - float(shares @ self.z)) / new)
        self.gone.append(self.way)
        self.entered.append(j)  # type: ignore[arg-type]  # there is a next one as long as this is called
        self.basis[t] = rest / new
        return np.asarray(self.basis[t])

    def advance(self) -> None:
        """Go as far as the next column enters, or until all is explained."""
        self.next, step = None, self.height
        if self.open.any():
            places = np.flatnonzero(self.open)
            left, change = self.left[places], self.change[places]
            with np.errstate(divide="ignore", invalid="ignore"):
                up, down = (self.height - left) / (1 - change), (self.height + left) / (1 + change)
            up, down = np.where(change < 1, up, np.inf), np.where(change > -1, down, np.inf)
            lengths = np.maximum(np.minimum(up, down), 0.0)
            best = int(np.argmin(lengths))
            if lengths[best] < step:
                self.next, step = int(places[best]), float(lengths[best])
        self.left -= step * self.change
        self.height -= step
        self.way += step
        if self.height <= DONE * self.first:
            self.next = None

    def solution(self, columns: np.ndarray) -> np.ndarray:
        """(q,) coefficients; columns (n, entered)."""
        out, basis = np.zeros(len(self.left)), self.basis[: len(self.entered)]
        explained = np.array(self.z) * (self.way - np.array(self.gone))
        out[self.entered] = solve_triangular(basis @ columns, explained)
        return out


def _together(columns: Points | np.ndarray, goals: np.ndarray, steps: int, work: Work) -> np.ndarray:
    """Coefficients (k, q) from the products (k, q) of the columns with the targets."""
    n, q = columns.shape
    paths = [Path(goal.copy(), np.empty((steps, n))) for goal in goals]
    blocks = [slice(start, start + COLUMNS) for start in range(0, q, COLUMNS)]
    if not isinstance(columns, np.ndarray) and sparse.issparse(columns.values):
        blocks = [slice(None)]  # to cut columns out takes longer than to multiply them
    work.plan(steps)

    def enter(path: Path) -> np.ndarray | None:
        """The first column that can."""
        while path.next is not None and len(path.entered) < steps:
            found = path.add(_columns(columns, [path.next]).ravel())
            if found is not None:
                return found
            path.advance()
        return None

    for _ in range(steps):
        work.tick(1)
        found = [(path, new) for path, new in zip(paths, work.map(enter, paths), strict=True) if new is not None]
        if not found:
            break
        vectors = np.array([new for _, new in found])

        def products(block: slice, vectors: np.ndarray = vectors) -> np.ndarray:
            if isinstance(columns, np.ndarray):
                return np.asarray(vectors @ columns[:, block])
            return np.asarray(columns.back(vectors.T, block).T)

        for (path, _), own in zip(found, np.concatenate(work.map(products, blocks), axis=1), strict=True):
            path.change += path.z[-1] * own  # the direction that its last column gives
            path.advance()
    return np.array(
        [path.solution(_columns(columns, path.entered)) if path.entered else path.left * 0 for path in paths]
    )


def _columns(columns: Points | np.ndarray, chosen: list[int]) -> np.ndarray:
    """(n, c) dense."""
    return columns[:, chosen] if isinstance(columns, np.ndarray) else columns.columns(chosen)
