"""Cox's model of times: its residuals, the risk that it fits by covariates, and score tests of further columns.

`study.py`, `smooth_tests.py`, `inference/covariate_tests.py` and the method `coxscore` use it.
"""

from dataclasses import dataclass

import numpy as np

from ..targets.residuals import Residuals
from ..targets.targets import Target
from ..targets.times import at_risk
from .logistic import RIDGE, SMALL_STEP
from .projection import DEPENDENT

STEPS, LONGEST_STEP = 12, 4.0  # of Newton's method
LARGEST = 30.0  # of a linear predictor


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
    def of_target(cls, target: Target, weights: np.ndarray | None = None) -> tuple["Hazards", np.ndarray | None]:
        """The model for a target of times, and the covariates Z (n, q) beside which it tests.

        A row of weight w (n,) has w times its event and its risk, as w equal rows with Breslow's ties.
        """
        risk, Z = (target.risk, target.Z) if isinstance(target, Residuals) else (None, None)
        time, event = target.columns[0].T
        if weights is not None:
            return cls.of(time, weights * event, weights), Z
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

    def contributions(self, X: np.ndarray) -> np.ndarray:
        """Contributions (n, b) of the rows to the scores of columns X (n, b), which are their sums.

        That of row i is event_i (x_i - m(t_i)) - risk_i sum_{t <= t_i} (x_i - m(t)) h(t), with the mean m(t) over the
        rows that are watched at time t, and the hazard h(t) = events(t) / total(t). Squares of these estimate the
        variance of a score also where the model does not hold.

        Lin and Wei (1989), J. Am. Stat. Assoc. 84:1074.
        """
        place = np.empty(len(X), np.intp)
        place[self.order] = np.repeat(np.arange(len(self.starts)), np.diff(self.starts, append=len(X)))
        means = self._means(X)
        expected_means = np.cumsum(means * (self.events / self.total)[:, None], axis=0)
        event = self.residuals + self.expected
        of_times = event[:, None] * means[place] - self.risk[:, None] * expected_means[place]
        return np.asarray(X * self.residuals[:, None] - of_times)

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
