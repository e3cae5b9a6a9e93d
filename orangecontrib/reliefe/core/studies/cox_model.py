"""Cox's model of times: its residuals, the risk that it fits by covariates, and score tests of further columns.

`study.py`, `smooth_tests.py`, `inference/covariate_tests.py` and the method `coxscore` use it.
"""

from dataclasses import dataclass

import numpy as np

from ..targets.kaplan_meier import at_risk
from ..targets.residuals import Residuals
from ..targets.targets import Target
from .logistic import HALVINGS, NEWTON_STEPS, RIDGE, ROUNDING, SMALL_STEP, SUFFICIENT_DECREASE
from .projection import DEPENDENT

MAX_PREDICTOR = 30.0  # of a linear predictor
MIN_EXPECTED = 1e-12  # number of events whose logarithm is taken


@dataclass(frozen=True, eq=False)
class Hazards:
    """Cox's model of n rows with given risks, and Breslow's ties.

    With the risk r_i of a row, the hazard at a time t is h(t) = events(t) / total(t), where total(t) is the sum of the
    risks of the rows that are watched until t at least, and a row expects r_i sum_{t <= t_i} h(t) events.
    """

    residuals: np.ndarray  # (n,): events less those expected until a row's time
    expected: np.ndarray  # (n,): events that are expected until then
    risk: np.ndarray  # (n,): risk of each row
    order: np.ndarray  # (n,): rows by time
    starts: np.ndarray  # (t,): positions of the distinct times in this order
    events: np.ndarray  # (t,): number of events at these times
    total: np.ndarray  # (t,): risk of all rows that are watched until then at least

    @classmethod
    def of(cls, time: np.ndarray, event: np.ndarray, risk: np.ndarray | None = None) -> "Hazards":
        """Make the model for times and events (n,); risk None: all rows have the same."""
        risk = np.ones(len(time)) if risk is None else risk
        time_index, events, total = at_risk(time, event, risk)
        order = np.argsort(time_index, kind="stable")
        expected = risk * np.cumsum(events / total)[time_index]
        starts = np.searchsorted(time_index[order], np.arange(len(events)))
        return cls(event - expected, expected, risk, order, starts, events, total)

    @classmethod
    def of_target(cls, target: Target, weights: np.ndarray | None = None) -> tuple["Hazards", np.ndarray | None]:
        """Make the model for a target of times; returns it, and the covariates Z (n, q) beside which it tests.

        A row of weight w (n,) has w times its event and its risk, as w equal rows with Breslow's ties.
        """
        risk = None
        Z = None
        if isinstance(target, Residuals):
            risk = target.risk
            Z = target.Z
        time, event = target.columns[0].T
        if weights is not None:
            return cls.of(time, weights * event, weights), Z
        return cls.of(time, event, risk), Z

    def _means(self, X: np.ndarray) -> np.ndarray:
        """Means (t, b) of columns over the rows that are watched at each time, weighted by risk."""
        sums = np.add.reduceat((X * self.risk[:, None])[self.order], self.starts, axis=0)
        return np.asarray(np.cumsum(sums[::-1], axis=0)[::-1] / self.total[:, None])

    def information(self, A: np.ndarray, B: np.ndarray) -> np.ndarray:
        """Fisher's information (a, b) of the coefficients of columns A (n, a) and B (n, b).

        sum_i expected_i a_i b_i' - sum_t events(t) m_A(t) m_B(t)', with means m over the rows that are watched at t.
        """
        products = (A * self.expected[:, None]).T @ B
        products_of_means = (self._means(A) * self.events[:, None]).T @ self._means(B)
        return np.asarray(products - products_of_means)

    def rest(self, X: np.ndarray, Z: np.ndarray | None) -> np.ndarray:
        """Return the part of columns X (n, b) that the covariates Z (n, q) of the model leave."""
        if Z is None:
            return X
        return np.asarray(X - Z @ (np.linalg.pinv(self.information(Z, Z), DEPENDENT) @ self.information(Z, X)))

    def contributions(self, X: np.ndarray) -> np.ndarray:
        """Compute the contributions (n, b) of rows to the scores of columns X (n, b), which are their sums.

        That of row i is event_i (x_i - m(t_i)) - risk_i sum_{t <= t_i} (x_i - m(t)) h(t), with the mean m(t) over the
        rows that are watched at time t, and the hazard h(t) = events(t) / total(t). Squares of these estimate the
        variance of a score also where the model does not hold.

        Lin and Wei (1989), J. Am. Stat. Assoc. 84:1074.
        """
        time_index = np.empty(len(X), np.intp)
        time_index[self.order] = np.repeat(np.arange(len(self.starts)), np.diff(self.starts, append=len(X)))
        means = self._means(X)
        expected_means = np.cumsum(means * (self.events / self.total)[:, None], axis=0)
        event = self.residuals + self.expected
        mean_terms = event[:, None] * means[time_index] - self.risk[:, None] * expected_means[time_index]
        return np.asarray(X * self.residuals[:, None] - mean_terms)

    def tests(self, X: np.ndarray, Z: np.ndarray | None = None) -> np.ndarray:
        """Test each column of X (n, b) beside covariates Z (n, q) by its score.

        Returns chi-square (b,) with one degree of freedom; 0 for columns that covariates determine.
        """
        X = X - X.mean(axis=0)
        size = self.expected @ X**2
        X = self.rest(X, Z)
        variance = self.expected @ X**2 - self.events @ self._means(X) ** 2
        is_independent = variance > DEPENDENT * size
        scores = self.residuals @ X
        return np.asarray(np.divide(scores**2, variance, out=np.zeros(len(size)), where=is_independent))

    def joint_test(self, X: np.ndarray, Z: np.ndarray | None = None) -> tuple[float, int]:
        """Test all columns of X (n, b) together by their scores.

        Returns chi-square, and its degrees of freedom.
        """
        X = self.rest(X - X.mean(axis=0), Z)
        scores = self.residuals @ X
        values, vectors = np.linalg.eigh(self.information(X, X))
        is_independent = values > DEPENDENT * len(X)
        statistic = ((scores @ vectors[:, is_independent]) ** 2 / values[is_independent]).sum()
        return float(statistic), int(is_independent.sum())


