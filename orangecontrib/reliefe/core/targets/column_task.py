"""Rule that decides whether one column of a target is classes or a number, for arrays, estimators, tables and files.

`reader.py` asks it for arrays and frames, `orange/conversion.py` for tables, and `command/frames.py` for files.

Bools, texts and categories are classes, and numbers with fractions are a number. Whole numbers may be either. They
are a number if they have more than MAX_CODES different values, or fewer than MIN_CLASS_ROWS rows a value on average.
Otherwise their type decides: integers are classes, and floats, as numeric columns of tables and files are, a number
where the method takes one. The caller's task goes before all of this, and whatever was assumed is said.
"""

from typing import NamedTuple

import numpy as np

from .accepts import Accepts
from .columns import TargetColumn
from .tasks import CLASSES, CLASSIFICATION, NUMBERS, REGRESSION, SURVIVAL, natural_task

MAX_CODES = 20  # different whole numbers that may be classes; letters (26) are beyond it, digits (10) are not
MIN_CLASS_ROWS = 3  # rows a class on average, below which a row has hardly a neighbour of its class
MIN_ROWS = 10  # rows with a known target, below which whole numbers are what their type says
WHOLE = "different whole numbers"  # in all notes
AS_CLASSES = 'task="classification" reads them as classes'
CLASSES_BY_TASK = 'say task="classification" if they are codes of classes'


class ColumnTask(NamedTuple):
    """Task of a column.

    Attributes
    ----------
    task : str
        Name of the task.
    assumption : str
        Sentence on what was assumed; "" if the values or the caller leave no doubt.
    advice : str
        How it is read in another way; "" if it cannot be.
    """

    task: str
    assumption: str = ""
    advice: str = ""

    @property
    def note(self) -> str:
        """The assumption and the advice in one sentence; "" without doubt."""
        return f"{self.assumption}; {self.advice}" if self.advice else self.assumption


class WholeNumbers(NamedTuple):
    """Whole numbers of a column.

    Attributes
    ----------
    n_values : int
        Different values.
    n_rows : int
        Rows with a value.
    """

    n_values: int
    n_rows: int

    @property
    def are_number(self) -> bool:
        """True if there are too many values, or too few rows a value, for classes."""
        if self.n_rows < MIN_ROWS:
            return False
        return self.n_values > MAX_CODES or self.n_rows < MIN_CLASS_ROWS * self.n_values

    def __str__(self) -> str:
        return f"the target has {self.n_values:,} {WHOLE} in {self.n_rows:,} rows"


def whole_numbers(column: TargetColumn) -> WholeNumbers | None:
    """Count the different values of a column of whole numbers, integers or floats; None for all other columns."""
    values = column.values[column.known]
    if values.dtype.kind not in "iuf" or (values != np.floor(values)).any():
        return None
    return WholeNumbers(len(np.unique(values)), len(values))


def task_of_column(column: TargetColumn, accepts: Accepts, task: str | None = None) -> ColumnTask:
    """Return the task of a column, and say what was assumed.

    Parameters
    ----------
    column : TargetColumn
        Values of the target.
    accepts : Accepts
        Targets that the method takes.
    task : str, optional
        Task that the caller names.

    Raises
    ------
    ValueError
        If the method does not take the task, or the values do not fit it.
    """
    integers = whole_numbers(column)
    has_numbers = column.values.dtype.kind == "f" or (integers is not None and integers.are_number)
    natural = natural_task([NUMBERS if has_numbers else CLASSES])
    accepted = [kind for kind in accepts.tasks if kind in (CLASSIFICATION, REGRESSION)]
    kind = task or (natural if natural in accepted or not accepted else accepted[0])
    accepts.check(kind, ": give y as Survival(time, event)" if accepts.tasks == (SURVIVAL,) else "")
    if kind == REGRESSION and column.has_texts:
        raise ValueError(f"y holds texts; {accepts.method} needs numbers")
    if task is not None or CLASSIFICATION not in accepted:
        return ColumnTask(kind)
    if kind == CLASSIFICATION and natural == REGRESSION:
        _check_codes(integers, accepts)
    is_decided = natural == kind == CLASSIFICATION or (
        column.values.dtype.kind == "f" and integers and integers.are_number
    )
    return ColumnTask(kind) if integers is None or is_decided else _assumed(integers, kind, accepts)


def _check_codes(integers: WholeNumbers | None, accepts: Accepts) -> None:
    """Raise ValueError for a number that a method for classes cannot take."""
    refusal = f"{accepts.method} is for {CLASSIFICATION}, not for {REGRESSION}"
    if integers is None:
        raise ValueError(f"{refusal}: y holds numbers with fractions; classes are texts, categories, integers or bools")
    if integers.are_number:
        raise ValueError(
            f"{refusal}: {integers}, too many for classes. Rank a number by multisurf, or {CLASSES_BY_TASK}"
        )


def _assumed(integers: WholeNumbers, kind: str, accepts: Accepts) -> ColumnTask:
    """Say what is assumed of whole numbers that are read for a task without the caller's word."""
    if integers.n_values < 2:
        return ColumnTask(kind)
    if kind == CLASSIFICATION:
        is_clear = integers.n_values == 2
        return ColumnTask(
            kind, "" if is_clear else f"{integers}. {accepts.method} needs classes, and reads each as a class"
        )
    reason = ", too many for classes" if integers.are_number else ""
    return ColumnTask(kind, f"{integers}{reason}. It is read as a number", AS_CLASSES)
