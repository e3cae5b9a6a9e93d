"""Tables of Orange made of arrays, sparse matrices, and columns of Arrow or polars.

*Open Data* calls `table_of` with what `command.arrays.read_arrays` returns for .mtx, libsvm and Parquet.
"""

from collections.abc import Sequence
from typing import Any, NamedTuple, cast

import numpy as np
import scipy.sparse as sp
from Orange.data import ContinuousVariable, DiscreteVariable, Domain, StringVariable, Table, TimeVariable, Variable
from Orange.data.util import get_unique_names_duplicates

from ..core.data.frame_columns import codes_of_column, is_number, numbers_of, series_of
from ..core.data.frames import columns as columns_of_frame
from ..core.data.frames import is_frame
from ..core.data.frames import names as names_of_frame
from ..core.targets.accepts import Accepts
from ..core.targets.columns import read_column
from ..core.targets.reader import infer_task
from ..core.targets.tasks import CLASSIFICATION
from ..core.words import counted
from ..tabular.columns import EXPONENT_OF_CATEGORIES, MAX_CATEGORIES

LABEL_VALUES = ("0", "1")  # absent and present
MAX_COLUMNS = 200_000  # of which Orange makes a variable each: about 0.5 kB and 10 µs; chosen by eye


class Feature(NamedTuple):
    """A column of a frame.

    Attributes
    ----------
    variable : Variable
        Its variable.
    values : (n,) array
        Numbers or codes, NaN where they are missing; texts in an object array, "" where they are missing.
    """

    variable: Variable
    values: np.ndarray


def table_of(X: Any, y: Any = None, target: str = "", names: Sequence[str] | None = None) -> Table:
    """Make a table; sparse features stay sparse.

    Parameters
    ----------
    X : array, sparse array, columns of Parquet or frame (n, p)
        Features. Texts with many different values become metas.
    y : (n,) array or series, or frame (n, L), optional
        Target: classes or a number, as `core.rank` decides, or a column of 0 and 1 for each label.
    target : str
        Name of the target.
    names : sequence of str, optional
        Names of the features. None: those of the columns, or their numbers from 0.

    Raises
    ------
    ValueError
        If X has more than `MAX_COLUMNS` columns, or y has other values than numbers and texts.
    """
    if hasattr(X, "dataset"):  # columns of Parquet that are not read yet
        X = X.dataset.to_table(columns=X.schema.names)
    n, p = X.shape
    if p > MAX_COLUMNS:
        raise ValueError(
            f"{counted(p, 'column')} are more than {MAX_COLUMNS:,}, which windows can hold: rank them by the command "
            "line"
        )
    class_vars, Y = _target(y, target, n)
    if is_frame(X):
        features = _features(X)
        columns = [feature for feature in features if not feature.variable.is_string]
        texts = [feature for feature in features if feature.variable.is_string]
        attributes = [feature.variable for feature in columns]
        metas = [feature.variable for feature in texts]
        values = np.column_stack([np.empty((n, 0)), *(feature.values for feature in columns)])
        meta_values = np.column_stack([np.empty((n, 0), object), *(feature.values for feature in texts)])
    else:
        attributes = [ContinuousVariable(name) for name in (names or map(str, range(p)))]
        metas = []
        values = X
        meta_values = np.empty((n, 0), object)
    if sp.issparse(values):
        values = sp.csr_matrix(values, dtype=float)
        for variable in attributes:
            variable.sparse = True  # otherwise the next transformation makes the table dense
    domain = Domain(attributes, class_vars, metas)
    return Table.from_numpy(domain, _without_infinite(values), Y, meta_values)


def _target(y: Any, name: str, n: int) -> tuple[list[Variable], np.ndarray | None]:
    """Return the class variables of a target and their values, numbers or codes; none without a target."""
    if y is None:
        return [], None
    if is_frame(y):  # sets of labels
        labels = names_of_frame(y)
        return [DiscreteVariable(label, LABEL_VALUES) for label in labels], np.asarray(y, float)
    column = read_column(y, n)
    values = np.full(n, np.nan)
    if infer_task(column, Accepts(), None, False) == CLASSIFICATION:
        classes, codes = column.coded()
        values[column.known] = codes[column.known]
        return [DiscreteVariable(name, tuple(map(str, classes.tolist())))], values
    values[column.known] = column.values[column.known]
    return [ContinuousVariable(name)], values


def _features(frame: Any) -> list[Feature]:
    """Return the columns of a frame; names that occur twice get numbers."""
    names = get_unique_names_duplicates([*map(str, names_of_frame(frame))])
    return [_feature(series_of(column), name) for column, name in zip(columns_of_frame(frame), names, strict=True)]


def _feature(series: Any, name: str) -> Feature:
    """Return a column of narwhals: a number, a time, categories, or texts with too many values for these."""
    import narwhals.stable.v2 as nw

    if is_number(series.dtype):
        kind = TimeVariable if isinstance(series.dtype, nw.Date | nw.Datetime) else ContinuousVariable
        variable = kind(name, have_date=True, have_time=True) if kind is TimeVariable else kind(name)
        return Feature(variable, np.asarray(numbers_of(series), float))
    code_of: dict[Any, int] = {}
    codes = codes_of_column(series, code_of, name)
    values = [*map(str, code_of)]
    most = min(round(len(series) ** EXPONENT_OF_CATEGORIES), MAX_CATEGORIES)
    if isinstance(series.dtype, nw.String) and len(values) > most:
        texts = np.array([*values, ""], object)
        return Feature(StringVariable(name), texts[np.where(np.isnan(codes), -1, codes).astype(int)])
    order = sorted(range(len(values)), key=values.__getitem__)
    rank_of_code = np.full(len(values) + 1, np.nan)
    rank_of_code[order] = np.arange(len(order))
    in_order = rank_of_code[np.where(np.isnan(codes), -1, codes).astype(int)]
    return Feature(DiscreteVariable(name, tuple(values[k] for k in order)), in_order)


def _without_infinite(values: Any) -> Any:
    """Return values (n, p) with NaN, missing, in place of infinite ones, as all readers of Orange's tables do."""
    if sp.issparse(values):
        values.data[np.isinf(values.data)] = np.nan
        return values
    values = np.array(values, float)
    values[np.isinf(values)] = np.nan
    return cast("np.ndarray", values)
