"""Capabilities of methods, in the words of tables: read from the traits and parameters of each method.

The list of methods in widgets, and the pages, show them.
"""

from typing import Any

from ..targets.tasks import CLASSIFICATION, HIERARCHICAL, MULTILABEL, MULTITARGET, REGRESSION, SURVIVAL, UNSUPERVISED
from .base import Method
from .parameters import METHOD
from .traits import AS_CORE, Traits

LETTERS = {
    CLASSIFICATION: "C",
    REGRESSION: "R",
    MULTITARGET: "T",
    MULTILABEL: "L",
    HIERARCHICAL: "H",
    SURVIVAL: "S",
    UNSUPERVISED: "U",
}
COLUMNS = (
    "method", "family", "targets", "nominal", "missing", "diff", "distance", "sparse", "interactions", "redundancy",
    "time",
)  # fmt: skip
NONE = "-"
ANSWERS = {True: "yes", False: "no", None: AS_CORE}
ON_INTERACTIONS = {True: "Finds interactions", False: "No interactions", None: "Interactions as its core"}


def capabilities(method: Method[Any]) -> dict[str, str]:
    """Describe the capabilities of a method."""
    choices = {parameter.name: ", ".join(parameter.choices) for parameter in method.parameters}
    traits = method.traits
    without_choice = AS_CORE if any(parameter.kind == METHOD for parameter in method.parameters) else NONE
    return {
        "method": method.title,
        "family": method.family,
        "targets": "".join(letter for task, letter in LETTERS.items() if task in method.tasks),
        "nominal": traits.nominal,
        "missing": choices.get("missing", traits.missing),
        "diff": choices.get("diff", without_choice),
        "distance": choices.get("distance", without_choice),
        "sparse": ANSWERS[traits.sparse],
        "interactions": ANSWERS[traits.interactions],
        "redundancy": ANSWERS[traits.redundancy],
        "time": traits.complexity,
    }


def in_short(method: Method[Any]) -> str:
    """A line for people: the features that the method finds, the data that it takes, and how its time grows."""
    traits: Traits = method.traits
    phrases = [ON_INTERACTIONS[traits.interactions]]
    if traits.redundancy:
        phrases.append("avoids repetition")
    if any(parameter.name == "diff" for parameter in method.parameters):
        phrases.append("differences of counts")
    return f"{', '.join(phrases)}; time {traits.complexity}"
