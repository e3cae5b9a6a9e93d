"""Messages of rankers: about the data, and what methods noted about them, each sentence once."""

from collections.abc import Callable, Mapping, Sequence

import numpy as np
from Orange.data import Table, Variable
from Orange.widgets.widget import Msg, OWWidget

from ...core.data.facts import all_constant, constant_features, no_features, no_rows, one_row
from ...core.targets.facts import no_target, one_class, titled
from ...core.words import counted, cut, sentence, shown, some
from ...orange.problem import UNSUPERVISED, WORDS, TableProblem
from ...orange.table_checks import rows_like_features

NAMED = 5  # features in a message
# Windows begin with the fact as the core says it, and put their advice behind it.
CONNECT_TWO_CLASSES = Msg("{}. Connect data with two or more classes")
STUDY_GONE = Msg("Not in the data: {}. The rest of the study is used; choose other columns under Study")
WARNINGS, INFORMATION = "warnings", "information"  # keys of a ranking's info


class RankerError(OWWidget.Error):
    """Error messages of all rankers."""

    no_rows = Msg("{}. Connect data with at least two")
    one_row = Msg("{}. Connect data with more")
    no_features = Msg("{}. Choose some with Select Columns")
    no_candidates = Msg("The data have none of the features on the input. Connect features of the same data")
    no_target = Msg("{}. Choose one with Select Columns, or rank without a target in URelief")
    like_features = Msg("{}, and rows look like features ({}). Swap both with Transpose")
    not_ranked = Msg("This widget has no method for {}. Choose one target with Select Columns")
    one_class = CONNECT_TWO_CLASSES
    failed = Msg("{}")
    unexpected = Msg("Ranking failed: {}")


class RankerWarning(OWWidget.Warning):
    """Warning messages of all rankers."""

    unknown_features = Msg("{} not in the data, and ignored")
    not_in_data = Msg("{}")
    method_failed = Msg("{}")
    not_saved = Msg("{}")
    study_gone = STUDY_GONE
    groups_gone = Msg("The features are ranked alone, since none of them are grouped by {}. Choose under Ranked as one")
    stopped = Msg("The ranking was stopped early, so scores may still change: {}")
    no_information = Msg("{}. Connect other data")


class RankerInformation(OWWidget.Information):
    """Information messages of all rankers."""

    choose_target = Msg("{}. Choose one at the left, or rank without a target in URelief")
    no_method = Msg("No method is selected. Tick at least one method for {}")
    constant = Msg("{}")
    empty = Msg("Features without any known value: {}")
    hidden = Msg("The table hides {} with one value or none. They are still ranked")
    left_out = Msg("{}. To select more, choose All or Score ≥")
    unused_target = Msg("The ranking ignores the target, which stays in Reduced Data")


def placeholder(data: Table | None, problem: TableProblem | None) -> str:
    """Text in the place of the rows of the table where it has none; empty where a message says why."""
    if data is None:
        return "Connect data to rank their features"
    if problem is not None and len(problem.table) and problem.features:
        return "No feature matches the filter"
    return ""


def only_above_zero(taken: int, best: int) -> str:
    """Sentence about why fewer features than wanted are selected."""
    if not taken:
        return "No feature is selected, since no score is above zero"
    verb = "is" if taken == 1 else "are"
    return f"Only {taken:,} of the best {best:,} features {verb} selected, since only their scores are above zero"


def can_rank(widget, problem: TableProblem) -> bool:
    """True if there is something to rank; else show why not."""
    error, panel = widget.Error, widget.panel
    if not len(problem.table):
        error.no_rows(sentence(no_rows()))
    elif len(problem.table) == 1:
        error.one_row(sentence(one_row()))
    elif not problem.features and widget.restriction is not None and widget.data.domain.attributes:
        error.no_candidates()
    elif not problem.features:
        error.no_features(sentence(no_features()))
    elif not panel.fitting():
        _show_unfit(widget, problem)
    elif problem.only_class:
        error.one_class(only_class_of(problem))
    elif not panel.active():
        widget.Information.no_method(WORDS[problem.task])
    else:
        return True
    return False


