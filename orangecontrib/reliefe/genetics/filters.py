"""Filters of variants and people, as usual before an association study.

`ranking.prepare` applies the filters of a user to genotypes. Most need only counts of the codes of each variant.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy.stats import chi2

from ..core import Packed
from ..core.checks import whole
from ..core.data.scratch import chunks
from ..core.words import counted
from .genotypes import Genotypes
from .single_variants import single_variant_tests

VARIANTS_AT_ONCE = 2**12  # unpacked together for correlations; 16 MB at 1,000 people


@dataclass(frozen=True)
class Filters:
    """Limits of people and variants.

    Where dosages are ranked, all limits but that of the frequency count the nearest genotypes.

    Parameters
    ----------
    missing, missing_people : float
        Largest share of unknown genotypes of a variant, and of a person, in [0, 1].
    maf : float
        Least frequency of the rarer allele, in [0, 0.5]; variants of one genotype always go.
    hardy_weinberg : float
        Least p of the test of Hardy-Weinberg proportions (chi-square, one degree of freedom) in the largest class; 0:
        no test.
    r2 : float
        Largest squared correlation with a variant before that stays; 1: no limit.
    window : int
        Variants before, on the same chromosome, that correlations are taken with.
    score_test : int
        Number of variants that stay by the score test of the phenotype for the count of an allele, beside covariates
        and components; 0: all.  For rankings of interactions; p-values after it would be too small.
    """

    missing: float = 0.05
    missing_people: float = 0.1
    maf: float = 0.01
    hardy_weinberg: float = 0.0
    r2: float = 1.0
    window: int = 50
    score_test: int = 0

    def __post_init__(self) -> None:
        ranges = {"missing": 1, "missing_people": 1, "maf": 0.5, "hardy_weinberg": 1, "r2": 1}
        for name, upper in ranges.items():
            if not 0 <= getattr(self, name) <= upper:
                raise ValueError(f"{name} must lie in [0, {upper}], not {getattr(self, name)}")
        if self.window < 1:
            raise ValueError(f"window must be at least 1, not {self.window}")
        whole("score_test", self.score_test, 0)

    def people(self, data: Genotypes) -> tuple[np.ndarray, list[str]]:
        """Select people by their share of unknown genotypes.

        Returns
        -------
        keep : (n,) bool array
            People that stay.
        left_out : list of str
            Sentence on how many do not.
        """
        n, p = data.shape
        unknown = np.zeros(n)
        if data.codes.n_unknown:
            unknown = np.array([np.unpackbits(row.view(np.uint8)).sum() for row in data.codes.unknown])
        keep = unknown <= self.missing_people * p
        return keep, _left_out(~keep, "person", f"lacks more than {self.missing_people:.0%} of the genotypes", "people")

    def by_test(self, data: Genotypes, phenotype: np.ndarray, **study: Any) -> tuple[np.ndarray, list[str]]:
        """Select variants by the score test of the phenotype.

        Parameters
        ----------
        data : Genotypes (n, p)
            Genotypes.
        phenotype : (n,) array
            Phenotypes.
        **study
            Covariates, as arguments of `core.rank`.

        Returns
        -------
        keep : (p,) bool array
            Variants that stay.
        left_out : list of str
            Sentence on how many do not.
        """
        p = data.shape[1]
        if not 0 < self.score_test < p:
            return np.ones(p, bool), []
        p_values = single_variant_tests(data.ranked, phenotype, **study)
        keep = np.zeros(p, bool)
        keep[np.argsort(p_values, kind="stable")[: self.score_test]] = True
        return keep, _left_out(~keep, "variant", f"not among the {self.score_test:,} best by the score test")

    def variants(self, data: Genotypes, tested_people: np.ndarray) -> tuple[np.ndarray, list[str]]:
        """Select variants by their counts of genotypes, and by linkage.

        Parameters
        ----------
        data : Genotypes (n, p)
            Genotypes of the people that stay.
        tested_people : (m,) int array
            Indices of the people in whom Hardy-Weinberg proportions are tested.

        Returns
        -------
        keep : (p,) bool array
            Variants that stay.
        left_out : list of str
            Sentence on how many do not, for each reason.

        Raises
        ------
        ValueError
            If no variant stays.
        """
        counts = data.codes.counts()
        left_out: list[str] = []
        reasons = [
            (counts[3] > self.missing * data.shape[0], f"unknown in more than {self.missing:.0%} of the people"),
            ((counts[:3] > 0).sum(axis=0) < 2, "of one genotype only"),
            (rarer_frequency(data) < self.maf, f"rarer allele below {self.maf:g}"),
        ]
        if self.hardy_weinberg:
            p = hardy_weinberg(data.codes.counts(tested_people))
            reasons.append((p < self.hardy_weinberg, f"p of Hardy-Weinberg proportions below {self.hardy_weinberg:g}"))
        keep = np.ones(data.shape[1], bool)
        for fails, reason in reasons:
            left_out += _left_out(keep & fails, "variant", reason)
            keep &= ~fails
        if self.r2 < 1:
            linked = linkage(data.codes, data.variants.chromosome, keep, self.r2, self.window)
            left_out += _left_out(linked, "variant", f"r² above {self.r2:g} with one before")
            keep &= ~linked
        if not keep.any():
            raise ValueError(f"no variant is left: {'; '.join(left_out)}")
        return keep, left_out


def frequency(counts: np.ndarray) -> np.ndarray:
    """Frequency (p,) of the rarer allele: min(q, 1 - q) with q = (n_1 + 2 n_2) / (2 (n_0 + n_1 + n_2)).

    Parameters
    ----------
    counts : (4, p) int array
        Numbers n_0, n_1, n_2 of the codes 0, 1, 2 of each variant, and of unknown genotypes.

    Returns
    -------
    (p,) float64 array
        Frequencies, 0 where all genotypes are unknown.
    """
    alleles = 2 * counts[:3].sum(axis=0)
    share: np.ndarray = (counts[1] + 2 * counts[2]) / np.maximum(alleles, 1)
    return np.asarray(np.minimum(share, 1 - share))


def rarer_frequency(data: Genotypes) -> np.ndarray:
    """Frequency (p,) of the rarer allele of each variant: half of the mean dosage, or that of the counts of codes."""
    if data.dosages is None:
        return frequency(data.codes.counts())
    n, p = data.shape
    total = np.zeros(p)
    n_known = np.zeros(p)
    for step in chunks(n, data.dosages.strides[0]):
        block = data.dosages[step]
        total += np.nansum(block, axis=0, dtype=np.float64)
        n_known += np.count_nonzero(~np.isnan(block), axis=0)
    share = total / np.maximum(2 * n_known, 1)
    return np.asarray(np.minimum(share, 1 - share))


def hardy_weinberg(counts: np.ndarray) -> np.ndarray:
    """p-values of the chi-square test of Hardy-Weinberg proportions, one degree of freedom.

    With the frequency q of the counted allele, n (1 - q)², 2 n q (1 - q) and n q² people are expected to have the codes
    0, 1 and 2.

    Parameters
    ----------
    counts : (4, p) int array
        Numbers of the codes 0, 1, 2 of each variant, and of unknown genotypes.

    Returns
    -------
    (p,) float64 array
        p-values.
    """
    n = np.maximum(counts[:3].sum(axis=0), 1)
    q = (counts[1] + 2 * counts[2]) / (2 * n)
    expected = n * np.array([(1 - q) ** 2, 2 * q * (1 - q), q**2])
    statistic = ((counts[:3] - expected) ** 2 / np.where(expected > 0, expected, 1)).sum(axis=0)
    return np.asarray(chi2.sf(statistic, 1))


def linkage(codes: Packed, chromosome: np.ndarray, keep: np.ndarray, limit: float, window: int) -> np.ndarray:
    """Find variants in linkage disequilibrium with one before them.

    Variants are visited in their order. One is left out if r² > limit for any of the last `window` variants that were
    neither left out nor are outside `keep`, on the same chromosome.

    Parameters
    ----------
    codes : Packed (n, p)
        Genotypes. Unknown ones count as the mean of their variant.
    chromosome : (p,) object array of str
        Names of the chromosomes.
    keep : (p,) bool array
        Variants that other filters keep; only these are compared.
    limit : float
        Largest squared correlation.
    window : int
        Number of variants before, at most.

    Returns
    -------
    (p,) bool array
        Variants that are left out.
    """
    n, p = codes.shape
    linked = np.zeros(p, bool)
    # The last variants that stay: their indices, and rows of length 1, whose products are correlations.
    window_variants: list[int] = []
    window_rows = np.zeros((0, n), np.float32)
    for start in range(0, p, VARIANTS_AT_ONCE):
        block = start + np.flatnonzero(keep[start : start + VARIANTS_AT_ONCE])
        if not len(block):
            continue
        block_rows = _standardised(codes.codes(start, min(start + VARIANTS_AT_ONCE, p))[:, block - start])
        variants = [*window_variants, *block.tolist()]
        rows = np.concatenate([window_rows, block_rows])
        n_before = len(window_variants)
        staying = [*range(n_before)]  # indices into `variants` and `rows`
        for k in range(n_before, len(variants)):
            compared = [q for q in staying[-window:] if chromosome[variants[q]] == chromosome[variants[k]]]
            if compared and float(np.abs(rows[compared] @ rows[k]).max()) ** 2 > limit:
                linked[variants[k]] = True
            else:
                staying.append(k)
        window_variants = [variants[k] for k in staying[-window:]]
        window_rows = rows[staying[-window:]]
    return linked


def _standardised(codes: np.ndarray) -> np.ndarray:
    """Rows (c, n) of mean 0 and length 1 from columns of codes (n, c); zeros for constant columns."""
    values = codes.T.astype(np.float32)
    is_known = values >= 0
    n_known = is_known.sum(axis=1, keepdims=True)
    mean = np.where(is_known, values, 0).sum(axis=1, keepdims=True) / np.maximum(n_known, 1)
    values = np.where(is_known, values - mean, 0)
    length = np.sqrt((values**2).sum(axis=1, keepdims=True))
    return np.asarray(values / np.where(length > 0, length, 1), np.float32)


def _left_out(fails: np.ndarray, noun: str, reason: str, plural: str | None = None) -> list[str]:
    """Sentence on how many people or variants fail a filter, and why; none if all pass."""
    return [f"{counted(int(fails.sum()), noun, plural)} left out: {reason}"] if fails.any() else []
