"""Preprocessor that keeps the features at a level of the false discovery rate."""

from Orange.data import Domain, Table
from Orange.preprocess.preprocess import Preprocess

from ..jobs.job import Job


def tested(job: Job, data: Table) -> object:
    """Test the scores of a job on data by the default number of permuted targets: the core's `SignificanceTest`."""
    test = job.significance_test(data)
    for _ in test.shuffle(progress=lambda share: None):
        pass
    return test


class KeepDiscoveries(Preprocess):
    """Leaves out all features but those at a level of the false discovery rate by the scores of a job."""

    def __init__(self, job: Job, level: float):
        self.job, self.level = job, level

    def __call__(self, data: Table) -> Table:
        test = tested(self.job, data)
        is_discovery = test.result().q <= self.level
        groups = test.request.feature_groups
        if groups is not None:
            is_discovery = is_discovery[groups.of_features]
        domain = data.domain
        features = [feature for feature, keep in zip(domain.attributes, is_discovery, strict=True) if keep]
        return data.transform(Domain(features, domain.class_vars, domain.metas))
