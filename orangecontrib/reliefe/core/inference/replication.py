"""Replication of two rankings with p-values: which features are relevant in both cohorts.

`core.replicate` is called with two rankings. The command `orange-reliefe replicate` calls it with two files of scores,
and the widget Ranking Comparison with two tables of scores.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple, cast

import numpy as np

from ..checks import inside, number, one_of
from ..words import counted, shown

if TYPE_CHECKING:
    import pandas

SYMMETRIC, FOLLOW_UP = "symmetric", "follow-up"
DESIGNS = (SYMMETRIC, FOLLOW_UP)
R_VALUE, ADAFILTER = "r-value", "adafilter"
PROCEDURES = (R_VALUE, ADAFILTER)
SELECT = 0.05  # half of the usual level of .10: at that level, no feature with a larger p can be discovered
SHARE_OF_A = 0.5  # of the level that is spent on cohort A: Bogomolov and Heller (2018) recommend equal shares

Feature = str | int


@dataclass(frozen=True, eq=False, repr=False)
class Replication:
    """Features of two cohorts A and B, and their r-values.

    Attributes
    ----------
    features : tuple of str or int
        The m features that both cohorts have, in the order of A: names, or indices where the data had no names.
    p_a, p_b : (m,) array
        p-values in the two cohorts.
    is_candidate : (m,) bool array
        Features that were selected, from p-values of one cohort at a time, to be tested for replication. All of them
        for AdaFilter, whose filter is another one at each level.
    r : (m,) array
        r-value in (0, 1]: the smallest false discovery rate at which the feature counts as replicated. It is 1 where
        the feature is no candidate.
    only_a, only_b : tuple of str or int
        Features that only one cohort has. They cannot be replicated.
    design : str
        "symmetric" or "follow-up".
    method : str
        "r-value" or "adafilter".
    """

    features: tuple[Feature, ...]
    p_a: np.ndarray
    p_b: np.ndarray
    is_candidate: np.ndarray
    r: np.ndarray
    only_a: tuple[Feature, ...]
    only_b: tuple[Feature, ...]
    design: str
    method: str = R_VALUE

    def __repr__(self) -> str:
        n_candidates = int(self.is_candidate.sum())
        return f"Replication({counted(len(self.features), 'feature')}, {counted(n_candidates, 'candidate')})"

    @property
    def order(self) -> np.ndarray:
        """Indices (m,) of the features by r, the smallest first; equal ones by the larger p, then by index."""
        return cast("np.ndarray", np.lexsort((np.maximum(self.p_a, self.p_b), self.r)))

    def replicated(self, level: float = 0.1) -> tuple[Feature, ...]:
        """Features that are replicated at a false discovery rate `level`, in (0, 1), the smallest r first."""
        level = inside("level", level)
        return tuple(self.features[j] for j in self.order if self.r[j] <= level)

    def to_frame(self) -> "pandas.DataFrame":
        """Features by r, with r and the p-values of both cohorts, as a DataFrame."""
        import pandas

        columns = {"feature": list(self.features), "r": self.r, "p_a": self.p_a, "p_b": self.p_b}
        return pandas.DataFrame(columns).iloc[self.order].reset_index(drop=True)


class Multiplicity(NamedTuple):
    """Number of tests that p-values of candidates are corrected for in each cohort."""

    is_candidate: np.ndarray  # (m,) bool
    n_tests_a: int
    n_tests_b: int


def replicate(
    ranking_a: object,
    ranking_b: object,
    *,
    design: str = SYMMETRIC,
    method: str = R_VALUE,
    select: float | None = None,
) -> Replication:
    """Find the features that are relevant in both of two independent cohorts, at a false discovery rate.

    A false discovery is a feature that is irrelevant in at least one of the cohorts. Let C be the candidates, and w =
    1/2 the share of the level for cohort A. The r-value of a candidate j follows from the errors e of all candidates:

        e_j = max(M_a p_aj / w, M_b p_bj / (1 - w))

        r_j = min(1, min_{i in C, e_i >= e_j} e_i / rank(e_i))

    Equal errors have the largest of their ranks. S_a and S_b are the features that are selected in each cohort.

    "symmetric": features with p <= `select` are selected. C is the intersection of S_a and S_b, M_a the size of S_b,
    and M_b that of S_a. Bogomolov and Heller (2018), Biometrika 105:505, without estimates of the share of true null
    hypotheses.

    "follow-up": A is the primary cohort, and B follows up its discoveries. Features are selected in A alone, by q <=
    `select` of Benjamini and Hochberg, if B has them. C = S_a, M_a is the number of features of A, and M_b the size of
    S_a. Heller, Bogomolov and Benjamini (2014), PNAS 111:16262, with l00 = 0: no share of irrelevant features is
    assumed.

    "adafilter" has no candidates. S_j = max(p_aj, p_bj) is compared with a threshold; F_j = min(p_aj, p_bj) filters:

        r_j = min(1, min_{i: S_i >= S_j} S_i #{k: F_k <= S_i} / #{k: S_k <= S_i})

    A threshold thus pays only for features with at least one p-value up to it. This is AdaFilter-BH for signals in both
    of two studies (Wang, Gui, Su, Sabatti and Owen 2022, Annals of Statistics 50:1890).

    The rate of r-values holds if the cohorts have no row in common, and if p-values within a cohort are independent or
    positively dependent. That of AdaFilter is proved for many features that depend weakly on each other in a cohort.
    For 60 features it was simulated: `python benchmarks/replication.py --table`. The direction of an effect may differ
    between the cohorts, since scores have none.

    Parameters
    ----------
    ranking_a, ranking_b : Ranking or mapping of str to float
        Rankings with `significance`, by any methods, with or without covariates and groups. Or p-values in [0, 1] by
        the names of features. Features are matched by name, or by index where neither ranking has names.
    design : {"symmetric", "follow-up"}
        Whether both cohorts are equal, or B follows up A.
    method : {"r-value", "adafilter"}
        r-values of candidates, or AdaFilter, which finds more and is for the symmetric design only.
    select : float, optional
        In (0, 1): largest p, or q of cohort A, of a feature that is a candidate. None: .05. AdaFilter takes none.

    Returns
    -------
    Replication

    Raises
    ------
    ValueError
        For rankings without p-values, with a name twice, or without a common feature. For AdaFilter with a follow-up
        or with `select`.
    """
    design = one_of("design", design, DESIGNS)
    method = one_of("method", method, PROCEDURES)
    if method == ADAFILTER and design != SYMMETRIC:
        raise ValueError(f"AdaFilter treats both cohorts alike: leave out design={design!r}, or the method")
    if method == ADAFILTER and select is not None:
        raise ValueError("AdaFilter selects no candidates, its filter follows from the level: leave out select")
    select = inside("select", SELECT if select is None else select)
    p_of_a = _p_values("ranking_a", ranking_a)
    p_of_b = _p_values("ranking_b", ranking_b)
    if len({isinstance(feature, str) for feature in (*p_of_a, *p_of_b)}) > 1:
        raise ValueError("ranking_a and ranking_b must both have names of features, or neither of them")
    features = tuple(feature for feature in p_of_a if feature in p_of_b)
    if not features:
        raise ValueError(f"the cohorts have no feature in common: {_first(p_of_a)} ..., and {_first(p_of_b)} ...")
    only_a = tuple(feature for feature in p_of_a if feature not in p_of_b)
    only_b = tuple(feature for feature in p_of_b if feature not in p_of_a)
    p_a = np.array([p_of_a[feature] for feature in features])
    p_b = np.array([p_of_b[feature] for feature in features])
    if method == ADAFILTER:
        is_candidate = np.ones(len(features), bool)
        r = _adafilter(p_a, p_b)
    else:
        p_only_a = np.array([p_of_a[feature] for feature in only_a])
        tests = _symmetric(p_a, p_b, select) if design == SYMMETRIC else _follow_up(p_a, p_only_a, select)
        is_candidate = tests.is_candidate
        r = _r_values(p_a, p_b, tests)
    return Replication(features, p_a, p_b, is_candidate, r, only_a, only_b, design, method)


def _symmetric(p_a: np.ndarray, p_b: np.ndarray, select: float) -> Multiplicity:
    """Select by p-values (m,) in each cohort; a cohort corrects for the features that the other one selects."""
    is_selected_a = p_a <= select
    is_selected_b = p_b <= select
    return Multiplicity(is_selected_a & is_selected_b, int(is_selected_b.sum()), int(is_selected_a.sum()))


def _follow_up(p_a: np.ndarray, p_only_a: np.ndarray, select: float) -> Multiplicity:
    """Select by q in cohort A, among features (m,) of both cohorts and others of A only."""
    from scipy.stats import false_discovery_control

    q = false_discovery_control(np.concatenate([p_a, p_only_a]))
    is_candidate = q[: len(p_a)] <= select
    return Multiplicity(is_candidate, len(q), int(is_candidate.sum()))


def _r_values(p_a: np.ndarray, p_b: np.ndarray, tests: Multiplicity) -> np.ndarray:
    """Compute the r-values (m,) of `replicate` from p-values (m,) of both cohorts."""
    from scipy.stats import false_discovery_control

    r = np.ones(len(p_a))
    n_candidates = int(tests.is_candidate.sum())
    if n_candidates:
        error_a = tests.n_tests_a * p_a[tests.is_candidate] / SHARE_OF_A
        error_b = tests.n_tests_b * p_b[tests.is_candidate] / (1 - SHARE_OF_A)
        # The function multiplies by the number of candidates
        error = np.maximum(error_a, error_b) / n_candidates
        r[tests.is_candidate] = false_discovery_control(np.minimum(error, 1))
    return r


def _adafilter(p_a: np.ndarray, p_b: np.ndarray) -> np.ndarray:
    """Compute the smallest level (m,) at which AdaFilter discovers each feature, by the formula of `replicate`."""
    filters = np.sort(np.minimum(p_a, p_b))
    largest = np.maximum(p_a, p_b)
    order = np.argsort(largest, kind="stable")
    thresholds = largest[order]
    n_filtered = np.searchsorted(filters, thresholds, side="right")
    n_discoveries = np.searchsorted(thresholds, thresholds, side="right")
    rates = thresholds * n_filtered / n_discoveries
    # The smallest rate of any threshold that is at least as large
    smallest_rates = np.minimum.accumulate(rates[::-1])[::-1]
    r = np.ones(len(p_a))
    r[order] = np.minimum(smallest_rates, 1)
    return r


def _p_values(name: str, ranking: object) -> dict[Feature, float]:
    """Read the p-value of each feature of a ranking, or of a mapping."""
    if isinstance(ranking, Mapping):
        features = list(ranking)
        values = [number(f"p of {shown(feature)} in {name}", p) for feature, p in ranking.items()]
    else:
        significance = getattr(ranking, "significance", None)
        if significance is None:
            raise ValueError(f"{name} has no p-values: rank with significance=True, or give p-values by names")
        values = significance.p.tolist()
        features = list(cast("tuple[str, ...] | None", getattr(ranking, "names", None)) or range(len(values)))
    if not features:
        raise ValueError(f"{name} has no features")
    for feature, p in zip(features, values, strict=True):
        if not 0 <= p <= 1:
            raise ValueError(f"p of {shown(feature)} in {name} must be from 0 to 1, not {p}")
    p_of_feature = dict(zip(features, values, strict=True))
    if len(p_of_feature) < len(features):
        repeated = next(feature for index, feature in enumerate(features) if feature in features[:index])
        raise ValueError(f"{name} has {shown(repeated)} twice")
    return p_of_feature


def _first(p_of_feature: Mapping[Feature, float]) -> str:
    """Show the first feature, for messages."""
    return shown(next(iter(p_of_feature)))
