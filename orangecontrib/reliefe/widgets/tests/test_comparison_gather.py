"""From tables and scorers to a comparison."""

import unittest
from dataclasses import replace
from unittest.mock import Mock

import numpy as np
from Orange.classification import RandomForestLearner
from Orange.data import ContinuousVariable, DiscreteVariable, Domain, StringVariable, Table, TimeVariable
from Orange.preprocess.score import ANOVA, InfoGain, Scorer

from orangecontrib.reliefe.core.evaluation import AGGREGATIONS, aggregate
from orangecontrib.reliefe.orange.comparison.aggregation import METHODS, aggregated
from orangecontrib.reliefe.orange.comparison.comparison import ComparedRankings
from orangecontrib.reliefe.orange.comparison.gather import gather, pair, with_titles
from orangecontrib.reliefe.orange.comparison.named_scores import NamedScores, columns_of, finite
from orangecontrib.reliefe.orange.comparison.scoring import ScoredRankings, rank_by
from orangecontrib.reliefe.orange.comparison.stability_selection import stable
from orangecontrib.reliefe.orange.scores_table import scores_table
from orangecontrib.reliefe.widgets.tests.base import random_table


def column(title, names, scores, scorer=None):
    return NamedScores(title, tuple(names), np.array(scores, float), scorer)


def state(interrupted=False):
    """State of a task that runs, or one that is to end."""
    made = Mock()
    made.is_interruption_requested.return_value = interrupted
    return made


class Failing(Scorer):
    """Fails on every table."""

    name = "Failing"

    def __call__(self, data, feature=None):
        raise ValueError("not these data")


class TestColumns(unittest.TestCase):
    def test_ours(self):
        table = scores_table(["a", "b"], {"One": np.array([1.0, 2]), "Two": np.array([3.0, 4])})
        found = columns_of(table)
        self.assertEqual([(c.title, c.names) for c in found], [("One", ("a", "b")), ("Two", ("a", "b"))])
        np.testing.assert_array_equal(found[1].scores, [3, 4])

    def test_text_that_is_called_feature(self):
        domain = Domain([ContinuousVariable("s")], metas=[StringVariable("note"), StringVariable("My feature")])
        table = Table.from_numpy(domain, [[1.0], [2]], metas=np.array([["x", "a"], ["y", "b"]], object))
        self.assertEqual(columns_of(table)[0].names, ("a", "b"))

    def test_categorical_names_and_scores_anywhere(self):
        names = DiscreteVariable("name", ("a", "b"))
        domain = Domain([names, TimeVariable("when")], ContinuousVariable("s"), [ContinuousVariable("t")])
        table = Table.from_numpy(domain, [[1.0, 5], [0, 6]], [1.0, 2], [[7.0], [8]])
        found = columns_of(table)
        self.assertEqual([(c.title, c.names) for c in found], [("s", ("b", "a")), ("t", ("b", "a"))])

    def test_rows_without_a_name(self):
        table = scores_table(["a", "", "?", "b"], {"s": np.arange(4.0)})
        self.assertEqual(columns_of(table)[0].names, ("a", "b"))
        np.testing.assert_array_equal(columns_of(table)[0].scores, [0, 3])

    def test_sparse(self):
        table = scores_table(["a", "b"], {"s": np.array([0.0, 2])}).to_sparse()
        np.testing.assert_array_equal(columns_of(table)[0].scores, [0, 2])

    def test_of_p_and_positions_the_lower_is_better(self):
        tests = {"z": np.array([2.0, 1]), "p": np.array([0.1, 0.3]), "q": np.array([0.2, 0.4])}
        ours = scores_table(["a", "b"], {"p": np.array([3.0, 2])}, tests)  # a score may have any title
        lower = [ContinuousVariable(title) for title in ("Position", "rank", "q", "own_p")]  # as read from a file
        read = Table.from_numpy(Domain(lower, metas=[StringVariable("Feature")]), [[7, 1, 0.2, 0.5]], metas=[["a"]])
        found = {c.title: (c.scores[0], c.aside) for c in (*columns_of(ours), *columns_of(read))}
        expected = {"p (1) (lower is better)": (-0.1, True), "q (lower is better)": (-0.2, True), "z": (2.0, True)}
        expected |= {"Position (lower is better)": (-7, True), "rank (lower is better)": (-1, True)}
        expected["own_p (lower is better)"] = -0.5, True
        self.assertLessEqual(expected.items(), found.items())

    def test_nothing_to_read(self):
        self.assertEqual(columns_of(Table("iris")[:0]), [])
        self.assertEqual(columns_of(Table("iris")), [])
        self.assertEqual(columns_of(Table.from_domain(Domain([], metas=[StringVariable("Feature")]), 2)), [])


