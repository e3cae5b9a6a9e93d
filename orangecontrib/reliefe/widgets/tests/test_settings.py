"""Stored settings of a wrong type: every widget is made all the same, with its defaults, and works."""

import pickle
import sys
import unittest
from io import BytesIO
from types import SimpleNamespace
from unittest.mock import patch

import numpy as np
import pytest
from AnyQt.QtCore import Qt
from Orange.data import ContinuousVariable, DiscreteVariable, Domain, Table

from orangecontrib.reliefe import rank
from orangecontrib.reliefe.orange import stored_settings
from orangecontrib.reliefe.tests.genetics.studies import cases, codes
from orangecontrib.reliefe.widgets.owgenotypes import OWRankGenotypes
from orangecontrib.reliefe.widgets.owinteractions import OWFeatureInteractions
from orangecontrib.reliefe.widgets.owintrinsicdimension import OWIntrinsicDimension
from orangecontrib.reliefe.widgets.owopendata import OWOpenData
from orangecontrib.reliefe.widgets.owpctranker import OWPCTRanker
from orangecontrib.reliefe.widgets.owrankingcomparison import OWRankingComparison
from orangecontrib.reliefe.widgets.owreliefe import OWReliefE
from orangecontrib.reliefe.widgets.owsparsify import OWSparsify
from orangecontrib.reliefe.widgets.owsslrelief import OWSSLRelief
from orangecontrib.reliefe.widgets.owurelief import OWURelief
from orangecontrib.reliefe.widgets.tests import base
from orangecontrib.reliefe.widgets.tests.widgettest import WidgetTest
from orangecontrib.reliefe.widgets.utils.settings import CheckedSettings

RANKERS = (OWReliefE, OWURelief, OWSSLRelief, OWPCTRanker)
WIDGETS = (
    *RANKERS, OWSparsify, OWIntrinsicDimension, OWRankingComparison, OWFeatureInteractions, OWOpenData,
    OWRankGenotypes,
)  # fmt: skip
DEEP = {"a": {"b": [{"c": {}}]}}
CHOSEN = (None, {}, "x", 10**30, DEEP)
WRONG = (
    None, {}, [], "", "x", -1, 10**30, float("nan"), DEEP, SimpleNamespace(x=1), True, 0.5, (), b"", b"x", False, 0, 3,
    -(10**400), 1e308, float("inf"), [1], ["x"], [[]], [None, 10**30], {"x": 1}, {1: {}}, {"x": {}}, {1, 2},
    np.int64(3), np.ones(3), object, 1j,
)  # fmt: skip


def known(kind):
    """Names of its settings; those of a part have its name before a dot."""
    return kind.settingsHandler.known_settings


def flat(stored):
    """Stored settings by name, where those of parts are in dictionaries."""
    parts = {name: value for name, value in stored.items() if isinstance(value, dict)}
    inner = {f"{part}.{name}": value for part, values in parts.items() for name, value in values.items()}
    return {**stored, **inner}


def nested(values):
    """Settings as they are stored; values: by name."""
    stored = {name: value for name, value in values.items() if "." not in name}
    for name, value in values.items():
        if "." in name:
            part, inner = name.split(".")
            stored.setdefault(part, {})[inner] = value
    return stored


def genotypes():
    """Data of 40 people and 90 SNPs."""
    found = codes(unknown=0)
    domain = Domain([ContinuousVariable(f"rs{f}") for f in range(found.shape[1])], DiscreteVariable("case", ("1", "2")))
    return Table.from_numpy(domain, found.astype(float), cases(found) - 1.0)


