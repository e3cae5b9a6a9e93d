"""The selection by p-values as a preprocessor, so that it happens within each fold."""

from Orange.data import Domain, Table
from Orange.preprocess.preprocess import Preprocess

from ..utils.jobs import Job


class KeepDiscoveries(Preprocess):
    """Leaves out all features but those at a level of the false discovery rate by the scores of a job."""

    def __init__(self, job: Job, level: float):
        self.job, self.level = job, level

    def __call__(self, data: Table) -> Table:
        """The data with these features, and all targets and metas."""
        test = self.job.significance_test(data)
        for _ in test.shuffle(progress=_nothing):
            pass
        kept, domain = test.result().q <= self.level, data.domain
        features = [feature for feature, keep in zip(domain.attributes, kept, strict=True) if keep]
        return data.transform(Domain(features, domain.class_vars, domain.metas))


def _nothing(share: float) -> None:
    """Nobody wants to know how far it is, or to stop it."""
