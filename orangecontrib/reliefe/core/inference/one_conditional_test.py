"""Conditional test of one feature: its regression, its draws, and the sums that are compared.

`conditional.py` calls `run_feature_test` for one feature after another, and `sampled_rows` once before.
"""

from dataclasses import replace
from typing import NamedTuple

import numpy as np

from ..data.expected import IGNORE, UNIFORM
from ..given_others import NOMINAL
from ..request import Request
from ..structure.additive import FEW_VALUES
from ..studies.residuals import normal_scores
from ..work.threads import Work
from .combined_tails import p_values_among_draws
from .grown_regression import MAX_COVARIATES, MAX_NUMBERS, MAX_NUMBERS_BESIDE_COVARIATES, grow
from .kept_pairs import KeptPairs, ScoredPairs
from .linear_part import linear_sums, target_residuals
from .other_features import FeatureColumns, OtherFeatures, centred, standardised
from .redraws import DETERMINED, left_share, redraw_numbers, redraw_values, values_at_scores
from .regression_columns import (
    ROWS_PER_COLUMN,
    best_numbers,
    depends_on_many,
    has_many_lines,
    lean_columns,
    plain_columns,
    regression_columns,
)

MAX_ROWS = 2000  # whose pairs are visited for each feature; more rows are sampled
MIN_ROWS = 20  # with a value of the feature; fewer have no regression on several columns
# For each column of a logistic regression, at least, and for each value but one
ROWS_PER_LOGISTIC_COLUMN = 3
MAX_LEFT_BY_VALUES = 0.9  # of what a regression of normal scores leaves, below which values are regressed
PAIRS_AT_ONCE = 2**9  # whose differences in 200 columns stay in the cache

# Reasons why p does not hold
WRONG_REGRESSION = (
    "as it depends on the remaining features in ways that its regression had to be extended for (products, waves, or a "
    "spread), so that p may be too small"
)
TOO_FEW_ROWS = (
    "as it depends on several features, and rows are too few for a regression on all. If it is made of many relevant "
    "features, p is too small. More rows, or fewer features, would show it"
)


class SampledRows(NamedTuple):
    """Rows whose pairs are visited."""

    request: Request  # of these rows, with all features, and without covariates
    columns: FeatureColumns  # of all features
    Z: np.ndarray  # (n, q): columns of the covariates
    note: str  # empty if these are all rows


class ConditionalFeatureTest(NamedTuple):
    """Result for one feature."""

    p: float
    by_neighbours: float  # p of the sums over neighbours alone
    by_line: float  # p of the linear sums alone
    explained: float  # share of its variation that the remaining features explain
    reason: str  # why p does not hold; empty if it does


class Draws(NamedTuple):
    """A feature and its draws in the n rows where it is known."""

    values: np.ndarray  # (n, 1 + B): whose differences are summed
    residuals: list[np.ndarray]  # of (n, 1 + B), from its regression; of three categories or more one for each
    unexplained_share: float  # share of its variation that the regression leaves
    may_be_wrong: bool  # True if the regression lacked so much that a small p does not hold
    response: np.ndarray  # (n, g): centred number, or indicators of the values, that was regressed


class Response(NamedTuple):
    """A number on the scale on which it is regressed."""

    z: np.ndarray  # (n,): values or normal scores, with mean 0 and standard deviation 1
    columns: np.ndarray  # (n, c): of its regression, before it grows
    unexplained_share: float  # share of the variation that they leave
    has_scores: bool  # True for normal scores


class KnownRows(NamedTuple):
    """Rows in which a feature is known, with all that it is regressed on."""

    x: np.ndarray  # (n,): its values, numbers in [0, 1]
    is_nominal: bool  # True for categories
    other_features: OtherFeatures  # remaining features of these rows
    scores: np.ndarray  # (p - 1,): their scores without the feature
    Z: np.ndarray  # (n, q): covariates


def sampled_rows(request: Request) -> SampledRows:
    """Take a random sample of the rows of a request if it has many; scores are sums over pairs in any case."""
    n = request.table.shape[0]
    Z = request.study.Z if request.study else np.empty((n, 0))
    parameters = request.parameters
    if request.table.missing_share and parameters.get("missing", UNIFORM) in (None, IGNORE):
        parameters = {**parameters, "missing": UNIFORM}
    without_study = replace(request, study=None, keep=None, preparation=None, parameters=parameters)
    if n <= MAX_ROWS:
        return SampledRows(without_study, FeatureColumns(without_study.table), Z, "")
    rows = np.sort(np.random.default_rng(request.random_state).choice(n, MAX_ROWS, replace=False))
    table = request.table.take(rows)
    sampled_request = replace(without_study, table=table, target=request.target.take(rows))
    note = f"conditional p-values are of {MAX_ROWS:,} rows, drawn at random"
    return SampledRows(sampled_request, FeatureColumns(table), Z[rows], note)


