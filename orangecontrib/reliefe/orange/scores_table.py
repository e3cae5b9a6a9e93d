"""Tables of scores, with a row for each feature.

`TableRanking.to_table`, widgets and the command make them by `scores_table`, and *Ranking Comparison* reads them.
"""

from collections.abc import Mapping, Sequence

import numpy as np
from Orange.data import ContinuousVariable, Domain, StringVariable, Table, Variable
from Orange.data.util import get_unique_names

FEATURE = "Feature"  # name of the meta with the names of features
FACT = "fact"  # attribute of numeric variables that are no scores, for example a position
# Attribute of numeric variables of which lower values are better, and its value
BETTER = "better"
LOWER = "lower"
# Titles of these variables, by which they are recognised in files that do not store attributes
LOWER_TITLES = (
    "p", "q", "own_p", "family_wise", "adds to the others", "adds: q", "adds: by neighbours", "adds: by line",
    "p-value", "q-value", "fdr", "position", "rank", "unadjusted rank",
)  # fmt: skip
SOURCE = "ranked data"  # key in `Table.attributes` of a table of scores: name of the data that were ranked
NAME_OF_SCORES = "Feature scores"


def numeric(name: str, title: str | None = None) -> ContinuousVariable:
    """Make a variable for numbers, marked if lower values are better.

    Parameters
    ----------
    name : str
        Name of the variable.
    title : str, optional
        Title of the numbers, by which they are recognised. None: the name.
    """
    variable = ContinuousVariable(name)
    if _says_lower(title or name):
        variable.attributes[BETTER] = LOWER
    return variable


def lower_is_better(variable: Variable) -> bool:
    """Return True if lower values are better, by the attribute of the variable, or by its name without one."""
    better: object = variable.attributes.get(BETTER, LOWER if _says_lower(variable.name) else "")
    return better == LOWER


def _says_lower(title: str) -> bool:
    """True for titles of numbers of which lower values are better."""
    return title.casefold() in LOWER_TITLES


def scores_table(
    names: Sequence[str],
    columns: Mapping[str, np.ndarray],
    tests: Mapping[str, np.ndarray] | None = None,
    texts: Mapping[str, Sequence[str]] | None = None,
) -> Table:
    """Make a table of scores, with a row for each feature.

    Parameters
    ----------
    names : sequence of str
        Names of the p features.
    columns : mapping of str to (p,) array
        Scores by title, which become attributes.
    tests : mapping of str to (p,) array, optional
        Other numbers by title, for example p-values, which become metas.
    texts : mapping of str to sequence (p,), optional
        Texts by title, which become the last metas.

    Returns
    -------
    Table
        The table.
    """
    titles = [FEATURE]
    tests = tests or {}
    texts = texts or {}
    for title in (*columns, *tests, *texts):
        titles.append(get_unique_names(titles, title))
    first_test = 1 + len(columns)
    first_text = first_test + len(tests)
    variables = [ContinuousVariable(name) for name in titles[1:first_test]]
    metas: list[Variable] = [StringVariable(FEATURE)]
    metas += [numeric(name, title) for name, title in zip(titles[first_test:first_text], tests, strict=True)]
    metas += map(StringVariable, titles[first_text:])
    domain = Domain(variables, metas=metas)
    X = np.column_stack([np.asarray(scores, dtype=float) for scores in columns.values()] or [np.empty((len(names), 0))])
    meta_columns = [names, *tests.values(), *texts.values()]
    cells = np.empty((len(names), len(meta_columns)), dtype=object)
    for k, column in enumerate(meta_columns):
        cells[:, k] = column
    table = Table.from_numpy(domain, X, metas=cells)
    table.name = NAME_OF_SCORES
    return table
