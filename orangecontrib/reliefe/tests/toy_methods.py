"""Three small methods, as somebody else would write them."""

import time

import numpy as np

from orangecontrib.reliefe.core.methods import wrapper as nested
from orangecontrib.reliefe.core.methods.base import Found, Method
from orangecontrib.reliefe.core.methods.parameters import SHARE, Parameter


class Half(Method):
    """Ranks by another method on the features that vary most; the others come last."""

    name, title, family, tasks = "half", "Half", "wrapper", ("classification", "regression")
    about, idea, citation = "those that vary", "Ranks the features that vary most", "a test"
    parameters = (
        nested.MethodParameter("core", "Core", "relieff", "Ranks what is kept"),
        Parameter("share", "Share", SHARE, 0.5, tooltip="Share of the features that is kept"),
    )

    def run(self, data):
        spread = np.nanvar(data.table.values, axis=0)
        order = np.argsort(spread, kind="stable")
        kept = np.zeros(len(order), bool)
        kept[order[round(len(order) * (1 - data.parameters["share"])) :]] = True
        for found in nested.run(data.parameters["core"], data.columns(kept)):
            scores = np.full(len(order), found.scores.min() - 1)
            scores[kept] = found.scores
            yield Found(scores, info=found.info, order=order, final=found.final)


class Spread(Method):
    """Ignores the target and which rows are used; computed once."""

    name, title, family, tasks = "spread", "Spread", "filter", ("unsupervised",)
    about, idea, citation = "no target at all", "Ranks by the variance", "a test"

    def run(self, data):
        yield Found(np.nanvar(data.table.values, axis=0))


class Clock(Method):
    """A partial result every now and then."""

    name, title, family, tasks = "clock", "Clock*", "reweighting", ("classification",)
    about, idea, citation = "again and again", "Ranks by time", "a test"
    refines = "rows"

    def run(self, data):
        for second in data.work.split(3):
            data.work.tick()
            time.sleep(0.01)
            if data.partial or second == 2:
                yield Found(np.arange(float(data.table.shape[1])) * second, final=second == 2)


TOYS = Half, Spread, Clock
