"""Notes on the data of a ranking: columns that seem to be something else than the caller thinks.

`check_call` calls `notes_on_data` before it reads covariates and weights. `core.description` calls
`suspected_features`, `codes_of_missing` and `advice_on_times` for its findings on the same data.
"""

from collections.abc import Mapping, Sequence
from typing import Any, Literal, cast

import numpy as np
from scipy import sparse

from .data import frames
from .data.arrays import cells, unknown
from .data.batches import Batch, find_batch, is_called_batch, regression_columns
from .data.counts import notes_on_counts
from .data.diff import RANGE
from .data.facts import all_constant, one_row
from .data.missing_codes import (
    THE_TARGET,
    CodedColumn,
    FarCode,
    by_code,
    coded_features,
    far_codes,
    feature_name,
    note_on_far_codes,
)
from .data.persons import RepeatedRows, RowNames, columns_of_features, repeated_by_name, repeated_rows
from .data.scratch import in_file
from .data.suspects import note_on_suspects, suspects
from .data.table import DataTable
from .info import Info, merge_info
from .methods.base import Method
from .relief.formats.distance import MANHATTAN
from .targets.description import class_names, names_of_target
from .targets.targets import Target
from .targets.tasks import (
    CLASSIFICATION,
    HIERARCHICAL,
    MULTILABEL,
    MULTITARGET,
    REGRESSION,
    SEVERAL,
    TASKS_WITHOUT_NAMES,
    UNSUPERVISED,
)
from .targets.times import Times
from .targets.unmarked import TimesAdvice, advice_on_pair, advice_on_status
from .words import item_name, shown


def notes_on_data(
    y: object,
    table: DataTable,
    target: Target,
    method: Method[Any],
    parameters: Mapping[str, Any],
    has_groups: bool = False,
) -> Info:
    """Notes on the rows, on features and on the target.

    Parameters
    ----------
    y : object
        Values of the target as the caller has them.
    table : DataTable
        Features of the rows with a target.
    target : Target
        Target of these rows.
    method : Method
        The method that ranks them.
    parameters : mapping
        All of its parameters.
    has_groups : bool
        Whether the caller says which rows belong together.

    Raises
    ------
    ValueError
        For fewer than two rows.
    """
    return merge_info(
        _on_differences(table, method, parameters),
        _on_size(table, target),
        _on_constant(table),
        _on_names(y, target),
        _on_suspects(table, target),
        _on_missing_codes(table, target),
        _on_study(table, target, has_groups),
        _on_times(y, target, table),
    )


def _on_constant(table: DataTable) -> Info:
    """Warning of features of which none has two values, so that scores are equal. Genotypes have filters for that."""
    return {} if table.packed or not table.constant.all() else {"warnings": [all_constant()]}


def _on_differences(table: DataTable, method: Method[Any], parameters: Mapping[str, Any]) -> Info:
    """Notes on differences of counts."""
    distance = next((parameter for parameter in method.parameters if parameter.name == "distance"), None)
    can_be_cosine = distance is not None and MANHATTAN in distance.choices
    by_cosine = can_be_cosine and parameters["distance"] != MANHATTAN
    warnings, information = notes_on_counts(parameters.get("diff", RANGE), by_cosine, table)
    return {"warnings": warnings, "information": information}


def _on_size(table: DataTable, target: Target) -> Info:
    """Kind of target, number of rows and of classes; raises ValueError for fewer than two rows."""
    n = table.shape[0]
    if n < 2:
        raise ValueError(one_row(needs_target=target.task != UNSUPERVISED))
    info: Info = {"task": target.task, "rows": n, "missing": table.missing_share}
    if target.names:
        info[_key_of_count(target.task)] = len(target.names)
    return info


def _on_names(y: object, target: Target) -> Info:
    """Names of the target, and of the classes of a single one; those of label sets are `Ranking.targets`."""
    info: Info = {}
    names = [] if target.task in TASKS_WITHOUT_NAMES else names_of_target(y)
    if names:
        info["target"] = names
    if target.task == CLASSIFICATION:
        info["class_names"] = class_names(target.inner.names)
    return info


def _key_of_count(task: str) -> Literal["classes", "labels", "targets"]:
    """Key of `info` for the number of the names of a target."""
    if task not in SEVERAL:
        return "classes"
    return "labels" if task in (MULTILABEL, HIERARCHICAL) else "targets"


def suspected_features(table: DataTable, target: Target) -> dict[int, str]:
    """Find features that identify rows or are functions of the target: of classes, of numbers, or of events or times.

    Returns
    -------
    dict
        Reasons, of `data.suspects`, by the indices of the features.
    """
    times = target.inner
    if isinstance(times, Times):
        of_events = suspects(table, times.event.astype(float), is_class=True, target_name="the event")
        of_times = suspects(table, times.time, is_class=False, target_name="the time")
        return dict(sorted({**of_times, **of_events}.items()))
    values = None
    if target.task in (CLASSIFICATION, REGRESSION):
        is_known = target.labelled
        values = target.inner.columns[0][is_known, 0]
        table = table if is_known.all() else table.take(is_known)
    return suspects(table, values, target.task == CLASSIFICATION)


def _on_suspects(table: DataTable, target: Target) -> Info:
    """Warning of features that identify rows or are functions of the target."""
    suspected = suspected_features(table, target)
    if not suspected:
        return {}
    return {"suspects": list(suspected), "warnings": [note_on_suspects(suspected, table.names)]}


