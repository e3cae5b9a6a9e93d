"""Features that tell nothing: told, and those that are constant or entirely missing hidden if the user likes."""

import numpy as np

from ...core.words import counted, cut, shown, some
from ...table_checks import numbers_rows
from ..utils.remembered import About

NAMED = 5  # features in a message


def show_numbering(widget) -> None:
    """Warn of features that are but the numbers of the rows, such as an index that came with the file."""
    from ...target_column import INDEX, NO_NAME

    features = [v for v in widget.problem.features if v.name.startswith(INDEX) or v.name.strip() in ("", NO_NAME)]
    columns = [(v.name, widget.problem.table.get_column(v)) for v in features if v.is_continuous]
    names = [shown(name) for name, column in columns if numbers_rows(column)]
    widget.Warning.numbers_rows(some(names), shown=bool(names))


def show_useless(widget, about: About, p: int) -> None:
    """Show which of the p features can tell nothing, or hide them from the table: `widget.hide_constant`.

    What is ranked, selected and sent does not change.
    """
    useless = {*about.constant, *about.empty}
    all_of_them = len(useless) == p
    hidden = widget.hide_constant and not all_of_them and bool(useless)
    widget.Warning.no_information(shown=all_of_them)
    for message, names in (
        (widget.Information.constant, about.constant), (widget.Information.empty, about.empty)
    ):  # fmt: skip
        more = len(names) - NAMED
        text = ", ".join(map(cut, names[:NAMED])) + f" and {more:,} more" * (more > 0)
        message(text, shown=bool(names) and not all_of_them and not hidden)
    widget.Information.hidden(counted(len(useless), "feature"), shown=hidden)
    names = widget.area.model.names
    widget.area.model.hide(np.fromiter((hidden and name in useless for name in names), bool, len(names)))
