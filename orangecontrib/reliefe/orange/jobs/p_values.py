"""p-values of a job that can be stopped and continued: by permuted targets, and of features given all others."""

import time
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from threading import Lock

from Orange.data import Table

from .job import Job
from .progress import reporter

# Permutations in all that the first click on More shuffles asks for. With the ranking itself they are 200, and so the
# smallest p of a feature alone is 0.005. Each further click adds 200
N_MORE = 199
MIN_SHUFFLES = 3  # shuffles from which on a result is shown: fewer have no spread
EVERY = 0.25  # seconds between partial results, each of which draws the ranking anew
PER_FEATURE = 5e-5  # seconds between them for each feature, where this is longer


@dataclass(frozen=True, eq=False)
class Tested:
    """Significance by so many shuffles."""

    significance: object  # z, p and q
    n_requested: int  # number of shuffles that were asked for
    test: object = None  # the test that more shuffles are added to; None for p-values that came with the workflow
    # Held by the thread that shuffles: one that was stopped may be on its last rows
    lock: Lock = field(default_factory=Lock)

    @property
    def complete(self) -> bool:
        return self.significance.n_shuffles >= self.n_requested


def find_p_values(table: Table, job: Job, known: Tested | None, n_requested: int | None, state) -> Tested:
    """Compute the significance of a job by permuted targets, for a thread.

    Parameters
    ----------
    table : Table
        The data.
    job : Job
        The method with its parameters.
    known : Tested, optional
        Result of the first permutations, which are not computed again if it has its test.
    n_requested : int, optional
        Number of permutations in all; None: the default number of the test.
    state : TaskState
        Takes the progress and partial results.
    """
    if known is not None and known.test is not None:
        test = known.test
        lock = known.lock
    else:
        test = job.significance_test(table)
        lock = Lock()
    n_shown = 0 if known is None else known.significance.n_shuffles
    delay = max(EVERY, PER_FEATURE * len(table.domain.attributes))
    due = 0.0
    with lock:
        for number in test.shuffle(n_requested, progress=reporter(state)):
            now = time.monotonic()
            if number > n_shown and number >= MIN_SHUFFLES and now >= due:
                state.set_partial_result(Tested(test.result(), n_requested or test.default_shuffles, test, lock))
                due = now + delay
        return Tested(test.result(), n_requested or test.default_shuffles, test, lock)


def with_more(tested: Tested) -> Tested:
    """Ask for more permutations, of which the result is the first part."""
    n_requested = N_MORE
    if tested.n_requested >= N_MORE:
        n_requested = tested.n_requested + N_MORE + 1
    return replace(tested, n_requested=n_requested)


def why_impossible(job: Job) -> str:
    """Say why a job has no conditional p-values; empty if it may have some."""
    from ...core import METHODS

    if not job.is_of_core:
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
