"""Preprocessors that repeat the selection of a ranker on other data."""

from collections.abc import Sequence

import numpy as np
from Orange.data import Domain, Table
from Orange.preprocess import SelectBestFeatures
from Orange.preprocess.preprocess import Preprocess, PreprocessorList
from Orange.preprocess.score import Scorer

from ..jobs.job import Job
from .discoveries import KeepDiscoveries
from .scores import Scores
from .selection import ALL, BEST, FDR, FROM, SHARE, reaching, share_count


class KeepFeatures(Preprocess):
    """Leaves out all features but those with the given names; targets and metas stay, and columns of a study become
    metas."""

    def __init__(self, names: Sequence[str], study: Sequence[str] = ()):
        self.names, self.study = tuple(names), tuple(study)

    def __call__(self, data: Table) -> Table:
        names, domain = set(self.names), data.domain
        metas = *domain.metas, *(v for v in domain.attributes if v.name in self.study)
        return data.transform(Domain([v for v in domain.attributes if v.name in names], domain.class_vars, metas))


class KeepSelected(Preprocess):
    """Keeps the features that the scores of a job select, and those that are always selected.

    Of groups of alike features, if these are folded, the best one counts.
    """

    def __init__(
        self,
        job: Job,
        mode: str,
        n: int,
        threshold: float,
        share: float,
        level: float,
        folded: bool,
        keep: Sequence[str],
    ):
        self.job, self.mode, self.n, self.threshold, self.share, self.level = job, mode, n, threshold, share, level
        self.folded, self.keep = folded, tuple(keep)

    def __call__(self, data: Table) -> Table:
        ranking = self.job.rank(data, lambda share: None)
        names = [variable.name for variable in ranking.features]
        best = set(names)
        if self.folded:
            best = {variable.name for variable in ranking.best(len(names), groups=True)}
        if self.mode == ALL:
            chosen = best
        elif self.mode == FDR:
            chosen = {variable.name for variable in KeepDiscoveries(self.job, self.level)(data).domain.attributes}
        else:
            n = {BEST: self.n, SHARE: share_count(self.share, len(best))}.get(self.mode)
            first, keep = (np.array([name in subset for name in names]) for subset in (best, self.keep))
            mask = reaching(Scores("", ranking.scores), n, self.threshold, first, keep)
            chosen = {name for name, selected in zip(names, mask, strict=True) if selected}
        return KeepFeatures((*(best & chosen), *self.keep))(data)


def preprocessor_of(
    job: Job,
    mode: str,
    n: int,
    threshold: float,
    share: float,
    level: float,
    candidates: Sequence[str] | None,
    folded: bool,
    keep: Sequence[str],
    scorer: Scorer,
) -> PreprocessorList | None:
    """Preprocessor that repeats the selection on other data; None for a selection by hand, or of nothing."""
    if (folded and mode in (ALL, BEST, SHARE, FROM, FDR)) or (keep and mode in (BEST, SHARE, FROM, FDR)):
        select = KeepSelected(job, mode, n, threshold, share, level, folded, keep)
    elif mode in (BEST, SHARE):
        k = n if mode == BEST else share / 100
        select = SelectBestFeatures(method=scorer, k=k, threshold=np.nextafter(0, 1).item())  # above zero
    elif mode == FROM:
        # SelectBestFeatures takes a threshold of 0 for none
        select = SelectBestFeatures(method=scorer, threshold=threshold or np.nextafter(0, -1).item())
    elif mode == FDR:
        select = KeepDiscoveries(job, level)
    else:
        return None
    study = *job.covariates, job.group
    return PreprocessorList([KeepFeatures(candidates, study), select] if candidates is not None else [select])
