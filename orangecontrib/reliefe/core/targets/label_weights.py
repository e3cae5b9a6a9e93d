"""Distances of label sets as a method's parameters ask for them.

Methods for several targets call `with_label_weights` with their parameters before they rank.
"""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from .labels import Labels
from .multi import MultiTarget
from .partly_labelled import PartlyLabelled
from .targets import Target
from .tasks import MULTITARGET


def with_label_weights(target: Target, values: Mapping[str, Any], known: np.ndarray | None = None) -> Target:
    """Return a target with the distance of label sets and the weights of labels that parameters ask for.

    Labels that no row has weigh nothing, so that with gamma = "sum" the largest possible difference is 1.

    Petkovic, Dzeroski and Kocev (2020), arXiv:2008.03937, section 4.

    Parameters
    ----------
    target : Target
        Any target; those without label sets are returned as they are.
    values : mapping
        Parameters of a method: target_distance, label_decay, label_weights and gamma.
    known : (n,) bool array, optional
        Rows whose labels are known; None: all.
    """
    if isinstance(target, PartlyLabelled):
        return replace(target, target=with_label_weights(target.target, values, target.labelled))
    if isinstance(target, Labels):
        target = target.measured(values["target_distance"])
    if isinstance(target, MultiTarget) and target.task != MULTITARGET:
        target = replace(target, distance=values["target_distance"])
    if not isinstance(target, Labels | MultiTarget) or target.hierarchy is None:
        return target
    alpha = target.hierarchy.weights(values["label_decay"], values["label_weights"])
    if isinstance(target, Labels):
        return target.weighted(alpha, values["gamma"], known)
    target = replace(target, weights=alpha * (np.nan_to_num(target.values) == 1).any(axis=0))
    return target.stretched() if (values["gamma"], target.distance) == ("max", "hamming") else target
