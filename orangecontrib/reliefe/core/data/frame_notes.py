"""Notes on data frames of a call: numbers as texts, features in rows, and rows with other labels.

`check_call` asks for all of them, and `core.description` for features in rows.
"""

from collections.abc import Mapping
from typing import Any

from ..info import Info
from ..words import shown, some
from . import frames
from .transposed import MAX_NAMES_READ, TRANSPOSE_TABLE, are_features, sentence_on_rows

OTHER_INDEX = (
    "the index of {0} is not that of X: rows are paired by their order; give {0}.loc[X.index] to pair them by index"
)


def note_texts(X: Any, info: Info) -> None:
    """Add a warning of columns whose texts are numbers to `info`."""
    names = frames.numbers_as_texts(X)
    if names:
        noun = "the column" if len(names) == 1 else f"{len(names):,} columns"
        info["warnings"].append(
            f"numbers are given as texts in {noun} {some([*map(shown, names)])}, and ranked as categories: convert "
            "numbers by X.astype(float), or say by nominal which columns are categories"
        )


def note_features_in_rows(X: Any, has_target: bool, info: Info) -> None:
    """Add advice to `info` if rows look like features."""
    rows = features_in_rows(X, has_target)
    if rows:
        info["information"].append(f"{sentence_on_rows(rows)}: {TRANSPOSE_TABLE}")


def features_in_rows(X: Any, has_target: bool) -> list[str]:
    """Return the index of a frame of pandas if it has names of features, and its columns those of samples; else none.

    has_target: True if there is a target, so that rows are rather samples.
    """
    if not (frames.is_frame(X) and hasattr(X, "iloc")):
        return []
    rows = X.index.tolist()
    if not all(isinstance(name, str) for name in rows[:MAX_NAMES_READ]):
        return []
    rows = [*map(str, rows)]
    return rows if are_features(rows, [*map(str, frames.names(X))], has_target) else []


def names_with_other_index(X: Any, columns: Mapping[str, Any]) -> list[str]:
    """Names of the columns whose rows have other labels than X, or the same in another order, all objects of pandas.

    There are none if X is no object of pandas, whose rows have labels.
    """
    if not hasattr(X, "iloc"):
        return []
    framed = {name: values for name, values in columns.items() if hasattr(values, "iloc")}
    return [name for name, values in framed.items() if not X.index.equals(values.index)]
