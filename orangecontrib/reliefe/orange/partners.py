"""Partners of the features of a table: pairs that are more informative of the target than each feature alone."""

import warnings
from collections.abc import Sequence
from dataclasses import dataclass, fields, replace
from typing import Any, TypeAlias

import numpy as np
from Orange.data import ContinuousVariable, DiscreteVariable, Domain, StringVariable, Table, Variable
from Orange.data.util import get_unique_names

from .. import core
from ..core.checks import whole
from ..core.inference.partners import MAX_FEATURES
from ..core.words import choices, shown
from ..core.work.threads import Progress
from .conversion import Arrays, Target, arrays, asked
from .ranking import TableRanking

FIRST, SECOND = "Feature 1", "Feature 2"  # metas that hold the names
COLUMNS = ("z", "Synergy", "Gain 1", "Gain 2", "Edge")
Chosen: TypeAlias = Sequence[Variable | str]


@dataclass(frozen=True, kw_only=True, eq=False)
class TablePartners(core.Partners):
    """A network of the features of a table: core's `Partners` with the table's variables.

    table: the data.
    variables: the m features that were looked at, in the order of the rows of `gain`, `synergy` and `z`.
    """

    table: Table
    variables: tuple[Variable, ...]

    @property
    def linked(self) -> list[tuple[int, int]]:
        """Edges as places (a, b) among `variables`, a < b, the strongest first."""
        a, b = np.nonzero(np.triu(self.z > self.level, 1))
        order = np.argsort(-self.z[a, b], kind="stable")
        return list(zip(a[order].tolist(), b[order].tolist(), strict=True))

    def to_table(self) -> Table:
        """Return a row for each pair of the features that were looked at, the strongest first.

        Names are metas.  Columns are z, synergy, the gain of the first feature among rows alike in the second and the
        reverse, and 1 for edges.
        """
        a, b = np.triu_indices(len(self.variables), 1)
        order = np.argsort(-self.z[a, b], kind="stable")
        a, b = a[order], b[order]
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
        The ranking whose best features are looked at, or the name of the method to rank by.
    features : sequence of Variable or str, optional
        The features to look at instead, 2 to 200.
    n_features, random_state, n_jobs, progress, **options
        As in `core.partners`, also `n_shuffles`, `strength` and `thorough`. Further options are parameters of the
        method.
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
    about = asked(data) | {"random_state": random_state, "n_jobs": n_jobs, "progress": progress}
    places = None if chosen is None else _places(data, chosen)
    found = core.partners(data.X, data.y, name, features=places, n_features=n_features, **about, **options)
    content = {field.name: getattr(found, field.name) for field in fields(found)}
    return TablePartners(**content, table=table, variables=tuple(data.features[j] for j in found.features))


def explain(
    ranking: TableRanking,
    feature: Variable | str,
    *,
    others: Sequence[str | core.Ranking] = (),
    covariates: Target = None,
    groups: Variable | str | None = None,
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
    covariates, groups
        Those of the ranking.
    """
    targets = list(ranking.targets)
    task = ranking.info.get("task") if targets else None
    data = arrays(ranking.table, targets or None, task, ranking.method, covariates=covariates, groups=groups)
    (place,) = _places(data, [feature])
    about: dict[str, Any] = {"others": others, "n_jobs": n_jobs, "progress": progress}
    return core.explain(ranking, place, data.X, data.y, **about, **asked(data))


def contributing_rows(table: Table, found: core.Explanation, n: int) -> Table | None:
    """Up to n rows that count most for a feature, and n against it, with two metas that say so; None without any."""
    rows = np.concatenate(found.most(n))
    if found.rows is None or not len(rows):
        return None
    taken, metas = [v.name for v in (*table.domain.variables, *table.domain.metas)], []
    for title in (f"Contribution to {found.name}", "Side"):
        metas.append(get_unique_names(taken, title))
    shares, out = found.rows[rows], table[rows]
    out = out.add_column(ContinuousVariable(metas[0], number_of_decimals=6), shares, to_metas=True)
    return out.add_column(DiscreteVariable(metas[1], ("against", "for")), (shares > 0).astype(float), to_metas=True)


def _places(data: Arrays, chosen: Chosen) -> list[int]:
    """Indices of features among those of the arrays."""
    places = {feature.name: j for j, feature in enumerate(data.features)}
    names = [feature.name if isinstance(feature, Variable) else str(feature) for feature in chosen]
    unknown = [name for name in names if name not in places]
    if unknown:
        raise ValueError(f"unknown feature {shown(unknown[0])}; {choices(unknown[0], places, shown)}")
    return [places[name] for name in names]


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
    """Scores of the features of a table for every number of neighbours, and every sigma, from one search.

    Parameters
    ----------
    table, target, task, covariates, groups
        As in `rank`.
    method, max_neighbors, n_jobs, progress, **options
        As in `core.neighbour_curves`.
    """
    data = arrays(table, target, task, method, covariates=covariates, groups=groups, **options)
    about: dict[str, Any] = {"max_neighbors": max_neighbors, "n_jobs": n_jobs, "progress": progress}
    found = core.neighbour_curves(data.X, data.y, method, **asked(data), **about, **options)
    return replace(found, names=tuple(feature.name for feature in data.features))