def martingale(time: np.ndarray, event: np.ndarray, risk: np.ndarray | None = None) -> np.ndarray:
    """Compute martingale residuals (n,): events less those expected until a row's time.

    The risk (n,) is that of each row; None: all rows have the same.

    Therneau, Grambsch and Fleming (1990), Biometrika 77:147, with the sums of Nelson and Aalen, or of Breslow.
    """
    return Hazards.of(time, event, risk).residuals


def deviance_residuals(time: np.ndarray, event: np.ndarray, risk: np.ndarray | None = None) -> np.ndarray:
    """Compute deviance residuals (n,), which are less skewed than the martingale residuals m, less their mean.

    sign(m) sqrt(-2 (m + event log(event - m))), where event - m is the number of events that are expected.

    Therneau, Grambsch and Fleming (1990), Biometrika 77:147, section 4.
    """
    m = martingale(time, event, risk)
    log_expected = np.log(np.maximum(event - m, MIN_EXPECTED))
    deviance = np.sign(m) * np.sqrt(np.maximum(-2 * (m + event * log_expected), 0))
    return np.asarray(deviance - deviance.mean())


def cox_risk(time: np.ndarray, event: np.ndarray, Z: np.ndarray) -> np.ndarray:
    """Fit the risk (n,) of each row by Cox's model with a ridge on covariates Z (n, q), and Breslow's ties.

    It is exp(Z b), with the coefficients b that maximise the partial likelihood less RIDGE |b|^2 / 2. Newton's method
    finds them, which halves a step as long as that does not increase enough.
    """
    b = np.zeros(Z.shape[1])

    def loss(b: np.ndarray) -> float:
        """Negative logarithm of the partial likelihood, with the ridge."""
        predictor = _bounded(Z @ b)
        events, total = at_risk(time, event, np.exp(predictor))[1:]
        return float(events @ np.log(total) - event @ predictor + RIDGE * (b @ b) / 2)

    for _ in range(NEWTON_STEPS if len(b) else 0):
        model = Hazards.of(time, event, np.exp(_bounded(Z @ b)))
        slope = Z.T @ model.residuals - RIDGE * b
        step = np.linalg.solve(model.information(Z, Z) + RIDGE * np.eye(len(b)), slope)
        before = loss(b)
        for _ in range(HALVINGS):
            least = SUFFICIENT_DECREASE * (slope @ step) - ROUNDING * abs(before)
            if before - loss(b + step) >= least:
                break
            step = step / 2
        b += step
        if np.abs(step).max() < SMALL_STEP:
            break
    return np.asarray(np.exp(_bounded(Z @ b)))


def _bounded(predictor: np.ndarray) -> np.ndarray:
    """Clip a linear predictor (n,), so that no risk overflows."""
    return np.clip(predictor, -MAX_PREDICTOR, MAX_PREDICTOR)
