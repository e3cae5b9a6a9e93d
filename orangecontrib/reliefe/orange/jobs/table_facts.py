"""Facts of a table: a fingerprint, and the features that have no information."""

from collections.abc import Callable, Iterable
from hashlib import blake2b
from typing import NamedTuple

import numpy as np
import scipy.sparse as sp
from Orange.data import Table

from ... import __version__
from ..feature_groups import groups_of_variables
from ..targets import EVENT_VALUE, MARK, are_times

VALUES_PER_LOOK = 1 << 20  # values that are looked at between two looks at whether to stop


class About(NamedTuple):
    """Facts of a table: a fingerprint, and the names of features that have one value, or none."""

    fingerprint: str
    constant: tuple[str, ...]
    empty: tuple[str, ...]

    @classmethod
    def of(
        cls, table: Table, look: Callable[[], object], study: Iterable[str] = (), feature_groups: str = ""
    ) -> "About":
        """Fingerprint and facts of a table; `look` is called now and then, and ends the work by raising."""
        constant, empty = uninformative(table, look)
        return cls(fingerprint(table, look, study, feature_groups), constant, empty)


def fingerprint(
    table: Table, look: Callable[[], object] = lambda: None, study: Iterable[str] = (), feature_groups: str = ""
) -> str:
    """Hash of the version, the domain, features and their groups, targets, and metas of a study; others do not matter.

    feature_groups: rule by which features are ranked as one; empty: each feature is ranked.
    """
    domain, digest = table.domain, blake2b(digest_size=16)
    described = [
        [(v.name, type(v).__name__, getattr(v, "values", ()), str(v.attributes.get("parents", ""))) for v in variables]
        for variables in (domain.attributes, domain.class_vars)
    ]
    digest.update(repr((__version__, len(table), described)).encode())
    if are_times(domain.class_vars):
        marks = [(v.attributes[MARK], str(v.attributes.get(EVENT_VALUE, ""))) for v in domain.class_vars]
        digest.update(repr(marks).encode())
    if feature_groups:
        digest.update(repr(groups_of_variables(feature_groups, domain.attributes)).encode())
    for variable in (domain[name] for name in study):
        column = table.get_column(variable).tolist()
        digest.update(repr((variable.name, getattr(variable, "values", ()), column)).encode())
    for part in (table.X, table.Y, *([table.W] if table.has_weights() else [])):
        for values in (part.data, part.indices, part.indptr) if sp.issparse(part) else (part,):
            digest.update(f"{values.shape} {values.dtype}".encode())
            step = max(VALUES_PER_LOOK // max(values[:1].size, 1), 1)
            for start in range(0, len(values), step):
                look()
                block = values[start : start + step]
                digest.update((block.astype(float) if block.dtype == object else block).tobytes())
    return digest.hexdigest()


def uninformative(table: Table, look: Callable[[], object]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Names of the features with but one known value, and of those with none."""
    n, p = table.X.shape
    low, high = np.full(p, np.nan), np.full(p, np.nan)
    step = max(VALUES_PER_LOOK // max(p, 1), 1)
    stored = table.X.tocsr() if sp.issparse(table.X) else None
    counts = np.zeros(p, np.int64)
    for start in range(0, n, step):
        look()
        if stored is None:
            block = np.asarray(table.X[start : start + step], float)
            low, high = np.fmin(low, np.fmin.reduce(block)), np.fmax(high, np.fmax.reduce(block))
        else:
            own = slice(stored.indptr[start], stored.indptr[min(start + step, n)])
            columns, values = stored.indices[own], stored.data[own]
            np.fmin.at(low, columns, values)
            np.fmax.at(high, columns, values)
            counts += np.bincount(columns, minlength=p)
    if stored is not None:
        gaps = counts < n  # what is not stored is 0
        low[gaps], high[gaps] = np.fmin(low[gaps], 0), np.fmax(high[gaps], 0)
    names = [variable.name for variable in table.domain.attributes]
    return tuple(names[j] for j in np.flatnonzero(low == high)), tuple(names[j] for j in np.flatnonzero(np.isnan(low)))
