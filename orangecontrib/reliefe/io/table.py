"""A parsed ARFF file as Orange's Table."""

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import scipy.sparse as sp
from Orange.data import ContinuousVariable, DiscreteVariable, Domain, StringVariable, Table, Variable
from Orange.data.util import get_unique_names, get_unique_names_duplicates

from ..hierarchies import closed, mark
from .arff import Arff, parse
from .clus import read_hierarchy
from .header import HIERARCHICAL, NOMINAL, TEXT, Attribute
from .roles import Roles, roles, stem_of

LABEL = ("0", "1")
NAMELESS = "?"
DENSE_FROM = 0.25  # share of values that are not 0 from which sparse rows make a dense table
DECIMALS, SAMPLE = 5, 1000  # most decimals that Orange shows, and values of a column that tell how many


def read_arff(path: str | Path, base: int | None = None) -> Table:
    """Read a file of Weka, Mulan, MEKA, CLUS or KEEL, which may be compressed, with the files of the same name beside.

    base: 0 or 1, the number of the first column in sparse rows, if it should not be found out.  Targets become class
    variables; texts and dates, keys and disabled columns metas; each node of a hierarchy a class variable with the
    values "0" and "1", marked by `hierarchies.mark`, where a row's labels include all that are above them and are
    unknown in a row without labels.  Rows in braces make a sparse X if less than a quarter of the values are not 0.
    Raises ValueError with the place of what cannot be read.
    """
    arff = parse(path, base)
    table = to_table(arff, roles(arff, path))
    table.name = stem_of(path).name
    return table


def to_table(arff: Arff, roles: Roles) -> Table:
    """`arff` with the columns in their roles; names that occur twice get numbers."""
    used = {*roles.targets, *roles.aside}
    features = [j for j, a in enumerate(arff.attributes) if a.kind not in (TEXT, HIERARCHICAL) and j not in used]
    aside = [j for j, a in enumerate(arff.attributes)
             if j not in roles.targets and (j in roles.aside or a.kind in (TEXT, HIERARCHICAL))]  # fmt: skip
    X = arff.values[:, features] if len(features) < len(arff.attributes) else arff.values
    if sp.issparse(X) and X.nnz >= DENSE_FROM * X.shape[0] * X.shape[1]:
        X = X.toarray()
    attributes = [_variable(arff.attributes[j], decimals) for j, decimals in zip(features, _decimals(X), strict=True)]
    classes, Y, parents = _targets(arff, roles)
    metas = [StringVariable(a.name or NAMELESS) if j in arff.texts else _variable(a, None)
             for j, a in ((j, arff.attributes[j]) for j in aside)]  # fmt: skip
    nodes = [variable for variable, above in zip(classes, parents, strict=True) if above is not None]
    _make_unique([attributes, classes, metas], nodes)
    if nodes:
        mark(nodes, [above for above in parents if above is not None])
    domain = Domain(attributes, classes, metas)
    return Table.from_numpy(domain, X, Y, _metas(arff, aside), arff.weights)


def _variable(attribute: Attribute, decimals: int | None) -> Variable:
    if attribute.kind == NOMINAL:
        return DiscreteVariable(attribute.name or NAMELESS, attribute.values)
    return ContinuousVariable(attribute.name or NAMELESS, decimals)


def _decimals(X: np.ndarray | sp.csr_matrix) -> list[int | None]:
    """How many decimals each column needs; formats that ask the variable would else write six digits."""
    if not sp.issparse(X):
        sample = X[:: max(len(X) // SAMPLE, 1)]
        return [_decimals_of(column[np.isfinite(column)]) for column in sample.T]
    values = X.data[:: max(len(X.data) // SAMPLE, 1)]
    return [_decimals_of(values[np.isfinite(values)])] * X.shape[1]


def _decimals_of(values: np.ndarray) -> int | None:
    with np.errstate(over="ignore"):
        for decimals in range(DECIMALS + 1):
            if np.allclose(np.round(values, decimals), values, rtol=4 * np.finfo(float).eps, atol=0):
                return decimals
    return None


def _make_unique(groups: list[list[Variable]], nodes: Sequence[Variable]) -> None:
    """Rename the variables in place where a name occurs twice, but not nodes: their names tell the path."""
    fixed, kept = {id(variable) for variable in nodes}, {variable.name for variable in nodes}
    names = [variable.name for group in groups for variable in group if id(variable) not in fixed]
    unique = iter(get_unique_names_duplicates(names))
    for group in groups:
        for k, variable in enumerate(group):
            if id(variable) not in fixed:
                name = next(unique)
                name = get_unique_names([*kept, *names], name) if name in kept else name
                group[k] = variable if variable.name == name else variable.renamed(name)


def _targets(arff: Arff, roles: Roles) -> tuple[list[Variable], np.ndarray, list[tuple[int, ...] | None]]:
    """Variables of the targets, their values (n, t), and their parents or None; a hierarchical one makes many."""
    variables, columns, parents = [], [], []
    for j in roles.targets:
        attribute = arff.attributes[j]
        if attribute.kind == HIERARCHICAL:
            names, above, labels = read_hierarchy(arff, j, roles.settings)
            variables += [DiscreteVariable(name, LABEL) for name in names]
            columns.append(labels)
            parents += above
            continue
        column = _column(arff, j)
        variable, column = _label(attribute, column) if roles.labels else (_variable(attribute, None), column)
        variables.append(variable)
        columns.append(column[:, np.newaxis])
        parents.append(None)
    Y = np.hstack(columns) if columns else np.empty((len(arff), 0))
    if roles.parents is not None:
        return variables, closed(Y, roles.parents), list(roles.parents)
    return variables, Y, parents


def _label(attribute: Attribute, column: np.ndarray) -> tuple[Variable, np.ndarray]:
    """A target of 0 and 1, nominal in any order or numeric, with the values "0" and "1" in this order."""
    if attribute.kind == NOMINAL:
        if attribute.values == LABEL or not attribute.values or not set(attribute.values) <= set(LABEL):
            return _variable(attribute, None), column
        numbers = np.array([*map(float, attribute.values), np.nan])
        column = numbers[np.where(np.isnan(column), -1, column).astype(int)]
    elif not np.isin(column[~np.isnan(column)], (0, 1)).all():
        return _variable(attribute, None), column
    return DiscreteVariable(attribute.name, LABEL), column


def _column(arff: Arff, j: int) -> np.ndarray:
    column = arff.values[:, [j]]
    return (column.toarray() if sp.issparse(column) else column).ravel()


def _metas(arff: Arff, columns: Sequence[int]) -> np.ndarray:
    metas = np.empty((len(arff), len(columns)), dtype=object)
    for k, j in enumerate(columns):
        if j in arff.texts:
            metas[:, k] = ["" if text is None else text for text in arff.texts[j]]
        else:
            metas[:, k] = _column(arff, j)
    return metas
