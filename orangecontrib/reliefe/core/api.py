"""Functions of the core: rank(X, y, method) -> Ranking, and its relatives."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import Any, cast

import numpy as np

from .chance import NullLevel, Significance
from .checked_call import check_call
from .checks import whole
from .data.frames import is_frame
from .inference.conditional import check_conditional, conditional_tests, tested_by_default
from .inference.significance import MAX_SHUFFLES, SignificanceTest
from .methods.base import CONVERGE
from .methods.studied_rows import STUDY_OPTIONS
from .ranked_data import RankedData
from .request import Request
from .result import Ranking
from .targets.tasks import UNSUPERVISED
from .work.threads import Progress, Work, reporter

LEVEL = 0.1  # false discovery rate of the features whose conditional p-values are computed by default
SHARE_OF_PERMUTATIONS = 0.5  # of the progress of a ranking with conditional p-values


def rank(
    X: object,
    y: object = None,
    method: str = "auto",
    *,
    nominal: object = None,
    task: str | None = None,
    hierarchy: object = None,
    random_state: int = 0,
    n_jobs: int | None = None,
    progress: Progress = None,
    significance: bool | int = False,
    conditional: bool | Sequence[int | str] = False,
    covariates: object = None,
    groups: object = None,
    feature_groups: object = None,
    sample_weight: object = None,
    keep: object = None,
    names: Sequence[str] | None = None,
    target: str | Sequence[str] | None = None,
    **parameters: Any,
) -> Ranking:
    """Rank the features of X by how well they predict y.

    Parameters
    ----------
    X : (n, p) array, sparse matrix or data frame
        Numbers; NaN, masked values, null and NA are missing, in y as well.  In a frame of pandas, polars, Arrow, DuckDB
        or another library that narwhals reads, bools, texts and categories are nominal, and dates are numbers.
    y : (n,), (n, L) or (n, t) array, optional
        (n,): bools, strings and integers of few values are classes.  Floats are a number.  Integers of more than 20
        values, or of fewer than 3 rows a value, are a number, too.  (n, L) of 0 and 1, dense or sparse: label sets.
        Any other (n, t): several targets, numbers and (in a DataFrame, or as objects) classes.  None: no target.
        `Survival`, or a structured array of a bool, or 0 and 1, and a number: times with censoring, for "multisurf",
        "surf" and "rrelieff".  NaN, None or "" are unknown; rows without any known value are left out where the method
        cannot use them.
    method : str
        A name in `METHODS`, or "auto".
    nominal : (p,) mask or sequence of indices, optional
        Nominal features; None: none of them, in a DataFrame by type.
    task : str, optional
        One of `core.TASKS`, or "survival" for a column of times and one of events, where y may be read in several ways.
    hierarchy : sequence, optional
        For each label the tuple of its parents' indices, () for roots: a tree or an acyclic graph.
    random_state : int
        Seed of the choice of rows for `n_instances`, 0 or more.
    n_jobs : int, optional
        Threads, None or -1 = all processors; the scores are the same to the last bit for any number.
    progress : callable or True, optional
        Called with the share done, in [0, 1], by one working thread at a time; raises `Interrupted` to stop.  True: a
        bar by tqdm.
    significance : bool or int
        Also test the scores against those of so many shuffled targets (True: as many as `significance` takes), for
        ``Ranking.significance``.
    conditional : bool or sequence of int or str
        Also test whether features add to the information of the remaining ones, for
        ``Ranking.significance.given_others``; see `conditional_significance`.  True: test all features if there are up
        to 100, else those with q <= 0.10, whose conditional q counts all features.  A sequence: test features of these
        indices or names.  It needs, and implies, `significance`.
    covariates : (n,) or (n, q) array or DataFrame, optional
        Numbers and classes that scores are adjusted for, by "multisurf", "surf", "relieff" and "rrelieff"; with
        `significance` any method takes them, but for its p-values alone.
    groups : (n,) array, optional
        Group of each row, for example the person of repeated measurements: rows of one group are no neighbours.
    feature_groups : (p,) sequence of str or mapping of str to sequence, optional
        Features that are ranked as one, for example columns of a one-hot code, lags, or variants of a gene.  Either the
        name of the group of each feature (None or "": it is alone), or the features, by names or indices, of each
        group.  The ranking has one score for each group, in the order of their first features.

        The difference of two rows in a group is the mean of their differences in its features.  Their distance is the
        sum of these over the groups, so that each group counts as one.  Rankings, p-values and selections are of
        groups; ``info["members"]`` has the indices of their features.  Methods of the Relief family take them, apart
        from "reliefmss", "erelieff" and "reliefseq".  Missing values are differences as the method has them; with
        ``missing="ignore"`` the score of a group is the mean of the scores of its features.
    sample_weight : (n,) array, optional
        Weights of the rows, numbers from 0, for methods with `weighted_tasks`.  They count rows.  A row of weight 2 is
        the row given twice, if copies of a row are no neighbours of each other.  A row of weight 0 is absent.

        A row weighs w_i in the mean over target rows, and w_j among neighbours.  Thresholds are weighted means and
        deviations of distances.  Of k nearest rows, as many are taken as have the weight k in all.  Permuted targets
        keep their weights.
    keep : sequence of str or int, optional
        Names or indices of features that are always selected.  `Ranking.select`, `best` and `above` have them.  They
        are ranked with the rest, and counted among the n selected ones.  Boosted methods take them first, and rank each
        remaining feature by its gain beyond them.
    names : sequence of str, optional
        Names of the features; None: those of a DataFrame.
    target : str or list of str, optional
        Name of the column of X that is the target, or of several, instead of y. An array needs `names` of all columns.
    **parameters
        Those of the method, see ``METHODS[name].parameters``.  With covariates also ``linear_covariates``, True or the
        names of those without splines.  ``parts`` of pairs that count for numbers: "both", "place" or "spread".

    Returns
    -------
    Ranking
        Scores (p,), the ranking (p,) that they give, and facts about both.
    """
    options: dict[str, Any] = {"nominal": nominal, "task": task, "hierarchy": hierarchy, "random_state": random_state}
    options |= {
        "covariates": covariates,
        "groups": groups,
        "feature_groups": feature_groups,
        "sample_weight": sample_weight,
        "keep": keep,
        "names": names,
        "target": target,
    }
    are_tested = conditional is not False
    significance = significance or are_tested
    needed_by = "conditional p-values" if are_tested else ""
    request = check_call(X, y, method, unadjusted=bool(significance), needed_by=needed_by, **options, **parameters)
    of_study = {name: parameters[name] for name in STUDY_OPTIONS if name in parameters}
    source = RankedData(X, y, options | of_study) if is_frame(X) else None
    shuffles = significance if isinstance(significance, bool) else whole("significance", significance, 1, MAX_SHUFFLES)
    if not shuffles:
        return replace(request.rank(request.work(n_jobs, progress)), source=source)
    n_shuffles = None if shuffles is True else shuffles
    if are_tested:
        return replace(_rank_conditionally(request, n_shuffles, conditional, n_jobs, progress), source=source)
    test = SignificanceTest.for_request(request)
    for _ in test.shuffle(n_shuffles, n_jobs=n_jobs, progress=progress):
        pass
    return replace(cast("Ranking", test.ranking), significance=test.result(), source=source)


def _rank_conditionally(
    request: Request,
    n_shuffles: int | None,
    features: bool | Sequence[int | str],
    n_jobs: int | None,
    progress: Progress,
) -> Ranking:
    """Rank with p-values from permuted targets, then test features given the remaining ones; True: the discoveries."""
    test = SignificanceTest.for_request(request)
    check_conditional(request)
    chosen_features = None if isinstance(features, bool) else request.table.places(features, "conditional")
    report = None if progress is None else reporter(progress)

    of_permutations = None if report is None else _in_span(report, 0.0, SHARE_OF_PERMUTATIONS)
    for _ in test.shuffle(n_shuffles, n_jobs=n_jobs, progress=of_permutations):
        pass
    significance = test.result()

    n_features = request.table.shape[1]
    if chosen_features is None:
        tested = tested_by_default(significance.discoveries(LEVEL), n_features)
        n_hypotheses = n_features
    else:
        tested = chosen_features
        n_hypotheses = len(chosen_features)
    work = test.request.work(n_jobs, None if report is None else _in_span(report, SHARE_OF_PERMUTATIONS, 1.0))
    tests = conditional_tests(test.request, tested, None, n_hypotheses, work)
    work.finish()
    return replace(cast("Ranking", test.ranking), significance=significance.with_tests(tests))


def _in_span(report: Callable[[float], object], begin: float, end: float) -> Callable[[float], object]:
    """Make a report of a stage of the work, which takes the share from `begin` to `end` of the whole."""
    return lambda share: report(begin + (end - begin) * share)


def refine(
    X: object,
    y: object = None,
    method: str = "auto",
    *,
    n_jobs: int | None = None,
    progress: Progress = None,
    **options: Any,
) -> Iterator[Ranking]:
    """As `rank`, with its arguments, but soon: rankings from few target rows first, then from more.

    The last one is that of `rank`, with true ``info["final"]``.  Small data give it at once.
    """
    request = check_call(X, y, method, **options)
    return request.refine(request.work(n_jobs, progress))


def significance(
    X: object,
    y: object,
    method: str = "auto",
    *,
    n_shuffles: int | None = None,
    blocks: object = None,
    n_jobs: int | None = None,
    progress: Progress = None,
    **options: Any,
) -> Significance:
    """Significance of the scores of all features: how far they stand out from those of shuffled targets.

    Mantel (1967), Cancer Research 27:209, for the variance of a sum over pairs.  Benjamini and Hochberg (1995).
    Tusher, Tibshirani and Chu (2001) for p-values from pooled shuffles.  Westfall and Young (1993), family-wise.

    Parameters
    ----------
    X, y, method, n_jobs, progress, **options
        As in `rank`, with a target.
    n_shuffles : int, optional
        Number of permutations of the target, at least 1. None: 20 to 199 by the number of features, and at least 50 if
        the standard deviation of scores has no closed form.
    blocks : array-like, shape (n,), optional
        Block of each row, within which targets are shuffled, for rows that are not exchangeable.
    """
    test = SignificanceTest.of(X, y, method, blocks=blocks, **options)
    for _ in test.shuffle(n_shuffles, n_jobs=n_jobs, progress=progress):
        pass
    return test.result()


def null_level(
    X: object,
    y: object = None,
    method: str = "auto",
    *,
    n_shuffles: int = 19,
    n_jobs: int | None = None,
    progress: Progress = None,
    **options: Any,
) -> NullLevel:
    """Score that irrelevant features reach: the largest one of any feature when the target is shuffled.

    Distances between rows do not change. Neighbours, influence, supervision, representatives and an embedding are
    computed once, for the true target.

    Parameters
    ----------
    X, y, method, n_jobs, progress, **options
        As in `rank`.
    n_shuffles : int
        From 1 to 1,000,000; with 19 the level is exceeded with probability 1/20 if no feature is relevant.
    """
    n_shuffles = whole("n_shuffles", n_shuffles, 1, MAX_SHUFFLES)
    request = check_call(X, y, method, **options)
    if request.target.task == UNSUPERVISED:
        request.refuse_groups("levels without a target")
    progress = None if progress is None else reporter(progress)
    work_of_level = request.work(n_jobs, progress)
    # Shares of the time of one ranking: its preparation, and all that is to be done
    preparation = request.method.preparation(request.parameters)
    total_share = preparation + n_shuffles * (1 - preparation)
    finished_share = 0.0
    has_fixed_rows = request.target.task != UNSUPERVISED and request.parameters.get("n_instances") != CONVERGE
    are_scored_together = request.method.traits.shares_pairs and has_fixed_rows

    def largest(number: int) -> float:
        """Largest score of a shuffle, which is ranked by one worker of a cluster."""
        permuted = request.permuted(number).rank(Work(1, lambda _: work_of_level.tick()))
        work_of_level.tick(1)
        return float(permuted.scores.max())

    def report_share(share_of_shuffle: float) -> None:
        if progress:
            progress(min((finished_share + share_of_shuffle) / total_share, 1.0))

    if are_scored_together or work_of_level.remote:
        with work_of_level.part(0, preparation / total_share):
            request = request.prepare(work_of_level)
        with work_of_level.part(preparation / total_share, 1):
            if are_scored_together:
                results = request.permuted_results(work_of_level.split(n_shuffles), work_of_level)
                maxima = [scored.result.scores.max() for scored in results]
            else:
                work_of_level.plan(n_shuffles)
                maxima = work_of_level.spread(largest, range(n_shuffles))
        work_of_level.finish()
    else:
        request = request.prepare(Work(work_of_level.workers, report_share))
        finished_share = preparation
        maxima = []
        for number in range(n_shuffles):
            work = Work(work_of_level.workers, lambda share: report_share(share * (1 - preparation)))
            maxima.append(request.permuted(number).rank(work).scores.max())
            finished_share += 1 - preparation
    return NullLevel(float(max(maxima)), np.array(maxima, float), 1 / (n_shuffles + 1))