class SettingsTest(WidgetTest):
    """Notes what is told to the user as a traceback."""

    def setUp(self):
        self.told = []
        for target, name in ((sys, "excepthook"), (OWReliefE, "usual")):
            new = base.QUICK if name != "excepthook" else lambda *info: self.told.append(info)
            patched = patch.object(target, name, new)
            patched.start()
            self.addCleanup(patched.stop)

    def tearDown(self):
        super().tearDown()
        self.assertEqual(self.told, [])

    def made(self, kind, stored):
        with self.subTest(kind.name, stored=repr(stored)[:200]):
            widget = self.create_widget(kind, stored_settings=stored)
            self.process_events()
            return widget

    def works(self, widget):
        """Iris (or genotypes) goes in, something comes out, and what is kept is a literal."""
        if isinstance(widget, OWRankingComparison):
            scores = [rank(Table("iris"), "relieff", n_neighbors=k).to_table() for k in (3, 9)]
            for number, table in enumerate(scores):
                self.send_signal(widget.Inputs.scores, table, number, widget=widget)
            out = "aggregated"
        else:
            if widget.get_signals("inputs"):
                data = genotypes() if isinstance(widget, OWRankGenotypes) else Table("iris")
                self.send_signal(widget.Inputs.data, data, widget=widget)
            out = next(name for name in ("scores", "summary", "data", "pairs") if hasattr(widget.Outputs, name))
        self.assertIsNotNone(self.out(out, self.settle(widget)))
        self.assertEqual(list(widget.Error.active), [])
        self.packed(widget)


class TestWrongSettings(SettingsTest):
    @pytest.mark.slow
    def test_every_widget_is_made_from_any_settings(self):
        for kind in WIDGETS:
            for number, wrong in enumerate(CHOSEN):
                widget = self.made(kind, nested(dict.fromkeys(known(kind), wrong)))
                if number == 1:
                    self.works(widget)

    def test_every_setting_gives_way_by_itself(self):
        """Whatever is kept fits the editor or list that gets it; the others stay as they were stored."""
        for kind in WIDGETS:
            handler = kind.settingsHandler
            packed = flat(handler.pack_data(self.made(kind, {})))
            kept = {name: packed[name] for name in known(kind)}
            for name in known(kind):
                for wrong in WRONG:
                    stored = nested({**kept, name: wrong}) | {"__version__": kind.settings_version}
                    handler._migrate_settings(stored)
                    stored = flat(stored)
                    for other in known(kind).keys() - {name}:
                        self.assertEqual(stored[other], kept[other], (kind.name, name, wrong))
                    if name in stored:
                        self.assertIs(stored[name], wrong)
                        self.assertTrue(handler.known_settings[name].fits(wrong))

    def test_parts_that_are_no_dictionaries(self):
        for wrong in WRONG:
            self.made(OWReliefE, {"area": wrong, "__version__": OWReliefE.settings_version})

    def test_parts_begin_with_their_own_defaults(self):
        stored = {"area": {"values_open": True, "log_ranks": True}, "__version__": OWReliefE.settings_version}
        widget = self.made(OWReliefE, stored)
        self.assertEqual((widget.area.values_open, widget.area.log_ranks), (True, True))
        widget = self.made(OWReliefE, {})
        self.assertEqual((widget.area.values_open, widget.area.log_ranks), (False, None))

    def test_methods_that_are_no_names(self):
        widget = self.made(OWReliefE, {"methods": ["relieff", [1]]})
        widget.panel.list.by_name["surf"].setCheckState(Qt.Checked)
        self.assertIn("surf", widget.panel.chosen)

    @pytest.mark.slow
    def test_settings_that_are_no_dictionary(self):
        for kind in WIDGETS:
            for wrong in (None, [1], {1: 2}, pickle.dumps({"auto_apply": {}})):
                self.works(self.made(kind, wrong)) if wrong == [1] else self.made(kind, wrong)

    @pytest.mark.slow
    def test_versions(self):
        for kind in WIDGETS:
            for wrong in (*WRONG, "1", 99):
                stored = {"__version__": wrong, "savedWidgetGeometry": None}
                kind.settingsHandler._migrate_settings(stored)
                self.assertIsNone(stored["savedWidgetGeometry"])
            stored = {"__version__": "x", "auto_apply": False} if "auto_apply" in known(kind) else {"__version__": "x"}
            widget = self.made(kind, stored)
            self.assertFalse(getattr(widget, "auto_apply", False))
            self.works(self.made(kind, {"__version__": {}}))

    @pytest.mark.slow
    def test_settings_that_orange_kept_for_new_widgets(self):
        """They come from a file, and go past the widget's own migration if its class is not ready."""
        for kind in WIDGETS:
            handler = kind.settingsHandler
            with patch.object(handler, "defaults", {}):
                handler.read_defaults_file(BytesIO(pickle.dumps(nested({name: {"x": []} for name in known(kind)}))))
                self.works(self.made(kind, None))


