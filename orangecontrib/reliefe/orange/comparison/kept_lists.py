"""Lists of best features that a workflow keeps, compared with rankings."""

from collections.abc import Sequence

import numpy as np

from ..stored_settings import between, fitting, string, strings
from .comparison import KeptList
from .named_scores import NamedScores

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
