"""Rank Genotypes in a window of 1280 x 720 pixels: what is named, what has room, and where names of variants are."""

import numpy as np
from AnyQt.QtCore import Qt

from orangecontrib.reliefe.genetics import rank_genotypes
from orangecontrib.reliefe.tests.genetics.studies import cases, codes, write_bed
from orangecontrib.reliefe.widgets.owgenotypes import OWRankGenotypes
from orangecontrib.reliefe.widgets.tests.genotypes import GenotypesTest

FIRST = 10  # letters of a name that are read on the plot in any case


def long_names(path):
    """Replace the names of variants in the .bim beside a .bed by long ones."""
    bim = path.with_suffix(".bim")
    lines = [line.split("\t") for line in bim.read_text().splitlines()]
    for number, line in enumerate(lines):
        line[1] = f"chr{line[0]}:{number:05d}:ACGTACGT:G_imputed"
    bim.write_text("\n".join("\t".join(line) for line in lines) + "\n")


class TestWindow(GenotypesTest):
    def setUp(self):
        super().setUp()
        found = codes(80, 300)
        found[:, 7] = cases(found) - 1  # a discovery
        self.path = write_bed(self.folder, found, cases(found))
        self.widget.resize(1280, 720)
        self.widget.show()

    def with_p_values(self):
        """Open the file, and tick p-values."""
        self.opened(self.path)
        self.widget.methods.form.editors["tested"].click()
        self.settle()
        self.widget.area.plot.draw_if_stale()
        self.process_events()

    def visible(self):
        """Titles of the columns of the table that are seen, from left to right."""
        table = self.widget.area.table
        places = range(table.model().columnCount())
        return [table.model().fields[place].title for place in places if not table.isColumnHidden(place)]

    def test_scores_and_p_values_are_beside_the_names(self):
        self.with_p_values()
        self.assertEqual(self.visible(), ["#", "Variant", "Score", "p", "q", "z", "Chr.", "Position", "Frequency"])
        table = self.widget.area.table
        self.assertEqual(table.columnWidth(table.model().place("variant")), 130)
        self.widget.area.table.variant_chosen.emit(7)
        self.process_events()
        self.assertEqual(self.visible()[:5], ["#", "Variant", "Score", "p", "q"])
        self.widget.resize(700, 600)
        self.process_events()
        self.assertEqual(self.visible()[:4], ["#", "Variant", "Score", "p"])

    def test_long_names_are_cut_and_stay_inside_the_plot(self):
        long_names(self.path)
        self.with_p_values()
        plot = self.widget.area.plot
        labels = plot.point_names.labels
        texts = [label.toPlainText() for label in labels]
        self.assertGreaterEqual(len(texts), 5)
        names = [str(name) for name in plot.names[plot.order[:10]]]
        self.assertEqual(texts[0][:FIRST], names[0][:FIRST])  # the best is among them
        for text in texts:
            self.assertTrue(text.endswith("\u2026") and any(name.startswith(text[:-1]) for name in names), text)
        frame = plot.chart.vb.sceneBoundingRect()
        level = self.widget.result.scored.level
        self.assertIsNotNone(level)
        (bottom, top), height = plot.view.y, frame.height()
        line = frame.bottom() - (level - bottom) / (top - bottom) * height
        for label in labels:
            area = label.mapRectToScene(label.boundingRect())
            self.assertTrue(frame.adjusted(-1, -1, 1, 1).contains(area))
            middle_of_letters = area.center().y()
            self.assertGreater(abs(middle_of_letters - line), area.height() / 4)

    def test_the_phenotype_is_named(self):
        self.opened(self.path)
        self.assertIn("80 people, target phenotype (2 classes: ", self.widget.headline.beside.text())
        table = self.folder / "heights.csv"
        heights = np.random.default_rng(0).normal(170, 8, 80).round(1)
        table.write_text("iid,height\n" + "".join(f"P{i},{height}\n" for i, height in enumerate(heights)))
        self.widget.sources.table, self.widget.sources.from_table = str(table), True
        self.opened(self.path)
        self.assertIn("target height (number)", self.widget.headline.beside.text())

    def test_unadjusted_ranks_are_beside_those_of_an_adjustment(self):
        ancestry = np.random.default_rng(2).integers(0, 2, 80)
        found = codes(80, 300)
        found[:, 3] = 2 * ancestry
        ill = 1 + (np.random.default_rng(3).random(80) < 0.1 + 0.8 * ancestry)
        table = self.folder / "table.csv"
        rows = [f"P{i},{ill[i]},{ancestry[i]}.5" for i in range(80)]
        table.write_text("\n".join(["iid,ill,ancestry", *rows]) + "\n")
        stored = {"sources": {"table": str(table), "from_table": True, "column": "ill"}, "study": {"opened": True}}
        self.widget = self.create_widget(OWRankGenotypes, stored_settings=stored)
        path = write_bed(self.folder, found, ill)
        self.opened(path)
        self.assertNotIn("unadjusted rank", self.visible())
        plain = rank_genotypes(path, table, column="ill")
        self.assertEqual(plain.best(1), ("rs3",))

        self.widget.study.columns.list.item(0).setCheckState(Qt.Checked)
        self.settle()
        self.assertIn("unadjusted rank", self.visible())
        model = self.widget.area.table.model()
        unadjusted = dict(zip(model.column("variant").values, model.column("unadjusted rank").values, strict=True))
        ranks = {name: 1 + rank for rank, name in enumerate(plain.best(300))}
        self.assertEqual(unadjusted, {name: ranks[name] for name in unadjusted})
        self.assertIn("moves out of the best 10: 'rs3' (rank 1, now", str(self.widget.Information.adjustment))

        self.widget.study.columns.list.item(0).setCheckState(Qt.Unchecked)
        self.settle()
        self.assertNotIn("unadjusted rank", self.visible())
        self.assertFalse(self.widget.Information.adjustment.is_shown())
