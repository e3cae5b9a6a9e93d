"""Groups of the features of a table, by an attribute of its variables: features that are ranked as one.

`conversion.py` calls `groups_of_variables` with the argument `feature_groups` of `rank` and `refine`.
"""

from collections.abc import Mapping, Sequence
from typing import TypeAlias

from Orange.data import Variable

from ..core.words import choices, shown

# Name of an attribute of variables, or names of features or variables by the name of the group
FeatureGroups: TypeAlias = str | Mapping[str, Sequence[Variable | str]] | None


def groups_of_variables(
    given: FeatureGroups, features: Sequence[Variable]
) -> list[str | None] | dict[str, list[str]] | None:
    """Read groups of features for `core.rank`.

    Parameters
    ----------
    given : str, mapping or None
        Key of ``variable.attributes`` whose value is the group of a feature. Features without it, or with an empty one,
        are alone. Or the features of each group. None: there are no groups.
    features : sequence of Variable
        The p features.

    Returns
    -------
    list of str or None
        Name of the group of each feature. A mapping is returned with names of features.

    Raises
    ------
    ValueError
        If no feature has such an attribute; the message lists those that features have.
    TypeError
        If it is neither a text nor a mapping.
    """
    if given is None:
        return None
    if isinstance(given, Mapping):
        return {str(group): [*map(str, variables)] for group, variables in given.items()}
    if not isinstance(given, str):
        raise TypeError(
            f"feature_groups is the name of an attribute of variables, or a mapping of names to features, not "
            f"{shown(given)}"
        )
    groups = [str(feature.attributes.get(given) or "") or None for feature in features]
    if not any(groups):
        keys = [*dict.fromkeys(key for feature in features for key in feature.attributes)]
        advice = choices(given, keys, shown) if keys else "the features have no attributes"
        raise ValueError(f"feature_groups: no feature has the attribute {shown(given)}; {advice}")
    return groups
