"""Index of a feature that a caller gives by index or by name.

`explanation.py` and `correlated_features.py` call `feature_index`.
"""

from collections.abc import Sequence

from ..checks import one_of, whole
from ..words import shown


def feature_index(what: str, feature: int | str, names: Sequence[str] | None, p: int) -> int:
    """Find the index of one of p features.

    Parameters
    ----------
    what : str
        Name of the argument, for messages.
    feature : int or str
        Index or name.
    names : sequence of str or None
        Names of the features, if they have any.
    p : int
        Number of features.

    Returns
    -------
    int
        From 0 to p - 1.

    Raises
    ------
    TypeError, ValueError
        If there is no such feature.
    """
    if not isinstance(feature, str):
        return whole(what, feature, 0, p - 1)
    feature_names = list(names or ())
    if not feature_names:
        raise ValueError(f"{what}: the data have no names, so {shown(feature)} must be an index from 0 to {p - 1:,}")
    return feature_names.index(one_of(what, feature, feature_names))