def only_class_of(problem: TableProblem) -> str:
    """Sentence on the class of all rows, for `CONNECT_TWO_CLASSES`."""
    return sentence(one_class(problem.only_class, titled(problem.targets[0].name)))


def _show_unfit(widget, problem: TableProblem) -> None:
    """Show why none of the methods of a widget ranks for the target, or that one can be chosen."""
    rows = rows_like_features(problem.table)
    if problem.task == UNSUPERVISED and rows:
        widget.Error.like_features(sentence(no_target()), some([shown(name) for name in rows]))
    elif widget.columns.names:
        widget.Information.choose_target(sentence(no_target()))
    elif problem.task == UNSUPERVISED:
        widget.Error.no_target(sentence(no_target()))
    else:
        widget.Error.not_ranked(WORDS[problem.task])


def show_unknown(widget, candidates: Sequence[Variable]) -> None:
    """Show how many features on the input are not in the data, unless these have no features."""
    names = {variable.name for variable in widget.data.domain.attributes}
    unknown = len({variable.name for variable in candidates} - names) if widget.problem.features else 0
    text = counted(unknown, "feature on the input is", "features on the input are")
    widget.Warning.unknown_features(text, shown=unknown > 0)


def show_not_in_data(widget, names: Sequence[str]) -> None:
    """Show which selected features the data do not have."""
    features = () if widget.data is None else widget.data.domain.attributes
    ranked = () if widget.problem is None else widget.problem.ranked
    text = not_among(names, [variable.name for variable in (*features, *ranked)], "in the data")
    say(widget.Warning.not_in_data, "" if widget.data is None else text)


def not_among(chosen: Sequence[str], known: Sequence[str], place: str) -> str:
    """Sentence about chosen features that are not among the known ones, those in a place; empty if all are."""
    known = set(known)
    names = [shown(name) for name in dict.fromkeys(chosen) if name not in known]
    if len(names) == 1:
        return f"Feature {names[0]} of your selection is not {place}"
    return f"Features {some(names)} of your selection are not {place}" if names else ""


# Arguments of `rank` in notes, by the controls that take them
CONTROLS = {
    "the group (groups=...)": "the Group in Study",
    "a covariate (covariates=...)": "a covariate in Study",
    "as missing (NaN in arrays)": "as missing in Open Data",
}


def in_window(note: str) -> str:
    """Return a note of `rank` with the names of controls in the place of arguments."""
    for argument, control in CONTROLS.items():
        note = note.replace(argument, control)
    return note


def sentences(notes: Mapping[str, Sequence[str]]) -> list[str]:
    """Each different note once; notes, {title of a method: texts}, say whose they are unless all methods have them."""
    whose: dict[str, list[str]] = {}
    for title, texts in notes.items():
        for text in texts:
            whose.setdefault(in_window(text).strip().rstrip("."), []).append(title)
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
        # `show_useless` says it for all features, also if only scorers of Orange ranked them
        notes = {
            title: [text for text in info.get(kind, ()) if text != all_constant()] for title, info in infos.items()
        }
        for number, text in enumerate(sentences(notes)):
            group.add_message(f"note_{number}")
            getattr(group, f"note_{number}")(text)


def show_useless(widget) -> None:
    """Show, or hide from the table, features with one value or none; they are still ranked and sent."""
    about = widget.result.about
    if widget.problem is None or about is None:
        return
    useless = {*about.constant, *about.empty}
    all_of_them = len(useless) == len(widget.problem.features)
    hidden = widget.area.hide_constant and not all_of_them and bool(useless)
    widget.Warning.no_information(sentence(all_constant()), shown=all_of_them)
    information = widget.Information
    is_quiet = all_of_them or hidden
    information.constant(
        sentence(constant_features(about.constant, NAMED)), shown=bool(about.constant) and not is_quiet
    )
    information.empty(some([*map(cut, about.empty)], NAMED), shown=bool(about.empty) and not is_quiet)
    information.hidden(counted(len(useless), "feature"), shown=hidden)
    names = widget.area.model.names
    widget.area.model.hide(np.array([hidden and name in useless for name in names], bool))
