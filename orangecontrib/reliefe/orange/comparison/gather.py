"""One comparison of rankings from tables and scorers, which are matched by the names of features.

The widget Ranking Comparison calls `pair` with all columns of scores and all scorers, and then `gather` with the
columns that are compared.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

import numpy as np
from Orange.base import Learner
from Orange.data import Table
from Orange.preprocess.score import Scorer

from .comparison import ComparedRankings
from .named_scores import MAX_SCORE, NamedScores, finite, title_of

# Notes that name the rankings they are about
DUPLICATES = "A feature with several rows counts once, by its first row"
UNKNOWN = "Features without a score come last in"
INFINITE = "Infinite scores count as just beyond the finite ones in"
CONSTANT = "All features have the same score, so their order means nothing, in"
EMPTY = "Left out, since no score is known"
NOT_IN_DATA = "Left out, since none of its features is in the data"
NOT_IN_OTHERS = "Left out, since none of its features is in all other rankings"
# Notes about the data
DATA_UNUSED = "The data are not used, since they have no feature of the rankings"


@dataclass(frozen=True)
class Notes:
    """Notes about rankings.

    titles: titles of the rankings that each note is about, in the order in which the notes were made.
    """

    titles: dict[str, list[str]] = field(default_factory=dict)

    def add(self, note: str, title: str) -> None:
        """Add a ranking to a note."""
        self.titles.setdefault(note, []).append(title)

    @property
    def texts(self) -> list[str]:
        """Each note with its rankings."""
        return [f"{note}: {', '.join(titles)}" for note, titles in self.titles.items()]


def pair(columns: Sequence[NamedScores], scorers: Sequence[Scorer]) -> tuple[list[NamedScores], list[int]]:
    """Give columns of scores the scorers with the same titles.

    A ranker sends its scores and its scorer.  Of the columns with the title of a scorer, the first one without a scorer
    gets it.

    Parameters
    ----------
    columns : sequence of NamedScores
        Columns of scores.
    scorers : sequence of Scorer
        Scorers.

    Returns
    -------
    columns : list of NamedScores
        The columns with their scorers.
    unpaired : list of int
        Indices of the scorers that no column gets.
    """
    paired = list(columns)
    unpaired = []
    for number, scorer in enumerate(scorers):
        title = title_of(scorer)
        free = [i for i, column in enumerate(paired) if column.title == title and column.scorer is None]
        if free:
            paired[free[0]] = replace(paired[free[0]], scorer=scorer)
        else:
            unpaired.append(number)
    return paired, unpaired


def gather(
    columns: Sequence[NamedScores],
    data: Table | None = None,
    learner: Learner | None = None,
    evaluations: Sequence[Table] = (),
    left_out: Sequence[str] = (),
) -> ComparedRankings:
    """Compare the rankings by the features that all of them, and the data, have.

    Data without any feature of the rankings are not used.  Notes of the comparison name what is left out.

    Parameters
    ----------
    columns : sequence of NamedScores
        Rankings.
    data : Table, optional
        Data with the features.
    learner : Learner, optional
        Learner that evaluates the rankings; None for the usual one.
    evaluations : sequence of Table
        Results for other data sets.
    left_out : sequence of str
        Titles of rankings that are not compared.

    Returns
    -------
    ComparedRankings
    """
    notes = Notes()
    chosen = [column for column in with_titles(columns) if column.title not in left_out]
    checked = [checked for column in chosen if (checked := _checked(column, notes)) is not None]
    remarks = []
    # Features of the data, unless no ranking has one of them.
    data_features = [variable.name for variable in data.domain.attributes] if data is not None else []
    if data is not None and checked and not any(set(data_features) & set(column.names) for column in checked):
        data = None
        data_features = []
        remarks.append(DATA_UNUSED)
    # Features and scores of all rankings.
    compared, features = _with_common_features(checked, data_features if data is not None else None, notes)
    scores = _score_matrix(compared, features)
    n_all = len(set(data_features).union(*(column.names for column in compared)))
    if compared and len(features) < n_all:
        are = "is" if len(features) == 1 else "are"
        remarks.append(f"{len(features):,} of {n_all:,} features {are} in all rankings; the rest are left out")
    return ComparedRankings(
        features=tuple(features),
        titles=tuple(column.title for column in compared),
        scores=scores,
        scorers={column.title: column.scorer for column in compared},
        data=data,
        learner=learner,
        notes=(*remarks, *notes.texts),
        evaluations=tuple(evaluations),
    )


def with_titles(columns: Sequence[NamedScores]) -> list[NamedScores]:
    """Make the titles of columns differ: by the names of the data that were ranked, or the second one ends with (2)."""
    columns = _titled_by_source(columns)
    out = []
    taken = Counter(column.title for column in columns)
    counts: Counter[str] = Counter()  # columns of each title so far, and numbers that were taken
    for column in columns:
        counts[column.title] += 1
        title = column.title
        while counts[column.title] > 1 and title in taken:
            title = f"{column.title} ({counts[column.title]})"
            if title in taken:
                counts[column.title] += 1
        taken[title] += 1
        out.append(replace(column, title=title))
    return out


def _titled_by_source(columns: Sequence[NamedScores]) -> list[NamedScores]:
    """Name the source of columns with one title, "MultiSURF (first cohort)", where all of these have another one."""
    sources: dict[str, list[str]] = {}
    for column in columns:
        sources.setdefault(column.title, []).append(column.source)
    named_titles = {
        title for title, names in sources.items() if len(names) > 1 and all(names) and len(set(names)) == len(names)
    }
    return [
        replace(column, title=f"{column.title} ({column.source})") if column.title in named_titles else column
        for column in columns
    ]


def _checked(column: NamedScores, notes: Notes) -> NamedScores | None:
    """Reduce a ranking to one row for each feature with a finite score; None if no score is known."""
    first_rows: dict[str, int] = {}
    for row, name in enumerate(column.names):
        first_rows.setdefault(name, row)
    names = tuple(first_rows)
    scores = column.scores[list(first_rows.values())] if names else np.zeros(0)
    if np.isnan(scores).all():
        notes.add(EMPTY, column.title)
        return None
    counts = {
        DUPLICATES: len(column.names) - len(names),
        UNKNOWN: int(np.isnan(scores).sum()),
        INFINITE: int((abs(scores) >= MAX_SCORE).sum()),
    }
    for note, count in counts.items():
        if count:
            notes.add(note, f"{column.title} ({count:,})")
    scores = finite(scores)
    if len(names) > 1 and np.ptp(scores) == 0:
        notes.add(CONSTANT, column.title)
    return replace(column, names=names, scores=scores)


def _with_common_features(
    columns: Sequence[NamedScores], data_features: list[str] | None, notes: Notes
) -> tuple[list[NamedScores], list[str]]:
    """Select the rankings that share features, and these features.

    Features are in the order of the data, or of the first ranking where `data_features` is None.  A ranking without any
    of the features that those before it share is left out.
    """
    features: list[str] = []
    note = NOT_IN_OTHERS
    if data_features is not None:
        features = data_features
        note = NOT_IN_DATA
    elif columns:
        features = list(columns[0].names)
    selected = []
    for column in columns:
        names = set(column.names)
        common = [name for name in features if name in names]
        if common:
            features = common
            selected.append(column)
        else:
            notes.add(note, column.title)
    return selected, features if selected else []


def _score_matrix(columns: Sequence[NamedScores], features: Sequence[str]) -> np.ndarray:
    """Collect the scores (t, p) of the features in the rankings, which all have them."""
    positions = {name: position for position, name in enumerate(features)}
    scores = np.empty((len(columns), len(features)))
    for row, column in enumerate(columns):
        of_names = np.array([positions.get(name, -1) for name in column.names], int)
        is_feature = of_names >= 0
        scores[row, of_names[is_feature]] = column.scores[is_feature]
    return scores
