"""Columns of an ARFF file, and how the cells in them become numbers.

Readers of dense and of sparse rows (`dense`, `sparse`) share one `FileColumns` of a file, which `arff` makes from its
header. A cell of a numeric column becomes its number, one of a nominal column the code of its value: 1.0 for "yes" if
the column is declared as {no, yes}. Texts stay texts.
"""

from collections.abc import Iterable, Sequence
from typing import cast

import numpy as np

from ..core.words import shown
from .header import HIERARCHICAL, NOMINAL, NUMERIC, TEXT, Attribute
from .tokens import MISSING, QUOTE, Cell, Location, clean, content, number

NAN = float("nan")
# Codes in `Columns.counts`
IS_NUMERIC = 0
HAS_NAMES = -1
MAX_LISTED = 5  # declared values that a message repeats
# A file may have millions of spellings, as of identifiers; these bounds keep the cache of one column below 20 MB.
MAX_CACHED = 2**16  # spellings of a column
MAX_CACHED_LENGTH = 100  # characters of a spelling


class FileColumns:
    """The p columns of a file.

    Attributes
    ----------
    attributes : sequence of Attribute
        Their declarations.
    codes : list of dict or None
        Codes of the declared values of each nominal column, {value: code}. None for other columns.
    texts : tuple of int
        Indices of the columns that keep their text.
    numeric : bool
        Whether all columns are numeric.
    """

    def __init__(self, attributes: Sequence[Attribute]) -> None:
        self.attributes = attributes
        self.codes = [_codes_of(attribute) for attribute in attributes]
        self.texts = tuple(j for j, attribute in enumerate(attributes) if attribute.kind in (TEXT, HIERARCHICAL))
        self.numeric = all(attribute.kind == NUMERIC for attribute in attributes)
        self._codes_by_number: dict[int, dict[float, float]] = {}
        self._cached: dict[int, CachedCodes] = {}

    def __len__(self) -> int:
        return len(self.attributes)

    def decode(self, j: int, token: str) -> float:
        """Return the number or the code of a token of column `j`, NaN where it is missing.

        Raises
        ------
        ValueError
            If the token is no number, or no value of a nominal column.
        """
        if token == MISSING:
            return NAN
        codes = self.codes[j]
        text = content(token)
        if codes is None:
            try:
                return number(text)
            except ValueError:
                name = shown(self.attributes[j].name)
                raise ValueError(f"{name} is numeric, {shown(text)} is not") from None
        if text in codes:
            return codes[text]
        try:
            return self.codes_by_number(j)[number(text)]
        except (KeyError, ValueError):
            raise self._undeclared(j, text) from None

    def _undeclared(self, j: int, text: str) -> ValueError:
        values = self.attributes[j].values
        listed = list(map(shown, values[:MAX_LISTED]))
        if len(values) > MAX_LISTED:
            listed.append("...")
        names = ", ".join(listed) or "there are none"
        return ValueError(f"{shown(text)} is not among the values of {shown(self.attributes[j].name)}: {names}")

    def value(self, j: int, cell: Cell, location: Location) -> float:
        """Return the number or the code of a cell as `decode` does; a ValueError has the location of the cell."""
        try:
            return self.decode(j, cell.token)
        except ValueError as error:
            raise location.error(cell.column, str(error)) from None

    def cached_codes(self, j: int) -> "CachedCodes":
        """Cache {cell as written: number or code} of column `j`; a look-up raises the ValueError of `decode`."""
        if j not in self._cached:
            self._cached[j] = CachedCodes(self, j)
        return self._cached[j]

    def codes_by_number(self, j: int) -> dict[float, float]:
        """Codes {number: code} of a nominal column, so that 1.0 is read as its value 1.

        Empty unless all declared values are different numbers.
        """
        if j not in self._codes_by_number:
            codes = cast("dict[str, float]", self.codes[j])
            try:
                by_number = {number(value): code for value, code in codes.items()}
            except ValueError:
                by_number = {}
            self._codes_by_number[j] = by_number if len(by_number) == len(codes) else {}
        return self._codes_by_number[j]

    def counts(self) -> np.ndarray:
        """Number of values (p,) of each column whose values are "0", "1", ... in this order.

        `IS_NUMERIC` for columns that are not nominal, `HAS_NAMES` for other nominal columns.
        """
        return np.array([_count_of_digits(codes) for codes in self.codes])


def _codes_of(attribute: Attribute) -> dict[str, float] | None:
    """Codes {value: code} of a nominal attribute, else None."""
    if attribute.kind != NOMINAL:
        return None
    return {value: float(code) for code, value in enumerate(attribute.values)}


def _count_of_digits(codes: dict[str, float] | None) -> int:
    """Entry of `FileColumns.counts` for a column with these codes."""
    if codes is None:
        return IS_NUMERIC
    are_digits = all(value == f"{code:.0f}" for value, code in codes.items())
    return len(codes) if are_digits and codes else HAS_NAMES


class CachedCodes(dict[str, float]):
    """Codes of the cells of a column by their spelling, each of which is decoded once."""

    def __init__(self, columns: FileColumns, j: int) -> None:
        super().__init__()
        self._columns = columns
        self._j = j

    def __missing__(self, raw: str) -> float:
        code = self._columns.decode(self._j, clean(raw))
        if len(raw) < MAX_CACHED_LENGTH and len(self) < MAX_CACHED:
            self[raw] = code
        return code


def texts_of(tokens: Iterable[str]) -> list[str | None]:
    """Return the texts of tokens, None where they are missing."""
    return [None if token == MISSING else token[1:] if token[:1] == QUOTE else token for token in tokens]
