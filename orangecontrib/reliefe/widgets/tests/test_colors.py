"""Colours that everybody can tell apart, and what tells curves apart without them."""

import re
import unittest
from itertools import combinations
from pathlib import Path

import numpy as np
import pyqtgraph as pg
from AnyQt.QtCore import Qt
from AnyQt.QtGui import QColor, QPalette
from orangewidget.tests.base import GuiTest

from orangecontrib.reliefe import widgets
from orangecontrib.reliefe.orange.ranker.scores import MethodScores
from orangecontrib.reliefe.widgets.charts.end_labels import End, spread
from orangecontrib.reliefe.widgets.charts.legend import STYLES, SWATCHES
from orangecontrib.reliefe.widgets.ranker.plot import ScorePlot
from orangecontrib.reliefe.widgets.tests import base
from orangecontrib.reliefe.widgets.tests.color_vision import VISION, difference, gamma, lab, linear, seen
from orangecontrib.reliefe.widgets.tests.widgettest import WidgetTest
from orangecontrib.reliefe.widgets.utils import colors

LEAST = 10  # CIE76
CONTRAST = 3  # Web Content Accessibility Guidelines 2.1, 1.4.11: parts of graphics
GREYS = np.arange(0.2, 0.61, 0.05)  # of `muted`: negative bars, references, what is not selected


def light_palette():
    palette = QPalette()
    for role, color in ((QPalette.Base, "#ffffff"), (QPalette.Window, "#efefef"), (QPalette.Text, "#000000")):
        palette.setColor(role, QColor(color))
    return palette


class TestSimulation(unittest.TestCase):
    def test_lab_of_known_colours(self):
        np.testing.assert_allclose(lab([1, 1, 1]), [100, 0, 0], atol=0.02)
        np.testing.assert_allclose(lab([0, 0, 0]), [0, 0, 0], atol=1e-9)
        np.testing.assert_allclose(lab([1, 0, 0]), [53.24, 80.09, 67.20], atol=0.02)  # as published for sRGB, D65
        np.testing.assert_allclose(lab([0, 0, 1]), [32.30, 79.19, -107.86], atol=0.02)
        x = np.linspace(0, 1, 20)
        np.testing.assert_allclose(gamma(linear(x)), x, atol=1e-6)

    def test_greys_look_the_same_to_all(self):
        for vision in VISION:
            for grey in (0, 0.3, 1):
                np.testing.assert_allclose(seen([grey] * 3, vision), [grey] * 3, atol=1e-3)

    def test_what_is_confused(self):
        """Red and a dark green for those without red or green cones, green and blue without those for blue."""
        red, green = QColor("#a03c1e"), QColor("#64641e")
        self.assertGreater(difference(red, green), 40)
        self.assertLess(difference(red, green, "deutan"), difference(red, green) / 2)
        blue, teal = QColor("#2b78b9"), QColor("#2b8a94")
        self.assertLess(difference(blue, teal, "tritan"), difference(blue, teal) / 2)


class TestColors(GuiTest):
    palettes = {"light": light_palette, "dark": base.dark_palette}

    def each(self):
        for name, make in self.palettes.items():
            palette = make()
            yield name, palette, [colors.hue(number, palette) for number in range(len(colors.LIGHT))]

    def test_hues_differ_for_everybody(self):
        for name, _, hues in self.each():
            for vision in VISION:
                for (i, a), (j, b) in combinations(enumerate(hues), 2):
                    self.assertGreaterEqual(difference(a, b, vision), LEAST, (name, vision, i, j))

    def test_hues_differ_from_greys_and_the_ground(self):
        for name, palette, hues in self.each():
            others = [colors.muted(palette, share) for share in GREYS]
            others += [palette.color(QPalette.Base), palette.color(QPalette.Text), colors.selection_tint(palette)]
            for vision in VISION:
                for number, hue in enumerate(hues):
                    for other in others:
                        found = difference(hue, other, vision)
                        self.assertGreaterEqual(found, LEAST, (name, vision, number, other.name()))

    def test_contrast(self):
        for name, palette, hues in self.each():
            ground = colors.luminance(palette.color(QPalette.Base))
            for number, hue in enumerate(hues):
                low, high = sorted((ground, colors.luminance(hue)))
                self.assertGreaterEqual((high + 0.05) / (low + 0.05), CONTRAST, (name, number))

    def test_what_is_shown_together_has_hues_of_its_own(self):
        n = len(colors.LIGHT)
        names = [f"m{i}" for i in range(2 * n)]
        self.assertEqual(colors.hues_of(names, ["m5", "m3"]), {"m3": 3, "m5": 5})
        self.assertEqual(colors.hues_of(names, [f"m{n}", "m0"]), {"m0": 0, f"m{n}": 1})
        some = names[5 : 5 + n]
        self.assertEqual(sorted(colors.hues_of(names, some).values()), list(range(n)))
        self.assertEqual(colors.hues_of(names, names)["m20"], 20 % n)  # more than there are

    def test_colours_are_in_one_place(self):
        folder = Path(widgets.__file__).parent
        for path in folder.rglob("*.py"):
            inside = path.relative_to(folder).parts
            if "tests" not in inside and inside not in (("utils", "colors.py"), ("__init__.py",)):
                self.assertIsNone(re.search(r"#[0-9a-fA-F]{6}\b", path.read_text(encoding="utf-8")), path)


