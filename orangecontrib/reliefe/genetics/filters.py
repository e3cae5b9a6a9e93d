"""Filters of variants and people, by counts of genotypes in one pass."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy.stats import chi2

from ..core import Packed
from ..core.checks import whole
from ..core.words import counted
from .genotypes import Genotypes
from .single_variants import single_variant_tests

VARIANTS_AT_ONCE = 2**12  # whose squared correlations with the next ones are taken together


@dataclass(frozen=True)
class Filters:
    """Limits of people and variants.

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
        for name, most in ranges.items():
            if not 0 <= getattr(self, name) <= most:
                raise ValueError(f"{name} must lie in [0, {most}], not {getattr(self, name)}")
        if self.window < 1:
            raise ValueError(f"window must be at least 1, not {self.window}")
        whole("score_test", self.score_test, 0)

    def people(self, data: Genotypes) -> tuple[np.ndarray, list[str]]:
        """Mask (n,) of the people that stay, and how many went, in words."""
        n, p = data.shape
        unknown = np.zeros(n)
        if data.codes.n_unknown:
            unknown = np.array([np.unpackbits(row.view(np.uint8)).sum() for row in data.codes.unknown])
        keep = unknown <= self.missing_people * p
        return keep, _left_out(~keep, "person", f"lacks more than {self.missing_people:.0%} of the genotypes", "people")

    def by_test(self, data: Genotypes, phenotype: np.ndarray, **study: Any) -> tuple[np.ndarray, list[str]]:
        """Mask (p,) of the variants that the score test keeps, and a sentence on the number of the rest; study: as in
        `core.rank`."""
        p = data.shape[1]
        if not 0 < self.score_test < p:
            return np.ones(p, bool), []
        p_values = single_variant_tests(data.codes, phenotype, **study)
        keep = np.zeros(p, bool)
        keep[np.argsort(p_values, kind="stable")[: self.score_test]] = True
        return keep, _left_out(~keep, "variant", f"not among the {self.score_test:,} best by the score test")

    def variants(self, data: Genotypes, controls: np.ndarray) -> tuple[np.ndarray, list[str]]:
        """Mask (p,) of the variants that stay, and how many went for each reason, in words.

        data: of the people that stay; controls (m,): rows in which Hardy-Weinberg proportions are tested.
        """
        counts, left_out = data.codes.counts(), []
        rare = frequency(counts)
        reasons = [
            (counts[3] > self.missing * data.shape[0], f"unknown in more than {self.missing:.0%} of the people"),
            ((counts[:3] > 0).sum(axis=0) < 2, "of one genotype only"),
            (rare < self.maf, f"rarer allele below {self.maf:g}"),
        ]
        if self.hardy_weinberg:
            p = hardy_weinberg(data.codes.counts(controls))
            reasons.append((p < self.hardy_weinberg, f"p of Hardy-Weinberg proportions below {self.hardy_weinberg:g}"))
        keep = np.ones(data.shape[1], bool)
        for bad, reason in reasons:
            left_out += _left_out(keep & bad, "variant", reason)
            keep &= ~bad
        if self.r2 < 1:
            linked = linkage(data.codes, data.variants.chromosome, keep, self.r2, self.window)
            left_out += _left_out(linked, "variant", f"r² above {self.r2:g} with one before")
            keep &= ~linked
        if not keep.any():
            raise ValueError(f"no variant is left: {'; '.join(left_out)}")
        return keep, left_out


def frequency(counts: np.ndarray) -> np.ndarray:
    """Frequency (p,) of the rarer allele, by counts (4, p) of the codes; 0 where none is known."""
    alleles = 2 * counts[:3].sum(axis=0)
    share: np.ndarray = (counts[1] + 2 * counts[2]) / np.maximum(alleles, 1)
    return np.asarray(np.minimum(share, 1 - share))


def hardy_weinberg(counts: np.ndarray) -> np.ndarray:
    """p (p,) of the chi-square test of Hardy-Weinberg proportions, by counts (4, p) of the codes."""
    n = np.maximum(counts[:3].sum(axis=0), 1)
    q = (counts[1] + 2 * counts[2]) / (2 * n)
    expected = n * np.array([(1 - q) ** 2, 2 * q * (1 - q), q**2])
    statistic = ((counts[:3] - expected) ** 2 / np.where(expected > 0, expected, 1)).sum(axis=0)
    return np.asarray(chi2.sf(statistic, 1))


def linkage(codes: Packed, chromosome: np.ndarray, keep: np.ndarray, limit: float, window: int) -> np.ndarray:
    """Mask (p,) of those in `keep` whose r² with one of the `window` kept before them is above the limit.

    Unknown genotypes count as the mean of their variant.
    """
    out = np.zeros(codes.n_features, bool)
    p = codes.n_features
    n = codes.shape[0]
    recent: list[int] = []
    held = np.zeros((0, n), np.float32)
    for start in range(0, p, VARIANTS_AT_ONCE):
        some = start + np.flatnonzero(keep[start : start + VARIANTS_AT_ONCE])
        if not len(some):
            continue
        Z = _standardised(codes.codes(start, min(start + VARIANTS_AT_ONCE, p))[:, some - start])
        both = np.concatenate([held, Z])
        places = [*recent, *some.tolist()]
        kept = [*range(len(recent))]
        for q in range(len(recent), len(places)):
            near = [k for k in kept[-window:] if chromosome[places[k]] == chromosome[places[q]]]
            if near and float(np.abs(both[near] @ both[q]).max()) ** 2 > limit:
                out[places[q]] = True
            else:
                kept.append(q)
        recent, held = [places[k] for k in kept[-window:]], both[kept[-window:]]
    return out


def _standardised(codes: np.ndarray) -> np.ndarray:
    """Rows (c, n) of length 1 and mean 0, from columns of codes (n, c); zeros of constant ones."""
    values = codes.T.astype(np.float32)
    known = values >= 0
    mean = np.where(known, values, 0).sum(axis=1, keepdims=True) / np.maximum(known.sum(axis=1, keepdims=True), 1)
    values = np.where(known, values - mean, 0)
    length = np.sqrt((values**2).sum(axis=1, keepdims=True))
    return np.asarray(values / np.where(length > 0, length, 1), np.float32)


def _left_out(bad: np.ndarray, noun: str, reason: str, plural: str | None = None) -> list[str]:
    """A reason with the number of those that it took away."""
    return [f"{counted(int(bad.sum()), noun, plural)} left out: {reason}"] if bad.any() else []
