"""Contents of an ARFF file as arrays, in the dialects of Weka, Mulan, MEKA, CLUS and KEEL.

`table.read_arff` calls `parse` with the path of a file. The columns of the resulting `Arff` have no roles yet: `roles`
determines which of them are targets, and `table` converts them to Orange's Table.

A file consists of a header and of rows, which are dense or sparse (in braces: number of a column and its value)::

    @relation weather
    @attribute temperature numeric
    @attribute play {no, yes}
    @data
    21.5, yes
    {0 21.5, 1 yes}
"""

import warnings
from dataclasses import dataclass, field
from pathlib import Path
from typing import cast

import numpy as np
from scipy.sparse import csr_matrix

from ..core.data.limits import DAMAGED, open_unpacked
from ..core.words import shown
from ..tabular.encoding import AssumedEncoding, Encoding, find_encoding
from .columns import FileColumns
from .dense import Dense
from .header import Attribute, Header, read_header
from .source import Lines
from .sparse import Sparse
from .tokens import Location

ZERO_BASED = 0  # Weka numbers the columns of sparse rows from 0
ONE_BASED = 1  # CLUS numbers them from 1


@dataclass(frozen=True, eq=False)
class Arff:
    """Contents of an ARFF file of n rows and p columns, before any column has a role.

    Attributes
    ----------
    name : str
        Name of the file.
    relation : str
        Name of the relation, as declared.
    attributes : tuple of Attribute
        Declarations of the p columns.
    values : array or CSR matrix (n, p), float64
        Numbers, and codes of nominal values in the order of the declaration. NaN in columns of texts, and where a value
        is missing. CSR if the rows of the file are sparse.
    texts : dict of int to (n,) object array
        Columns of texts by their index: str, or None where the text is missing.
    weights : (n,) float64 array, optional
        Weights of the rows. None if all are 1.
    lines : (n,) int array
        Number of the line of each row, from 1.
    outputs : tuple of str
        Names of the targets that "@outputs" declares (KEEL).
    declared : dict of str to int
        Numbers of the lines of "@relation" and "@outputs".
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

    def location(self, line: int) -> Location:
        """Location of a line in this file, for error messages."""
        return Location(self.name, line)

    def __len__(self) -> int:
        return cast("int", self.values.shape[0])


def parse(path: str | Path, base: int | None = None) -> Arff:
    """Read an ARFF file, which may be compressed.

    A file that is not in UTF-8 is read in the encoding that its bytes look like, with an `AssumedEncoding` warning.

    Parameters
    ----------
    path : str or Path
        Path of the file.
    base : int, optional
        Number of the first column in sparse rows: 0 as in Weka, 1 as in CLUS. None: 1 if the number of attributes
        occurs as a number of a column and 0 does not, else 0.

    Raises
    ------
    ValueError
        If `base` is none of these, or the file cannot be read; the message has the line and the column.
    """
    if base not in (None, ZERO_BASED, ONE_BASED):
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
    """Read a file in an encoding. Without a base, columns are numbered from 0, or from 1 if that alone is possible."""
    reader = _FileReader(path, encoding, ZERO_BASED if base is None else base)
    try:
        return reader.read()
    except UnicodeDecodeError:  # a ValueError, too, which has nothing to do with numbers of columns
        raise
    except ValueError as error:
        # A row with the number 0 is read before any refusal, unless the file counts from 1.
        if base is not None or reader.smallest_number in (None, 0):
            raise
        refusal = error

    reader = _FileReader(path, encoding, ONE_BASED)
    try:
        arff = reader.read()
    except UnicodeDecodeError:
        raise
    except ValueError:
        raise refusal from None
    if reader.largest_number != len(arff.attributes):
        raise refusal
    return arff


class _FileReader:
    """One reading of a file, with what it has met in sparse rows, whether the reading succeeds or not.

    Parameters
    ----------
    path : str or Path
        Path of the file.
    encoding : Encoding
        Encoding of its text.
    base : int
        Number of the first column in sparse rows, 0 or 1.
    """

    def __init__(self, path: str | Path, encoding: Encoding, base: int) -> None:
        self._path = path
        self._encoding = encoding
        self._base = base
        self._rows: Dense | Sparse | None = None

    @property
    def smallest_number(self) -> int | None:
        """Smallest number of a column in sparse rows so far. None: rows are dense, or none was read."""
        return self._rows.smallest if isinstance(self._rows, Sparse) else None

    @property
    def largest_number(self) -> int | None:
        """Largest number of a column in sparse rows so far. None: rows are dense, or none was read."""
        return self._rows.largest if isinstance(self._rows, Sparse) else None

    def read(self) -> Arff:
        """Read the header and all rows."""
        with Lines(self._path, self._encoding.name, self._encoding.errors) as lines:
            header = read_header(lines)
            return self._read_rows(lines, header)

    def _read_rows(self, lines: Lines, header: Header) -> Arff:
        columns = FileColumns(header.attributes)
        line_numbers = [np.empty(0, dtype=int)]
        texts_of_rows, numbers = lines.rows()

        # The first row decides whether rows are sparse.
        is_sparse = bool(texts_of_rows) and texts_of_rows[0].lstrip().startswith("{")
        rows: Dense | Sparse = Sparse(lines.name, columns, self._base) if is_sparse else Dense(lines.name, columns)
        self._rows = rows
        while texts_of_rows:
            rows.add(texts_of_rows, numbers)
            line_numbers.append(numbers)
            texts_of_rows, numbers = lines.rows()

        weights = rows.weights()
        return Arff(
            name=lines.name,
            relation=header.relation,
            attributes=header.attributes,
            texts=rows.texts(),
            values=rows.values(),
            weights=weights if (weights != 1).any() else None,
            lines=np.concatenate(line_numbers),
            outputs=header.outputs,
            declared=header.lines,
        )
