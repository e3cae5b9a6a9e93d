"""Three small methods, as a contributor writes them; doc/developers/method.md shows `Spread`.

Tests register them, and find them in scripts, scorers, widgets and the command line.
"""

import time
from collections.abc import Iterator
from functools import cached_property
from typing import cast

import numpy as np
from scipy import sparse

from orangecontrib.reliefe.core.data.table import DataTable
from orangecontrib.reliefe.core.methods import wrapper
from orangecontrib.reliefe.core.methods.base import ROWS, Method, MethodInput, MethodResult
from orangecontrib.reliefe.core.methods.parameters import SHARE, Parameter
from orangecontrib.reliefe.core.methods.traits import Traits

STEPS = 3  # partial results of `Clock`
SECONDS = 0.01  # that each of them takes


def variances(table: DataTable) -> np.ndarray:
    """Return the variance of each feature, (p,): mean of (x - mean(x))^2 over its known values x, 0 without any."""
    n, p = table.shape
    if table.is_sparse:
        # A cell that is not stored is 0, and a stored NaN is a missing value.
        matrix = cast("sparse.csr_array", table.values)
        is_known = ~np.isnan(matrix.data)
        features = matrix.indices[is_known]
        values = matrix.data[is_known]
        n_missing = np.bincount(matrix.indices[~is_known], minlength=p)
        n_zeros: np.ndarray = n - np.bincount(matrix.indices, minlength=p)
    else:
        X = cast("np.ndarray", table.values)
        is_known = ~np.isnan(X)
        features = np.nonzero(is_known)[1]
        values = X[is_known]
        n_missing = n - is_known.sum(axis=0)
        n_zeros = np.zeros(p)
    n_known = np.maximum(n - n_missing, 1)
    means = np.bincount(features, values, p) / n_known
    squares = np.bincount(features, (values - means[features]) ** 2, p) + n_zeros * means**2
    return cast("np.ndarray", squares / n_known)


class Spread(Method[None]):
    """Rank features by their variance, without a target."""

    # Names, and words for lists and pages
    name = "spread"
    title = "Spread"
    about = "no target at all"
    idea = "Ranks by the variance"
    citation = "a test"
    # Its group in menus, and the kinds of target that it takes
    family = "filter"
    tasks = ("unsupervised",)
    # What it finds, and which data it takes: tables print these, so none of them has a default.
    traits = Traits(
        interactions=False,
        redundancy=False,
        sparse=True,
        nominal="codes as numbers",
        missing="left out",
        complexity="n p",
    )

    def run(self, data: MethodInput[None]) -> Iterator[MethodResult]:
        yield MethodResult(variances(data.table))


class Half(Method[None]):
    """Rank the features that vary most by another method; the rest come last."""

    name = "half"
    title = "Half"
    about = "those that vary"
    idea = "Ranks the features that vary most"
    citation = "a test"
    family = "wrapper"
    tasks = ("classification", "regression")
    traits = wrapper.traits_by_core("core")

    @cached_property
    def parameters(self) -> tuple[Parameter, ...]:
        return (
            wrapper.MethodParameter("core", "Core", "relieff", "Ranks what is kept"),
            Parameter("share", "Share", SHARE, 0.5, tooltip="Share of the features that is kept"),
        )

    def run(self, data: MethodInput[None]) -> Iterator[MethodResult]:
        order = np.argsort(variances(data.table), kind="stable")
        p = len(order)
        n_dropped = round(p * (1 - data.parameters["share"]))
        is_kept = np.zeros(p, bool)
        is_kept[order[n_dropped:]] = True
        for found in wrapper.run(data.parameters["core"], data.columns(is_kept)):
            scores = np.full(p, found.scores.min() - 1)
            scores[is_kept] = found.scores
            yield MethodResult(scores, info=found.info, order=order, final=found.final)


class Clock(Method[None]):
    """Yield a partial result for each of three steps of the work."""

    name = "clock"
    title = "Clock*"
    about = "again and again"
    idea = "Ranks by time"
    citation = "a test"
    family = "reweighting"
    tasks = ("classification",)
    traits = Traits(
        interactions=False,
        redundancy=False,
        sparse=True,
        nominal="not read",
        missing="not read",
        complexity="1",
        refines=ROWS,
    )

    def run(self, data: MethodInput[None]) -> Iterator[MethodResult]:
        positions = np.arange(float(data.table.shape[1]))
        for step in data.work.split(STEPS):
            data.work.tick()
            time.sleep(SECONDS)
            is_last = step == STEPS - 1
            if data.partial or is_last:
                yield MethodResult(positions * step, final=is_last)


TOYS = Half, Spread, Clock
