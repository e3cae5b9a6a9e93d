"""The first sentence on a ranking: what was ranked for what, how many items stand out, and how sure that is.

`Ranking.conclusion` writes it for scripts and notebooks, and `core/report` makes it the title of the report. The
command prints it first, and the windows of rankers show it above their tables.
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from .chance import NullLevel, Significance
from .given_others import NOMINAL
from .targets.tasks import CLASSIFICATION, HIERARCHICAL, MULTILABEL, REGRESSION, SURVIVAL, UNSUPERVISED
from .words import counted, is_decimal, percent, shortened, some

LEVEL = 0.1  # false discovery rate, unless the caller names another one
MAX_SUM = 1.0  # expected number of false discoveries below which it is not rounded to a whole number
TOGETHER = "only together"  # kind of a discovery that is none alone, see `Significance.kinds`
YES_AND_NO = {"yes", "no", "true", "false", "y", "n", "t", "f"}  # names of classes that need that of the target
BY_ARGUMENT = "for p-values add significance=True"
NO_TARGET = "no chance level was computed, since p-values need a target"


class Aim(NamedTuple):
    """Target and covariates that items are ranked for.

    Attributes
    ----------
    task : str
        One of `core.TASKS`, or "survival".
    names : sequence of str
        Names of the targets, the time and the event for times; empty where they have none.
    classes : sequence of str
        Names of the classes of a target of classes; empty where they are not known.
    n_labels : int
        Number of labels of label sets and hierarchies.
    covariates : sequence of str
        Covariates that scores or p-values are adjusted for.
    """

    task: str
    names: Sequence[str] = ()
    classes: Sequence[str] = ()
    n_labels: int = 0
    covariates: Sequence[str] = ()

    @property
    def has_two_classes(self) -> bool:
        """True for a target of two classes whose names are known."""
        return self.task == CLASSIFICATION and len(self.classes) == 2

    @property
    def target(self) -> str:
        """The target as the object of a sentence: "ill and well", "the 3 classes of type", "age", "the 6 labels"."""
        name = some([*map(shortened, self.names)])
        if self.has_two_classes:
            return " and ".join(map(shortened, self.classes)) + self.of_name
        if self.task == CLASSIFICATION:
            classes = f"the {counted(len(self.classes), 'class', 'classes')}" if self.classes else "the classes"
            return f"{classes} of {name}" if name else classes
        if self.task == SURVIVAL:
            return f"the time until the event ({', '.join(map(shortened, self.names))})" if name else "the time"
        if self.task in (MULTILABEL, HIERARCHICAL):
            return f"the {counted(self.n_labels, 'label')}" if self.n_labels else "the labels"
        return name or ("the targets" if self.task != REGRESSION else "the target")

    @property
    def of_name(self) -> str:
        """Clause that says what two classes are of: " of ill" for the classes 0 and 1, or yes and no; else empty."""
        says_nothing = all(is_decimal(name) or name.casefold() in YES_AND_NO for name in self.classes)
        return f" of {shortened(self.names[0])}" if says_nothing and self.names else ""

    @property
    def purpose(self) -> str:
        """Clause on the target: "for ill and well", or "without a target"."""
        return "without a target" if self.task == UNSUPERVISED else f"for {self.target}"

    @property
    def adjustment(self) -> str:
        """Clause on the covariates: ", adjusted for batch and age"; empty without any."""
        if not self.covariates:
            return ""
        names = [*map(shortened, self.covariates)]
        listed = " and ".join(names) if len(names) == 2 else some(names)
        return f", adjusted for {listed}"


class AboveNull(NamedTuple):
    """Items whose scores exceed a null level.

    Attributes
    ----------
    level : float
        The largest score of any item for a permuted target.
    n_items : int
        Number of items with larger scores.
    n_shuffles : int
        Number of permuted targets.
    """

    level: float
    n_items: int
    n_shuffles: int

    @classmethod
    def of(cls, null: NullLevel, scores: np.ndarray) -> "AboveNull":
        """Count the scores above a null level."""
        return cls(null.level, int((scores > null.level).sum()), len(null.maxima))


def conclude(
    aim: Aim,
    n_items: int,
    noun: str = "feature",
    *,
    significance: Significance | None = None,
    null: AboveNull | None = None,
    level: float = LEVEL,
    how: str = BY_ARGUMENT,
) -> str:
    """Write the first sentence on a ranking.

    Parameters
    ----------
    aim : Aim
        What items are ranked for.
    n_items : int
        Number of items that have scores.
    noun : str
        Word for them: feature, group or variant.
    significance : Significance, optional
        p-values. None: they are not computed.
    null : AboveNull, optional
        Items above the null level, where there are no p-values.
    level : float
        False discovery rate in (0, 1).
    how : str
        Clause that says how to get p-values.

    Returns
    -------
    str
        The sentence. "11 of 20,000 features differ between tumour and normal, adjusted for batch and age; about 1 of
        these 11 by chance (FDR 10 %)."
    """
    items = counted(n_items, noun)
    if significance is not None:
        return _by_p_values(aim, items, significance, level)
    ranked = f"{items} ranked {aim.purpose}{aim.adjustment}"
    if null is not None:
        return f"{ranked}: {_above_null(null)}."
    if aim.task == UNSUPERVISED:
        return f"{ranked}: {NO_TARGET}."
    return f"{ranked}: no chance level was computed ({how})."


def _by_p_values(aim: Aim, items: str, significance: Significance, level: float) -> str:
    """Sentence on discoveries at a false discovery rate."""
    n_found = len(significance.discoveries(level))
    rate = f"(FDR {percent(level)})"
    if not n_found:
        none = f"None of {items} stands out from chance for {aim.target}{aim.adjustment} {rate}"
        n_alone = int((significance.own_p <= NOMINAL).sum()) if significance.counts_own_p else 0
        return f"{none}, but {n_alone:,} by own_p up to {NOMINAL}, which counts each alone." if n_alone else f"{none}."
    kinds = significance.kinds(level)
    n_together = 0 if kinds is None else int((kinds == TOGETHER).sum())
    relation = _relation(aim, n_found, is_alone=kinds is not None and not n_together)
    if n_together == n_found:
        relation += ", but only together with others"
    elif n_together:
        relation += f", {n_together:,} of them only together with others"
    by_chance = _expected_by_chance(level * n_found, n_found)
    return f"{n_found:,} of {items} {relation}{aim.adjustment}; {by_chance} {rate}."


def _relation(aim: Aim, n: int, *, is_alone: bool) -> str:
    """Verb and target: "differ between ill and well", if features do so alone, else "help to tell ill from well".

    Parameters
    ----------
    aim : Aim
        What features are ranked for.
    n : int
        Number of the subject.
    is_alone : bool
        Whether each feature is related to the target without the others.
    """
    s = "s" if n == 1 else ""
    if is_alone and aim.task == CLASSIFICATION:
        return f"differ{s} {'between' if aim.has_two_classes else 'among'} {aim.target}"
    if is_alone:
        return f"{'is' if n == 1 else 'are'} related to {aim.target}"
    if aim.has_two_classes:
        first, second = map(shortened, aim.classes)
        return f"help{s} to tell {first} from {second}{aim.of_name}"
    if aim.task == CLASSIFICATION:
        return f"help{s} to tell {aim.target} apart"
    return f"help{s} to predict {aim.target}"


def _expected_by_chance(n_expected: float, n_found: int) -> str:
    """Clause on the expected number of false discoveries: "about 1 of these 11 by chance"."""
    these = f"these {n_found:,}" if n_found > 1 else "such findings"
    if n_expected < MAX_SUM:
        return f"on average less than 1 of {these} by chance"
    return f"about {n_expected:,.0f} of {these} by chance"


def _above_null(null: AboveNull) -> str:
    """Clause on the items above the largest score for permuted targets."""
    level = f"the largest score for {counted(null.n_shuffles, 'permuted target')} ({null.level:.3g})"
    if not null.n_items:
        return f"scores are near chance, since none is above {level}"
    verb = "is" if null.n_items == 1 else "are"
    return f"{null.n_items:,} {verb} above {level}, which chance exceeds in 1 of {null.n_shuffles + 1:,} data sets"
