"""Sample size from a table that was ranked: how many discoveries would be found again with other numbers of rows.

Scripts call `power` with a ranking, which knows its table. It calls the function of the core of the same name.
"""

import warnings
from collections.abc import Sequence
from typing import Any

from .. import core
from ..core.words import shown
from ..core.work.threads import Progress
from .conversion import arrays, asked
from .ranking import TableRanking


def power(
    ranking: TableRanking,
    *,
    n: Sequence[int],
    level: float = 0.1,
    n_sets: int = 20,
    n_shuffles: int | None = None,
    random_state: int = 0,
    n_jobs: int | None = None,
    progress: Progress = None,
) -> core.Power:
    """Estimate how many discoveries of a ranked table would be found again, with other numbers of rows.

    Parameters
    ----------
    ranking : TableRanking
        Ranking of a table, the pilot study, for classes or numbers.
    n, level, n_sets, n_shuffles, random_state, n_jobs, progress
        As in `core.power`.

    Returns
    -------
    Power

    Raises
    ------
    TypeError
        If the first argument is no ranking of a table.
    ValueError
        As of `core.power`.
    """
    if not isinstance(ranking, TableRanking):
        raise TypeError(
            f"ranking must be a ranking of a table, not {shown(ranking)}; arrays go to {core.__name__}.power(X, y, "
            "ranking, n=...)"
        )
    targets = list(ranking.targets)
    data = arrays(ranking.table, targets or None, ranking.info.get("task") if targets else None, ranking.method)
    options: dict[str, Any] = {"n": n, "level": level, "n_sets": n_sets, "n_shuffles": n_shuffles}
    about = asked(data)
    if about.pop("sample_weight", None) is not None:
        warnings.warn("power leaves weights of rows aside: every row counts once", stacklevel=2)
    about.pop("hierarchy")  # which has no power
    return core.power(
        data.X, data.y, ranking, random_state=random_state, n_jobs=n_jobs, progress=progress, **about, **options
    )
