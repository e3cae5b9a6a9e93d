"""Messages of rankers: about the data, and what methods noted about them, each sentence once."""

from collections.abc import Callable, Mapping, Sequence

import numpy as np
from Orange.widgets.widget import Msg

from ...core.words import counted, cut, shown, some
from ...orange.problem import UNSUPERVISED, WORDS, Problem
from ...orange.ranking import rows_like_features

NAMED = 5  # features in a message
ONE_CLASS = Msg(
    "All rows have the same class, {}, so there is nothing to predict. Connect data with two or more classes"
)
WARNINGS, INFORMATION = "warnings", "information"  # keys of a ranking's info


def only_above_zero(taken: int, best: int) -> str:
    """Sentence about why fewer features than wanted are selected."""
    if not taken:
        return "No feature is selected, since no score is above zero"
    verb = "is" if taken == 1 else "are"
    return f"Only {taken:,} of the best {best:,} features {verb} selected, since only their scores are above zero"


def show_unfit(widget, problem: Problem) -> None:
    """Show why none of the methods of a widget ranks for the target, or that one can be chosen."""
    rows = rows_like_features(problem.table)
    if problem.task == UNSUPERVISED and rows:
        widget.Error.like_features(some([shown(name) for name in rows]))
    elif widget.columns.names:
        widget.Information.choose_target()
    elif problem.task == UNSUPERVISED:
        widget.Error.no_target()
    else:
        widget.Error.not_ranked(WORDS[problem.task])


def not_among(chosen: Sequence[str], known: Sequence[str], place: str) -> str:
    """Sentence about chosen features that are not among the known ones, those in a place; empty if all are."""
    known = set(known)
    names = [shown(name) for name in dict.fromkeys(chosen) if name not in known]
    if len(names) == 1:
        return f"Feature {names[0]} of your selection is not {place}"
    return f"Features {some(names)} of your selection are not {place}" if names else ""


def sentences(notes: Mapping[str, Sequence[str]]) -> list[str]:
    """Each different note once; notes, {title of a method: texts}, say whose they are unless all methods have them."""
    whose: dict[str, list[str]] = {}
    for title, texts in notes.items():
        for text in texts:
            whose.setdefault(text.strip().rstrip("."), []).append(title)
    out = []
    for text, titles in whose.items():
        about = "" if len(set(titles)) == len(notes) else f"{', '.join(dict.fromkeys(titles))}: "
        out.append(about + (text if about else text[:1].upper() + text[1:]))
    return out


def say(message: Callable[..., object], text: str) -> None:
    """Show a text as a message of a widget; nothing without a text."""
    message(text, shown=bool(text))


def show_notes(widget, infos: Mapping[str, Mapping[str, Sequence[str]]]) -> None:
    """Show the warnings and the information of rankings, {title: info}, as the widget's."""
    for group, kind in ((widget.Warning, WARNINGS), (widget.Information, INFORMATION)):
        number = 0
        while hasattr(group, f"note_{number}"):
            getattr(group, f"note_{number}").clear()
            number += 1
        for number, text in enumerate(sentences({title: info.get(kind, ()) for title, info in infos.items()})):
            group.add_message(f"note_{number}")
            getattr(group, f"note_{number}")(text)


def show_useless(widget) -> None:
    """Show, or hide from the table, features with one value or none; they are still ranked and sent."""
    about = widget.result.about
    if widget.problem is None or about is None:
        return
    useless = {*about.constant, *about.empty}
    all_of_them = len(useless) == len(widget.problem.features)
    hidden = widget.hide_constant and not all_of_them and bool(useless)
    widget.Warning.no_information(shown=all_of_them)
    information = widget.Information
    for message, names in ((information.constant, about.constant), (information.empty, about.empty)):
        more = len(names) - NAMED
        text = ", ".join(map(cut, names[:NAMED])) + f" and {more:,} more" * (more > 0)
        message(text, shown=bool(names) and not all_of_them and not hidden)
    information.hidden(counted(len(useless), "feature"), shown=hidden)
    names = widget.area.model.names
    widget.area.model.hide(np.array([hidden and name in useless for name in names], bool))
