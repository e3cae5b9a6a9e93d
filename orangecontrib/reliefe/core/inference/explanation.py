"""Find the reasons for the rank of a feature, and report them in two sentences.

`explain` is exported by `core`, and `Ranking.explain` calls it, see `core.result.HigherWork`.
"""

from collections.abc import Sequence
from dataclasses import replace
from numbers import Integral
from typing import Any

import numpy as np

from ..checked_call import check_call
from ..checks import several
from ..methods.registry import METHODS
from ..reasons import Explanation
from ..request import Request
from ..result import Ranking
from ..targets.tasks import CLASSIFICATION, UNSUPERVISED
from ..words import counted, cut, item_name, shown, some
from ..work.threads import Progress, Work
from .disagreement import rank_of, reason_to_differ
from .feature_index import feature_index
from .score_parts import ScoreParts, score_parts

CALL = "call explain(ranking, feature, X, y)"
# Rows with another target, and with a like one, as a sentence names them
NEAR_ROWS = {
    CLASSIFICATION: ("of another class", "of its class"),
    UNSUPERVISED: ("that differ much as wholes", "that differ little"),
}
NEAR_ROWS_OF_NUMBERS = ("with another target", "with a like target")
SHARE_OF_PARTS = 0.8  # of the work; rankings by other methods are the rest
MAX_DIGITS = 4  # of two differences that are written; chosen by eye


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

    Returns
    -------
    Explanation

    Raises
    ------
    TypeError
        If the first argument is no ranking, the second one no feature, or one of `others` is neither a ranking nor a
        name.
    ValueError
        If a ranking is of groups of features, of other features than X, or of another number of rows. Covariates and
        groups of rows with which it was made must be given again.
    """
    (explanation,) = explain_features(
        ranking, [feature], X, y, others=others, n_jobs=n_jobs, progress=progress, **options
    )
    return explanation


def explain_features(
    ranking: Ranking,
    features: Sequence[int | str],
    X: object,
    y: object = None,
    *,
    others: Sequence[str | Ranking] = (),
    n_jobs: int | None = None,
    progress: Progress = None,
    **options: Any,
) -> list[Explanation]:
    """Explain the ranks of several features as `explain` does; rows are sampled and ranked again once for all of them.

    Parameters
    ----------
    ranking, X, y, others, n_jobs, progress, **options
        As of `explain`.
    features : sequence of int or str
        Indices or names of features.

    Returns
    -------
    list of Explanation
        In the order of the features.

    Raises
    ------
    TypeError, ValueError
        As of `explain`.
    """
    others = several("others", others)
    if not isinstance(ranking, Ranking):
        raise TypeError(f"ranking must be a Ranking, not {shown(ranking)}: {CALL}")
    for feature in features:
        if not isinstance(feature, str | Integral):
            raise TypeError(f"feature must be an index or a name, not {shown(feature)}: {CALL}")
    if ranking.ranks_groups:
        raise ValueError("parts of a score are of single features: rank without feature_groups")
    for other in others:
        if not isinstance(other, str | Ranking):
            raise TypeError(f"others must be names of methods, or rankings, not {shown(other)}")

    request = _request_of(ranking, others, X, y, options)
    names = request.table.names or ranking.names
    chosen = np.array([feature_index("feature", feature, names, len(ranking.scores)) for feature in features], int)
    work = request.work(n_jobs, progress)

    # Parts of the scores
    parts_of_scores = None
    if _has_pairs(ranking) and len(chosen):
        with work.part(0, SHARE_OF_PARTS):
            parts_of_scores = score_parts(ranking, chosen, request, work)

    # Other methods
    rankings = [
        other if isinstance(other, Ranking) else check_call(X, y, other, unadjusted=True, **options).rank(Work(n_jobs))
        for other in others
    ]
    explanations = []
    for number, f in enumerate(chosen.tolist()):
        name = item_name(f, names)
        reasons = [reason_to_differ(f, name, (ranking, other), request) for other in rankings]
        explanation = replace(
            _of_score(ranking, f, name, None if parts_of_scores is None else parts_of_scores[number]),
            elsewhere={other.title: rank_of(other, f) for other in rankings},
            reasons=tuple(filter(None, reasons)),
        )
        sentences = _sentences(explanation, ranking, request.target.task)
        explanations.append(replace(explanation, sentences=sentences))
    work.finish()
    return explanations


def _has_pairs(ranking: Ranking) -> bool:
    """Return True if the scores of the method of a ranking are sums over pairs of rows."""
    method = METHODS.get(ranking.method)
    return method is not None and method.traits.shares_pairs


def _request_of(
    ranking: Ranking, others: Sequence[str | Ranking], X: object, y: object, options: dict[str, Any]
) -> Request:
    """Make the request of a ranking again; ValueError if it, or another ranking, is of other data."""
    parameters = {**ranking.parameters, **options} if _has_pairs(ranking) else options
    method = ranking.method if ranking.method in METHODS else "auto"
    request = check_call(X, y, method, unadjusted=True, **parameters)
    if _has_pairs(ranking):
        request.refuse_weights("parts of a score")
    _check_same_study(ranking, request)
    for other in (ranking, *others):
        if isinstance(other, Ranking):
            _check_same_data(other, request)
    return request


def _of_score(ranking: Ranking, f: int, name: str, parts: ScoreParts | None) -> Explanation:
    """Explain a score by its rank, p-value and parts."""
    explanation = Explanation(f, name, float(ranking.scores[f]), rank_of(ranking, f))
    significance = ranking.significance
    if significance is not None:
        explanation = replace(explanation, p=float(significance.p[f]), q=float(significance.q[f]))
    if parts is not None:
        explanation = replace(explanation, difference=parts.apart - parts.alike, **parts._asdict())
    return explanation


def _check_same_study(ranking: Ranking, request: Request) -> None:
    """Raise ValueError if a ranking is adjusted or of groups of rows, and the request, by other options, is not."""
    study = request.study
    lacking = []
    if "adjusted_for" in ranking.info and (study is None or not study.covariates):
        lacking.append("covariates")
    if "row_groups" in ranking.info and (study is None or study.groups is None):
        lacking.append("groups")
    if lacking:
        raise ValueError(
            f"the ranking by {ranking.title} was made with {some(lacking)}, without which the parts of its scores are "
            f"others: give {lacking[0]}=..., as to rank"
        )


def _check_same_data(ranking: Ranking, request: Request) -> None:
    """Raise ValueError if a ranking is of other features than the data, or of another number of rows."""
    table = request.table
    title = ranking.title
    p = len(ranking.scores)
    if table.shape[1] != p:
        raise ValueError(f"X has {table.shape[1]:,} features, but the ranking by {title} has {p:,}")
    if table.names and ranking.names and tuple(ranking.names) != table.names:
        first = next(f for f in range(p) if ranking.names[f] != table.names[f])
        raise ValueError(
            f"the ranking by {title} is of other features than X: {item_name(first)} is {shown(ranking.names[first])} "
            f"there, and {shown(table.names[first])} in X"
        )
    n_rows = len(request.is_ranked)
    n_known_rows = int(request.is_ranked.sum())
    n_ranked_rows = ranking.info.get("rows", n_rows)
    if n_ranked_rows not in (n_rows, n_known_rows):  # those without a target, too, or not
        raise ValueError(
            f"X has {counted(n_rows, 'row')}, but the ranking by {title} is of {counted(n_ranked_rows, 'row')}"
        )


def _sentences(explanation: Explanation, ranking: Ranking, task: str) -> tuple[str, str]:
    """Report an explanation: its rank and differences, then how far it may be chance."""
    name = cut(explanation.name)
    with_another_target, with_a_like_target = NEAR_ROWS.get(task, NEAR_ROWS_OF_NUMBERS)
    first = f"{name} is number {explanation.rank:,} of {len(ranking.scores):,} by {ranking.title}"
    if explanation.apart is None or explanation.alike is None:
        first += f", with a score of {explanation.score:.3g}."
    else:
        apart, alike = _told_apart(explanation.apart, explanation.alike)
        first += f": near rows {with_another_target} differ in it by {apart}, "
        first += f"and near rows {with_a_like_target} by {alike}."
    if explanation.p is not None:
        reached = f"Permuted targets reach this with p = {explanation.p:.2g}"
        return first, f"{reached}; its false discovery rate is {explanation.q:.2g}."
    if explanation.interval is not None:
        low, high = explanation.interval
        difference = f"The difference is {explanation.difference:.2g}, with a 95 % interval of {low:.2g} to {high:.2g}"
        doubt = explanation.interval_doubt
        warning = f" It may be too short, since {doubt}." if doubt else ""
        return first, f"{difference} {explanation.interval_by}.{warning}"
    return first, "How far this is chance was not tested."


def _told_apart(first: float, second: float) -> tuple[str, str]:
    """Write two numbers with the fewest digits that show a difference: at least 2, at most MAX_DIGITS."""
    for n_digits in range(2, MAX_DIGITS):
        texts = f"{first:.{n_digits}g}", f"{second:.{n_digits}g}"
        if texts[0] != texts[1]:
            return texts
    return f"{first:.{MAX_DIGITS}g}", f"{second:.{MAX_DIGITS}g}"
