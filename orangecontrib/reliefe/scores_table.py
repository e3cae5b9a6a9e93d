"""Scores of features as a table of Orange."""

from collections.abc import Mapping, Sequence

import numpy as np
from Orange.data import ContinuousVariable, Domain, StringVariable, Table, Variable
from Orange.data.util import get_unique_names

FEATURE = "Feature"  # the meta that holds the names
FACT = "fact"  # attribute of a numeric variable that says something else than a score, such as a position
BETTER, LOWER = "better", "lower"  # attribute of a numeric variable of which lower values are better, and its value
LOWER_TITLES = ("p", "q", "position", "rank")  # what such variables are called


def numeric(name: str, title: str | None = None) -> ContinuousVariable:
    """A variable for numbers with a title, which is its name unless that was taken; marked if lower is better."""
    variable = ContinuousVariable(name)
    if (title or name).casefold() in LOWER_TITLES:
        variable.attributes[BETTER] = LOWER
    return variable


def lower_is_better(variable: Variable) -> bool:
    """True if lower values are better; the name decides for a variable that lost its mark in a file."""
    better: object = variable.attributes.get(BETTER, LOWER if variable.name.casefold() in LOWER_TITLES else "")
    return better == LOWER


def scores_table(
    names: Sequence[str], columns: Mapping[str, np.ndarray], tests: Mapping[str, np.ndarray] | None = None
) -> Table:
    """Scores as a table.

    Parameters
    ----------
    names : sequence of str, length p
        Of the features, for the meta "Feature".
    columns : mapping
        Scores (p,) by title: numeric attributes.
    tests : mapping, optional
        Further numbers (p,) by title, NaN = unknown, such as p-values: numeric metas.

    Returns
    -------
    Table
        A row for each feature.
    """
    titles = [FEATURE]
    for title in (*columns, *(tests or {})):
        titles.append(get_unique_names(titles, title))
    variables = [ContinuousVariable(name) for name in titles[1 : len(columns) + 1]]
    variables += [numeric(name, title) for name, title in zip(titles[len(columns) + 1 :], tests or (), strict=True)]
    domain = Domain(variables[: len(columns)], metas=[StringVariable(FEATURE), *variables[len(columns) :]])
    X = np.column_stack([np.asarray(scores, dtype=float) for scores in columns.values()] or [np.empty((len(names), 0))])
    metas = np.column_stack([np.array(names, dtype=object), *(tests or {}).values()])
    table = Table.from_numpy(domain, X, metas=metas)
    table.name = "Feature scores"
    return table
