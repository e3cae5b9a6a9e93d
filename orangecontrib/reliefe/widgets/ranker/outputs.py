"""What a ranker sends on, made from its state: tables, and the tools that repeat the selection elsewhere."""

from collections.abc import Sequence

import numpy as np
from Orange.data import Domain, Table, Variable
from Orange.preprocess import SelectBestFeatures
from Orange.preprocess.preprocess import Preprocess, PreprocessorList
from Orange.preprocess.score import Scorer

from ..utils.jobs import Job
from .model import Scores
from .selection import BEST, FROM


class KeepFeatures(Preprocess):
    """Leaves out all features but those with the given names; targets and metas stay."""

    def __init__(self, names: Sequence[str]):
        self.names = tuple(names)

    def __call__(self, data: Table) -> Table:
        names, domain = set(self.names), data.domain
        return data.transform(
            Domain([v for v in domain.attributes if v.name in names], domain.class_vars, domain.metas)
        )


def reduced_table(data: Table, chosen: Sequence[Variable]) -> Table | None:
    """`data` with the chosen features, all of its targets and all of its metas; None without any feature."""
    if not chosen:
        return None
    return data.transform(Domain(chosen, data.domain.class_vars, data.domain.metas))


def scores_table(names: Sequence[str], columns: Sequence[Scores]) -> Table | None:
    """A row for each feature, a column for each method (and for each of its labels); None without scores."""
    from ...conversion import scores_table as table_of

    values = {}
    for scores in columns:
        values[scores.title] = scores.values
        values |= {f"{scores.title} ({label})": own for label, own in scores.each}
    return table_of(names, values) if columns else None


def scorer_of(job: Job) -> Scorer:
    """The method as Orange's scorer."""
    from ...scorers import scorer

    return scorer(job.method, **job.values)


def preprocessor_of(
    scorer: Scorer, mode: str, n: int, threshold: float, candidates: Sequence[str] | None = None
) -> PreprocessorList | None:
    """What repeats the selection on other data; None if it was made by hand, or if there is nothing to select."""
    if mode == BEST:
        select = SelectBestFeatures(method=scorer, k=n, threshold=np.nextafter(0, 1).item())  # above zero
    elif mode == FROM:
        # SelectBestFeatures takes a threshold of 0 for none
        select = SelectBestFeatures(method=scorer, threshold=threshold or np.nextafter(0, -1).item())
    else:
        return None
    return PreprocessorList([KeepFeatures(candidates), select] if candidates is not None else [select])
