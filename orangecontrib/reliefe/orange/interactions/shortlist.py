"""Shortlists: the features that *Feature Interactions* pairs, from a table of scores, a list, or a ranking.

The widget reads the table on its input as `ScoresInput`, and gives `job` a `Shortlist` of the best features.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

import numpy as np
from Orange.data import Table, Variable

from ...core.words import counted
from ..comparison.named_scores import columns_of
from ..ranking import TableRanking

Q = "q"
TESTS = ("z", "p", Q)  # columns of a table of scores that are no scores


@dataclass(frozen=True, eq=False)
class Shortlist:
    """Features to pair, the best first.

    Attributes
    ----------
    names : tuple of str
        Names of the m features.
    scores : (m,) float64 array
        Their scores, NaN where unknown.
    title : str
        Title of the scores.
    q : (m,) float64 array, optional
        Their q-values, if they were tested.
    """

    names: tuple[str, ...] = ()
    scores: np.ndarray = field(default_factory=lambda: np.zeros(0))
    title: str = ""
    q: np.ndarray | None = None

    def __len__(self) -> int:
        return len(self.names)

    def best(self, n: int) -> "Shortlist":
        """The n best features."""
        return replace(self, names=self.names[:n], scores=self.scores[:n], q=None if self.q is None else self.q[:n])

    @classmethod
    def of_ranking(cls, ranking: TableRanking) -> "Shortlist":
        """All features of a ranking."""
        order = ranking.ranking
        names = tuple(ranking.features[j].name for j in order)
        q = None if ranking.significance is None else ranking.significance.q[order]
        return cls(names, ranking.scores[order], ranking.title, q)


@dataclass(frozen=True, eq=False)
class ScoresInput:
    """A table of scores.

    Attributes
    ----------
    columns : dict of str to (tuple of str, (m,) array)
        Names of features and their scores, by title of the scores.
    q : dict of str to float
        Known q-values by name of the feature.
    """

    columns: dict[str, tuple[tuple[str, ...], np.ndarray]]
    q: dict[str, float]

    @classmethod
    def read(cls, table: Table | None) -> "ScoresInput":
        """Read a table; there are no columns if it has no names or no numbers."""
        columns: dict[str, tuple[tuple[str, ...], np.ndarray]] = {}
        q: dict[str, float] = {}
        for column in columns_of(table) if table is not None else []:
            title = column.title.split()[0] if column.negated else column.title  # without "(lower is better)"
            if title not in TESTS:
                columns[column.title] = column.names, column.scores
            elif title == Q:  # its scores are -q
                pairs = zip(column.names, column.scores.tolist(), strict=True)
                q = {name: -score for name, score in pairs if not np.isnan(score)}
        return cls(columns, q)

    def shortlist(self, title: str, known: Sequence[Variable]) -> Shortlist:
        """Make a shortlist by a column of scores, the best first.

        Parameters
        ----------
        title : str
            Title of the column; the first one if there is none with this title.
        known : sequence of Variable
            Features of the data; others are left out.
        """
        if not self.columns:
            return Shortlist()
        title = title if title in self.columns else next(iter(self.columns))
        names, scores = self.columns[title]
        in_data = {variable.name for variable in known}
        score_of: dict[str, float] = {}
        for name, score in zip(names, scores.tolist(), strict=True):
            if name in in_data:
                score_of.setdefault(name, score)  # the first of several rows
        order = sorted(score_of, key=lambda name: np.inf if np.isnan(score_of[name]) else -score_of[name])
        q = np.array([self.q.get(name, np.nan) for name in order]) if self.q else None
        return Shortlist(tuple(order), np.array([score_of[name] for name in order]), title, q)

    def about(self, names: Sequence[str], title: str, known: Sequence[Variable]) -> Shortlist:
        """Make a shortlist of features with some names, in their order, with their scores if they have any.

        Parameters
        ----------
        names : sequence of str
            Names of features.
        title, known
            As of `shortlist`.
        """
        scored = self.shortlist(title, known)
        index = {name: k for k, name in enumerate(scored.names)}

        def taken(values: np.ndarray) -> np.ndarray:
            return np.array([values[index[name]] if name in index else np.nan for name in names])

        q = None if scored.q is None else taken(scored.q)
        return Shortlist(tuple(names), taken(scored.scores), scored.title, q)


def missing_text(names: Sequence[str], known: Sequence[Variable]) -> str:
    """Words for the number of names that are not in the data; empty if all are."""
    in_data = {variable.name for variable in known}
    n_missing = len(set(names) - in_data)
    return counted(n_missing, "feature on the input is", "features on the input are") if n_missing else ""
