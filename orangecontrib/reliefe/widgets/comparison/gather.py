"""From tables and scorers to one comparison: rankings are matched by the names of features."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from Orange.base import Learner
from Orange.data import ContinuousVariable, DiscreteVariable, StringVariable, Table, TimeVariable
from Orange.preprocess.score import Scorer

from ...core.words import of_cell
from ...orange.ranking import FACT, lower_is_better
from ..utils.settings import between, fitting, string, strings
from .view import Comparison, KeptList

NAME_COLUMN = "feature"  # what such a column is called where there is a choice
Z = "z"  # a test of a score, beside it
MAX_SCORE = 1e300  # from here on a score means infinity: Orange's Rank writes the largest number for it
BELOW = 1e-3  # of the range of the scores: how far below the worst one a feature without a score is put

TWICE = "A feature with several rows counts once, by its first row"
UNKNOWN = "Features without a score come last in"
INFINITE = "Infinite scores count as just beyond the finite ones in"
CONSTANT = "All features have the same score, so their order means nothing, in"
EMPTY = "Left out, since no score is known"
FOREIGN = "Left out, since none of its features is {}"
IN_DATA, IN_OTHERS = "in the data", "in all other rankings"


@dataclass(frozen=True, eq=False)
class NamedScores:
    """A ranking as it came: names (p,) of features, perhaps several times; scores (p,), perhaps unknown, higher is
    better; scorer: what ranks so, or None; negated: the numbers are no scores, and lower is better; aside: the column
    takes part only if it is ticked; kept: the kept list that it is, or None."""

    title: str
    names: tuple[str, ...]
    scores: np.ndarray
    scorer: Scorer | None = None
    negated: bool = False
    aside: bool = False
    kept: KeptList | None = None


def columns_of(table: Table) -> list[NamedScores]:
    """Every numeric column of a table is a ranking of the features that another column names; none without names.

    Positions, p and q are negated, and their titles say so; they and z stand aside.
    """
    named = _name_variable(table)
    if named is None:
        return []
    names = [of_cell(named.str_val(value)) for value in table.get_column(named)]
    known = np.array([not named.is_primitive() or not np.isnan(v) for v in table.get_column(named)], bool)
    known &= np.array([name not in ("", "?") for name in names], bool)
    kept = tuple(name for name, keep in zip(names, known, strict=True) if keep)
    found = []
    for variable in (*table.domain.variables, *table.domain.metas):
        if not isinstance(variable, ContinuousVariable) or isinstance(variable, TimeVariable):
            continue
        if FACT in variable.attributes:
            continue
        values = np.asarray(table.get_column(variable), float)[known]
        negated = lower_is_better(variable)
        title = f"{variable.name} (lower is better)" if negated else variable.name
        aside = negated or variable.name.casefold() == Z
        found.append(NamedScores(title, kept, -values if negated else values, negated=negated, aside=aside))
    return found


def read(tables: Sequence[Table]) -> tuple[list[NamedScores], list[str]]:
    """The rankings of all tables, and the names of the tables that have none."""
    found = [columns_of(table) for table in tables]
    empty = [table.name for table, columns in zip(tables, found, strict=True) if not columns]
    return [column for columns in found for column in columns], empty


def title_of(scorer: Scorer) -> str:
    """Title of a scorer."""
    return getattr(scorer, "name", None) or scorer.friendly_name


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


MAX_LISTS, MAX_NAMES = 50, 1000  # that a workflow keeps, and features of each
LIST = {
    "name": lambda value: string(value) and value.strip() != "", "date": string, "number": between(1),
    "features": lambda value: strings(value) and 0 < len(set(value)) == len(value) <= MAX_NAMES,
}  # fmt: skip


def read_lists(stored: object) -> tuple[list[KeptList], int]:
    """The kept lists of a workflow, and the number of those that are no lists, or too many."""
    items = stored if isinstance(stored, list) else [stored]
    found = [fitting(item, LIST) for item in items if isinstance(item, dict)]
    lists = {item["name"]: KeptList(**item) for item in found if len(item) == len(LIST)}
    return [*lists.values()][:MAX_LISTS], len(items) - min(len(lists), MAX_LISTS)


def kept_columns(lists: Sequence[KeptList], columns: Sequence[NamedScores]) -> list[NamedScores]:
    """A ranking of each list; other features of the columns have no score in it, so that they are not left out."""
    names, out = dict.fromkeys(name for column in columns for name in column.names), []
    for kept in lists:
        own = set(kept.features)
        rest = [name for name in names if name not in own] if own.intersection(names) else []
        scores = np.r_[np.arange(len(own), 0, -1.0), np.full(len(rest), np.nan)]
        out.append(NamedScores(kept.name, (*kept.features, *rest), scores, kept=kept))
    return out


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


def finite(scores: np.ndarray) -> np.ndarray:
    """(p,) scores without unknown ones, which become a little less than the worst, and infinite ones, which become a
    little more than the best or less than the worst; all 0 if none is known."""
    scores = np.asarray(scores, float)
    scores = np.where(abs(scores) >= MAX_SCORE, np.copysign(np.inf, scores), scores)
    known = scores[np.isfinite(scores)]
    if not len(known):
        known = np.zeros(1)
    low, high = known.min(), known.max()
    step = BELOW * (high - low) or BELOW * max(abs(high), 1.0)
    return np.nan_to_num(scores, nan=low - 2 * step, posinf=high + step, neginf=low - step)


def _name_variable(table):
    """The text that is called so, or the first one, or else a categorical variable that differs in every row."""
    domain = table.domain
    every = (*domain.metas, *domain.variables)
    texts = [v for v in every if isinstance(v, StringVariable)]
    if not texts:
        discrete = [v for v in every if isinstance(v, DiscreteVariable)]
        texts = [v for v in discrete if len(table) and len(np.unique(table.get_column(v))) == len(table)]
    return next((v for v in texts if NAME_COLUMN in v.name.casefold()), texts[0] if texts else None)


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
