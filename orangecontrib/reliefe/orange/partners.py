"""Pairs of features of a table that interact, scores by numbers of neighbours, and rows that explain a score.

Scripts and the jobs of widgets call `partners` and `neighbour_curves`, which convert the table and call the functions
of the core of the same names.
"""

import warnings
from collections.abc import Sequence
from dataclasses import dataclass, fields, replace
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np
from Orange.data import ContinuousVariable, DiscreteVariable, Domain, StringVariable, Table, Variable
from Orange.data.util import get_unique_names

from .. import core
from ..core.checks import whole
from ..core.inference.partners import MAX_FEATURES
from ..core.work.threads import Progress
from .conversion import Target, arrays, asked, indices_of
from .ranking import TableRanking

if TYPE_CHECKING:
    from matplotlib.axes import Axes

# Metas with the names of a pair
FIRST = "Feature 1"
SECOND = "Feature 2"
COLUMNS = ("z", "Synergy", "Gain 1", "Gain 2", "Edge")
Chosen: TypeAlias = Sequence[Variable | str]


@dataclass(frozen=True, kw_only=True, eq=False, repr=False)
class TablePartners(core.Partners):
    """Pairs of features of a table: the `Partners` of the core, with the variables of the table.

    Attributes
    ----------
    table : Table
        The data.
    variables : tuple of Variable
        The m examined features, in the order of the rows of `gain`, `synergy` and `z`.
    """

    table: Table
    variables: tuple[Variable, ...]

    @property
    def linked(self) -> list[tuple[int, int]]:
        """Edges as indices (a, b) of `variables`, a < b, the strongest first."""
        a, b = np.nonzero(np.triu(self.z > self.level, 1))
        order = np.argsort(-self.z[a, b], kind="stable")
        return list(zip(a[order].tolist(), b[order].tolist(), strict=True))

    def plot(self, names: Sequence[str] | None = None, *, ax: "Axes | None" = None) -> "Axes":
        """Draw the network of `core.Partners`; names are those of the variables, unless others are given."""
        if names is None:
            named = {
                int(feature): variable.name for feature, variable in zip(self.features, self.variables, strict=True)
            }
            names = [named.get(feature, "") for feature in range(max(named, default=-1) + 1)]
        return super().plot(names, ax=ax)

    def to_table(self) -> Table:
        """Return a table with a row for each pair of examined features, the strongest first.

        Names are metas. Columns are z, synergy, the gain of the first feature among rows with similar values of the
        second, the reverse gain, and 1 for edges.

        Returns
        -------
        Table
            The table.
        """
        a, b = np.triu_indices(len(self.variables), 1)
        order = np.argsort(-self.z[a, b], kind="stable")
        a = a[order]
        b = b[order]
        z = self.z[a, b]
        X = np.column_stack([z, self.synergy[a, b], self.gain[a, b], self.gain[b, a], z > self.level])
        names = np.array([variable.name for variable in self.variables], object)
        numbers = [ContinuousVariable(title, number_of_decimals=3) for title in COLUMNS]
        domain = Domain(numbers, metas=[StringVariable(FIRST), StringVariable(SECOND)])
        table = Table.from_numpy(domain, X, metas=np.column_stack([names[a], names[b]]))
        table.name = "Pairs of features"
        return table


def partners(
    table: Table,
    method: str | TableRanking = "auto",
    *,
    features: Chosen | None = None,
    target: Target = None,
    task: str | None = None,
    covariates: Target = None,
    n_features: int = 60,
    random_state: int = 0,
    n_jobs: int | None = None,
    progress: Progress = None,
    **options: Any,
) -> TablePartners:
    """Find pairs of features of a table that act together.

    Parameters
    ----------
    table, target, task, covariates
        As in `rank`; target and task are those of a ranking that is given.
    method : str or TableRanking
        Ranking whose best features are examined, or name of the method to rank by.
    features : sequence of Variable or str, optional
        Features to examine instead, 2 to 200.
    n_features, random_state, n_jobs, progress, **options
        As in `core.partners`, also `n_shuffles`, `strength` and `thorough`. Further options are parameters of the
        method.

    Returns
    -------
    TablePartners
        The pairs.

    Raises
    ------
    ValueError, TypeError
        As of `rank` and `core.partners`.
    """
    name = "auto" if isinstance(method, TableRanking) else method
    best: tuple[Variable, ...] | None = None
    if isinstance(method, TableRanking):
        target = list(method.targets) if target is None and method.targets else target
        task = method.info.get("task") if task is None and method.targets else task
        best = method.best(whole("n_features", n_features, 2, MAX_FEATURES))
    data = arrays(table, target, task, name, covariates=covariates, **options)
    chosen = best if features is None else features
    if data.study.pop("sample_weight", None) is not None:
        warnings.warn("partners leave weights of rows aside: every row counts once", stacklevel=2)
    pairs = core.partners(
        data.X,
        data.y,
        name,
        features=None if chosen is None else indices_of(data, chosen),
        n_features=n_features,
        random_state=random_state,
        n_jobs=n_jobs,
        progress=progress,
        **asked(data),
        **options,
    )
    content = {field.name: getattr(pairs, field.name) for field in fields(pairs)}
    return TablePartners(**content, table=table, variables=tuple(data.features[j] for j in pairs.features))


def contributing_rows(table: Table, found: core.Explanation, n: int) -> Table | None:
    """Return the rows that contribute most to the score of a feature.

    Parameters
    ----------
    table : Table
        The ranked table.
    found : Explanation
        Explanation of the rank of the feature.
    n : int
        Number of rows that raise the score, and of rows that lower it, at most.

    Returns
    -------
    Table or None
        The rows, with the contribution and its sign as metas. None if there are none.
    """
    rows = np.concatenate(found.most(n))
    if found.rows is None or not len(rows):
        return None
    names = [v.name for v in (*table.domain.variables, *table.domain.metas)]
    contribution = ContinuousVariable(get_unique_names(names, f"Contribution to {found.name}"), number_of_decimals=6)
    side = DiscreteVariable(get_unique_names(names, "Side"), ("against", "for"))
    values = found.rows[rows]
    with_contribution = table[rows].add_column(contribution, values, to_metas=True)
    return with_contribution.add_column(side, (values > 0).astype(float), to_metas=True)


def neighbour_curves(
    table: Table,
    method: str = "relieff",
    *,
    target: Target = None,
    task: str | None = None,
    covariates: Target = None,
    groups: Variable | str | None = None,
    max_neighbors: int | None = None,
    n_jobs: int | None = None,
    progress: Progress = None,
    **options: Any,
) -> core.NeighbourCurves:
    """Compute scores of the features of a table for all numbers of neighbours, from one search.

    Parameters
    ----------
    table, target, task, covariates, groups
        As in `rank`.
    method, max_neighbors, n_jobs, progress, **options
        As in `core.neighbour_curves`.

    Returns
    -------
    NeighbourCurves
        The scores.

    Raises
    ------
    ValueError, TypeError
        As of `rank` and `core.neighbour_curves`.
    """
    data = arrays(table, target, task, method, covariates=covariates, groups=groups, **options)
    curves = core.neighbour_curves(
        data.X,
        data.y,
        method,
        max_neighbors=max_neighbors,
        n_jobs=n_jobs,
        progress=progress,
        **asked(data),
        **options,
    )
    return replace(curves, names=tuple(feature.name for feature in data.features))
