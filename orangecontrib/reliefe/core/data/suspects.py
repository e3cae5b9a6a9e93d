"""Features that a ranking is better without: identifiers of rows, and functions of the target."""

import re
from typing import cast

import numpy as np
from scipy.special import gammaln

from ..words import shown, some
from .scratch import in_file
from .table import DataTable

MIN_ROWS = 10  # fewer show nothing
SAMPLES = (8, 64)  # rows by which most features are excluded, and most of those that are left
VALUES_AT_ONCE = 2**21  # that are looked at together
CHANCE = np.log(1e-9)  # probability below which a relation is no chance
ID_NAME = re.compile(r"(?i:|unnamed: \d+|index|row|.*[ _.-]id|id([ _.-].*)?|.*(number|no\.?|nr\.?))|.*[a-z]I[Dd]")

UNIQUE, NUMBERING = "with a value of its own in every row", "numbering the rows"
EQUAL, DETERMINES, DEPENDS = "repeating the target", "determining the target", "depending on the target alone"


def suspects(table: DataTable, y: np.ndarray | None, is_class: bool) -> dict[int, str]:
    """Features that identify rows, or are functions of a target y (n,) of codes or numbers, with the reason of each.

    Numbers identify rows if they are 0 ... n - 1, 1 ... n, or different integers with a name like "person_id".  Sparse,
    packed and mapped tables are not searched.
    """
    n, X = table.shape[0], table.values
    if n < MIN_ROWS or table.is_sparse or table.packed or in_file(X):
        return {}
    values = cast("np.ndarray", X)
    rows = np.random.default_rng(0).permutation(n)
    unique = possible = np.arange(table.shape[1])
    for size in SAMPLES:
        sampled = rows[:size]
        sample = values[np.ix_(sampled, unique)]
        unique = unique[(sample == np.floor(sample)).all(axis=0)]
        unique = unique[(np.diff(np.sort(values[np.ix_(sampled, unique)], axis=0), axis=0) > 0).all(axis=0)]
        if y is not None:
            sample = values[np.ix_(sampled, possible)]
            possible = possible[_related(sample, y[sampled], table.nominal[possible], is_class)]
    found = {f: text for f in unique.tolist() if (text := _identifies(values[:, f], table, f))}
    unordered = [f for f, text in found.items() if text == NUMBERING and (np.diff(values[:, f]) < 0).any()]
    if len(unordered) > 1:  # ranks of other values
        found = {f: text for f, text in found.items() if f not in unordered}
    if y is None:
        return found
    step = max(VALUES_AT_ONCE // n, 1)
    for some_features in np.split(possible, range(step, len(possible), step)):
        of_all = _related(values[:, some_features], y, table.nominal[some_features], is_class)
        for f in some_features[of_all].tolist():
            x, known = values[:, f], ~np.isnan(values[:, f])
            text = _leaks(x[known], y[known], table.nominal[f], is_class)
            if text and f not in found:
                found[f] = text
    return dict(sorted(found.items()))


def _related(X: np.ndarray, y: np.ndarray, nominal: np.ndarray, is_class: bool) -> np.ndarray:
    """Mask (p,) of the features that may be functions of the target y (n,), or determine it, in these rows X (n, p)."""
    order = np.argsort(y, kind="stable")
    steps, changes = np.diff(X[order], axis=0), np.diff(y[order]) != 0
    with np.errstate(invalid="ignore"):
        depends = ~((steps != 0) & ~np.isnan(steps) & ~changes[:, None]).any(axis=0)
        monotone = ~((steps < 0)[changes].any(axis=0) & (steps > 0)[changes].any(axis=0))
    places = np.argsort(X[:, nominal], axis=0)
    x, own = np.take_along_axis(X[:, nominal], places, axis=0), y[places]
    found: np.ndarray = depends if is_class else monotone & ~nominal
    found[nominal] |= ~((np.diff(x, axis=0) == 0) & (np.diff(own, axis=0) != 0)).any(axis=0)
    return found


def note(found: dict[int, str], names: tuple[str, ...] | None) -> str:
    """Sentence on suspects."""
    whose: dict[str, list[str]] = {}
    for f, text in found.items():
        whose.setdefault(text, []).append(shown(names[f]) if names else f"number {f + 1}")
    texts = [f"{text}: {some(each)}" for text, each in whose.items()]
    return f"features {'; '.join(texts)}. Leave out those that are not known before the target"


def _identifies(x: np.ndarray, table: DataTable, f: int) -> str:
    """Text for a feature without two equal values, or an empty one."""
    ordered = np.sort(x)
    if np.isnan(ordered[-1]) or (np.diff(ordered) <= 0).any():
        return ""
    if table.nominal[f]:
        return UNIQUE
    if (ordered != np.floor(ordered)).any():
        return ""
    if ordered[0] in (0, 1) and ordered[-1] - ordered[0] == len(x) - 1:
        return NUMBERING
    return UNIQUE if table.names and ID_NAME.fullmatch(table.names[f].strip()) else ""


def _leaks(x: np.ndarray, y: np.ndarray, nominal: bool, is_class: bool) -> str:
    """Text for a function of the target, or an empty one."""
    if len(x) < MIN_ROWS or (x == x[0]).all():
        return ""
    if not (nominal or is_class):
        return _follows(x, y)
    a, b = (np.unique(values, return_inverse=True)[1].astype(np.int64) for values in (x, y))
    pairs = len(np.unique(a * (b.max() + 1) + b))
    depends = pairs == b.max() + 1 and _log_chance(b, a) < CHANCE
    determines = nominal and pairs == a.max() + 1 and _log_chance(a, b) < CHANCE
    return EQUAL if depends and pairs == a.max() + 1 else DEPENDS if depends else DETERMINES * bool(determines)


def _log_chance(given: np.ndarray, codes: np.ndarray) -> float:
    """Logarithm of the probability that rows with the same `given` (n,) all have the same of some `codes` (n,)."""
    shares = np.bincount(codes) / len(codes)
    sizes, times = np.unique(np.bincount(given), return_counts=True)
    return float(times @ np.log((shares[:, None] ** sizes).sum(axis=0)))


def _follows(x: np.ndarray, y: np.ndarray) -> str:
    """Text for a number that grows, or falls, with another one, and is a function of it or determines it."""
    for sign in (1, -1):
        order = np.lexsort((sign * x, y))
        dx, dy = sign * np.diff(x[order]), np.diff(y[order])
        depends, determines = not (dx[dy == 0] != 0).any(), not (dy[dx == 0] != 0).any()
        if (dx >= 0).all() and (depends or determines):
            sizes = np.unique(x if depends else y, return_counts=True)[1]
            if gammaln(sizes + 1).sum() - gammaln(len(x) + 1) < CHANCE:
                return EQUAL if np.array_equal(x, y) else DEPENDS if depends else DETERMINES
    return ""
