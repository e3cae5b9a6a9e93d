"""Conditional p-values: whether a feature adds to what the remaining features say about the target.

`conditional_significance` is exported by `core`. `api.py` calls `check_conditional` and `conditional_tests` for
rankings with p-values.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

import numpy as np

from ..chance import Significance
from ..checks import whole
from ..data.expected import IGNORE, UNIFORM
from ..methods.registry import METHODS
from ..request import Request
from ..structure.additive import FEW_VALUES
from ..targets.tasks import UNSUPERVISED
from ..words import counted, some
from ..work.threads import SERIAL_ALGEBRA, Progress, Work
from .kept_pairs import KeptPairs, ScoredPairs
from .redraws import DETERMINED, left_share, redraw_numbers, redraw_values
from .regression_columns import dense_values, plain_columns, regression_columns

DEFAULT_DRAWS = 199  # the smallest p is .005 then
MAX_DRAWS = 100_000
MAX_ROWS = 2000  # whose pairs are visited for each feature; more rows are sampled
MIN_ROWS = 20  # with a value of the feature; fewer have no regression on several columns
# At least. With fewer rows, draws hardly differ from the feature, and nothing is found
ROWS_PER_LINEAR_COLUMN = 2
ROWS_PER_LOGISTIC_COLUMN = 3  # and of each value but one
PAIRS_AT_ONCE = 2**9  # whose differences in 200 columns stay in the cache
ROUNDING = 1e-12  # of a sum, as a share of the largest one, up to which two sums are equal


@dataclass(frozen=True, eq=False)
class ConditionalSignificance:
    """Tests whether features add to the information of the remaining features on the target.

    features (m,): indices of the tested features, sorted.
    p (m,): p-values in (0, 1]; 1 where the remaining features determine a feature.
    q (m,): false discovery rates among the tested features (Benjamini and Hochberg 1995).
    explained (m,): share of the variation of each feature that a linear regression on the remaining ones explains.
    n_draws: number of draws of each feature.
    notes: remarks on p.
    """

    features: np.ndarray
    p: np.ndarray
    q: np.ndarray
    explained: np.ndarray
    n_draws: int
    notes: tuple[str, ...] = ()

    def joined(self, other: "ConditionalSignificance") -> "ConditionalSignificance":
        """Return the tests of both, with q among all of their features.

        Parameters
        ----------
        other : ConditionalSignificance
            Tests of further features of the same data, with as many draws.

        Returns
        -------
        ConditionalSignificance
        """
        from scipy.stats import false_discovery_control

        features = np.concatenate([self.features, other.features])
        order = np.argsort(features, kind="stable")
        p = np.concatenate([self.p, other.p])[order]
        explained = np.concatenate([self.explained, other.explained])[order]
        notes = tuple(dict.fromkeys((*self.notes, *other.notes)))
        return ConditionalSignificance(features[order], p, false_discovery_control(p), explained, self.n_draws, notes)

    def added_to(self, significance: Significance) -> Significance:
        """Return the significance of the scores of all features with these p-values and notes.

        Parameters
        ----------
        significance : Significance
            That of a ranking of the same features.

        Returns
        -------
        Significance
        """
        p_values = np.full(len(significance.p), np.nan)
        p_values[self.features] = self.p
        text = f"{counted(len(self.features), 'feature')} drawn {self.n_draws} times from the remaining ones"
        return replace(significance, conditional=p_values, notes=(*significance.notes, text, *self.notes))


def conditional_significance(
    X: object,
    y: object,
    method: str = "auto",
    *,
    features: Sequence[int | str] | None = None,
    n_draws: int = DEFAULT_DRAWS,
    n_jobs: int | None = None,
    progress: Progress = None,
    **options: Any,
) -> ConditionalSignificance:
    """Test whether features add to the information of the remaining features on the target.

    This is a conditional randomisation test. For a feature f, pairs of rows are weighted by the target and all
    remaining features, and f has no part in the weights V. Then f is drawn B times from its regression on the
    remaining features and the covariates. The diff is ``|x_i - x_j|`` for numbers, and 0 or 1 for categories:

        T(x) = sum over i, j of V_ij diff(x_i, x_j),    p = (1 + #{b: T(x*_b) >= T(x_f)}) / (1 + B).

    Suppose that the target depends on f only through the remaining features, and that the regression holds. Then x_f
    and its draws are exchangeable, and p is right, whatever the weights are. If the regression misses a dependence of f
    on a relevant feature, p is too small.

    Numbers have a linear regression on splines and products. Categories and numbers of up to four values have a
    logistic one. A sample of 2,000 rows is taken if there are more.

    Candès, Fan, Janson and Lv (2018), J. R. Stat. Soc. B 80:551, section 4.1. They know the distribution of f given the
    remaining features. Here it is estimated from the same rows.

    Parameters
    ----------
    X, y, method, n_jobs, progress, **options
        As in `rank`, with a target, and a method whose scores are sums over pairs of rows.
    features : sequence of int or str, optional
        Indices or names of the tested features. None: all; a feature takes a ranking and a regression.
    n_draws : int
        Number of draws B of each feature, from 1 to 100,000.

    Returns
    -------
    ConditionalSignificance

    Raises
    ------
    ValueError
        Without a target, for groups, weights of rows, unknown features, a table of one feature, and methods whose
        scores are no sums over pairs.
    """
    n_draws = whole("n_draws", n_draws, 1, MAX_DRAWS)
    request = Request.check(X, y, method, unadjusted=True, needed_by="conditional p-values", **options)
    check_conditional(request)
    tested = np.arange(request.table.shape[1])
    if features is not None:
        tested = request.table.places(features, "features")
    work = request.work(n_jobs, progress)
    result = conditional_tests(request, tested, n_draws, work)
    work.finish()
    return result


def check_conditional(request: Request) -> None:
    """Raise ValueError if features of a request cannot be tested given the remaining ones."""
    if request.target.task == UNSUPERVISED:
        raise ValueError("conditional p-values need a target: y is missing")
    if request.study is not None and request.study.groups is not None:
        raise ValueError("conditional p-values take no groups: draws of a feature would differ within groups")
    request.without_weights("conditional p-values").without_groups("conditional p-values")
    if request.table.shape[1] < 2:
        raise ValueError("conditional p-values need two features or more: X has one")
    if not request.method.traits.shares_pairs:
        task = request.target.task
        able = [name for name, other in METHODS.items() if other.traits.shares_pairs and task in other.tasks]
        raise ValueError(
            f"{request.method.title} has no conditional p-values, as its scores are no sums over pairs of rows. Rank "
            f"by one of {', '.join(able)}"
        )


@SERIAL_ALGEBRA
def conditional_tests(request: Request, features: np.ndarray, n_draws: int, work: Work) -> ConditionalSignificance:
    """Test features (m,), sorted indices, of a request that `check_conditional` accepts."""
    from scipy.stats import false_discovery_control

    sample = _sampled_rows(request)
    notes = [sample.note] if sample.note else []
    p_values = np.ones(len(features))
    explained = np.zeros(len(features))
    for k in work.split(len(features)):
        p_values[k], explained[k] = _test_of_feature(int(features[k]), sample, n_draws, work)

    determined = features[explained >= 1 - DETERMINED]
    if len(determined):
        names = some(request.table.names_of(determined))
        notes.append(f"{names}: determined by the remaining features, so that its conditional p is 1")
    q_values = false_discovery_control(p_values) if len(features) else p_values
    return ConditionalSignificance(features, p_values, q_values, explained, n_draws, tuple(notes))


class SampledRows(NamedTuple):
    """Rows whose pairs are visited."""

    request: Request  # of these rows, with all features, and without covariates
    Z: np.ndarray  # (n, q): columns of the covariates
    note: str  # empty if these are all rows


class TestOfFeature(NamedTuple):
    """Result for one feature."""

    p: float
    explained: float  # share of its variation that the remaining features explain


def _sampled_rows(request: Request) -> SampledRows:
    """Take a random sample of the rows of a request if it has many; scores are sums over pairs in any case."""
    n = request.table.shape[0]
    Z = request.study.Z if request.study else np.empty((n, 0))
    parameters = request.parameters
    if request.table.missing_share and parameters.get("missing", UNIFORM) in (None, IGNORE):
        parameters = {**parameters, "missing": UNIFORM}
    without_study = replace(request, study=None, keep=None, preparation=None, parameters=parameters)
    if n <= MAX_ROWS:
        return SampledRows(without_study, Z, "")
    rows = np.sort(np.random.default_rng(request.random_state).choice(n, MAX_ROWS, replace=False))
    table = request.table.take(rows)
    sampled_request = replace(without_study, table=table, target=request.target.take(rows))
    return SampledRows(sampled_request, Z[rows], f"conditional p-values are of {MAX_ROWS:,} rows, drawn at random")


def _test_of_feature(f: int, sample: SampledRows, n_draws: int, work: Work) -> TestOfFeature:
    """Test feature f given the remaining ones."""
    table = sample.request.table
    rng = np.random.default_rng([sample.request.random_state, f])
    x = dense_values(table, np.array([f]))[:, 0]
    is_known = ~np.isnan(x)
    known = x[is_known]
    levels, codes = np.unique(known, return_inverse=True)
    work.report(0)
    if len(levels) < 2 or len(known) < MIN_ROWS:
        return TestOfFeature(1.0, 0.0)

    # Weights of pairs, by the target and all remaining features
    is_other = np.arange(table.shape[1]) != f
    others = table.columns(is_other)
    with work.part(0, 0.5):
        pairs, scores = _weighted_pairs(replace(sample.request, table=others), work)
    work.report(0.5)

    # Draws from the regression on the remaining features
    is_nominal = bool(table.nominal[f])
    has_few_values = is_nominal or len(levels) <= FEW_VALUES
    indicators = np.eye(len(levels))[codes][:, 1:] if has_few_values else known[:, None] / np.abs(known).max()
    indicators = indicators - indicators.mean(axis=0)
    known_others = others.take(is_known)
    if left_share(indicators, plain_columns(known_others, indicators)) <= DETERMINED:
        return TestOfFeature(1.0, 1.0)
    rows_per_column = ROWS_PER_LOGISTIC_COLUMN * indicators.shape[1] if has_few_values else ROWS_PER_LINEAR_COLUMN
    most_columns = len(known) // rows_per_column
    columns = regression_columns(known_others, scores, indicators, sample.Z[is_known], most_columns, rng)
    left = left_share(indicators, columns)
    if left <= DETERMINED:
        return TestOfFeature(1.0, 1.0)
    work.report(0.8)
    values = np.full((len(x), 1 + n_draws), np.nan)
    values[is_known, 0] = known
    if has_few_values:
        values[is_known, 1:] = levels[redraw_values(codes, columns, n_draws, rng)]
    else:
        values[is_known, 1:] = redraw_numbers(known, columns, n_draws, rng)

    # Sums of the feature and of its draws
    sums = weighted_diffs(pairs, values, is_nominal, work)
    tolerance = ROUNDING * np.abs(sums).max()
    n_reached = int(np.count_nonzero(sums[1:] >= sums[0] - tolerance))
    return TestOfFeature((1 + n_reached) / (1 + n_draws), 1 - left)


def _weighted_pairs(request: Request, work: Work) -> tuple[ScoredPairs, np.ndarray]:
    """Pairs of rows that the scores of a request are summed over, and these scores; ValueError if they are no sums."""
    data = replace(request.prepare(work).input(work), outputs=(KeptPairs(),))
    (scored,) = request.method.for_targets(data, [request.target])
    if not scored.result.quantities:
        raise ValueError("conditional p-values need scores that are sums over pairs: leave out parameters")
    _, ids, (i, j, weights) = scored.result.quantities[0]
    return ScoredPairs(ids[i], ids[j], weights), scored.result.scores


def weighted_diffs(pairs: ScoredPairs, values: np.ndarray, is_nominal: bool, work: Work) -> np.ndarray:
    """Sum the weighted diffs of columns over pairs of rows, sum over i, j of V_ij diff(x_i, x_j).

    Pairs with an unknown value are left out, as they are the same for all columns.

    Parameters
    ----------
    pairs : ScoredPairs
        Pairs with their weights V.
    values : (n, c) array
        A feature and its draws; NaN where they are unknown.
    is_nominal : bool
        True for categories.
    work : Work
        Counts progress.

    Returns
    -------
    (c,) array
    """
    is_known = ~np.isnan(values[:, 0])
    counts = is_known[pairs.i] & is_known[pairs.j]
    first = pairs.i[counts]
    second = pairs.j[counts]
    weights = pairs.weights[counts]
    sums = np.zeros(values.shape[1])
    for start in range(0, len(weights), PAIRS_AT_ONCE):
        work.tick()
        chunk = slice(start, start + PAIRS_AT_ONCE)
        diffs = values[first[chunk]]
        diffs -= values[second[chunk]]
        if is_nominal:
            sums += weights[chunk] @ (diffs != 0)
        else:
            sums += weights[chunk] @ np.abs(diffs, out=diffs)
    return sums
