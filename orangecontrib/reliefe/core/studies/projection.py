"""Projection of columns on the complement of covariates.

`residuals.py`, `study.py`, `score_tests.py` and the widget's chart of a feature take residuals by it.
"""

from dataclasses import dataclass

import numpy as np

DEPENDENT = 1e-10  # share of the largest singular value below which a column depends on the rest


@dataclass(frozen=True, eq=False)
class Projection:
    """Orthogonal columns Q (n, r) of the constant and covariates."""

    Q: np.ndarray

    @classmethod
    def on(cls, Z: np.ndarray) -> "Projection":
        """Make the projection on the constant and the columns of Z (n, q)."""
        Q, R = np.linalg.qr(np.column_stack([np.ones(len(Z)), Z]))  # less work than singular values of all rows
        u, s, _ = np.linalg.svd(R)
        return cls(Q @ u[:, : len(s)][:, s > s[0] * DEPENDENT])

    def rest(self, values: np.ndarray) -> np.ndarray:
        """Return the part of values (n,), or columns (n, m), that is no linear combination of the columns."""
        return np.asarray(values - self.Q @ (self.Q.T @ values))
