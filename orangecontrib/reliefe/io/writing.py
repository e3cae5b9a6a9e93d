"""Writer of ARFF, and the format that Orange opens and saves once this module is imported.

Scripts call `write_arff`. The widgets File and Save Data, `Table("x.arff")` and `table.save("x.arff")` call
`ArffFormat`.
"""

from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import scipy.sparse as sp
from Orange.data import Domain, FileFormat, Table, Variable
from Orange.data.io_util import open_compressed

from ..core.files import replacing
from ..core.words import shown
from ..orange.targets import JOINER, Parents, closed, parents_of
from .clus import LABELS_SEPARATOR, ROOT, Settings, nodes
from .roles import CLASS, TARGETS, labels_in
from .table import read_arff
from .tokens import MISSING, quoted

# Characters and names that a node of a hierarchy of CLUS cannot have
FORBIDDEN_CHARACTERS = frozenset(f"@,%{{}}'\"\\{JOINER}")
FORBIDDEN_NAMES = (MISSING, "n", ROOT)

Format = Callable[[Any], str | None]  # from a value to a cell; None: sparse rows leave it out


class _Hierarchy(NamedTuple):
    """A hierarchy as CLUS writes it.

    Attributes
    ----------
    declaration : str
        Paths, or pairs of parent and child.
    cells : list of str
        Labels of each row.
    """

    declaration: str
    cells: list[str]


def write_arff(path: str | Path, table: Table) -> None:
    """Write a table, so that `read_arff` determines the same targets.

    Attributes, metas and class variables follow each other. A sparse X makes sparse rows. Labels that are marked by
    `orange.targets.mark` become one hierarchical attribute of CLUS. MEKA's -C names other class variables, unless the
    only one is nominal and the last attribute. `read_arff` reads metas that are no texts as features, and dates as
    texts.

    Parameters
    ----------
    path : str or Path
        Path of the file, which appears when it is complete.
    table : Table
        The table.

    Raises
    ------
    ValueError
        If CLUS cannot express a hierarchy: rows without labels, rows with some unknown labels, and names with its
        punctuation. Nothing is written then.
    """
    hierarchy = _hierarchy(table)
    lines = [*_header(table, hierarchy), *_rows(table, hierarchy)]
    with replacing(path) as new_path, open_compressed(new_path, "wt", encoding="utf-8", newline="\n") as file:
        file.writelines(f"{line}\n" for line in lines)


def _header(table: Table, hierarchy: _Hierarchy | None) -> Iterator[str]:
    """Yield the lines up to @data."""
    domain = table.domain
    classes = () if hierarchy else domain.class_vars
    relation = table.name.replace(":", " ") if labels_in(table.name) else table.name or "data"
    if not hierarchy and not _are_targets_evident(domain):
        relation = f"{relation}: -C {-len(classes)}"
    yield f"@relation {quoted(relation)}"
    yield ""
    for variable in (*domain.attributes, *domain.metas, *classes):
        yield f"@attribute {quoted(variable.name)} {_type(variable, variable in classes)}"
    if hierarchy:
        yield f"@attribute {CLASS} hierarchical {hierarchy.declaration}"
    yield ""
    yield "@data"


def _are_targets_evident(domain: Domain) -> bool:
    """True if `read_arff` determines the same targets without MEKA's -C."""
    variables_before = [*domain.attributes, *domain.metas]
    if any(variable.name.lower() == CLASS for variable in variables_before):
        return False
    if len(domain.class_vars) == 1:
        return bool(variables_before) and bool(domain.class_vars[0].is_discrete)
    if domain.class_vars:
        return False
    is_last_read_as_target = bool(variables_before) and (
        variables_before[-1].is_discrete or variables_before[-1].name.lower() in TARGETS
    )
    return not is_last_read_as_target


def _type(variable: Variable, is_target: bool) -> str:
    """Type of a variable in its declaration."""
    if variable.is_discrete:
        return "{" + ",".join(map(quoted, variable.values)) + "}"
    if variable.is_string:
        return "string"
    return "date" if variable.is_time and not is_target else "numeric"


def _rows(table: Table, hierarchy: _Hierarchy | None) -> Iterator[str]:
    """Yield the lines of the rows."""
    domain = table.domain
    targets = () if hierarchy else domain.class_vars
    is_sparse = sp.issparse(table.X)
    X = table.X.tocsr() if is_sparse else table.X
    Y = table.Y.reshape(len(table), len(domain.class_vars))
    weights = table.W.ravel() if table.has_weights() else None
    formats = [_format(variable, False, is_sparse) for variable in domain.attributes]
    other_formats = [_format(variable, False, is_sparse) for variable in domain.metas]
    other_formats += [_format(variable, True, is_sparse) for variable in targets]
    p = len(domain.attributes)
    for row in range(len(table)):
        # Cells by number of the column: attributes, then metas and targets, then the hierarchy.
        if is_sparse:
            stored = slice(X.indptr[row], X.indptr[row + 1])
            values = sorted(zip(X.indices[stored].tolist(), X.data[stored], strict=True))
        else:
            values = list(enumerate(X[row]))
        cells = {j: formats[j](value) for j, value in values}
        other_values = [*table.metas[row], *(Y[row] if targets else ())]
        for k, (form, value) in enumerate(zip(other_formats, other_values, strict=True)):
            cells[p + k] = form(value)
        if hierarchy:
            cells[p + len(other_values)] = hierarchy.cells[row]
        text = _sparse_line(cells) if is_sparse else ",".join(cell or "" for cell in cells.values())
        yield text if weights is None else f"{text},{{{_number(weights[row])}}}"


