"""Rank via ReliefE: features of classified or numeric data, ranked by any methods of the Relief family."""

from Orange.data import Table
from Orange.widgets.utils.widgetpreview import WidgetPreview

from .ranker.plainnames import plain
from .ranker.ranker import OWRanker
from .utils.problem import UNSUPERVISED

TREES = "trees"  # a family of methods that has a widget of its own


class OWReliefE(OWRanker):
    """All methods of the core that need a target for each row, side by side."""

    name = "Rank via ReliefE"
    description = "Rank features by ReliefE, ReliefF, MultiSURF and their relatives, and select the best"
    icon = "icons/reliefe.svg"
    priority = 10
    keywords = (
        "rank, relief, relieff, rrelieff, reliefe, surf, multisurf, boosted, boosting, learned space, redundancy, "
        "interactions, feature selection, scoring, weights"
    )

    presets = True
    usual = ("reliefe", "multisurf", "rrelieff")
    usual_before = ("multisurf", "rrelieff")

    def offered(self):
        # Here, and not above: Orange imports all widgets at its start.
        from ..core import methods

        ranked = (method for method in methods() if method.family != TREES and UNSUPERVISED not in method.tasks)
        return tuple(plain(method) for method in ranked)


if __name__ == "__main__":
    WidgetPreview(OWReliefE).run(Table("heart_disease"))
