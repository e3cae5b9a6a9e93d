"""Result of a ranking of variants: what was read, what stays after the filters, and scores."""

from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np

SMALLEST = 1e-300  # p that is drawn
P, Q, SCORE = HEIGHTS = ("p", "q", "score")  # of points
LEVEL = 0.1  # false discovery rate of the line
PHENOTYPE = "phenotype"


@dataclass(frozen=True, eq=False)
class Kept:
    """People and variants that stay after the filters."""

    key: tuple  # of the source and the filters
    data: Any  # `Genotypes` of n people and p variants
    phenotype: np.ndarray  # (n,)
    told: tuple[str, ...]  # numbers and reasons of those that were left out
    before: tuple[int, int]  # people and variants of the source
    places: Any  # `Places` of the variants on the axis of the plot
    frequency: np.ndarray  # (p,) of the rarer allele
    name: str = PHENOTYPE  # of the phenotype

    @property
    def left_out(self) -> tuple[int, int]:
        """Numbers of people and variants that were left out."""
        return self.before[0] - self.data.shape[0], self.before[1] - self.data.shape[1]


@dataclass(frozen=True, eq=False)
class Scored:
    """A ranking, as views need it."""

    ranking: Any  # `Ranking` of the core
    order: np.ndarray  # (p,) variants, best first
    rank: np.ndarray  # (p,) from 1
    height: str  # of the points: one of HEIGHTS

    @classmethod
    def of(cls, ranking, height: str = P) -> "Scored":
        order = ranking.ranking
        rank = np.empty(len(order), int)
        rank[order] = np.arange(1, len(order) + 1)
        return cls(ranking, order, rank, SCORE if ranking.significance is None else height)

    @cached_property
    def heights(self) -> np.ndarray:
        """Heights (p,) of the points."""
        if self.height == SCORE:
            return self.ranking.scores
        return -np.log10(np.maximum(getattr(self.ranking.significance, self.height), SMALLEST))

    @property
    def label(self) -> str:
        """Title of the axis of heights."""
        return "Score" if self.height == SCORE else f"\u2212log10 {self.height}"

    @property
    def level(self) -> float | None:
        """Height of the last variant within the false discovery rate of the line; None: there is none."""
        if self.height == SCORE or not (known := self.ranking.significance.q <= LEVEL).any():
            return None
        return float(-np.log10(LEVEL) if self.height == Q else self.heights[known].min())


@dataclass(frozen=True, eq=False)
class Found:
    """Results so far; replaced, never changed, so that it may cross threads."""

    read_key: tuple = ()  # of the source
    read: Any = None  # `Genotypes` of the source
    kept: Kept | None = None
    scored: Scored | None = None
    instead: str = ""  # name of the method that ranks in the place of the chosen one
    components: tuple[tuple, dict] = (), {}  # key of genotypes and number of components; arguments that adjust for them
    single_variants: np.ndarray | None = None  # (p,) p-values of tests of single variants, if there are p-values

    def cleared(self) -> "Found":
        """The result without scores."""
        return replace(self, scored=None, instead="", single_variants=None)
