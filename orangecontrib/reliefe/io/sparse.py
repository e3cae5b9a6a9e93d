"""Rows in braces that list the numbers of columns and the values that are not 0."""

import re
from collections.abc import Sequence
from itertools import repeat

import numpy as np
from scipy.sparse import csr_matrix

from .columns import Columns, text_of
from .tokens import MISSING, QUOTED, Cell, Place, bare, number, unquoted

_ROW = re.compile(r"\s*\{(.*?)\}\s*(?:,?\s*\{\s*([\d.eE+-]+)\s*\})?(?:\s+%.*)?", re.DOTALL)
_ENTRY = re.compile(rf"\s*(?P<index>[+-]?\d+)\s+(?:(?P<quoted>{QUOTED})|(?P<bare>(?:\\.|[^,])*?))\s*(?:,|$)", re.DOTALL)


class Sparse:
    """Collects rows; where a chunk of them is not plain, it is read again entry by entry.

    base: the number of the first column, 0 or 1.  largest: the largest number of a column that was met.
    """

    def __init__(self, name: str, columns: Columns, base: int) -> None:
        self.name = name
        self.columns = columns
        self.base = base
        self.largest = -1
        self.texts: dict[int, list[str | None]] = {j: [] for j in columns.texts}
        self.weights: list[float] = []
        self._counts = columns.counts()
        self._is_text = np.isin(np.arange(len(columns)), columns.texts)
        self._names: dict[int, dict[str, str]] = {}
        self._indices: list[np.ndarray] = []
        self._values: list[np.ndarray] = []
        self._lengths: list[np.ndarray] = []

    def add(self, rows: Sequence[str], numbers: Sequence[int]) -> None:
        """Read `rows`, the lines with these numbers; raises ValueError with the place of what is wrong."""
        if not self._chunk(rows):
            for row, line in zip(rows, numbers, strict=True):
                self._row(row, Place(self.name, line))

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

    def _chunk(self, rows: Sequence[str]) -> bool:
        """Whether `rows` are nothing but numbers (and a text at the end of each); if so, they have been read."""
        rows = [row.strip() for row in rows]
        if not all(row[0] == "{" and row[-1] == "}" for row in rows):
            return False
        bodies, texts = [row[1:-1].strip() for row in rows], {}
        if self.columns.texts:
            bodies, texts = self._tails(bodies)
        lengths = np.array([body.count(",") + 1 if body else 0 for body in bodies], dtype=np.int64)
        tokens = ",".join(filter(None, bodies)).replace(MISSING, "nan").replace(",", " , ").split()
        commas = tokens[2::3]
        if len(tokens) != max(3 * int(lengths.sum()) - 1, 0) or commas.count(",") != len(commas):
            return False
        indices = self._numbers(tokens[::3], int)
        if indices is None or not self._valid_columns(indices, lengths):
            return False
        values = self._codes_and_numbers(indices, tokens[1::3])
        if values is None:
            return False
        self._store(indices, values, lengths)
        for j in self.columns.texts:
            self.texts[j].extend(texts.get(j) or repeat(None, len(rows)))
        self.weights.extend(repeat(1.0, len(rows)))
        return True

    def _tails(self, bodies: Sequence[str]) -> tuple[list[str], dict[int, list[str | None]]]:
        """Rows without their last entry where that is a text without quotes, and these texts by column."""
        heads, texts = [], {j: [None] * len(bodies) for j in self.columns.texts}
        for row, body in enumerate(bodies):
            head, _, entry = body.rpartition(",")
            index, _, text = entry.strip().partition(" ")
            if index.isdecimal() and int(index) - self.base in texts and not set("'\"\\") & set(body):
                text, j = text.strip(), int(index) - self.base
                texts[j][row] = None if text == MISSING else text
                self.largest = max(self.largest, int(index))
                body = head.rstrip()
            heads.append(body)
        return heads, texts

    def _numbers(self, tokens: Sequence[str], kind: type) -> np.ndarray | None:
        """Integers as columns from 0, or floats; None where a token is none."""
        if any("_" in token for token in tokens):
            return None
        try:
            if kind is int:
                return np.fromiter(map(int, tokens), np.int64, len(tokens)) - self.base
            return np.fromiter(map(float, tokens), float, len(tokens))
        except (ValueError, OverflowError):
            return None

    def _valid_columns(self, indices: np.ndarray, lengths: np.ndarray) -> bool:
        """Whether the columns exist, have no texts, and are not twice in a row."""
        if not len(indices):
            return True
        if indices.min() < 0 or indices.max() >= len(self.columns) or self._is_text[indices].any():
            return False
        keys = np.repeat(np.arange(len(lengths)) * len(self.columns), lengths) + indices
        return bool((np.diff(keys) > 0).all() or len(np.unique(keys)) == len(keys))

    def _codes_and_numbers(self, indices: np.ndarray, tokens: list[str]) -> np.ndarray | None:
        """(entries,) what the tokens mean in their columns, or None."""
        counts = self._counts[indices]
        for entry in np.flatnonzero(counts < 0):
            code = self._named_codes(int(indices[entry])).get(tokens[entry])
            if code is None:
                return None
            tokens[entry] = code
        values = self._numbers(tokens, float)
        if values is None:
            return None
        plain = (counts > 0) & ~np.isnan(values)
        if ((values[plain] % 1 != 0) | (values[plain] < 0) | (values[plain] >= counts[plain])).any():
            return None
        return values

    def _named_codes(self, j: int) -> dict[str, str]:
        """{token: code as text} of a column whose values are names; a token may be missing or in quotes."""
        if j not in self._names:
            codes = {value: f"{code:.0f}" for value, code in self.columns.codes[j].items()
                     if not set("'\"\\?,") & set(value)}  # fmt: skip
            self._names[j] = {} if "nan" in codes else {"nan": "nan"} | codes | {f"'{v}'": c for v, c in codes.items()}
        return self._names[j]

    def _store(self, indices: np.ndarray, values: np.ndarray, lengths: np.ndarray) -> None:
        if len(indices):
            self.largest = max(self.largest, int(indices.max()) + self.base)
        self._indices.append(indices.astype(np.int32))
        self._values.append(values)
        self._lengths.append(lengths)

    def _row(self, row: str, place: Place) -> None:
        match = _ROW.fullmatch(row)
        if not match:
            what = "the row in braces is not closed" if row.lstrip()[0] == "{" else "a row in braces is expected"
            raise place.error(len(row) + 1 if row.lstrip()[0] == "{" else 1, what)
        found, texts = self._entries(match[1], match.start(1), place), dict.fromkeys(self.columns.texts)
        values = {}
        for j, cell in found.items():
            if j in texts:
                texts[j] = text_of(cell)
            else:
                values[j] = self.columns.value(j, cell, place)
        self.largest = max([self.largest, *(j + self.base for j in texts if texts[j] is not None)])
        indices = np.fromiter(values, np.int64, len(values))
        self._store(indices, np.fromiter(values.values(), float, len(values)), np.array([len(values)]))
        for j, text in texts.items():
            self.texts[j].append(text)
        self.weights.append(number(match[2]) if match[2] else 1.0)

    def _entries(self, body: str, offset: int, place: Place) -> dict[int, Cell]:
        """{column: cell} of a row."""
        found, position, p = {}, 0, len(self.columns)
        while body[position:].strip():
            match = _ENTRY.match(body, position)
            if not match:
                rest = body[position:].lstrip()
                column = offset + len(body) - len(rest) + 1
                raise place.error(column, f"a number of a column and its value are expected, not {rest!r}")
            column, j = offset + match.start("index") + 1, int(match["index"]) - self.base
            if not 0 <= j < p:
                numbers = f"{self.base} to {p - 1 + self.base}"
                raise place.error(column, f"the {p} attributes have numbers from {numbers}; {match['index']} is none")
            if j in found:
                raise place.error(column, f"the attribute with number {match['index']} is there twice in this row")
            found[j] = self._cell(match, offset, place)
            position = match.end()
        return found

    @staticmethod
    def _cell(match: re.Match, offset: int, place: Place) -> Cell:
        if match["quoted"] is not None:
            return Cell(unquoted(match["quoted"]), True, offset + match.start("quoted") + 1)
        column = offset + match.start("bare") + 1
        if match["bare"][:1] in ("", "'", '"'):
            raise place.error(column, "a value is missing or its quote is not closed")
        return Cell(bare(match["bare"]), False, column)
