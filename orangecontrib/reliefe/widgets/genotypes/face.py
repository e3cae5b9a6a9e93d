"""Outside of Rank Genotypes: signals, messages, settings, and the report."""

from Orange.data import Table
from Orange.widgets.settings import Setting
from Orange.widgets.widget import AttributeList, Msg, Output

from ..utils.computing import OWComputing
from ..utils.settings import between, one_of, strings, within
from .area import GenotypesArea
from .job import BY_CLASSES, Found
from .rankingbox import MOST_EXPONENT, MOST_NEIGHBOURS, OFFERED

BEST = 1, 10_000  # variants that are sent
REPORTED = 30  # variants in a report


class OWGenotypesFace(OWComputing, openclass=True):
    """Declarations; settings are plain literals, so that saved workflows can be read and compared."""

    graph_name = "area.plot"
    empty = Found
    chart_class = GenotypesArea

    class Outputs:
        reduced = Output("Reduced Data", Table, default=True)
        scores = Output("Scores", Table, dynamic=False)
        features = Output("Features", AttributeList, dynamic=False)

    class Information(OWComputing.Information):
        instead = Msg("{} does not rank for {}; {} does")
        few_scores = Msg("Scores are sent of the best {:,} of {:,} variants")

    settings_version = 1
    path = Setting("")  # of the genotypes
    recent = Setting([], fits=strings)  # paths of files that were opened, the last one first
    phenotype_path = Setting("")  # of a table
    from_table = Setting(False)
    column = Setting("")
    missing = Setting(5.0, fits=within(0, 100))  # per cent, as the next two
    missing_people = Setting(10.0, fits=within(0, 100))
    maf = Setting(1.0, fits=within(0, 50))
    exponent = Setting(0, fits=between(0, MOST_EXPONENT))  # of the least p of Hardy-Weinberg proportions; 0: no test
    r2 = Setting(1.0, fits=within(0.01, 1))
    method = Setting(BY_CLASSES, fits=one_of(*OFFERED))
    n_neighbors = Setting(0, fits=between(0, MOST_NEIGHBOURS))  # 0: as many as usual
    tested = Setting(False)
    additive = Setting(False)
    n_best = Setting(100, fits=between(*BEST))
    chosen = Setting("", schema_only=True)  # name, chromosome and position of a variant
    auto_apply = Setting(True)

    def send_report(self):
        kept = self.result.kept
        if kept is None:
            return
        asked = [("Genotypes", self.sources.file.text()), ("Phenotype", self.sources.source.currentText())]
        self.report_items("Input", [*asked, ("Left out", "; ".join(kept.told) or "nothing")])
        self.report_items("Ranking", [("Method", self.strip.label.text()), ("Best", f"{self.n_best:,}")])
        if self.result.scored is None:
            return
        self.report_plot("Manhattan plot", self.area.plot)
        model = self.area.table.model()
        self.report_table("Best variants", model.as_table(model.rows[:REPORTED]), header_rows=1)
        if self.area.detail.shown is not None:
            shown = self.area.detail.shown
            self.report_table(f"{shown.title}: {shown.facts}", [shown.columns, *shown.rows], header_rows=1)
