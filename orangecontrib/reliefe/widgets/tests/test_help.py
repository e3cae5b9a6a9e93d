"""F1 and "?": the pages of the widgets, in the package or online."""

import importlib.util
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path
from types import SimpleNamespace

import pytest
from AnyQt.QtCore import Qt, QUrl
from AnyQt.QtGui import QAction
from AnyQt.QtTest import QTest
from Orange.widgets.tests.base import GuiTest
from orangecanvas.help.manager import create_html_inventory_provider

from orangecontrib.reliefe import widgets
from orangecontrib.reliefe.widgets.tests import base

CHECKOUT = Path(widgets.__file__).resolve().parents[3]
EXTRA = "furo", "myst_nb", "sphinx", "sphinx_copybutton", "sphinx_design"
INDEX = """<html><head><meta charset="utf-8"/></head><body><section id="widgets"><ul>
<li><a href="rank-via-reliefe.html">Rank via ReliefE</a></li></ul></section></body></html>"""


def provider(places):
    """Pages that the canvas finds by the help path of an add-on."""
    return create_html_inventory_provider(SimpleNamespace(load=lambda: places, dist=None))


class TestPlaces(GuiTest):
    def test_pages_of_the_package_come_first(self):
        with tempfile.TemporaryDirectory(suffix="{odd}") as folder:
            pages = Path(folder) / "_help" / "widgets"
            pages.mkdir(parents=True)
            (pages / "index.html").write_text(INDEX, encoding="utf-8")
            found = provider(widgets.help_places(Path(folder))).search(SimpleNamespace(name="Rank via ReliefE"))
            self.assertEqual(found, QUrl.fromLocalFile(str(pages / "rank-via-reliefe.html")))

    def test_the_index_is_looked_for_in_this_package(self):
        self.assertEqual(widgets.WIDGET_HELP_PATH, widgets.help_places(Path(widgets.__file__).resolve().parents[1]))


@unittest.skipUnless((CHECKOUT / "packaging" / "pages.py").exists(), "needs a checkout")
class TestPages(GuiTest):
    @pytest.mark.slow
    @unittest.skipUnless(all(map(importlib.util.find_spec, EXTRA)), "needs the extra doc")
    def test_every_widget_has_a_page(self):
        self._look()

    def test_every_widget_has_a_page_that_setup_writes(self):
        self._look("--plain")

    def _look(self, *options):
        with tempfile.TemporaryDirectory() as folder:
            script = CHECKOUT / "packaging" / "pages.py"
            subprocess.run([sys.executable, str(script), *options, f"{folder}/_help"], check=True, capture_output=True)
            found = provider(widgets.help_places(Path(folder)))
            modules = Path(widgets.__file__).parent.glob("ow*.py")
            for module in (importlib.import_module(f"{widgets.__name__}.{path.stem}") for path in modules):
                named = [each.name for each in vars(module).values()
                         if getattr(each, "__module__", "") == module.__name__ and hasattr(each, "icon")]  # fmt: skip
                for name in named:
                    page = found.search(SimpleNamespace(name=name)).toLocalFile()
                    self.assertTrue(Path(page).is_file(), name)
                self.assertTrue(named, module)


class TestKey(base.RankerTest):
    def test_f1_asks_for_help_from_within_the_table(self):
        action, asked = self.widget.findChild(QAction, "action-help"), []
        action.setEnabled(True)  # as the canvas does
        action.triggered.connect(lambda: asked.append(True))
        self.widget.show()
        self.widget.activateWindow()
        QTest.qWaitForWindowActive(self.widget)
        QTest.keyClick(self.widget.area.table, Qt.Key_F1)
        self.assertEqual(asked, [True])


if __name__ == "__main__":
    unittest.main()
