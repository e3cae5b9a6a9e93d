"""From tables and scorers to one comparison: rankings are matched by the names of features."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from Orange.base import Learner
from Orange.data import Table
from Orange.preprocess.score import Scorer

from .comparison import Comparison
from .named_scores import MAX_SCORE, NamedScores, finite, title_of

TWICE = "A feature with several rows counts once, by its first row"
UNKNOWN = "Features without a score come last in"
INFINITE = "Infinite scores count as just beyond the finite ones in"
CONSTANT = "All features have the same score, so their order means nothing, in"
EMPTY = "Left out, since no score is known"
FOREIGN = "Left out, since none of its features is {}"
IN_DATA, IN_OTHERS = "in the data", "in all other rankings"


def pair(columns: Sequence[NamedScores], scorers: Sequence[Scorer]) -> tuple[list[NamedScores], list[int]]:
    """Columns with their scorers, and the indices of the scorers that no column has the title of.

    A ranker sends its scores and its scorer: of the columns with its title, the first gets the first such scorer.
    """
    columns, alone = list(columns), []
    for number, scorer in enumerate(scorers):
        title = title_of(scorer)
        free = [i for i, column in enumerate(columns) if column.title == title and column.scorer is None]
        if free:
            columns[free[0]] = replace(columns[free[0]], scorer=scorer)
        else:
            alone.append(number)
    return columns, alone


def gather(
    columns: Sequence[NamedScores],
    data: Table | None = None,
    learner: Learner | None = None,
    evaluations: Sequence[Table] = (),
    left_out: Sequence[str] = (),
) -> Comparison:
    """The comparison of the features that all columns and the data have; what that leaves out is in its notes.

    Data without any feature of the rankings are not used.  left_out: titles of rankings that are not wanted.
    """
    notes: dict[str, list[str]] = {}
    columns = [column for column in with_titles(columns) if column.title not in left_out]
    columns = [column for column in (_checked(column, notes) for column in columns) if column is not None]
    attributes = [v.name for v in data.domain.attributes] if data is not None else []
    more = []
    if data is not None and columns and not any(set(attributes) & set(column.names) for column in columns):
        data, attributes, more = None, [], ["The data are not used, since they have no feature of the rankings"]
    features, columns = _common(columns, attributes, data is not None, notes)
    wanted = {name: place for place, name in enumerate(features)}
    scores = np.empty((len(columns), len(features)))
    for row, column in zip(scores, columns, strict=True):
        places = np.array([wanted.get(name, -1) for name in column.names], int)
        row[places[places >= 0]] = column.scores[places >= 0]
    texts = [f"{kind}: {', '.join(titles)}" for kind, titles in notes.items()]
    total = len(set(attributes).union(*(column.names for column in columns)))
    if columns and len(features) < total:
        are = "is" if len(features) == 1 else "are"
        more.append(f"{len(features):,} of {total:,} features {are} in all rankings; the rest are left out")
    titles = tuple(column.title for column in columns)
    scorers = {column.title: column.scorer for column in columns if not column.kept}
    kept = {column.title: column.kept for column in columns if column.kept}
    return Comparison(features, titles, scores, scorers, data, learner, (*more, *texts), tuple(evaluations), kept=kept)


def with_titles(columns: Sequence[NamedScores]) -> list[NamedScores]:
    """The columns with titles that all differ: the second of its name ends with (2)."""
    out, taken = [], Counter(column.title for column in columns)
    seen: Counter = Counter()
    for column in columns:
        seen[column.title] += 1
        title = column.title
        while seen[column.title] > 1 and title in taken:
            title = f"{column.title} ({seen[column.title]})"
            seen[column.title] += title in taken
        taken[title] += 1
        out.append(replace(column, title=title))
    return out


def _checked(column: NamedScores, notes: dict) -> NamedScores | None:
    """One row for each feature, finite scores; None if no score is known."""
    names, first = list(dict.fromkeys(column.names)), {}
    for row, name in enumerate(column.names):
        first.setdefault(name, row)
    scores = column.scores[[first[name] for name in names]] if names else np.zeros(0)
    if np.isnan(scores).all():
        notes.setdefault(EMPTY, []).append(column.title)
        return None
    counts = {
        TWICE: len(column.names) - len(names),
        UNKNOWN: int(np.isnan(scores).sum()),
        INFINITE: int((abs(scores) >= MAX_SCORE).sum()),
    }
    for kind, count in counts.items():
        if count:
            notes.setdefault(kind, []).append(f"{column.title} ({count:,})")
    scores = finite(scores)
    if len(names) > 1 and np.ptp(scores) == 0:
        notes.setdefault(CONSTANT, []).append(column.title)
    return replace(column, names=tuple(names), scores=scores)


def _common(columns, attributes, with_data, notes) -> tuple[tuple[str, ...], list[NamedScores]]:
    """The features of all columns, and of the data, in the order of the data or of the first column; a column that has
    none of those of the columns before is left out."""
    features = list(attributes) if with_data else list(columns[0].names) if columns else []
    kind = FOREIGN.format(IN_DATA if with_data else IN_OTHERS)
    kept = []
    for column in columns:
        own = set(column.names)
        common = [name for name in features if name in own]
        if common:
            features = common
            kept.append(column)
        else:
            notes.setdefault(kind, []).append(column.title)
    return (tuple(features) if kept else ()), kept
