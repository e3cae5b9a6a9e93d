"""Dosages in Rank Genotypes: for which files they are offered, and what is ranked, shown and sent."""

import numpy as np

from orangecontrib.reliefe.genetics import rank_genotypes
from orangecontrib.reliefe.tests.genetics.studies import cases, codes, write_bed
from orangecontrib.reliefe.tests.genetics.test_dosages import imputed, write_dosages
from orangecontrib.reliefe.widgets.owgenotypes import OWRankGenotypes
from orangecontrib.reliefe.widgets.tests.genotypes import GenotypesTest


class TestDosages(GenotypesTest):
    def setUp(self):
        super().setUp()
        self.table = self.folder / "ill.csv"
        ill = cases(codes(40, 30))
        self.table.write_text("iid,ill\n" + "".join(f"P{i},{value}\n" for i, value in enumerate(ill)))
        self.widget = self.create_widget(OWRankGenotypes, stored_settings={"sources": self.stored()})

    def stored(self, **settings):
        """Settings of the box of sources, with the table of phenotypes."""
        return {"table": str(self.table), "from_table": True, "column": "ill", **settings}

    def test_are_ranked_and_sent_as_numbers(self):
        path = write_dosages(self.folder, imputed())
        box = self.opened(path).sources.dosage_box
        self.assertEqual((box.isEnabled(), box.isChecked()), (True, False))
        self.assertIn("not their dosages (DS)", self.widget.headline.beside.toolTip())
        self.assertIn("Dosages in Rank Genotypes", self.widget.headline.beside.toolTip())
        as_genotypes = self.widget.result.scored.ranking.scores
        np.testing.assert_array_equal(as_genotypes, rank_genotypes(path, self.table).scores)

        box.click()
        self.settle()
        expected = rank_genotypes(path, self.table, dosages=True)
        np.testing.assert_array_equal(self.widget.result.scored.ranking.scores, expected.scores)
        np.testing.assert_allclose(self.widget.result.kept.frequency, expected.frequency)
        self.assertFalse((as_genotypes == expected.scores).all())
        self.assertNotIn("not their dosages", self.widget.headline.beside.toolTip())
        self.assertIn("ReliefF, dosages, ", self.widget.strip.label.text())
        best = self.out("reduced").domain.attributes
        self.assertTrue(all(variable.is_continuous for variable in best))
        of_best = imputed()[:, [int(variable.name[2:]) for variable in best]]
        np.testing.assert_allclose(self.out("reduced").X, of_best, atol=1e-6)
        self.widget.area.table.variant_chosen.emit(3)
        self.assertIn("dosages counted as the nearest genotypes", self.widget.area.detail.title.text())

    def test_are_tested(self):
        path = write_dosages(self.folder, imputed())
        self.opened(path).sources.dosage_box.click()
        self.widget.methods.form.editors["tested"].click()
        self.settle()
        expected = rank_genotypes(path, self.table, dosages=True, significance=True)
        np.testing.assert_array_equal(self.widget.result.scored.ranking.significance.p, expected.significance.p)
        np.testing.assert_array_equal(self.widget.result.single_variants, expected.single_variants)

    def test_the_setting_waits_for_a_file_that_has_them(self):
        self.widget = self.create_widget(OWRankGenotypes, stored_settings={"sources": self.stored(dosages=True)})
        bed = write_bed(self.folder, codes(40, 30))
        box = self.opened(bed).sources.dosage_box
        self.assertEqual((self.error, box.isEnabled(), box.isChecked()), ("", False, True))
        self.assertIsNone(self.widget.result.read.dosages)
        self.opened(write_dosages(self.folder, imputed()))
        self.assertEqual((self.error, box.isEnabled()), ("", True))
        self.assertIsNotNone(self.widget.result.read.dosages)
        self.assertTrue(self.packed()["sources"]["dosages"])
        again = self.create_widget(OWRankGenotypes, stored_settings=self.packed())
        self.settle(again)
        self.assertTrue(again.sources.dosage_box.isChecked())
        self.assertIsNotNone(again.result.read.dosages)

    def test_data_and_missing_files_have_none(self):
        self.opened(write_dosages(self.folder, imputed()))
        self.ready(self.out("reduced")[:, :3])
        self.assertFalse(self.widget.sources.dosage_box.isEnabled())
        self.ready(None)
        self.assertTrue(self.widget.sources.dosage_box.isEnabled())
        self.opened(self.folder / "no.vcf")
        self.assertFalse(self.widget.sources.dosage_box.isEnabled())
