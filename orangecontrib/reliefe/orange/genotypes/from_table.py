"""Genotypes and phenotypes of people in a table of Orange.

`job` reads the table on the input of *Rank Genotypes* with `genotypes_of` and `phenotype_of`. The widget calls `refuse`
when the table arrives.
"""

from collections.abc import Iterator

import numpy as np
import scipy.sparse as sp
from Orange.data import Domain, StringVariable, Table, Variable

from ...core import Packed
from ...core.data.facts import refuse_empty
from ...core.data.packed import FEATURES_AT_ONCE
from ...core.targets.facts import no_target, refuse_one_value, titled
from ...genetics.genotypes import Genotypes, Variants
from ...genetics.people_table import person_titles

# Attributes of features
CHROMOSOME = "chromosome"
POSITION = "position"
COUNTED = "counted allele"
OTHER = "other allele"
SAMPLE = 50  # rows and features that `refuse` checks; chosen by eye
MAX_POSITION_DIGITS = 15  # that a float holds exactly
CODES = ("0", "1", "2")


def genotypes_of(table: Table, additive: bool = False) -> Genotypes:
    """Read the genotypes in a table.

    Chromosome, position and alleles are in the attributes of the features, names of people in a text meta.

    Parameters
    ----------
    table : Table
        Table of people, whose features are genotypes. Sparse features are converted in blocks.
    additive : bool
        Whether genotypes are compared as numbers.

    Raises
    ------
    ValueError
        If a feature is no genotype, or there are no people or no features.
    """
    features = table.domain.attributes
    _refuse_empty(table)
    codes = Packed.of_blocks(len(table), len(features), _blocks(table), additive)
    return Genotypes(codes, people_of(table), _variants(features))


def refuse(table: Table) -> None:
    """Raise the ValueError of `genotypes_of` if the first rows and features show it; takes no time."""
    _refuse_empty(table)
    features = table.domain.attributes[:SAMPLE]
    for _ in _blocks(table[:SAMPLE].transform(Domain(features))):
        pass


def _refuse_empty(table: Table) -> None:
    """Raise ValueError for a table without features or rows."""
    refuse_empty(table.X.shape)


def people_of(table: Table) -> np.ndarray:
    """Names (n,) of the people: a text meta with a title such as "person", or numbers of the rows."""
    texts = {v.name: v for v in table.domain.metas if isinstance(v, StringVariable)}
    for name in person_titles(texts):
        column = np.array([str(value) for value in table.get_column(texts[name])], object)
        if len(set(column.tolist())) == len(column):
            return column
    return np.arange(1, len(table) + 1).astype(str).astype(object)


def phenotype_of(table: Table, name: str = "") -> tuple[np.ndarray, np.ndarray]:
    """Read the phenotype in a table.

    Parameters
    ----------
    table : Table
        Table of n people.
    name : str
        Name of a target; empty: the first one.

    Returns
    -------
    is_known : (n,) bool array
        People whose phenotype is known.
    values : (n,) array
        Names of classes, or numbers.

    Raises
    ------
    ValueError
        If there is no target, or it has one value only.
    """
    targets = {variable.name: variable for variable in table.domain.class_vars}
    if not targets:
        raise ValueError(f"{no_target()}: choose one with Select Columns, or a table with the phenotype")
    variable = targets.get(name) or next(iter(targets.values()))
    numbers = table.get_column(variable).astype(float)
    is_known = np.isfinite(numbers)
    values = numbers
    if variable.is_discrete:
        values = np.array([variable.values[int(v)] if ok else "" for v, ok in zip(numbers, is_known, strict=True)])
    refuse_one_value(values[is_known], titled(variable.name))
    return is_known, values


def _blocks(table: Table) -> Iterator[np.ndarray]:
    """Yield codes (n, features) int8 of blocks of features, -1 where unknown; raises ValueError for other values."""
    features = table.domain.attributes
    X = table.X.tocsc() if sp.issparse(table.X) else table.X
    for first in range(0, len(features), FEATURES_AT_ONCE):
        features_of_block = features[first : first + FEATURES_AT_ONCE]
        block = X[:, first : first + len(features_of_block)]
        block = np.array(block.toarray() if sp.issparse(block) else block, float)
        for j, feature in enumerate(features_of_block):
            if feature.is_discrete:
                indices = np.where(np.isnan(block[:, j]), -1, block[:, j]).astype(int)
                block[:, j] = _named_codes(feature)[indices]
        is_unknown = np.isnan(block)
        is_wrong = ~is_unknown & ~np.isin(block, (0, 1, 2))
        if is_wrong.any():
            j = int(np.flatnonzero(is_wrong.any(axis=0))[0])
            raise _no_genotype(features_of_block[j], f"{block[is_wrong[:, j], j][0]:g}")
        yield np.where(is_unknown, -1, block).astype(np.int8)


def _named_codes(variable: Variable) -> np.ndarray:
    """Code of each value of a categorical feature, and NaN at the end, for unknown values (index -1)."""
    for value in variable.values:
        if value not in CODES:
            raise _no_genotype(variable, value)
    return np.array([*map(float, variable.values), np.nan])


def _no_genotype(variable: Variable, value: str) -> ValueError:
    """Error for a feature with a value that is none of 0, 1 and 2."""
    return ValueError(
        f"the feature {variable.name} is no genotype: it has the value {value}, and genotypes are 0, 1 or 2 copies of "
        "an allele; choose such features with Select Columns"
    )


def _variants(features: tuple[Variable, ...]) -> Variants:
    """Facts about variants, from the attributes of features."""

    def texts(key: str) -> np.ndarray:
        return np.array([str(v.attributes.get(key, "")) for v in features], object)

    position = np.array([_whole(v.attributes.get(POSITION)) for v in features], np.int64)
    names = np.array([v.name for v in features], object)
    return Variants(names, texts(CHROMOSOME), position, texts(COUNTED), texts(OTHER))


def _whole(value: object) -> int:
    """Position as a number; 0 if it is none."""
    text = str(value)
    return int(text) if text.isdecimal() and len(text) <= MAX_POSITION_DIGITS else 0
