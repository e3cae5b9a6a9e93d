"""Rows in braces that list the numbers of columns and the values that are not 0."""

import re
from collections.abc import Sequence
from itertools import compress
from typing import cast

import numpy as np
from scipy.sparse import csr_matrix

from ..core.words import shown
from ..tabular.limits import BYTES_PER_READ, MAX_CELLS, limit, limit_sentence
from .dense import Collector, Columns, texts_of, weight_of
from .tokens import MISSING, QUOTED, Cell, Location, all_clean, clean, entries, placed_entries, whole

# The brace that closes a row: after it come a weight and a comment, or nothing.
# A lookahead is not tried again with fewer blanks, of which there may be millions.
_CLOSE = (
    r"(?P<end>\}(?=(?P<blanks>\s*))(?P=blanks)(?:,\s*(?=\{))?"
    r"(?:\{\s*(?P<weight>[\d.eE+-]+)\s*\}(?=(?P<more>\s*))(?P=more))?(?:(?<=\s)%.*)?\Z)"
)
_WEIGHTED = re.compile(r"\{([^{}'\"]*)\}\s*(?:,\s*)?\{\s*([\d.eE+-]+)\s*\}")
_COMMENT = re.compile(r"(?<=\})[^\S\n]+%.*")
_END = re.compile(_CLOSE)
_PARTS = re.compile(rf"(?<=\s){QUOTED}(?=\s*[,}}])|{_CLOSE}")

_Texts = tuple[list[int], list[int], list[str]]  # of entries: rows, columns, tokens


