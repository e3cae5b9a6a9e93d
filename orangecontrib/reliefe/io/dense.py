"""Columns by what their cells may be: numbers, codes of declared values, texts; rows that list all values."""

import math
import re
from collections.abc import Iterable, Sequence
from contextlib import suppress
from itertools import islice
from typing import Any, cast

import numpy as np

from ..core.words import shown
from ..tabular.limits import BYTES_PER_READ
from .header import HIERARCHICAL, NOMINAL, NUMERIC, TEXT, Attribute
from .tokens import (
    BETWEEN,
    MISSING,
    QUOTE,
    Cell,
    Location,
    all_clean,
    between_blanks,
    cells,
    clean,
    content,
    count,
    number,
    split,
    words,
)

NAN = float("nan")
_SHOWN = 5
_KEPT, _LONG = 2**16, 100  # spellings of values that are remembered, and characters of those that are not


class Columns:
    """The columns of a file and how their cells become numbers.

    codes: for each column {value: code} or None; texts: numbers of the columns that keep their text.
    """

    def __init__(self, attributes: Sequence[Attribute]) -> None:
        self.attributes = attributes
        self.codes = [dict(zip(a.values, map(float, range(len(a.values))), strict=True)) if a.kind == NOMINAL else None
                      for a in attributes]  # fmt: skip
        self.texts = tuple(j for j, a in enumerate(attributes) if a.kind in (TEXT, HIERARCHICAL))
        self.numeric = all(attribute.kind == NUMERIC for attribute in attributes)
        self._by_number: dict[int, dict[float, float]] = {}
        self._spelled: dict[int, _Spelled] = {}

    def __len__(self) -> int:
        return len(self.attributes)

    def decode(self, j: int, token: str) -> float:
        """The number or the code of a token of column `j`, NaN where it is missing; raises ValueError for another
        one."""
        if token == MISSING:
            return NAN
        codes, text = self.codes[j], content(token)
        if codes is None:
            try:
                return number(text)
            except ValueError:
                name = shown(self.attributes[j].name)
                raise ValueError(f"{name} is numeric, {shown(text)} is not") from None
        if text in codes:
            return codes[text]
        try:
            return self.by_number(j)[number(text)]
        except (KeyError, ValueError):
            values, name = self.attributes[j].values, shown(self.attributes[j].name)
            names = ", ".join([*map(shown, values[:_SHOWN]), *(["..."] if len(values) > _SHOWN else [])])
            error = f"{shown(text)} is not among the values of {name}: {names or 'there are none'}"
            raise ValueError(error) from None

    def value(self, j: int, cell: Cell, location: Location) -> float:
        """As `decode`, but a refusal says where."""
        try:
            return self.decode(j, cell.token)
        except ValueError as error:
            raise location.error(cell.column, str(error)) from None

    def spelled(self, j: int) -> "_Spelled":
        """{cell as written: code} of a nominal column; raises ValueError, as `decode`, for what is no value of it."""
        if j not in self._spelled:
            self._spelled[j] = _Spelled(self, j)
        return self._spelled[j]

    def by_number(self, j: int) -> dict[float, float]:
        """{value: code} of a nominal column with values that are different numbers, so that 1.0 is found as 1."""
        if j not in self._by_number:
            try:
                numbers = {number(value): code for value, code in cast("dict[str, float]", self.codes[j]).items()}
            except ValueError:
                numbers = {}
            self._by_number[j] = numbers if len(numbers) == len(cast("dict[str, float]", self.codes[j])) else {}
        return self._by_number[j]

    def counts(self) -> np.ndarray:
        """(p,) number of values of columns whose values are "0", "1", ... in this order; 0: numeric; -1: another."""
        plain = [codes is not None and all(value == f"{code:.0f}" for value, code in codes.items())
                 for codes in self.codes]  # fmt: skip
        return np.array(
            [0 if codes is None else len(codes) if same and codes else -1
             for codes, same in zip(self.codes, plain, strict=True)]
        )  # fmt: skip


class _Spelled(dict[str, float]):
    """Codes of the cells that were met, so that each spelling is read once."""

    def __init__(self, columns: Columns, j: int) -> None:
        super().__init__()
        self._columns = columns
        self._j = j

    def __missing__(self, raw: str) -> float:
        code = self._columns.decode(self._j, clean(raw))
        if len(raw) < _LONG and len(self) < _KEPT:
            self[raw] = code
        return code


def texts_of(tokens: Iterable[str]) -> list[str | None]:
    """The texts of cells, None where they are missing."""
    return [None if token == MISSING else token[1:] if token[:1] == QUOTE else token for token in tokens]


_WEIGHT = re.compile(r"\{\s*([\d.eE+-]+)\s*\}")


class Collector:
    """Collects rows, many at a time; where some of them are wrong, they are read one by one to say where."""

    def __init__(self, name: str, columns: Columns) -> None:
        self.name, self.columns = name, columns
        self._weights: list[np.ndarray] = []

    def add(self, rows: Sequence[str], numbers: np.ndarray) -> None:
        """Read `rows`, the lines with these numbers; raises ValueError with the place of what is wrong."""
        try:
            self._all(rows)
        except ValueError:
            if len(rows) == 1:
                self._row(rows[0], Location(self.name, int(numbers[0])))
                return
            half = len(rows) // 2  # halves lead to what is wrong sooner than one row after the other
            self.add(rows[:half], numbers[:half])
            self.add(rows[half:], numbers[half:])

    def weights(self) -> np.ndarray:
        """(n,) of all rows."""
        return np.concatenate(self._weights or [np.empty(0)])

    def _all(self, rows: Sequence[str]) -> None:
        """Read `rows`; raises ValueError, and keeps nothing, where anything is wrong."""
        raise NotImplementedError

    def _row(self, row: str, location: Location) -> None:
        """Read a row; raises ValueError with the place of what is wrong."""
        raise NotImplementedError


