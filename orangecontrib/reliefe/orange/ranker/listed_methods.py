"""Methods as lists and tables of widgets show them: names, families and tooltips."""

from html import escape
from typing import Any

from ...core.methods.capabilities import in_short
from ..problem import UNSUPERVISED, WORDS

NAMES = {
    "boostedrelief": ("Boosted", "few, not redundant"),
    "learnedrelief": ("Learned space", "interactions in noise"),
    "boostedlearnedrelief": ("Learned + boosted", "few that interact"),
    "evaporativecooling": ("Evaporation", "with main effects"),
}
SHORT = {  # titles where columns are narrow: with the part that differs
    "multisurf": "MSURF",
    "multisurfstar": "MSURF*",
    "learnedrelief": "Learn",
    "boostedlearnedrelief": "L+B",
    "sslrelief": "SSL",
    "vlsrelief": "VLS",
    "ivlsrelief": "iVLS",
    "evaporativecooling": "Evap",
    "labelled": "Labelled",
    "rforest": "Forest",
    "laplacian": "Laplace",
    "ssllaplacian": "SSL-L",
    "mutualinfo": "MI",
    "randomforest": "Forest",
}
FAMILIES = {
    "relief": "Relief family",
    "learned": "Learned",
    "reweighting": "Re-weighting",
    "wrapper": "Wrappers",
    "filter": "Filters",
    "trees": "Trees",
}
UNIVARIATE = "univariate"  # family of the scores of Orange


class ListedMethod:
    """A method as a widget lists it: with attributes of its own in the place of some of the method's."""

    def __init__(self, method: Any, **own: object) -> None:
        self.method = method
        self.__dict__.update(own)

    def __getattr__(self, name: str) -> Any:
        """Take an attribute of the method, and keep it: lists ask for each hundreds of times, and it never changes."""
        value = getattr(self.method, name)
        self.__dict__[name] = value
        return value


def method_tooltip(method: Any, brief: bool = False) -> str:
    """Name, idea, capabilities and source of a method, as rich text; brief: without capabilities."""
    texts = escape(method.idea)
    if not brief and getattr(method, "family", UNIVARIATE) != UNIVARIATE:  # Orange's scores have no more
        texts += f"<br>{escape(in_short(method))}"
    return f"<b>{escape(method.title)}</b>: {texts}<br><i>{escape(method.citation)}</i>"


def unfit_text(task: str) -> str:
    """Reason why a method does not rank for a task."""
    return "needs a target" if task == UNSUPERVISED else f"not for {WORDS.get(task, task)}"


def reason_unfit(method: Any, task: str | None, has_feature_groups: bool) -> str:
    """Reason why a method does not rank these data; empty if it does.

    task: None: any.
    has_feature_groups: True if groups of features are ranked as one.
    """
    if task is not None and task not in method.tasks:
        return unfit_text(task)
    return "for single features" if has_feature_groups and not ranks_feature_groups(method.name) else ""


def ranks_feature_groups(name: str) -> bool:
    """True for the methods, by their names, that rank groups of features; Orange's scores do not."""
    from ...core import METHODS
    from ...core.methods.grouped import takes_feature_groups

    return name in METHODS and takes_feature_groups(METHODS[name])
