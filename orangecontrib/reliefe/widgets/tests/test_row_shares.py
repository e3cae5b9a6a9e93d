"""Shares of the rows in a score as a beeswarm behind *Why?*."""

import unittest

import numpy as np
from Orange.data import Table

from orangecontrib.reliefe import explain, rank
from orangecontrib.reliefe.orange.values.row_shares import MAX_DOTS, MIN_STACK, beeswarm, picture_of_shares
from orangecontrib.reliefe.widgets.tests import base
from orangecontrib.reliefe.widgets.tests.widgettest import LIMIT


def stacked(x, n_columns):
    """Heights by plain loops: dots of a column in the order of x, in turn above and below the middle."""
    low, high = min(x), max(x)
    columns = {}
    for i, value in enumerate(x):
        column = min(int((value - low) / (high - low) * n_columns), n_columns - 1) if high > low else 0
        columns.setdefault(column, []).append(i)
    highest = max(MIN_STACK, max(map(len, columns.values())) // 2)
    heights = [0.0] * len(x)
    for members in columns.values():
        for place, i in enumerate(sorted(members, key=lambda i: (x[i], i))):
            step = (place + 1) // 2
            heights[i] = (step if place % 2 else -step) / highest
    return heights


class TestBeeswarm(unittest.TestCase):
    def test_heights_are_those_of_loops(self):
        rng = np.random.default_rng(0)
        for n, n_columns in ((1, 5), (7, 3), (200, 20), (400, 60)):
            x = rng.normal(size=n).round(2)
            np.testing.assert_allclose(beeswarm(x, n_columns), stacked(x.tolist(), n_columns))

    def test_no_two_dots_of_a_column_have_one_place_and_none_leaves_the_lane(self):
        heights = beeswarm(np.zeros(99))
        self.assertEqual(len(np.unique(heights)), 99)
        self.assertEqual((heights.min(), heights.max()), (-1, 1))
        self.assertEqual(beeswarm(np.zeros(0)).shape, (0,))

    def test_few_dots_stay_near_the_middle(self):
        self.assertLess(np.abs(beeswarm(np.array([1.0, 1.0, 1.0]), 1)).max(), 0.3)


class TestPicture(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.heart = Table("heart_disease")
        cls.ranking = rank(cls.heart, "multisurf")

    def test_rows_are_in_the_lane_of_their_class_at_their_share(self):
        explanation = explain(self.ranking, "age")
        picture = picture_of_shares(self.heart, "age", explanation.rows)
        points = picture.drawing
        self.assertEqual(points.sides[1].names, ("0", "1"))
        np.testing.assert_array_equal(points.x, explanation.rows)
        np.testing.assert_array_equal(points.y.round(), self.heart.Y)
        np.testing.assert_array_equal(points.values, self.heart.get_column("age"))
        again = picture_of_shares(self.heart, "age", explanation.rows).drawing
        np.testing.assert_array_equal(points.y, again.y)
        self.assertIn("0: median", picture.described)

    def test_values_of_a_category_are_colours_and_missing_ones_have_their_own(self):
        points = picture_of_shares(self.heart, "thal", explain(self.ranking, "thal").rows).drawing
        self.assertEqual(points.parts, (*self.heart.domain["thal"].values, "missing"))
        column = self.heart.get_column("thal")
        self.assertEqual((points.codes == 3).sum(), np.isnan(column).sum())

    def test_the_caption_says_how_missing_numbers_are_drawn(self):
        data = base.random_table(40, 3)
        shares = np.linspace(-1, 1, 40)
        self.assertEqual(picture_of_shares(data, "x0", shares).caption, "40 rows; rows right of 0 raise the score")
        with data.unlocked():
            data.X[::10, 0] = np.nan
        caption = picture_of_shares(data, "x0", shares).caption
        self.assertTrue(caption.endswith("; 4 missing values coloured as the median"), caption)

    def test_many_rows_are_drawn_by_a_few_thousand_dots(self):
        data = base.random_table(3 * MAX_DOTS, 3)
        shares = np.random.default_rng(0).normal(size=len(data))
        shares[:10] = np.nan
        picture = picture_of_shares(data, "x0", shares)
        self.assertEqual(len(picture.drawing.x), MAX_DOTS)
        self.assertEqual((picture.drawing.x.min(), picture.drawing.x.max()), (np.nanmin(shares), np.nanmax(shares)))
        self.assertIn(f"{MAX_DOTS:,} of {len(data) - 10:,} rows drawn", picture.caption)

    def test_a_number_has_one_lane_and_other_methods_have_no_shares(self):
        housing = Table("housing")[:60]
        points = picture_of_shares(housing, "RM", explain(rank(housing, "rrelieff"), "RM").rows).drawing
        self.assertEqual(points.sides[1].names, ("all rows",))
        self.assertIsNone(picture_of_shares(housing, "RM", explain(rank(housing, "mutualinfo"), "RM").rows))
        self.assertIsNone(picture_of_shares(housing, "RM", np.full(60, np.nan)))


class TestWhy(base.RankerTest):
    usual = {"methods": ["multisurf"]}

    def test_shares_take_the_place_of_the_values_until_why_is_clicked_again(self):
        widget = self.ready(self.heart, self.make(values_open=True))
        widget.show()
        panel = widget.area.values
        self.assertEqual(panel.chart.shown.title, "thal by diameter narrowing")
        panel.why_box.click()
        self.process_events(lambda: panel.chart.shown.title.startswith("Share of each row"), timeout=LIMIT)
        self.assertEqual(panel.title.text(), "Share of each row in the score of thal")
        self.assertIn("thal is number 1 of 13", panel.why.text())
        panel.why_box.click()
        self.process_events(lambda: not panel.chart.shown.title.startswith("Share of each row"), timeout=LIMIT)
        self.assertEqual(panel.chart.shown.title, "thal by diameter narrowing")
