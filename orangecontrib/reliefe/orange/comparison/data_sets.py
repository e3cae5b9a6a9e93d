"""Evaluations of several data sets that can be compared: the same measure, the same rankings."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import chain

import numpy as np
from Orange.data import Table

from .quality import AREA, REFERENCE, Quality
from .quality_table import MEASURES, from_table


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
