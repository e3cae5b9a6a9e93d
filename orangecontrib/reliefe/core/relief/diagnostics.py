"""Facts about a run and its scores, as plain literals for `Ranking.info`.

Methods put them into the result (`MethodResult.info`); `core/methods/details.py` names and explains the entries.
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from ..data.expected import CONDITIONAL
from .run import Run
from .scoring import Scoring


class RunResult(NamedTuple):
    """Result of a run as a method reports it.

    Attributes
    ----------
    scores : (p,) array
        Scores in the caller's order of features.
    per_target : (t, p) array, optional
        Scores for each of several targets; None: they were not asked for.
    info : dict
        Facts about the run and the first scores.
    """

    scores: np.ndarray
    per_target: np.ndarray | None
    info: dict[str, object]


def run_result(run: Run, scorings: Sequence[Scoring]) -> RunResult:
    """Return the result of `scoring.score`: the scores for the target, and after them those for each of several."""
    scores, *per_target = [run.unsort(scoring.scores) for scoring in scorings]
    info = {**describe_run(run, is_rough=scorings[0].is_rough), **describe_scoring(run, scorings[0])}
    return RunResult(scores, np.array(per_target) if per_target else None, info)


def describe_run(run: Run, *, is_rough: bool = False, settles_lists: bool = True) -> dict[str, object]:
    """Return facts about a run: how many neighbours there are, how values are compared, and in which precision.

    Parameters
    ----------
    run : Run
    is_rough : bool
        Whether float32 distances decide if a pair lies within a threshold.
    settles_lists : bool
        Whether lists of neighbours are settled by distances in double precision.
    """
    features = run.features
    approximations = []  # differences from double precision throughout, with their size, in words
    if features.values.dtype == np.float32:
        approximations.append("scores: sums in single precision, errors of about 1e-7 (with missing values up to 1e-6)")
    if is_rough:
        approximations.append("pairs whose distance is within 4e-6 of a limit may be on either side of it")
    if run.double and (not settles_lists or (features.missing and run.strategy == CONDITIONAL)):
        approximations.append("rows whose distances agree in six digits may change places among the neighbours")
    return {
        "k_most": run.longest_list,
        "strategy": run.strategy if features.missing else None,
        "diff": features.diff.kind,
        "precision": features.values.dtype.name,
        "approximate": approximations,
    }


def describe_scoring(run: Run, scoring: Scoring) -> dict[str, object]:
    """Return facts about a scoring: numbers of neighbours, standard errors, and the share of skipped rows."""
    out: dict[str, object] = {}
    if scoring.n_neighbors is not None:
        counts = scoring.n_neighbors
        n_groups = counts.shape[1]
        sizes = np.array([run.n - 1])
        if n_groups > 1 and run.update.by_class(run.target):
            sizes = np.maximum(np.bincount(run.target.classes, minlength=n_groups), 1)
        out["k_median"] = float(np.median(counts))
        out["k_counts"] = np.column_stack(np.unique(counts, return_counts=True)).astype(int).tolist()
        out["k_share"] = [float(share) for share in counts.mean(axis=0) / sizes]
    if scoring.errors is not None:
        out["standard_errors"] = run.unsort(scoring.errors()).tolist()
    if scoring.skipped is not None:
        out["skipped"] = float(scoring.skipped.mean())
    return out
