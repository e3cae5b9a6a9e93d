"""Scores compared with chance: p-values and false discovery rates, and scores that irrelevant features reach.

`core.inference` makes a `Significance`, and `core.api` a `NullLevel`, from permuted targets.
"""

from dataclasses import dataclass, replace
from typing import cast

import numpy as np

from .checks import inside, number
from .given_others import NOMINAL, ConditionalSignificance
from .pages.feature_table import BY_LINE, BY_NEIGHBOURS, CONDITIONAL, CONDITIONAL_Q, VALIDITY
from .words import counted


@dataclass(frozen=True, eq=False, repr=False)
class Significance:
    """Significance of the scores of p features, relative to those for permuted targets.

    Attributes
    ----------
    z : (p,) float64 array
        Scores less their mean over permutations of the values, in standard deviations; -inf where these are 0.
    p : (p,) float64 array
        Probability in (0, 1] that a feature reaches this z by chance: the share among all features and permuted
        targets.
    q : (p,) float64 array
        False discovery rate in (0, 1] of all features with at least this z (Benjamini and Hochberg).
    family_wise : (p,) float64 array
        Probability in (0, 1] that any feature reaches this z (Westfall and Young).
    own_p : (p,) float64 array
        Probability that the feature reaches its score for permuted targets, at least 1 / (n_shuffles + 1).
    n_shuffles : int
        Number of permuted targets.
    smallest : float
        Smallest p that is possible with these, and with the different orders of the target.
    closed_form : bool
        Whether the spread of the scores has a closed form; else it comes from the permuted targets.
    notes : tuple of str
        Sentences on the limits of p.
    alone : (p,) float64 array, optional
        p-values of tests without the other features, for a target of classes, numbers or times.
    given_others : ConditionalSignificance, optional
        Tests of whether features add to the remaining ones.
    """

    z: np.ndarray
    p: np.ndarray
    q: np.ndarray
    family_wise: np.ndarray
    own_p: np.ndarray
    n_shuffles: int
    smallest: float
    closed_form: bool = True
    notes: tuple[str, ...] = ()
    alone: np.ndarray | None = None
    given_others: ConditionalSignificance | None = None

    def __repr__(self) -> str:
        discovered = f"{len(self.discoveries())} of {counted(len(self.q), 'score')} with q up to 0.1"
        return f"{type(self).__name__}({discovered}, {counted(self.n_shuffles, 'permuted target')})"

    @property
    def counts_own_p(self) -> bool:
        """True if a note says that own_p counts, since few features are compared with each other."""
        return any("own_p" in note for note in self.notes)

    @property
    def conditional(self) -> np.ndarray | None:
        """Conditional p-values (p,), NaN for features that were not tested, and where p is not valid; None: none."""
        tests = self.given_others
        return None if tests is None else tests.of_all(tests.p, len(self.p))

    @property
    def columns(self) -> dict[str, np.ndarray]:
        """z (NaN where undefined), p and q by these names, and `conditional_columns`."""
        columns = {"z": np.where(np.isfinite(self.z), self.z, np.nan), "p": self.p, "q": self.q}
        return columns | self.conditional_columns

    @property
    def conditional_columns(self) -> dict[str, np.ndarray]:
        """Conditional p, q, and both parts of p by their titles, NaN where p is not valid; empty without tests."""
        tests = self.given_others
        if tests is None:
            return {}
        values = {
            CONDITIONAL: tests.p,
            CONDITIONAL_Q: tests.q,
            BY_NEIGHBOURS: tests.by_neighbours,
            BY_LINE: tests.by_line,
        }
        return {title: tests.of_all(column, len(self.p)) for title, column in values.items()}

    @property
    def text_columns(self) -> dict[str, list[str]]:
        """Texts of p features by title: whether conditional p-values are valid; empty without tests."""
        return {} if self.given_others is None else {VALIDITY: self.given_others.verdicts(len(self.p))}

    def with_tests(self, tests: ConditionalSignificance) -> "Significance":
        """Return a copy with conditional tests, and with their notes.

        Parameters
        ----------
        tests : ConditionalSignificance
            Tests of features of the same data.

        Returns
        -------
        Significance
        """
        return replace(self, given_others=tests, notes=(*self.notes, tests.described(), *tests.notes))

    @property
    def kind(self) -> np.ndarray | None:
        """`kinds` at a false discovery rate of 10 %."""
        return self.kinds()

    def kinds(self, level: float = 0.1) -> np.ndarray | None:
        """Kinds of discoveries by the score, which also have tests without the other features.

        Parameters
        ----------
        level : float
            False discovery rate in (0, 1).

        Returns
        -------
        (p,) str array or None
            "both": discovered by its score, and its own test is a discovery or reaches p = .05. "only together":
            discovered by its score only. "": no discovery by its score, whatever its own test says. None without
            these tests.
        """
        from scipy.stats import false_discovery_control

        level = inside("level", level)
        if self.alone is None:
            return None
        is_discovered = false_discovery_control(np.concatenate([self.p, self.alone])) <= level
        by_score, by_test = np.split(is_discovered, 2)
        reaches_nominal = by_test | (self.alone <= NOMINAL)
        by_score &= self.q <= level  # tests of other features may not make it one
        return np.select([by_score & reaches_nominal, by_score], ["both", "only together"], "")

    def discoveries(self, level: float = 0.1) -> np.ndarray:
        """Features with q up to a level.

        Parameters
        ----------
        level : float
            False discovery rate in (0, 1): the expected share of irrelevant features among them.

        Returns
        -------
        int array
            Indices of the features, the largest z first.
        """
        level = inside("level", level)
        order = np.argsort(-self.z, kind="stable")
        return cast("np.ndarray", order[self.q[order] <= level])


@dataclass(frozen=True, eq=False)
class NullLevel:
    """Score that irrelevant features reach by chance, from rankings for permuted targets.

    Attributes
    ----------
    level : float
        Largest score of any feature for a permuted target.
    maxima : (n_shuffles,) float64 array
        Largest score for each permuted target.
    chance : float
        Probability of a score above the level in data without relevant features, 1 / (n_shuffles + 1).
    """

    level: float
    maxima: np.ndarray
    chance: float


def tau_max(alpha: float, m: float) -> float:
    """Largest sensible relevance threshold 1 / sqrt(alpha m) of Kira and Rendell (1992).

    It follows from Chebyshev's inequality, so that it is very cautious, and was derived for plain Relief only.

    Parameters
    ----------
    alpha : float
        Accepted probability of selecting an irrelevant feature, in (0, 1].
    m : float
        Number of target rows, at least 1.

    Returns
    -------
    float
        Threshold of the scores.

    Raises
    ------
    ValueError
        If a parameter is outside its range.
    """
    alpha = number("alpha", alpha)
    m = number("m", m)
    if not 0 < alpha <= 1:
        raise ValueError(f"alpha must be above 0 and at most 1, not {alpha}")
    if not m >= 1:
        raise ValueError(f"m must be at least 1, not {m}")
    return float(1 / np.sqrt(alpha * m))
