"""URelief: features of data without a target, ranked by how well they separate near rows."""

from Orange.data import Table
from Orange.widgets.utils.widgetpreview import WidgetPreview
from Orange.widgets.widget import Output

from ..orange.problem import UNSUPERVISED
from .ranker.explanation import ROWS
from .ranker.ranker import OWRanker

WRAPPER = "wrapper"  # a family that ranks what its core does


class OWURelief(OWRanker):
    """All methods of the core that take no target, side by side; class variables go on as they are."""

    name = "URelief"
    description = "Rank features of data without a target, and select the best"
    icon = "icons/urelief.svg"
    priority = 20
    keywords = (
        "rank, relief, unsupervised, unlabelled, urelief, laplacian score, spec, mcfs, ndfs, agnos, clustering, "
        "feature selection, scoring, weights"
    )

    class Outputs(OWRanker.Outputs):
        rows = Output(ROWS, Table, explicit=True, dynamic=False)

    usual = ("urelief",)
    supervised = False

    def offered(self):
        # Here, and not above: Orange imports all widgets at its start.
        from ..core import methods

        def ranks(method):
            return method.tasks == (UNSUPERVISED,) or (method.family == WRAPPER and UNSUPERVISED in method.tasks)

        return tuple(filter(ranks, methods()))


if __name__ == "__main__":
    WidgetPreview(OWURelief).run(Table("zoo"))
