"""Groups of the features of a table, by their attributes or names: features that are ranked as one.

`conversion.py` calls `groups_of_variables` with the argument `feature_groups` of `rank` and `refine`. Widgets offer the
groupings that `possible_groupings` lists.
"""

from collections.abc import Mapping, Sequence
from typing import NamedTuple, TypeAlias

from Orange.data import Variable

from ..core.data.feature_groups import ARGUMENT, group_text, groups_by_prefix
from ..core.data.feature_groups import FeatureGroups as GroupsOfFeatures
from ..core.words import choices, shown, some

# Name of an attribute of variables, "prefix:" and a separator, or features or their names by the name of the group
FeatureGroups: TypeAlias = str | Mapping[str, Sequence[Variable | str]] | None

PREFIX_RULE = "prefix:"
SEPARATORS = ("=", "_")  # of columns that Orange's Continuize, and one-hot codes of pandas, make


class Grouping(NamedTuple):
    """A way to group features, as a widget offers it.

    rule: text for the argument `feature_groups`.
    title: what the features of a group share.
    """

    rule: str
    title: str


def groups_of_variables(
    given: FeatureGroups, features: Sequence[Variable]
) -> list[str | None] | dict[str, list[str]] | None:
    """Read groups of features for `core.rank`.

    Parameters
    ----------
    given : str, mapping or None
        Key of ``variable.attributes`` whose value is the group of a feature. Features without it, or with an empty one,
        are alone. Or "prefix:" and a separator, for example "prefix:=": the text before the last separator of a name is
        its group. Or the features of each group. None: there are no groups.
    features : sequence of Variable
        The p features.

    Returns
    -------
    list of str or None, dict, or None
        Name of the group of each feature, None if it is alone; for a mapping, names of features by the group. None:
        there are no groups.

    Raises
    ------
    ValueError
        If no feature has such an attribute, the message lists those that features have; and if no two features share a
        prefix.
    TypeError
        If it is neither a text nor a mapping.
    """
    if given is None:
        return None
    if isinstance(given, Mapping):
        return {str(group): [*map(str, variables)] for group, variables in given.items()}
    if not isinstance(given, str):
        raise TypeError(
            f"{ARGUMENT} is the name of an attribute of variables, or a mapping of names to features, not "
            f"{shown(given)}"
        )
    groups = _groups_by_rule(given, features)
    if any(groups):
        return groups
    if given.startswith(PREFIX_RULE):
        names = some([shown(feature.name) for feature in features])
        separator = shown(given.removeprefix(PREFIX_RULE))
        raise ValueError(
            f"{ARGUMENT}: no two features have the same name before the last {separator}; the features are {names}"
        )
    keys = [*dict.fromkeys(key for feature in features for key in feature.attributes)]
    advice = choices(given, keys, shown) if keys else "the features have no attributes"
    raise ValueError(f"{ARGUMENT}: no feature has the attribute {shown(given)}; {advice}")


def groups_by_rule(rule: str, features: Sequence[Variable]) -> GroupsOfFeatures | None:
    """Return groups of features by a text for `feature_groups`; None if it does not group these features."""
    if not rule:
        return None
    try:
        groups = GroupsOfFeatures.of(_groups_by_rule(rule, features), [feature.name for feature in features])
    except ValueError:  # a group has the name of a feature that is alone, or the separator is empty
        return None
    return None if groups.are_single else groups


def possible_groupings(features: Sequence[Variable]) -> list[Grouping]:
    """List the ways to make at least two groups of features, at least one of which has several features."""
    keys = dict.fromkeys(str(key) for feature in features for key in feature.attributes)
    groupings = [Grouping(key, f"same {key}") for key in keys if not key.startswith(PREFIX_RULE)]
    groupings += [Grouping(PREFIX_RULE + separator, f"name before last {separator}") for separator in SEPARATORS]
    possible = []
    for grouping in groupings:
        groups = groups_by_rule(grouping.rule, features)
        if groups is not None and len(groups.names) > 1:
            possible.append(grouping)
    return possible


def _groups_by_rule(rule: str, features: Sequence[Variable]) -> list[str | None]:
    """Name of the group of each feature by an attribute or a prefix; None: it is alone."""
    if not rule.startswith(PREFIX_RULE):
        return [_group_by_attribute(feature.attributes.get(rule)) for feature in features]
    members = groups_by_prefix([feature.name for feature in features], rule.removeprefix(PREFIX_RULE))
    group_of = {name: group for group, names in members.items() for name in names}
    return [group_of.get(feature.name) for feature in features]


def _group_by_attribute(value: object) -> str | None:
    """Name of a group by the value of an attribute, which Orange may have read as a number; None without a value."""
    if value is None or value == "" or value != value:
        return None
    return group_text(value)
