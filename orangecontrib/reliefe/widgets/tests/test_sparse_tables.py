"""Outputs of Sparsify: the table, the preprocessor, and the numbers they come from."""

import pickle
import unittest
from unittest.mock import patch

import numpy as np
import scipy.sparse as sp
from Orange.classification import LogisticRegressionLearner
from Orange.data import Domain, Table
from Orange.evaluation import CrossValidation

from orangecontrib.reliefe.core import Interrupted, embedding
from orangecontrib.reliefe.orange import sparsify_job
from orangecontrib.reliefe.orange.sparsification import Numeric, Sparsify
from orangecontrib.reliefe.orange.sparsify_job import epsilon_grid
from orangecontrib.reliefe.widgets.tests import base, computing


def as_csr(table):
    return Table.from_numpy(table.domain, sp.csr_matrix(table.X), table.Y, table.metas)


class TestNumbers(unittest.TestCase):
    def test_the_grid_reaches_from_nearly_all_values_to_hardly_any(self):
        numeric = Numeric.of(computing.exponential())
        epsilons = epsilon_grid(numeric)
        self.assertTrue((np.diff(epsilons) > 0).all())
        most, fewest = (embedding.sparsify(numeric.values, epsilon=end).expected for end in epsilons[[0, -1]])
        self.assertGreater(most, 0.98 * numeric.cells)
        self.assertLess(fewest, 0.02 * numeric.cells)
        with patch.object(sparsify_job, "VALUES_PER_CHECK", 7):
            np.testing.assert_array_equal(epsilon_grid(numeric), epsilons)
        self.assertEqual(len(epsilon_grid(Numeric.of(Table.from_numpy(None, np.zeros((20, 3)))))), 0)

    def test_reading_can_be_stopped(self):
        def stop():
            raise Interrupted

        with self.assertRaises(Interrupted):
            epsilon_grid(Numeric.of(computing.exponential()), stop)

    def test_dense_and_sparse_are_the_same(self):
        data = base.with_metas(Table("housing"))
        dense, csr = (Numeric.of(table) for table in (data, as_csr(data)))
        np.testing.assert_array_equal(csr.values.toarray(), dense.values)
        np.testing.assert_array_equal(csr.ranges, dense.ranges)


class TestTable(computing.SparsifyTest):
    def test_is_what_the_core_makes_in_units_of_ranges(self):
        data = computing.exponential()
        self.ready(data)
        self.choose_epsilon(20.0)
        ranges = np.ptp(data.X, axis=0)
        expected = embedding.sparsify(data.X / ranges, epsilon=20.0)
        out = self.out("data")
        self.assertTrue(sp.issparse(out.X))
        self.assertEqual(out.X.format, "csr")
        np.testing.assert_array_equal(out.X.toarray(), expected.X.toarray() * ranges)
        self.assertLess(out.X.nnz, 0.9 * data.X.size)

    def test_without_units(self):
        data = computing.exponential()
        self.widget.units.click()
        self.ready(data)
        expected = embedding.sparsify(data.X)
        np.testing.assert_array_equal(self.out("data").X.toarray(), expected.X.toarray())
        self.assertEqual(self.widget.result.automatic, expected.epsilon)

    def test_all_else_stays(self):
        data = base.with_metas(base.random_table(80, 6))
        data.name = "some"
        data.attributes["note"] = "kept"
        self.ready(data)
        self.choose_epsilon(30.0)
        out = self.out("data")
        self.assertEqual(out.domain, data.domain)
        np.testing.assert_array_equal(out.ids, data.ids)
        np.testing.assert_array_equal(out.Y, data.Y)
        np.testing.assert_array_equal(out.metas, data.metas)
        self.assertEqual((out.name, out.attributes), ("some", {"note": "kept"}))
        again = out.transform(Domain(out.domain.attributes[:4], out.domain.class_vars))
        self.assertTrue(sp.issparse(again.X))

    def test_dense_and_sparse_input(self):
        data = Table("housing")
        self.ready(data)
        dense = self.out("data").X.toarray()
        self.ready(as_csr(data))
        np.testing.assert_array_equal(self.out("data").X.toarray(), dense)

    def test_categorical_and_unknown_stay(self):
        heart = Table("heart_disease")
        self.ready(heart)
        self.choose_epsilon(30.0)
        out = self.out("data")
        nominal = [j for j, v in enumerate(heart.domain.attributes) if v.is_discrete]
        np.testing.assert_array_equal(out.X.toarray()[:, nominal], heart.X[:, nominal])
        np.testing.assert_array_equal(np.isnan(out.X.toarray()), np.isnan(heart.X))
        self.assertTrue(self.widget.Information.categorical.is_shown())
        self.assertTrue(self.widget.Information.missing.is_shown())
        dense = out.X.toarray()
        self.ready(as_csr(heart))
        np.testing.assert_array_equal(self.out("data").X.toarray(), dense)

    def test_same_seed_same_table(self):
        self.ready(computing.exponential())
        self.choose_epsilon(20.0)
        first = self.out("data").X.toarray()
        self.widget.seeds.setValue(1)
        self.settle()
        self.assertFalse(np.array_equal(self.out("data").X.toarray(), first))
        self.widget.seeds.setValue(0)
        self.settle()
        np.testing.assert_array_equal(self.out("data").X.toarray(), first)

    def test_input_is_not_changed(self):
        data = as_csr(Table("heart_disease"))
        before = data.X.copy()
        self.ready(data)  # it is locked: writing would raise
        np.testing.assert_array_equal(data.X.toarray(), before.toarray())


class TestPreprocessor(computing.SparsifyTest):
    def test_makes_the_same_of_the_same_data(self):
        data = Table("heart_disease")
        self.ready(data)
        self.choose_epsilon(17.3)
        tool = pickle.loads(pickle.dumps(self.out("preprocessor")))
        self.assertIsInstance(tool, Sparsify)
        again, out = tool(data), self.out("data")
        np.testing.assert_array_equal(again.X.toarray(), out.X.toarray())
        self.assertEqual(again.domain, data.domain)

    def test_keeps_the_threshold_for_other_data(self):
        data = computing.exponential()
        self.ready(data)
        self.choose_epsilon(20.0)
        threshold = self.widget.result.sparsified.threshold
        some = self.out("preprocessor")(data[:30])
        values = np.abs(some.X.toarray() / np.ptp(data.X, axis=0))
        np.testing.assert_allclose(values[values > 0].min(), threshold)

    def test_other_columns_stay(self):
        data = computing.exponential()
        tool = Sparsify(20.0, 135, {data.domain.attributes[0].name: 1.0})
        np.testing.assert_array_equal(tool(data).X.toarray()[:, 1:], data.X[:, 1:])
        self.assertEqual(len(tool(data[:0])), 0)
        iris = Table("iris")
        self.assertIs(tool(iris), iris)

    def test_in_cross_validation(self):
        data = base.random_table(80, 6)
        self.ready(data)
        self.choose_epsilon(5.0)
        result = CrossValidation(k=3)(data, [LogisticRegressionLearner()], preprocessor=self.out("preprocessor"))
        self.assertEqual(result.failed, [False])
        self.assertGreater(np.mean(result.actual == result.predicted[0]), 0.7)


if __name__ == "__main__":
    unittest.main()
