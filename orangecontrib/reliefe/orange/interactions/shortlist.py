"""Features that are paired: from a table of scores, a list, or a ranking."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

import numpy as np
from Orange.data import Table, Variable

from ...core.words import counted
from ..comparison.named_scores import columns_of

TESTS = ("z", "p", "q")  # columns of a table of scores that are no scores
Q = "q"


@dataclass(frozen=True, eq=False)
class Shortlist:
    """Names of features, best first; their scores (m,), NaN where unknown, what these are called, and their q (m,) if
    they were tested."""

    names: tuple[str, ...] = ()
    scores: np.ndarray = field(default_factory=lambda: np.zeros(0))
    title: str = ""
    q: np.ndarray | None = None

    def __len__(self) -> int:
        return len(self.names)

    def best(self, n: int) -> "Shortlist":
        return replace(self, names=self.names[:n], scores=self.scores[:n], q=None if self.q is None else self.q[:n])

    @classmethod
    def of_ranking(cls, ranking) -> "Shortlist":
        from ...core import METHODS

        order = ranking.ranking
        names, tests = [feature.name for feature in ranking.features], ranking.significance
        q = None if tests is None else tests.q[order]
        return cls(tuple(names[f] for f in order), ranking.scores[order], METHODS[ranking.method].title, q)


@dataclass(frozen=True, eq=False)
class ScoresInput:
    """A table of scores as it came: columns of scores by title, each (names, scores), and q by name."""

    columns: dict[str, tuple[tuple[str, ...], np.ndarray]]
    q: dict[str, float]

    @classmethod
    def read(cls, table: Table | None) -> "ScoresInput":
        """Columns of a table; none if it has no names or no numbers."""
        found = columns_of(table) if table is not None else []
        bare = [column.title.split()[0] if column.negated else column.title for column in found]
        tests = {title: column for title, column in zip(bare, found, strict=True) if title in TESTS}
        columns = {column.title: (column.names, column.scores) for column in found if column not in tests.values()}
        of_q = tests.get(Q)  # its scores are -q, the higher the better
        q = {} if of_q is None else {n: -float(v) for n, v in zip(of_q.names, of_q.scores, strict=True) if v == v}
        return cls(columns, q)

    def shortlist(self, title: str, known: Sequence[Variable]) -> Shortlist:
        """Features that are among the known ones, by the column of this title, or by the first one, best first."""
        if not self.columns:
            return Shortlist()
        title = title if title in self.columns else next(iter(self.columns))
        names, scores = self.columns[title]
        there, seen = {variable.name for variable in known}, {}
        for name, score in zip(names, scores.tolist(), strict=True):
            if name in there:
                seen.setdefault(name, score)
        order = sorted(seen, key=lambda name: -seen[name] if seen[name] == seen[name] else np.inf)
        q = np.array([self.q.get(name, np.nan) for name in order]) if self.q else None
        return Shortlist(tuple(order), np.array([seen[name] for name in order]), title, q)

    def about(self, names: Sequence[str], title: str, known: Sequence[Variable]) -> Shortlist:
        """These features in their order, with the scores that there are."""
        all_of_them = self.shortlist(title, known)
        places = {name: place for place, name in enumerate(all_of_them.names)}
        found = [places.get(name) for name in names]
        scores = np.array([np.nan if place is None else all_of_them.scores[place] for place in found])
        q = None
        if all_of_them.q is not None:
            q = np.array([np.nan if place is None else all_of_them.q[place] for place in found])
        return Shortlist(tuple(names), scores, all_of_them.title, q)


def missing_text(names: Sequence[str], known: Sequence[Variable]) -> str:
    """Number of names that are not in the data, as words; empty if all are."""
    there = {variable.name for variable in known}
    missing = len({name for name in names if name not in there})
    return counted(missing, "feature on the input is", "features on the input are") if missing else ""