class TestSecondKey(WidgetTest):
    def plot(self, *values, leading=0, size=(700, 300)):
        plot = ScorePlot()
        plot.resize(*size)
        plot.show()
        names = [f"x{i}" for i in range(len(values[0]))]
        scores = [MethodScores(f"m{i}", np.array(v, float), f"Method {i}", i) for i, v in enumerate(values)]
        plot.set_data(scores, leading, names)
        self.process_events()
        return plot

    def test_curves_have_styles_of_their_own(self):
        plot = self.plot([3, 2, 1], [1, 2, 3], [2, 2, 1], leading=1)
        entries = plot.chart.above.entries
        self.assertEqual([entry.style for entry in entries], [STYLES[1], STYLES[0], STYLES[2]])
        self.assertEqual(len({entry.swatch for entry in entries}), 3)
        self.assertEqual(len(set(SWATCHES.values())), len(STYLES))
        drawn = [item.opts["pen"].style() for item in plot.chart.items if isinstance(item, pg.PlotDataItem)]
        self.assertEqual(drawn, [entry.style for entry in entries])

    def test_curves_are_named_at_their_ends(self):
        plot = self.plot([5, 4, 3, 2, 1], [5, 3, 0, -1, -1])
        self.assertEqual(plot.chart.ends.texts, ["Method 0", "Method 1"])
        (low, high), box = plot.chart.vb.viewRange()[0], plot.chart.vb
        labels = plot.chart.ends._items
        for label in labels:  # beside the curves and within the picture
            self.assertGreater(label.pos().x(), 5)
            self.assertLess(label.mapRectToDevice(label.boundingRect()).right(), plot.width())
        one, other = (label.mapRectToDevice(label.boundingRect()) for label in labels)
        self.assertGreater(abs(one.center().y() - other.center().y()), 0.8 * plot.fontMetrics().height())
        ticks = [tick for _, ticks in plot.rank_axis.tickValues(low, high, box.width()) for tick in ticks]
        self.assertLessEqual(max(ticks), 5)  # no rank beyond the last

    def test_one_curve_and_narrow_plots_have_none(self):
        self.assertEqual(self.plot([3, 2, 1]).chart.ends.texts, [])
        plot = self.plot([3, 2, 1], [1, 2, 3], size=(300, 200))
        self.assertEqual(plot.chart.ends.texts, [])
        self.assertLess(plot.chart.vb.viewRange()[0][1], 4)
        plot.resize(800, 300)
        self.process_events()
        self.assertEqual(len(plot.chart.ends.texts), 2)

    def test_names_that_end_together_are_spread(self):
        self.assertEqual(spread([1, 5], 1, 0, 10), [1, 5])
        self.assertEqual(spread([5, 5, 5], 1, 0, 10), [5, 6, 7])
        self.assertEqual(spread([9.5, 9, 20], 1, 0, 10), [9, 8, 10])
        self.assertEqual(spread([], 1, 0, 10), [])

    def test_of_many_the_leading_one_has_a_name(self):
        plot = self.plot(*np.arange(60).reshape(20, 3), leading=19, size=(700, 130))
        self.assertIn("Method 19", plot.chart.ends.texts)
        self.assertLess(len(plot.chart.ends.texts), 20)
        self.assertEqual(End("a", QColor(Qt.black), 1.0).strong, False)


if __name__ == "__main__":
    unittest.main()
