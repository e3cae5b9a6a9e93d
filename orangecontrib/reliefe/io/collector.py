"""Base class of the readers of dense and sparse rows (`dense`, `sparse`), which `arff` adds chunks of rows to.

A chunk is read as a whole, which is fast, but does not find out where an error is. If it fails, its halves are read,
and a single row at last cell by cell, which raises a ValueError with line and column.
"""

import math
from collections.abc import Sequence

import numpy as np

from .columns import FileColumns
from .tokens import Location, number


class Collector:
    """Rows of a file that were read so far.

    Parameters
    ----------
    name : str
        Name of the file.
    columns : FileColumns
        Its columns.
    """

    def __init__(self, name: str, columns: FileColumns) -> None:
        self.name = name
        self.columns = columns
        self._weights: list[np.ndarray] = []

    def add(self, rows: Sequence[str], numbers: np.ndarray) -> None:
        """Read further rows.

        Parameters
        ----------
        rows : sequence of str
            Lines of the file.
        numbers : (len(rows),) int array
            Numbers of these lines.

        Raises
        ------
        ValueError
            With the location of the first error.
        """
        try:
            self._read_all(rows)
        except ValueError:
            if len(rows) == 1:
                self._read_row(rows[0], Location(self.name, int(numbers[0])))
                return
            half = len(rows) // 2
            self.add(rows[:half], numbers[:half])
            self.add(rows[half:], numbers[half:])

    def weights(self) -> np.ndarray:
        """Weights (n,) of all rows."""
        return np.concatenate(self._weights or [np.empty(0)])

    def _read_all(self, rows: Sequence[str]) -> None:
        """Read rows at once; raises ValueError, and stores nothing, if any of them is wrong or hard to read."""
        raise NotImplementedError

    def _read_row(self, row: str, location: Location) -> None:
        """Read a row cell by cell; raises ValueError with the location of an error."""
        raise NotImplementedError


def weight_of(text: str) -> float:
    """Return the weight that a text is; raises ValueError if it is no finite number."""
    weight = number(text)
    if not math.isfinite(weight):
        raise ValueError("a weight is finite")
    return weight
