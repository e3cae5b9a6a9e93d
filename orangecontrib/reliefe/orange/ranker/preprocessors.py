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
from .selection import ALL, BEST, FDR, FROM, SHARE, SelectionRule, reaching, share_count


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
    """Keeps the features that a rule selects by the scores of a job on the data it is given."""

    def __init__(self, job: Job, rule: SelectionRule):
        self.job = job
        self.rule = rule

    def __call__(self, data: Table) -> Table:
        rule, ranking = self.rule, self.job.rank(data, lambda share: None)
        names = [variable.name for variable in ranking.features]
        candidates = set(names)
        if rule.folded:
            candidates = {variable.name for variable in ranking.best(len(names), groups=True)}
        if rule.mode == ALL:
            chosen = candidates
        elif rule.mode == FDR:
            chosen = {variable.name for variable in KeepDiscoveries(self.job, rule.level)(data).domain.attributes}
        else:
            n = {BEST: rule.n, SHARE: share_count(rule.share, len(candidates))}.get(rule.mode)
            is_candidate = np.array([name in candidates for name in names])
            is_kept = np.array([name in rule.keep for name in names])
            mask = reaching(Scores("", ranking.scores), n, rule.threshold, is_candidate, is_kept)
            chosen = {name for name, selected in zip(names, mask, strict=True) if selected}
        return KeepFeatures((*(candidates & chosen), *rule.keep))(data)


def preprocessor_of(
    job: Job, rule: SelectionRule, candidates: Sequence[str] | None, scorer: Scorer
) -> PreprocessorList | None:
    """Preprocessor that repeats the selection on other data; None for a selection by hand, or of nothing.

    candidates: names of the features that are ranked; None: all.
    """
    mode = rule.mode
    select: Preprocess
    if (rule.folded and mode in (ALL, BEST, SHARE, FROM, FDR)) or (rule.keep and mode in (BEST, SHARE, FROM, FDR)):
        select = KeepSelected(job, rule)
    elif mode in (BEST, SHARE):
        k = rule.n if mode == BEST else rule.share / 100
        select = SelectBestFeatures(method=scorer, k=k, threshold=np.nextafter(0, 1).item())  # above zero
    elif mode == FROM:
        # SelectBestFeatures takes a threshold of 0 for none
        select = SelectBestFeatures(method=scorer, threshold=rule.threshold or np.nextafter(0, -1).item())
    elif mode == FDR:
        select = KeepDiscoveries(job, rule.level)
    else:
        return None
    study = *job.covariates, job.group
    return PreprocessorList([KeepFeatures(candidates, study), select] if candidates is not None else [select])
