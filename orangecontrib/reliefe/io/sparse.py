"""Reader of sparse rows, which list numbers of columns and the values there: ``{0 5.1, 3 'Iris setosa'}``.

`arff` makes one `Sparse` for a file and adds chunks of its rows. A chunk is read in the first of these ways that can:

1. as plain numbers, all at once (`_read_plain`),
2. entry by entry, with quotes, escapes and names of values (`_read_entries`),
3. row by row, to say where an error is (`_read_row`).
"""

from collections.abc import Sequence
from itertools import compress
from typing import NamedTuple, cast

import numpy as np
from scipy.sparse import csr_matrix

from ..core.data.limits import BYTES_PER_READ, MAX_CELLS, limit, limit_sentence
from ..core.words import shown
from .braces import open_row, open_rows
from .collector import Collector
from .columns import HAS_NAMES, FileColumns, texts_of
from .tokens import MISSING, Cell, Location, all_clean, clean, entries, placed_entries, whole

MAX_NUMBER_LENGTH = 80  # characters of a number of a column that a message repeats, at most


class TextEntries(NamedTuple):
    """Entries of sparse rows whose values are texts.

    Attributes
    ----------
    rows : sequence of int
        Row of each entry.
    columns : sequence of int
        Column of each entry, from 0.
    tokens : sequence of str
        Token of each entry; see `tokens.clean`.
    """

    rows: Sequence[int] | np.ndarray
    columns: Sequence[int] | np.ndarray
    tokens: Sequence[str] | np.ndarray


NO_TEXTS = TextEntries((), (), ())


