"""Evaluations of several data sets as the statistics view compares them: the same measure, the same rankings.

Knows nothing of widgets.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import chain

import numpy as np
from Orange.data import Table

from ..utils.task import reporter
from .evaluation import AREA, MEASURES, REFERENCE, Quality, from_table


@dataclass(frozen=True, eq=False)
class DataSets:
    """qualities: one for each data set, of the same measure; the own one is the last.  titles: of the rankings that all
    of them have, own ones in their order, references last.  notes: sentences about what was left out."""

    qualities: tuple[Quality, ...] = ()
    titles: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()

    @property
    def higher_is_better(self) -> bool:
        return self.qualities[-1].higher_is_better

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(quality.name for quality in self.qualities)

    def folds(self, at: int = AREA) -> np.ndarray:
        """(m, k) results of the rankings in the folds of the last data set that are known for all of them."""
        scores = self.qualities[-1].scores(at, self.titles)
        return scores[~np.isnan(scores).any(axis=1)]

    def means(self, at: int = AREA) -> np.ndarray:
        """(data sets, k) mean results of the rankings, where all of them are known."""
        found = [quality.scores(at, self.titles) for quality in self.qualities]
        found = [scores[~np.isnan(scores).any(axis=1)] for scores in found]
        return np.array([scores.mean(axis=0) for scores in found if len(scores)]).reshape(-1, len(self.titles))

    def pairs(self, first: str, second: str, at: int = AREA) -> tuple[np.ndarray, np.ndarray, int]:
        """(q, N) results of two rankings on q data sets, in as many folds as all of them have, and the number of folds
        of a cross-validation: the least."""
        found = [quality.scores(at, (first, second)) for quality in self.qualities]
        found = [scores[~np.isnan(scores).any(axis=1)] for scores in found]
        found = [scores for scores in found if len(scores) > 2]
        n = min(map(len, found), default=0)
        both = np.array([scores[:n] for scores in found]).reshape(len(found), n, 2)
        return both[:, :, 0], both[:, :, 1], min(quality.n_folds for quality in self.qualities)


def parsed(evaluations: Sequence[Table]) -> tuple[list[Quality], list[str]]:
    """Evaluations that came as tables, and why some of them cannot be read."""
    found, notes = [], []
    for table in evaluations:
        try:
            found += from_table(table)
        except ValueError as error:
            notes.append(f"{table.name}: {error}")
    return found, notes


def gather(own: Quality | None, others: Sequence[Quality], references: bool = True) -> DataSets:
    """Data sets that can be compared: the own evaluation and those of other data sets; references: the random
    ranking and others are compared, too."""
    notes, found = [], [*others, *([own] if own is not None and len(own.whole) else [])]
    if not found:
        return DataSets()
    measure = found[-1].measure
    other = dict.fromkeys(quality.name for quality in found if quality.measure != measure)
    if other:
        notes.append(f"Left out, since their measure is not {MEASURES[measure].lower()}: {', '.join(other)}")
    named: dict[str, Quality] = {}
    for quality in found:
        if quality.measure == measure:
            if named.pop(quality.name, None) is not None:
                notes.append(f"Data set {quality.name} is connected twice, so only the last one counts")
            named[quality.name] = quality
    qualities = tuple(named.values())
    titles, missing = _common(qualities, references)
    if missing:
        why = "not all data sets have it" if len(qualities) > 1 else "it is not known in any fold"
        notes.append(f"Left out, since {why}: {', '.join(missing)}")
    return DataSets(qualities, titles, tuple(dict.fromkeys(notes)))


def _common(qualities: Sequence[Quality], references: bool) -> tuple[tuple[str, ...], tuple[str, ...]]:
    all_titles = dict.fromkeys(chain.from_iterable(quality.titles for quality in reversed(qualities)))
    kinds = {line.title: line.kind for quality in qualities for line in quality.lines}
    wanted = [title for title in all_titles if references or kinds[title] != REFERENCE]
    wanted.sort(key=lambda title: kinds[title] == REFERENCE)
    known = [title for title in wanted if all(_known(quality, title) for quality in qualities)]
    return tuple(known), tuple(title for title in wanted if title not in known)


def _known(quality: Quality, title: str) -> bool:
    line = quality.line(title)
    return line is not None and bool((~np.isnan(line.values).any(axis=1)).any())


MIN_FOLDS = 2  # for a t-test
MIN_METHODS = 2
LEAST_SETS = 2  # for a posterior
FRIEDMAN_METHODS = 3
LEVEL = 0.05


@dataclass(frozen=True, eq=False)
class Pairs:
    """Rankings by their mean, best first, and their differences.  titles (k,); means (k,); differences: by (i, j),
    i != j, the core's `Difference` of ranking i and j; m: folds."""

    titles: tuple[str, ...]
    means: np.ndarray
    differences: dict
    m: int
    higher_is_better: bool


