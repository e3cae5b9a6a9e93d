"""Chance in scores of variants: a null level where it is quick, and advice on pairs of variants.

`rank_genotypes` computes the null level by `null_level_of` if it is asked to. The command and *Rank Genotypes* do so,
and show `advice_on_pairs`.
"""

from typing import Any, NamedTuple

import numpy as np

from ..core import NullLevel, null_level
from ..core.words import counted
from .genotypes import Genotypes

# People squared times variants up to which a null level is computed unasked: 600 people and 20,000 variants (7e9) take
# 1.5 s by ReliefF, 2.5 s by MultiSURF and 7 s by TuRF on two processors; 1,000 and 100,000 (1e11) up to 137 s
MAX_NULL_WORK = 2 * 10**10
MIN_VARIANTS = 1000  # fewer variants leave room for pairs by any method; chosen by eye
# Variants for each person up to which TuRF finds a strong pair without main effects (benchmarks/gwas.py, strength .8):
# in 4 of 5 studies of 300 people and 3,000 variants, of 600 and 6,000, and of 1,000 and 10,000; in none of 5 of 600 and
# 20,000
MAX_VARIANTS_PER_PERSON = 10
RANK_ALL_AT_ONCE = ("relieff", "rrelieff")  # methods that TuRF runs as its core


class PairAdvice(NamedTuple):
    """Advice on pairs of variants that act only together.

    Attributes
    ----------
    text : str
        A sentence without its point; empty if there is nothing to say.
    offers_turf : bool
        Whether TuRF finds such pairs more often than the method that ranks.
    """

    text: str
    offers_turf: bool = False


def is_null_level_quick(n_people: int, n_variants: int) -> bool:
    """True if a null level takes seconds."""
    return n_people**2 * n_variants <= MAX_NULL_WORK


def null_level_of(data: Genotypes, values: np.ndarray, method: str, **options: Any) -> NullLevel | None:
    """Compute the largest score that permuted phenotypes give, or None where this takes more than some seconds.

    Parameters
    ----------
    data : Genotypes (n, p)
        Genotypes that are ranked.
    values : (n,) array
        Phenotypes.
    method, **options
        As in `core.rank`.
    """
    return null_level(data.ranked, values, method, **options) if is_null_level_quick(*data.shape) else None


def advice_on_pairs(n_people: int, n_variants: int, method: str) -> PairAdvice:
    """Advise on pairs of variants that act only together, which are lost among many variants.

    Parameters
    ----------
    n_people, n_variants : int
        Size of the data that are ranked.
    method : str
        Name of the method that ranks them.
    """
    if n_variants <= MIN_VARIANTS:
        return PairAdvice("")
    limit = MAX_VARIANTS_PER_PERSON * n_people
    variants = counted(n_variants, "variant")
    people = counted(n_people, "person", "people")
    if n_variants > limit:
        lost = f"Pairs that act only together are lost among {variants} of {people}, also by TuRF"
        return PairAdvice(f"{lost}: filter to some {limit:,} candidates first")
    if method in RANK_ALL_AT_ONCE:
        return PairAdvice(f"Pairs that act only together are hard to find among {variants}: TuRF finds more", True)
    return PairAdvice("")
