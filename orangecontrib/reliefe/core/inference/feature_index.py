"""Index of a feature that a caller gives by index or by name.

`explanation.py` and `correlated_features.py` call `feature_index`.
"""

from collections.abc import Sequence

from ..checks import one_of, whole


def feature_index(what: str, feature: int | str, names: Sequence[str] | None, p: int) -> int:
    """Index of one of p features that is given by index or by name; raises TypeError or ValueError for no such one."""
    if not isinstance(feature, str):
        return whole(what, feature, 0, p - 1)
    feature_names = list(names or ())
    return feature_names.index(one_of(what, feature, feature_names))
