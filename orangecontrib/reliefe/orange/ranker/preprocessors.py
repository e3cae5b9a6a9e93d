"""Preprocessors that repeat the selection of a ranker on other data."""

from collections.abc import Sequence

import numpy as np
from Orange.data import Domain, Table
from Orange.preprocess import SelectBestFeatures
from Orange.preprocess.preprocess import Preprocess, PreprocessorList
from Orange.preprocess.score import Scorer

from ..jobs.job import Job
from .discoveries import KeepDiscoveries, tested
from .scores import MethodScores
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
    """Keeps the features that a rule selects by the scores of a job on the data it is given.

    If the job ranks groups of features, the rule counts and names these, and their features are kept.
    """

    def __init__(self, job: Job, rule: SelectionRule, goes_by_z: bool = False):
        """Take a rule; goes_by_z: whether groups are ordered by z of their tests, and not by their scores."""
        self.job = job
        self.rule = rule
        self.goes_by_z = goes_by_z

    def __call__(self, data: Table) -> Table:
        rule, ranking = self.rule, self.job.rank(data, lambda share: None)
        features = [variable.name for variable in ranking.features]
        names = [*(ranking.names or features)]
        is_candidate = np.ones(len(names), bool)
        if rule.folded and not ranking.ranks_groups:
            first_of_groups = {variable.name for variable in ranking.best(len(names), groups=True)}
            is_candidate = np.array([name in first_of_groups for name in names])
        is_kept = np.array([name in rule.keep for name in names])
        if rule.mode == ALL:
            chosen = is_candidate
        elif rule.mode == FDR:
            discoveries = {variable.name for variable in KeepDiscoveries(self.job, rule.level)(data).domain.attributes}
            first_features = [features[ranking.features_of([item])[0]] for item in range(len(names))]
            chosen = np.array([name in discoveries for name in first_features])
        else:
            n = {BEST: rule.n, SHARE: share_count(rule.share, int(is_candidate.sum()))}.get(rule.mode)
            significance = tested(self.job, data).result() if self.goes_by_z else None
            scores = MethodScores("", ranking.scores, has_groups=ranking.ranks_groups, significance=significance)
            chosen = reaching(scores, n, rule.threshold, is_candidate, is_kept)
        selected = np.flatnonzero((is_candidate & chosen) | is_kept)
        return KeepFeatures([features[j] for j in ranking.features_of(selected)])(data)


def preprocessor_of(
    job: Job, rule: SelectionRule, candidates: Sequence[str] | None, scorer: Scorer, goes_by_z: bool = False
) -> PreprocessorList | None:
    """Preprocessor that repeats the selection on other data; None for a selection by hand, or of nothing.

    candidates: names of the features that are ranked; None: all.
    goes_by_z: True if the order is that of z, as of groups of features with p-values.
    """
    mode = rule.mode
    select: Preprocess
    needs_ranking = (rule.folded and mode in (ALL, BEST, SHARE, FROM, FDR)) or (
        bool(rule.keep or job.feature_groups) and mode in (BEST, SHARE, FROM, FDR)
    )
    if needs_ranking:
        select = KeepSelected(job, rule, goes_by_z)
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
