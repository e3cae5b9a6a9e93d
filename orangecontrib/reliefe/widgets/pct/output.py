"""The ensemble that a ranking comes from, as a model for other widgets."""

from Orange.base import Model
from Orange.data import Table

from .job import Forest


def model_of(table: Table, forest: Forest, trees: int) -> Model:
    """Predictions for the class variables of `table` by the first trees of a forest of it."""
    # Here, and not above: the core is not to be loaded when Orange starts.
    from ...models import PCTModel

    return PCTModel(table, forest.ensemble.first(trees))
