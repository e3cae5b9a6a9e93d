"""Rank Genotypes: a file of SNPs, or data with genotypes, to a Manhattan plot and the best variants."""

import os
from dataclasses import replace
from functools import partial

from AnyQt.QtWidgets import QFileDialog, QHBoxLayout, QPushButton
from Orange.data import Table
from Orange.widgets import gui
from Orange.widgets.settings import Setting, SettingProvider
from Orange.widgets.utils.widgetpreview import WidgetPreview
from Orange.widgets.widget import AttributeList, Msg, Output
from orangewidget.workflow.drophandler import SingleFileDropHandler

from ..command.endings import is_genotypes
from ..core.words import counted, sentence, some
from ..orange.genotypes.from_table import refuse
from ..orange.genotypes.job import VariantRequest, run
from ..orange.genotypes.outputs import MAX_SCORES, best_table, save_best, scores_of
from ..orange.genotypes.paths import located
from ..orange.genotypes.result import HEIGHTS, P, ScoredVariants, VariantResult
from ..orange.genotypes.variant_labels import find, label_of
from ..orange.stored_settings import between, one_of
from .genotypes.area import GenotypesArea
from .genotypes.rankingbox import FilterForm, MethodForm
from .genotypes.sourcebox import SourceBox
from .ranker.form import LABEL_WIDTH
from .ranker.messages import STUDY_GONE, WARNINGS, say, show_notes
from .ranker.studybox import StudyBox
from .utils.computing import OWComputing
from .utils.controls import named, placed
from .utils.settings import auto_send
from .utils.task import RUNNING, STOPPED

ARRAY = ".npy"  # ending of genotypes as numbers, which other arrays have, too
BEST = 1, 10_000  # variants that are sent
REPORTED = 30  # variants in a report
SAVED = "Genotypes of the best (*.bed);;Table of the best (*.csv *.tsv);;Manhattan plot (*.svg)"
SAVE_TIP = (
    "Save the best variants as .bed of PLINK with .bim and .fam, or as a table with their scores (.csv, .tsv). "
    "A name that ends with .svg saves the Manhattan plot of all"
)