def run_feature_test(f: int, sample: SampledRows, n_draws: int, work: Work) -> ConditionalFeatureTest:
    """Test feature f given the remaining ones."""
    table = sample.request.table
    rng = np.random.default_rng([sample.request.random_state, f])
    x = sample.columns.values(np.array([f]))[:, 0]
    is_known = ~np.isnan(x)
    levels = np.unique(x[is_known])
    work.report(0)
    if len(levels) < 2 or is_known.sum() < MIN_ROWS:
        return ConditionalFeatureTest(1.0, 1.0, 1.0, 0.0, "")

    # Weights of pairs, by the target and all remaining features
    without_f = table.columns(np.arange(table.shape[1]) != f)
    with work.part(0, 0.5):
        pairs, scores = _weighted_pairs(replace(sample.request, table=without_f), work)
    work.report(0.5)

    # Draws from the regression on the remaining features
    is_nominal = bool(table.nominal[f])
    other_features = OtherFeatures(sample.columns, f, is_known)
    rows = KnownRows(x[is_known], is_nominal, other_features, scores, sample.Z[is_known])
    draw = _draws_of_values if is_nominal or len(levels) <= FEW_VALUES else _draws_of_numbers
    draws = draw(rows, n_draws, rng)
    if draws is None:
        return ConditionalFeatureTest(1.0, 1.0, 1.0, 1.0, "")
    work.report(0.8)

    # Sums of the feature and of its draws
    values = np.full((len(x), 1 + n_draws), np.nan)
    values[is_known] = draws.values
    neighbour_sums = weighted_diffs(pairs, values, is_nominal, work)
    target = sample.request.target.take(np.flatnonzero(is_known))
    r = target_residuals(target, rows.other_features, rows.Z)
    line_sums = np.sum([linear_sums(r, residuals) for residuals in draws.residuals], axis=0)
    p, by_neighbours, by_line = p_values_among_draws(neighbour_sums, line_sums)

    # Reasons against a small p; nobody acts on others
    reason = ""
    if p <= NOMINAL and draws.may_be_wrong:
        reason = WRONG_REGRESSION
    elif p <= NOMINAL and depends_on_many(rows.other_features, draws.response, rows.Z, rng):
        reason = TOO_FEW_ROWS
    return ConditionalFeatureTest(p, by_neighbours, by_line, 1 - draws.unexplained_share, reason)


def _draws_of_numbers(rows: KnownRows, n_draws: int, rng: np.random.Generator) -> Draws | None:
    """Draw a number from a linear regression that grows; None if the others determine it."""
    centred_x = centred(rows.x[:, None])
    if left_share(centred_x, plain_columns(rows.other_features, centred_x)) <= DETERMINED:
        return None
    response = _response(rows, rng)
    if response.unexplained_share <= DETERMINED:
        return None

    # Growth
    z = response.z
    n_numbers = MAX_NUMBERS_BESIDE_COVARIATES if rows.Z.shape[1] else MAX_NUMBERS
    numbers = best_numbers(rows.other_features, rows.scores, n_numbers)
    numbers = standardised([*numbers.T, *rows.Z[:, :MAX_COVARIATES].T], len(z))
    grown = grow(z, response.columns, numbers, len(z) // ROWS_PER_COLUMN, rng)
    residuals = grown.projection.rest(z)
    unexplained_share = float((residuals**2).sum() / (z**2).sum())
    if unexplained_share <= DETERMINED:
        return None

    # Draws
    drawn = redraw_numbers(z, grown.projection, n_draws, rng, grown.spread)
    drawn_x = values_at_scores(drawn, z, rows.x) if response.has_scores else rows.x.mean() + drawn * rows.x.std()
    all_residuals = np.column_stack([residuals, drawn - (z - residuals)[:, None]])
    return Draws(np.column_stack([rows.x, drawn_x]), [all_residuals], unexplained_share, grown.may_be_wrong, z[:, None])


def _response(rows: KnownRows, rng: np.random.Generator) -> Response:
    """Choose the scale on which a number is regressed: normal scores, or values if these leave less than .9 of them.

    Long tails and multiplicative noise need normal scores. But they bend a sum of a product and noise, which the values
    follow: where a feature was one, p <= .05 in .60 of 20 sets with normal scores, and in .10 with this choice. With
    more lines than a third of the rows, all numbers have normal scores, as columns are chosen for each scale.
    """
    responses = []
    for has_scores in (True, False):
        (z,) = standardised([normal_scores(rows.x) if has_scores else rows.x], len(rows.x)).T
        columns = lean_columns(rows.other_features, rows.scores, z[:, None], rows.Z, rng)
        responses.append(Response(z, columns, left_share(z[:, None], columns), has_scores))
        if has_many_lines(rows.other_features, rows.Z):
            return responses[0]
    of_scores, of_values = responses
    return of_values if of_values.unexplained_share < MAX_LEFT_BY_VALUES * of_scores.unexplained_share else of_scores


def _draws_of_values(rows: KnownRows, n_draws: int, rng: np.random.Generator) -> Draws | None:
    """Draw categories, or a number of few values, from a logistic regression; None if the others determine them."""
    levels, codes = np.unique(rows.x, return_inverse=True)
    indicators = centred(np.eye(len(levels))[codes][:, 1:])
    if left_share(indicators, plain_columns(rows.other_features, indicators)) <= DETERMINED:
        return None
    max_columns = len(codes) // (ROWS_PER_LOGISTIC_COLUMN * indicators.shape[1])
    columns = regression_columns(rows.other_features, rows.scores, indicators, rows.Z, max_columns, rng)
    unexplained_share = left_share(indicators, columns)
    if unexplained_share <= DETERMINED:
        return None
    drawn = redraw_values(codes, columns, n_draws, rng)

    # Residuals: the number, or the indicator of each category, less its expectation
    all_codes = np.column_stack([codes, drawn.codes])
    values_of_codes = np.eye(len(levels)) if rows.is_nominal and len(levels) > 2 else levels[None]
    residuals = [values[all_codes] - (drawn.probabilities @ values)[:, None] for values in values_of_codes]
    return Draws(levels[all_codes], residuals, unexplained_share, False, indicators)


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
