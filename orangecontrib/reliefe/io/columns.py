"""What the cells of a column may be: numbers, codes of declared values, texts."""

from collections.abc import Sequence

import numpy as np

from .header import HIERARCHICAL, NOMINAL, NUMERIC, TEXT, Attribute
from .tokens import Cell, Place, number

NAN = float("nan")
_SHOWN = 5


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

    def __len__(self) -> int:
        return len(self.attributes)

    def value(self, j: int, cell: Cell, place: Place) -> float:
        """The number or the code of a cell of column `j`, NaN where it is missing.

        Raises ValueError for what is no number or has not been declared.
        """
        if cell.missing:
            return NAN
        codes = self.codes[j]
        if codes is None:
            try:
                return number(cell.text)
            except ValueError:
                error = f"{self.attributes[j].name!r} is numeric, {cell.text!r} is not"
                raise place.error(cell.column, error) from None
        if cell.text in codes:
            return codes[cell.text]
        try:
            return self.by_number(j)[number(cell.text)]
        except (KeyError, ValueError):
            values = self.attributes[j].values
            names = ", ".join([*map(repr, values[:_SHOWN]), *(["..."] if len(values) > _SHOWN else [])])
            error = f"{cell.text!r} is not among the values of {self.attributes[j].name!r}: {names or 'there are none'}"
            raise place.error(cell.column, error) from None

    def by_number(self, j: int) -> dict[float, float]:
        """{value: code} of a nominal column with values that are different numbers, so that 1.0 is found as 1."""
        if j not in self._by_number:
            try:
                numbers = {number(value): code for value, code in self.codes[j].items()}
            except ValueError:
                numbers = {}
            self._by_number[j] = numbers if len(numbers) == len(self.codes[j]) else {}
        return self._by_number[j]

    def counts(self) -> np.ndarray:
        """(p,) number of values of columns whose values are "0", "1", ... in this order; 0: numeric; -1: another."""
        plain = [codes is not None and all(value == f"{code:.0f}" for value, code in codes.items())
                 for codes in self.codes]  # fmt: skip
        return np.array(
            [0 if codes is None else len(codes) if same and codes else -1
             for codes, same in zip(self.codes, plain, strict=True)]
        )  # fmt: skip


def text_of(cell: Cell) -> str | None:
    """The text of a cell, None where it is missing."""
    return None if cell.missing else cell.text
