"""Lists of best features that a workflow stores, which *Ranking Comparison* compares with rankings."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from ..stored_settings import between, fitting, string, strings
from .comparison import KeptList
from .named_scores import NamedScores

# Limits for the size of a workflow; chosen by eye
MAX_LISTS = 50
MAX_NAMES = 1000  # features of a list
# Fields of a list, and tests of their values
LIST = {
    "name": lambda value: string(value) and value.strip() != "", "date": string, "number": between(1),
    "features": lambda value: strings(value) and 0 < len(set(value)) == len(value) <= MAX_NAMES,
}  # fmt: skip


def read_lists(stored: object) -> tuple[list[KeptList], int]:
    """Read the lists of a workflow.

    Parameters
    ----------
    stored : object
        Setting of the workflow, which may be damaged.

    Returns
    -------
    lists : list of KeptList
        The lists.
    n_left_out : int
        Number of items that are no lists, or too many.
    """
    items = stored if isinstance(stored, list) else [stored]
    fields: list[dict[str, Any]] = [fitting(item, LIST) for item in items if isinstance(item, dict)]
    lists = {item["name"]: KeptList(**item) for item in fields if len(item) == len(LIST)}
    return [*lists.values()][:MAX_LISTS], len(items) - min(len(lists), MAX_LISTS)


def kept_columns(lists: Sequence[KeptList], columns: Sequence[NamedScores]) -> list[NamedScores]:
    """Make a ranking of each list.

    Other features of the rankings have no score in it, so that they are not left out of the comparison.

    Parameters
    ----------
    lists : sequence of KeptList
        The lists.
    columns : sequence of NamedScores
        Rankings that they are compared with.
    """
    names = dict.fromkeys(name for column in columns for name in column.names)
    rankings = []
    for stored_list in lists:
        listed = set(stored_list.features)
        unlisted = [name for name in names if name not in listed] if listed.intersection(names) else []
        scores = np.r_[np.arange(len(listed), 0, -1.0), np.full(len(unlisted), np.nan)]
        rankings.append(NamedScores(stored_list.name, (*stored_list.features, *unlisted), scores, kept=stored_list))
    return rankings
