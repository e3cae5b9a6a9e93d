"""Pairs that interact, reasons of a rank, and scores by numbers of neighbours, for the features of a table.

Scripts call `partners`, `explain` and `neighbour_curves`, which convert the table and call the functions of the core of
the same names. The jobs of widgets call the functions here.
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
from ..core.inference.explanation import explain_features
from ..core.inference.partners import MAX_FEATURES
from ..core.words import choices, shown
from ..core.work.threads import Progress
from .conversion import Arrays, Target, arrays, asked
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
        features=None if chosen is None else _indices(data, chosen),
        n_features=n_features,
        random_state=random_state,
        n_jobs=n_jobs,
        progress=progress,
        **asked(data),
        **options,
    )
    content = {field.name: getattr(pairs, field.name) for field in fields(pairs)}
    return TablePartners(**content, table=table, variables=tuple(data.features[j] for j in pairs.features))


def explain(
    ranking: TableRanking,
    feature: Variable | str,
    *,
    others: Sequence[str | core.Ranking] = (),
    covariates: Target = None,
    groups: Variable | str | None = None,
    event_value: object = None,
    n_jobs: int | None = None,
    progress: Progress = None,
) -> core.Explanation:
    """Explain why a feature of a table has its rank: parts of the score, ranks by other methods, and chance.

    Parameters
    ----------
    ranking : TableRanking
        A ranking of the table.
    feature : Variable or str
        One of its features.
    others, n_jobs, progress
        As in `core.explain`.
    covariates, groups, event_value
        Those of the ranking, if it does not remember them: `rank` and `refine` do.

    Returns
    -------
    Explanation
        The reasons.

    Raises
    ------
    ValueError, TypeError
        As of `rank` and `core.explain`.
    """
    if not isinstance(ranking, TableRanking):
        raise TypeError(
            f"ranking must be a ranking of a table, not {shown(ranking)}: call explain(ranking, feature); arrays go to "
            f"{core.__name__}.explain(ranking, feature, X, y)"
        )
    if not isinstance(feature, Variable | str):
        raise TypeError(f"feature must be a variable or its name, not {shown(feature)}")
    own_study = {"covariates": covariates, "groups": groups, "event_value": event_value}
    (explanation,) = _explained(ranking, [feature], others, own_study, n_jobs, progress)
    return explanation


def _explained(
    ranking: TableRanking,
    features: Sequence[Variable | str],
    others: Sequence[str | core.Ranking],
    own_study: dict[str, Any],
    n_jobs: int | None,
    progress: Progress,
) -> list[core.Explanation]:
    """Explain the ranks of features of a table; a study of the caller goes before the one that is remembered."""
    targets = list(ranking.targets)
    task = ranking.info.get("task") if targets else None
    study = {**ranking.study, **{name: value for name, value in own_study.items() if value is not None}}
    data = arrays(ranking.table, targets or None, task, ranking.method, **study)
    indices = _indices(data, features)
    return explain_features(
        ranking, indices, data.X, data.y, others=others, n_jobs=n_jobs, progress=progress, **asked(data)
    )


def explain_best(ranking: TableRanking, n: int, *, progress: Progress = None, **study: Any) -> list[core.Explanation]:
    """Explain the ranks of the features that a report describes.

    Parameters
    ----------
    ranking : TableRanking
        A ranking of a table.
    n : int
        Number of features.
    progress : callable, optional
        Gets the share of the work that is done, from 0 to 1.
    **study
        As in `explain`.

    Returns
    -------
    list of Explanation
        Those of `Ranking.noteworthy`. Empty for scores of groups of features and for weights of rows: these have no
        parts.
    """
    if ranking.ranks_groups or ranking.table.has_weights():
        return []
    best = [ranking.features[j] for j in ranking.noteworthy(n)]
    return _explained(ranking, best, (), study, None, progress)


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


def _indices(data: Arrays, chosen: Chosen) -> list[int]:
    """Indices of features among those of the arrays; raises ValueError for a feature that is none of these."""
    index = {feature.name: j for j, feature in enumerate(data.features)}
    names = [feature.name if isinstance(feature, Variable) else str(feature) for feature in chosen]
    unknown = [name for name in names if name not in index]
    if unknown:
        raise ValueError(f"unknown feature {shown(unknown[0])}; {choices(unknown[0], index, shown)}")
    return [index[name] for name in names]


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
