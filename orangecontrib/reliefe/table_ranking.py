"""Rankings of the features of a table."""

from dataclasses import dataclass

from Orange.data import Domain, Table, Variable

from . import core
from .scores_table import scores_table


@dataclass(frozen=True, kw_only=True, eq=False)
class TableRanking(core.Ranking):
    """A ranking of the features of a table: what core's `Ranking` has, and the table's variables.

    Attributes
    ----------
    table : Table
        What was ranked.
    features : tuple of Variable
        Its p features.
    targets : tuple of Variable
        What they were ranked for; () without a target.
    labels : tuple of str
        Names of the targets that have scores of their own.
    """

    table: Table
    features: tuple[Variable, ...]
    targets: tuple[Variable, ...]
    labels: tuple[str, ...]  # names of the targets that have scores of their own

    def best(self, n: int) -> tuple[Variable, ...]:
        """Best features.

        Parameters
        ----------
        n : int
            Number of features, 0 or more.

        Returns
        -------
        tuple of Variable
            Best first; all if there are fewer.
        """
        return tuple(self.features[j] for j in super().select(n))

    def select(self, n: int) -> Table:
        """Table with its best features alone.

        Parameters
        ----------
        n : int
            Number of features, 0 or more.

        Returns
        -------
        Table
            Best first; class variables, metas and the target stay as they are.
        """
        domain = self.table.domain
        targets = set(self.targets)
        kept = tuple(v for v in domain.attributes if v in targets)
        return self.table.transform(Domain(self.best(n) + kept, domain.class_vars, domain.metas))

    def to_table(self) -> Table:
        """The scores as a table.

        Returns
        -------
        Table
            A row for each feature in the order of `features`, its name in the meta "Feature", and z, p and q in further
            ones if they were asked for.
        """
        title = core.METHODS[self.method].title
        columns = {title: self.scores}
        if self.per_target is not None:
            columns |= {f"{title} ({name})": s for name, s in zip(self.labels, self.per_target, strict=True)}
        tests = {} if self.significance is None else self.significance.columns
        return scores_table([feature.name for feature in self.features], columns, tests)
