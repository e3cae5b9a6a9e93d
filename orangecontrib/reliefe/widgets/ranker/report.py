"""Report of a ranker."""

from ...orange.chosen_target import text_of_times
from ...orange.targets import are_times
from .measures import lead_facts

REPORTED = 100  # rows of the table in a report


def write_report(ranker) -> None:
    """Report the data, the ranking, the selection, reasons if they are shown, and the plot; nothing without data."""
    if ranker.problem is None:
        return
    if conclusion := ranker.conclusion():
        ranker.report_caption(conclusion)
    ranker.report_domain("Data", ranker.problem.table.domain)
    if are_times(ranker.problem.targets):
        ranker.report_items([("Target", text_of_times(ranker.problem.targets))])
    model = ranker.area.model
    folded = f" ({ranker.selection.group_label.text()})" if model.groups is not None else ""
    chosen = f"{int(model.selected.sum()):,} of {len(model.names):,} features{folded}"
    done = ("Ranking", ranker.area.strip.label.text()), ("Selected", chosen), *lead_facts(model)
    why = ranker.why.title, ranker.area.values.why.text() or None
    ranker.report_items((*ranker.report_items_of_data(), *done, why))  # without what is None
    if model.columns:
        ranker.report_table("Ranking", ranker.area.report_rows(REPORTED), header_rows=1)
        ranker.report_plot()
