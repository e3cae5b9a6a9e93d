"""Reasons for the rank of a feature, and their report in two sentences.

`explain` is exported by `core`; `orange/partners.py` calls it for tables.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from ..checks import several, whole
from ..methods.registry import METHODS
from ..request import Request
from ..result import Ranking
from ..targets.targets import CLASSIFICATION, UNSUPERVISED
from ..words import counted, cut, shown
from ..work.threads import Progress, Work
from .disagreement import rank_of, reason_to_differ, title_of
from .feature_index import feature_index
from .jackknife import WeighedPairs, jackknife_interval
from .kept_pairs import KeptPairs
from .scaled_columns import scaled_columns

MAX_PAIRS = 2**22  # of rows, that are looked at; more target rows are sampled
WORDS = {
    CLASSIFICATION: ("of another class", "of its class"),
    UNSUPERVISED: ("that differ much as wholes", "that differ little"),
}
OF_NUMBERS = "with another target", "with a like target"


@dataclass(frozen=True, eq=False)
class Explanation:
    """Reasons for the rank of a feature.

    feature, name, score, rank: its index, name, score, and position, 1 = best.
    apart, alike: mean difference of the feature between a row and its neighbours with another target, and those with
    the same one.  None for methods whose scores are no sums over pairs of rows.
    difference: apart less alike.
    interval: 95 % interval of the difference, by a jackknife over the rows.  None where the pairs of fewer than three
    rows have both parts.
    rows (n,): share of each row in the score, half the sum of its pairs.  NaN for rows that take no part.
    likely: positions of the score less and plus two of its standard errors, by a jackknife over the shares of the rows.
    It keeps neighbours, so that these are mostly wider than random halves of the rows show.
    p, q: p-value and false discovery rate, if the ranking has them.
    elsewhere: its position by other methods.
    reasons: sentences on why positions by other methods are different.
    sentences: two sentences for a report.
    """

    feature: int
    name: str
    score: float
    rank: int
    apart: float | None = None
    alike: float | None = None
    difference: float | None = None
    interval: tuple[float, float] | None = None
    rows: np.ndarray | None = field(default=None, repr=False)
    likely: tuple[int, int] | None = None
    p: float | None = None
    q: float | None = None
    elsewhere: dict[str, int] = field(default_factory=dict)
    reasons: tuple[str, ...] = ()
    sentences: tuple[str, ...] = ()

    def most(self, n: int = 5) -> tuple[np.ndarray, np.ndarray]:
        """Indices of up to n rows that count most for the feature, and of those that count most against it."""
        if self.rows is None:
            return np.zeros(0, int), np.zeros(0, int)
        order = np.argsort(-np.nan_to_num(self.rows), kind="stable")
        n, signs = whole("n", n, 0), np.sign(self.rows[order])
        return order[signs > 0][:n], order[signs < 0][::-1][:n]


def explain(
    ranking: Ranking,
    feature: int | str,
    X: object,
    y: object = None,
    *,
    others: Sequence[str | Ranking] = (),
    n_jobs: int | None = None,
    progress: Progress = None,
    **options: Any,
) -> Explanation:
    """Explain why a feature has its rank: parts of the score, ranks by other methods, and chance.

    If there are many rows, parts are of a sample of them.

    Parameters
    ----------
    ranking : Ranking
        A ranking of the features of X for y.
    feature : int or str
        Index or name of the feature.
    X, y, n_jobs, progress, **options
        As in `rank`; the parameters of the method are those of the ranking.
    others : sequence of str or Ranking
        Methods whose rankings are compared, by their names or as rankings of the same data.

    Raises
    ------
    TypeError
        If the first argument is no ranking, or one of `others` is neither a ranking nor a name.
    ValueError
        If a ranking is of other features, or of another number of rows, than X.
    """
    others = several("others", others)
    if not isinstance(ranking, Ranking):
        raise TypeError(f"ranking must be a Ranking, not {shown(ranking)}: call explain(ranking, feature, X, y)")
    for other in others:
        if not isinstance(other, str | Ranking):
            raise TypeError(f"others must be names of methods, or rankings, not {shown(other)}")
    method, p = METHODS.get(ranking.method), len(ranking.scores)
    sums = method is not None and method.traits.shares_pairs
    parameters = {**ranking.parameters, **options} if sums else options
    request = Request.check(X, y, ranking.method if method else "auto", unadjusted=True, **parameters)
    if sums:
        request.without_weights("parts of a score")
    for given in (ranking, *others):
        if isinstance(given, Ranking):
            _check_same_data(given, request)
    names = request.table.names or ranking.names
    f = feature_index("feature", feature, names, p)
    work = request.work(n_jobs, progress)
    found = Explanation(f, names[f] if names else f"feature {f}", float(ranking.scores[f]), rank_of(ranking, f))
    tests = ranking.significance
    if tests is not None:
        found = replace(found, p=float(tests.p[f]), q=float(tests.q[f]))
    if sums:
        with work.part(0, 0.5):
            found = _with_parts(found, ranking, request, work)
    rankings = [
        other
        if isinstance(other, Ranking)
        else Request.check(X, y, other, unadjusted=True, **options).rank(Work(n_jobs))
        for other in others
    ]
    elsewhere = {title_of(other): rank_of(other, f) for other in rankings}
    reasons = [reason_to_differ(f, found.name, (ranking, other), request) for other in rankings]
    found = replace(found, elsewhere=elsewhere, reasons=tuple(filter(None, reasons)))
    work.finish()
    return replace(found, sentences=_sentences(found, ranking, request.target.task))


def _check_same_data(ranking: Ranking, request: Request) -> None:
    """Raise ValueError if a ranking is of other features than the data, or of another number of rows."""
    table, title = request.table, title_of(ranking)
    p = len(ranking.scores)
    if table.shape[1] != p:
        raise ValueError(f"X has {table.shape[1]:,} features, but the ranking by {title} has {p:,}")
    if table.names and ranking.names and tuple(ranking.names) != table.names:
        first = next(f for f in range(p) if ranking.names[f] != table.names[f])
        raise ValueError(
            f"the ranking by {title} is of other features than X: number {first + 1} is {shown(ranking.names[first])} "
            f"there, and {shown(table.names[first])} in X"
        )
    rows, n_known = len(request.known), int(request.known.sum())
    ranked = ranking.info.get("rows", rows)
    if ranked not in (rows, n_known):  # those without a target, too, or not
        raise ValueError(f"X has {counted(rows, 'row')}, but the ranking by {title} is of {counted(ranked, 'row')}")


def _with_parts(found: Explanation, ranking: Ranking, request: Request, work: Work) -> Explanation:
    """The same with the parts of the score, where it is a sum over pairs."""
    prepared, n = request.prepare(work), request.table.shape[0]
    data = prepared.input(work)
    m = min(ranking.info.get("instances", n), max(MAX_PAIRS // n, 2))
    data = replace(data, chosen=data.sample(m), outputs=(KeptPairs(),))
    (scored,) = request.method.for_targets(data, [request.target])
    if not scored.found.quantities:
        return found
    features, ids, (i, j, weights) = scored.found.quantities[0]
    columns, nominal, means = scaled_columns(features, np.array([found.feature]))
    d = columns[0][i] - columns[0][j]
    d = np.where(np.isnan(d), means[0], (d != 0) if nominal[0] else features.diff(np.abs(d)))
    parts = weights * d
    added = np.bincount(ids[i], parts / 2, n) + np.bincount(ids[j], parts / 2, n)
    rows = np.full(len(request.known), np.nan)
    rows[request.known] = added
    spread = 4 * float(np.std(added)) * np.sqrt(n)  # two errors of a jackknife
    sides = weights > 0, weights < 0
    apart, alike = (float(parts[side].sum() / weights[side].sum()) if side.any() else 0.0 for side in sides)
    places = [int((ranking.scores > found.score + side * spread).sum()) + 1 for side in (1, -1)]
    pairs = WeighedPairs(ids[i], ids[j], weights, d)
    return replace(
        found,
        apart=apart,
        alike=alike,
        difference=apart - alike,
        interval=jackknife_interval(pairs, n),
        rows=rows,
        likely=(places[0], min(places[1], len(ranking.scores))),
    )


def _sentences(found: Explanation, ranking: Ranking, task: str) -> tuple[str, str]:
    name, (apart, alike) = cut(found.name), WORDS.get(task, OF_NUMBERS)
    first = f"{name} is number {found.rank:,} of {len(ranking.scores):,} by {title_of(ranking)}"
    if found.apart is None or found.alike is None:
        first += f", with a score of {found.score:.3g}."
    else:
        first += f": near rows {apart} differ in it by {found.apart:.2g}, and near rows {alike} by {found.alike:.2g}."
    if found.p is not None:
        return first, f"Permuted targets reach this with p = {found.p:.2g}; its false discovery rate is {found.q:.2g}."
    if found.interval is not None:
        low, high = found.interval
        difference = f"The difference is {found.difference:.2g}, with a 95 % interval of {low:.2g} to {high:.2g}"
        return first, f"{difference} by a jackknife over the rows."
    return first, "How far this is chance was not tested."
