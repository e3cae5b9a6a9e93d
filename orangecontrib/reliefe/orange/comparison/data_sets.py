"""Evaluations of several data sets by the same measure, whose rankings are compared.

*Ranking Comparison* reads evaluations on its input with `parsed`, and calls `gather` for them and its own one. The
statistics view tests differences of rankings over the folds of one data set, or over data sets.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import chain
from typing import NamedTuple

import numpy as np
from Orange.data import Table

from .quality import AREA, REFERENCE, Quality
from .quality_table import MEASURES, from_table

MIN_FOLDS = 3  # of a data set, for a test of two rankings


class PairedResults(NamedTuple):
    """Results of two rankings on q data sets, in N folds each.

    Attributes
    ----------
    first, second : (q, N) float64 arrays
        Results of the rankings.
    n_folds : int
        Number of folds of a cross-validation, the least of the data sets.
    """

    first: np.ndarray
    second: np.ndarray
    n_folds: int


@dataclass(frozen=True, eq=False)
class DataSets:
    """Evaluations that can be compared.

    Attributes
    ----------
    qualities : tuple of Quality
        One for each data set, of the same measure; that of the widget is the last.
    titles : tuple of str
        Titles of the k rankings that all data sets have, references last.
    notes : tuple of str
        Sentences on what was left out.
    """

    qualities: tuple[Quality, ...] = ()
    titles: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()

    @property
    def higher_is_better(self) -> bool:
        """True if higher values of the measure are better."""
        return self.qualities[-1].higher_is_better

    @property
    def names(self) -> tuple[str, ...]:
        """Names of the data sets."""
        return tuple(quality.name for quality in self.qualities)

    def folds(self, at: int = AREA) -> np.ndarray:
        """Results (m, k) of the rankings on the last data set, in the folds in which all of them are known."""
        return _complete(self.qualities[-1], at, self.titles)

    def means(self, at: int = AREA) -> np.ndarray:
        """Mean results (data sets, k) of the rankings, without data sets in which they are unknown."""
        means = []
        for quality in self.qualities:
            scores = _complete(quality, at, self.titles)
            if len(scores):
                means.append(scores.mean(axis=0))
        return np.array(means).reshape(-1, len(self.titles))

    def pairs(self, first: str, second: str, at: int = AREA) -> PairedResults:
        """Results of two rankings on the data sets, in as many folds as all of these have."""
        by_data_set = [_complete(quality, at, (first, second)) for quality in self.qualities]
        by_data_set = [scores for scores in by_data_set if len(scores) >= MIN_FOLDS]
        n = min(map(len, by_data_set), default=0)
        both = np.array([scores[:n] for scores in by_data_set]).reshape(len(by_data_set), n, 2)
        n_folds = min(quality.n_folds for quality in self.qualities)
        return PairedResults(both[:, :, 0], both[:, :, 1], n_folds)


def _complete(quality: Quality, at: int, titles: Sequence[str]) -> np.ndarray:
    """Results (m, k) of rankings in the folds in which all of them are known."""
    scores = quality.scores(at, titles)
    is_complete = ~np.isnan(scores).any(axis=1)
    complete: np.ndarray = scores[is_complete]
    return complete


def parsed(evaluations: Sequence[Table]) -> tuple[list[Quality], list[str]]:
    """Read evaluations from tables.

    Returns
    -------
    qualities : list of Quality
        The evaluations.
    notes : list of str
        Sentences on tables that cannot be read.
    """
    qualities = []
    notes = []
    for table in evaluations:
        try:
            qualities += from_table(table)
        except ValueError as error:
            notes.append(f"{table.name}: {error}")
    return qualities, notes


def gather(own: Quality | None, others: Sequence[Quality], references: bool = True) -> DataSets:
    """Select evaluations that can be compared.

    Parameters
    ----------
    own : Quality, optional
        Evaluation of the widget, whose measure decides.
    others : sequence of Quality
        Evaluations of other data sets.
    references : bool
        Whether reference rankings, for example the random one, are compared, too.
    """
    evaluations = [*others]
    if own is not None and len(own.whole):
        evaluations.append(own)
    if not evaluations:
        return DataSets()
    notes = []
    measure = evaluations[-1].measure
    of_other_measure = dict.fromkeys(quality.name for quality in evaluations if quality.measure != measure)
    if of_other_measure:
        names = ", ".join(of_other_measure)
        notes.append(f"Left out, since their measure is not {MEASURES[measure].lower()}: {names}")
    by_name: dict[str, Quality] = {}
    for quality in evaluations:
        if quality.measure == measure:
            if by_name.pop(quality.name, None) is not None:
                notes.append(f"Data set {quality.name} is connected twice, so only the last one counts")
            by_name[quality.name] = quality
    qualities = tuple(by_name.values())
    titles = _titles(qualities, references)
    common = tuple(title for title in titles if all(_is_known(quality, title) for quality in qualities))
    missing = [title for title in titles if title not in common]
    if missing:
        why = "not all data sets have it" if len(qualities) > 1 else "it is not known in any fold"
        notes.append(f"Left out, since {why}: {', '.join(missing)}")
    return DataSets(qualities, common, tuple(dict.fromkeys(notes)))


def _titles(qualities: Sequence[Quality], references: bool) -> list[str]:
    """Titles of all rankings, those of the last data set first, and references last or not at all."""
    all_titles = dict.fromkeys(chain.from_iterable(quality.titles for quality in reversed(qualities)))
    kinds = {line.title: line.kind for quality in qualities for line in quality.lines}
    titles = [title for title in all_titles if references or kinds[title] != REFERENCE]
    return sorted(titles, key=lambda title: kinds[title] == REFERENCE)


def _is_known(quality: Quality, title: str) -> bool:
    """True if the results of a ranking are known in a fold."""
    line = quality.line(title)
    return line is not None and not np.isnan(line.values).any(axis=1).all()
