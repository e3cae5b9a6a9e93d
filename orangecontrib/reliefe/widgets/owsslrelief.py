"""SSL-Relief: features of data with few labelled rows, ranked by these and by the others."""

from Orange.data import Table
from Orange.widgets.utils.widgetpreview import WidgetPreview
from Orange.widgets.widget import Output

from ..orange.problem import TREES, UNSUPERVISED
from .ranker.area import HEAT
from .ranker.explanation import ROWS
from .ranker.ranker import OWRanker
from .ssl.panel import LABELLED, SSL, SSLPanel, labelled_lines


class OWSSLRelief(OWRanker):
    """Methods that use rows with and without a target; SSL-Relief beside it for the labelled ones only."""

    name = "SSL-Relief"
    description = "Rank features of data with few labelled rows, by all rows, and select the best"
    icon = "icons/sslrelief.svg"
    priority = 30
    keywords = (
        "rank, relief, semi-supervised, partially labelled, unlabelled, hierarchy, multi-target, multi-label, "
        "sslrelief, feature selection, scoring, weights"
    )

    usual = (SSL,)
    panel_type = SSLPanel
    takes_groups = True

    first_view = HEAT  # of several targets

    class Outputs(OWRanker.Outputs):
        rows = Output(ROWS, Table, explicit=True, dynamic=False)

    def offered(self):
        # Here, and not above: Orange imports all widgets at its start.
        from ..core import methods

        return tuple(method for method in methods() if method.family != TREES and {UNSUPERVISED} < set(method.tasks))

    def add_to_summary(self):
        """Overrides OWRanker.add_to_summary: shows how well labels predict, and whether other rows help."""
        ranking = self.result.rankings.get(self.panel.job(SSL))
        info = ranking and ranking.info
        self.panel.show_found(info)
        alone = info and info["alone"]
        lead = self.area.lead
        text = ""
        if alone is not None and lead is not None and lead.name != LABELLED:
            best = max(quality for *_, quality in info["tuning"])
            text = f"Labels alone predict about as well (quality {alone:.2f}, with unlabelled rows {best:.2f})"
        self.suggested_method.suggest(text, LABELLED, "Rank by the labelled rows only")

    def report_items_of_data(self) -> tuple:
        """Numbers of labelled rows, in all and for each target."""
        lines = labelled_lines(self.problem)
        return (("Labelled", self.panel.counts.text()), ("Of each target", ", ".join(lines) or None))


if __name__ == "__main__":
    WidgetPreview(OWSSLRelief).run(Table("heart_disease"))
