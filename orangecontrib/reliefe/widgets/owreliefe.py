"""Rank via ReliefE: features of classified or numeric data, ranked by any methods of the Relief family."""

from Orange.data import Table
from Orange.widgets.settings import SettingProvider
from Orange.widgets.utils.widgetpreview import WidgetPreview
from Orange.widgets.widget import Msg, Output

from ..core.words import counted
from ..orange.problem import TREES, UNSUPERVISED
from ..orange.ranker.listed_methods import NAMES, ListedMethod
from .ranker.everyk import CurvesByK
from .ranker.explanation import ROWS
from .ranker.ranker import OWRanker
from .ranker.unadjusted import TITLE, UnadjustedRanks
from .ssl.panel import SSL


class OWReliefE(OWRanker):
    """All methods of the core that take a target, side by side."""

    name = "Rank via ReliefE"
    description = "Rank features by ReliefE, ReliefF, MultiSURF and their relatives, and select the best"
    icon = "icons/reliefe.svg"
    priority = 10
    keywords = (
        "rank, relief, relieff, rrelieff, reliefe, surf, multisurf, boosted, boosting, learned space, redundancy, "
        "interactions, turf, vls, wrapper, feature selection, scoring, weights"
    )

    presets = True
    takes_groups = takes_covariates = takes_feature_groups = True
    usual = ("reliefe", "multisurf", "rrelieff")
    every_k = SettingProvider(CurvesByK)
    unadjusted = SettingProvider(UnadjustedRanks)

    class Outputs(OWRanker.Outputs):
        rows = Output(ROWS, Table, explicit=True, dynamic=False)

    class Information(OWRanker.Information):
        few_labels = Msg("Only {} of {} have a target value. SSL-Relief uses the other rows, too")
        adjustment = Msg("{}")

    def made_follow_ups(self):
        self.every_k = CurvesByK(self, self.area)
        self.every_k.previewed.connect(self.show_preview)
        self.every_k.k_chosen.connect(lambda *parameter: self.panel.choose(*parameter))
        self.every_k.k_left.connect(lambda: self.refresh("scores", "summary"))
        usual = super().made_follow_ups()
        self.unadjusted = UnadjustedRanks(self, (self.tests, self.nulls), self.area, self.Information.adjustment)
        return [*usual, self.every_k, self.unadjusted]

    def page_facts(self):
        ranks = self.unadjusted.ranks
        return {} if ranks is None else {TITLE: ranks}

    def report_items_of_data(self):
        return *super().report_items_of_data(), ("Adjustment", self.unadjusted.sentence or None)

    def add_to_summary(self):
        """Overrides OWRanker.add_to_summary: suggests SSL-Relief if few rows have a target."""
        p, message = self.problem, self.Information.few_labels
        message.clear()
        active = self.panel.active()
        leads = (self.leading if self.leading in active else self.panel.first(active)) == SSL
        fits = p is not None and p.targets and SSL in self.panel.fitting()  # not times
        if fits and 2 * p.labelled < len(p.table) and not leads:
            message(f"{p.labelled:,}", counted(len(p.table), "row"))
        self.suggested_method.suggest(str(message) if message.is_shown() else "", SSL, "Rank by SSL-Relief")

    def offered(self):
        # Here, and not above: Orange imports all widgets at its start.
        from ..core import methods

        # What is left aside here is in a widget of its own.
        ranked = [m for m in methods() if m.family != TREES and set(m.tasks) != {UNSUPERVISED}]
        listed = []
        for m in ranked:
            title, about = NAMES.get(m.name, (m.title, m.about))
            # attributes of its own are found quickly
            tasks = tuple(task for task in m.tasks if task != UNSUPERVISED)
            listed.append(ListedMethod(m, name=m.name, title=title, about=about, tasks=tasks))
        return tuple(listed)


if __name__ == "__main__":
    WidgetPreview(OWReliefE).run(Table("heart_disease"))
