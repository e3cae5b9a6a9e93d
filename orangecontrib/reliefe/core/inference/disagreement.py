"""Sentence on why two rankings disagree on a feature.

`explanation.py` calls `reason_to_differ` with a ranking and each of those that it is compared with.
"""

from typing import Any

import numpy as np

from ..data.table import DataTable
from ..given_others import NOMINAL
from ..methods.base import Method
from ..methods.parameters import METHOD
from ..methods.registry import METHODS
from ..methods.traits import EQUAL_OR_NOT, Traits
from ..request import Request
from ..result import Ranking
from ..words import cut, item_name
from ..work.threads import Work
from .alone import alone
from .correlated_features import alike_features

MAX_GROUPED = 100  # best features that are compared with each other
DISAGREEMENT = 4  # ratio of two ranks from which on they disagree


def rank_of(ranking: Ranking, f: int) -> int:
    """Rank of feature f, 1 = best."""
    return int(np.flatnonzero(ranking.ranking == f)[0]) + 1


def scoring_method(ranking: Ranking) -> Method[Any]:
    """Method that scored the features of a ranking: that of the ranking, or of a wrapper its core."""
    method = METHODS[ranking.method]
    for parameter in method.parameters:
        core = ranking.parameters.get(parameter.name)
        if parameter.kind == METHOD and isinstance(core, tuple | list) and core:
            return METHODS.get(core[0], method)
    return method


def reason_to_differ(f: int, feature_name: str, rankings: tuple[Ranking, Ranking], request: Request) -> str:
    """Say why two rankings disagree on a feature.

    Parameters
    ----------
    f, feature_name : int, str
        Index and name of the feature.
    rankings : tuple of two Ranking
        Rankings of the same data.
    request : Request
        These data.

    Returns
    -------
    str
        A sentence without a full stop; empty where the rankings agree, or no reason is known.
    """
    high, low = sorted(rankings, key=lambda ranking: rank_of(ranking, f))
    method_above = METHODS.get(high.method)
    method_below = METHODS.get(low.method)
    if method_above is None or method_below is None or rank_of(low, f) < DISAGREEMENT * rank_of(high, f):
        return ""
    name = cut(feature_name)
    table = request.table
    above_traits = scoring_method(high).traits
    below_traits = scoring_method(low).traits

    # A better feature repeats it
    if below_traits.redundancy:
        best = low.ranking[:MAX_GROUPED]
        twin = alike_features(table, [*best[: rank_of(low, f) - 1], f])[-1]
        if twin != f:
            twin_name = _feature_name(table, twin)
            return f"{method_below.title} leaves out features like better ones, and {name} is like {twin_name}"

    # Only one of the methods weighs categories and numbers alike
    categories_differ_by_one = [
        _categories_differ_by_one(above_traits, high),
        _categories_differ_by_one(below_traits, low),
    ]
    has_both_kinds = len(set(table.nominal)) == 2
    if has_both_kinds and categories_differ_by_one == [table.nominal[f], not table.nominal[f]]:
        title = (method_above if table.nominal[f] else method_below).title
        return f"{title} counts two categories as a difference of 1, but two numbers as a part of their range"

    # Only one of the methods sees interactions
    if above_traits.interactions == below_traits.interactions:
        return ""
    if request.weights is not None:  # for which there are no tests alone
        return ""
    p_values = alone(table.columns(np.array([f])), request.target, Work(1))
    if p_values is None or above_traits.interactions != (p_values[0] > NOMINAL):
        return ""
    relation = "related"
    how = "feature by feature"
    if above_traits.interactions:
        relation = "not related"
        how = "beside other features"
    return f"{name} is {relation} to the target alone (p = {p_values[0]:.2g}), and {method_above.title} scores it {how}"


def _categories_differ_by_one(traits: Traits, ranking: Ranking) -> bool:
    """True if two categories differ by 1 or 0 while numbers differ by a part of their range."""
    return traits.nominal == EQUAL_OR_NOT and not ranking.parameters.get("ramp")


def _feature_name(table: DataTable, f: int) -> str:
    """Name of a feature, or its index where there are no names."""
    return cut(item_name(f, table.names))
