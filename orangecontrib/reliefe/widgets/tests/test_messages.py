"""Messages about odd data: names of features, no indices, no shapes, no powers of ten."""

import re
import unittest

import numpy as np
import pytest
import scipy.sparse as sp
from Orange.data import ContinuousVariable, DiscreteVariable, Domain, Table

from orangecontrib.reliefe import rank
from orangecontrib.reliefe.core.words import rough_percent
from orangecontrib.reliefe.widgets.owgenotypes import OWRankGenotypes
from orangecontrib.reliefe.widgets.owinteractions import OWFeatureInteractions
from orangecontrib.reliefe.widgets.owintrinsicdimension import OWIntrinsicDimension
from orangecontrib.reliefe.widgets.owpctranker import OWPCTRanker
from orangecontrib.reliefe.widgets.owreliefe import OWReliefE
from orangecontrib.reliefe.widgets.owsslrelief import OWSSLRelief
from orangecontrib.reliefe.widgets.owurelief import OWURelief
from orangecontrib.reliefe.widgets.pct.panel import list_state
from orangecontrib.reliefe.widgets.tests.widgettest import WidgetTest

GENES = ("TP53", "BRCA1", "MYC", "EGFR")
FORBIDDEN = re.compile(r"\bindex\b|\bshape\b|\(\d+, ?\d*\)|\de[+-]\d|stands? still|\bX\b|\by\b (has|must)|\b1 \w+s\b|=")
FEW = {"methods": ["relieff", "rrelieff", "multisurf"], "preset": ""}


def table(n=12, target=None, change=None, sparse=False):
    """Four genes; change: what happens to their values."""
    X = np.random.default_rng(0).normal(size=(n, 4)) + 3
    if change:
        change(X)
    variable = target or DiscreteVariable("disease", ("no", "yes"))
    y = np.arange(n) % 2 if variable.is_discrete else np.arange(n)
    domain = Domain([ContinuousVariable(name) for name in GENES], variable)
    out = Table.from_numpy(domain, np.where(np.isinf(X), 0, X), y.astype(float))
    with out.unlocked():  # Orange itself refuses what is infinite; other add-ons may not
        out.X = sp.csr_matrix(X) if sparse else X
    return out


def put(value, column=2, rows=slice(1, 2)):
    """A change of some values of a gene."""
    return lambda X: X.__setitem__((rows, column), value)


ODD = {
    "infinite": table(change=put(np.inf)),
    "infinite, sparse": table(change=put(-np.inf), sparse=True),
    "too large": table(change=put([1.7e308, -1.7e308], rows=slice(1, 3))),
    "one row": table(1),
    "two rows": table(2),
    "all missing": table(change=put(np.nan, slice(None), slice(None))),
    "one missing": table(change=put(np.nan, 1, slice(None))),
    "constant": table(change=put(1.0, slice(None), slice(None))),
    "infinite target": table(4, ContinuousVariable("survival")),
    "no rows": table()[:0],
}
with ODD["infinite target"].unlocked():
    ODD["infinite target"].Y[0] = np.inf
UNKNOWN = table()
with UNKNOWN.unlocked():
    UNKNOWN.Y[:1] = np.nan
ODD["one row without a class"] = UNKNOWN


class TestMessages(WidgetTest):
    def messages(self, kind, data):
        widget = self.create_widget(kind, stored_settings=FEW if kind is OWReliefE else None)
        self.send_signal(widget.Inputs.data, data, widget=widget)
        self.settle(widget)
        groups = (widget.Error, widget.Warning, widget.Information)
        return " | ".join(str(message) for group in groups for message in group.active)

    @pytest.mark.slow
    def test_no_message_is_for_programmers(self):
        for kind in (OWReliefE, OWURelief, OWSSLRelief, OWPCTRanker, OWIntrinsicDimension, OWFeatureInteractions,
                     OWRankGenotypes):  # fmt: skip
            for name, data in ODD.items():
                with self.subTest(kind.name, data=name):
                    self.assertIsNone(FORBIDDEN.search(self.messages(kind, data)), self.messages(kind, data))

    def test_features_are_named(self):
        for name in ("infinite", "infinite, sparse", "too large"):
            for kind in (OWReliefE, OWURelief, OWIntrinsicDimension):
                text = self.messages(kind, ODD[name])
                self.assertIn("MYC", text)
                self.assertFalse(any(gene in text for gene in GENES if gene != "MYC"), text)

    def test_one_row(self):
        self.assertIn("only one row", self.messages(OWReliefE, ODD["one row"]))
        self.assertIn("1 row without a target value is left out", self.messages(OWReliefE, UNKNOWN))

    def test_what_may_be_large_is_no_error(self):
        fine = table(change=put(1e300))
        np.testing.assert_array_equal(np.isfinite(rank(fine, "relieff").scores), True)


class TestWords(unittest.TestCase):
    def test_percent(self):
        for share, text in ((0, "0.0 %"), (1e-5, "less than 0.1 %"), (0.025, "2.5 %"), (0.4, "40 %"), (1, "100 %")):
            self.assertEqual(rough_percent(share), text)

    def test_what_to_press(self):
        info = {"trees": 100, "has_converged": False, "convergence": [[50, 0.5], [100, 0.95]]}
        self.assertTrue(list_state(info).endswith("To be sure, press Continue"))
        self.assertTrue(list_state(info | {"has_converged": True}).endswith("the list is steady"))


if __name__ == "__main__":
    unittest.main()
