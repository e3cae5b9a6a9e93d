"""The registry of methods, and which of them fits data."""

from typing import Any

from ..checks import one_of
from ..data.labels import Labels
from ..data.table import DataTable
from ..data.targets import CLASSIFICATION, MULTILABEL, MULTITARGET, REGRESSION, UNSUPERVISED, Classes, Target
from .base import FAMILIES, Method

MAX_RADIUS_ROWS = 10_000  # above which `auto` does without radius methods
MIN_LABELLED_SHARE = 0.5  # of rows with a known target, below which `auto` uses the others, too

METHODS: dict[str, Method[Any]] = {}
# Earlier names, which scripts and saved workflows know; Relief-B has been another method since 1994.
ALIASES = {"reliefb": "boostedrelief", "reliefl": "learnedrelief", "relieflb": "boostedlearnedrelief"}


def register(*methods: Method[Any]) -> None:
    """Add methods: from now on scripts, scorers, widgets and the command line know them by their names.

    Raises ValueError where a name is taken, and for an unknown family.
    """
    for method in methods:
        one_of("family", method.family, FAMILIES)
        if method.name in METHODS:
            raise ValueError(f"there is a method {method.name!r} already")
        METHODS[method.name] = method


def find_method(name: str, *others: str) -> Method[Any] | None:
    """The method of this name, or of an earlier one, and None for other words; ValueError lists all that is known."""
    name = ALIASES.get(name, name) if isinstance(name, str) else name
    return METHODS.get(one_of("method", name, (*others, *METHODS)))


def methods() -> tuple[Method[Any], ...]:
    """All methods: name, title, about, idea, citation, tasks and parameters of each."""
    return tuple(METHODS.values())


def automatic(table: DataTable, target: Target) -> tuple[Method[Any], str]:
    """The method for the data, and why."""
    if target.task == UNSUPERVISED:
        return METHODS["urelief"], "URelief, since there is no target"
    if target.labelled.mean() < MIN_LABELLED_SHARE:
        return METHODS["sslrelief"], "SSL-Relief, since most rows have no known target"
    inner = target.inner
    label_sets = target.task == MULTILABEL and isinstance(inner, Labels)
    known = target.task == REGRESSION or label_sets or isinstance(inner, Classes)
    name, why = usual_method(target.task if known else MULTITARGET, table.shape[0], table.missing_share > 0)
    return METHODS[name], why


def usual_method(task: str, rows: int, missing: bool) -> tuple[str, str]:
    """Name of the method for labelled rows, and why; missing: some values are."""
    if task == REGRESSION:
        return "rrelieff", "RReliefF, since the target is a number"
    if task == MULTILABEL:
        return "reliefe", "ReliefE on label sets, in the space of the features, where it measures best"
    if task != CLASSIFICATION:
        return "rrelieff", "RReliefF, since there are several targets"
    if rows > MAX_RADIUS_ROWS:
        return "relieff", f"ReliefF, since there are more than {MAX_RADIUS_ROWS:,} rows"
    if missing:
        return "relieff", "ReliefF, since values are missing"
    return "multisurf", "MultiSURF, since the target has classes: it has nothing to set"