class Dense(Collector):
    """Rows that list the values of all columns."""

    def __init__(self, name: str, columns: Columns) -> None:
        super().__init__(name, columns)
        self._texts: dict[int, list[str | None]] = {j: [] for j in columns.texts}
        self._blocks: list[np.ndarray] = []

    def values(self) -> np.ndarray:
        """(n, p) of all rows; it takes what was collected, so that this is in memory once."""
        values, first = np.empty((sum(map(len, self._blocks)), len(self.columns))), 0
        for k, block in enumerate(self._blocks):
            values[first : first + len(block)] = block
            first += len(block)
            self._blocks[k] = values[:0]
        return values

    def texts(self) -> dict[int, np.ndarray]:
        """{column: (n,) its texts, None where missing}."""
        found = {}
        for j, column in self._texts.items():
            found[j] = np.empty(len(column), dtype=object)
            found[j][:] = column
        return found

    def _all(self, rows: Sequence[str]) -> None:
        text, n, p = "\n" + "\n".join(rows), len(rows), len(self.columns)
        if len(text) > 2 * BYTES_PER_READ and text.count(",") > n * (p + 1):
            raise ValueError("where a line has many more values than there are columns, they are not kept")
        found, weights = _aligned(cells(text), n, p)
        plain = "_" not in text
        if self.columns.numeric:
            self._store(self._numbers(found, 0, plain).reshape(n, p), weights)
            return
        block, texts = np.full((p, n), NAN), cast("dict[int, list[Any]]", {})
        for j in range(p):
            column = found[j::p]
            if j in self._texts:
                texts[j] = texts_of(all_clean(column))
            elif self.columns.codes[j] is None:
                block[j] = self._numbers(column, j, plain)
            else:
                block[j] = np.fromiter(map(self.columns.spelled(j).__getitem__, column), float, n)
        for j, column in texts.items():
            self._texts[j].extend(column)
        self._store(np.ascontiguousarray(block.T), weights)

    def _store(self, block: np.ndarray, weights: np.ndarray) -> None:
        self._blocks.append(block)
        self._weights.append(weights)

    def _numbers(self, column: list[str], j: int, plain: bool) -> np.ndarray:
        """The numbers that cells of the column `j` are, NaN where they are missing; raises ValueError.

        plain: whether none has an underscore, which Python would take for a part of a number.
        """
        if plain:
            with suppress(ValueError):
                return np.fromiter(map(float, column), float, len(column))
            text = BETWEEN.join(column)
            if MISSING in text and "-?" not in text and "+?" not in text:
                with suppress(ValueError):
                    found = text.replace(MISSING, "nan").split(BETWEEN)
                    return np.fromiter(map(float, found), float, len(column))
        return np.fromiter(map(self.columns.spelled(j).__getitem__, column), float, len(column))

    def _row(self, row: str, location: Location) -> None:
        p, weight = len(self.columns), 1.0
        total = count(row)
        read = split if total > 1 or p == 1 else words
        found = list(islice(read(row, location), p + 1))
        if read is words:
            total = len(found) if len(found) <= p else sum(1 for _ in words(row, location))
        if total == p + 1:
            with suppress(ValueError):
                weight = _weight(found[p].token)
                total = p
        if total != p:
            column = found[min(p, len(found) - 1)].column if found else 1
            raise location.error(column, f"the row has {total} values, but there are {p} attributes")
        values = np.full(p, NAN)
        for j, cell in enumerate(found[:p]):
            if j in self._texts:
                self._texts[j] += texts_of([cell.token])
            else:
                values[j] = self.columns.value(j, cell, location)
        self._store(values[np.newaxis], np.array([weight]))


def _aligned(found: list[str], n: int, p: int) -> tuple[list[str], np.ndarray]:
    """p cells of each row, one row after the other, and weights (n,); raises ValueError where a row has another number.

    found: what is between commas; it may be all between blanks instead.
    """
    if len(found) == n * p and (p == 1 or [cell[:1] for cell in found[::p]].count("\n") == n):
        return found, np.ones(n)
    if len(found) == n:
        found = between_blanks(found)
        if len(found) == n * (p + 1) and found[p :: p + 1].count(",") == n:
            del found[p :: p + 1]
            return found, np.ones(n)
        ends = [k for k, cell in enumerate(found) if cell == ","]
        begins, after = [0, *(k + 1 for k in ends[:-1])], ends
    else:
        begins = [k for k, cell in enumerate(found) if cell[:1] == "\n"]
        after = [*begins[1:], len(found)]
    kept, weights = [], np.ones(n)
    for k, (begin, end) in enumerate(zip(begins, after, strict=True)):
        if end - begin == p + 1:
            end -= 1
            weights[k] = _weight(found[end])
        row = found[begin:end]
        if len(row) == 1 < p:
            row = between_blanks(row)[:-1]
        if len(row) != p:
            raise ValueError(f"a row has {len(row)} values")
        kept += row
    return kept, weights


def _weight(text: str) -> float:
    """The weight in braces that a row may end with; raises ValueError for another text."""
    match = _WEIGHT.fullmatch(text.strip())
    if not match:
        raise ValueError("a weight is a number in braces")
    return weight_of(match[1])


def weight_of(text: str) -> float:
    """The weight; raises ValueError where it is no finite number."""
    weight = number(text)
    if not math.isfinite(weight):
        raise ValueError("a weight is finite")
    return weight
