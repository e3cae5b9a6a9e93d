"""Conditional p-values: whether a feature adds to what the remaining features say about the target.

`conditional_significance` is exported by `core`. `api.py` calls `check_conditional`, `tested_by_default` and
`conditional_tests` for rankings with p-values.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np

from ..checked_call import check_call
from ..checks import switch, whole
from ..given_others import ConditionalSignificance
from ..methods.registry import METHODS
from ..request import Request
from ..targets.facts import no_p_values
from ..targets.tasks import UNSUPERVISED
from ..words import some
from ..work.threads import SERIAL_ALGEBRA, Progress, Work
from .one_conditional_test import run_feature_test, sampled_rows
from .redraws import DETERMINED

MIN_DEFAULT_DRAWS = 199  # with which the smallest p is .005
MAX_DEFAULT_DRAWS = 999  # with which the smallest p is .001
DRAWS_PER_FEATURE = 10  # so that a single feature of p can have q <= .10
MAX_DRAWS = 100_000
MAX_ALL_TESTED = 100  # features, up to which all are tested and not only discoveries


def conditional_significance(
    X: object,
    y: object,
    method: str = "auto",
    *,
    features: Sequence[int | str] | None = None,
    chosen_by_target: bool = False,
    n_draws: int | None = None,
    n_jobs: int | None = None,
    progress: Progress = None,
    **options: Any,
) -> ConditionalSignificance:
    """Test whether features add to the information of the remaining features on the target.

    This is a conditional randomisation test. For a feature f, pairs of rows are weighted by the target and all
    remaining features, and f has no part in the weights V. Then f is drawn B times from its regression on the
    remaining features and the covariates. The diff is ``|x_i - x_j|`` for numbers, and 0 or 1 for categories. With the
    residuals e of f or of a draw, and the residuals r of the target on lines of the remaining features::

        T(x) = sum over i, j of V_ij diff(x_i, x_j),    L(x) = sum over g of (r_g' e)^2 / |r_g|^2.

    Tail probabilities of both are multiplied::

        S(x) = -log(tail of T) - log(tail of L),    p = (1 + #{b: S(x*_b) >= S(x_f)}) / (1 + B).

    T finds curves and interactions, L finds lines. Suppose that the target depends on f only through the remaining
    features, and that the regression holds. Then x_f and its draws are exchangeable, and p is right, whatever the
    weights are.

    If the regression misses a dependence of f on a relevant feature, p is too small. So the regression grows where the
    residuals of f can be predicted better than those of its draws. Where it had to grow much, p up to .05 is reported
    as not valid, with the reason.

    The normal scores of numbers have a linear regression on splines and products. Categories and numbers of up to four
    values have a logistic one. A sample of 2,000 rows is taken if there are more.

    Candès, Fan, Janson and Lv (2018), J. R. Stat. Soc. B 80:551, section 4.1. They know the distribution of f given the
    remaining features. Here it is estimated from the same rows.

    Parameters
    ----------
    X, y, method, n_jobs, progress, **options
        As in `rank`, with a target, and a method whose scores are sums over pairs of rows.
    features : sequence of int or str, optional
        Indices or names of the tested features. None: all; a feature takes a ranking and a regression.
    chosen_by_target : bool
        True if `features` were chosen by the same rows and target, as discoveries are. Then q counts all features of
        X, and p of a feature that was chosen by chance is too small.
    n_draws : int, optional
        Number of draws B of each feature, from 1 to 100,000. None: 10 for each feature of X, at least 199 and at most
        999. So a single one of up to 100 features can have q <= .10.

    Returns
    -------
    ConditionalSignificance

    Raises
    ------
    ValueError
        Without a target, for groups, weights of rows, unknown features, a table of one feature, and methods whose
        scores are no sums over pairs.
    """
    chosen_by_target = switch("chosen_by_target", chosen_by_target)
    if n_draws is not None:
        n_draws = whole("n_draws", n_draws, 1, MAX_DRAWS)
    request = check_call(X, y, method, unadjusted=True, needed_by="conditional p-values", **options)
    check_conditional(request)
    n_features = request.table.shape[1]
    tested = np.arange(n_features)
    if features is not None:
        tested = request.table.places(features, "features")
    work = request.work(n_jobs, progress)
    n_hypotheses = n_features if chosen_by_target else len(tested)
    result = conditional_tests(request, tested, n_draws, n_hypotheses, work)
    work.finish()
    return result


def default_draws(n_features: int) -> int:
    """Number of draws of a feature of data with so many features."""
    return min(max(DRAWS_PER_FEATURE * n_features - 1, MIN_DEFAULT_DRAWS), MAX_DEFAULT_DRAWS)


def tested_by_default(discoveries: np.ndarray, n_features: int) -> np.ndarray:
    """Choose the features that are tested if nobody names any: all up to 100, else the discoveries (indices).

    A feature takes a ranking and a regression, .02 to .1 s for 200 rows, so that 100 features take some seconds.
    """
    return np.arange(n_features) if n_features <= MAX_ALL_TESTED else np.sort(discoveries)


def check_conditional(request: Request) -> None:
    """Raise ValueError if features of a request cannot be tested given the remaining ones."""
    if request.target.task == UNSUPERVISED:
        raise ValueError(no_p_values())
    if request.study is not None and request.study.groups is not None:
        raise ValueError("conditional p-values take no groups: draws of a feature would differ within groups")
    request.refuse_weights("conditional p-values")
    request.refuse_groups("conditional p-values")
    if request.table.shape[1] < 2:
        raise ValueError("conditional p-values need two features or more: X has one")
    if not request.method.traits.shares_pairs:
        task = request.target.task
        able = [
            name for name, candidate in METHODS.items() if candidate.traits.shares_pairs and task in candidate.tasks
        ]
        raise ValueError(
            f"{request.method.title} has no conditional p-values, as its scores are no sums over pairs of rows. Rank "
            f"by one of {', '.join(able)}"
        )


@SERIAL_ALGEBRA
def conditional_tests(
    request: Request, features: np.ndarray, n_draws: int | None, n_hypotheses: int, work: Work
) -> ConditionalSignificance:
    """Test features (m,), sorted indices, of a request that `check_conditional` accepts; as the public function."""
    n_draws = n_draws or default_draws(request.table.shape[1])
    sample = sampled_rows(request)
    tests = [run_feature_test(int(features[k]), sample, n_draws, work) for k in work.split(len(features))]
    explained = np.array([test.explained for test in tests])
    remarks = [sample.note] if sample.note else []
    determined = features[explained >= 1 - DETERMINED]
    if len(determined):
        names = some(request.table.names_of(determined))
        remarks.append(f"{names}: determined by the remaining features, so that its conditional p is 1")
    return ConditionalSignificance(
        features=features,
        names=tuple(request.table.names_of(features)),
        p=np.array([test.p for test in tests]),
        by_neighbours=np.array([test.by_neighbours for test in tests]),
        by_line=np.array([test.by_line for test in tests]),
        reasons=tuple(test.reason for test in tests),
        explained=explained,
        n_draws=n_draws,
        n_hypotheses=n_hypotheses,
        remarks=tuple(remarks),
    )
