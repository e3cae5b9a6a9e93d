"""Columns in which persons or animals occur in several rows, which then belong together.

`core/notes.py` asks for one among the features of a ranking, `core.description` for its findings, and the
readers of tables among texts, which are no features. A column is found by its name, as subject_id, or by structure: the
target and another column are the same in all rows of each of its values, and this is not due to chance.
"""

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

import numpy as np

from ..words import shown
from .row_names import is_person
from .suspects import log_chance

MIN_PERSONS = 5  # fewer are rather a treatment or a site
MIN_REPEATED = 0.5  # share of the values that must occur in several rows; chosen by eye
MAX_CHANCE = np.log(0.01)  # logarithm of the chance of any column of a table that is called so by mistake
MAX_RANGES = 0.75  # of the values of a number; chosen by eye: more are values of single persons, as ages
RUNS_OF_A_RANGE = 3  # of a column with two values, one of which says that a number lies in a range
SAMPLES = (8, 64)  # rows by which most columns are excluded, and most of those that are left
ROWS_BEFORE_ALL = 256  # rows by which columns are excluded that differ within a value


class RowNames(NamedTuple):
    """Column that may tell persons apart.

    Attributes
    ----------
    name : str
        Its name.
    codes : (n,) float array
        Numbers, or codes of texts and categories; NaN is missing.
    """

    name: str
    codes: np.ndarray


class RepeatedRows(NamedTuple):
    """Column whose equal values may be rows of a person.

    Attributes
    ----------
    name : str
        Its name.
    n_values : int
        Number of its values.
    n_rows : int
        Number of rows that have one.
    constant : str
        Name of another column that is the same in all rows of a value, as is the target. Empty: found by the name.
    """

    name: str
    n_values: int
    n_rows: int
    constant: str = ""

    @property
    def role(self) -> str:
        """The role in the study that the column may have."""
        return "group"

    @property
    def clause(self) -> str:
        """A clause on the column, for findings and notes."""
        values = f"{shown(self.name)} has {self.n_values:,} values in {self.n_rows:,} rows"
        if self.constant:
            values += f", and the target and {shown(self.constant)} are the same in all rows of a value"
        return f"{values}: if rows of one value belong together, as visits of a person"

    @property
    def advice(self) -> str:
        """A sentence on the column, and what to do."""
        return self._advise("the group")

    @property
    def note(self) -> str:
        """The advice with the argument of `rank`, for which the command line writes its option."""
        return self._advise("the group (groups=...)")

    def _advise(self, role: str) -> str:
        return f"{self.clause}, make it {role}, since p-values are too small otherwise"


def repeated_by_name(columns: Iterable[RowNames]) -> RepeatedRows | None:
    """Return the first column that is named as one of persons, some of whom have several rows; None without one."""
    for column in columns:
        if is_person(column.name):
            n_values, n_rows = count_known(column.codes)
            if MIN_PERSONS <= n_values <= n_rows / 2 and are_whole(column.codes):
                return RepeatedRows(column.name, n_values, n_rows)
    return None


def repeated_rows(
    columns: Sequence[RowNames],
    X: np.ndarray | None,
    names: Sequence[str],
    target: np.ndarray | None,
    is_number: bool = False,
) -> RepeatedRows | None:
    """Find the column in which a person occurs in several rows, by its name or by structure; None without one.

    Parameters
    ----------
    columns : sequence of RowNames
        Columns that may tell persons apart, as texts or `columns_of_features`.
    X : (n, p) float array, optional
        Features; NaN is missing. None: they are not searched.
    names : sequence of str
        Names of the p features.
    target : (n, t) float array, optional
        Columns of the target, with codes for classes; NaN is unknown. None: there is none.
    is_number : bool
        True for a target that is a number, which may differ between any two persons.
    """
    if by_name := repeated_by_name(columns):
        return by_name
    if X is None or target is None or not columns:
        return None
    is_known = ~np.isnan(target).any(axis=1)
    known_columns = [RowNames(column.name, column.codes[is_known]) for column in columns]
    return _repeated_by_structure(known_columns, X[is_known], names, target[is_known], is_number)


def _repeated_by_structure(
    columns: Sequence[RowNames], X: np.ndarray, names: Sequence[str], target: np.ndarray, is_number: bool
) -> RepeatedRows | None:
    """Return the first column within whose values the target and another column never differ; None without one.

    Arguments are those of `repeated_rows`, without rows whose target is unknown.
    """
    y = np.unique(target, axis=0, return_inverse=True)[1].ravel()
    if y.max(initial=0) == 0:
        return None
    for column in columns:
        is_known = ~np.isnan(column.codes)
        codes = _codes(column.codes[is_known])
        y_known = y[is_known]
        if (
            not _may_be_persons(codes, y_known, is_number)
            or log_chance(codes, y_known) + np.log(len(columns)) > MAX_CHANCE
        ):
            continue
        for f in _constant_within(codes, X[is_known]):
            if names[f] == column.name or _follows_target(X[is_known, f], y_known, is_number):
                continue
            if _is_of_persons(codes, X[is_known, f], len(columns) * len(names)):
                return RepeatedRows(column.name, int(codes.max()) + 1, len(codes), names[f])
    return None


