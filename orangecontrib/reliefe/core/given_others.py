"""Conditional p-values of features, as `core.inference.conditional` computes them.

`Significance.given_others` has those of a ranking, from which tables, figures, files and windows take their columns.
"""

from dataclasses import dataclass

import numpy as np

from .words import counted, some

NOMINAL = 0.05  # p up to which a feature is taken to add something, and above which its p needs no warning


@dataclass(frozen=True, eq=False)
class ConditionalSignificance:
    """Tests whether features add to the information of the remaining features on the target.

    Attributes
    ----------
    features : (m,) int array
        Indices of the tested features, sorted.
    names : tuple of str
        Names of the tested features.
    p : (m,) array
        p-values in (0, 1]; 1 where the remaining features determine a feature. Only those that are `valid` hold.
    by_neighbours : (m,) array
        p-values of the part of the statistic that sums over neighbours. It finds curves and interactions.
    by_line : (m,) array
        p-values of the part that sums residuals. It finds lines.
    reasons : tuple of str
        For each feature why its p does not hold for these data; empty where it does.
    explained : (m,) array
        Share of the variation of each feature that its regression on the remaining ones explains.
    n_draws : int
        Number of draws of each feature.
    n_hypotheses : int
        Number of features among which `q` counts discoveries. If the tested features were chosen by the same rows and
        target, these are all features of the data.
    remarks : tuple of str
        Sentences on the data of the tests.
    """

    features: np.ndarray
    names: tuple[str, ...]
    p: np.ndarray
    by_neighbours: np.ndarray
    by_line: np.ndarray
    reasons: tuple[str, ...]
    explained: np.ndarray
    n_draws: int
    n_hypotheses: int
    remarks: tuple[str, ...] = ()

    @property
    def valid(self) -> np.ndarray:
        """Mask (m,) of the features whose p holds."""
        return np.array([not reason for reason in self.reasons], bool)

    @property
    def q(self) -> np.ndarray:
        """False discovery rates (m,) of Benjamini and Hochberg (1995) among all hypotheses, NaN where p is not valid.

        Features that were not tested, and those whose p is not valid, count with p = 1. So rates also hold if the
        tested features were chosen by the same rows.
        """
        from scipy.stats import false_discovery_control

        valid = self.valid
        n_untested = max(self.n_hypotheses - len(self.p), 0)
        counted_p: np.ndarray = np.concatenate([np.where(valid, self.p, 1.0), np.ones(n_untested)])
        if not len(counted_p):
            return counted_p
        q_values: np.ndarray = false_discovery_control(counted_p)[: len(self.p)]
        return np.where(valid, q_values, np.nan)

    @property
    def adding(self) -> np.ndarray:
        """Indices of the features with a valid p up to .05."""
        adding: np.ndarray = self.features[self.valid & (self.p <= NOMINAL)]
        return adding

    @property
    def notes(self) -> tuple[str, ...]:
        """Remarks on the data, and for each reason the features whose p does not hold."""
        notes = [*self.remarks]
        for reason in dict.fromkeys(filter(None, self.reasons)):
            names = [
                name
                for name, reason_of_feature in zip(self.names, self.reasons, strict=True)
                if reason_of_feature == reason
            ]
            notes.append(f"{some(names)}: conditional p not valid here, {reason}")
        return tuple(notes)

    def of_all(self, values: np.ndarray, n_features: int, only_valid: bool = True) -> np.ndarray:
        """Put values (m,) of the tested features among all features (p,), NaN elsewhere.

        Parameters
        ----------
        values : (m,) array
            p or q.
        n_features : int
            Number p of features.
        only_valid : bool
            True: NaN also where p is not valid.

        Returns
        -------
        (p,) array
        """
        all_values = np.full(n_features, np.nan)
        all_values[self.features] = np.where(self.valid, values, np.nan) if only_valid else values
        return all_values

    def verdicts(self, n_features: int) -> list[str]:
        """Say for each of p features whether its p is valid: "yes", "no" with p and the reason, or "" if untested."""
        verdicts = [""] * n_features
        for feature, p, reason in zip(self.features.tolist(), self.p.tolist(), self.reasons, strict=True):
            verdicts[feature] = f"no (p {p:.2g}): {reason}" if reason else "yes"
        return verdicts

    def described(self) -> str:
        """Say how many features were drawn how often, and how many features their q counts."""
        n_tested = len(self.features)
        drawn = f"{counted(n_tested, 'feature')} drawn {self.n_draws} times from the remaining ones"
        if self.n_hypotheses <= n_tested:
            return f"{drawn}; their q counts these features"
        return (
            f"{drawn}. If the same rows chose them, p of a feature that was chosen by chance is too small. Judge them "
            f"by their q, which counts all {self.n_hypotheses:,} features"
        )

    def joined(self, other: "ConditionalSignificance") -> "ConditionalSignificance":
        """Return the tests of both.

        Parameters
        ----------
        other : ConditionalSignificance
            Tests of further features of the same data, with as many draws.

        Returns
        -------
        ConditionalSignificance
        """
        features = np.concatenate([self.features, other.features])
        order = np.argsort(features, kind="stable")
        names = (*self.names, *other.names)
        reasons = (*self.reasons, *other.reasons)
        return ConditionalSignificance(
            features[order],
            tuple(names[k] for k in order),
            np.concatenate([self.p, other.p])[order],
            np.concatenate([self.by_neighbours, other.by_neighbours])[order],
            np.concatenate([self.by_line, other.by_line])[order],
            tuple(reasons[k] for k in order),
            np.concatenate([self.explained, other.explained])[order],
            self.n_draws,
            max(self.n_hypotheses, other.n_hypotheses, len(features)),
            tuple(dict.fromkeys((*self.remarks, *other.remarks))),
        )