class TestSources(unittest.TestCase):
    """Rankings of one title are named by the data that they are of."""

    def test_of_two_cohorts(self):
        tables = [scores_table(["a", "b"], {"MultiSURF": np.array([1.0, 2]), "z": np.ones(2)}) for _ in "ab"]
        for table, name in zip(tables, ("first cohort", "second cohort"), strict=True):
            table.attributes = {"ranked data": name}
        columns = [column for table in tables for column in columns_of(table)]
        titles = [column.title for column in with_titles(columns)]
        self.assertEqual(titles[::2], ["MultiSURF (first cohort)", "MultiSURF (second cohort)"])

    def test_of_files(self):
        tables = [scores_table(["a"], {"SURF": np.ones(1)}) for _ in "abc"]
        for table, name in zip(tables, ("x", "y", "untitled"), strict=True):
            table.name = name
        (x,), (y,), (unnamed,) = map(columns_of, tables)
        self.assertEqual([c.title for c in with_titles([x, y])], ["SURF (x)", "SURF (y)"])
        self.assertEqual([c.title for c in with_titles([x, unnamed])], ["SURF", "SURF (2)"])
        self.assertEqual([c.title for c in with_titles([x, x])], ["SURF", "SURF (2)"])
        self.assertEqual([c.title for c in with_titles([x])], ["SURF"])


class TestGather(unittest.TestCase):
    def test_matched_by_name(self):
        c = gather([column("A", "abc", [3, 2, 1]), column("B", "cab", [3, 2, 1])])
        self.assertEqual((c.features, c.titles, c.notes), (("a", "b", "c"), ("A", "B"), ()))
        np.testing.assert_array_equal(c.scores, [[3, 2, 1], [2, 1, 3]])
        np.testing.assert_array_equal(c.places, [[0, 1, 2], [1, 2, 0]])
        np.testing.assert_array_equal(c.orders, [[0, 1, 2], [2, 0, 1]])

    def test_common_features_go_on(self):
        c = gather([column("A", "abc", [3, 2, 1]), column("B", "bcd", [3, 2, 1])])
        self.assertEqual(c.features, ("b", "c"))
        self.assertEqual(list(c.notes), ["2 of 4 features are in all rankings; the rest are left out"])

    def test_nothing_in_common(self):
        c = gather([column("A", "ab", [2, 1]), column("B", "cd", [2, 1])])
        self.assertEqual(c.titles, ("A",))
        self.assertIn("Left out, since none of its features is in all other rankings: B", c.notes)

    def test_order_of_the_data(self):
        data = random_table(20, 3)
        c = gather([column("A", ("x2", "x0"), [2, 1])], data)
        self.assertEqual(c.features, ("x0", "x2"))
        self.assertEqual([v.name for v in c.table.domain.attributes], ["x0", "x2"])
        self.assertEqual(c.table.domain.class_vars, data.domain.class_vars)

    def test_data_of_something_else(self):
        c = gather([column("A", "ab", [2, 1])], random_table(20, 3))
        self.assertIsNone(c.data)
        self.assertIsNone(c.table)
        self.assertEqual(c.features, ("a", "b"))
        self.assertIn("not used", c.notes[0])

    def test_ranking_of_other_data(self):
        c = gather([column("A", "ab", [2, 1]), column("B", ("x0",), [1])], random_table(20, 3))
        self.assertEqual((c.titles, c.features), (("B",), ("x0",)))
        self.assertTrue(any("in the data: A" in note for note in c.notes))

    def test_duplicates(self):
        c = gather([column("A", "aba", [1, 2, 3])])
        np.testing.assert_array_equal(c.scores, [[1, 2]])
        self.assertEqual(list(c.notes), ["A feature with several rows counts once, by its first row: A (1)"])

    def test_unknown_scores_come_last(self):
        c = gather([column("A", "abc", [np.nan, 2, -5])])
        np.testing.assert_array_equal(c.orders, [[1, 2, 0]])
        self.assertEqual(list(c.notes), ["Features without a score come last in: A (1)"])

    def test_infinite_scores(self):
        c = gather([column("A", "abcd", [np.inf, 2, -np.inf, 3])])
        np.testing.assert_array_equal(c.orders, [[0, 3, 1, 2]])
        self.assertTrue(np.isfinite(c.scores).all())
        self.assertIn("Infinite", c.notes[0])

    def test_no_score_at_all(self):
        c = gather([column("A", "ab", [np.nan, np.nan]), column("B", "ab", [1, 2])])
        self.assertEqual(c.titles, ("B",))
        self.assertEqual(list(c.notes), ["Left out, since no score is known: A"])

    def test_constant(self):
        c = gather([column("A", "ab", [7, 7]), column("B", "ab", [1, 2])])
        np.testing.assert_array_equal(c.constant, [True, False])
        self.assertIn("same score", c.notes[0])

    def test_left_out_by_the_user(self):
        c = gather([column("A", "ab", [1, 2]), column("A", "bc", [1, 2])], left_out=["A"])
        self.assertEqual((c.titles, c.features), (("A (2)",), ("b", "c")))

    def test_nothing(self):
        c = gather([], random_table(10, 2))
        self.assertEqual((c.titles, c.features, c.scores.shape), ((), (), (0, 0)))

    def test_titles_differ(self):
        titles = [c.title for c in with_titles([column(t, "a", [1]) for t in ("A", "A", "B", "A (2)", "A")])]
        self.assertEqual(len(set(titles)), 5)
        self.assertEqual((titles[0], titles[2], titles[3]), ("A", "B", "A (2)"))

    def test_finite(self):
        np.testing.assert_array_equal(finite(np.array([np.nan, np.nan])).argsort(kind="stable"), [0, 1])
        found = finite(np.array([-np.inf, np.nan, 0.0, 1, np.inf]))
        np.testing.assert_array_equal(found.argsort(), [1, 0, 2, 3, 4])
        np.testing.assert_array_equal(found[2:4], [0, 1])
        largest = np.finfo(float).max
        np.testing.assert_array_equal(finite(np.array([largest, -largest, np.nan, 2, 3])).argsort(), [2, 1, 3, 4, 0])


