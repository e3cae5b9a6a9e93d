"""Residuals: the part of a target that covariates, and censoring, leave."""

from dataclasses import dataclass

import numpy as np

from ..targets.residuals import Residuals
from ..targets.targets import CLASSIFICATION, Target
from ..targets.times import at_risk

RIDGE, RIDGE_OF_CONSTANT = 1.0, 1e-6  # on standardised columns: as much as one row
STEPS, LONGEST_STEP, SMALL_STEP = 12, 4.0, 1e-8  # of Newton's method
LARGEST = 30.0  # of a linear predictor
DEPENDENT = 1e-10  # share of the largest singular value below which a column depends on the rest
TINY = 1e-300


def shares(codes: np.ndarray, Z: np.ndarray, G: int) -> np.ndarray:
    """Probabilities (n, G) of the classes given covariates, by multinomial logistic regression with a ridge.

    Shapes: `codes` (n,); `Z` (n, q).
    """
    n = len(codes)
    A, Y, q = np.column_stack([np.ones(n), Z]), np.eye(G)[codes], Z.shape[1] + 1
    ridge, b = np.append(RIDGE_OF_CONSTANT, np.full(q - 1, RIDGE)), np.zeros((q, G - 1))
    prior = np.maximum(Y.mean(axis=0), 1e-9)
    b[0] = np.log(prior[:-1] / prior[-1])

    def fitted() -> np.ndarray:
        u = np.column_stack([A @ b, np.zeros(n)])
        e = np.exp(u - u.max(axis=1, keepdims=True))
        return np.asarray(e / e.sum(axis=1, keepdims=True))

    if Z.shape[1]:
        for _ in range(STEPS):
            e = fitted()
            slope = A.T @ (Y - e)[:, :-1] - ridge[:, None] * b
            H = np.empty(((G - 1), q, (G - 1), q))
            for c in range(G - 1):
                for d in range(G - 1):
                    w = e[:, c] * ((c == d) - e[:, d])
                    H[c, :, d] = (A * w[:, None]).T @ A + (c == d) * np.diag(ridge)
            step = np.linalg.solve(H.reshape(q * (G - 1), -1), slope.T.ravel()).reshape(G - 1, q).T
            b += np.clip(step, -LONGEST_STEP, LONGEST_STEP)
            if np.abs(step).max() < SMALL_STEP:
                break
    return fitted()


def of_classes(codes: np.ndarray, Z: np.ndarray, G: int) -> np.ndarray:
    """Residuals (n, G) of classes, over the roots of their shares; of two classes (n, 1), which says the same."""
    share = np.bincount(codes, minlength=G) / len(codes)
    r: np.ndarray = (np.eye(G)[codes] - shares(codes, Z, G)) / np.sqrt(np.where(share > 0, share, 1))
    return r[:, 1:] if G == 2 else r


@dataclass(frozen=True, eq=False)
class Projection:
    """Orthogonal columns Q (n, r) of the constant and covariates."""

    Q: np.ndarray

    @classmethod
    def on(cls, Z: np.ndarray) -> "Projection":
        """That on the columns of Z (n, q)."""
        Q, R = np.linalg.qr(np.column_stack([np.ones(len(Z)), Z]))  # less work than singular values of all rows
        u, s, _ = np.linalg.svd(R)
        return cls(Q @ u[:, : len(s)][:, s > s[0] * DEPENDENT])

    def rest(self, values: np.ndarray) -> np.ndarray:
        """The part of values (n,) that is no linear combination of the columns."""
        return np.asarray(values - self.Q @ (self.Q.T @ values))


def normal_scores(values: np.ndarray) -> np.ndarray:
    """Quantiles of the normal distribution at the places of values (n,), mean ranks for ties."""
    from scipy.special import ndtri
    from scipy.stats import rankdata

    return np.asarray(ndtri((rankdata(values) - 0.5) / len(values)))


def of_numbers(values: np.ndarray, projection: Projection) -> np.ndarray:
    """Residuals (n,) of the normal scores of numbers, of mean square 1."""
    scores = normal_scores(values)
    r = projection.rest(scores)
    size = np.sqrt(np.mean(r * r))
    return r / size if size > DEPENDENT * np.abs(scores).max() else np.zeros_like(r)


