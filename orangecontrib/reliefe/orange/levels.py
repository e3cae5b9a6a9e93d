"""Levels of a hierarchy in columns of a table, joined into paths.

The command calls `with_paths` for several targets of the task hierarchical, as CSV files have them::

    kingdom,class          kingdom/class
    animal,bird      ->    animal/bird
    plant,           ->    plant
"""

from collections.abc import Sequence
from itertools import takewhile
from typing import NamedTuple

import numpy as np
from Orange.data import Domain, StringVariable, Table

from ..core.words import shown

SEPARATOR = "/"
UNKNOWN = "?"  # what Orange's variables write for a missing value


class Paths(NamedTuple):
    """A table with paths.

    Attributes
    ----------
    table : Table
        The table, with a text of paths as a meta in place of the columns of levels.
    name : str
        Name of this text.
    example : str
        The first path.
    """

    table: Table
    name: str
    example: str


def with_paths(table: Table, levels: Sequence[str]) -> Paths:
    """Join columns of levels, the uppermost first, into a text of paths. A path ends before its first missing level.

    Raises ValueError if there is no such column, or a value has the separator of paths in it.
    """
    variables = [table.domain[name] for name in levels]
    columns = [[variable.str_val(value) for value in table.get_column(variable)] for variable in variables]
    for variable, column in zip(variables, columns, strict=True):
        if value := next((value for value in column if SEPARATOR in value), ""):
            raise ValueError(
                f"the value {shown(value)} of {shown(variable.name)} has {SEPARATOR!r} in it, which separates levels: "
                "write another character"
            )
    paths = [SEPARATOR.join(takewhile(UNKNOWN.__ne__, values)) for values in zip(*columns, strict=True)]
    path = StringVariable(SEPARATOR.join(levels))
    domain = table.domain
    remaining_variables = [
        [variable for variable in role if variable not in variables]
        for role in (domain.attributes, domain.class_vars, domain.metas)
    ]
    joined = table.transform(Domain(remaining_variables[0], remaining_variables[1], [*remaining_variables[2], path]))
    joined.name = table.name
    with joined.unlocked(joined.metas):
        joined.metas[:, -1] = np.array(paths, dtype=object)
    return Paths(joined, path.name, next(filter(None, paths), ""))
