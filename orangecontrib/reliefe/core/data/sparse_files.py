"""Text files of sparse tables: MatrixMarket (.mtx), and the rows of libsvm (.svm, .libsvm, .svmlight).

`table_files.open_table` calls the readers by the ending of a file. A row of libsvm has its target and the features that
are not 0, numbered from 1 (or from 0)::

    +1 3:0.5 7:1
    -1 1:2

or a set of labels, which may be empty::

    0,2 3:0.5 7:1
    1 1:2
    1:0.5
"""

import re
from collections.abc import Sequence
from typing import Any, BinaryIO, NamedTuple

import numpy as np
from scipy import io, sparse

from ..words import counted, shown
from .facts import refuse_empty
from .limits import check_filled, check_sparse, max_bytes, open_unpacked

BYTES_OF_VALUE = 2  # at least, of a value in text: a digit, and what separates it from the next one
BYTES_OF_ENTRY = 4  # at least, of an entry: its row and its column, as "1 1"
NUMBERS_OF_ENTRY = {"pattern": 2, "complex": 4}  # of a sparse MatrixMarket: row, column and value; 3 of other fields
NUMBERS_OF_VALUE = {"complex": 2}  # of a dense one; 1 of other fields
MAX_EXACT_LABEL = 2**53  # whole numbers up to it are exact as floats
BYTES_PER_PIECE = 2**22  # bytes that are checked at once; chosen by eye
MAX_BYTES_SHOWN = 64  # of a word in a message
PAIR = re.compile(rb"[+-]?(\d{1,18}),(\d{1,18})(e[+-]?\d+)?", re.IGNORECASE)  # a decimal comma, or two labels
WHOLE_NUMBER = re.compile(rb"[+-]?\d+")
SPACE, DIGIT, POINT, SIGN, EXPONENT, LETTER, OTHER = range(7)  # kinds of bytes; letters are those of nan and infinity
KIND_OF_BYTE = np.full(256, OTHER, np.uint8)
for kind, in_kind in (
    (SPACE, b" \t\r\n"),
    (DIGIT, b"0123456789"),
    (POINT, b"."),
    (SIGN, b"+-"),
    (EXPONENT, b"eE"),
    (LETTER, b"infatyINFATY"),
):
    KIND_OF_BYTE[list(in_kind)] = kind
IS_SPACE = KIND_OF_BYTE == SPACE


class MatrixOfFile(NamedTuple):
    """Values of a MatrixMarket.

    Attributes
    ----------
    X : (n, p) csr_array or array
        Features; dense if the file lists all values (format "array").
    n_added : int
        Number of entries of cells that the file has before, whose values are added.
    """

    X: Any
    n_added: int = 0


class LabelledRows(NamedTuple):
    """Rows of libsvm.

    Attributes
    ----------
    X : (n, p) csr_array
        Features.
    y : (n,) or (n, L) array
        Target: int64 if all values are whole, so that they may be codes of classes; else float64. For sets of labels a
        column of 0 and 1 for each label.
    names : tuple of str
        Numbers of the p features in the file.
    labels : tuple of str
        Names of the columns of y, as "label 2"; empty for a target of one column.
    """

    X: sparse.csr_array
    y: np.ndarray
    names: tuple[str, ...]
    labels: tuple[str, ...] = ()


def read_matrix_market(path: str) -> MatrixOfFile:
    """Read a file of MatrixMarket. Values of one cell are added, as SciPy, R and MATLAB do.

    Raises
    ------
    ValueError, OSError, OverflowError
        If it cannot be read, or has complex numbers.
    """
    _check_size(path)
    _check_numbers(path)
    matrix = io.mmread(path)
    if matrix.dtype.kind == "c":
        raise ValueError("it has complex numbers")
    if not sparse.issparse(matrix):
        return MatrixOfFile(matrix)
    X = sparse.csr_array(matrix)
    return MatrixOfFile(X, matrix.nnz - X.nnz)


def _check_size(path: str) -> None:
    """Raise ValueError for a MatrixMarket whose header promises more than the file can have."""
    n_rows, n_columns, n_values, layout, _, symmetry = io.mminfo(path)
    n_bytes = max_bytes(path)
    if layout == "coordinate":
        n_bytes_needed = n_values * BYTES_OF_ENTRY
        check_sparse(n_rows, n_columns, n_values)
    else:
        n_bytes_needed = n_values * BYTES_OF_VALUE // (1 if symmetry == "general" else 2)
    if n_bytes_needed > n_bytes:
        raise ValueError(
            f"its header promises {counted(n_values, 'value')} ({n_rows:,} rows and {n_columns:,} columns), and the "
            f"file has {n_bytes:,} bytes: it is damaged or cut off"
        )