@dataclass(frozen=True, eq=False)
class ScoreTests:
    """Score tests of further columns in a regression on covariates: logistic for classes, linear for numbers."""

    residuals: np.ndarray  # (n, g)
    variances: np.ndarray  # (n, g, g): of the residuals of a row
    A: np.ndarray  # (n, 1 + q): the constant and covariates

    @classmethod
    def of(cls, target: Target, Z: np.ndarray) -> "ScoreTests":
        """Tests for a target of classes or numbers, the normal scores of which count, beside covariates Z (n, q)."""
        A = np.column_stack([np.ones(len(Z)), Z])
        if target.task != CLASSIFICATION:
            beside = Projection.on(Z)
            variance = len(Z) / max(len(Z) - beside.Q.shape[1], 1)
            return cls(of_numbers(target.columns[0][:, 0], beside)[:, None], np.full((len(Z), 1, 1), variance), A)
        codes = np.unique(target.classes, return_inverse=True)[1]
        e = shares(codes, Z, int(codes.max()) + 1)[:, 1:]
        return cls(np.eye(e.shape[1] + 1)[codes][:, 1:] - e, e[:, :, None] * (np.eye(e.shape[1]) - e[:, None]), A)

    def tests(self, X: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Statistics (b,) and degrees of freedom (b,) of chi-square for b sets of columns X (n, b, m); columns that
        covariates determine have none."""
        X = X - X.mean(axis=0)
        V, B, H = self._information(X, X), self._information(X, self.A), self._information(self.A[:, None], self.A)
        beside = B @ np.linalg.pinv(H, DEPENDENT, hermitian=True)
        U = np.einsum("nbi,nc->bic", X, self.residuals).reshape(V.shape[:2])
        U -= beside @ (self.A.T @ self.residuals).ravel()
        size = np.trace(V, axis1=1, axis2=2)
        values, vectors = np.linalg.eigh(V - beside @ B.transpose(0, 2, 1))
        some = values > DEPENDENT * size[:, None]
        along = np.einsum("bk,bkl->bl", U, vectors) ** 2
        return np.divide(along, values, out=np.zeros_like(along), where=some).sum(axis=1), some.sum(axis=1)

    def _information(self, X: np.ndarray, Y: np.ndarray) -> np.ndarray:
        """Information (b, m g, k g) of sets of columns X (n, b, m) beside Y (n, k), or beside themselves."""
        (_, b, m), g, k = X.shape, self.residuals.shape[1], Y.shape[-1]
        out = np.empty((b, m, g, k, g))
        for c in range(g):
            for d in range(g):
                WX = X * self.variances[:, c, d, None, None]
                out[:, :, c, :, d] = np.tensordot(WX, Y, (0, 0)) if Y.ndim == 2 else np.einsum("nbi,nbj->bij", WX, Y)
        return out.reshape(b, m * g, k * g)


def of_columns(columns: np.ndarray, nominal: np.ndarray) -> np.ndarray:
    """Residuals (n, G) of several targets (n, t), each of mean square 1 in all; 0 where a target is unknown."""
    found = []
    for column, coded in zip(columns.T, nominal, strict=True):
        known = ~np.isnan(column)
        values, none = column[known], np.empty((int(known.sum()), 0))
        if coded:
            codes = np.unique(values, return_inverse=True)[1]
            r = of_classes(codes, none, int(codes.max(initial=0)) + 1)
        else:
            r = of_numbers(values, Projection.on(none))[:, None]
        size = np.sqrt((r * r).sum() / max(len(r), 1))
        of_rows = np.zeros((len(column), r.shape[1]))
        of_rows[known] = r / (size if size > TINY else 1)
        found.append(of_rows)
    return np.hstack(found)


@dataclass(frozen=True, eq=False)
class Hazards:
    """Cox's model of n rows with given risks, and Breslow's ties: its expectations, and its tests of further
    columns."""

    residuals: np.ndarray  # (n,): events less those expected until a row's time
    expected: np.ndarray  # (n,)
    risk: np.ndarray  # (n,)
    order: np.ndarray  # (n,): rows by time
    starts: np.ndarray  # (t,): places of the distinct times in this order
    events: np.ndarray  # (t,): at these times
    total: np.ndarray  # (t,): risk of all rows that are watched until then at least

    @classmethod
    def of(cls, time: np.ndarray, event: np.ndarray, risk: np.ndarray | None = None) -> "Hazards":
        """The model for times and events (n,); risk None: all rows have the same."""
        risk = np.ones(len(time)) if risk is None else risk
        at, events, total = at_risk(time, event, risk)
        order = np.argsort(at, kind="stable")
        expected = risk * np.cumsum(events / total)[at]
        starts = np.searchsorted(at[order], np.arange(len(events)))
        return cls(event - expected, expected, risk, order, starts, events, total)

    @classmethod
    def of_target(cls, target: Target) -> tuple["Hazards", np.ndarray | None]:
        """The model for a target of times, and the covariates Z (n, q) beside which it tests."""
        risk, Z = (target.risk, target.Z) if isinstance(target, Residuals) else (None, None)
        time, event = target.columns[0].T
        return cls.of(time, event, risk), Z

    def _means(self, X: np.ndarray) -> np.ndarray:
        """Means (t, b) of columns over the rows that are watched at each time, weighted by risk."""
        sums = np.add.reduceat((X * self.risk[:, None])[self.order], self.starts, axis=0)
        return np.asarray(np.cumsum(sums[::-1], axis=0)[::-1] / self.total[:, None])

    def information(self, A: np.ndarray, B: np.ndarray) -> np.ndarray:
        """Fisher's information (a, b) of the coefficients of columns A (n, a) and B (n, b)."""
        found: np.ndarray = (A * self.expected[:, None]).T @ B - (
            self._means(A) * self.events[:, None]
        ).T @ self._means(B)
        return found

    def rest(self, X: np.ndarray, Z: np.ndarray | None) -> np.ndarray:
        """The part of columns X (n, b) that the covariates Z (n, q) of the model leave."""
        if Z is None:
            return X
        return np.asarray(X - Z @ (np.linalg.pinv(self.information(Z, Z), DEPENDENT) @ self.information(Z, X)))

    def tests(self, X: np.ndarray, Z: np.ndarray | None = None) -> np.ndarray:
        """Statistics (b,) of the score test of each column of X (n, b) beside covariates Z (n, q): chi-square with one
        degree of freedom; 0 for columns that covariates determine."""
        X = X - X.mean(axis=0)
        size = self.expected @ X**2
        X = self.rest(X, Z)
        spread = self.expected @ X**2 - self.events @ self._means(X) ** 2
        some = spread > DEPENDENT * size
        return np.asarray(np.divide((self.residuals @ X) ** 2, spread, out=np.zeros(len(size)), where=some))

    def joint_test(self, X: np.ndarray, Z: np.ndarray | None = None) -> tuple[float, int]:
        """Statistic of the score test of all columns of X (n, b) together, and its degrees of freedom."""
        X = self.rest(X - X.mean(axis=0), Z)
        V, U = self.information(X, X), self.residuals @ X
        values, vectors = np.linalg.eigh(V)
        some = values > DEPENDENT * len(X)
        return float(((U @ vectors[:, some]) ** 2 / values[some]).sum()), int(some.sum())


def martingale(time: np.ndarray, event: np.ndarray, risk: np.ndarray | None = None) -> np.ndarray:
    """Residuals (n,): events less those expected until a row's time; risk (n,): of each row, None: all alike.

    Therneau, Grambsch and Fleming (1990), Biometrika 77:147, with the sums of Nelson and Aalen, or of Breslow.
    """
    return Hazards.of(time, event, risk).residuals


def cox_risk(time: np.ndarray, event: np.ndarray, Z: np.ndarray) -> np.ndarray:
    """Risk (n,) of each row by Cox's model with a ridge on covariates Z (n, q), and Breslow's ties."""
    b = np.zeros(Z.shape[1])
    for _ in range(STEPS if Z.shape[1] else 0):
        model = Hazards.of(time, event, np.exp(np.clip(Z @ b, -LARGEST, LARGEST)))
        H = model.information(Z, Z) + RIDGE * np.eye(len(b))
        step = np.linalg.solve(H, Z.T @ model.residuals - RIDGE * b)
        b += np.clip(step, -LONGEST_STEP, LONGEST_STEP)
        if np.abs(step).max() < SMALL_STEP:
            break
    return np.asarray(np.exp(np.clip(Z @ b, -LARGEST, LARGEST)))
