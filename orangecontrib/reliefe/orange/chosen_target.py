"""Targets that a user chooses among the columns of a table: one column, or a time and its event.

The box of targets of the rankers (`widgets/ranker/columnsbox.py`) calls this file with the table on the input.
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from Orange.data import DiscreteVariable, Domain, Table, Variable

from ..core.targets.unmarked import time_and_event, times_of_status
from ..core.words import shown
from .problem import SURVIVAL, texts_like_classes
from .targets import EVENT_VALUE, MARK, are_times

MAX_EVENT_VALUES = 20  # different values of a status that are offered; chosen by eye


class ChosenTimes(NamedTuple):
    """Columns that are read as times with censoring.

    time : name of the number
    event : name of the column that says whether the event was seen
    event_value : value that says so, while all others are censored; empty if known words decide
    """

    time: str
    event: str
    event_value: str = ""


def possible_targets(data: Table) -> list[str]:
    """Names of the columns that may be targets, features last: categories, numbers, and texts that repeat."""
    texts = set(texts_like_classes(data))
    return [v.name for v in _columns(data) if not v.is_string or v.name in texts]


def possible_times(data: Table) -> list[str]:
    """Names of the columns that are numbers, features last."""
    return [v.name for v in _columns(data) if v.is_continuous]


def with_target(data: Table, name: str) -> Table:
    """The data with one column as the target, texts as categories; former targets become metas."""
    variable = data.domain[name]
    return _with_class_vars(data, [variable], [_as_category(data, variable)])


def with_times(data: Table, chosen: ChosenTimes) -> Table:
    """The data with a time and an event as the target, marked as Orange's *As Survival Data* does.

    Former targets become metas. The variables are copies, so that those of the caller stay unmarked.
    """
    time, event = (data.domain[name] for name in (chosen.time, chosen.event))
    marked_time = time.copy()
    marked_time.attributes = {**time.attributes, MARK: "time"}
    marked_event = _as_category(data, event).copy()
    marked_event.attributes = {**event.attributes, MARK: "event"}
    if chosen.event_value:
        marked_event.attributes[EVENT_VALUE] = chosen.event_value
    return _with_class_vars(data, [time, event], [marked_time, marked_event])


def event_values(data: Table, name: str) -> list[str]:
    """Values of the column of an event; none if there are too many to choose from."""
    variable = data.domain[name]
    column = data.get_column(variable)
    if variable.is_string:
        values = _texts(data, variable)
    elif variable.is_discrete:
        values = [variable.values[int(code)] for code in np.unique(column[~np.isnan(column)])]
    else:
        values = [variable.str_val(value) for value in np.unique(column[~np.isnan(column)])]
    return values if len(values) <= MAX_EVENT_VALUES else []


def find_times(data: Table) -> tuple[str, str] | None:
    """Find a time and its event in data whose target is both, or the event alone, without a mark.

    Parameters
    ----------
    data : Table
        The data.

    Returns
    -------
    tuple of str, or None
        Names of the time and of the event. None if nothing looks like it.
    """
    class_vars = data.domain.class_vars
    if are_times(class_vars):
        return None
    if len(class_vars) == 2:
        return time_and_event({variable.name: _known_values(data, variable) for variable in class_vars})
    if len(class_vars) != 1 or not class_vars[0].is_discrete:
        return None
    (status,) = class_vars
    features = data.domain.attributes
    nominal = np.array([variable.is_discrete for variable in features], bool)
    levels = np.unique(_known_values(data, status)).tolist()
    times = times_of_status(status.name, levels, [variable.name for variable in features], data.X, nominal)
    return (times[0], status.name) if times else None


def text_of_times(targets: Sequence[Variable]) -> str:
    """Line of a report on a time and an event that are marked: 'days' until 'status' is 'dead' (task="survival")."""
    event, time = sorted(targets, key=lambda variable: variable.attributes[MARK])
    value = event.attributes.get(EVENT_VALUE)
    state = f" is {shown(value)}" if value else ""
    return f'times with censoring: {shown(time.name)} until {shown(event.name)}{state} (task="{SURVIVAL}")'


def _columns(data: Table) -> tuple[Variable, ...]:
    """All columns, features last: there may be thousands of them."""
    domain = data.domain
    return (*domain.class_vars, *domain.metas, *domain.attributes)


def _with_class_vars(data: Table, chosen: list[Variable], class_vars: list[Variable]) -> Table:
    """The data with these class variables, made of the chosen columns; former targets become metas."""
    domain = data.domain
    names = {variable.name for variable in chosen}
    metas = [v for v in (*domain.metas, *domain.class_vars) if v.name not in names]
    return data.transform(Domain([v for v in domain.attributes if v.name not in names], class_vars, metas))


def _as_category(data: Table, variable: Variable) -> Variable:
    """The variable, or a category that is made of it if it is text."""
    if not variable.is_string:
        return variable
    texts = _texts(data, variable)
    codes = {text: code for code, text in enumerate(texts)}
    from Orange.preprocess.transformation import MappingTransform  # it loads scikit-learn

    category = DiscreteVariable(variable.name, texts, compute_value=MappingTransform(variable, codes))
    category.attributes = dict(variable.attributes)
    return category


def _texts(data: Table, variable: Variable) -> list[str]:
    """Different known texts of a column, in order."""
    return sorted({str(text) for text in data.get_column(variable)} - {"", "?"})


def _known_values(data: Table, variable: Variable) -> np.ndarray:
    """Known values of a class variable: numbers, or names of categories."""
    column = np.asarray(data.get_column(variable), float)
    known_values = column[~np.isnan(column)]
    return np.array(variable.values)[known_values.astype(int)] if variable.is_discrete else known_values
