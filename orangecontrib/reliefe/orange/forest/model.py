"""Model of Orange that predicts by an ensemble of trees."""

from Orange.base import Model
from Orange.data import Table

from ..jobs.job import Job
from .job import GrowingForest


class Regrown:
    """The ensemble of a ranking that came with the workflow: its trees are grown when they are asked for."""

    def __init__(self, key: Job, table: Table, trees: int):
        self._key = key
        self._table = table
        self._trees = trees

    def model(self, n_jobs: int | None = None) -> object:
        ensemble = GrowingForest.of(self._key, self._table).ensemble
        return ensemble.grow(self._trees, n_jobs=n_jobs).model(n_jobs=n_jobs)


def model_of(table: Table, forest: GrowingForest | None, trees: int, key: Job) -> Model:
    """Predictions for the targets of `table` by the first trees of a forest of it, or of a new one for `key`."""
    # Here, and not above: the core is not to be loaded when Orange starts.
    from ..models import PCTModel

    return PCTModel(table, Regrown(key, table, trees) if forest is None else forest.ensemble.first(trees))
