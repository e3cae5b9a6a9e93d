"""p-values of a job by permuted targets, which can be stopped and continued."""

import time
from dataclasses import dataclass, field, replace
from threading import Lock

from Orange.data import Table

from .job import Job
from .progress import reporter

MORE = 199  # shuffles of the second helping
MIN_SHUFFLES = 3  # shuffles from which on a result is shown: fewer have no spread
EVERY, PER_FEATURE = 0.25, 5e-5  # seconds between partial results, and more of them for each feature


@dataclass(frozen=True, eq=False)
class Tested:
    """Significance by so many shuffles."""

    significance: object  # z, p and q
    wanted: int  # number of shuffles that were asked for
    test: object = None  # the test that more shuffles are added to; None for p-values that came with the workflow
    # Held by the thread that shuffles: one that was stopped may be on its last rows
    lock: Lock = field(default_factory=Lock)

    @property
    def complete(self) -> bool:
        return self.significance.n_shuffles >= self.wanted


def find_p_values(table: Table, job: Job, known: Tested | None, wanted: int | None, state) -> Tested:
    """Significance by `wanted` shuffles (None: the default number), of which `known` has the first, for a thread."""
    test, lock = (known.test, known.lock) if known and known.test else (job.significance_test(table), Lock())
    with lock:
        shown, due = known.significance.n_shuffles if known else 0, 0.0
        for number in test.shuffle(wanted, progress=reporter(state)):
            now = time.monotonic()
            if number > shown and number >= MIN_SHUFFLES and now >= due:
                state.set_partial_result(Tested(test.result(), wanted or test.default_shuffles, test, lock))
                due = now + max(EVERY, PER_FEATURE * len(table.domain.attributes))
        return Tested(test.result(), wanted or test.default_shuffles, test, lock)


def with_more(tested: Tested) -> Tested:
    """Ask for more permutations, of which the result is the first part."""
    return replace(tested, wanted=MORE if tested.wanted < MORE else tested.wanted + MORE + 1)
