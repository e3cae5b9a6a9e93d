"""Sentence on why two rankings disagree on a feature.

`explanation.py` calls `reason_to_differ` with a ranking and each of those that it is compared with.
"""

import numpy as np

from ..data.table import DataTable
from ..methods.registry import METHODS
from ..methods.traits import EQUAL_OR_NOT
from ..methods.wrapper import scoring_method
from ..request import Request
from ..result import NOMINAL, Ranking
from ..words import cut
from ..work.threads import Work
from .alone import alone
from .correlated_features import alike_features

MAX_GROUPED = 100  # best features that are compared with each other
APART = 4  # ratio of two ranks from which on they disagree


def title_of(ranking: Ranking) -> str:
    """Title of the method of a ranking, or its name if no such method is registered."""
    method = METHODS.get(ranking.method)
    return method.title if method else ranking.method


def rank_of(ranking: Ranking, f: int) -> int:
    """Rank of feature f, 1 = best."""
    return int(np.flatnonzero(ranking.ranking == f)[0]) + 1


def reason_to_differ(f: int, long_name: str, rankings: tuple[Ranking, Ranking], request: Request) -> str:
    """Sentence on why two rankings disagree on a feature; empty where they agree, or no reason is known."""
    name, table = cut(long_name), request.table
    high, low = sorted(rankings, key=lambda ranking: rank_of(ranking, f))
    above, below = METHODS.get(high.method), METHODS.get(low.method)
    if above is None or below is None or rank_of(low, f) < APART * rank_of(high, f):
        return ""
    above_traits, below_traits = (scoring_method(ranking).traits for ranking in (high, low))
    if below_traits.redundancy:
        best = low.ranking[:MAX_GROUPED]
        twin = alike_features(table, [*best[: rank_of(low, f) - 1], f])[-1]
        if twin != f:
            return f"{below.title} leaves out features like better ones, and {name} is like {_named(table, twin)}"
    by_step = [
        traits.nominal == EQUAL_OR_NOT and not ranking.parameters.get("ramp")
        for traits, ranking in ((above_traits, high), (below_traits, low))
    ]
    if len(set(table.nominal)) == 2 and by_step == [table.nominal[f], not table.nominal[f]]:
        title = (above if table.nominal[f] else below).title
        return f"{title} counts two categories as a difference of 1, but two numbers as a part of their range"
    if above_traits.interactions == below_traits.interactions:
        return ""
    if request.weights is not None:  # for which there are no tests alone
        return ""
    p_values = alone(table.columns(np.array([f])), request.target, Work(1))
    if p_values is None or above_traits.interactions != (p_values[0] > NOMINAL):
        return ""
    related, how = "related", "feature by feature"
    if above_traits.interactions:
        related, how = "not related", "beside other features"
    return f"{name} is {related} to the target alone (p = {p_values[0]:.2g}), and {above.title} scores it {how}"


def _named(table: DataTable, f: int) -> str:
    return cut(table.names[f]) if table.names else f"feature {f}"