class TestScoring(unittest.TestCase):
    def setUp(self):
        self.data = random_table(60, 4)

    def test_scorers_find_their_columns(self):
        first, second = ANOVA(), ANOVA()
        columns, alone = pair([column("ANOVA", "ab", [1, 2]), column("B", "ab", [1, 2])], [first, InfoGain(), second])
        self.assertIs(columns[0].scorer, first)
        self.assertIsNone(columns[1].scorer)
        self.assertEqual(alone, [1, 2])

    def test_rank_by(self):
        scorers, now = [ANOVA(), Failing(), RandomForestLearner(n_estimators=5)], state()
        result = rank_by(self.data, scorers, [0, 1, 2], ScoredRankings(), now)
        self.assertEqual(sorted(result.columns), [0, 2])
        self.assertIn("not these data", result.failures[1])
        np.testing.assert_allclose(result.columns[0].scores, ANOVA()(self.data))
        self.assertIs(result.columns[0].scorer, scorers[0])
        self.assertEqual(result.columns[2].scores.argmax(), 0)
        self.assertEqual(now.set_partial_result.call_count, 3)

    def test_what_is_known_is_not_ranked_again(self):
        known = rank_by(self.data, [ANOVA()], [0], ScoredRankings(), state())
        again = rank_by(self.data, [ANOVA()], [0], known, state())
        self.assertIs(again.columns[0], known.columns[0])
        self.assertEqual(rank_by(self.data, [ANOVA()], [0], ScoredRankings(), state(interrupted=True)).columns, {})

    def test_stable(self):
        now = state()
        found = stable(self.data, [ANOVA(), InfoGain()], 1, "", now)
        self.assertEqual(found.scores[0], 1)
        self.assertEqual((found.pairs, found.done, found.n_best), (50, True, 1))
        self.assertAlmostEqual(found.bound, 1 / (0.5 * 4))
        parts = [call.args[0] for call in now.set_partial_result.call_args_list]
        self.assertEqual([part.pairs for part in parts], [3, 10, 25, 50])
        self.assertFalse(parts[0].done)
        self.assertIn("1 feature is among the best 1 in 75 % of 100 halves", found.summary())
        wide = replace(found, scores=np.ones(6), n_best=6, bound=12.0)
        self.assertTrue(
            wide.summary().endswith("6 features are among the best 6 in 75 % of 100 halves, by chance perhaps all")
        )
        np.testing.assert_array_equal(stable(self.data, [ANOVA(), InfoGain()], 1, "", state()).scores, found.scores)

    def test_stable_fails_with_a_reason(self):
        with self.assertRaisesRegex(ValueError, "Failing cannot rank 30 rows: not these data"):
            stable(self.data, [Failing()], 2, "", state())


class TestAggregated(unittest.TestCase):
    def test_all_methods_of_the_core(self):
        self.assertEqual({*METHODS} - {"stability"}, {*AGGREGATIONS})

    def test_scores(self):
        c = ComparedRankings(("a", "b", "c"), ("A", "B", "flat"), np.array([[3.0, 2, 1], [3, 1, 2], [1, 1, 1]]))
        for method in AGGREGATIONS:
            found, expected = aggregated(c, method, None), aggregate(c.scores[:2], method)
            np.testing.assert_array_equal(found.values, expected.scores)
            np.testing.assert_array_equal(found.order, expected.ranking)

    def test_equal_scores_are_ordered(self):
        c = ComparedRankings(("a", "b"), ("A", "B"), np.array([[1.0, 2], [9, 1]]))
        np.testing.assert_array_equal(aggregated(c, "mean-rank", None).order, [0, 1])
        c = ComparedRankings(("a", "b", "c"), ("A", "B"), np.array([[1.0, 2, 0], [0, 9, 10]]))
        self.assertEqual(aggregated(c, "mean-rank", None).order[0], 1)

    def test_only_flat_rankings(self):
        c = ComparedRankings(("a", "b"), ("A",), np.ones((1, 2)))
        np.testing.assert_array_equal(aggregated(c, "mean-rank", None).order, [0, 1])

    def test_nothing(self):
        self.assertIsNone(aggregated(None, "mean-rank", None))
        self.assertIsNone(aggregated(ComparedRankings((), (), np.zeros((0, 0))), "mean-rank", None))
        self.assertIsNone(aggregated(ComparedRankings(("a",), ("A",), np.ones((1, 1))), "stability", None))


if __name__ == "__main__":
    unittest.main()
