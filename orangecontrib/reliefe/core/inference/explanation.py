"""Reasons for the rank of a feature: the parts of its score, the rows that count, other methods, and chance."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
from scipy.special import entr

from ..checks import inside, one_of, several, whole
from ..data.table import DataTable, refuse_infinite
from ..methods.registry import METHODS
from ..methods.traits import EQUAL_OR_NOT
from ..methods.wrapper import scoring_method
from ..request import Request
from ..result import NOMINAL, Ranking
from ..targets.targets import CLASSIFICATION, UNSUPERVISED
from ..words import counted, cut, shown
from ..work.threads import Progress, Work
from .alone import alone
from .jackknife import WeighedPairs, jackknife_interval
from .partners import KeptPairs, scaled_columns

MAX_PAIRS = 2**22  # of rows, that are looked at; more target rows are sampled
ALIKE = 0.9  # association from which on two features are alike
MAX_GROUPED = 100  # best features that are compared with each other
FEW_CODES = 4096  # counted by their values; more of them are sorted
APART = 4  # ratio of two ranks from which on they disagree
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
    f = _index("feature", feature, names, p)
    work = request.work(n_jobs, progress)
    found = Explanation(f, names[f] if names else f"feature {f}", float(ranking.scores[f]), _rank(ranking, f))
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
    elsewhere = {_title(other): _rank(other, f) for other in rankings}
    reasons = [_reason(found, (ranking, other), request) for other in rankings]
    found = replace(found, elsewhere=elsewhere, reasons=tuple(filter(None, reasons)))
    work.finish()
    return replace(found, sentences=_sentences(found, ranking, request.target.task))


def _check_same_data(ranking: Ranking, request: Request) -> None:
    """Raise ValueError if a ranking is of other features than the data, or of another number of rows."""
    table, title = request.table, _title(ranking)
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


def _index(what: str, feature: int | str, names: Sequence[str] | None, p: int) -> int:
    """Index of one of p features that is given by index or by name; raises TypeError or ValueError for no such one."""
    if not isinstance(feature, str):
        return whole(what, feature, 0, p - 1)
    feature_names = list(names or ())
    return feature_names.index(one_of(what, feature, feature_names))


def _title(ranking: Ranking) -> str:
    method = METHODS.get(ranking.method)
    return method.title if method else ranking.method


def _rank(ranking: Ranking, f: int) -> int:
    return int(np.flatnonzero(ranking.ranking == f)[0]) + 1


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


def _reason(found: Explanation, rankings: tuple[Ranking, Ranking], request: Request) -> str:
    """Sentence on why two rankings disagree on a feature; empty where they agree, or no reason is known."""
    f, name, table = found.feature, cut(found.name), request.table
    high, low = sorted(rankings, key=lambda ranking: _rank(ranking, f))
    above, below = METHODS.get(high.method), METHODS.get(low.method)
    if above is None or below is None or _rank(low, f) < APART * _rank(high, f):
        return ""
    above_traits, below_traits = (scoring_method(ranking).traits for ranking in (high, low))
    if below_traits.redundancy:
        best = low.ranking[:MAX_GROUPED]
        twin = alike_features(table, [*best[: _rank(low, f) - 1], f])[-1]
        if twin != f:
            return f"{below.title} leaves out features like better ones, and {name} is like {_named(table, twin)}"
    by_step = [
        traits.nominal == EQUAL_OR_NOT and not ranking.parameters.get("ramp")
        for traits, ranking in ((above_traits, high), (below_traits, low))
    ]
    if len(set(table.nominal)) == 2 and by_step == [table.nominal[f], not table.nominal[f]]:
        title = (above if table.nominal[f] else below).title
        return f"{title} counts two categories as a difference of 1, but two numbers as a part of their range"
    if above_traits.interactions == below_traits.interactions:
        return ""
    if request.weights is not None:  # for which there are no tests alone
        return ""
    p_values = alone(table.columns(np.array([f])), request.target, Work(1))
    if p_values is None or above_traits.interactions != (p_values[0] > NOMINAL):
        return ""
    related, how = "related", "feature by feature"
    if above_traits.interactions:
        related, how = "not related", "beside other features"
    return f"{name} is {related} to the target alone (p = {p_values[0]:.2g}), and {above.title} scores it {how}"


def _named(table: DataTable, f: int) -> str:
    return cut(table.names[f]) if table.names else f"feature {f}"


def _sentences(found: Explanation, ranking: Ranking, task: str) -> tuple[str, str]:
    name, (apart, alike) = cut(found.name), WORDS.get(task, OF_NUMBERS)
    first = f"{name} is number {found.rank:,} of {len(ranking.scores):,} by {_title(ranking)}"
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


def alike_features(X: object, features: Sequence[int], nominal: object = None, threshold: float = ALIKE) -> np.ndarray:
    """Group alike features: each belongs to the first one before it with which its association is above a threshold.

    Returns for each the index of the feature that represents its group.

    Parameters
    ----------
    X, nominal
        As in `rank`.
    features : sequence of int or str
        Indices of the features, or their names in a DataFrame, the best first, so that the best of each group
        represents it.
    threshold : float
        Absolute correlation of two numbers (or categories of two values), or mutual information of two categories over
        the larger entropy, in (0, 1).

    Raises
    ------
    ValueError
        If one of these features has infinite values, or no feature has a name.
    """
    table, threshold = DataTable.of(X, nominal), inside("threshold", threshold)
    chosen = np.array([_index("features", f, table.names, table.shape[1]) for f in several("features", features)], int)
    some = table.columns(chosen).unpacked().wide()
    stored: Any = some.values
    values: np.ndarray = stored.toarray() if some.is_sparse else stored
    refuse_infinite(np.unique(chosen[np.isinf(values).any(axis=0)]))
    # Powers of two, so that the squares of values in any units can be added up, and no digit changes
    values = np.ldexp(values, -np.frexp(np.fmax.reduce(np.abs(values), axis=0, initial=0.0))[1])
    nominal_columns = zip(values.T, some.nominal, strict=True)
    codes = [np.unique(x, return_inverse=True)[1] if of_names else np.zeros(1, int) for x, of_names in nominal_columns]
    named, known = np.array([code.max(initial=0) > 1 for code in codes], bool), ~np.isnan(values)
    z = np.where(known, values, 0)
    z = np.where(known, z - z.sum(axis=0) / np.maximum(known.sum(axis=0), 1), 0)
    varies = np.fmin.reduce(values, axis=0) < np.fmax.reduce(values, axis=0)
    z[:, ~varies] = 0  # what is left of a constant is rounding
    z /= np.maximum(np.sqrt((z * z).sum(axis=0)), 1e-300)
    r = np.where(named[:, None] | named, 0, np.abs(z.T @ z))
    h = [_entropy(code) for code in codes]
    firsts: list[int] = []
    out: np.ndarray = chosen.copy()
    for b in range(len(chosen)):
        a = next((a for a in firsts if r[a, b] > threshold or (named[a] and named[b]
                  and _information(codes[a], codes[b], h[a], h[b], threshold) > threshold)), b)  # fmt: skip
        out[b] = chosen[a]
        firsts += [b] * (a == b)
    return out


def _information(a: np.ndarray, b: np.ndarray, h_a: float, h_b: float, least: float) -> float:
    """Mutual information of two columns of codes (n,) over the larger of their entropies; 0 if it is at most least."""
    low, high = sorted((h_a, h_b))
    if low <= least * high:  # the information is at most the smaller entropy
        return 0.0
    return (h_a + h_b - _entropy(a * (int(b.max()) + 1) + b)) / high


def _entropy(codes: np.ndarray) -> float:
    few = codes.max(initial=0) < FEW_CODES
    counts = np.bincount(codes) if few else np.unique(codes, return_counts=True)[1]
    return float(entr(counts / max(len(codes), 1)).sum())
