"""Functions of Orange's tables: `rank`, `refine` and `explain`, which call the functions of the core of the same names.

Scripts take them from `orangecontrib.reliefe`, and widgets, scorers and the command from here.
"""

from collections.abc import Iterator, Sequence
from typing import Any

from Orange.data import Table, Variable

from .. import core
from ..core.methods.studied_rows import STUDY_OPTIONS
from ..core.words import shown
from ..core.work.threads import Progress
from .conversion import Target, arrays, asked
from .feature_groups import FeatureGroups
from .ranking import TableRanking, on_table


def rank(
    table: Table,
    method: str = "auto",
    *,
    target: Target = None,
    task: str | None = None,
    covariates: Target = None,
    groups: Variable | str | None = None,
    event_value: object = None,
    feature_groups: FeatureGroups = None,
    keep: Sequence[Variable | str] | None = None,
    random_state: int = 0,
    n_jobs: int | None = None,
    progress: Progress = None,
    **parameters: Any,
) -> TableRanking:
    """Rank the features of a table.

    Parameters
    ----------
    table : Table
        Dense or sparse data. Weights of its rows (``table.W``) are used if the method takes weights. Otherwise they
        are ignored, and ``info["information"]`` says so.
    method, random_state, n_jobs, progress, **parameters
        As in `core.rank`.
    target : Variable, str, or list of these, optional
        Targets; None: the class variables.  Several variables with two values each are labels; the second value means
        that the label is present.  Their attribute "parents" makes a hierarchy.  A target is no feature.
    task : str, optional
        "regression": read categories that are numbers as numbers; "classification": the reverse.  "hierarchical": read
        paths, for example "a/b" or "a/b@c", as labels.  "survival": read a time and an event as times with censoring.
        Class variables that Orange's *As Survival Data* has marked need no task.
    covariates : Variable, str, or list of these, optional
        Numbers, categories and texts for which scores are adjusted; they are no features.
    groups : Variable or str, optional
        Variable with equal values in rows that belong together, for example visits of one person. It is no feature.
    event_value : object, optional
        Value of the event's variable that says that there was one. Every other value is censored. None: known words
        decide, as in `core.Survival`.
    feature_groups : str or mapping, optional
        Features that are ranked as one, as in `core.rank`. A text is a key of ``variable.attributes``, for example
        "group": features with the same value are a group. A text like "prefix:=" groups features with the same text
        before the last "=" of their names. A mapping has the features of each group by its name.
    keep : sequence of Variable or str, optional
        Features that are always selected, as in `core.rank`.

    Returns
    -------
    TableRanking
        Scores and ranks of the features.

    Raises
    ------
    ValueError, TypeError
        As of `core.rank`, and for unknown variables.
    """
    study = _study(covariates, groups, event_value, parameters)
    data = arrays(table, target, task, method, feature_groups=feature_groups, **(parameters | study))
    ranking = core.rank(
        data.X,
        data.y,
        method,
        keep=_names_to_keep(keep),
        random_state=random_state,
        n_jobs=n_jobs,
        progress=progress,
        **asked(data),
        **parameters,
    )
    return on_table(ranking, table, data, study)


def _study(covariates: Target, groups: Variable | str | None, event_value: object, parameters: dict[str, Any]) -> dict:
    """Return `TableRanking.study`: these arguments of `rank`, and those on the study among its parameters."""
    options = {name: parameters[name] for name in STUDY_OPTIONS if name in parameters}
    return {"covariates": covariates, "groups": groups, "event_value": event_value, **options}


def _names_to_keep(keep: Sequence[Variable | str] | None) -> Sequence[str] | None:
    """Return the names of the features that are always selected; a single text is left to the core to refuse."""
    if keep is None or isinstance(keep, str):
        return keep
    return [*map(str, keep)]


def refine(
    table: Table,
    method: str = "auto",
    *,
    target: Target = None,
    task: str | None = None,
    covariates: Target = None,
    groups: Variable | str | None = None,
    event_value: object = None,
    feature_groups: FeatureGroups = None,
    keep: Sequence[Variable | str] | None = None,
    **options: Any,
) -> Iterator[TableRanking]:
    """Yield rankings of a table from growing numbers of its rows, as `core.refine` does; the last one is final.

    Parameters
    ----------
    table, method, target, task, covariates, groups, event_value, feature_groups, keep, **options
        As of `rank`. They are checked at the call, before the first ranking.

    Returns
    -------
    iterator of TableRanking
        Rankings, each better than the one before.

    Raises
    ------
    ValueError, TypeError
        As of `rank`.
    """
    study = _study(covariates, groups, event_value, options)
    data = arrays(table, target, task, method, feature_groups=feature_groups, **(options | study))
    partial = core.refine(data.X, data.y, method, keep=_names_to_keep(keep), **asked(data), **options)
    return (on_table(ranking, table, data, study) for ranking in partial)


def explain(
    ranking: TableRanking,
    feature: Variable | str,
    *,
    others: Sequence[str | core.Ranking] = (),
    covariates: Target = None,
    groups: Variable | str | None = None,
    event_value: object = None,
    linear_covariates: object = None,
    parts: str | None = None,
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
    covariates, groups, event_value, linear_covariates, parts
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
    return ranking.explain(
        feature,
        others=others,
        covariates=covariates,
        groups=groups,
        event_value=event_value,
        linear_covariates=linear_covariates,
        parts=parts,
        n_jobs=n_jobs,
        progress=progress,
    )