class TestWrongInside(SettingsTest):
    @pytest.mark.slow
    def test_parameters(self):
        for kind in RANKERS:
            offered = kind.offered(None)
            for number, wrong in enumerate(CHOSEN):
                stored = {m.name: {p.name: wrong for p in m.parameters} for m in offered}
                widget = self.made(kind, {"parameters": stored})
                for method in offered:
                    with self.subTest(method.name, wrong=repr(wrong)[:80]):
                        hash(widget.panel.job(method.name))
                        widget.panel.list.highlight(method.name)
                        method.check(widget.panel.job(method.name).values)
                if number == 1:
                    self.works(self.made(kind, {"parameters": {m.name: wrong for m in offered}}))

    @pytest.mark.slow
    def test_settings_of_views(self):
        views = self.create_widget(OWRankingComparison).area.views
        self.assertTrue(all(view.setting_rules for view in views))
        for number, wrong in enumerate(CHOSEN):
            for stored in (wrong, {view.title: wrong for view in views},
                           {view.title: dict.fromkeys(view.setting_rules, wrong) for view in views}):  # fmt: skip
                widget = self.made(OWRankingComparison, {"view_settings": stored})
                if number == 1:
                    self.works(widget)
                    for view in widget.area.views:
                        widget.area.show_view(view.title)
                        widget.grab()

    def test_what_views_store_fits(self):
        widget = self.made(OWRankingComparison, {})
        self.works(widget)
        for view in widget.area.views:
            stored = dict(view.settings)
            self.assertEqual(stored_settings.fitting(stored, view.setting_rules), stored)


class TestRules(unittest.TestCase):
    def test_each_setting_has_a_rule_that_its_default_fits(self):
        for kind in WIDGETS:
            self.assertIsInstance(kind.settingsHandler, CheckedSettings)
            for name, setting in known(kind).items():
                self.assertTrue(setting.fits(setting.default), (kind.name, name))

    def test_rules(self):
        rules = stored_settings
        for fits, right in (
            (rules.switch, (True, False)),
            (rules.whole, (2, -7, 0)),
            (rules.number, (1, -0.5, 10**30)),
            (rules.string, ("", "x")),
            (rules.strings, ([], ["x"])),
            (rules.wholes, ([], [1])),
            (rules.tables, ({}, {"x": {}}, {"x": {"y": 1}})),
            (rules.maybe(rules.whole), (None, 1)),
            (rules.one_of("x"), ("x",)),
            (rules.between(0, 3), (0, 3)),
            (rules.packed, (b"", b"x")),
        ):
            for value in right:
                self.assertIs(fits(value), True, (fits, value))
        self.assertEqual([v for v in WRONG if stored_settings.switch(v)], [True, False])
        self.assertEqual([v for v in WRONG if stored_settings.whole(v)], [-1, 0, 3])
        self.assertEqual([v for v in WRONG if stored_settings.number(v)], [-1, 10**30, 0.5, 0, 3])
        self.assertEqual([v for v in WRONG if stored_settings.strings(v)], [[], ["x"]])
        self.assertEqual([v for v in WRONG if stored_settings.tables(v)], [{}, DEEP, {"x": {}}])

    def test_stored_settings_are_kept(self):
        self.assertEqual(
            stored_settings.fitting(
                {"a": 1, "b": 2, "c": "x"}, {"a": stored_settings.whole, "c": stored_settings.whole}
            ),
            {"a": 1},
        )


if __name__ == "__main__":
    unittest.main()
