"""Counts of a table as presence: values that are not 0 become 1, and features differ if only one of two rows has any.

*Open Data* sends such a table if the user takes the advice on counts. Scores are those of `rank(..., diff="presence")`.
"""

import numpy as np
import scipy.sparse as sp
from Orange.data import ContinuousVariable, Domain, Table, Variable
from Orange.preprocess.transformation import Transformation


class Presence(Transformation):
    """Value of a new variable: 1 where the value of its variable is not 0, also for data that come later."""

    def transform(self, c):
        """Return the presence of values (n,). Overrides Transformation.transform."""
        return presence_of(c)


def presence_of(values):
    """Return 1 where values, dense or sparse, are not 0, and 0 elsewhere; NaN stays NaN."""
    if sp.issparse(values):
        present = values.astype(float, copy=True)
        present.data = presence_of(present.data)
        return present
    values = np.asarray(values, float)
    return np.where(np.isnan(values), np.nan, values != 0)


def with_presence(table: Table) -> Table:
    """Return a table whose numeric features say whether values are there; a sparse table stays sparse."""
    domain = table.domain

    def changed(variable: Variable) -> Variable:
        if not variable.is_continuous:
            return variable
        presence = ContinuousVariable(
            variable.name, number_of_decimals=0, compute_value=Presence(variable), sparse=variable.sparse
        )
        presence.attributes = dict(variable.attributes)
        return presence

    attributes = [changed(variable) for variable in domain.attributes]
    is_number = np.array([variable.is_continuous for variable in domain.attributes], bool)
    if is_number.all():
        X = presence_of(table.X)
    elif sp.issparse(table.X):
        X = table.X.tocsr(copy=True)
        of_numbers = is_number[X.indices]
        X.data[of_numbers] = presence_of(X.data[of_numbers])
    else:
        X = table.X.copy()
        X[:, is_number] = presence_of(X[:, is_number])
    weights = table.W if table.has_weights() else None
    changed_domain = Domain(attributes, domain.class_vars, domain.metas)
    result = Table.from_numpy(
        changed_domain, X, table.Y, table.metas, weights, attributes=table.attributes, ids=table.ids
    )
    result.name = table.name
    return result