def _check_numbers(path: str) -> None:
    """Raise ValueError for a MatrixMarket with anything but numbers, or with more or fewer numbers than it declares.

    SciPy (1.17) reads 2,5 as 2, 2.5x as 2.5 and 1.234.5 as 1.234, and ends the process where a number is cut at the end
    of the file.
    """
    n_expected = _count_in_header(path)
    is_integer = "integer" in io.mminfo(path)[4]
    n_found = 0
    last = b""
    file, _ = open_unpacked(path)
    with file:
        line = _skip_header(file)
        while piece := file.read(BYTES_PER_PIECE):
            piece += file.readline()  # no number is in two pieces
            cells = np.frombuffer(piece, np.uint8)
            starts = _starts(cells)
            position = _first_wrong(cells, starts, is_integer)
            if position is not None:
                start = starts[np.searchsorted(starts, position, side="right") - 1]
                word = shown(piece[start : start + MAX_BYTES_SHOWN].split()[0].decode("utf-8", "replace"))
                line += piece.count(b"\n", 0, position)
                kind = "whole numbers" if is_integer else "numbers"
                raise ValueError(f"line {line:,} has {word} among {kind}: write {kind} only, with decimal points")
            n_found += len(starts)
            line += piece.count(b"\n")
            last = piece[starts[-1] :].strip() if len(starts) else last
    if n_found != n_expected:
        raise ValueError(
            f"its header promises {counted(n_expected, 'number')}, and it has {n_found:,}: it is damaged or cut off"
        )
    if not _is_number(last or b"0"):
        raise ValueError(f"its last number, {shown(last.decode())}, is cut off: get the file again")


def _starts(cells: np.ndarray) -> np.ndarray:
    """Find the first byte of each word among bytes (n,)."""
    is_space = IS_SPACE[cells]
    is_start = ~is_space
    is_start[1:] &= is_space[:-1]
    return np.flatnonzero(is_start)


def _first_wrong(cells: np.ndarray, starts: np.ndarray, is_integer: bool) -> int | None:
    """Find the first byte (n,) that no number has, or has there; None: all words are numbers.

    starts: first bytes of the words. is_integer: numbers have no points.
    """
    kinds = KIND_OF_BYTE[cells]
    is_wrong = kinds == OTHER
    # A sign begins a number or its exponent
    is_wrong[1:] |= (kinds[1:] == SIGN) & ((kinds[:-1] == DIGIT) | (kinds[:-1] == POINT) | (kinds[:-1] == SIGN))
    # A number has one point, and one exponent behind it
    marks = np.flatnonzero((kinds == POINT) | (kinds == EXPONENT))
    is_point = kinds[marks] == POINT
    words = np.searchsorted(starts, marks, side="right")
    is_second = (words[1:] == words[:-1]) & ~(is_point[:-1] & ~is_point[1:])
    is_wrong[marks[1:][is_second]] = True
    if is_integer:
        is_wrong[marks] = True
    return int(is_wrong.argmax()) if is_wrong.any() else None


def _count_in_header(path: str) -> int:
    """Count the numbers that a MatrixMarket has by its header: values, with their rows and columns if it is sparse."""
    n_rows, n_columns, n_values, layout, field, symmetry = io.mminfo(path)
    if layout == "coordinate":
        return int(n_values * NUMBERS_OF_ENTRY.get(field, 3))
    if symmetry != "general":
        n_values = n_rows * (n_columns - 1) // 2
        if symmetry != "skew-symmetric":
            n_values += n_rows
    return int(n_values * NUMBERS_OF_VALUE.get(field, 1))


def _skip_header(file: BinaryIO) -> int:
    """Read the lines of a MatrixMarket up to the one with its size; returns the number of the next line."""
    number = 1
    line = file.readline()
    while line and (line.startswith(b"%") or not line.strip()):
        line = file.readline()
        number += 1
    return number + 1


def _is_number(text: bytes) -> bool:
    """Return True if a text is a number."""
    try:
        float(text)
    except ValueError:
        return False
    return True


