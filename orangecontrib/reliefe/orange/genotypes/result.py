"""Result of a ranking of variants: genotypes, the people and variants after the filters, and scores.

`job.run` makes it. *Rank Genotypes* draws it, and `outputs` makes tables of it.
"""

from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np

from ...core.studies.adjustment import describe_fallen, ranks_of
from ..ranker.conclusion import BY_TICK

MIN_P = 1e-300  # that is drawn for smaller ones
# Heights of points
P = "p"
Q = "q"
SCORE = "score"
HEIGHTS = (P, Q, SCORE)
LEVEL = 0.1  # false discovery rate of the line; chosen by eye
PHENOTYPE = "phenotype"


@dataclass(frozen=True, eq=False)
class Kept:
    """People and variants that stay after the filters.

    Attributes
    ----------
    key : tuple
        Source, phenotype and filters that they are of.
    data : Genotypes (n, p)
        Their genotypes.
    phenotype : (n,) array
        Phenotypes of the people.
    told : tuple of str
        Sentences on how files were read, and on those that were left out.
    before : (int, int)
        Numbers of people and variants before the filters.
    places : Places
        Positions of the variants on the axis of the plot.
    frequency : (p,) float64 array
        Frequencies of the rarer alleles.
    name : str
        Name of the phenotype.
    """

    key: tuple[object, ...]
    data: Any
    phenotype: np.ndarray
    told: tuple[str, ...]
    before: tuple[int, int]
    places: Any
    frequency: np.ndarray
    name: str = PHENOTYPE

    @property
    def target(self) -> str:
        """Name and kind of the phenotype in words."""
        from ...genetics.phenotype_names import describe_phenotype

        return describe_phenotype([self.name], self.phenotype)

    @property
    def left_out(self) -> tuple[int, int]:
        """Numbers of people and variants that were left out."""
        return self.before[0] - self.data.shape[0], self.before[1] - self.data.shape[1]


@dataclass(frozen=True, eq=False)
class ScoredVariants:
    """A ranking of variants, for views.

    Attributes
    ----------
    ranking : Ranking
        Scores, and p-values if there are any.
    order : (p,) int array
        Indices of the variants, the best first.
    rank : (p,) int array
        Rank of each variant, from 1.
    height : str
        Height of points, one of `HEIGHTS`.
    """

    ranking: Any
    order: np.ndarray
    rank: np.ndarray
    height: str

    @classmethod
    def of(cls, ranking: Any, height: str = P) -> "ScoredVariants":
        """Prepare a ranking for views. Without p-values, points are as high as their scores."""
        order = ranking.ranking
        rank = np.empty(len(order), int)
        rank[order] = np.arange(1, len(order) + 1)
        return cls(ranking, order, rank, SCORE if ranking.significance is None else height)

    @cached_property
    def heights(self) -> np.ndarray:
        """Heights (p,) of the points."""
        if self.height == SCORE:
            scores: np.ndarray = self.ranking.scores
            return scores
        p_or_q: np.ndarray = getattr(self.ranking.significance, self.height)
        return np.asarray(-np.log10(np.maximum(p_or_q, MIN_P)))

    @property
    def label(self) -> str:
        """Label of the vertical axis."""
        return "Score" if self.height == SCORE else f"\u2212log10 {self.height}"

    @property
    def level(self) -> float | None:
        """Height of the line above which variants have q <= `LEVEL`; None if there are none, or no p-values."""
        if self.height == SCORE:
            return None
        is_significant = self.ranking.significance.q <= LEVEL
        if not is_significant.any():
            return None
        return float(-np.log10(LEVEL) if self.height == Q else self.heights[is_significant].min())


@dataclass(frozen=True, eq=False)
class VariantResult:
    """Result so far. It is replaced and never changed, so that threads can share it.

    Attributes
    ----------
    read_key : tuple
        Source that genotypes are of.
    read : Genotypes, optional
        All genotypes of the source.
    kept : Kept, optional
        People and variants after the filters.
    scored : ScoredVariants, optional
        Scores.
    instead : str
        Name of the method that took the place of the chosen one; empty if none did.
    components : (tuple, dict)
        Genotypes and number of components, and the arguments of `rank` that adjust for them.
    single_variants : (p,) float64 array, optional
        p-values of tests of single variants, if there are p-values.
    unadjusted : (p,) int array, optional
        Ranks without adjustment for covariates and components, from 1, if scores are adjusted.
    null : NullLevel, optional
        Null level, where there are no p-values and it is quick.
    """

    read_key: tuple[object, ...] = ()
    read: Any = None
    kept: Kept | None = None
    scored: ScoredVariants | None = None
    instead: str = ""
    components: tuple[tuple[object, ...], dict[str, Any]] = (), {}
    single_variants: np.ndarray | None = None
    unadjusted: np.ndarray | None = None
    null: Any = None

    @property
    def n_found(self) -> int | None:
        """Number of variants that stand out from chance, by p-values or the null level; None if that is not known."""
        if self.scored is None:
            return None
        ranking = self.scored.ranking
        if ranking.significance is not None:
            return int((ranking.significance.q <= LEVEL).sum())
        return None if self.null is None else int((ranking.scores > self.null.level).sum())

    @property
    def conclusion(self) -> str:
        """First sentence on the ranking, as of `GenotypeRanking`; empty without final scores."""
        if self.scored is None or not self.scored.ranking.info.get("final"):
            return ""
        from ...core.conclusion import AboveNull, conclude
        from ...genetics.phenotype_names import titles_of_classes

        ranking, kept = self.scored.ranking, self.filtered
        aim = ranking.aim._replace(names=[kept.name], classes=titles_of_classes(kept.phenotype))
        null = None if self.null is None else AboveNull.of(self.null, ranking.scores)
        n_variants = len(ranking.scores)
        return conclude(aim, n_variants, "variant", significance=ranking.significance, null=null, how=BY_TICK)

    @property
    def fallen(self) -> str:
        """Sentence on the variants that fell by the adjustment; empty if there are no ranks without it."""
        if self.unadjusted is None or self.scored is None:
            return ""
        return describe_fallen(
            self.unadjusted, ranks_of(self.scored.ranking.score_order), self.filtered.data.variants.name
        )

    @property
    def filtered(self) -> Kept:
        """People and variants after the filters; raises ValueError if there are none yet."""
        if self.kept is None:
            raise ValueError("the genotypes are not filtered yet")
        return self.kept

    def cleared(self) -> "VariantResult":
        """Result without scores."""
        return replace(self, scored=None, instead="", single_variants=None, unadjusted=None, null=None)
