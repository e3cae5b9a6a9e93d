"""Orange's Table as ARFF, which Orange opens and saves itself once this module is imported."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from pathlib import Path

import numpy as np
import scipy.sparse as sp
from Orange.data import Domain, FileFormat, Table, Variable
from Orange.data.io_util import open_compressed

from ..core.files import replacing
from ..core.words import shown
from ..orange.targets import JOINER, Parents, closed, parents_of
from .clus import ROOT, Settings, nodes
from .roles import CLASS, TARGETS, labels_in
from .table import read_arff
from .tokens import MISSING, quoted

Format = Callable[[float], str | None]  # None: it is what a sparse row leaves out


def write_arff(path: str | Path, table: Table) -> None:
    """Write attributes, metas and class variables, in this order, so that `read_arff` finds the same targets.

    A sparse X makes sparse rows.  Labels marked by `orange.targets.mark` become one hierarchical attribute of CLUS.
    MEKA's -C names other class variables, unless the only one is nominal and the last attribute.  `read_arff` reads
    metas that are no texts as features. Times are written as dates, which it reads as texts.
    The file appears only when it is complete.  Raises ValueError before any writing for a hierarchy that CLUS's form
    cannot express: rows that are known to have no label, or some labels unknown, and names with its punctuation.
    """
    hierarchy = _hierarchy(table)
    lines = [*_header(table, hierarchy), *_rows(table, hierarchy[1] if hierarchy else None)]
    with replacing(path) as new, open_compressed(new, "wt", encoding="utf-8", newline="\n") as file:
        file.writelines(f"{line}\n" for line in lines)


def _header(table: Table, hierarchy: tuple[str, list[str]] | None) -> Iterator[str]:
    domain = table.domain
    classes = () if hierarchy else domain.class_vars
    relation = table.name.replace(":", " ") if labels_in(table.name) else table.name or "data"
    if not hierarchy and not _evident(domain):
        relation = f"{relation}: -C {-len(classes)}"
    yield f"@relation {quoted(relation)}"
    yield ""
    for variable in (*domain.attributes, *domain.metas, *classes):
        yield f"@attribute {quoted(variable.name)} {_type(variable, variable in classes)}"
    if hierarchy:
        yield f"@attribute {CLASS} hierarchical {hierarchy[0]}"
    yield ""
    yield "@data"


def _evident(domain: Domain) -> bool:
    """True if a reader that knows no MEKA takes the same attributes for targets."""
    others = [*domain.attributes, *domain.metas]
    if any(variable.name.lower() == CLASS for variable in others):
        return False
    if len(domain.class_vars) == 1:
        return bool(others) and domain.class_vars[0].is_discrete
    last = others[-1:]
    return not domain.class_vars and not (last and (last[0].is_discrete or last[0].name.lower() in TARGETS))


def _type(variable: Variable, target: bool) -> str:
    if variable.is_discrete:
        return "{" + ",".join(map(quoted, variable.values)) + "}"
    if variable.is_string:
        return "string"
    return "date" if variable.is_time and not target else "numeric"


def _rows(table: Table, labels: list[str] | None) -> Iterator[str]:
    domain = table.domain
    classes = () if labels is not None else domain.class_vars
    sparse = sp.issparse(table.X)
    formats = [_format(variable, variable in classes, sparse) for variable in (*domain.variables, *domain.metas)]
    p, q = len(domain.attributes), len(domain.class_vars)
    Y = table.Y.reshape(len(table), q)
    X = table.X.tocsr() if sparse else table.X
    weights = table.W.ravel() if table.has_weights() else None
    for row in range(len(table)):
        if sparse:
            part = slice(X.indptr[row], X.indptr[row + 1])
            cells = {int(j): formats[j](value) for j, value in sorted(zip(X.indices[part], X.data[part], strict=True))}
        else:
            cells = {j: formats[j](value) for j, value in enumerate(X[row])}
        others = [*zip(formats[p + q :], table.metas[row], strict=True)]
        others += [] if labels is not None else zip(formats[p : p + q], Y[row], strict=True)
        cells |= {p + k: form(value) for k, (form, value) in enumerate(others)}
        if labels is not None:
            cells[p + len(others)] = labels[row]
        if sparse:
            text = "{" + ", ".join(f"{j} {cell}" for j, cell in cells.items() if cell is not None) + "}"
        else:
            text = ",".join(cells.values())
        yield text if weights is None else f"{text},{{{_number(weights[row])}}}"


def _format(variable: Variable, target: bool, sparse: bool) -> Format:
    zero = None if sparse else "0"
    if variable.is_string:
        return lambda text: quoted(str(text)) if text and text == text else MISSING
    if variable.is_discrete:
        names: list[str | None] = [quoted(value) for value in variable.values]
        names[:1] = [zero if sparse else name for name in names[:1]]
        return lambda code: MISSING if np.isnan(code) else names[int(code)]
    if variable.is_time and not target:
        return lambda value: MISSING if np.isnan(value) else quoted(variable.repr_val(value))
    return lambda value: MISSING if np.isnan(value) else _number(value) if value else zero


def _number(value: float) -> str:
    return repr(float(value)).removesuffix(".0")


def _hierarchy(table: Table) -> tuple[str, list[str]] | None:
    """The declaration of the hierarchy and the cell of each row, where the class variables have been marked."""
    variables = table.domain.class_vars
    parents = parents_of(variables)
    if parents is None:
        return None
    names = [variable.name for variable in variables]
    forbidden = set(f"@,%{{}}'\"\\{JOINER}")
    for name in names:
        if forbidden & set(name) or any(c.isspace() for c in name) or name in (MISSING, "n", ROOT):
            raise _not_expressed(name)
    sets = _label_sets(table, names, parents)
    return _declaration(names, parents, sets), sets


def _declaration(names: list[str], parents: Parents, sets: list[str]) -> str:
    """The paths, or pairs of parent and child, from which a reader without settings finds the hierarchy."""
    meant = {name: {names[up] for up in above} for name, above in zip(names, parents, strict=True)}
    # Readers number nodes as they occur: each is named at its own place, by a pair with an earlier node or the root.
    edges, labels = [], [*names, ROOT]
    for k, above in enumerate(parents):
        edges += [(up, k) for up in (above if min(above, default=k) < k else (-1, *above))]
    edges.sort(key=lambda edge: (max(edge), edge[0] > edge[1]))
    used = list(dict.fromkeys(label for text in sets if text != MISSING for label in text.split("@")))
    for mark in ("", "/", "."):
        declared = [f"{labels[up]}{mark}{names[k]}" for up, k in edges] if mark else names
        found, parents_found = nodes(declared, used, Settings())
        if {name: {found[up] for up in ups} for name, ups in zip(found, parents_found, strict=True)} == meant:
            return ",".join(declared)
    raise _not_expressed(next((name for name in names if "/" in name), names[0]))


def _not_expressed(name: str) -> ValueError:
    return ValueError(f"CLUS's hierarchies have no node with the name {shown(name)}")


def _label_sets(table: Table, names: Sequence[str], parents: Parents) -> list[str]:
    Y = table.Y.reshape(len(table), len(names))
    unknown = np.isnan(Y)
    wrong = np.flatnonzero((unknown.any(axis=1) & ~unknown.all(axis=1)) | ((Y == 0).all(axis=1)))
    if len(wrong):
        raise ValueError(
            f"row {wrong[0] + 1} has no label, or some are unknown; CLUS's hierarchies need at least one or none known"
        )
    Y = closed(np.nan_to_num(Y), parents)
    specific = Y.copy()
    for node, above in enumerate(parents):
        for parent in above:
            specific[Y[:, node] == 1, parent] = 0
    return [MISSING if unknown[row].any() else "@".join(names[j] for j in np.flatnonzero(specific[row]))
            for row in range(len(Y))]  # fmt: skip


class ArffFormat(FileFormat):  # type: ignore[misc]  # Orange has no types
    """ARFF for the widgets File and Save Data, `Table("x.arff")` and `table.save("x.arff")`."""

    EXTENSIONS = (".arff",)
    DESCRIPTION = "Attribute-Relation File Format (Weka, Mulan, MEKA, CLUS)"
    PRIORITY = 60
    SUPPORT_COMPRESSED = True
    SUPPORT_SPARSE_DATA = True

    def read(self) -> Table:
        """The table in the file; raises ValueError with the place of the error."""
        return read_arff(self.filename)

    @classmethod
    def write_file(cls, filename: str, data: Table) -> None:
        """Write `data`; raises ValueError if ARFF cannot express them."""
        write_arff(filename, data)


# Orange remembers the formats at the first file it opens, which may have been before this one was defined.
with suppress(AttributeError):
    type(FileFormat)._ext_to_attr_if_attr2.cache_clear()