def columns_of_features(X: np.ndarray, names: Sequence[str], target: np.ndarray) -> list[RowNames]:
    """Return the features (n, p) that may tell persons apart: whole numbers that are equal only where the target is."""
    y = np.unique(target, axis=0, return_inverse=True)[1].ravel()
    return [RowNames(names[f], X[:, f]) for f in _possible_features(X, y)]


def codes_of_texts(values: Iterable[object]) -> np.ndarray:
    """Number different texts; NaN for those that are empty or None."""
    code_of: dict[object, int] = {}
    return np.array([code_of.setdefault(text, len(code_of)) if text else np.nan for text in values], float)


def count_known(codes: np.ndarray) -> tuple[int, int]:
    """Return the number of different values that are known, and of their rows."""
    known_codes = codes[~np.isnan(codes)]
    return len(np.unique(known_codes)), len(known_codes)


def are_whole(codes: np.ndarray) -> bool:
    """True if all known values are whole numbers."""
    known_codes = codes[~np.isnan(codes)]
    return bool((known_codes == np.floor(known_codes)).all())


def _codes(values: np.ndarray) -> np.ndarray:
    """Number the different values from 0."""
    return np.unique(values, return_inverse=True)[1].ravel()


def _possible_features(X: np.ndarray, y: np.ndarray) -> list[int]:
    """Return the indices of the features that may tell persons apart, judged by some rows.

    These are whole numbers from 0, with equal values only where the target y (n,) is equal.
    """
    rows = np.random.default_rng(0).permutation(len(X))
    features = np.arange(X.shape[1])
    for size in (*SAMPLES, len(X)):
        sampled = rows[:size]
        values = X[np.ix_(sampled, features)]
        is_whole = ((values == np.floor(values)) & (values >= 0) | np.isnan(values)).all(axis=0)
        features = features[is_whole]
        values = values[:, is_whole]
        order = np.argsort(values, axis=0, kind="stable")
        steps = np.diff(np.take_along_axis(values, order, axis=0), axis=0)
        is_same_target = np.diff(y[sampled][order], axis=0) == 0
        features = features[((steps != 0) | is_same_target).all(axis=0)]
        if not len(features):
            break
    return [*map(int, features)]


def _may_be_persons(codes: np.ndarray, y: np.ndarray, is_number: bool) -> bool:
    """True if values have several rows each, within which the target y (n,) is the same, but are no names of classes.

    codes (n,) are numbered from 0.
    """
    sizes = np.bincount(codes)
    if not MIN_PERSONS <= len(sizes) <= len(codes) / 2 or (sizes > 1).mean() < MIN_REPEATED:
        return False
    return _is_constant(codes, y) and (is_number or not _is_constant(_codes(y), codes))


def _follows_target(values: np.ndarray, y: np.ndarray, is_number: bool) -> bool:
    """True for a feature (n,) that is a function of the target y (n,), by classes or ranges of a number."""
    is_known = ~np.isnan(values)
    of_values, of_y = _codes(values[is_known]), _codes(y[is_known])
    return _is_constant(of_y, of_values) and (not is_number or _are_ranges(of_y, of_values))


def _is_of_persons(codes: np.ndarray, values: np.ndarray, n_tests: int) -> bool:
    """True for a feature that is the same within each code (n,), but is neither a name of it nor ranges of it."""
    is_known = ~np.isnan(values)
    of_values, of_codes = _codes(values[is_known]), _codes(codes[is_known])
    if len(of_values) < MIN_PERSONS or of_values.max() == 0:
        return False
    if not _is_constant(of_codes, of_values) or _is_constant(of_values, of_codes):
        return False
    if _are_ranges(of_codes, of_values):
        return False
    return bool(log_chance(of_codes, of_values) + np.log(n_tests) <= MAX_CHANCE)


def _constant_within(codes: np.ndarray, X: np.ndarray) -> Iterator[int]:
    """Yield the indices of the features (n, p) that are the same in all rows of each code (n,)."""
    order = np.argsort(codes, kind="stable")
    features = np.arange(X.shape[1])
    for rows in (order[:ROWS_BEFORE_ALL], order):
        steps = np.diff(X[np.ix_(rows, features)], axis=0)
        is_within = np.diff(codes[rows]) == 0
        features = features[~((steps != 0) & ~np.isnan(steps) & is_within[:, None]).any(axis=0)]
    yield from map(int, features)


def _are_ranges(codes: np.ndarray, values: np.ndarray) -> bool:
    """True if each of the values (n,) belongs to a range of codes (n,), or the rest to one, as groups of ages do."""
    n_values = len(np.unique(values))
    if n_values > MAX_RANGES * len(np.unique(codes)):
        return False
    in_order = values[np.argsort(codes, kind="stable")]
    n_runs = 1 + int((np.diff(in_order) != 0).sum())
    return n_runs <= max(n_values, RUNS_OF_A_RANGE)


def _is_constant(codes: np.ndarray, values: np.ndarray) -> bool:
    """True if values (n,) are the same in all rows of each code (n,)."""
    order = np.argsort(codes, kind="stable")
    return not ((np.diff(codes[order]) == 0) & (np.diff(values[order]) != 0)).any()
