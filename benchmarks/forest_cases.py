"""Data that forests are timed on, simulated or known, and what they should reach."""

from dataclasses import dataclass
from math import ceil, log2, sqrt
from pathlib import Path

import numpy as np
from evaluation import loader
from scipy import sparse

FOREST, EXTRA = "random-forest", "extra-trees"


@dataclass(frozen=True)
class Case:
    """Simulated data of n rows and p features; y: "10 numbers", "5 classes", or "" for none; few: whether a few trees
    of the peer will do; density: share of non-zeros, below 1 of CSR data."""

    n: int
    p: int
    y: str
    ensemble: str
    goal: float
    few: bool = False
    density: float = 1.0

    @property
    def title(self) -> str:
        return f"{self.n}x{self.p}{f' sparse {self.density:g}' * (self.density < 1)}, {self.y or 'no target'}"

    @property
    def tried(self) -> int:
        """Features in a node, rounded up."""
        return ceil(sqrt(self.p) if self.y else log2(self.p))

    def data(self) -> tuple[np.ndarray | sparse.csr_array, np.ndarray | None]:
        """X as single precision holds it, y: what the first ten features tell, and as much noise."""
        random = np.random.default_rng(0)
        X = random.normal(size=(self.n, self.p)).astype(np.float32).astype(float)
        if self.density < 1:
            X = np.where(random.random(X.shape) < self.density, X, 0.0)
        count, kind = int(self.y.split()[0]) if self.y else 0, self.y.split()[-1:]
        Y = X[:, :10] @ random.normal(size=(10, max(count, 1)))
        Y += np.sqrt(10 * self.density) * random.normal(size=Y.shape)
        X = X if self.density == 1 else sparse.csr_array(X)
        if kind == ["classes"]:
            return X, np.digitize(Y[:, 0], np.quantile(Y[:, 0], np.arange(1, count) / count))
        return X, (Y if count > 1 else Y[:, 0]) if self.y else None


PEERS = (
    Case(1000, 50, "10 numbers", FOREST, 2.2),
    Case(1000, 50, "10 numbers", EXTRA, 2.2),
    Case(5000, 200, "10 numbers", FOREST, 2.5),
    Case(5000, 200, "10 numbers", EXTRA, 1.8),
    Case(5000, 50, "5 classes", FOREST, 4.0),
    Case(5000, 50, "5 classes", EXTRA, 2.0),
    Case(5000, 50, "1 number", FOREST, 3.0),
    Case(5000, 50, "1 number", EXTRA, 1.7),
    Case(200, 2000, "", EXTRA, 25.0, few=True),
    Case(5000, 2000, "5 classes", FOREST, 1.0, few=True, density=0.01),
    Case(5000, 2000, "5 classes", EXTRA, 1.0, few=True, density=0.01),
    Case(5000, 5000, "10 numbers", FOREST, 1.0, few=True, density=0.05),
    Case(5000, 5000, "10 numbers", EXTRA, 1.0, few=True, density=0.05),
)
# what, set, ensemble, all three scores, share of labelled rows, CLUS's CPU seconds
CLUS = (
    ("Genie3, emotions", "emotions", FOREST, False, 1.0, 3.5),
    ("Genie3, 5000x200, 10 numbers", "", FOREST, False, 1.0, 14.3),
    ("Genie3, 5000x200, 10 numbers", "", EXTRA, False, 1.0, 12.1),
    ("three scores, emotions", "emotions", FOREST, True, 1.0, 4.1),
    ("three scores, atp1d", "atp1d", FOREST, True, 1.0, 4.0),
    ("three scores, water quality", "water-quality-MTR", FOREST, True, 1.0, 3.7),
    ("the same, 20 % labelled, emotions", "emotions", FOREST, True, 0.2, 4.0),
    ("the same, 20 % labelled, atp1d", "atp1d", FOREST, True, 0.2, 8.5),
)
SHAPES = {"emotions": (593, 72, 6), "atp1d": (337, 411, 6), "water-quality-MTR": (1060, 16, 14)}


def known(name: str, labelled: float, folder: str | None) -> tuple[np.ndarray, np.ndarray, dict]:
    """X, y and what to tell `rank` of a set CLUS was timed on, simulated without a folder; some rows lose their y."""
    random = np.random.default_rng(0)
    if not name:
        return (*Case(5000, 200, "10 numbers", FOREST, 1).data(), {})
    if folder:
        loaded = loader(Path(folder)).load(name)
        X, y = loaded["X"], np.asarray(loaded["Y"], float)
    else:
        n, p, t = SHAPES[name]
        X, y = random.normal(size=(n, p)), random.normal(size=(n, t))
        y = (y > 0.6).astype(float) if name == "emotions" else y
    y[random.random(len(y)) >= labelled] = np.nan
    return X, y, {"task": "multi-label" if name == "emotions" else "multi-target"}
