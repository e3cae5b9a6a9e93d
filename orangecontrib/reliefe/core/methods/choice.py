"""The choice of a method: the tables that `method="auto"`, the presets of the window and the pages read.

`automatic` chooses the method of `method="auto"` and of *Quick* in the window. `ADVICE` answers the three other
questions. `python -m doc.write` writes both into README.md and doc/, and a test compares `ADVICE` with the results on
public sets (doc/which.md).
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from ..data.table import DataTable
from ..targets.targets import Target
from ..targets.tasks import CLASSIFICATION, MULTILABEL, MULTITARGET, REGRESSION, SURVIVAL, UNSUPERVISED
from .registry import METHODS

MAX_RADIUS_ROWS = 10_000  # above which `auto` does without radius methods
MAX_BOOSTED_VALUES = 10**8  # n * p above which `auto` does without boosting, which makes margins of all in each round,
# of sparse data, too: 5 CPU seconds for 300 x 80,000, and more than 300 for 1,500 x 1,000,000
# Margins of all candidates, one for each row and other class, above which `auto` does without boosting: with 1,000
# classes in 3,000 rows, two of 20 features had room, and permuted margins took 3 GB
MAX_BOOSTED_MARGINS = 2**23
MIN_CANDIDATES = 32  # features that boosting should have room for; chosen by eye
MAX_EXACT_COST = 10**12  # n * n * p above which `auto` takes TARGET_ROWS target rows
TARGET_ROWS = 16_384  # half a minute of one processor
MIN_LABELLED_SHARE = 0.5  # of rows with a known target, below which `auto` uses the others, too
NEEDS_USUAL = "need scores that are as high for features that repeat others"  # which boosting does not give

ALL = "all that matter"
FEWEST = "the fewest that predict"
TOGETHER = "what acts together"
# Kinds of target in the table of advice
CLASSES = "classes"
NUMBER = "a number"
SEVERAL = "several targets"
RADIUS_METHODS = ("multisurf",)  # visit every pair of rows several times
# The first method of a cell follows from the results on public sets, by the rule of doc/which.md. Those after it are
# ranked beside it in the window, for comparison.
ADVICE: dict[str, dict[str, tuple[str, ...]]] = {
    ALL: {
        CLASSES: ("learnedrelief", "multisurf", "relieff"),
        NUMBER: ("rrelieff", "multisurf", "residualrelief"),
        SEVERAL: ("rrelieff", "residualrelief"),
    },
    FEWEST: {
        CLASSES: ("boostedrelief",),
        NUMBER: ("boostedrelief",),
        SEVERAL: ("boostedrelief",),
    },
    TOGETHER: {
        CLASSES: ("boostedlearnedrelief", "multisurf"),
        NUMBER: ("rrelieff", "boostedlearnedrelief"),
        SEVERAL: ("boostedlearnedrelief", "rrelieff"),
    },
}


@dataclass(frozen=True)
class Facts:
    """Facts on data that the choice depends on.

    Parameters
    ----------
    task : str
        Kind of target.
    rows, features : int
        Shape of the table.
    has_missing : bool
        Whether values of features are missing.
    labelled_share : float
        Share of the rows whose target is known.
    has_partial_labels : bool
        Whether some rows have some labels that are known and some that are not.
    unmeasured : str
        Kind of values on which the rule was not learned; empty for all others.
    classes : int
        Number of classes; 0 for other targets.
    """

    task: str = CLASSIFICATION
    rows: int = 0
    features: int = 0
    has_missing: bool = False
    labelled_share: float = 1.0
    has_partial_labels: bool = False
    unmeasured: str = ""
    classes: int = 0

    @classmethod
    def of(cls, table: DataTable, target: Target) -> "Facts":
        """Facts on a table and its target."""
        n, p = table.shape
        unsupervised = target.task == UNSUPERVISED
        partial = target.task == MULTILABEL and not target.inner.has_label_sets
        unmeasured = ""
        if table.packed:
            unmeasured = "genotypes"
        elif table.is_narrow:
            unmeasured = "values of few bytes"
        share = 1.0 if unsupervised else float(target.labelled.mean())
        classes = len(target.names) if target.task == CLASSIFICATION else 0
        return cls(target.task, n, p, table.missing_share > 0, share, partial, unmeasured, classes)

    @property
    def has_many_rows(self) -> bool:
        """True if radius methods would take too long."""
        return self.rows > MAX_RADIUS_ROWS


class Rule(NamedTuple):
    """A line of the choice: the first rule of a table that applies is followed.

    Attributes
    ----------
    applies : callable
        Whether it is for data with these facts, if no rule before it is.
    method : str
        Name of the method.
    why : str
        The reason in `info["auto"]`.
    """

    applies: Callable[[Facts], bool]
    method: str
    why: str

    @property
    def reason(self) -> str:
        """Title of the method, and why it is taken."""
        return f"{METHODS[self.method].title}, since {self.why}"


def _is_boosted(facts: Facts) -> bool:
    return facts.task in (CLASSIFICATION, REGRESSION, MULTITARGET) and not facts.has_many_rows


def _has_small_label_sets(facts: Facts) -> bool:
    return facts.task == MULTILABEL and not facts.has_partial_labels and not facts.has_many_rows


SHARED_RULES = (  # for all requests
    Rule(lambda facts: facts.task == UNSUPERVISED, "urelief", "there is no target"),
    Rule(lambda facts: facts.labelled_share < MIN_LABELLED_SHARE, "sslrelief", "most rows have no known target"),
)
PREDICTIVE_RULES = (  # for requests that do not need scores that are as high for features that repeat others
    Rule(_has_small_label_sets, "residualrelief", "the target is label sets"),
    Rule(
        lambda facts: _is_boosted(facts) and facts.features > facts.rows,
        "boostedlearnedrelief",
        "there are more features than rows",
    ),
    Rule(lambda facts: _is_boosted(facts) and facts.task == CLASSIFICATION, "boostedrelief", "the target has classes"),
    Rule(
        lambda facts: _is_boosted(facts) and facts.task == REGRESSION, "boostedlearnedrelief", "the target is a number"
    ),
    Rule(_is_boosted, "boostedrelief", "there are several targets"),
)
USUAL_RULES = (  # for all other data, and for requests with p-values, covariates or groups
    Rule(
        lambda facts: facts.task == SURVIVAL and not facts.has_many_rows,
        "multisurf",
        "the target is times with censoring",
    ),
    Rule(lambda facts: facts.task == SURVIVAL, "rrelieff", "the target is times with censoring"),
    Rule(lambda facts: facts.task == REGRESSION, "rrelieff", "the target is a number"),
    Rule(lambda facts: facts.task != CLASSIFICATION, "rrelieff", "there are several targets"),
    Rule(lambda facts: facts.has_many_rows, "relieff", f"there are more than {MAX_RADIUS_ROWS:,} rows"),
    Rule(lambda facts: facts.has_missing, "relieff", "values are missing"),
    Rule(lambda facts: True, "multisurf", "the target has classes"),
)


def automatic(facts: Facts, why_usual: str = "") -> tuple[str, str]:
    """Choose the method for data, by a rule learned on public sets, and say why.

    Parameters
    ----------
    facts : Facts
        What the choice depends on.
    why_usual : str
        Why the method must rank features that repeat others as high as these; empty: it need not.

    Returns
    -------
    name : str
        Name of the method.
    reason : str
        Its title, and why it was chosen.
    """
    shared = _first(SHARED_RULES, facts)
    if shared is not None:
        return shared.method, shared.reason
    usual, predictive = usual_rule(facts), _first(PREDICTIVE_RULES, facts)
    if predictive is None:
        return usual.method, usual.reason
    why_usual = why_usual or _why_not(predictive.method, facts)
    if why_usual:
        return usual.method, f"{usual.reason}, and {why_usual}"
    return predictive.method, predictive.reason


def usual_rule(facts: Facts) -> Rule:
    """Find the method for rows with known targets that ranks features that repeat others as high as these."""
    return next(rule for rule in USUAL_RULES if rule.applies(facts))


def why_usual(
    needed_by: str = "",
    *,
    covariates: bool = False,
    groups: bool = False,
    feature_groups: bool = False,
    weights: bool = False,
    p_values: bool = False,
) -> str:
    """Clause on what needs scores that are as high for features that repeat others; empty if nothing does.

    Parameters
    ----------
    needed_by : str
        Other work that always needs them, in the plural, for example pairs of features.
    covariates, groups, feature_groups, weights, p_values : bool
        Whether the request has these; weights are those of rows.
    """
    requests = {
        "covariates": covariates,
        "groups": groups,
        "groups of features": feature_groups,
        "weights of rows": weights,
        "p-values": p_values,
    }
    names = [needed_by, *(name for name, is_given in requests.items() if is_given)]
    needing = " and ".join(name for name in names if name)
    return f"{needing} {NEEDS_USUAL}" if needing else ""


def advised(question: str, facts: Facts) -> Sequence[str]:
    """Names of the methods that answer a question on data, the answer first and then those to compare it with.

    Raises
    ------
    KeyError
        If the question is none of `ADVICE`.
    """
    kind = {CLASSIFICATION: CLASSES, REGRESSION: NUMBER, SURVIVAL: NUMBER}.get(facts.task, SEVERAL)
    fitting = [
        name
        for name in ADVICE[question][kind]
        if facts.task in METHODS[name].tasks and not (facts.has_many_rows and name in RADIUS_METHODS)
    ]
    return fitting or [usual_rule(facts).method]


def target_rows(shape: tuple[int, int]) -> int | None:
    """Number of target rows for a table of this shape (n, p), or None for all."""
    n, p = shape
    return TARGET_ROWS if n > TARGET_ROWS and n * n * p > MAX_EXACT_COST else None


def _first(rules: Sequence[Rule], facts: Facts) -> Rule | None:
    return next((rule for rule in rules if rule.applies(facts)), None)


def _why_not(name: str, facts: Facts) -> str:
    """Reason why the predictive method is not taken for these data; empty if there is none."""
    if facts.unmeasured:
        return f"{METHODS[name].title} was not measured on {facts.unmeasured}"
    if METHODS[name].family == "learned" and facts.rows * facts.features > MAX_BOOSTED_VALUES:
        return "boosting would take minutes, since n p is above 10\u2078"
    n_margins = facts.rows * (facts.classes - 1)
    if METHODS[name].family == "learned" and n_margins * min(facts.features, MIN_CANDIDATES) > MAX_BOOSTED_MARGINS:
        return f"boosting has no room for the margins of {facts.classes:,} classes"
    return ""