@dataclass(frozen=True, eq=False)
class MeanRanks:
    """titles (k,); diagram: the core's `RankDiagram`; p_value: of Friedman's test, NaN of two rankings; n: data
    sets, or folds of one if not independent."""

    titles: tuple[str, ...]
    diagram: object
    p_value: float
    n: int
    independent: bool


@dataclass(frozen=True, eq=False)
class Posterior:
    """found: the core's `Hierarchical` of two rankings on q data sets, m folds each."""

    first: str
    second: str
    rope: float
    at: int
    found: object
    q: int
    m: int


def too_few(sets: DataSets, test: str) -> str:
    """Reason why a test ("pairs", "ranks" or "posterior") is not possible; empty if it is."""
    if not sets.qualities:
        return "The statistics appear here when the view Quality has measured the rankings"
    if len(sets.titles) < MIN_METHODS:
        return "Two rankings are needed; " + (
            "only this one is known on all data: " + sets.titles[0] if sets.titles else "none is known on all data"
        )
    n_folds = len(sets.folds())
    if test == "posterior":
        known = sum(len(quality.whole) > 2 for quality in sets.qualities)
        if known < LEAST_SETS:
            return (
                "The hierarchical test needs at least two data sets, better five. Connect evaluations of other data "
                "sets.\n"
            )
    elif len(sets.qualities) == 1 and n_folds < MIN_FOLDS:
        return f"The test needs at least two folds in which all rankings are known; so far: {n_folds}"
    return ""


def pairs_of(sets: DataSets, at: int = AREA, rope: float = 0.0) -> Pairs | None:
    """All pairs of rankings on the last data set, by the corrected resampled t-test; None of fewer than two folds."""
    from ...core.evaluation import corrected_t

    scores, quality = sets.folds(at), sets.qualities[-1]
    if len(scores) < MIN_FOLDS:
        return None
    sign = 1 if quality.higher_is_better else -1
    order = np.argsort(-sign * scores.mean(axis=0), kind="stable")
    scores, k = scores[:, order], len(order)
    differences = {
        (i, j): corrected_t(scores[:, i], scores[:, j], quality.n_folds, rope, quality.higher_is_better)
        for i in range(k)
        for j in range(k)
        if i != j
    }
    titles = tuple(sets.titles[i] for i in order)
    return Pairs(titles, scores.mean(axis=0), differences, len(scores), quality.higher_is_better)


def mean_ranks(sets: DataSets, at: int = AREA) -> MeanRanks | None:
    """Mean ranks over the data sets; of one data set over its folds, which are not independent.  None of fewer than two
    of either."""
    from ...core.evaluation import average_ranks, critical_difference, friedman, rank_diagram

    several = len(sets.qualities) > 1
    scores = sets.means(at) if several else sets.folds(at)
    n, k = scores.shape
    if n < LEAST_SETS:
        return None
    ranks = average_ranks(scores, sets.higher_is_better)
    p_value = friedman(scores, sets.higher_is_better).p_value if k >= FRIEDMAN_METHODS else float("nan")
    diagram = rank_diagram(ranks, critical_difference(k, n, LEVEL))
    return MeanRanks(sets.titles, diagram, p_value, n, several)


def posterior(sets: DataSets, first: str, second: str, at: int, rope: float, state) -> Posterior | None:
    """The hierarchical test of two rankings; None if too few data sets have three folds in which both are known."""
    state.set_status(f"{first} and {second}: sampling the posterior")
    from ...core.evaluation import hierarchical_t

    a, b, n_folds = sets.pairs(first, second, at)
    if len(a) < LEAST_SETS:
        return None
    found = hierarchical_t(a, b, n_folds, rope, sets.higher_is_better, progress=reporter(state, most=100))
    return Posterior(first, second, rope, at, found, *a.shape)
