"""Result of a ranking of variants: what was read, what stays after the filters, and scores."""

from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

SMALLEST = 1e-300  # p that is drawn
P, Q, SCORE = HEIGHTS = ("p", "q", "score")  # of points
LEVEL = 0.1  # false discovery rate of the line
PHENOTYPE = "phenotype"


@dataclass(frozen=True, eq=False)
class Kept:
    """People and variants that stay: genotypes, phenotype (n,), numbers and reasons of those that went, places, and
    the name of the phenotype."""

    key: tuple
    data: object
    phenotype: np.ndarray
    told: tuple[str, ...]
    before: tuple[int, int]
    places: object
    frequency: np.ndarray
    name: str = PHENOTYPE

    @property
    def left_out(self) -> tuple[int, int]:
        return self.before[0] - self.data.shape[0], self.before[1] - self.data.shape[1]


@dataclass(frozen=True, eq=False)
class Scored:
    """A ranking, with what views need of it: order (p,), best first, rank (p,) from 1; height: of points, if there are
    p-values."""

    ranking: object
    order: np.ndarray
    rank: np.ndarray
    height: str

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
        return "Score" if self.height == SCORE else f"\u2212log10 {self.height}"

    @property
    def level(self) -> float | None:
        """Height of the last variant within the false discovery rate of the line; None: there is none."""
        if self.height == SCORE or not (known := self.ranking.significance.q <= LEVEL).any():
            return None
        return float(-np.log10(LEVEL) if self.height == Q else self.heights[known].min())


@dataclass(frozen=True, eq=False)
class Found:
    """Results so far; replaced, never changed, so that it may cross threads.

    read: genotypes of the source, read_key: of which; instead: name of the method that took the place of the chosen
    one; components: of which genotypes and how many, and the arguments that adjust for them; single_variants: p-values
    (p,) of tests of single variants, if there are p-values.
    """

    read_key: tuple = ()
    read: object = None
    kept: Kept | None = None
    scored: Scored | None = None
    instead: str = ""
    components: tuple[tuple, dict] = (), {}
    single_variants: np.ndarray | None = None

    def cleared(self) -> "Found":
        return replace(self, scored=None, instead="", single_variants=None)