class Sparse(Collector):
    """Rows in braces; where a chunk of them is not plain, it is read again entry by entry, and then row by row.

    base: the number of the first column, 0 or 1.  smallest, largest: the numbers of columns that were met.
    """

    def __init__(self, name: str, columns: Columns, base: int) -> None:
        super().__init__(name, columns)
        self.base = base
        self.smallest, self.largest = len(columns), -1
        self._n = 0
        self._counts = columns.counts()
        self._is_text = np.isin(np.arange(len(columns)), columns.texts)
        self._text_numbers = {str(j + base): j for j in columns.texts}
        self._names: dict[int, dict[str, str]] = {}
        self._indices: list[np.ndarray] = []
        self._values: list[np.ndarray] = []
        self._lengths: list[np.ndarray] = []
        self._texts: list[tuple[np.ndarray, np.ndarray, np.ndarray]] = []  # rows, columns, tokens

    def values(self) -> csr_matrix:
        """(n, p) of all rows, sorted, without stored zeros; it takes what was collected."""
        parts = [np.concatenate(part or [np.empty(0, kind)]) for part, kind in (
            (self._values, float), (self._indices, np.int32), (self._lengths, np.int64))]  # fmt: skip
        for part in (self._values, self._indices, self._lengths):
            part.clear()
        pointers = np.concatenate([[0], np.cumsum(parts[2])])
        matrix = csr_matrix((parts[0], parts[1], pointers), shape=(len(parts[2]), len(self.columns)))
        matrix.sort_indices()
        matrix.eliminate_zeros()
        return matrix

    def texts(self) -> dict[int, np.ndarray]:
        """{column: (n,) its texts, None where missing}; raises ValueError where these are too many."""
        columns = self.columns.texts
        # Orange keeps each text of a row as well, so that they are in memory twice.
        if 2 * self._n * len(columns) > limit(MAX_CELLS):
            location = Location(self.name, self.columns.attributes[columns[0]].line)
            what = f"{self._n:,} rows of {len(columns):,} columns of texts, each in memory twice, are"
            raise location.error(1, f"{what} {limit_sentence(MAX_CELLS)}")
        found = {j: np.full(self._n, None, dtype=object) for j in columns}
        for rows, where, tokens in self._texts:
            order = np.argsort(where, kind="stable")
            kinds, begins = np.unique(where[order], return_index=True)
            for j, part in zip(kinds.tolist(), np.split(order, begins[1:]), strict=True):
                found[j][rows[part]] = texts_of(tokens[part])
        return found

    def _all(self, rows: Sequence[str]) -> None:
        if sum(map(len, rows)) > 2 * BYTES_PER_READ and max(row.count(",") for row in rows) > 2 * len(self.columns) + 2:
            raise ValueError("where a line has many more entries than there are columns, they are not kept")
        bodies, weights = _bodies(rows)
        if not self._plain(bodies):
            self._entries(bodies)
        self._n += len(rows)
        self._weights.append(weights)

    def _plain(self, bodies: list[str]) -> bool:
        """Read `bodies` of nothing but numbers (and a text at the end of each); False for others, which are left."""
        texts: _Texts = ([], [], [])
        bodies = list(map(str.strip, bodies))
        if self.columns.texts:
            bodies, texts = self._tails(bodies)
        lengths = np.array([body.count(",") + 1 if body else 0 for body in bodies], dtype=np.int64)
        tokens = ",".join(filter(None, bodies)).replace(MISSING, "nan").replace(",", " , ").split()
        commas = tokens[2::3]
        if len(tokens) != max(3 * int(lengths.sum()) - 1, 0) or commas.count(",") != len(commas):
            return False
        try:
            indices = self._columns(tokens[::3], lengths)
            values = self._codes_and_numbers(indices, tokens[1::3])
        except ValueError:
            return False
        self._store(indices, values, lengths, texts)
        return True

    def _tails(self, bodies: list[str]) -> tuple[list[str], _Texts]:
        """Rows without their last entry where that is a text, and these, where there are neither quotes nor escapes."""
        heads: list[str] = []
        texts: _Texts = ([], [], [])
        text = "\n".join(bodies)
        if any(mark in text for mark in "'\"\\"):
            return bodies, texts
        for row, body in enumerate(bodies):
            head, _, entry = body.rpartition(",")
            parts = entry.split(None, 1)
            if len(parts) == 2 and parts[0] in self._text_numbers:
                texts[0].append(row)
                texts[1].append(self._text_numbers[parts[0]])
                texts[2].append(parts[1])
                body = head.rstrip()
            heads.append(body)
        return heads, texts

    def _columns(self, tokens: Sequence[str], lengths: np.ndarray) -> np.ndarray:
        """Numbers of columns, from 0; raises ValueError where one does not exist or is twice in a row."""
        try:
            indices = np.fromiter(map(int, tokens), np.int64, len(tokens)) - self.base
        except OverflowError:
            raise ValueError("a number of a column has more than 64 bits") from None
        p = len(self.columns)
        if len(indices) and (indices.min() < 0 or indices.max() >= p or "_" in "".join(tokens)):
            raise ValueError("there is no column with one of these numbers")
        keys = np.repeat(np.arange(len(lengths)) * p, lengths) + indices
        if not (np.diff(keys) > 0).all() and len(np.unique(keys)) < len(keys):
            raise ValueError("a column occurs twice in a row")
        return indices

    def _codes_and_numbers(self, indices: np.ndarray, tokens: list[str]) -> np.ndarray:
        """(entries,) what the tokens mean in their columns; raises ValueError where that is not plain."""
        counts = self._counts[indices]
        for entry in np.flatnonzero(counts < 0):
            code = self._named_codes(int(indices[entry])).get(tokens[entry])
            if code is None:
                raise ValueError(tokens[entry])
            tokens[entry] = code
        if self._is_text[indices].any() or any("_" in token for token in tokens):
            raise ValueError("there are texts")
        values = np.fromiter(map(float, tokens), float, len(tokens))
        plain = (counts > 0) & ~np.isnan(values)
        codes = values[plain]
        if ((codes < 0) | (codes >= counts[plain]) | (codes != np.floor(codes))).any():
            raise ValueError("a code is not among those of its column")
        return values

    def _named_codes(self, j: int) -> dict[str, str]:
        """{token: code as text} of a column whose values are names; a token may be missing or in quotes."""
        if j not in self._names:
            codes = {value: f"{code:.0f}" for value, code in cast("dict[str, float]", self.columns.codes[j]).items()
                     if not set("'\"\\?,") & set(value)}  # fmt: skip
            self._names[j] = {} if "nan" in codes else {"nan": "nan"} | codes | {f"'{v}'": c for v, c in codes.items()}
        return self._names[j]

    def _entries(self, bodies: Sequence[str]) -> None:
        """Read the insides of rows, whatever they are; raises ValueError, and keeps nothing, where one is wrong."""
        found = entries("\n" + "\n".join(bodies))
        begins = np.array([raw[:1] == "\n" for raw in found])
        found = list(map(str.strip, found))
        there = np.fromiter(map(bool, found), bool, len(found))
        found = list(filter(None, found))
        numbers = [entry.split(None, 1)[0] for entry in found]
        written = [entry[len(number) :] for entry, number in zip(found, numbers, strict=True)]
        # Nothing may follow a comma, but only at the end of a row.
        if "" in written or (~there[:-1] & ~begins[1:]).any():
            raise ValueError("an entry is a number of a column and a value")
        rows = (np.cumsum(begins) - 1)[there]
        lengths = np.bincount(rows, minlength=len(bodies))
        indices = self._columns(numbers, lengths)
        is_text, spelled = self._is_text[indices], self.columns.spelled
        others = zip(indices[~is_text].tolist(), compress(written, ~is_text), strict=True)
        values = [spelled(j)[raw] for j, raw in others]
        texts = rows[is_text].tolist(), indices[is_text].tolist(), all_clean(compress(written, is_text))
        self._store(
            indices[~is_text], np.array(values, float), np.bincount(rows[~is_text], minlength=len(bodies)), texts
        )

    def _store(self, indices: np.ndarray, values: np.ndarray, lengths: np.ndarray, texts: _Texts) -> None:
        """Keep entries of the next rows; texts: rows among these, columns, tokens."""
        rows, columns, tokens = texts
        found: np.ndarray | list[int]
        for found in filter(len, cast("tuple[list[int], list[int]]", (indices, columns))):
            self.smallest = min(self.smallest, int(min(found)) + self.base)
            self.largest = max(self.largest, int(max(found)) + self.base)
        if rows:
            kept = np.empty(len(rows), dtype=object)
            kept[:] = tokens
            self._texts.append((np.array(rows) + self._n, np.array(columns), kept))
        self._indices.append(indices.astype(np.int32))
        self._values.append(values)
        self._lengths.append(lengths)

    def _row(self, row: str, location: Location) -> None:
        found = _closed(row)
        if found is None:
            begun = row.lstrip()[0] == "{"
            what = "the row in braces is not closed" if begun else "a row in braces is expected"
            raise location.error(len(row) + 1 if begun else 1, what)
        body, offset, weight = found
        cells = self._cells(body, offset, location)
        values = {j: self.columns.value(j, cell, location) for j, cell in cells.items() if not self._is_text[j]}
        columns = [j for j in cells if self._is_text[j]]
        texts = [0] * len(columns), columns, [cells[j].token for j in columns]
        indices = np.fromiter(values, np.int64, len(values))
        self._store(indices, np.fromiter(values.values(), float, len(values)), np.array([len(values)]), texts)
        self._n += 1
        self._weights.append(np.array([weight]))

    def _cells(self, body: str, offset: int, location: Location) -> dict[int, Cell]:
        """{column: cell} of a row."""
        found, end, p = {}, len(body.rstrip()), len(self.columns)
        for raw, begin in placed_entries(body, offset):
            index, *value = raw.split(None, 1)[:2] or [""]
            if not raw and begin - offset >= end:
                break
            if not value or not index.lstrip("+-").isdecimal():
                error = f"a number of a column and its value are expected, not {shown(raw)}"
                raise location.error(begin + 1, error)
            j = whole(index)
            if j is None or not 0 <= j - self.base < p:
                numbers = f"{self.base} to {p - 1 + self.base}"
                text = index if len(index) <= 80 else f"{index[:77]}..."
                raise location.error(begin + 1, f"the {p} attributes have numbers from {numbers}; {text} is none")
            if j - self.base in found:
                raise location.error(begin + 1, f"the attribute with number {j} occurs twice in this row")
            column = begin + len(raw) - len(value[0]) + 1
            try:
                found[j - self.base] = Cell(clean(value[0]), column)
            except ValueError:
                raise location.error(column, "a value is missing or its quote is not closed") from None
            self.smallest, self.largest = min(self.smallest, j), max(self.largest, j)
        return found