def _sparse_line(cells: dict[int, str | None]) -> str:
    """Row in braces, without cells that are None."""
    entries = [f"{j} {cell}" for j, cell in cells.items() if cell is not None]
    return "{" + ", ".join(entries) + "}"


def _format(variable: Variable, is_target: bool, is_sparse: bool) -> Format:
    """Function that writes the values of a variable."""
    if variable.is_string:
        return lambda text: quoted(str(text)) if text and text == text else MISSING  # NaN differs from itself
    if variable.is_discrete:
        names: list[str | None] = [quoted(value) for value in variable.values]
        if is_sparse:
            names[:1] = [None] * len(names[:1])  # the first value is the 0 of sparse rows
        return lambda code: MISSING if np.isnan(code) else names[int(code)]
    if variable.is_time and not is_target:
        return lambda value: MISSING if np.isnan(value) else quoted(variable.repr_val(value))
    zero = None if is_sparse else "0"
    return lambda value: MISSING if np.isnan(value) else _number(value) if value else zero


def _number(value: float) -> str:
    """Number in the fewest digits."""
    return repr(float(value)).removesuffix(".0")


def _hierarchy(table: Table) -> _Hierarchy | None:
    """Hierarchy of the class variables, if they are marked; raises ValueError if CLUS cannot express it."""
    variables = table.domain.class_vars
    parents = parents_of(variables)
    if parents is None:
        return None
    names = [variable.name for variable in variables]
    for name in names:
        has_blanks = any(character.isspace() for character in name)
        if has_blanks or FORBIDDEN_CHARACTERS & set(name) or name in FORBIDDEN_NAMES:
            raise _not_expressed(name)
    cells = _label_sets(table, names, parents)
    return _Hierarchy(_declaration(names, parents, cells), cells)


def _declaration(names: list[str], parents: Parents, cells: list[str]) -> str:
    """Paths, or pairs of parent and child, from which a reader without settings reads the same hierarchy.

    Parameters
    ----------
    names : list of str
        Names of the nodes.
    parents : tuple of tuple of int
        Indices of the parents of each node.
    cells : list of str
        Labels of each row, which the reader knows, too.
    """
    parents_by_name = {name: {names[k] for k in above} for name, above in zip(names, parents, strict=True)}
    row_labels = list(
        dict.fromkeys(label for cell in cells if cell != MISSING for label in cell.split(LABELS_SEPARATOR))
    )
    for declared in _possible_declarations(names, parents):
        read_names, read_parents = nodes(declared, row_labels, Settings())
        read = {name: {read_names[k] for k in above} for name, above in zip(read_names, read_parents, strict=True)}
        if read == parents_by_name:
            return ",".join(declared)
    raise _not_expressed(next((name for name in names if "/" in name), names[0]))


def _possible_declarations(names: list[str], parents: Parents) -> Iterator[list[str]]:
    """Yield the names as paths, and pairs of parent and child with different separators."""
    yield names
    # Readers number nodes as they occur. So each node has its first pair with an earlier node or the root.
    root = -1
    edges = []
    for k, above in enumerate(parents):
        has_earlier_parent = min(above, default=k) < k
        edges += [(up, k) for up in (above if has_earlier_parent else (root, *above))]
    edges.sort(key=lambda edge: (max(edge), edge[0] > edge[1]))
    labels = [*names, ROOT]  # index -1 is the root
    for separator in ("/", "."):
        yield [f"{labels[up]}{separator}{names[k]}" for up, k in edges]


def _not_expressed(name: str) -> ValueError:
    return ValueError(f"CLUS's hierarchies have no node with the name {shown(name)}")


def _label_sets(table: Table, names: Sequence[str], parents: Parents) -> list[str]:
    """Labels of each row without their ancestors, or `MISSING`."""
    Y = table.Y.reshape(len(table), len(names))
    is_unknown = np.isnan(Y)
    is_partly_known = is_unknown.any(axis=1) & ~is_unknown.all(axis=1)
    wrong = np.flatnonzero(is_partly_known | (Y == 0).all(axis=1))
    if len(wrong):
        raise ValueError(
            f"row {wrong[0] + 1} has no label, or some are unknown; CLUS's hierarchies need at least one or none known"
        )
    Y = closed(np.nan_to_num(Y), parents)
    most_specific = Y.copy()
    for node, above in enumerate(parents):
        for parent in above:
            most_specific[Y[:, node] == 1, parent] = 0
    cells = []
    for row in range(len(Y)):
        labels = [names[j] for j in np.flatnonzero(most_specific[row])]
        cells.append(MISSING if is_unknown[row].any() else LABELS_SEPARATOR.join(labels))
    return cells


class ArffFormat(FileFormat):  # type: ignore[misc]  # Orange has no types
    """ARFF as a format of Orange."""

    EXTENSIONS = (".arff",)
    DESCRIPTION = "Attribute-Relation File Format (Weka, Mulan, MEKA, CLUS)"
    PRIORITY = 60
    SUPPORT_COMPRESSED = True
    SUPPORT_SPARSE_DATA = True

    def read(self) -> Table:
        """Read the table; raises ValueError with the location of an error."""
        return read_arff(self.filename)

    @classmethod
    def write_file(cls, filename: str, data: Table) -> None:
        """Write a table; raises ValueError if ARFF cannot express it."""
        write_arff(filename, data)


# Orange caches the formats when it opens its first file, which may have been before this one was defined.
with suppress(AttributeError):
    type(FileFormat)._ext_to_attr_if_attr2.cache_clear()
