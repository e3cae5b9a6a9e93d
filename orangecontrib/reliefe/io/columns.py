"""Columns by what their cells may be: numbers, codes of declared values, texts."""

from collections.abc import Iterable, Sequence
from typing import cast

import numpy as np

from ..core.words import shown
from .header import HIERARCHICAL, NOMINAL, NUMERIC, TEXT, Attribute
from .tokens import MISSING, QUOTE, Cell, Place, clean, content, number

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

    def value(self, j: int, cell: Cell, place: Place) -> float:
        """As `decode`, but a refusal says where."""
        try:
            return self.decode(j, cell.token)
        except ValueError as error:
            raise place.error(cell.column, str(error)) from None

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
