"""Rank Genotypes: from files and data to outputs, bad input, stop, settings, and the views."""

import re
import tempfile
import time
import unittest
from pathlib import Path
from unittest.mock import patch

import numpy as np
import pyqtgraph as pg
import pytest
import scipy.sparse as sp
from AnyQt.QtCore import QMimeData, QPoint, QPointF, Qt, QUrl
from AnyQt.QtGui import QDropEvent
from AnyQt.QtTest import QTest
from AnyQt.QtWidgets import QApplication, QFileDialog
from Orange.data import ContinuousVariable, DiscreteVariable, Domain, StringVariable, Table
from orangewidget.tests.base import GuiTest

import orangecontrib.reliefe
from orangecontrib.reliefe import core, tutorials
from orangecontrib.reliefe.core import METHODS, rank, refine
from orangecontrib.reliefe.genetics import Variants, rank_genotypes
from orangecontrib.reliefe.orange.genotypes.paths import located
from orangecontrib.reliefe.orange.genotypes.variant_labels import find, label_of
from orangecontrib.reliefe.tests.genetics.studies import cases, codes, write_bed, write_vcf
from orangecontrib.reliefe.widgets.owgenotypes import GenotypesDropHandler, OWRankGenotypes
from orangecontrib.reliefe.widgets.owrankingcomparison import OWRankingComparison
from orangecontrib.reliefe.widgets.tests import base
from orangecontrib.reliefe.widgets.tests.genotypes import GenotypesTest
from orangecontrib.reliefe.widgets.tests.run_workflow import run
from orangecontrib.reliefe.widgets.tests.widgettest import LIMIT

STUDY = codes(60, 120, seed=1)


