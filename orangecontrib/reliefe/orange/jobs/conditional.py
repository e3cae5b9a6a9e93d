"""Conditional p-values of a job, one feature after the other, so that they can be stopped and continued."""

import time
from collections.abc import Sequence

from Orange.data import Table

from .job import Job
from .progress import reporter

EVERY = 0.25  # seconds between partial results, each of which draws the table anew


def why_impossible(job: Job) -> str:
    """Say why a job has no conditional p-values; empty if it may have some."""
    from ...core import METHODS

    if not job.own:
        return "Scores of Orange cannot be tested in this way. Let a method of the Relief family lead"
    if job.feature_groups:
        return "There is no such test of groups of features. Rank each feature under Features"
    if job.group:
        return "With a group there is no such test, as draws of a feature would differ within groups"
    if not METHODS[job.method].traits.shares_pairs:
        return f"{METHODS[job.method].title} cannot be tested in this way. Let MultiSURF, ReliefF or RReliefF lead"
    return ""


def find_conditional(table: Table, job: Job, features: Sequence[int], known: object, state) -> object:
    """Test whether features add to the remaining ones, for a thread.

    Parameters
    ----------
    table : Table
        Data.
    job : Job
        Method, for which `why_impossible` is empty.
    features : sequence of int
        Indices of the features to test.
    known : ConditionalSignificance or None
        Tests that were made before; their features are not tested again.
    state : TaskState
        Gets the tests so far, and the progress.

    Returns
    -------
    ConditionalSignificance or None
        All tests; None if there are no features.
    """
    tested = set() if known is None else set(known.features.tolist())
    missing = [feature for feature in features if feature not in tested]
    all_tests = known
    due = 0.0
    for number, feature in enumerate(missing):
        share = reporter(state, number / len(missing), (number + 1) / len(missing))
        test = job.conditional(table, [feature], share)
        all_tests = test if all_tests is None else all_tests.joined(test)
        if time.monotonic() >= due:
            state.set_partial_result(all_tests)
            due = time.monotonic() + EVERY
    return all_tests
