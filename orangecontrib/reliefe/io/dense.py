"""Rows that list the values of all columns."""

import csv
import re
from collections.abc import Sequence
from itertools import repeat

import numpy as np

from .columns import NAN, Columns, text_of
from .tokens import MISSING, Place, number, split, words

_WEIGHT = re.compile(r"\{\s*([\d.eE+-]+)\s*\}")


class Dense:
    """Collects rows; where a chunk of them is not plain, it is read again value by value."""

    def __init__(self, name: str, columns: Columns) -> None:
        self.name = name
        self.columns = columns
        self.texts: dict[int, list[str | None]] = {j: [] for j in columns.texts}
        self.weights: list[float] = []
        self._blocks: list[np.ndarray] = []

    def add(self, rows: Sequence[str], numbers: Sequence[int]) -> None:
        """Read `rows`, the lines with these numbers; raises ValueError with the place of what is wrong."""
        block = self._all_numbers(rows) if self.columns.numeric else self._by_columns(rows)
        if block is None:
            block = np.array([self._row(row, Place(self.name, n)) for row, n in zip(rows, numbers, strict=True)])
        else:
            self.weights.extend(repeat(1.0, len(rows)))
        self._blocks.append(block)

    def values(self) -> np.ndarray:
        """(n, p) of all rows."""
        return np.concatenate(self._blocks) if self._blocks else np.empty((0, len(self.columns)))

    def _all_numbers(self, rows: Sequence[str]) -> np.ndarray | None:
        """(rows, p), or None where anything is no number or there are too few or too many."""
        p = len(self.columns)
        text = ",".join(rows).replace(MISSING, "nan")
        if "_" in text or any(row.count(",") != p - 1 for row in rows):
            return None
        try:
            return np.fromiter(map(float, text.split(",")), float, len(rows) * p).reshape(len(rows), p)
        except ValueError:
            return None

    def _by_columns(self, rows: Sequence[str]) -> np.ndarray | None:
        """(rows, p) of rows that are no more than values and commas, or None."""
        cells, p = self._cells(rows), len(self.columns)
        if cells is None or len(cells) != len(rows) or any(len(row) != p for row in cells):
            return None
        block, texts = np.full((p, len(rows)), NAN), {}
        for j, column in enumerate(zip(*cells, strict=True)):
            if j in self.texts:
                texts[j] = [None if cell == MISSING else cell for cell in map(str.strip, column)]
            elif (values := self._column(j, column)) is None:
                return None
            else:
                block[j] = values
        for j, column in texts.items():
            self.texts[j].extend(column)
        return np.ascontiguousarray(block.T)

    def _cells(self, rows: Sequence[str]) -> Sequence[Sequence[str]] | None:
        """The values of rows without comments and escapes; in quotes only of one kind, and then without texts."""
        text = "\n".join(rows)
        if "\\" in text or "%" in text:
            return None
        quotes = [quote for quote in "'\"" if quote in text]
        if not quotes:
            return [row.split(",") for row in rows]
        quote = quotes[0]
        if len(quotes) > 1 or self.texts or quote + MISSING + quote in text or quote + quote in text:
            return None
        try:
            return list(csv.reader(rows, quotechar=quote, skipinitialspace=True, strict=True))
        except csv.Error:
            return None

    def _column(self, j: int, cells: Sequence[str]) -> list[float] | None:
        codes = self.columns.codes[j]
        if codes is None:
            try:
                return [NAN if cell == MISSING else number(cell) for cell in map(str.strip, cells)]
            except ValueError:
                return None
        codes = codes | {MISSING: NAN}
        found = [codes[cell] if cell in codes else codes.get(cell.strip()) for cell in cells]
        return None if None in found else found

    def _row(self, row: str, place: Place) -> np.ndarray:
        p = len(self.columns)
        cells = split(row, place)
        if len(cells) == 1 < p:
            cells = words(row, place)
        weight = _WEIGHT.fullmatch(cells[-1].text) if len(cells) == p + 1 and not cells[-1].quoted else None
        cells = cells[:-1] if weight else cells
        if len(cells) != p:
            column = cells[min(p, len(cells) - 1)].column if cells else 1
            raise place.error(column, f"the row has {len(cells)} values, but there are {p} attributes")
        values = np.full(p, NAN)
        for j, cell in enumerate(cells):
            if j in self.texts:
                self.texts[j].append(text_of(cell))
            else:
                values[j] = self.columns.value(j, cell, place)
        self.weights.append(number(weight[1]) if weight else 1.0)
        return values
