"""Three choices for people, each a few methods that fit the data: the only place that says which."""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
import scipy.sparse as sp

from ..utils.problem import CLASSIFICATION, Problem

QUICK, THOROUGH, INTERACTIONS = PRESETS = ("quick", "thorough", "interactions")
OWN = ""  # the user's own ticks
AUTOMATIC = "automatic"
RELIEFE = "reliefe"
RADIUS = ("multisurf",)  # not for many rows
TITLES = {
    QUICK: ("&Quick", "a first look, at once"),
    THOROUGH: ("Thorou&gh", "several, side by side"),
    INTERACTIONS: ("&Interactions", "what acts together"),
}
TIPS = {
    QUICK: "The method that fits the data and is there at once; ReliefE follows where it fits. For a first look.",
    THOROUGH: "Two methods that find all relevant features, and one that finds a small set of them without repetition. "
    "What all three agree on can be trusted most. Takes longer.",
    INTERACTIONS: "A feature may say nothing alone and much beside another one, as two genes that act together. Learns "
    "which features matter, and looks among rows that are alike in those.",
}
WANTED = {  # of each group the first that fits
    QUICK: ((AUTOMATIC,), (RELIEFE,)),
    THOROUGH: (("relieff", "rrelieff"), ("multisurf",), ("boostedlearnedrelief",)),
    INTERACTIONS: (("multisurf", "relieff", "rrelieff"), ("learnedrelief",)),
}


@dataclass(frozen=True)
class Facts:
    """Facts on the data that the choice depends on."""

    task: str = CLASSIFICATION
    rows: int = 0
    missing: bool = False

    @classmethod
    def of(cls, problem: Problem | None) -> "Facts":
        """Those of a problem; None: those of small and complete data with classes."""
        if problem is None:
            return cls()
        X = problem.table.X
        values = X.data if sp.issparse(X) else X
        return cls(problem.task, len(problem.table), bool(np.isnan(values).any()))


def methods_of(preset: str, offered: Mapping[str, object], facts: Facts) -> list[str]:
    """Names of the offered methods that a preset stands for, in the order of the offer."""
    from ...core.methods.registry import MAX_RADIUS_ROWS, usual_method

    def fits(name):
        many = name in RADIUS and facts.rows > MAX_RADIUS_ROWS
        return name in offered and facts.task in offered[name].tasks and not many

    automatic, _ = usual_method(facts.task, facts.rows, facts.missing)
    groups = [[automatic if name == AUTOMATIC else name for name in group] for group in WANTED[preset]]
    found = {next(filter(fits, group), None) for group in groups}
    return [name for name in offered if name in found]
