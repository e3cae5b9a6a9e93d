"""Groups of features that are ranked as one, such as the columns of a one-hot code or the variants of a gene.

`check_call` reads them from the argument `feature_groups` of `rank`, and `methods/grouped.py` ranks by them.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, cast

import numpy as np

from ..info import Info
from ..words import NAMES_SHOWN, choices, counted, item_name, shown, shown_item
from .arrays import cells, unknown
from .table import DataTable

ARGUMENT = "feature_groups"
ADVICE_ON_ORDER = "scores of groups of few features vary more: order groups by p-values, whose order is that of z"


@dataclass(frozen=True, eq=False)
class FeatureGroups:
    """Partition of p features into g groups, in the order of the first feature of each.

    Parameters
    ----------
    names : tuple of str
        Names of the g groups. A feature that is alone is a group with its own name.
    of_features : (p,) int array
        Index of the group of each feature.
    """

    names: tuple[str, ...]
    of_features: np.ndarray

    @classmethod
    def read(cls, argument: Any, table: DataTable) -> "FeatureGroups":
        """Read the argument `feature_groups` of `rank`.

        Parameters
        ----------
        argument : mapping or sequence
            Features, by names or indices, of each group. Or the name of the group of each of the p features; None, NaN
            and "" mean that a feature is alone. A Series whose index has the names of the features is paired by these.
        table : DataTable
            Table of the p features.

        Raises
        ------
        ValueError
            For another number of names than features, for unknown features and those of two groups, and for a group
            that has the name of a feature which is alone.
        TypeError
            If features are neither names nor indices.
        """
        feature_names = [item_name(j, table.names) for j in range(table.shape[1])]
        return cls.of(names_of_groups(argument, table), feature_names)

    @classmethod
    def of(cls, group_names: Sequence[str | None], feature_names: Sequence[str]) -> "FeatureGroups":
        """Make the partition from the name of the group of each of the p features; None: it is alone.

        Raises ValueError for a group that has the name of a feature which is alone.
        """
        names: list[str] = []
        names_alone: set[str] = set()
        index_of_group: dict[str, int] = {}
        of_features = np.empty(len(feature_names), np.int64)
        for j, (group_name, feature_name) in enumerate(zip(group_names, feature_names, strict=True)):
            if group_name is None:
                of_features[j] = len(names)
                names.append(feature_name)
                names_alone.add(feature_name)
                continue
            if group_name not in index_of_group:
                index_of_group[group_name] = len(names)
                names.append(group_name)
            of_features[j] = index_of_group[group_name]
        twice = sorted(names_alone.intersection(index_of_group))
        if twice:
            raise ValueError(
                f"{ARGUMENT} has a group {shown(twice[0])}, which is the name of a feature in no group, too: give the "
                "group another name"
            )
        return cls(tuple(names), of_features)

    @cached_property
    def sizes(self) -> np.ndarray:
        """Number (g,) of the features of each group."""
        return np.bincount(self.of_features, minlength=len(self.names))

    @property
    def are_single(self) -> bool:
        """True if every group has one feature, so that groups are features."""
        return len(self.names) == len(self.of_features)

    @property
    def feature_weights(self) -> np.ndarray:
        """Weights (p,) of the features in a distance in which each group counts as one: 1 / size of the group."""
        return cast("np.ndarray", 1 / self.sizes[self.of_features])

    @cached_property
    def members(self) -> list[list[int]]:
        """Indices of the features of each group."""
        by_group = np.split(self._order, self._starts[1:])
        return [features.tolist() for features in by_group]

    @cached_property
    def _order(self) -> np.ndarray:
        """Indices (p,) of the features, group by group."""
        return np.argsort(self.of_features, kind="stable")

    @cached_property
    def _starts(self) -> np.ndarray:
        """Place (g,) in `_order` at which each group begins."""
        return cast("np.ndarray", np.cumsum(self.sizes) - self.sizes)

    def means(self, values: np.ndarray) -> np.ndarray:
        """Means (..., g) over the features of each group of values (..., p) of features."""
        sums = np.add.reduceat(values[..., self._order], self._starts, axis=-1)
        return cast("np.ndarray", sums / self.sizes)

    def note(self) -> str:
        """Sentence on the number of groups, with the largest ones: prefixes can join what does not belong together."""
        n_grouped = int((self.sizes > 1).sum())
        n_features = int(self.sizes[self.sizes > 1].sum())
        largest = np.argsort(-self.sizes, kind="stable")[: min(n_grouped, NAMES_SHOWN)]
        sizes = [f"{shown(self.names[group])} ({self.sizes[group]:,})" for group in largest]
        listed = f"; largest groups: {', '.join(sizes)}" if sizes else ""
        return (
            f"{counted(n_features, 'feature')} in {counted(n_grouped, 'group')} are ranked as one each: "
            f"{counted(len(self.names), 'score')} for {counted(len(self.of_features), 'feature')}{listed}"
        )


def names_of_groups(argument: Any, table: DataTable) -> list[str | None]:
    """Name of the group of each feature, None if it is alone; arguments and errors as of `FeatureGroups.read`."""
    return _names_by_mapping(argument, table) if isinstance(argument, Mapping) else _names_by_sequence(argument, table)


def groups_by_prefix(names: Iterable[object], separator: str = "_") -> dict[str, list[str]]:
    """Group features by the text before the last separator of their names, as of columns that a one-hot code made.

    Parameters
    ----------
    names : iterable of str
        Names of features, for example ``frame.columns``.
    separator : str
        Text between the name of a group and the rest.

    Returns
    -------
    dict
        Names of the features of each group of two or more, for the argument `feature_groups` of `rank`. Features
        without the separator, and those whose prefix no other feature has, are in no group.

    Raises
    ------
    ValueError
        If the separator is empty.
    """
    if not separator:
        raise ValueError('separator is empty: give a text that is in the names, for example "_"')
    by_prefix: dict[str, list[str]] = {}
    for name in map(str, names):
        prefix = name.rpartition(separator)[0]
        if prefix:
            by_prefix.setdefault(prefix, []).append(name)
    return {prefix: features for prefix, features in by_prefix.items() if len(features) > 1}


def _names_by_mapping(features_by_group: Mapping[Any, Any], table: DataTable) -> list[str | None]:
    """Name of the group of each feature, None if it is alone, from the features of each group."""
    _check_different(features_by_group)
    group_names: list[str | None] = [None] * table.shape[1]
    for group, features in features_by_group.items():
        argument_name = f"{ARGUMENT}[{shown(str(group))}]"
        indices = table.places(features, argument_name).tolist()
        if not indices:
            raise ValueError(f"{argument_name} has no features: leave the group out")
        for j in indices:
            if group_names[j] is not None:
                feature = shown_item(j, table.names)
                raise ValueError(
                    f"{argument_name} has {feature}, which is in {shown(group_names[j])}, too: leave it in one"
                )
            group_names[j] = group_text(group)
    return group_names


def _names_by_sequence(argument: Any, table: DataTable) -> list[str | None]:
    """Name of the group of each feature, None if it is alone, from one value for each feature."""
    p = table.shape[1]
    if isinstance(argument, str):
        raise ValueError(
            f"{ARGUMENT} is one name for each feature, or a mapping of names to features, not {shown(argument)}"
        )
    values = cells(argument, ARGUMENT)
    if values.shape != (p,):
        raise ValueError(
            f"{ARGUMENT} must have one name for each of {counted(p, 'feature')} (None: it is alone), not the shape "
            f"{values.shape}; a mapping of names to features is possible, too"
        )
    names = [
        None if is_alone else group_text(value)
        for value, is_alone in zip(values.tolist(), unknown(values), strict=True)
    ]
    raw_values = argument if isinstance(argument, list | tuple) else values.tolist()  # NumPy makes texts of numbers
    _check_different(value for value, name in zip(raw_values, names, strict=True) if name is not None)
    labels = [*map(str, argument.index)] if hasattr(argument, "iloc") else []
    if table.names is None or labels in ([], [*map(str, range(p))]):
        return names
    name_of = dict(zip(labels, names, strict=True))
    unknown_labels = [label for label in name_of if label not in table.names]
    if unknown_labels or len(name_of) < p:
        wrong = unknown_labels[0] if unknown_labels else next(label for label in labels if labels.count(label) > 1)
        problem = "which is no feature" if unknown_labels else "several times"
        raise ValueError(
            f"the index of {ARGUMENT} has {shown(wrong)}, {problem}; {choices(wrong, table.names, shown)}. Give a "
            "list, if the groups are in the order of the features"
        )
    return [name_of[feature] for feature in table.names]


def _check_different(groups: Iterable[object]) -> None:
    """Raise ValueError for two groups whose names are written in the same way, as 1 and "1"."""
    by_text: dict[str, object] = {}
    for group in groups:
        earlier_group = by_text.setdefault(group_text(group), group)
        if earlier_group != group:
            raise ValueError(
                f"{ARGUMENT} has the groups {shown(earlier_group)} and {shown(group)}, which have one name: give one "
                "another name"
            )


def group_text(value: object) -> str:
    """Name of a group by its value; a whole number has no decimals, which it has in a column with missing values."""
    return str(int(value)) if isinstance(value, float) and value.is_integer() else str(value)


def read_feature_groups(argument: object, table: DataTable, info: Info) -> FeatureGroups:
    """Read the argument `feature_groups` as `FeatureGroups.read` does, and note the groups in `info`."""
    groups = FeatureGroups.read(argument, table)
    info["members"] = groups.members
    if not groups.are_single:
        info["information"] += [groups.note(), ADVICE_ON_ORDER]
    return groups
