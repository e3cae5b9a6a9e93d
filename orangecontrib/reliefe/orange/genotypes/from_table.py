"""Genotypes and phenotypes in a table of Orange."""

from collections.abc import Iterator

import numpy as np
import scipy.sparse as sp
from Orange.data import Domain, StringVariable, Table, Variable

from ...core import Packed
from ...core.data.packed import FEATURES_AT_ONCE
from ...genetics.genotypes import Genotypes, Variants
from ...genetics.people_table import person_titles

CHROMOSOME, POSITION, COUNTED, OTHER = "chromosome", "position", "counted allele", "other allele"  # attributes
LOOKED_AT = 50  # rows and features, before anything is computed
CODES = ("0", "1", "2")


def genotypes_of(table: Table, additive: bool = False) -> Genotypes:
    """Genotypes of the features of a table, in two bits each; sparse columns are looked at some at a time.

    Chromosome, position and alleles come from the attributes of the features, names of people from a text meta.
    ValueError for features that are no genotypes, with the name of the first one.
    """
    features = table.domain.attributes
    _refuse_empty(table)
    codes = Packed.of_blocks(len(table), len(features), _blocks(table), additive)
    return Genotypes(codes, people_of(table), _variants(features))


def refuse(table: Table) -> None:
    """Raise the ValueError of `genotypes_of` if some features of the first rows show it; takes no time."""
    _refuse_empty(table)
    features = table.domain.attributes[:LOOKED_AT]
    for _ in _blocks(table[:LOOKED_AT].transform(Domain(features))):
        pass


def _refuse_empty(table: Table) -> None:
    if not table.domain.attributes or not len(table):
        raise ValueError("the data have no rows" if table.domain.attributes else "the data have no features")


def people_of(table: Table) -> np.ndarray:
    """Names (n,) of the people: a text meta that is called so, or else numbers of the rows."""
    texts = {v.name: v for v in table.domain.metas if isinstance(v, StringVariable)}
    for name in person_titles(texts):
        column = np.array([str(value) for value in table.get_column(texts[name])], object)
        if len(set(column.tolist())) == len(column):
            return column
    return np.arange(1, len(table) + 1).astype(str).astype(object)


def phenotype_of(table: Table, name: str = "") -> tuple[np.ndarray, np.ndarray]:
    """Known people (n,), and the values (n,) of the target with this name, or of the first: classes or numbers.

    ValueError without a target, and where it has one value only.
    """
    targets = {variable.name: variable for variable in table.domain.class_vars}
    if not targets:
        raise ValueError("the data have no target: choose one with Select Columns, or a table with the phenotype")
    variable = targets.get(name) or next(iter(targets.values()))
    numbers = table.get_column(variable).astype(float)
    known = np.isfinite(numbers)
    values = numbers
    if variable.is_discrete:
        values = np.array([variable.values[int(v)] if ok else "" for v, ok in zip(numbers, known, strict=True)])
    if len(np.unique(values[known])) < 2:
        some = f"only the value {values[known][0]}" if known.any() else "no value at all"
        raise ValueError(f"the target {variable.name} has {some}: two are needed")
    return known, values


def _blocks(table: Table) -> Iterator[np.ndarray]:
    features, X = table.domain.attributes, table.X
    X = X.tocsc() if sp.issparse(X) else X
    for first in range(0, len(features), FEATURES_AT_ONCE):
        some = features[first : first + FEATURES_AT_ONCE]
        block = X[:, first : first + len(some)]
        block = np.array(block.toarray() if sp.issparse(block) else block, float)
        for place, variable in enumerate(some):
            if variable.is_discrete:
                block[:, place] = _named_codes(variable)[
                    np.where(np.isnan(block[:, place]), -1, block[:, place]).astype(int)
                ]
        unknown = np.isnan(block)
        bad = ~unknown & ~np.isin(block, (0, 1, 2))
        if bad.any():
            place = int(np.flatnonzero(bad.any(axis=0))[0])
            raise _no_genotype(some[place], f"{block[bad[:, place], place][0]:g}")
        yield np.where(unknown, -1, block).astype(np.int8)


def _named_codes(variable: Variable) -> np.ndarray:
    """Code of each value of a categorical feature, and last of what is unknown."""
    for value in variable.values:
        if value not in CODES:
            raise _no_genotype(variable, value)
    return np.array([*map(float, variable.values), np.nan])


def _no_genotype(variable: Variable, value: str) -> ValueError:
    return ValueError(
        f"the feature {variable.name} is no genotype: it has the value {value}, and genotypes are 0, 1 or 2 copies of "
        "an allele; choose such features with Select Columns"
    )


def _variants(features: tuple[Variable, ...]) -> Variants:
    def texts(key: str) -> np.ndarray:
        return np.array([str(v.attributes.get(key, "")) for v in features], object)

    position = np.array([_whole(v.attributes.get(POSITION)) for v in features], np.int64)
    names = np.array([v.name for v in features], object)
    return Variants(names, texts(CHROMOSOME), position, texts(COUNTED), texts(OTHER))


def _whole(value: object) -> int:
    """A position as a number; 0 if it is none."""
    text = str(value)
    return int(text) if text.isdecimal() and len(text) < 16 else 0
