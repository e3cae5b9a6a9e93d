"""Dosages: expected numbers of copies of an allele, which `rank` takes in the place of numbers.

Readers of imputed genotypes make a `Dosages`, and `DataTable.read` takes it.
"""

from dataclasses import dataclass

import numpy as np

from .packed import COPIES
from .scratch import chunks


@dataclass(frozen=True, eq=False)
class Dosages:
    """Dosages of n rows and p features.

    Two rows differ in a feature by half of the difference of their dosages, also where not all of 0 to 2 occurs, as
    those of `Packed` with additive codes do.

    Parameters
    ----------
    values : (n, p) float array
        Dosages from 0 to 2, NaN where unknown.

    Raises
    ------
    ValueError
        For other values.
    """

    values: np.ndarray

    def __post_init__(self) -> None:
        for step in chunks(len(self.values), self.values.strides[0]):
            block = self.values[step]
            if (block < 0).any() or (block > COPIES).any():
                raise ValueError(f"dosages must be from 0 to {COPIES}")