class Sparse(Collector):
    """Rows in braces.

    Parameters
    ----------
    name : str
        Name of the file.
    columns : FileColumns
        Its p columns.
    base : int
        Number of the first column, 0 or 1.

    Attributes
    ----------
    smallest, largest : int
        Smallest and largest number of a column that occurred; p and -1 before any.
    """

    def __init__(self, name: str, columns: FileColumns, base: int) -> None:
        super().__init__(name, columns)
        self.base = base
        self.smallest = len(columns)
        self.largest = -1
        self._n = 0
        self._counts = columns.counts()
        self._is_text = np.isin(np.arange(len(columns)), columns.texts)
        self._text_column_of = {str(j + base): j for j in columns.texts}  # by its number as written
        self._names: dict[int, dict[str, str]] = {}
        # One item for each chunk: columns and values of its entries, entries of its rows, and its texts
        self._indices: list[np.ndarray] = []
        self._values: list[np.ndarray] = []
        self._lengths: list[np.ndarray] = []
        self._texts: list[TextEntries] = []

    def values(self) -> csr_matrix:
        """Values (n, p) of all rows, with sorted indices and without stored zeros. Chunks are freed."""
        values = _joined(self._values, float)
        indices = _joined(self._indices, np.int32)
        lengths = _joined(self._lengths, np.int64)
        pointers = np.concatenate([[0], np.cumsum(lengths)])
        matrix = csr_matrix((values, indices, pointers), shape=(len(lengths), len(self.columns)))
        matrix.sort_indices()
        matrix.eliminate_zeros()
        return matrix

    def texts(self) -> dict[int, np.ndarray]:
        """Columns of texts, {index: (n,) object array}, None where a text is missing.

        Raises
        ------
        ValueError
            If these columns would have more cells than `limits` allow.
        """
        columns = self.columns.texts
        # Orange keeps each text of a row as well, so that they are in memory twice.
        if 2 * self._n * len(columns) > limit(MAX_CELLS):
            location = Location(self.name, self.columns.attributes[columns[0]].line)
            what = f"{self._n:,} rows of {len(columns):,} columns of texts, each in memory twice, are"
            raise location.error(1, f"{what} {limit_sentence(MAX_CELLS)}")
        arrays = {j: np.full(self._n, None, dtype=object) for j in columns}
        for chunk in self._texts:
            rows, columns_of_entries, tokens = (np.asarray(values) for values in chunk)
            order = np.argsort(columns_of_entries, kind="stable")
            columns_of_chunk, begins = np.unique(columns_of_entries[order], return_index=True)
            for j, entries_of_column in zip(columns_of_chunk.tolist(), np.split(order, begins[1:]), strict=True):
                arrays[j][rows[entries_of_column]] = texts_of(tokens[entries_of_column])
        return arrays

    def _read_all(self, rows: Sequence[str]) -> None:
        longest = 2 * len(self.columns) + 2
        if sum(map(len, rows)) > 2 * BYTES_PER_READ and max(row.count(",") for row in rows) > longest:
            raise ValueError("where a line has many more entries than there are columns, they are not kept")
        bodies, weights = open_rows(rows)
        if not self._read_plain(bodies):
            self._read_entries(bodies)
        self._n += len(rows)
        self._weights.append(weights)

    def _read_plain(self, bodies: list[str]) -> bool:
        """Read and store rows of numbers alone, with one text at their end at most; return False for others."""
        bodies = list(map(str.strip, bodies))
        texts = NO_TEXTS
        if self.columns.texts:
            bodies, texts = self._split_texts(bodies)

        # Tokens of all rows: number of a column, value, comma, number of a column, value, comma ...
        lengths = np.array([body.count(",") + 1 if body else 0 for body in bodies], dtype=np.int64)
        tokens = ",".join(filter(None, bodies)).replace(MISSING, "nan").replace(",", " , ").split()
        commas = tokens[2::3]
        if len(tokens) != max(3 * int(lengths.sum()) - 1, 0) or commas.count(",") != len(commas):
            return False
        try:
            indices = self._indices_of(tokens[::3], lengths)
            values = self._values_of(indices, tokens[1::3])
        except ValueError:
            return False
        self._store(indices, values, lengths, texts)
        return True

    def _split_texts(self, bodies: list[str]) -> tuple[list[str], TextEntries]:
        """Return rows without their last entry where that is a text, and these texts.

        Rows with quotes or escapes are returned as they are.
        """
        texts = TextEntries([], [], [])
        joined = "\n".join(bodies)
        if any(mark in joined for mark in "'\"\\"):
            return bodies, texts
        heads: list[str] = []
        rows: list[int] = []
        columns: list[int] = []
        tokens: list[str] = []
        for row, body in enumerate(bodies):
            head, _, last_entry = body.rpartition(",")
            number_and_value = last_entry.split(None, 1)
            if len(number_and_value) == 2 and number_and_value[0] in self._text_column_of:
                rows.append(row)
                columns.append(self._text_column_of[number_and_value[0]])
                tokens.append(number_and_value[1])
                body = head.rstrip()
            heads.append(body)
        return heads, TextEntries(rows, columns, tokens)

    def _indices_of(self, tokens: Sequence[str], lengths: np.ndarray) -> np.ndarray:
        """Indices (entries,) of columns from their numbers as written.

        Parameters
        ----------
        tokens : sequence of str
            Number of the column of each entry.
        lengths : (rows,) int array
            Number of entries of each row.

        Raises
        ------
        ValueError
            If a column does not exist, or is twice in a row.
        """
        try:
            indices = np.fromiter(map(int, tokens), np.int64, len(tokens)) - self.base
        except OverflowError:
            raise ValueError("a number of a column has more than 64 bits") from None
        p = len(self.columns)
        if len(indices) and (indices.min() < 0 or indices.max() >= p or "_" in "".join(tokens)):
            raise ValueError("there is no column with one of these numbers")
        cells = np.repeat(np.arange(len(lengths)) * p, lengths) + indices
        is_ascending = (np.diff(cells) > 0).all()
        if not is_ascending and len(np.unique(cells)) < len(cells):
            raise ValueError("a column occurs twice in a row")
        return indices

    def _values_of(self, indices: np.ndarray, tokens: list[str]) -> np.ndarray:
        """Numbers and codes (entries,) of tokens without quotes; names among `tokens` are replaced by their codes.

        Raises
        ------
        ValueError
            If a token is a text, or no value of its column.
        """
        counts = self._counts[indices]
        for entry in np.flatnonzero(counts == HAS_NAMES):
            code = self._named_codes(int(indices[entry])).get(tokens[entry])
            if code is None:
                raise ValueError(tokens[entry])
            tokens[entry] = code
        if self._is_text[indices].any() or any("_" in token for token in tokens):
            raise ValueError("there are texts")
        values = np.fromiter(map(float, tokens), float, len(tokens))
        is_code = (counts > 0) & ~np.isnan(values)
        codes = values[is_code]
        if ((codes < 0) | (codes >= counts[is_code]) | (codes != np.floor(codes))).any():
            raise ValueError("a code is not among those of its column")
        return values

    def _named_codes(self, j: int) -> dict[str, str]:
        """Codes {token: code as text} of a column whose values are names; a token may be "nan" or in quotes."""
        if j not in self._names:
            codes = cast("dict[str, float]", self.columns.codes[j])
            special = set("'\"\\?,")
            simple = {value: f"{code:.0f}" for value, code in codes.items() if not special & set(value)}
            in_quotes = {f"'{value}'": code for value, code in simple.items()}
            # "nan" stands for missing values; where it is a name, too, rows are read entry by entry.
            self._names[j] = {} if "nan" in simple else {"nan": "nan"} | simple | in_quotes
        return self._names[j]

    def _read_entries(self, bodies: Sequence[str]) -> None:
        """Read rows entry by entry; raises ValueError, and stores nothing, if any of them is wrong."""
        raw_entries = entries("\n" + "\n".join(bodies))
        begins_row = np.array([raw[:1] == "\n" for raw in raw_entries])
        stripped = list(map(str.strip, raw_entries))
        is_filled = np.fromiter(map(bool, stripped), bool, len(stripped))

        # Split entries into number of a column and value.
        filled = list(filter(None, stripped))
        numbers = [entry.split(None, 1)[0] for entry in filled]
        written = [entry[len(number) :] for entry, number in zip(filled, numbers, strict=True)]
        is_empty_within_row = ~is_filled[:-1] & ~begins_row[1:]
        if "" in written or is_empty_within_row.any():
            raise ValueError("an entry is a number of a column and a value")
        rows = (np.cumsum(begins_row) - 1)[is_filled]
        indices = self._indices_of(numbers, np.bincount(rows, minlength=len(bodies)))

        # Decode the numbers and codes, and the texts.
        is_text = self._is_text[indices]
        cells = zip(indices[~is_text].tolist(), compress(written, ~is_text), strict=True)
        values = np.array([self.columns.cached_codes(j)[raw] for j, raw in cells], float)
        tokens = all_clean(compress(written, is_text))
        texts = TextEntries(rows[is_text], indices[is_text], tokens)
        lengths = np.bincount(rows[~is_text], minlength=len(bodies))
        self._store(indices[~is_text], values, lengths, texts)

    def _store(self, indices: np.ndarray, values: np.ndarray, lengths: np.ndarray, texts: TextEntries) -> None:
        """Store the entries of the next rows.

        Parameters
        ----------
        indices, values : (entries,) arrays
            Columns of the entries that are no texts, and their values.
        lengths : (rows,) int array
            Number of these entries in each row.
        texts : TextEntries
            The other entries; rows are counted from the first of these rows.
        """
        self._note_numbers(indices)
        self._note_numbers(texts.columns)
        if len(texts.rows):
            tokens = np.empty(len(texts.tokens), dtype=object)
            tokens[:] = texts.tokens
            self._texts.append(TextEntries(np.array(texts.rows) + self._n, np.array(texts.columns), tokens))
        self._indices.append(indices.astype(np.int32))
        self._values.append(values)
        self._lengths.append(lengths)

    def _note_numbers(self, indices: Sequence[int] | np.ndarray) -> None:
        """Update `smallest` and `largest` by indices of columns."""
        if len(indices):
            self.smallest = min(self.smallest, int(min(indices)) + self.base)
            self.largest = max(self.largest, int(max(indices)) + self.base)

    def _read_row(self, row: str, location: Location) -> None:
        opened = open_row(row)
        if opened is None:
            if row.lstrip()[0] == "{":
                raise location.error(len(row) + 1, "the row in braces is not closed")
            raise location.error(1, "a row in braces is expected")
        cells = self._cells(opened.body, opened.offset, location)
        values = {j: self.columns.value(j, cell, location) for j, cell in cells.items() if not self._is_text[j]}
        columns_of_texts = [j for j in cells if self._is_text[j]]
        tokens = [cells[j].token for j in columns_of_texts]
        texts = TextEntries([0] * len(columns_of_texts), columns_of_texts, tokens)
        indices = np.fromiter(values, np.int64, len(values))
        self._store(indices, np.fromiter(values.values(), float, len(values)), np.array([len(values)]), texts)
        self._n += 1
        self._weights.append(np.array([opened.weight]))

    def _cells(self, body: str, offset: int, location: Location) -> dict[int, Cell]:
        """Cells {column: cell} of a row.

        Parameters
        ----------
        body : str
            Content of its braces.
        offset : int
            Index in the row at which `body` begins.
        location : Location
            Line of the row, for errors.
        """
        cells: dict[int, Cell] = {}
        end = len(body.rstrip())
        for raw, begin in placed_entries(body, offset):
            if not raw and begin - offset >= end:
                break
            number, *value = raw.split(None, 1)[:2] or [""]
            if not value or not number.lstrip("+-").isdecimal():
                error = f"a number of a column and its value are expected, not {shown(raw)}"
                raise location.error(begin + 1, error)
            j = self._index(number, location, begin + 1)
            if j in cells:
                raise location.error(begin + 1, f"the attribute with number {j + self.base} occurs twice in this row")
            column = begin + len(raw) - len(value[0]) + 1
            try:
                cells[j] = Cell(clean(value[0]), column)
            except ValueError:
                raise location.error(column, "a value is missing or its quote is not closed") from None
            self._note_numbers([j])
        return cells

    def _index(self, number: str, location: Location, column: int) -> int:
        """Index of a column from its number as written; raises ValueError with the location if there is none."""
        p = len(self.columns)
        value = whole(number)
        if value is not None and 0 <= value - self.base < p:
            return value - self.base
        numbers = f"{self.base} to {p - 1 + self.base}"
        text = number if len(number) <= MAX_NUMBER_LENGTH else f"{number[: MAX_NUMBER_LENGTH - 3]}..."
        raise location.error(column, f"the {p} attributes have numbers from {numbers}; {text} is none")


def _joined(chunks: list[np.ndarray], dtype: type) -> np.ndarray:
    """Join arrays, and clear their list, so that values are in memory once."""
    joined: np.ndarray = np.concatenate(chunks or [np.empty(0, dtype)])
    chunks.clear()
    return joined
