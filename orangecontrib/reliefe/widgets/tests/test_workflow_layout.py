"""Pictures of the example workflows: notes cover neither widgets, nor links, nor each other."""

import unittest
from itertools import combinations
from pathlib import Path

import pytest
from AnyQt.QtCore import QRectF
from AnyQt.QtWidgets import QApplication, QGraphicsTextItem
from orangecanvas.canvas.items import LinkItem, NodeItem
from orangecanvas.canvas.items.annotationitem import TextAnnotation
from orangecanvas.canvas.scene import CanvasScene
from orangecanvas.scheme import Scheme
from orangewidget.tests.base import GuiTest

from orangecontrib.reliefe import tutorials
from orangecontrib.reliefe.widgets.tests.run_workflow import registry

FOLDER = Path(tutorials.__file__).parent
SAMPLES = 200  # points of a link's curve


def text_of(note):
    """Place of the text of a note, which may be more or less than its frame."""
    item = next(child for child in note.childItems() if isinstance(child, QGraphicsTextItem))
    document = item.document()
    return item.mapRectToScene(QRectF(0, 0, document.idealWidth(), document.size().height()))


def overlaps(scheme):
    """Pairs of what lies on each other on Orange's own canvas."""
    scene = CanvasScene()
    scene.set_registry(registry())
    scene.set_scheme(scheme)
    QApplication.processEvents()
    items, found = scene.items(), []
    notes = [(item.toPlainText()[:30], text_of(item)) for item in items if isinstance(item, TextAnnotation)]
    nodes = [item for item in items if isinstance(item, NodeItem)]
    places = [(item.title(), rect.sceneBoundingRect())
              for item in nodes for rect in (item.shapeItem, item.captionTextItem)]  # fmt: skip
    links = [item for item in items if isinstance(item, LinkItem)]
    for (a, x), (b, y) in combinations(notes, 2):
        found += [("notes", a, b)] * x.intersects(y)
    found += [("widget", a, b) for a, x in notes for b, y in places if x.intersects(y)]
    for link in links:
        ends = {link.sourceItem.title(), link.sinkItem.title()}
        path = link.curveItem.mapToScene(link.curveItem.curvePath())
        points = [path.pointAtPercent(i / SAMPLES) for i in range(SAMPLES + 1)]
        for kind, things in (("link", notes), ("link and widget", places)):
            found += [(kind, *sorted(ends), name) for name, rect in things
                      if name not in ends and any(map(rect.contains, points))]  # fmt: skip
    scene.clear_scene()
    return found


class TestLayout(GuiTest):
    def scheme(self, path):
        from orangecanvas.scheme.readwrite import scheme_load

        scheme = Scheme()
        errors = []
        with path.open("rb") as stream:
            scheme_load(scheme, stream, registry(), errors.append)
        self.assertEqual(errors, [])
        return scheme

    @pytest.mark.slow
    def test_notes_cover_nothing(self):
        paths = sorted(FOLDER.glob("*.ows"))
        self.assertTrue(paths)
        for path in paths:
            with self.subTest(path.name):
                self.assertEqual(overlaps(self.scheme(path)), [])

    def test_overlaps_are_found(self):
        """A note that is moved onto a widget, a link, another note."""
        for place, kind in (
            ((330, 280, 100, 60), "widget"),
            ((460, 285, 60, 40), "link"),
            ((70, 30, 100, 60), "notes"),
        ):
            scheme = self.scheme(FOLDER / "10-first-ranking.ows")
            scheme.annotations[-1].rect = place
            self.assertIn(kind, [found[0] for found in overlaps(scheme)])


if __name__ == "__main__":
    unittest.main()
