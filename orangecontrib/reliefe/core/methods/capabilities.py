"""Capabilities of methods, in the words of tables: read from what each method declares, and from its parameters.

The list of methods in widgets, the pages and the command line show them.
"""

from typing import Any

from ..targets.targets import (
    CLASSIFICATION,
    HIERARCHICAL,
    MULTILABEL,
    MULTITARGET,
    REGRESSION,
    SURVIVAL,
    UNSUPERVISED,
)
from .parameters import METHOD

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
AS_CORE = "as core"
NONE = "-"


def capabilities(method: Any) -> dict[str, str]:
    """Describe the capabilities of a method."""
    choices = {parameter.name: ", ".join(parameter.choices) for parameter in method.parameters}
    own = [
        method.nominal,
        choices.get("missing", method.unknown),
        choices.get("diff", NONE),
        choices.get("distance", NONE),
        *("yes" if able else "no" for able in (method.sparse, method.interactions, method.redundancy)),
    ]
    if any(parameter.kind == METHOD for parameter in method.parameters):
        own = [AS_CORE] * len(own)
    targets = "".join(letter for task, letter in LETTERS.items() if task in method.tasks)
    return dict(zip(COLUMNS, (method.title, method.family, targets, *own, method.complexity), strict=True))


def in_short(method: Any) -> str:
    """A line for people: the features that the method finds, the data that it takes, and how its time grows."""
    known = capabilities(method)
    found = {"yes": "Finds interactions", "no": "No interactions", AS_CORE: "Interactions as its core"}
    parts = [found[known["interactions"]]]
    if method.redundancy:
        parts.append("avoids repetition")
    if known["diff"] not in (NONE, AS_CORE):
        parts.append("differences of counts")
    return f"{', '.join(parts)}; time {method.complexity}"
