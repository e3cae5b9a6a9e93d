"""Rankings as they come in tables of scores or from scorers: names of features with scores."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from Orange.data import ContinuousVariable, DiscreteVariable, StringVariable, Table, TimeVariable, Variable
from Orange.preprocess.score import Scorer

from ...core.words import of_cell
from ..scores_table import FACT, NAME_OF_SCORES, SOURCE, lower_is_better

NAME_COLUMN = "feature"  # what such a column is called where there is a choice
UNNAMED = ("untitled", NAME_OF_SCORES)  # names that Orange, and rankers, give to tables
Z = "z"  # a test of a score, beside it
MAX_SCORE = 1e300  # from here on a score means infinity: Orange's Rank writes the largest number for it
BELOW = 1e-3  # of the range of the scores: how far below the worst one a feature without a score is put


@dataclass(frozen=True, eq=False)
class NamedScores:
    """A ranking as it came from a table or a scorer."""

    title: str
    names: tuple[str, ...]  # (p,) of features, perhaps several times
    scores: np.ndarray  # (p,): higher is better; NaN where unknown
    scorer: Scorer | None = None  # makes such rankings; None: a column of a table
    negated: bool = False  # True: the numbers were no scores, and lower was better
    aside: bool = False  # True: the column takes part only if it is ticked
    source: str = ""  # name of the data that were ranked, or of the table; empty: not known


class NamedRows(NamedTuple):
    """Rows of a table of scores that name a feature."""

    names: tuple[str, ...]  # of the features, perhaps several times
    is_named: np.ndarray  # (n,) bool: rows of the table that have a name


def columns_of(table: Table) -> list[NamedScores]:
    """Every numeric column of a table is a ranking of the features that another column names; none without names.

    Positions, p and q are negated, and their titles say so; they and z stand aside.
    """
    names = name_variable(table)
    if names is None:
        return []
    rows = named_rows(table, names)
    columns = []
    for variable in (*table.domain.variables, *table.domain.metas):
        if not isinstance(variable, ContinuousVariable) or isinstance(variable, TimeVariable):
            continue
        if FACT in variable.attributes:
            continue
        values = np.asarray(table.get_column(variable), float)[rows.is_named]
        negated = lower_is_better(variable)
        title = f"{variable.name} (lower is better)" if negated else variable.name
        aside = negated or variable.name.casefold() == Z
        scores = -values if negated else values
        columns.append(NamedScores(title, rows.names, scores, None, negated, aside, source_of(table)))
    return columns


def source_of(table: Table) -> str:
    """Name of the data that a table of scores is of, or else of the table; empty for tables without a name."""
    own_name = "" if table.name in UNNAMED else table.name
    return str(table.attributes.get(SOURCE) or own_name)


def named_rows(table: Table, variable: Variable) -> NamedRows:
    """Read the names of features in a column of names."""
    column = table.get_column(variable)
    names = [of_cell(variable.str_val(value)) for value in column]
    is_named = np.array([not variable.is_primitive() or not np.isnan(value) for value in column], bool)
    is_named &= np.array([name not in ("", "?") for name in names], bool)
    return NamedRows(tuple(name for name, has_name in zip(names, is_named, strict=True) if has_name), is_named)


def read(tables: Sequence[Table]) -> tuple[list[NamedScores], list[str]]:
    """The rankings of all tables, and the names of the tables that have none."""
    columns_of_tables = [columns_of(table) for table in tables]
    empty = [table.name for table, columns in zip(tables, columns_of_tables, strict=True) if not columns]
    return [column for columns in columns_of_tables for column in columns], empty


def title_of(scorer: Scorer) -> str:
    """Title of a scorer."""
    return getattr(scorer, "name", None) or scorer.friendly_name


def finite(scores: np.ndarray) -> np.ndarray:
    """(p,) scores without unknown ones, which become a little less than the worst, and infinite ones, which become a
    little more than the best or less than the worst; all 0 if none is known."""
    scores = np.asarray(scores, float)
    scores = np.where(abs(scores) >= MAX_SCORE, np.copysign(np.inf, scores), scores)
    finite_scores = scores[np.isfinite(scores)]
    if not len(finite_scores):
        finite_scores = np.zeros(1)
    low, high = finite_scores.min(), finite_scores.max()
    step = BELOW * (high - low) or BELOW * max(abs(high), 1.0)
    return np.nan_to_num(scores, nan=low - 2 * step, posinf=high + step, neginf=low - step)


def name_variable(table: Table) -> Variable | None:
    """Find the column of names: the text called feature, the first text, or a category that differs in each row."""
    domain = table.domain
    variables = (*domain.metas, *domain.variables)
    texts = [v for v in variables if isinstance(v, StringVariable)]
    if not texts:
        discrete = [v for v in variables if isinstance(v, DiscreteVariable)]
        texts = [v for v in discrete if len(table) and len(np.unique(table.get_column(v))) == len(table)]
    return next((v for v in texts if NAME_COLUMN in v.name.casefold()), texts[0] if texts else None)
