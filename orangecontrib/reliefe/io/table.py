"""A parsed ARFF file as Orange's Table."""

import warnings
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import cast

import numpy as np
import scipy.sparse as sp
from Orange.data import ContinuousVariable, DiscreteVariable, Domain, StringVariable, Table, Variable

from ..orange.ranking import InfiniteValues
from ..orange.targets import close, mark
from ..tabular.limits import MAX_CELLS, limit, limit_sentence
from .arff import Arff, parse
from .clus import read_hierarchy
from .header import HIERARCHICAL, NOMINAL, TEXT, Attribute
from .roles import Roles, roles, stem_of

LABEL = ("0", "1")
NAMELESS = "?"
DENSE_FROM = 0.25  # share of values that are not 0 from which sparse rows make a dense table
DECIMALS, SAMPLE = 5, 1000  # most decimals that Orange shows, and values of a column that show how many


def read_arff(path: str | Path, base: int | None = None) -> Table:
    """Read a file of Weka, Mulan, MEKA, CLUS or KEEL, which may be compressed, with the files of the same name beside.

    base: 0 or 1, the number of the first column in sparse rows; the default is to detect it.  Targets become class
    variables; texts, dates, keys and disabled columns become metas.  Each node of a hierarchy becomes a class variable
    with the values "0" and "1", marked by `orange.targets.mark`.  A row's labels include all their ancestors, and are
    missing in a row without labels.  Rows in braces make a sparse X if less than a quarter of the values are not 0.
    """
    arff = parse(path, base)
    table = to_table(arff, roles(arff, path))
    table.name = stem_of(path).name
    return table


def to_table(arff: Arff, roles: Roles) -> Table:
    """`arff` with the columns in their roles; names that occur twice get numbers."""
    used = {*roles.targets, *roles.aside}
    features = [j for j, a in enumerate(arff.attributes) if a.kind not in (TEXT, HIERARCHICAL) and j not in used]
    targets = set(roles.targets)
    aside = [j for j, a in enumerate(arff.attributes)
             if j not in targets and (j in used or a.kind in (TEXT, HIERARCHICAL))]  # fmt: skip
    X = arff.values[:, features] if len(features) < len(arff.attributes) else arff.values
    if sp.issparse(X) and cast("sp.csr_matrix", X).nnz >= DENSE_FROM * X.shape[0] * X.shape[1]:
        X = cast("sp.csr_matrix", X).toarray()
    classes, Y, parents = _targets(arff, roles)
    attributes = [arff.attributes[j] for j in features]
    metas = [arff.attributes[j] for j in aside]
    nodes = [variable for variable, above in zip(classes, parents, strict=True) if above is not None]
    names = _unique([a.name for a in (*attributes, *metas)], classes, nodes)
    attributes = [_variable(a, name, d) for a, name, d in zip(attributes, names, _decimals(X), strict=False)]
    metas = [_variable(a, name, None) for a, name in zip(metas, names[len(attributes) :], strict=True)]
    if nodes:
        with arff.location(arff.attributes[roles.targets[0]].line).refusing():
            mark(nodes, [above for above in parents if above is not None])
    stored = [cast("sp.csr_matrix", values).data if sp.issparse(values) else values for values in (X, Y)]
    endless = sum(int(np.isinf(values).sum()) for values in stored)
    if endless:
        warnings.warn(InfiniteValues(endless), stacklevel=2)
    return Table.from_numpy(Domain(attributes, classes, metas), X, Y, _metas(arff, aside), arff.weights)


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
        values = stored[:: max(len(stored) // SAMPLE, 1)]
        return _decimals_of(values[:, np.newaxis]) * cast("int", X.shape[1])
    sample = X[:: max(len(X) // SAMPLE, 1)]
    return [
        found for first in range(0, X.shape[1], SAMPLE) for found in _decimals_of(sample[:, first : first + SAMPLE])
    ]


def _decimals_of(values: np.ndarray) -> list[int | None]:
    """For each column of `values` (m, p) the fewest decimals that keep what is finite, None: more than `DECIMALS`."""
    values = np.where(np.isfinite(values), values, 0)
    found: list[int | None] = [None] * values.shape[1]
    left = np.arange(values.shape[1])
    for decimals in range(DECIMALS + 1):
        with np.errstate(over="ignore", invalid="ignore"):
            off = np.abs(np.round(values[:, left], decimals) - values[:, left])
        same = (off <= 4 * np.finfo(float).eps * np.abs(values[:, left])).all(axis=0)
        for j in left[same].tolist():
            found[j] = decimals
        left = left[~same]
    return found


def _unique(names: list[str], classes: list[Variable], nodes: list[Variable]) -> list[str]:
    """`names` with numbers where they occur twice; class variables are renamed in place, but not nodes.

    The names of nodes are the paths to them.
    """
    fixed = set(map(id, nodes))
    free = [k for k, variable in enumerate(classes) if id(variable) not in fixed]
    names = [name or NAMELESS for name in (*names, *(classes[k].name for k in free))]
    taken = {*names, *(variable.name for variable in nodes)}
    often = Counter(names) + Counter(variable.name for variable in nodes)
    last: dict[str, int] = {}
    for k, name in enumerate(names):
        if often[name] > 1:
            last[name] = last.get(name, 0) + 1
            while f"{name} ({last[name]})" in taken:
                last[name] += 1
            names[k] = f"{name} ({last[name]})"
            taken.add(names[k])
    for k, name in zip(free, names[len(names) - len(free) :], strict=True):
        classes[k] = classes[k] if classes[k].name == name else classes[k].renamed(name)
    return names[: len(names) - len(free)]


def _targets(arff: Arff, roles: Roles) -> tuple[list[Variable], np.ndarray, list[tuple[int, ...] | None]]:
    """Variables of the targets, their values (n, t), and their parents or None; a hierarchical one makes many."""
    parents: list[tuple[int, ...] | None]
    variables, parents, blocks = [], [], []
    plain = [j for j in roles.targets if arff.attributes[j].kind != HIERARCHICAL]
    columns, Y = iter(range(len(plain))), _columns(arff, plain, "targets", 1)
    for j in roles.targets:
        attribute = arff.attributes[j]
        if attribute.kind == HIERARCHICAL:
            names, above, labels = read_hierarchy(arff, j, roles.settings)
            variables += [DiscreteVariable(name, LABEL) for name in names]
            parents += above
            blocks.append(labels)
            continue
        k = next(columns)
        name = attribute.name or NAMELESS
        if attribute.kind == TEXT:
            attribute, Y[:, k] = _classes_of_texts(attribute, arff.texts[j])
        variables.append(_label(attribute, Y[:, k]) if roles.labels else _variable(attribute, name, None))
        parents.append(None)
        blocks.append(Y[:, k : k + 1])
    if len(plain) < len(roles.targets):
        Y = np.hstack(blocks) if plain else blocks[0]
    if roles.parents is not None:
        close(Y, roles.parents)
        parents = list(roles.parents)
    return variables, Y, parents


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
    numbers = [j for j in columns if j not in arff.texts]
    values = _columns(arff, numbers, "metas, each of four times 8 bytes,", 4)
    metas, k = np.empty((len(arff), len(columns)), dtype=object), 0
    for column, j in enumerate(columns):
        if j in arff.texts:
            metas[:, column] = ["" if text is None else text for text in arff.texts[j]]
        else:
            metas[:, column] = values[:, k]
            k += 1
    return metas
