"""Variants that are ranked as one, for example those of a gene.

`rank_genotypes` reads the groups before filters leave out variants. `GenotypeRanking` has their `facts_of_groups`.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np

from ..core.data.feature_groups import names_of_groups
from ..core.data.table import DataTable
from ..core.words import counted
from .genotypes import Genotypes, Variants


def read_groups(feature_groups: Any, data: Genotypes) -> np.ndarray:
    """Read the groups of variants that a caller gives.

    Parameters
    ----------
    feature_groups : mapping or sequence
        As `feature_groups` of `core.rank`: names or indices of the variants of each group, or the name of the group of
        each of the p variants.
    data : Genotypes
        Genotypes of p variants.

    Returns
    -------
    (p,) object array
        Name of the group of each variant; None if it is alone.

    Raises
    ------
    ValueError, TypeError
        As of `FeatureGroups.read`.
    """
    table = DataTable.read(data.codes).named(data.variants.name.tolist())
    return np.array(names_of_groups(feature_groups, table), object)


def lost_groups(before: np.ndarray | None, after: np.ndarray | None) -> list[str]:
    """Sentence on groups without a variant after filters; none if all have one.

    Parameters
    ----------
    before, after : object arrays, optional
        Names of the groups of the variants before and after filters; None for a variant that is alone. None: there
        are no groups.
    """
    if before is None or after is None:
        return []
    lost = {*before.tolist()} - {*after.tolist(), None}
    return [f"{counted(len(lost), 'group')} left out: without a variant that passes the filters"] if lost else []


def facts_of_groups(variants: Variants, names: Sequence[str], members: Sequence[Sequence[int]]) -> Variants:
    """Describe groups of variants as if they were variants.

    Parameters
    ----------
    variants : Variants
        Facts about p variants.
    names : sequence of str
        Names of g groups.
    members : sequence of sequence of int
        Indices of the variants of each group.

    Returns
    -------
    Variants
        Of the g groups: the chromosome of all of its variants, and the position of the first one. Both are unknown for
        a group on several chromosomes. Alleles are those of a variant that is alone, else unknown.
    """
    n_groups = len(names)
    chromosome = np.full(n_groups, "", object)
    counted_allele = np.full(n_groups, "", object)
    other_allele = np.full(n_groups, "", object)
    position = np.zeros(n_groups, np.int64)
    for g, features in enumerate(members):
        chromosomes = {*variants.chromosome[features].tolist()}
        if len(chromosomes) == 1:
            chromosome[g] = chromosomes.pop()
            position[g] = variants.position[features].min()
        if len(features) == 1:
            counted_allele[g] = variants.counted[features[0]]
            other_allele[g] = variants.other[features[0]]
    return Variants(np.array(names, object), chromosome, position, counted_allele, other_allele)