def read_libsvm(path: str) -> LabelledRows:
    """Read the rows of libsvm. Features are numbered from 1 if none has the number 0.

    Raises
    ------
    ValueError, OSError
        If it cannot be read, has no rows or features, or far more features than values, or if its targets may be sets
        of labels as well as numbers with decimal commas.
    """
    from sklearn.datasets import load_svmlight_file

    labels: tuple[str, ...] = ()
    try:
        matrix, y = load_svmlight_file(path, zero_based=True)
    except ValueError as error:
        try:
            matrix, sets = load_svmlight_file(path, zero_based=True, multilabel=True)
        except ValueError:
            raise ValueError(
                "a line is a number (the target) or labels between commas, and features as 3:0.5 in ascending order "
                f"({error})"
            ) from None
        _refuse_decimal_commas(path)
        y, labels = _columns_of_sets(sets)
    X = sparse.csr_array(matrix)
    refuse_empty(X.shape, "it has")
    n_rows, n_columns = X.shape
    check_sparse(n_rows, n_columns, X.nnz)
    first = 0 if (X.indices == 0).any() else 1
    X = X[:, first:]
    refuse_empty(X.shape, "it has")
    names = tuple(map(str, range(first, n_columns)))
    return LabelledRows(X, y if labels else _codes_or_numbers(y), names, labels)


def _refuse_decimal_commas(path: str) -> None:
    """Raise ValueError for rows of libsvm whose targets may be numbers with decimal commas as well as sets of labels.

    They are sets if a row has none or more than two labels, or labels with decimal points, or if some rows have one
    label and all pairs ascend.
    """
    with open_unpacked(path)[0] as file:
        rows = [words for line in file if (words := line.partition(b"#")[0].split(maxsplit=1))]
    targets = [b"" if b":" in words[0] else words[0] for words in rows]
    pairs = [pair for target in targets if (pair := PAIR.fullmatch(target))]
    other_targets = [target for target in targets if not PAIR.fullmatch(target)]
    if not pairs or not all(map(WHOLE_NUMBER.fullmatch, other_targets)):
        return
    unordered = [pair for pair in pairs if not _ascends(pair)]
    if other_targets and not unordered:
        return
    pair = (unordered or pairs)[0]
    integer_part, decimals = pair[1].decode(), pair[2].decode()
    raise ValueError(
        f"its targets, as {shown(pair[0].decode())}, may be numbers with decimal commas or sets of two labels: write "
        f"{integer_part}.{decimals} for a number, or {integer_part}.0,{decimals}.0 for labels"
    )


def _ascends(pair: re.Match[bytes]) -> bool:
    """Return True for a match of PAIR whose numbers are labels in ascending order rather than parts of one number."""
    first, second, exponent = pair.groups()
    has_padding = len(second) > 1 and second.startswith(b"0")
    return exponent is None and not has_padding and int(first) < int(second)


def _codes_or_numbers(y: np.ndarray) -> np.ndarray:
    """Return the target (n,) as int64 if all values are whole; raises ValueError for one that is not exact."""
    is_wrong = ~np.isfinite(y) | ((y == np.floor(y)) & (np.abs(y) > MAX_EXACT_LABEL))
    if is_wrong.any():
        row = int(is_wrong.argmax())
        raise ValueError(
            f"row {row + 1:,} has the target {y[row]:g}: it must be finite, and at most 2**53 if it is whole"
        )
    return y.astype(np.int64) if (y == np.floor(y)).all() else y


def _columns_of_sets(sets: Sequence[tuple[float, ...]]) -> tuple[np.ndarray, tuple[str, ...]]:
    """Return a column of 0 and 1 for each label, and the labels in ascending order."""
    labels = sorted({label for labels_of_row in sets for label in labels_of_row})
    if not labels:
        raise ValueError("no row has a label")
    if not np.isfinite(labels).all():
        raise ValueError(f"it has the label {shown(labels[-1])}: labels are finite numbers")
    broken = [label for label in labels if label != np.floor(label)]
    if broken:
        raise ValueError(f"it has {broken[0]:g} among sets of labels: labels are whole, and numbers have no commas")
    check_filled(len(sets), len(labels), sum(map(len, sets)))
    column_of = {label: column for column, label in enumerate(labels)}
    y = np.zeros((len(sets), len(labels)), dtype=np.int64)
    for row, labels_of_row in enumerate(sets):
        y[row, [column_of[label] for label in labels_of_row]] = 1
    return y, tuple(f"label {label:.17g}" for label in labels)
