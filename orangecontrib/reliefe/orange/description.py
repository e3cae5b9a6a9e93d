"""A first look at a table of Orange.

Scripts call `describe`, and so do the command line and *Open Data*.
"""

from dataclasses import replace
from typing import Any

from Orange.data import Table, Variable
from pandas import Series

from ..core.description import Description, Finding, study_finding, transposed_finding
from ..core.description import describe as describe_arrays
from .conversion import Target, arrays, values_of
from .table_checks import rows_like_features

__all__ = ["Description", "Finding", "describe"]


def describe(
    table: Table,
    target: Target = None,
    *,
    task: str | None = None,
    covariates: Target = None,
    groups: Variable | str | None = None,
    event_value: object = None,
) -> Description:
    """Describe a table as `rank` reads it, and find columns that may be something else than they seem.

    Parameters
    ----------
    table : Table
        Dense or sparse data.
    target, task, covariates, groups, event_value
        As in `rank`.

    Returns
    -------
    Description
        Rows, features, the target, and findings, each with an action.

    Raises
    ------
    ValueError, TypeError
        As of `rank`.
    """
    read = arrays(table, target, task, "auto", covariates=covariates, groups=groups, event_value=event_value)
    y: Any = read.y
    is_single = len(read.targets) == 1 and read.labels is None
    if is_single and task is None:
        variable = read.targets[0]
        y = Series(values_of(table, variable), name=variable.name)
    description = describe_arrays(
        read.X,
        y,
        words={v.name: v.values for v in read.features if v.is_discrete and len(v.values) == 2},
        names=tuple(feature.name for feature in read.features),
        nominal=read.nominal,
        task=task if is_single else read.task,
        hierarchy=read.hierarchy,
        has_groups="groups" in read.study,
        **({"sample_weight": table.W} if table.has_weights() else {}),
    )
    findings = [finding._replace(change="") for finding in description.findings]  # the table is no array of a script
    actions = {finding.action for finding in findings}
    more = [study_finding(column) for column in read.proposals if column.role not in actions]
    rows = rows_like_features(table, has_target=bool(read.targets))
    of_rows = [transposed_finding(rows)] if rows else []
    return replace(description, findings=(*of_rows, *findings, *more))
