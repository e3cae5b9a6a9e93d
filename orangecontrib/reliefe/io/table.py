"""A parsed ARFF file as Orange's Table.

`read_arff` is called by scripts, and by `writing.ArffFormat` for the widget File.
"""

import warnings
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple, cast

import numpy as np
import scipy.sparse as sp
from Orange.data import ContinuousVariable, DiscreteVariable, Domain, StringVariable, Table, Variable

from ..core.data.limits import MAX_CELLS, limit, limit_sentence
from ..orange.table_checks import InfiniteValues
from ..orange.targets import close, mark
from .arff import Arff, parse
from .clus import read_hierarchy
from .header import HIERARCHICAL, NOMINAL, TEXT, Attribute
from .roles import ColumnRoles, roles, stem_of

LABEL = ("0", "1")
NAMELESS = "?"
DENSE_FROM = 0.25  # share of values that are not 0 from which sparse rows make a dense table
MAX_DECIMALS = 5  # that Orange shows
SAMPLE_SIZE = 1000  # values of a column that show how many decimals it needs; chosen by eye


def read_arff(path: str | Path, base: int | None = None) -> Table:
    """Read a file of Weka, Mulan, MEKA, CLUS or KEEL, with the files of the same name beside it.

    Targets become class variables. Texts, dates, keys and disabled columns become metas. Each node of a hierarchy
    becomes a class variable with the values "0" and "1", marked by `orange.targets.mark`. The labels of a row include
    all their ancestors, and are missing in a row without labels. X is sparse if rows are in braces and less than a
    quarter of the values are not 0.

    Parameters
    ----------
    path : str or Path
        Path of the file, which may be compressed.
    base : int, optional
        Number of the first column in sparse rows, 0 or 1. None: it is detected.

    Returns
    -------
    Table
        The table.

    Raises
    ------
    ValueError
        If the file cannot be read; the message has line and column.
    """
    arff = parse(path, base)
    table = to_table(arff, roles(arff, path))
    table.name = stem_of(path).name
    return table


def to_table(arff: Arff, roles: ColumnRoles) -> Table:
    """Convert the contents of a file to a table, with its columns in their roles. Names that occur twice get
    numbers."""  # Columns of features and of metas.
    no_features = {*roles.targets, *roles.excluded}
    no_features |= {j for j, attribute in enumerate(arff.attributes) if attribute.kind in (TEXT, HIERARCHICAL)}
    features = [j for j in range(len(arff.attributes)) if j not in no_features]
    meta_columns = sorted(no_features.difference(roles.targets))
    X = arff.values[:, features] if len(features) < len(arff.attributes) else arff.values
    if sp.issparse(X) and cast("sp.csr_matrix", X).nnz >= DENSE_FROM * X.shape[0] * X.shape[1]:
        X = cast("sp.csr_matrix", X).toarray()

    # Variables.
    targets = _targets(arff, roles)
    pairs = zip(targets.variables, targets.parents, strict=True)
    nodes = [variable for variable, parents in pairs if parents is not None]
    declared = [arff.attributes[j] for j in (*features, *meta_columns)]
    names = _unique([attribute.name for attribute in declared], targets.variables, nodes)
    decimals = [*_decimals(X), *[None] * len(meta_columns)]
    variables = [_variable(*columns) for columns in zip(declared, names, decimals, strict=True)]
    if nodes:
        with arff.location(arff.attributes[roles.targets[0]].line).refusing():
            mark(nodes, [parents for parents in targets.parents if parents is not None])
    domain = Domain(variables[: len(features)], targets.variables, variables[len(features) :])

    stored = [cast("sp.csr_matrix", values).data if sp.issparse(values) else values for values in (X, targets.Y)]
    n_infinite = sum(int(np.isinf(values).sum()) for values in stored)
    if n_infinite:
        warnings.warn(InfiniteValues(n_infinite), stacklevel=2)
    return Table.from_numpy(domain, X, targets.Y, _metas(arff, meta_columns), arff.weights)


class _Targets(NamedTuple):
    """Class variables and their values.

    Attributes
    ----------
    variables : list of Variable
        The t class variables.
    Y : (n, t) float64 array
        Their values.
    parents : list of tuple of int or None
        Indices of the parents of each node of a hierarchy; None for other variables.
    """

    variables: list[Variable]
    Y: np.ndarray
    parents: list[tuple[int, ...] | None]


def _variable(attribute: Attribute, name: str, decimals: int | None) -> Variable:
    if attribute.kind in (TEXT, HIERARCHICAL):
        return StringVariable(name)
    if attribute.kind == NOMINAL:
        return DiscreteVariable(name, attribute.values)
    return ContinuousVariable(name, decimals)


