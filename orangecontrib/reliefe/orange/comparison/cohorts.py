"""Tables of scores with p-values, one for each cohort, for the view Replication of Ranking Comparison."""

from collections.abc import Sequence

import numpy as np
from Orange.data import ContinuousVariable, Table

from .comparison import CohortTests
from .named_scores import name_variable, named_rows, source_of

P = "p"  # name of the column of p-values


def cohort_tests(tables: Sequence[Table]) -> list[CohortTests]:
    """Read the p-values of all tables that have any.

    Parameters
    ----------
    tables : sequence of Table
        Tables of scores as they are connected: names of features in a text column, and p-values in a column p.

    Returns
    -------
    list of CohortTests
        In the order of the tables. If a table has a feature twice, the first row counts. Features without a p-value are
        left out.
    """
    tests = []
    for number, table in enumerate(tables, 1):
        variable = name_variable(table)
        p_variable = _p_variable(table)
        if variable is None or p_variable is None:
            continue
        rows = named_rows(table, variable)
        values = np.asarray(table.get_column(p_variable), float)[rows.is_named]
        p_of_feature: dict[str, float] = {}
        for name, p in zip(rows.names, values.tolist(), strict=True):
            if not np.isnan(p):
                p_of_feature.setdefault(name, p)
        if p_of_feature:
            tests.append(CohortTests(f"{number}: {_title(table)}", p_of_feature))
    return tests


def _p_variable(table: Table) -> ContinuousVariable | None:
    """Find the column of p-values."""
    variables = (*table.domain.variables, *table.domain.metas)
    return next((v for v in variables if v.is_continuous and v.name.casefold() == P), None)


def _title(table: Table) -> str:
    """Title of the first score, which is that of its method, and its source; the name of a table without scores."""
    title = next((v.name for v in table.domain.attributes if v.is_continuous), None)
    if title is None:
        return table.name
    source = source_of(table)
    return f"{title} ({source})" if source else title
