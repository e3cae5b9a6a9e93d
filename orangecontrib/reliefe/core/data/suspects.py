"""Suspect features, which a ranking is better without: identifiers of rows or functions of the target.

`core/notes.py` warns of them.
"""

from typing import cast

import numpy as np
from scipy.special import gammaln

from ..words import shown_item, some
from .row_names import is_name_title
from .scratch import in_file
from .table import DataTable

MIN_ROWS = 10  # fewer show nothing
SAMPLES = (8, 64)  # rows by which most features are excluded, and most of those that are left
MAX_ROWS_BEFORE = 3  # times n: so many rows, chosen by eye, before those of missing values were left out
VALUES_PER_BLOCK = 2**21  # values that are compared at once
MAX_LOG_CHANCE = np.log(1e-9)  # logarithm of the probability below which a relation is not due to chance

# Reasons
UNIQUE = "with a value of its own in every row"
NUMBERING = "numbering the rows"
EQUAL = "repeating {target}"
DETERMINES = "determining {target}"
DEPENDS = "depending on {target} alone"
IDENTIFYING = frozenset((UNIQUE, NUMBERING))


def suspects(table: DataTable, y: np.ndarray | None, is_class: bool, target_name: str = "the target") -> dict[int, str]:
    """Find features that identify rows, or are functions of the target.

    Numbers identify rows if they are 0 ... n - 1, 1 ... n, the same with gaps where rows were left out, or different
    integers with a name like "person_id".  Sparse, packed and mapped tables are not searched.

    Parameters
    ----------
    table : DataTable
        Features of n rows.
    y : (n,) array or None
        Codes or numbers of the target; None: there is no target.
    is_class : bool
        True if y holds codes of classes.
    target_name : str
        The target in a reason, for example "the event".

    Returns
    -------
    dict
        Reasons by the indices of the features.
    """
    n = table.shape[0]
    if n < MIN_ROWS or table.is_sparse or table.packed or in_file(table.values):
        return {}
    values = cast("np.ndarray", table.values)
    # Exclude most features by a few rows
    rows = np.random.default_rng(0).permutation(n)
    unique = np.arange(table.shape[1])
    functions_of_target = np.arange(table.shape[1])
    for size in SAMPLES:
        sampled = rows[:size]
        sample = values[np.ix_(sampled, unique)]
        unique = unique[(sample == np.floor(sample)).all(axis=0)]
        unique = unique[(np.diff(np.sort(values[np.ix_(sampled, unique)], axis=0), axis=0) > 0).all(axis=0)]
        if y is not None:
            sample = values[np.ix_(sampled, functions_of_target)]
            functions_of_target = functions_of_target[
                _related(sample, y[sampled], table.nominal[functions_of_target], is_class)
            ]
    # Identifiers of rows
    reasons = {f: reason for f in unique.tolist() if (reason := _identifies(values[:, f], table, f))}
    unordered = [f for f, reason in reasons.items() if reason == NUMBERING and (np.diff(values[:, f]) < 0).any()]
    if len(unordered) > 1:  # ranks of other values
        reasons = {f: reason for f, reason in reasons.items() if f not in unordered}
    if y is None:
        return reasons
    # Functions of the target
    step = max(VALUES_PER_BLOCK // n, 1)
    for block in np.split(functions_of_target, range(step, len(functions_of_target), step)):
        is_related = _related(values[:, block], y, table.nominal[block], is_class)
        for f in block[is_related].tolist():
            x = values[:, f]
            is_known = ~np.isnan(x)
            reason = _leaks(x[is_known], y[is_known], table.nominal[f], is_class)
            if reason and f not in reasons:
                reasons[f] = reason.format(target=target_name)
    return dict(sorted(reasons.items()))


def _related(X: np.ndarray, y: np.ndarray, nominal: np.ndarray, is_class: bool) -> np.ndarray:
    """Return a mask (p,) of the features X (n, p) that may be functions of the target y (n,), or determine it."""
    # Changes of the features where the target stays or grows
    order = np.argsort(y, kind="stable")
    steps = np.diff(X[order], axis=0)
    changes = np.diff(y[order]) != 0
    with np.errstate(invalid="ignore"):
        depends = ~((steps != 0) & ~np.isnan(steps) & ~changes[:, None]).any(axis=0)
        monotone = ~((steps < 0)[changes].any(axis=0) & (steps > 0)[changes].any(axis=0))
    is_related: np.ndarray = depends if is_class else monotone & ~nominal
    # Changes of the target where a nominal feature stays
    ascending = np.argsort(X[:, nominal], axis=0)
    x = np.take_along_axis(X[:, nominal], ascending, axis=0)
    targets = y[ascending]
    is_related[nominal] |= ~((np.diff(x, axis=0) == 0) & (np.diff(targets, axis=0) != 0)).any(axis=0)
    return is_related


def note_on_suspects(reasons: dict[int, str], names: tuple[str, ...] | None) -> str:
    """Return a sentence on suspect features; names (p,): of all features, if they have any."""
    features: dict[str, list[str]] = {}
    for f, reason in reasons.items():
        features.setdefault(reason, []).append(shown_item(f, names))
    texts = [f"{reason}: {some(listed)}" for reason, listed in features.items()]
    advice = []
    if IDENTIFYING.intersection(features):
        advice.append("only name rows")
    if set(features) - IDENTIFYING:
        advice.append("are not known before the target")
    return f"features {'; '.join(texts)}. Leave out those that {' or '.join(advice)}"


def _identifies(x: np.ndarray, table: DataTable, f: int) -> str:
    """Return the reason why a feature x (n,) identifies rows; "" if it does not."""
    ordered = np.sort(x)
    if np.isnan(ordered[-1]) or (np.diff(ordered) <= 0).any():
        return ""
    if table.nominal[f]:
        return UNIQUE
    if (ordered != np.floor(ordered)).any():
        return ""
    if ordered[0] in (0, 1) and ordered[-1] - ordered[0] == len(x) - 1:
        return NUMBERING
    if 0 <= ordered[0] < len(x) and ordered[-1] < MAX_ROWS_BEFORE * len(x) and _has_gaps_of_rows(x):
        return NUMBERING
    return UNIQUE if table.names and is_name_title(table.names[f]) and not _is_plural(table.names[f]) else ""


def _has_gaps_of_rows(x: np.ndarray) -> bool:
    """Return True if whole numbers x (n,) ascend by 1, but for gaps where rows were left out at random.

    Doses and times that someone chose are rather even, or have steps that grow.
    """
    steps, counts = np.unique(np.diff(x), return_counts=True)
    if steps[0] != 1:
        return False
    return len(steps) == 1 or bool(counts[0] == counts.max() and x[0] <= steps[-1])


def _is_plural(name: str) -> bool:
    """Return True for a name of a count: "new cases"."""
    return name.strip().lower().endswith("s")


def _leaks(x: np.ndarray, y: np.ndarray, nominal: bool, is_class: bool) -> str:
    """Return the reason why a feature x (n,) is a function of the target y (n,), or determines it; "" if neither."""
    if len(x) < MIN_ROWS or (x == x[0]).all():
        return ""
    if not (nominal or is_class):
        return _follows(x, y)
    x_codes = np.unique(x, return_inverse=True)[1].astype(np.int64)
    y_codes = np.unique(y, return_inverse=True)[1].astype(np.int64)
    n_x = x_codes.max() + 1
    n_y = y_codes.max() + 1
    n_pairs = len(np.unique(x_codes * n_y + y_codes))
    if n_pairs == n_y and log_chance(y_codes, x_codes) < MAX_LOG_CHANCE:
        return EQUAL if n_pairs == n_x else DEPENDS
    if nominal and n_pairs == n_x and log_chance(x_codes, y_codes) < MAX_LOG_CHANCE:
        return DETERMINES
    return ""


def log_chance(groups: np.ndarray, codes: np.ndarray) -> float:
    """Return the logarithm of the probability that all rows of each group (n,) have the same code (n,) by chance.

    sum over groups of log(sum over codes of share(code) ^ size(group))
    """
    shares = np.bincount(codes) / len(codes)
    sizes, n_groups = np.unique(np.bincount(groups), return_counts=True)
    return float(n_groups @ np.log((shares[:, None] ** sizes).sum(axis=0)))


def _follows(x: np.ndarray, y: np.ndarray) -> str:
    """Return the reason why a number x (n,) that grows, or falls, with the target y (n,) is suspect; "" if it is not.

    It must be a function of the target, or determine it.  Numbers without ties are in one order by chance with the
    probability 1 / n!.
    """
    for sign in (1, -1):
        order = np.lexsort((sign * x, y))
        dx = sign * np.diff(x[order])
        dy = np.diff(y[order])
        depends = not (dx[dy == 0] != 0).any()
        determines = not (dy[dx == 0] != 0).any()
        if (dx >= 0).all() and (depends or determines):
            sizes = np.unique(x if depends else y, return_counts=True)[1]
            if gammaln(sizes + 1).sum() - gammaln(len(x) + 1) < MAX_LOG_CHANCE:
                if np.array_equal(x, y):
                    return EQUAL
                return DEPENDS if depends else DETERMINES
    return ""
