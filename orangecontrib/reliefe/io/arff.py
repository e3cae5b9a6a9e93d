"""ARFF as arrays: the dialects of Weka, Mulan, MEKA, CLUS and KEEL, without what their columns are for."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
from scipy.sparse import csr_matrix

from .columns import Columns
from .dense import Dense
from .header import Attribute, Header, read_header
from .source import ENCODINGS, Lines
from .sparse import Sparse


@dataclass(frozen=True, eq=False)
class Arff:
    """What is in a file, before any column has a role.

    name: of the file; relation: as declared; attributes: p of them.  values (n, p) float64: numbers, and codes of
    nominal values in the order of the declaration; NaN is missing (and texts); CSR where the rows are sparse.  texts:
    for columns of texts, {column: (n,) object array of str, None where missing}.  weights (n,) of the rows or None.
    lines (n,): where the rows are.  outputs: names of the targets, if declared (KEEL).
    """

    name: str
    relation: str
    attributes: tuple[Attribute, ...]
    values: np.ndarray | csr_matrix = field(repr=False)
    texts: dict[int, np.ndarray] = field(repr=False)
    weights: np.ndarray | None = field(repr=False)
    lines: np.ndarray = field(repr=False)
    outputs: tuple[str, ...] = ()

    def __len__(self) -> int:
        return self.values.shape[0]


def parse(path: str | Path, base: int | None = None) -> Arff:
    """Read a file, which may be compressed.

    base: the number of the first column in sparse rows: 0 as in Weka, 1 as in CLUS, or None: 1 if the number of
    attributes is used as a number and 0 is not.  Raises ValueError for another base and, with file, line and column,
    for all that cannot be read.
    """
    if base not in (None, 0, 1):
        raise ValueError(f"base is 0, 1 or None, not {base!r}")
    try:
        return _parse(path, base, ENCODINGS[0])
    except UnicodeDecodeError:
        return _parse(path, base, ENCODINGS[1])


def _parse(path: str | Path, base: int | None, encoding: str) -> Arff:
    if base is not None:
        return _read(path, base, encoding)[0]
    try:
        return _read(path, 0, encoding)[0]
    except UnicodeDecodeError:
        raise
    except ValueError as error:
        # Nothing tells the two numberings apart before the last attribute of a file that counts from 1.
        try:
            found, largest = _read(path, 1, encoding)
        except ValueError:
            raise error from None
        if largest != len(found.attributes):
            raise
        return found


def _read(path: str | Path, base: int, encoding: str) -> tuple[Arff, int]:
    """The file, and the largest number of a column in its sparse rows."""
    with Lines(path, encoding) as lines:
        header = read_header(lines)
        columns = Columns(header.attributes)
        reader, numbers = None, []
        for rows, places in _rows(lines):
            if reader is None:
                sparse = rows[0].lstrip().startswith("{")
                reader = Sparse(lines.name, columns, base) if sparse else Dense(lines.name, columns)
            reader.add(rows, places)
            numbers.append(np.array(places))
    reader = reader or Dense(lines.name, columns)
    return _result(lines.name, header, reader, numbers), getattr(reader, "largest", -1)


def _rows(lines: Lines) -> Iterator[tuple[list[str], list[int]]]:
    """Chunks of rows that are neither empty nor comments, with the numbers of their lines."""
    while chunk := lines.chunk():
        first = lines.number - len(chunk) + 1
        found = [(row, number) for number, row in enumerate(map(str.rstrip, chunk), first)
                 if row and not row.lstrip().startswith("%")]  # fmt: skip
        if found:
            rows, numbers = zip(*found, strict=True)
            yield list(rows), list(numbers)


def _result(name: str, header: Header, reader: Dense | Sparse, numbers: list[np.ndarray]) -> Arff:
    weights = np.array(reader.weights)
    texts = {}
    for j, column in reader.texts.items():
        texts[j] = np.empty(len(column), dtype=object)
        texts[j][:] = column
    return Arff(
        name=name,
        relation=header.relation,
        attributes=header.attributes,
        values=reader.values(),
        texts=texts,
        weights=weights if (weights != 1).any() else None,
        lines=np.concatenate(numbers) if numbers else np.empty(0, dtype=int),
        outputs=header.outputs,
    )
