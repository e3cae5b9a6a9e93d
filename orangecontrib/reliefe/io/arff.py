"""ARFF as arrays: the dialects of Weka, Mulan, MEKA, CLUS and KEEL, without what their columns are for."""

import warnings
from dataclasses import dataclass, field
from pathlib import Path
from typing import cast

import numpy as np
from scipy.sparse import csr_matrix

from ..core.words import shown
from ..tabular.encoding import AssumedEncoding, Encoding, find_encoding
from ..tabular.limits import DAMAGED, open_unpacked
from .dense import Columns, Dense
from .header import Attribute, Header, read_header
from .source import Lines
from .sparse import Sparse
from .tokens import Place


@dataclass(frozen=True, eq=False)
class Arff:
    """Contents of a file, before any column has a role.

    name: of the file; relation: as declared; attributes: p of them.  values (n, p) float64: numbers, and codes of
    nominal values in the order of the declaration; NaN is missing (and texts); CSR where the rows are sparse.  texts:
    for columns of texts, {column: (n,) object array of str, None where missing}.  weights (n,) of the rows or None.
    lines (n,): where the rows are.  outputs: names of the targets, if declared (KEEL).  declared: where "@relation" and
    "@outputs" are.
    """

    name: str
    relation: str
    attributes: tuple[Attribute, ...]
    values: np.ndarray | csr_matrix = field(repr=False)
    texts: dict[int, np.ndarray] = field(repr=False)
    weights: np.ndarray | None = field(repr=False)
    lines: np.ndarray = field(repr=False)
    outputs: tuple[str, ...] = ()
    declared: dict[str, int] = field(default_factory=dict)

    def place(self, line: int) -> Place:
        return Place(self.name, line)

    def __len__(self) -> int:
        return cast("int", self.values.shape[0])


def parse(path: str | Path, base: int | None = None) -> Arff:
    """Read a file, which may be compressed, in UTF-8 or in an encoding that is guessed, which is a warning then.

    base: the number of the first column in sparse rows: 0 as in Weka, 1 as in CLUS, or None: 1 if the number of
    attributes is used as a number and 0 is not.
    """
    if base not in (None, 0, 1):
        raise ValueError(f"base is 0, 1 or None, not {shown(str(base))[1:-1]}")
    try:
        return _parse(path, base, Encoding("utf-8-sig"))
    except UnicodeDecodeError:
        encoding = _other_encoding(path)
    if encoding.note:
        warnings.warn(AssumedEncoding(encoding.note), stacklevel=2)
    try:
        return _parse(path, base, encoding)
    except UnicodeDecodeError as error:
        name = Path(path).name
        raise ValueError(f"{name} is not in the encoding {encoding.name}, as it seems to be: {error.reason}") from None


def _other_encoding(path: str | Path) -> Encoding:
    """Encoding of a file that is not in UTF-8."""
    name = Path(path).name
    file, _ = open_unpacked(path)
    with file:
        try:
            return find_encoding(file.read())
        except DAMAGED as error:
            raise ValueError(f"{name} is damaged or cut off: {error}") from None
        except ValueError as error:
            raise ValueError(f"{name} cannot be read: {error}") from None


def _parse(path: str | Path, base: int | None, encoding: Encoding) -> Arff:
    with Lines(path, encoding.name, encoding.errors) as lines:
        header = read_header(lines)
        rows = _Rows(lines, header, base or 0)
        try:
            return rows.read()
        except UnicodeDecodeError:
            raise
        except ValueError as error:
            # The two numberings do not differ before the last attribute of a file that counts from 1.
            if base is not None or not isinstance(rows.reader, Sparse) or rows.reader.smallest == 0:
                raise
            first = error
    with Lines(path, encoding.name, encoding.errors) as lines:
        rows = _Rows(lines, read_header(lines), 1)
        try:
            found = rows.read()
        except UnicodeDecodeError:
            raise
        except ValueError:
            raise first from None
    if cast("Sparse", rows.reader).largest != len(header.attributes):
        raise first
    return found


class _Rows:
    """The lines after the header, and what reads them, which depends on the first."""

    def __init__(self, lines: Lines, header: Header, base: int) -> None:
        self.lines = lines
        self.header = header
        self.base = base
        self.reader: Dense | Sparse | None = None

    def read(self) -> Arff:
        name, header = self.lines.name, self.header
        columns, places = Columns(header.attributes), [np.empty(0, dtype=int)]
        while True:
            rows, numbers = self.lines.rows()
            if self.reader is None:
                is_sparse = bool(rows) and rows[0].lstrip().startswith("{")
                self.reader = Sparse(name, columns, self.base) if is_sparse else Dense(name, columns)
            if not rows:
                break
            self.reader.add(rows, numbers)
            places.append(numbers)
        weights = self.reader.weights()
        return Arff(
            name=name,
            relation=header.relation,
            attributes=header.attributes,
            texts=self.reader.texts(),
            values=self.reader.values(),
            weights=weights if (weights != 1).any() else None,
            lines=np.concatenate(places),
            outputs=header.outputs,
            declared=header.lines,
        )
