"""Capabilities of methods, in the words of tables: read from what each method declares, and from its parameters."""

from collections.abc import Mapping
from typing import Any

from ..targets.targets import CLASSIFICATION, HIERARCHICAL, MULTILABEL, MULTITARGET, REGRESSION, UNSUPERVISED
from .parameters import METHOD

LETTERS = {
    CLASSIFICATION: "C",
    REGRESSION: "R",
    MULTITARGET: "T",
    MULTILABEL: "L",
    HIERARCHICAL: "H",
    UNSUPERVISED: "U",
}
COLUMNS = (
    "method", "family", "targets", "nominal", "missing", "diff", "distance", "sparse", "interactions", "redundancy",
    "time",
)  # fmt: skip
AS_CORE = "as core"
NONE = "-"


class Capabilities:
    """Declarations of a method besides its parameters; the defaults are those of the Relief family.

    Attributes
    ----------
    interactions : bool
        True if features that tell something of the target only together score high.
    redundancy : bool
        True if a feature scores less for what other features tell already.
    sparse : bool
        True if sparse features stay sparse.
    packed : bool
        True if packed genotypes stay packed.
    narrow : bool
        True if large tables of whole numbers and single precision are read as they are, without a copy.
    nominal, unknown : str
        How nominal features and unknown values are taken; a parameter ``missing`` replaces the latter.
    complexity : str
        How the time grows: n rows, p features, k neighbours, C classes; other letters are in doc/algorithms.md.
    """

    interactions: bool = True
    redundancy: bool = False
    sparse: bool = True
    packed: bool = False
    narrow: bool = False
    nominal: str = "equal or not"
    unknown: str = "filled"
    complexity: str = "n^2 p + k n p"

    def has_all_k(self, parameters: Mapping[str, Any]) -> bool:
        """True if scores for all numbers of neighbours come at once, unless the data stand against it."""
        return False


def capabilities(method: Any) -> dict[str, str]:
    """Describe what a method can do."""
    wraps = any(parameter.kind == METHOD for parameter in method.parameters)
    words = (
        method.title,
        method.family,
        "".join(letter for task, letter in LETTERS.items() if task in method.tasks),
        AS_CORE if wraps else method.nominal,
        AS_CORE if wraps else _choices(method, "missing", method.unknown),
        AS_CORE if wraps else _choices(method, "diff", NONE),
        AS_CORE if wraps else _choices(method, "distance", NONE),
        AS_CORE if wraps else _yes(method.sparse),
        AS_CORE if wraps else _yes(method.interactions),
        AS_CORE if wraps else _yes(method.redundancy),
        method.complexity,
    )
    return dict(zip(COLUMNS, words, strict=True))


def in_short(method: Any) -> str:
    """A line for people: what the method finds, what it takes, and how its time grows."""
    known = capabilities(method)
    found = {"yes": "Finds interactions", "no": "No interactions", AS_CORE: "Interactions as its core"}
    parts = [found[known["interactions"]]]
    if method.redundancy:
        parts.append("avoids repetition")
    if known["diff"] not in (NONE, AS_CORE):
        parts.append("differences of counts")
    return f"{', '.join(parts)}; time {method.complexity}"


def _choices(method: Any, name: str, otherwise: str) -> str:
    """The choices of a parameter."""
    found = next((parameter for parameter in method.parameters if parameter.name == name), None)
    return otherwise if found is None else ", ".join(found.choices)


def _yes(value: bool) -> str:
    return "yes" if value else "no"