def _bodies(rows: Sequence[str]) -> tuple[list[str], np.ndarray]:
    """Contents of the braces of rows, and weights; raises ValueError where a row is not closed."""
    text, weights = "\n".join(rows), np.ones(len(rows))
    if "%" in text and "'" not in text and '"' not in text:
        text = _COMMENT.sub("", text)
        rows = text.split("\n")
    if all(row[0] == "{" and row[-1] == "}" for row in rows) and text.count("}") == len(rows):
        return [row[1:-1] for row in rows], weights
    bodies = []
    for k, row in enumerate(rows):
        if match := _WEIGHTED.fullmatch(row):
            bodies.append(match[1])
            weights[k] = weight_of(match[2])
            continue
        found = _closed(row)
        if found is None:
            raise ValueError("a row is not closed")
        bodies.append(found[0])
        weights[k] = found[2]
    return bodies, weights


def _closed(row: str) -> tuple[str, int, float] | None:
    """Content of the braces of a row, where that begins, and its weight; None where the braces are not closed."""
    begin = row.find("{")
    if begin < 0 or (begin and not row[:begin].isspace()):
        return None
    quotes, start = "'" in row or '"' in row, begin + 1
    if not quotes and "%" not in row:  # after the brace comes at most that of a weight
        start = max(start, row.rfind("}", 0, max(row.rfind("}"), 0)))
    parts = (_PARTS if quotes else _END).finditer(row, start)
    match = next((part for part in parts if part["end"]), None)
    try:
        weight = weight_of(match["weight"]) if match and match["weight"] else 1.0
    except ValueError:
        return None
    return (row[begin + 1 : match.start()], begin + 1, weight) if match else None