def table(found, y=None, sparse=False, nominal=False):
    """Genotypes as a table with ids, places as attributes, and a class."""
    y = cases(found) - 1.0 if y is None else y
    kind = (lambda name: DiscreteVariable(name, ("0", "1", "2"))) if nominal else ContinuousVariable
    features = [kind(f"rs{f}") for f in range(found.shape[1])]
    for f, feature in enumerate(features):
        feature.attributes = {"chromosome": str(1 + f // 50), "position": 100 * f + 7}
    domain = Domain(features, DiscreteVariable("case", ("no", "yes")), [StringVariable("id"), StringVariable("note")])
    X = np.where(found < 0, np.nan, found)
    metas = np.array([[f"P{i}", "x"] for i in range(len(found))], object)
    return Table.from_numpy(domain, sp.csr_matrix(X) if sparse else X, y, metas)


class TestFiles(GenotypesTest):
    def test_from_plink_to_outputs(self):
        path = write_bed(self.folder, STUDY)
        self.opened(path)
        expected = rank_genotypes(path)
        self.assertEqual(self.error, "")
        np.testing.assert_array_equal(self.widget.result.scored.ranking.scores, expected.scores)
        scores, reduced = self.out("scores"), self.out("reduced")
        self.assertEqual(list(scores.get_column("Feature")), [*expected.best(120)])
        np.testing.assert_allclose(scores.X[:, 0], np.sort(expected.scores)[::-1])
        first = expected.ranking[0]
        self.assertEqual(scores[0]["Position"], expected.variants.position[first])
        self.assertEqual(scores[0]["Counted allele"], "A")
        self.assertEqual([v.name for v in reduced.domain.attributes], [*expected.best(100)])
        self.assertEqual([v.name for v in self.out("features")], [*expected.best(100)])
        best = reduced.domain.attributes[0]
        self.assertEqual(best.values, ("0", "1", "2"))
        self.assertEqual(best.attributes["position"], str(expected.variants.position[first]))
        self.assertEqual(best.attributes["chromosome"], expected.variants.chromosome[first])
        code = STUDY[:, [int(name[2:]) for name in expected.best(100)]]
        np.testing.assert_array_equal(reduced.X, np.where(code < 0, np.nan, code))
        np.testing.assert_array_equal(reduced.Y, cases(STUDY) - 1)
        self.assertEqual(list(reduced.metas[:3, 0]), ["P0", "P1", "P2"])

    def test_only_scores_are_rankings_for_other_widgets(self):
        self.opened(write_bed(self.folder, STUDY))
        comparison = self.create_widget(OWRankingComparison)
        self.send_signal(comparison.Inputs.scores, self.out("scores"), 0, widget=comparison)
        titles = [comparison.list.item(row).text() for row in range(comparison.list.count())]
        self.assertEqual(titles, ["ReliefF"])

    def test_vcf_with_a_table(self):
        path, pheno = write_vcf(self.folder, STUDY), self.folder / "pheno.csv"
        self.opened(path)
        self.assertIn("Choose the table that has the phenotype", self.error)
        self.assertTrue(self.sent_nothing())
        lines = [f"P{i},{value},{i % 7}.5" for i, value in enumerate(cases(STUDY))]
        pheno.write_text("\n".join(["iid,case,height", *lines]))
        with patch.object(QFileDialog, "getOpenFileName", return_value=(str(pheno), "")):
            self.widget.sources.tables.click()
        self.settle()
        self.assertEqual((self.error, self.widget.sources.column_asked()), ("", "case"))
        self.assertEqual(self.out("reduced").domain.class_var.name, "case")
        np.testing.assert_array_equal(
            self.widget.result.scored.ranking.scores, rank_genotypes(path, pheno, column="case").scores
        )
        columns = self.widget.sources.columns
        columns.setCurrentIndex(columns.findText("height"))
        columns.activated.emit(columns.currentIndex())
        self.settle()
        self.assertTrue(self.widget.Information.instead.is_shown())
        self.assertEqual(self.widget.result.scored.ranking.method, "rrelieff")
        self.assertTrue(self.out("reduced").domain.class_var.is_continuous)
        self.widget.area.table.variant_chosen.emit(0)
        self.process_events()
        counts = self.widget.area.detail.shown
        self.assertEqual([row[0] for row in counts.rows], ["mean", "people"])
        heights = np.array([i % 7 + 0.5 for i in range(60)])[STUDY[:, 0] == 1]
        self.assertEqual(counts.rows[0][2], f"{heights.mean():.4g}")

    def test_numpy_and_filters(self):
        found = STUDY.copy()
        found[:, 5] = 1
        np.save(self.folder / "study.npy", found.astype(np.int8))
        (self.folder / "p.tsv").write_text(
            "id\tcase\n" + "\n".join(f"{i + 1}\t{c}" for i, c in enumerate(cases(found)))
        )
        self.widget.sources.table, self.widget.sources.from_table = str(self.folder / "p.tsv"), True
        self.opened(self.folder / "study.npy")
        self.assertEqual(self.error, "")
        kept = self.widget.result.kept
        self.assertGreaterEqual(kept.left_out[1], 1)
        self.assertIn("left out", self.widget.headline.beside.text())
        self.assertIn("1 variant left out: of one genotype only", self.widget.headline.beside.toolTip())
        with patch("orangecontrib.reliefe.genetics.read_genotypes") as read:
            self.widget.filters.maf_box.setValue(30)
            self.settle()
            read.assert_not_called()
        self.assertIn("rarer allele below 0.3", self.widget.headline.beside.toolTip())
        self.assertLess(self.widget.result.kept.data.shape[1], kept.data.shape[1])

    def test_all_filters_reach_the_ranking(self):
        self.opened(write_bed(self.folder, STUDY))
        form = self.widget.filters
        for spin, value in (
            (form.missing_box, 3),
            (form.people_box, 4),
            (form.maf_box, 25),
            (form.exponent_box, 1),
            (form.r2_box, 0.05),
        ):
            spin.setValue(value)
        self.settle()
        asked = self.widget.result.kept.key[-1]
        self.assertEqual((asked.missing, asked.missing_people, asked.maf, asked.r2), (0.03, 0.04, 0.25, 0.05))
        self.assertEqual(asked.hardy_weinberg, 0.1)
        self.assertIn("r² above 0.05", self.widget.headline.beside.toolTip())

    def test_a_method_with_its_neighbours(self):
        path = write_bed(self.folder, STUDY)
        self.opened(path)
        self.widget.methods.form.editors["n_neighbors"].setValue(3)
        self.settle()
        self.assertEqual(self.widget.result.scored.ranking.parameters["n_neighbors"], 3)
        methods = self.widget.methods.methods
        methods.setCurrentIndex(methods.findData("multisurf"))
        methods.activated.emit(methods.currentIndex())
        self.settle()
        self.assertNotIn("n_neighbors", self.widget.methods.form.editors)
        np.testing.assert_array_equal(
            self.widget.result.scored.ranking.scores, rank_genotypes(path, method="multisurf").scores
        )

    def test_offered_methods_stay_packed(self):
        """All relatives of Relief that take classes or a number, and TuRF: none makes a table of numbers of them."""
        packed = {m.name for m in METHODS.values() if m.traits.packed and m.tasks != ("unsupervised",)}
        box = self.widget.methods.methods
        offered = [box.itemData(place) for place in range(box.count())]
        self.assertEqual(set(offered), packed - {"sslrelief"} | {"turf"})
        self.assertEqual(offered[:2], ["relieff", "rrelieff"])

    def test_components(self):
        path, form = write_bed(self.folder, STUDY), self.widget.methods
        self.opened(path)
        form.form.editors["n_components"].setValue(3)
        self.settle()
        expected = rank_genotypes(path, n_components=3).scores
        np.testing.assert_array_equal(self.widget.result.scored.ranking.scores, expected)
        self.assertIn("adjusted for 3 components", self.widget.strip.label.text())
        self.assertEqual(self.packed()["methods"]["n_components"], 3)
        with patch(
            "orangecontrib.reliefe.genetics.ranking.components"
        ) as again:  # those of the same people and variants are kept
            self.widget.methods.form.editors["n_neighbors"].setValue(5)
            self.settle()
            again.assert_not_called()
        form.methods.setCurrentIndex(form.methods.findData("relief"))
        form.methods.activated.emit(form.methods.currentIndex())
        self.settle()
        error = self.error
        self.assertIn("Relief does not adjust its scores", error)
        self.assertTrue(self.sent_nothing())
        form.form.editors["tested"].click()
        self.settle()
        self.assertEqual(self.error, "")
        self.assertIn("p-values adjusted for 3 components", self.widget.strip.label.text())
        named = re.split(r", | or |Choose ", error)
        for place in range(form.methods.count()):
            method = METHODS[form.methods.itemData(place)]
            self.assertEqual(method.traits.adjusts, method.title in named, method.title)

    def test_additive_genotypes(self):
        path = write_bed(self.folder, STUDY)
        self.opened(path)
        self.widget.methods.form.editors["additive"].click()
        self.settle()
        expected = rank_genotypes(path, additive=True).scores
        np.testing.assert_allclose(self.widget.result.scored.ranking.scores, expected, atol=1e-12)

    def test_best_and_plot_are_saved(self):
        self.assertFalse(self.widget.save.isEnabled())
        self.opened(write_bed(self.folder, STUDY))
        for name in ("best.bed", "best.csv", "plot.svg"):
            with patch.object(QFileDialog, "getSaveFileName", return_value=(str(self.folder / name), "")):
                self.widget.save.click()
            self.assertGreater((self.folder / name).stat().st_size, 0)
        self.assertFalse(self.widget.Error.failed.is_shown())
        for name, shown in (("", False), ("best.docx", True)):
            with patch.object(QFileDialog, "getSaveFileName", return_value=(name and str(self.folder / name), "")):
                self.widget.save.click()
            self.assertEqual(self.widget.Error.failed.is_shown(), shown)

    def test_a_study_of_columns_of_the_table(self):
        path, pheno = write_bed(self.folder, STUDY), self.folder / "pheno.csv"
        lines = [f"P{i},{value},{i * 7 % 13}.5,F{i // 2}" for i, value in enumerate(cases(STUDY))]
        pheno.write_text("\n".join(["iid,ill,age,family", *lines]))
        settings = {"phenotype_path": str(pheno), "from_table": True, "column": "ill", "study_open": True}
        self.widget = self.create_widget(OWRankGenotypes, stored_settings=settings | {"method": "multisurf"})
        self.opened(path)
        box = self.widget.study
        self.assertEqual(
            [box.columns.list.item(row).text() for row in range(box.columns.list.count())], ["age", "family"]
        )
        self.assertEqual(
            box.columns.list.count(), self.widget.sources.columns.count()
        )  # without the phenotype, with families
        box.columns.list.item(0).setCheckState(Qt.Checked)
        box.groups.activated.emit(box.groups.findData("family"))
        self.widget.methods.form.editors["n_components"].setValue(2)
        self.settle()
        about = {"covariates": ["age"], "groups": "family", "n_components": 2}
        expected = rank_genotypes(path, pheno, "multisurf", column="ill", **about)
        np.testing.assert_array_equal(self.widget.result.scored.ranking.scores, expected.scores)
        self.assertIn("adjusted for age, 2 components", self.widget.strip.label.text())

    def test_turf_is_offered(self):
        self.opened(write_bed(self.folder, STUDY))
        form = self.widget.methods
        self.assertTrue(form.offer.isHidden())
        form.advise_on_pairs(600, 2000)
        self.assertFalse(form.offer.isHidden())
        form.offer.linkActivated.emit("turf")
        self.settle()
        self.assertEqual((self.widget.methods.method, form.offer.isHidden()), ("turf", True))
        form.advise_on_pairs(600, 20_000)
        self.assertIn("lost among 20,000 variants of 600 people, also by TuRF", form.offer.text())
        self.assertNotIn("href", form.offer.text())

    def test_the_first_sentence_is_that_of_scripts(self):
        path = write_bed(self.folder, STUDY)
        self.opened(path)
        text = rank_genotypes(path, with_null_level=True).conclusion
        self.assertIn("controls and cases", text)
        self.assertIn("the largest score for 19 permuted targets", text)
        self.assertEqual(self.widget.area.conclusion.text(), text.replace("the target", "phenotype"))
        n_found = self.widget.result.n_found
        self.assertEqual(self.widget.headline.large.text(), str(n_found))
        self.assertIn(f" out from chance; {len(STUDY)} people", self.widget.headline.beside.text())
        scores = self.widget.result.scored.ranking.scores
        self.assertEqual(n_found, int((scores > self.widget.result.null.level).sum()))

    def test_names_and_zoom(self):
        self.opened(write_bed(self.folder, STUDY))
        self.widget.resize(1080, 640)
        self.widget.show()
        self.process_events()
        plot, scored = self.widget.area.plot, self.widget.result.scored
        names = {label.toPlainText() for label in plot.point_names.labels}
        self.assertLessEqual(names, set(plot.names[scored.order[:10]]))
        self.assertGreaterEqual(len(names), 3)
        box = plot.chart.getViewBox()
        at = box.mapViewToScene(QPointF(plot._places.ends[1].mean(), plot.view.y[0])) + QPointF(0, 15)
        QTest.mouseClick(plot.viewport(), Qt.LeftButton, Qt.NoModifier, QPoint(plot.mapFromScene(at)))
        self.process_events()
        low, high = plot.view.x
        self.assertLess(low, plot._places.ends[1, 0])
        self.assertGreater(high, plot._places.ends[1, 1])
        self.assertLess(high - low, 0.5)

    def test_recent_files(self):
        first, box = write_bed(self.folder, STUDY), self.widget.sources
        (self.folder / "other").mkdir()
        second = write_bed(self.folder / "other", STUDY[:, ::-1])
        for path in (first, second, first):
            self.opened(path)
        self.assertEqual(self.widget.sources.recent, [str(first), str(second)])
        self.assertEqual([action.toolTip() for action in box.open.menu().actions()], self.widget.sources.recent)
        box.open.menu().actions()[1].trigger()
        self.settle()
        self.assertEqual(self.widget.sources.path, str(second))

    def test_p_values(self):
        self.opened(write_bed(self.folder, STUDY))
        self.widget.methods.form.editors["tested"].click()
        self.settle()
        test = self.widget.result.scored.ranking.significance
        np.testing.assert_allclose(self.widget.result.scored.heights, -np.log10(test.p))
        order = self.widget.result.scored.order
        np.testing.assert_array_equal(self.out("scores").get_column("q").astype(float), test.q[order])
        model = self.widget.area.table.model()
        titles = [model.headerData(c, Qt.Horizontal) for c in range(model.columnCount())]
        self.assertEqual(titles[1:6], ["Variant", "Score", "p", "q", "z"])
        self.assertEqual(self.widget.area.figure._level.isVisible(), bool((test.q <= 0.1).any()))
        for number, (height, heights) in enumerate((("p", test.p), ("q", test.q), ("score", None))):
            self.widget.area.heights.activated.emit(number)
            expected = self.widget.result.scored.ranking.scores if heights is None else -np.log10(heights)
            np.testing.assert_allclose(self.widget.result.scored.heights, expected)
            self.assertEqual(self.packed()["plotted"], height)
        self.assertIn("with q of 10 % or less", self.widget.strip.label.text())

    def test_drop(self):
        path = write_bed(self.folder, STUDY)
        for name, taken in ((self.folder / "notes.txt", False), (path, True)):
            mime = QMimeData()
            mime.setUrls([QUrl.fromLocalFile(str(name))])
            event = QDropEvent(QPointF(5, 5), Qt.CopyAction, mime, Qt.LeftButton, Qt.NoModifier)
            self.widget.dropEvent(event)
            self.assertEqual(bool(self.widget.sources.path), taken)
        self.settle()
        self.assertIsNotNone(self.out("scores"))

    def test_a_file_that_is_dropped_on_the_canvas(self):
        handler = GenotypesDropHandler()
        path = write_bed(self.folder, STUDY)
        for name in ("a.vcf", "a.VCF.gz", "a.bgen", "a.pgen", "a.csv", "a.npy"):
            (self.folder / name).write_text("")
            self.assertEqual(
                handler.canDropFile(str(self.folder / name)), name[:-1].lower() not in ("a.cs", "a.np"), name
            )
        self.assertTrue(handler.canDropFile(str(path)))
        self.assertFalse(handler.canDropFile(str(self.folder / "none.bed")))
        stored = handler.parametersFromFile(str(path))
        widget = self.create_widget(OWRankGenotypes, stored_settings=stored)
        self.assertEqual(widget.sources.path, str(path))
        setup = Path(orangecontrib.reliefe.__file__).parents[2] / "setup.py"
        if setup.exists():
            self.assertIn(f"{GenotypesDropHandler.__module__}:{GenotypesDropHandler.__name__}", setup.read_text())

    def test_open_by_the_button(self):
        path = write_bed(self.folder, STUDY)
        with patch.object(QFileDialog, "getOpenFileName", return_value=("", "")) as dialog:
            self.widget.sources.open.click()
        offered = re.findall(r"\*(\S+?)[ )]", dialog.call_args.args[-1].split(";;")[0])
        self.assertEqual({*offered}, {".npy", ".bed", ".pgen", ".vcf", ".vcf.gz", ".vcf.bgz", ".bgen"})
        self.assertEqual(self.widget.sources.path, "")
        with patch.object(QFileDialog, "getOpenFileName", return_value=(str(path), "")):
            self.widget.sources.open.click()
        self.settle()
        self.assertEqual((self.widget.sources.path, self.error), (str(path), ""))


class TestData(GenotypesTest):
    def test_same_scores_as_numbers(self):
        expected = rank(
            np.where(STUDY < 0, np.nan, STUDY), cases(STUDY), "relieff", nominal=np.arange(120), missing="ignore"
        )
        self.widget.filters.missing_box.setValue(100)
        for nominal in (False, True):
            data = table(STUDY, nominal=nominal)
            self.ready(data)
            self.assertEqual(self.error, "")
            ours = self.widget.result.scored.ranking.scores
            np.testing.assert_allclose(ours, expected.scores, atol=1e-9)
            reduced = self.out("reduced")
            self.assertTrue(all(v in data.domain.attributes for v in reduced.domain.attributes))
            self.assertEqual(
                (reduced.domain.class_vars, reduced.domain.metas), (data.domain.class_vars, data.domain.metas)
            )
            self.assertEqual(self.widget.result.kept.data.variants.position[1], 107)

    def test_a_study_of_columns_of_data(self):
        data, batch = table(STUDY), np.where(np.arange(60) % 3, "a", "b")
        with data.unlocked():
            data.metas[:, 1] = batch
        stored = {"covariates": ["note", "sex"], "missing": 100.0}
        self.widget = self.ready(data, self.create_widget(OWRankGenotypes, stored_settings=stored))
        codes = np.where(STUDY < 0, np.nan, STUDY)
        how = {"nominal": np.arange(120), "missing": "ignore", "covariates": batch}
        expected = rank(codes, cases(STUDY), "relieff", **how).scores
        np.testing.assert_allclose(self.widget.result.scored.ranking.scores, expected, atol=1e-9)
        self.assertIn("'sex'", str(self.widget.Warning.study_gone))

    def test_sparse_equals_dense(self):
        found = np.where(STUDY < 0, 0, STUDY)
        for is_sparse in (False, True):
            self.ready(table(found, sparse=is_sparse))
            reduced = self.out("reduced")
            columns = [int(variable.name.removeprefix("rs")) for variable in reduced.domain.attributes]
            self.assertGreater(len(columns), 90)
            np.testing.assert_array_equal(reduced.X, found[:, columns])

    def test_variants_without_names_have_those_of_their_places(self):
        path = write_bed(self.folder, STUDY[:, :4])
        lines = ["1 . 0 5 A G", "2 . 0 6 A G", "3 a 0 7 A G", "3 a 0 8 A G"]
        path.with_suffix(".bim").write_text("\n".join(lines) + "\n")
        self.opened(path)
        names = {variable.name for variable in self.out("reduced").domain.attributes}
        self.assertEqual(names, {"1:5", "2:6", "a (1)", "a (2)"})

    def test_people_that_are_left_out_are_not_sent(self):
        data = table(STUDY)
        with data.unlocked():
            data.Y[3] = np.nan
        self.ready(data)
        reduced = self.out("reduced")
        self.assertEqual(len(reduced), 59)
        self.assertNotIn("P3", list(reduced.metas[:, 0]))

    def test_targets(self):
        data = table(STUDY)
        second = ContinuousVariable("height")
        domain = Domain(data.domain.attributes, [data.domain.class_var, second], data.domain.metas)
        both = Table.from_numpy(domain, data.X, np.c_[data.Y, np.arange(60) / 7], data.metas)
        self.ready(both)
        columns = self.widget.sources.columns
        self.assertEqual([columns.itemText(i) for i in range(columns.count())], ["case", "height"])
        columns.setCurrentIndex(1)
        columns.activated.emit(1)
        self.settle()
        self.assertEqual(self.widget.result.scored.ranking.method, "rrelieff")
        np.testing.assert_allclose(self.out("reduced").get_column("height"), np.arange(60) / 7)

    def test_codes_that_classes_of_plink_would_lose(self):
        """Classes 0, 1 and 2 of data are three; in a .fam, 0 would be unknown."""
        data = table(STUDY)
        domain = Domain(data.domain.attributes, DiscreteVariable("c", ("0", "1", "2")), data.domain.metas)
        self.ready(Table.from_numpy(domain, data.X, np.arange(60) % 3, data.metas))
        reduced = self.out("reduced")
        self.assertEqual((len(reduced), reduced.domain.class_var.values), (60, ("0", "1", "2")))

    def test_people_without_names_are_numbered(self):
        data = table(STUDY)
        with data.unlocked():
            data.metas[1, 0] = "P0"
        for given in (data, data.transform(Domain(data.domain.attributes, data.domain.class_vars))):
            self.ready(given)
            self.assertEqual(self.widget.result.kept.data.people[:2].tolist(), ["1", "2"])

    def test_data_come_before_the_file_and_go(self):
        self.opened(write_bed(self.folder, STUDY))
        self.ready(table(codes(40, 90)))
        self.assertEqual(self.widget.result.kept.data.shape[0], 40)
        self.assertFalse(self.widget.sources.open.isEnabled())
        self.ready(None)
        self.assertEqual(self.widget.result.kept.data.shape[0], 60)
        self.assertTrue(self.widget.sources.open.isEnabled())


class TestBadInput(GenotypesTest):
    def test_files(self):
        good = write_bed(self.folder, STUDY)
        cut = write_bed(self.folder, STUDY, name="cut")
        cut.write_bytes(cut.read_bytes()[:-3])
        one = write_bed(self.folder, STUDY, np.ones(60, int), name="one")
        none = write_bed(self.folder, STUDY, np.full(60, -9), name="none")
        constant = write_bed(self.folder, np.ones_like(STUDY), cases(STUDY), name="constant")
        dosages = write_vcf(self.folder, STUDY)
        dosages.write_text(dosages.read_text().replace("\tGT\t", "\tDS\t"))
        empty = self.folder / "empty.npy"
        np.save(empty, np.full((3, 2), 7))
        for path, text in (
            (cut, "cut.bed has"), (one, "only one class, '1'"), (none, "choose the table"),
            (constant, "no variant is left"), (dosages, "has dosages and no genotypes"), (empty, "0, 1 or 2"),
            (self.folder / "no.bed", "there is no file"),
            (self.folder / "no.txt", "there is no file"),
        ):  # fmt: skip
            with self.subTest(path.name):
                self.opened(good)
                self.assertEqual(self.error, "")
                self.assertFalse(self.sent_nothing())
                self.opened(path)
                self.assertIn(text.lower(), self.error.lower())
                self.assertEqual(self.widget.run_state, "failed")
                self.assertTrue(self.sent_nothing())
                self.widget.grab()
        self.opened(good)
        self.assertEqual((self.error, self.widget.run_state), ("", "idle"))

    def test_tables(self):
        odd = table(STUDY)
        with odd.unlocked():
            odd.X[2, 7] = 3
        words = Table.from_numpy(Domain([DiscreteVariable("colour", ("red", "blue"))], odd.domain.class_var),
                                 np.zeros((60, 1)), odd.Y)  # fmt: skip
        alone = table(STUDY, y=np.zeros(60))
        no_class = table(STUDY).transform(Domain(odd.domain.attributes))
        for data, text in (
            (odd, "rs7 is no genotype: it has the value 3"), (words, "colour is no genotype: it has the value red"),
            (Table("iris"), "sepal length is no genotype"), (alone, "only one class, 'no'"), (no_class, "no target"),
            (odd[:0], "no rows"), (table(STUDY)[:, "case"], "no features"),
        ):  # fmt: skip
            self.ready(data)
            self.assertIn(text, self.error)
            self.assertTrue(self.sent_nothing())
        with patch("orangecontrib.reliefe.widgets.owgenotypes.run") as run:  # nothing is begun for such data
            self.send_signal(self.widget.Inputs.data, Table("iris"))
            self.assertIn("sepal length is no genotype", self.error)
            run.assert_not_called()
        late = table(np.tile(STUDY, (2, 1)))
        with late.unlocked():
            late.X[100, 110] = 5
        self.ready(late)
        self.assertIn("rs110 is no genotype: it has the value 5", self.error)
        self.ready(table(STUDY))
        self.assertEqual(self.error, "")

    def test_tables_of_phenotypes(self):
        path, pheno = write_bed(self.folder, STUDY), self.folder / "p.csv"
        box = self.widget.sources
        for text, told in (
            ("iid,a\nX1,1\nX2,2\n", "none of the people"),
            ("", "p.csv cannot be read: it is empty"),
            ("iid\nP0\n", "of names only"),
        ):
            pheno.write_text(text)
            box.table, box.from_table = str(pheno), True
            self.opened(path)
            self.assertIn(told.lower(), self.error.lower())
            self.assertTrue(self.sent_nothing())

    def test_nobody_is_left(self):
        found = np.where(np.arange(120) % 2, STUDY, -1)
        self.opened(write_bed(self.folder, found, cases(STUDY)))
        self.assertIn("nobody is left", self.error.lower())


class TestStop(GenotypesTest):
    def test_stop_keeps_what_there_is(self):
        def endless(*args, progress, **options):
            yield next(refine(*args, **options))
            while True:
                progress(0.5)
                time.sleep(0.005)

        with patch.object(core, "refine", endless):
            self.widget.sources.open_file(str(write_bed(self.folder, STUDY)))
            self.process_events(lambda: self.widget.result.scored is not None, timeout=LIMIT)
            self.assertEqual(self.widget.run_state, "running")
            future = self.widget.task.future
            self.widget.strip.button.click()
            self.assertEqual(self.widget.run_state, "stopped")
            self.wait_for_future(future)
            self.assertTrue(future.done())
        self.assertIsNotNone(self.out("scores"))
        self.widget.strip.button.click()
        self.settle()
        self.assertTrue(self.widget.result.scored.ranking.info["final"])

    def test_stop_before_anything_is_there(self):
        self.widget.sources.open_file(str(write_bed(self.folder, STUDY)))
        self.widget.restart()
        self.widget.stop()
        self.assertEqual(self.widget.run_state, "stopped")
        self.assertTrue(self.sent_nothing())
        self.widget.strip.button.click()
        self.settle()
        self.assertFalse(self.sent_nothing())

    def test_deleted_while_it_runs(self):
        self.widget.sources.open_file(str(write_bed(self.folder, codes(300, 3000))))
        self.widget.restart()
        self.widget.onDeleteWidget()
        self.assertFalse(self.widget._later.isActive())


class TestViews(GenotypesTest):
    def setUp(self):
        super().setUp()
        self.widget.resize(1000, 700)
        self.widget.show()
        self.opened(write_bed(self.folder, STUDY))
        self.area = self.widget.area

    def place(self, variant):
        """Place of a variant in the plot."""
        return self.widget.result.kept.places.x[variant], self.widget.result.scored.heights[variant]

    def index(self, name):
        return self.widget.result.kept.data.variants.name.tolist().index(name)

    def test_a_click_shows_counts_by_class(self):
        variant = self.index("rs1")
        box = self.area.plot.chart.getViewBox()
        at = self.area.plot.mapFromScene(box.mapViewToScene(QPointF(*self.place(variant))))
        QTest.mouseClick(self.area.plot.viewport(), Qt.LeftButton, Qt.NoModifier, QPoint(at))
        self.process_events()
        self.assertEqual(self.area.plot.chosen, variant)
        shown, y = self.area.detail.shown, cases(STUDY)
        self.assertEqual((shown.title, self.widget.chosen), ("rs1", "rs1|1|107"))
        for row, value in enumerate((1, 2)):
            own = STUDY[y == value, 1]
            self.assertEqual(shown.rows[row][:5], (str(value), *(str((own == c).sum()) for c in (0, 1, 2, -1))))
        self.assertEqual(self.area.detail.table.item(2, 0).text(), "all")
        self.assertIn("position 107", shown.facts)
        model = self.area.table.model()
        self.assertEqual(model.variant(self.area.table.currentIndex().row()), variant)

    def test_rows_are_linked_with_the_plot(self):
        self.area.table.selectRow(2)
        variant = self.widget.result.scored.order[2]
        self.assertEqual(self.area.plot.chosen, variant)
        self.assertEqual(self.area.detail.shown.title, self.widget.chosen.split("|")[0])
        self.area.plot.zoom(30)
        self.process_events()
        other = next(f for f in self.widget.result.scored.order if abs(self.place(f)[0] - self.place(variant)[0]) > 0.3)
        self.area.table.selectRow(self.area.table.model().row_of(self.area.table.model().item(other)))
        low, high = self.area.plot.view.x
        self.assertTrue(low <= self.place(other)[0] <= high)

    def test_a_click_beside_all_variants_changes_nothing(self):
        self.assertIsNone(self.area.plot.nearest(0.5, 1e6))
        self.area.plot.clicked_ground(QPointF(10, 10))
        self.assertIsNone(self.area.plot.chosen)

    def test_a_variant_that_is_not_listed(self):
        self.widget.best.setValue(5)
        last = int(self.widget.result.scored.order[-1])
        self.area.plot.pick_point(self.area.plot.nearest(*self.place(last)))
        self.assertEqual(self.area.detail.shown.title, self.widget.result.kept.data.variants.name[last])
        self.assertFalse(self.area.table.selectionModel().hasSelection())
        self.assertEqual(len(self.out("features")), 5)

    def test_keys(self):
        plot = self.area.plot
        before = plot.view.x
        for key, check in (
            (Qt.Key_Plus, lambda low, high: high - low < before[1] - before[0]),
            (Qt.Key_Right, lambda low, high: low > before[0]),
            (Qt.Key_0, lambda low, high: np.allclose((low, high), before)),
        ):
            QTest.keyClick(plot, key)
            self.process_events()
            self.assertTrue(check(*plot.view.x), key)

    def test_keys_go_from_variant_to_variant(self):
        plot, order = self.area.plot, self.widget.result.scored.order
        self.assertTrue(plot.accessibleDescription().startswith("Each point is a variant."))
        for _ in range(2):
            QTest.keyClick(plot, Qt.Key_Down)
        name = self.widget.result.kept.data.variants.name[order[1]]
        self.assertTrue(plot.accessibleDescription().startswith(f"{name}, chromosome"))
        self.assertIn("rank 2", plot.accessibleDescription())
        QTest.keyClick(plot, Qt.Key_Space)
        self.assertEqual((plot.chosen, self.area.detail.shown.title), (order[1], name))

    def test_sorting(self):
        table, model = self.area.table, self.area.table.model()
        for column, key in (("position", lambda f: self.widget.result.kept.data.variants.position[f]),
                            ("score", lambda f: self.widget.result.scored.ranking.scores[f])):  # fmt: skip
            table.sortByColumn(model.place(column), Qt.AscendingOrder)
            keys = [key(model.variant(row)) for row in range(model.rowCount())]
            self.assertEqual(keys, sorted(keys))
        table.sortByColumn(model.place("variant"), Qt.AscendingOrder)
        names = [str(self.widget.result.kept.data.variants.name[model.variant(row)]) for row in range(model.rowCount())]
        self.assertEqual(names, sorted(names, key=lambda name: int(name.removeprefix("rs"))))  # rs2 before rs10
        table.sortByColumn(model.place("rank"), Qt.AscendingOrder)
        self.assertEqual(model.variant(0), self.widget.result.scored.order[0])

    def test_copy(self):
        self.area.table.selectRow(0)
        self.area.table.copy()
        lines = QApplication.clipboard().text().split("\n")
        self.assertEqual(len(lines), 2)
        self.assertEqual(lines[1].split("\t")[:2], ["1", str(self.out("scores")[0]["Feature"])])

    def test_quantiles(self):
        view = self.area.quantiles
        self.area.tabs.setCurrentIndex(1)
        self.assertIsNone(view.p)  # without p-values
        self.assertIs(self.area.figure, view)
        self.widget.methods.form.editors["tested"].click()
        self.settle()
        p = np.sort(self.widget.result.scored.ranking.significance.p)
        np.testing.assert_allclose(np.sort(view.y)[::-1], -np.log10(p))
        np.testing.assert_allclose(np.sort(view.x)[::-1], -np.log10((np.arange(len(p)) + 0.5) / len(p)))
        texts = [item.toPlainText() for item in view.chart.items if isinstance(item, pg.TextItem)]
        single = core.genomic_inflation(self.widget.result.single_variants)
        self.assertTrue(any(text.startswith(f"single variants, lambda {single:.2f}") for text in texts))
        QTest.keyClick(view, Qt.Key_Right)
        self.assertEqual(view.current, view.order[0])
        self.assertIn(f"p {p[0]:.3g}", view.accessibleDescription())
        QTest.keyClick(view, Qt.Key_Return)
        self.assertEqual(self.area.plot.chosen, view.order[0])
        view.set_current(None)
        self.assertIn("lambda", view.accessibleDescription())
        best = int(view.y.argmax())
        at = view.mapFromScene(view.chart.getViewBox().mapViewToScene(QPointF(view.x[best], view.y[best])))
        QTest.mouseClick(view.viewport(), Qt.LeftButton, Qt.NoModifier, QPoint(at))
        self.process_events()
        shown = view.chosen
        self.assertAlmostEqual(view.y[shown], view.y[best], delta=0.2)
        self.assertEqual(self.area.plot.chosen, shown)
        self.assertIn(self.widget.chosen.split("|")[0], view.callout.label.toPlainText())
        self.widget.send_report()
        self.assertIn("QQ plot", self.widget.report_html)
        other = self.create_widget(OWRankGenotypes, stored_settings=self.packed())
        self.assertIs(other.area.figure, other.area.quantiles)

    def test_report_and_palettes(self):
        self.area.table.selectRow(0)
        self.widget.send_report()
        self.assertIn("ReliefF", self.widget.report_html)
        self.assertIn("Best variants", self.widget.report_html)
        saved = QApplication.palette()
        try:
            QApplication.setPalette(base.dark_palette())
            self.process_events()
            self.widget.resize(680, 600)
            self.widget.grab()
            self.assertLessEqual(self.widget.width(), 680)
            self.assertEqual(len(self.area.plot.drawn), len(self.widget.result.scored.order))
        finally:
            QApplication.setPalette(saved)

    def test_settings(self):
        self.area.table.selectRow(1)
        self.widget.best.setValue(7)
        self.widget.filters.maf_box.setValue(5)
        self.settle()
        chosen = self.widget.chosen
        stored = self.packed()
        self.assertEqual(
            (stored["n_best"], stored["filters"]["maf"], stored["sources"]["path"]), (7, 5.0, self.widget.sources.path)
        )
        other = self.settle(self.create_widget(OWRankGenotypes, stored_settings=stored))
        self.assertEqual(len(self.out("features", other)), 7)
        self.assertEqual(other.area.detail.shown.title, chosen.split("|")[0])
        again = self.packed(other)
        again.pop("__version__", None)  # Orange adds it to what was stored
        stored.pop("__version__", None)
        self.assertEqual(again, stored)


CELL = 3  # pixels of a square in which one variant is drawn


class TestManyVariants(GenotypesTest):
    def study(self):
        """A .bed of eight people and 60,000 variants on four chromosomes, whose names are in no order."""
        rng = np.random.default_rng(0)
        path = write_bed(self.folder, rng.integers(0, 3, (8, 60_000)), [1, 2] * 4)
        places = sorted(zip(rng.choice(["X", "10", "2", "1"], 60_000), rng.integers(1, 2 * 10**8, 60_000), strict=True))
        lines = [f"{chromosome} rs{f} 0 {position} A G" for f, (chromosome, position) in enumerate(places)]
        path.with_suffix(".bim").write_text("\n".join(lines) + "\n")
        return path

    def test_what_is_drawn_is_bounded(self):
        self.widget.resize(1000, 700)
        self.widget.show()
        self.opened(self.study())
        found, plot = self.widget.result, self.widget.area.plot
        places, heights = found.kept.places, found.scored.heights
        self.assertEqual(places.names, ("1", "2", "10", "X"))
        self.assertTrue((places.ends[1:, 0] > places.ends[:-1, 1]).all())
        for factor in (1.0, 4.0):
            plot.zoom(factor)
            self.process_events()
            px, py = plot.view.pixels(places.x, heights)
            inside = (px >= 0) & (px <= plot.view.width) & (py >= 0) & (py <= plot.view.height)
            cells = {(int(a / CELL), int(b / CELL)) for a, b in zip(px[inside], py[inside], strict=True)}
            drawn = [(int(px[f] / CELL), int(py[f] / CELL)) for f in plot.drawn]
            self.assertEqual(len(drawn), len(set(drawn)))
            self.assertEqual(set(drawn), cells)
            self.assertLess(len(drawn), inside.sum())
        for f in plot.drawn[:: len(plot.drawn) // 5]:
            far = (px - px[f]) ** 2 + (py - py[f]) ** 2
            self.assertEqual(far[plot.nearest(places.x[f], heights[f])], far.min())
        best = int(found.scored.order[0])
        plot.pick_point(best)
        plot.zoom(1e5)
        self.process_events()
        seen = places.within(*plot.view.x)
        self.assertEqual(set(plot.drawn.tolist()), set(seen.tolist()))  # close enough, every one is drawn


class TestNames(unittest.TestCase):
    def test_labels_find_variants_of_one_name(self):
        none = np.full(3, "")
        variants = Variants(np.array([".", ".", "a|b"]), np.array(["1", "1", "2"]), np.array([5, 6, 7]), none, none)
        self.assertEqual([find(variants, label_of(variants, f)) for f in range(3)], [0, 1, 2])
        for label in (".|1|7", ".", "", "x|1|5"):
            self.assertIsNone(find(variants, label))


class TestPaths(unittest.TestCase):
    def test_files_beside_workflows_and_examples_are_found(self):
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "study.bed"
            self.assertEqual(located("study.bed", folder), "study.bed")
            path.touch()
            self.assertEqual(located("study.bed", folder), str(path))
            self.assertEqual(located(str(path)), str(path))
        self.assertTrue(Path(located("pair-of-loci.bed")).is_file())
        self.assertEqual(located(""), "")


@pytest.mark.slow
class TestTutorial(GuiTest):
    def test_from_a_genome_to_a_network(self):
        with run(Path(tutorials.__file__).parent / "16-genome.ows") as result:
            best = result.output("Rank Genotypes", "Reduced Data")
            pairs = result.output("Feature Interactions", "Pairs")
        self.assertEqual(best.X.shape, (400, 200))
        self.assertEqual({v.name for v in best.domain.attributes[:2]}, {"rs1241", "rs2133"})
        self.assertEqual({str(name) for name in pairs.metas[0]}, {"rs1241", "rs2133"})
        self.assertEqual(pairs[0, "Edge"], 1)


if __name__ == "__main__":
    unittest.main()
