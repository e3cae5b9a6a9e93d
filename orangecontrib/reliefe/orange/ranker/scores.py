"""Scores of all features by one method, and their texts."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from ...core.result import tested_order
from ...core.studies.adjustment import ranks_of

SHUFFLES = 19  # of the target, for the null level
NULL_LABEL = f"null level (1 in {SHUFFLES + 1})"
NULL_TOOLTIP = (
    f"<p>The target is randomly permuted {SHUFFLES} times and the features are ranked each time. The null level is "
    "the largest score of <i>any</i> feature in these rankings.</p><p>If no feature depends on the target, the best "
    f"score exceeds the level with probability at most 1/{SHUFFLES + 1}. Features above the level are unlikely to be "
    "chance; those below it may still be useful.</p>"
)


def decimals_of(top: float) -> int:
    """As many as give the largest absolute score three significant digits, so that points are aligned."""
    return int(np.clip(2 - np.floor(np.log10(top)), 0, 8)) if top > 0 else 2


def number_text(value: float, decimals: int) -> str:
    """A score as it is shown; a dash where there is none."""
    return f"{round(value, decimals) + 0.0:.{decimals}f}".replace("-", "−") if np.isfinite(value) else "–"


@dataclass(frozen=True, eq=False)
class MethodScores:
    """One method's scores of all features: values (p,), NaN where it has none.

    name identifies the method, title is shown; number gives the colour; partial: more rows are still to be used.
    null: score that irrelevant features reach; each: (label, values (p,)) of several targets; errors (p,): standard
    errors of the scores; chances: core's `TopChances` from samples of the rows; stop: number of features after which
    boosting finds no more than chance, None for other methods; short: title where there is little room.
    significance: core's `Significance` of the scores, and level: of the false discovery rate that is asked for.
    """

    name: str
    values: np.ndarray
    title: str = ""
    number: int = 0
    tooltip: str = ""
    partial: bool = False
    null: float | None = None
    each: tuple[tuple[str, np.ndarray], ...] = ()
    errors: np.ndarray | None = None
    chances: Callable[[int], np.ndarray] | None = None
    stop: int | None = None
    short: str = ""
    removed: np.ndarray | None = None  # (p,) pass after which a wrapper removed a feature, 0: it is left
    best_k: Sequence[int] | None = None  # numbers of neighbours (p,), where each feature has its own
    waiting: bool = False  # nothing is known yet
    has_groups: bool = False  # of groups of features, which are ordered by z where they have p-values
    significance: object | None = None
    level: float = 0.1

    @cached_property
    def order(self) -> np.ndarray:
        """(p,) features, best first; ties by index, NaN last. As `Ranking.ranking`."""
        if self.goes_by_z:
            return tested_order(self.values, self.significance.z)
        return np.argsort(-self.values, kind="stable")

    @property
    def goes_by_z(self) -> bool:
        """True if z of the tests decides on the order, and not the values."""
        return self.has_groups and self.significance is not None

    @property
    def score_ranks(self) -> np.ndarray:
        """(p,) ranks by the values, 1 = best."""
        return ranks_of(np.argsort(-self.values, kind="stable"))

    @cached_property
    def ranks(self) -> np.ndarray:
        """(p,) 1 = best; the same for both directions of sorting."""
        return ranks_of(self.order)

    @cached_property
    def limits(self) -> tuple[float, float]:
        """Range of the scores; it always contains 0."""
        known = self.values[np.isfinite(self.values)]
        return float(known.min(initial=0)), float(known.max(initial=0))

    @property
    def span(self) -> tuple[float, float]:
        """Range of the bars: that of the scores, and the null level."""
        low, high = self.limits
        return low, high if self.null is None else max(high, self.null)

    @property
    def above_null(self) -> int | None:
        return None if self.null is None else int((self.values > self.null).sum())

    @cached_property
    def decimals(self) -> int:
        """Digits after the point, the same for the whole column."""
        return decimals_of(max(-self.limits[0], self.limits[1]))

    @cached_property
    def real(self) -> np.ndarray | None:
        """(p,) True for features that stand out from shuffled targets, at the level that is asked for."""
        return None if self.significance is None else self.significance.q <= self.level

    @property
    def last_real(self) -> int:
        """Rank of the last feature that does; 0: none does, or it is not known."""
        return 0 if self.real is None else int(self.ranks[self.real].max(initial=0))

    def dull(self, feature: int) -> bool:
        return self.real is not None and not self.real[feature]

    @property
    def null_text(self) -> str:
        return "" if self.null is None else f"{self.null:.4g}, {self.above_null:,} features above"

    def removed_after(self, feature: int) -> int:
        return 0 if self.removed is None else int(self.removed[feature])

    def text(self, feature: int) -> str:
        """The score as the table shows it, or the pass after which a feature was removed."""
        gone = self.removed_after(feature)
        return f"pass {gone:,}" if gone else number_text(self.values[feature], self.decimals)

    def error_text(self, feature: int) -> str:
        return "" if self.errors is None else f" ± {self.errors[feature]:.2g}"

    def k_text(self, feature: int) -> str:
        return "" if self.best_k is None else f", k = {self.best_k[feature]:,}"

    def detail_name(self, label: str) -> str:
        return f"{self.name}, {label}"

    @cached_property
    def details(self) -> tuple["MethodScores", ...]:
        """The scores for each of several targets as columns of their own."""
        return tuple(
            MethodScores(self.detail_name(label), values, label, self.number, f"{self.title} for {label}", self.partial)
            for label, values in self.each
        )
