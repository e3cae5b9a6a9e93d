"""Choice of methods by a person's question, or by the data, for the list of methods of a ranker.

Which methods a question stands for is said in `core.methods.choice`; the panel of a ranker ticks and marks them.
"""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
import scipy.sparse as sp

from ..problem import CLASSIFICATION, MULTI_LABEL, TableProblem

if TYPE_CHECKING:
    from ...core.methods.choice import Facts

QUICK, THOROUGH, FEWEST, INTERACTIONS = PRESETS = ("quick", "thorough", "fewest", "interactions")
OWN = ""  # the user's own ticks
BESIDE_QUICK = ("reliefe",)  # ranked beside the method of `auto` where it fits
QUESTIONS = {  # of `core.methods.choice.ADVICE`
    THOROUGH: "all that matter",
    FEWEST: "the fewest that predict",
    INTERACTIONS: "what acts together",
}


def facts_of(problem: TableProblem | None) -> "Facts":
    """Facts on the data, as the core takes them; None: those of small and complete data with classes."""
    from ...core.methods.choice import Facts  # imported here, so that Orange starts without kernels

    if problem is None:
        return Facts()
    X, labelled = problem.table.X, problem.labelled
    n, p = X.shape
    values = X.data if sp.issparse(X) else X
    labelled_share = labelled / len(problem.table) if labelled else 1.0
    has_partial_labels = problem.task == MULTI_LABEL and any(known_rows != labelled for known_rows in problem.known)
    classes = len(problem.table.domain.class_var.values) if problem.task == CLASSIFICATION else 0
    has_missing = bool(np.isnan(values).any())
    return Facts(problem.task, n, p, has_missing, labelled_share, has_partial_labels, classes=classes)


def has_weights(problem: TableProblem | None) -> bool:
    """True if rows of the data have weights that differ from 1; rows of weight 0 are left out."""
    if problem is None or not problem.table.has_weights():
        return False
    weights = problem.table.W
    return bool((weights[weights > 0] != 1).any())


def methods_of(preset: str, offered: Mapping[str, Any], facts: "Facts", needs: str = "") -> list[str]:
    """Names of the offered methods that a preset stands for, the one that answers its question first.

    needs: clause on what needs scores that are as high for features that repeat others; empty if nothing does.
    """
    from ...core.methods.choice import advised, automatic

    names = (automatic(facts, needs)[0], *BESIDE_QUICK) if preset == QUICK else advised(QUESTIONS[preset], facts)
    return [name for name in names if name in offered and facts.task in offered[name].tasks]


def recommended(offered: Mapping[str, Any], facts: "Facts", needs: str = "", usual: Sequence[str] = ()) -> list[str]:
    """Names of the methods that the data, the presets or the widget choose first: at most one of each family."""
    from ...core.methods.choice import automatic, usual_rule

    first_of_family: dict[str, str] = {}
    chosen, general = automatic(facts, needs)[0], usual_rule(facts).method
    for name in (chosen, general, *methods_of(FEWEST, offered, facts), *usual):
        if name in offered and facts.task in offered[name].tasks:
            first_of_family.setdefault(offered[name].family, name)
    return list(first_of_family.values())