class OWRankGenotypes(OWComputing):
    """Reads, filters, ranks, and shows; a variant that is chosen in one view is chosen in all."""

    name = "Rank Genotypes"
    description = "Rank SNPs of PLINK, VCF, BGEN and NumPy files, or of data, and show them along the chromosomes"
    icon = "icons/genotypes.svg"
    priority = 58
    keywords = (
        "genotypes, snp, gwas, plink, bed, pgen, vcf, bgen, manhattan, variants, alleles, epistasis, "
        "relief, reliefe, rank"
    )

    graph_name = "area.figure"
    empty = VariantResult
    chart_class = GenotypesArea
    nothing = "Open a file of genotypes, or connect data whose features are genotypes: 0, 1 or 2 copies of an allele"
    coming = "The scores of all variants will appear here, and the best variants below"

    class Outputs:
        reduced = Output("Reduced Data", Table, default=True)
        scores = Output("Scores", Table, dynamic=False)
        features = Output("Features", AttributeList, dynamic=False)

    class Information(OWComputing.Information):
        instead = Msg("{} does not support {}, so variants are ranked by {}")
        adjustment = Msg("{}")
        few_scores = Msg("The output Scores has only the best {:,} of {:,} variants")

    class Warning(OWComputing.Warning):
        study_gone = STUDY_GONE

    settings_version = 1
    sources = SettingProvider(SourceBox)
    filters = SettingProvider(FilterForm)
    methods = SettingProvider(MethodForm)
    study = SettingProvider(StudyBox)
    n_best = Setting(100, fits=between(*BEST))
    plotted = Setting(P, fits=one_of(*HEIGHTS))  # as the height of points, where there are p-values
    quantiles = Setting(False)  # whether the QQ plot takes the place of the Manhattan plot
    chosen = Setting("", schema_only=True)  # name, chromosome and position of a variant
    auto_apply = Setting(True)

    # Anatomy ---------------------------------------------------------------------------------------------------------

    def add_controls(self):
        self.area, self._drawn = self.chart, None
        self.sources = SourceBox(self)
        self.filters = FilterForm(self)
        self.methods = MethodForm(self)
        for title, part in (("Genotypes", self.sources), ("Filters", self.filters), ("Ranking", self.methods)):
            gui.vBox(self.controlArea, title).layout().addWidget(part)
        self.study = StudyBox(self)
        self.controlArea.layout().insertWidget(1, self.study)
        self.best = self.spin("Best variants", "n_best", *BEST, "listed, and sent as Reduced Data and Features")
        label = named("Best vari&ants", self.best)
        label.setMinimumWidth(LABEL_WIDTH)
        self.save = QPushButton("&Save\u2026", autoDefault=False, toolTip=SAVE_TIP, enabled=False)
        self.save.setAccessibleName("Save the best variants or the plot")
        self.save.clicked.connect(self._save)
        ranking = self.methods.parentWidget().layout()
        ranking.addLayout(placed(QHBoxLayout(), label, (self.best, 1)))
        ranking.addWidget(self.save)
        auto_send(self)
        self.setAcceptDrops(True)
        self.sources.changed.connect(self._source_changed)
        for part in (self.filters, self.methods, self.study):
            part.changed.connect(lambda: self.changed(self.result.cleared()))
        self.area.chosen.connect(self._chosen_in_a_view)
        self.area.tabs.setCurrentIndex(int(self.quantiles))
        self.area.tabs.currentChanged.connect(self._plot_chosen)
        self.area.heights.setCurrentIndex(HEIGHTS.index(self.plotted))
        self.area.heights.activated.connect(self._height_chosen)
        if self.sources.path:
            self.restart_soon()

    # Input -----------------------------------------------------------------------------------------------------------

    @OWComputing.Inputs.data
    def set_data(self, data):
        self.sources.set_targets(None if data is None else [v.name for v in data.domain.class_vars])
        super().set_data(data)

    def dragEnterEvent(self, event):
        if self._dropped(event):
            event.acceptProposedAction()

    def dropEvent(self, event):
        path = self._dropped(event)
        if path:
            event.acceptProposedAction()
            self.sources.open_file(path)

    def _dropped(self, event) -> str:
        """Path of a file of genotypes that is dragged; "" if it is none, or data are on the input."""
        paths = [url.toLocalFile() for url in event.mimeData().urls()]
        return paths[0] if len(paths) == 1 and is_genotypes(paths[0]) and self.data is None else ""

    # Task ------------------------------------------------------------------------------------------------------------

    def next_task(self):
        self.Error.clear()
        return self.work() if self.data is None and self.sources.path else super().next_task()

    def refuse(self):
        try:
            refuse(self.data)
        except ValueError as error:
            return partial(self.Error.failed, sentence(str(error)))
        return None

    def work(self):
        source = self._file() if self.data is None else self.data
        self.sources.offer_dosages(source if isinstance(source, str) else "")
        methods = self.methods
        self.study.set_names(self._study_columns())
        self.study.warn_of_gone(self.Warning.study_gone)
        request = VariantRequest(
            source,
            self.sources.phenotype,
            self.sources.column_asked(),
            self.filters.filters(),
            methods.method,
            methods.n_neighbors,
            methods.tested,
            methods.additive,
            self.sources.ranks_dosages,
            methods.n_components,
            self.plotted,
            *self.study.known(),
        )
        return run, request, self.result

    def _study_columns(self) -> list[str]:
        """Names of the columns that may be part of the study: beside the phenotype, or in its table."""
        box, chosen = self.sources, self.sources.column_asked()
        domain = None if self.data is None or box.from_table else self.data.domain
        names = box.offered(families=True) if domain is None else [v.name for v in (*domain.metas, *domain.class_vars)]
        return [name for name in names if name != chosen]

    def _file(self) -> str:
        return located(self.sources.path, self.workflowEnv().get("basedir") or "")

    def show_failure(self, exception):
        read = self.result.read_key, self.result.read
        if isinstance(exception, ImportError | OSError):
            exception = ValueError(str(exception))
        super().show_failure(exception)
        if self.Error.failed.is_shown() and "." in str(exception).split(" ")[0]:
            self.Error.failed(str(exception))  # it begins with the name of a file, which is no sentence
        self.result = VariantResult(*read)  # what was read need not be read again for other filters

    # What the user does ----------------------------------------------------------------------------------------------

    def _source_changed(self):
        self._fresh = True
        self.changed(self.result.cleared())

    def setting_changed(self, setting):
        """Show and send another number of best variants."""
        self._drawn = None
        self._show()
        self.commit.deferred()

    def _save(self):
        start = os.path.join(os.path.dirname(self.sources.path), "best.bed")
        path, _ = QFileDialog.getSaveFileName(self, "Save", start, SAVED)
        if not path:
            return
        try:
            save_best(self.result, path, self.n_best)
        except (ValueError, OSError, ImportError) as error:
            self.Error.failed(str(error))

    def _chosen_in_a_view(self, variant):
        self.chosen = label_of(self.result.kept.data.variants, variant)

    def _plot_chosen(self, number):
        self.quantiles = number == 1

    def _height_chosen(self, number):
        self.plotted = HEIGHTS[number]
        if self.result.scored is not None:
            self.result = replace(self.result, scored=ScoredVariants.of(self.result.scored.ranking, self.plotted))
            self._show()

    # Views -----------------------------------------------------------------------------------------------------------

    @property
    def shown(self):
        return self.result.scored is not None

    def show_views(self):
        if self.result is not self._drawn:
            self._drawn = self.result
            self._draw()
        genotypes, result = self.result.kept, self.result
        self.save.setEnabled(result.scored is not None)
        self.Information.clear()
        say(self.Information.adjustment, result.fallen)
        info = {} if result.scored is None else result.scored.ranking.info
        show_notes(self, {"": {WARNINGS: info.get(WARNINGS, ())}})
        if genotypes is None:
            self.methods.advise_on_pairs(0, 0)
            self.headline.show_result("", "", [])
            self.headline.beside.setToolTip("")
            return
        n, p = genotypes.data.shape
        self.methods.advise_on_pairs(n, p)
        n_people_out, n_variants_out = genotypes.left_out
        left_out = []
        if n_people_out:
            left_out.append(counted(n_people_out, "person", "people"))
        if n_variants_out:
            left_out.append(counted(n_variants_out, "variant"))
        n_found = result.n_found
        if n_found is None:
            number = p
            of_number = "variant of" if p == 1 else "variants of"
        else:
            number = n_found
            of_number = f"of {counted(p, 'variant')} {'stands' if n_found == 1 else 'stand'} out from chance;"
        text = f"{of_number} {counted(n, 'person', 'people')}, {genotypes.target}"
        if left_out:
            text += f"; {' and '.join(left_out)} left out"
        self.headline.show_result(f"{number:,}", text, [])
        self.headline.beside.setToolTip("\n".join(genotypes.told) or "No people or variants are left out")
        if result.instead:
            from ..core import METHODS

            what = "numbers" if genotypes.phenotype.dtype.kind == "f" else "classes"
            self.Information.instead(METHODS[self.methods.method].title, what, METHODS[result.instead].title)

    def _draw(self):
        self.area.show_found(self.result, self.n_best)
        if self.result.scored is not None and self.chosen:
            variant = find(self.result.kept.data.variants, self.chosen)
            if variant is not None:
                self.area.choose(variant)

    def summary(self):
        scored, genotypes = self.result.scored, self.result.kept
        if scored is None:
            return ""
        from ..core import METHODS

        ranking = scored.ranking
        values = "" if genotypes.data.dosages is None else "dosages"
        facts = [METHODS[ranking.method].title, values, ranking.info.get("summary", "")]
        adjusts = METHODS[ranking.method].traits.adjusts
        covariates = [*self.study.known()[0]]
        if self.methods.n_components:
            covariates.append(counted(self.methods.n_components, "component"))
        if covariates and (adjusts or ranking.significance is not None):
            adjusted_for = some(covariates)
            facts.append(f"adjusted for {adjusted_for}" if adjusts else f"p-values adjusted for {adjusted_for}")
        if ranking.significance is not None:
            n_discovered = int((ranking.significance.q <= 0.1).sum())
            facts.append(f"{counted(n_discovered, 'variant')} with q of 10 % or less")
        facts.append(f"best: {genotypes.data.variants.name[scored.order[0]]}")
        stopped = "stopped early; " if self.run_state == STOPPED and not ranking.info.get("final") else ""
        return stopped + ", ".join(filter(None, facts))

    # Outputs ---------------------------------------------------------------------------------------------------------

    @gui.deferred
    def commit(self):
        if self.run_state == RUNNING:
            self._fresh = True  # sent at the end, and nothing before
            return
        best, scores = best_table(self.result, self.n_best, self.data), scores_of(self.result)
        self.Outputs.reduced.send(best)
        self.Outputs.scores.send(scores)
        self.Outputs.features.send(AttributeList(best.domain.attributes) if best is not None else None)
        total = 0 if scores is None else len(self.result.scored.order)
        self.Information.few_scores(MAX_SCORES, total, shown=total > MAX_SCORES)

    def send_report(self):
        genotypes = self.result.kept
        if genotypes is None:
            return
        sources = [("Genotypes", self.sources.file.text()), ("Phenotype", genotypes.target)]
        if self.result.conclusion:
            self.report_caption(self.result.conclusion)
        self.report_items("Input", [*sources, ("Left out", "; ".join(genotypes.told) or "nothing")])
        adjustment = ("Adjustment", self.result.fallen or None)
        self.report_items("Ranking", [("Method", self.strip.label.text()), adjustment, ("Best", f"{self.n_best:,}")])
        if self.result.scored is None:
            return
        for view in self.area.views():
            self.report_plot(view.accessibleName(), view)
        model = self.area.table.model()
        self.report_table("Best variants", model.as_table(model.rows[:REPORTED]), header_rows=1)
        if self.area.detail.shown is not None:
            shown = self.area.detail.shown
            self.report_table(f"{shown.title}: {shown.facts}", [shown.columns, *shown.rows], header_rows=1)


class GenotypesDropHandler(SingleFileDropHandler):
    """Makes the widget of a file of genotypes that is dropped on the canvas; an entry point in setup.py names it."""

    WIDGET = OWRankGenotypes

    def canDropFile(self, path: str) -> bool:
        """Return True for a file of genotypes, by its name; .npy may hold any array, and is for other widgets, too."""
        return os.path.isfile(path) and is_genotypes(path) and not path.lower().endswith(ARRAY)

    def parametersFromFile(self, path: str) -> dict:
        """Return the settings of a widget that opens a file."""
        return {"sources": {"path": os.path.abspath(path)}}


if __name__ == "__main__":
    WidgetPreview(OWRankGenotypes).run()
