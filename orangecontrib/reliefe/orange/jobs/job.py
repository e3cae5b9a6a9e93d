"""Job of a ranker: a method of the core with all of its parameters."""

from collections.abc import Callable, Iterator, Sequence
from hashlib import blake2b
from typing import NamedTuple

import numpy as np
from Orange.data import Table
from Orange.preprocess.score import Scorer

Progress = Callable[[float], object]


# Imports are in functions: neither numba nor the core's kernels are to be loaded when Orange starts.
class Job(NamedTuple):
    """Rank by a method of the core with all of its parameters; rankings are kept under their jobs.

    Attributes
    ----------
    method : str
        Name of the method.
    parameters : tuple of (str, object)
        All of its parameters, by their names in order.
    covariates : tuple of str
        Names of the columns that scores, or only p-values, are adjusted for.
    group : str
        Name of the column whose equal values are rows of one group; empty without one.
    keep : tuple of str
        Names of the features that come first, of a method that takes these first.
    feature_groups : str
        Rule by which features are ranked as one, see `orange/feature_groups.py`; empty without one.
    is_of_core : bool
        True: a method of the core; False: a scorer that another widget sends.
    """

    method: str
    parameters: tuple[tuple[str, object], ...]
    covariates: tuple[str, ...] = ()
    group: str = ""
    keep: tuple[str, ...] = ()
    feature_groups: str = ""

    is_of_core = True

    @classmethod
    def of(
        cls,
        method: str,
        parameters: dict,
        covariates: tuple[str, ...] = (),
        group: str = "",
        keep: tuple[str, ...] = (),
        feature_groups: str = "",
    ) -> "Job":
        return cls(method, tuple(sorted(parameters.items())), covariates, group, keep, feature_groups)

    @property
    def values(self) -> dict:
        return dict(self.parameters)

    @property
    def preparation(self) -> float:
        """Share of the work that is done before the first row is ranked: an embedding; 0: none."""
        from ...core import METHODS

        return METHODS[self.method].preparation(self.values)

    def effort(self, shape: tuple[int, int]) -> tuple[float, float]:
        """Sort key: larger for jobs that take longer on data of a shape (n, p)."""
        from ...core import METHODS

        return self.preparation, METHODS[self.method].cost(shape, self.values)

    @property
    def key(self) -> str:
        """Name of the ranking in a workflow: the method, and a hash of all of its parameters, and of its study."""
        identity: object = self.parameters  # what a job does not have is left out, as workflows know them
        if self.covariates or self.group:
            identity = self[1:4]
        if self.keep:
            identity = self[1:5]
        if self.feature_groups:
            identity = self[1:]
        with np.printoptions(threshold=2**31 - 1):  # all coordinates
            return f"{self.method} {blake2b(repr(identity).encode(), digest_size=8).hexdigest()}"

    @property
    def adjusted(self) -> bool:
        """True if the scores are adjusted for covariates, and not p-values alone."""
        from ...core import METHODS

        return bool(self.covariates) and METHODS[self.method].traits.adjusts

    @property
    def study(self) -> dict:
        """Covariates, the group, and groups of features if there are any, as arguments of `arrays`."""
        of_rows = {"covariates": list(self.covariates) or None, "groups": self.group or None}
        return of_rows | ({"feature_groups": self.feature_groups} if self.feature_groups else {})

    @property
    def adjusting(self) -> dict:
        """The study as scores take it: without covariates where these are not adjusted."""
        return self.study | ({} if self.adjusted else {"covariates": None})

    @property
    def kept(self) -> dict:
        """Features that come first, as an argument of `rank`; {} where there are none."""
        return {"keep": list(self.keep)} if self.keep else {}

    def scorer(self) -> Scorer:
        from ..scorers import scorer

        return scorer(self.method, **self.adjusting, **self.kept, **self.values)

    def refine(self, table: Table, progress: Progress) -> Iterator[object]:
        """Rankings of a table from more and more rows.  Raises ValueError for what is refused."""
        from ..api import refine

        return refine(table, self.method, progress=progress, **self.adjusting, **self.kept, **self.values)

    def rank(self, table: Table, progress: Progress) -> object:
        from ..api import rank

        return rank(table, self.method, progress=progress, **self.adjusting, **self.kept, **self.values)

    def null_level(self, table: Table, progress: Progress, n_shuffles: int) -> object:
        """The score that irrelevant features of a table reach, as the core's `NullLevel`."""
        from ...core import null_level
        from ..conversion import arrays, asked

        data = arrays(table, method=self.method, **self.study)
        about = asked(data) | self.kept | {"progress": progress, "n_shuffles": n_shuffles, "unadjusted": True}
        return null_level(data.X, data.y, self.method, **about, **self.values)

    def significance_test(self, table: Table) -> object:
        from ...core import SignificanceTest
        from ..conversion import arrays, asked

        data = arrays(table, method=self.method, **self.study)
        return SignificanceTest.of(data.X, data.y, self.method, **asked(data), **self.kept, **self.values)

    def conditional(self, table: Table, features: Sequence[int], progress: Progress) -> object:
        """Test features of a table, by their indices, given all others: the core's `ConditionalSignificance`."""
        from ...core import conditional_significance
        from ..conversion import arrays, asked

        data = arrays(table, method=self.method, **self.study)
        about = asked(data) | self.kept | {"features": features, "chosen_by_target": True, "progress": progress}
        return conditional_significance(data.X, data.y, self.method, **about, **self.values)


def embeds(job: Job) -> bool:
    """True if rows are put into another space before the first of them is ranked."""
    return job.preparation > 0 and job.values.get("embedding") is not None


def tunes(job: Job) -> bool:
    """True if a job tries numbers of neighbours, or influences, before it ranks."""
    return "w0" in job.values and (isinstance(job.values["n_neighbors"], str) or job.values["w0"] == "auto")
