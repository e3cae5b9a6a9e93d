"""Features that are always selected: the argument `keep` of `rank`, which `check_call` reads."""

import numpy as np

from ..info import Info
from ..words import some
from .feature_groups import FeatureGroups
from .table import DataTable


def read_keep(argument: object, table: DataTable, groups: FeatureGroups | None, info: Info) -> np.ndarray:
    """Find the sorted indices of the features, or of their groups, and note them in `info`.

    Parameters
    ----------
    argument : sequence of str or int
        Names or indices of features.
    table : DataTable
        The features.
    groups : FeatureGroups or None
        Groups of features that are ranked as one.
    info : Info
        Notes of the call.
    """
    features = table.places(argument, "keep")
    keep = features if groups is None else np.unique(groups.of_features[features])
    if len(keep):
        info["kept"] = keep.tolist()
        info["information"].append(f"always selected: {some(table.names_of(features))}")
    return keep