def person_feature(table: DataTable, target: Target) -> RepeatedRows | None:
    """Find a feature in which a person occurs in several rows, so that it should be the group; None without one.

    Sparse, packed and mapped tables are not searched.
    """
    if table.is_sparse or table.packed or in_file(table.values):
        return None
    values = cast("np.ndarray", table.values)
    names = titles_of_features(table)
    if by_name := repeated_by_name(RowNames(name, values[:, f]) for f, name in enumerate(table.names or ())):
        return by_name
    if target.task == UNSUPERVISED:
        return None
    of_target = _columns_of(target.inner)
    columns = columns_of_features(values, names, of_target)
    return repeated_rows(columns, values, names, of_target, is_number=target.task == REGRESSION)


def titles_of_features(table: DataTable) -> Sequence[str]:
    """Return the names of features, or "feature 0" and so on."""
    return table.names or [item_name(f) for f in range(table.shape[1])]


def _columns_of(target: Target) -> np.ndarray:
    """Return the columns (n, t) of a target; of label sets one, with a number for each set, since they may be many."""
    labels: Any = target.label_matrix
    if not sparse.issparse(labels):
        return target.columns.values
    number_of: dict[bytes, int] = {}
    rows = np.split(labels.indices, labels.indptr[1:-1])
    return np.array([[number_of.setdefault(row.tobytes(), len(number_of))] for row in rows], float)


def _on_study(table: DataTable, target: Target, has_groups: bool) -> Info:
    """Notes on a feature in which a person occurs in several rows, and on one of batches, with what they propose."""
    return info_on_study(study_columns(table, target, has_groups))


def study_columns(table: DataTable, target: Target, has_groups: bool) -> list[RepeatedRows | Batch]:
    """Find features that may be the group, unless the caller gives one, or a covariate."""
    persons = None if has_groups else person_feature(table, target)
    return [column for column in (persons, batch_feature(table, target)) if column is not None]


def info_on_study(columns: Sequence[RepeatedRows | Batch]) -> Info:
    """Return notes on columns that may be the group or a covariate, and the proposals themselves."""
    if not columns:
        return {}
    return {
        "proposals": [[column.role, column.name, column.advice] for column in columns],
        "information": [column.note for column in columns],
    }


def batch_feature(table: DataTable, target: Target) -> Batch | None:
    """Find a feature between whose values many others differ, so that it may be a covariate; None without one.

    Sparse, packed and mapped tables are not searched, nor those without names of features.
    """
    if table.is_sparse or table.packed or table.names is None or in_file(table.values):
        return None
    values = cast("np.ndarray", table.values)
    columns = (
        RowNames(name, values[:, f]) for f, name in enumerate(table.names) if table.nominal[f] or is_called_batch(name)
    )
    return find_batch(columns, values, table.names, table.nominal, _columns_beside(target))


def _columns_beside(target: Target) -> np.ndarray | sparse.csr_array:
    """Return the columns (n, t) of a target for a regression; sparse labels as they are."""
    if target.task == UNSUPERVISED:
        return np.zeros((target.n, 0))
    labels = target.inner.label_matrix
    if sparse.issparse(labels):
        return labels
    return regression_columns(*target.columns)


def codes_of_missing(table: DataTable, target: Target) -> list[FarCode]:
    """Find numbers, as -999, that seem to stand for missing values of features or of the target."""
    columns = [CodedColumn(feature_name(table, f), codes, f) for f, codes in coded_features(table).items()]
    for name, values in _columns_of_numbers(target).items():
        codes = far_codes(values)
        if codes:
            columns.append(CodedColumn(name, codes))
    return by_code(columns)


def _on_missing_codes(table: DataTable, target: Target) -> Info:
    """Warning of numbers that seem to stand for missing values."""
    codes = codes_of_missing(table, target)
    return {"warnings": [note_on_far_codes(codes)]} if codes else {}


def _columns_of_numbers(target: Target) -> dict[str, np.ndarray]:
    """Columns of a target that are numbers, in the caller's units, by their names; classes if their names are numbers.

    Empty for other kinds of target.
    """
    if target.task == CLASSIFICATION:
        try:
            return {THE_TARGET: np.array([float(name) for name in target.inner.names])}
        except (TypeError, ValueError):
            return {}
    if target.task not in (REGRESSION, MULTITARGET):
        return {}
    values, nominal = target.inner.columns
    if target.inner.units is not None:
        values = values * target.inner.units
        if target.inner.origins is not None:
            values = values + target.inner.origins
        whole_numbers = np.rint(values)  # what was divided and multiplied again may miss them by its last digit
        values = np.where(np.isclose(values, whole_numbers, rtol=1e-12, atol=0), whole_numbers, values)
    names = [f"the target {shown(name)}" for name in target.inner.names] or [THE_TARGET]
    columns = zip(names, values.T, nominal, strict=True)
    return {name: column for name, column, is_nominal in columns if not is_nominal}


def _on_times(y: object, target: Target, table: DataTable) -> Info:
    """Advice on a target that should be times with censoring."""
    advice = advice_on_times(y, target, table)
    return {"information": [advice.advice]} if advice else {}


def advice_on_times(y: Any, target: Target, table: DataTable) -> TimesAdvice | None:
    """Advise on targets that look like times with censoring, or on one that looks like their events.

    Parameters
    ----------
    y : object
        The target as the caller has it.
    target : Target
        The target as it was read.
    table : DataTable
        Features.

    Returns
    -------
    TimesAdvice or None
        None for all other targets.
    """
    if target.task == MULTITARGET and frames.is_frame(y):
        series = zip(map(str, frames.names(y)), frames.columns(y), strict=True) if y.shape[1] == 2 else ()
        columns = {name: cells(column, "y") for name, column in series}
        known_values = {name: column[~unknown(column)] for name, column in columns.items()}
        return advice_on_pair(known_values)
    if target.task == CLASSIFICATION and table.names and table.packed is None:
        name = str(getattr(y, "name", None) or "the target")
        return advice_on_status(name, target.names, table.names, table.values, table.nominal)
    return None
