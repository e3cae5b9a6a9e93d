"""Genotypes with the names of people and variants."""

from dataclasses import dataclass, fields

import numpy as np

from ..core import Packed


@dataclass(frozen=True, eq=False)
class Variants:
    """Facts about variants, one array each.

    Parameters
    ----------
    name : ndarray of str, shape (p,)
        Names, as "rs123".
    chromosome : ndarray of str, shape (p,)
        Chromosomes; "" where they are not known.
    position : ndarray of int, shape (p,)
        Base pairs; 0 where they are not known.
    counted, other : ndarray of str, shape (p,)
        The allele that codes count, and the other one; "" where they are not known.
    """

    name: np.ndarray
    chromosome: np.ndarray
    position: np.ndarray
    counted: np.ndarray
    other: np.ndarray

    def take(self, chosen: np.ndarray) -> "Variants":
        """The chosen variants (a mask or indices)."""
        return Variants(*(getattr(self, field.name)[chosen] for field in fields(self)))

    def __len__(self) -> int:
        return len(self.name)


@dataclass(frozen=True, eq=False)
class Genotypes:
    """Genotypes of n people and p variants.

    Parameters
    ----------
    codes : Packed
        Counts of an allele, 0 to 2, or unknown.
    people : ndarray of str, shape (n,)
        Names of the people, all different.
    variants : Variants
        Facts about the variants.
    phenotype : ndarray of str, shape (n,), optional
        As in the file; None where it has none.
    """

    codes: Packed
    people: np.ndarray
    variants: Variants
    phenotype: np.ndarray | None = None

    @property
    def shape(self) -> tuple[int, int]:
        """Numbers of people and variants."""
        return self.codes.shape

    def take(self, people: np.ndarray) -> "Genotypes":
        """The chosen people (a mask or indices)."""
        phenotype = None if self.phenotype is None else self.phenotype[people]
        return Genotypes(self.codes.take(people), self.people[people], self.variants, phenotype)

    def columns(self, chosen: np.ndarray) -> "Genotypes":
        """The chosen variants (a mask or indices)."""
        return Genotypes(self.codes.columns(chosen), self.people, self.variants.take(chosen), self.phenotype)


def refuse_twice(names: np.ndarray, noun: str, source: str) -> None:
    """Raise ValueError where a name is there twice, with the first of them."""
    values, counts = np.unique(names, return_counts=True)
    if (counts > 1).any():
        name = str(values[counts > 1][0])
        raise ValueError(f"{source} has the {noun} {name!r} {counts[counts > 1][0]} times; names must differ")
