"""Genotypes of many people: files of PLINK, VCF and NumPy, filters of the field, and rankings of a million SNPs.

`rank_genotypes` goes from a file to a ranking; `read_genotypes` gives what lies between.  Bad input is a ValueError or
TypeError with file and line or name, before any ranking.
"""

from .description import GenotypeDescription, describe_genotypes
from .filters import Filters
from .genotypes import Genotypes, Variants
from .ranking import rank_genotypes
from .reading import read_genotypes
from .variant_ranking import GenotypeRanking

__all__ = [
    "Filters",
    "GenotypeDescription",
    "GenotypeRanking",
    "Genotypes",
    "Variants",
    "describe_genotypes",
    "rank_genotypes",
    "read_genotypes",
]
