"""Scores of the features of Orange's tables for every number of neighbours."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from Orange.data import Table

from . import core
from .conversion import Target, arrays, asked


def neighbour_curves(
    table: Table,
    method: str = "relieff",
    *,
    target: Target = None,
    task: str | None = None,
    max_neighbors: int | None = None,
    n_jobs: int | None = None,
    progress: Callable[[float], object] | None = None,
    **options: Any,
) -> core.NeighbourCurves:
    """Scores of the features of a table for every number of neighbours, and every sigma, from one search.

    Parameters
    ----------
    table, target, task
        As in `rank`.
    method, max_neighbors, n_jobs, progress, **options
        As in `core.neighbour_curves`.

    Returns
    -------
    NeighbourCurves
        Its names are those of the features.

    Raises
    ------
    ValueError, TypeError
        As `rank` and `core.neighbour_curves`.
    """
    data = arrays(table, target, task, method, **options)
    about: dict[str, Any] = {"max_neighbors": max_neighbors, "n_jobs": n_jobs, "progress": progress}
    found = core.neighbour_curves(data.X, data.y, method, **asked(data), **about, **options)
    return replace(found, names=tuple(feature.name for feature in data.features))