def _decimals(X: np.ndarray | sp.csr_matrix) -> list[int | None]:
    """Number of decimals that each column needs; formats that ask the variable would else write six digits."""
    if sp.issparse(X):
        stored: np.ndarray = cast("sp.csr_matrix", X).data
        values = stored[:: max(len(stored) // SAMPLE_SIZE, 1)]
        return _decimals_of(values[:, np.newaxis]) * cast("int", X.shape[1])
    sample = X[:: max(len(X) // SAMPLE_SIZE, 1)]
    decimals: list[int | None] = []
    for first in range(0, X.shape[1], SAMPLE_SIZE):
        decimals += _decimals_of(sample[:, first : first + SAMPLE_SIZE])
    return decimals


def _decimals_of(values: np.ndarray) -> list[int | None]:
    """Fewest decimals, for each column of `values` (m, p), that keep all finite values; None: over `MAX_DECIMALS`."""
    values = np.where(np.isfinite(values), values, 0)
    decimals: list[int | None] = [None] * values.shape[1]
    undecided = np.arange(values.shape[1])
    for number in range(MAX_DECIMALS + 1):
        columns = values[:, undecided]
        with np.errstate(over="ignore", invalid="ignore"):
            rounding = np.abs(np.round(columns, number) - columns)
        suffices = (rounding <= 4 * np.finfo(float).eps * np.abs(columns)).all(axis=0)
        for j in undecided[suffices].tolist():
            decimals[j] = number
        undecided = undecided[~suffices]
    return decimals


def _unique(names: list[str], classes: list[Variable], nodes: list[Variable]) -> list[str]:
    """`names` with numbers where they occur twice; class variables are renamed in place, but not nodes.

    The names of nodes are the paths to them.
    """
    fixed = set(map(id, nodes))
    renamable = [k for k, variable in enumerate(classes) if id(variable) not in fixed]
    names = [name or NAMELESS for name in (*names, *(classes[k].name for k in renamable))]
    used_names = {*names, *(variable.name for variable in nodes)}
    counts = Counter(names) + Counter(variable.name for variable in nodes)
    last: dict[str, int] = {}
    for k, name in enumerate(names):
        if counts[name] > 1:
            last[name] = last.get(name, 0) + 1
            while f"{name} ({last[name]})" in used_names:
                last[name] += 1
            names[k] = f"{name} ({last[name]})"
            used_names.add(names[k])
    for k, name in zip(renamable, names[len(names) - len(renamable) :], strict=True):
        classes[k] = classes[k] if classes[k].name == name else classes[k].renamed(name)
    return names[: len(names) - len(renamable)]


def _targets(arff: Arff, roles: ColumnRoles) -> _Targets:
    """Class variables of the targets; a hierarchical target becomes one for each node."""
    variables: list[Variable] = []
    parents: list[tuple[int, ...] | None] = []
    blocks: list[np.ndarray] = []  # values of each target
    columns = [j for j in roles.targets if arff.attributes[j].kind != HIERARCHICAL]
    Y = _columns(arff, columns, "targets", 1)
    columns_of_Y = iter(Y.T)  # views
    for j in roles.targets:
        attribute = arff.attributes[j]
        if attribute.kind == HIERARCHICAL:
            hierarchy = read_hierarchy(arff, j, roles.settings)
            variables += [DiscreteVariable(name, LABEL) for name in hierarchy.names]
            parents += hierarchy.parents
            blocks.append(hierarchy.labels)
            continue
        column = next(columns_of_Y)
        name = attribute.name or NAMELESS
        if attribute.kind == TEXT:
            attribute, column[:] = _classes_of_texts(attribute, arff.texts[j])
        variables.append(_label(attribute, column) if roles.labels else _variable(attribute, name, None))
        parents.append(None)
        blocks.append(column[:, np.newaxis])
    if len(columns) < len(roles.targets):
        Y = np.hstack(blocks) if columns else blocks[0]
    if roles.parents is not None:
        close(Y, roles.parents)
        parents = list(roles.parents)
    return _Targets(variables, Y, parents)


def _classes_of_texts(attribute: Attribute, texts: np.ndarray) -> tuple[Attribute, np.ndarray]:
    """A nominal attribute whose values are the different texts, in their order, and the codes (n,) of the rows."""
    values = sorted({text for text in texts if text is not None})
    codes = {text: code for code, text in enumerate(values)}
    column = np.array([codes.get(text, np.nan) for text in texts], dtype=float)
    return replace(attribute, kind=NOMINAL, values=tuple(values)), column


def _label(attribute: Attribute, column: np.ndarray) -> Variable:
    """A target of 0 and 1, nominal in any order or numeric, with the values "0" and "1" in this order.

    column: its values, whose codes are changed in place.
    """
    name = attribute.name or NAMELESS
    if attribute.kind == NOMINAL:
        if attribute.values == LABEL or not attribute.values or not set(attribute.values) <= set(LABEL):
            return _variable(attribute, name, None)
        numbers = np.array([*map(float, attribute.values), np.nan])
        column[:] = numbers[np.where(np.isnan(column), -1, column).astype(int)]
    elif not np.isin(column[~np.isnan(column)], (0, 1)).all():
        return _variable(attribute, name, None)
    return DiscreteVariable(name, LABEL)


def _columns(arff: Arff, columns: Sequence[int], what: str, size: int) -> np.ndarray:
    """(n, columns) a copy of the values; raises ValueError where those of sparse rows would take too much.

    what: they become, of this size, in times of 8 bytes.
    """
    if not sp.issparse(arff.values):
        return np.take(arff.values, columns, axis=1)
    if size * len(arff) * len(columns) > limit(MAX_CELLS):
        error = f"{len(arff):,} sparse rows of {len(columns):,} {what} are {limit_sentence(MAX_CELLS)}"
        raise arff.location(arff.attributes[columns[0]].line).error(1, error)
    return cast("np.ndarray", cast("sp.csr_matrix", arff.values)[:, columns].toarray())


def _metas(arff: Arff, columns: Sequence[int]) -> np.ndarray:
    """Metas (n, columns), an object array of texts and numbers."""
    numeric = [j for j in columns if j not in arff.texts]
    numbers = iter(_columns(arff, numeric, "metas, each of four times 8 bytes,", 4).T)
    metas = np.empty((len(arff), len(columns)), dtype=object)
    for k, j in enumerate(columns):
        if j in arff.texts:
            metas[:, k] = ["" if text is None else text for text in arff.texts[j]]
        else:
            metas[:, k] = next(numbers)
    return metas
