"""Pictures of the running widgets and of the example workflows on the canvas, light and dark, without a screen.

    python doc/pictures.py [NAME ...]

Runs every workflow of the package, and writes doc/images/NAME.png and NAME-dark.png of its widgets, and
doc/gallery/NAME.png and NAME-dark.png of the canvas.  NAME: only pictures or workflows of this name.  One process for
each theme, since widgets ask for the palette when they are made.
"""

import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

HERE = Path(__file__).parent
ROOT = HERE.parent
THEMES = "light", "dark"


class Shot(NamedTuple):
    """A widget of a workflow: title of its node, size of the window, and name of the picture."""

    title: str
    size: tuple[int, int]
    name: str


WIDGETS = {
    "10-first-ranking": [
        Shot("Rank via ReliefE", (1100, 720), "rank-via-reliefe"),
        Shot("Open Data", (900, 620), "open-data"),
    ],
    "14-p-values": [Shot("Rank via ReliefE", (1100, 720), "p-values")],
    "15-interactions": [Shot("Feature Interactions", (1100, 680), "feature-interactions")],
    "17-batches": [Shot("Adjusted", (1100, 720), "study")],
    "20-intrinsic-dimension": [Shot("Intrinsic Dimension", (860, 520), "intrinsic-dimension")],
    "21-why-this-rank": [Shot("Rank via ReliefE", (1100, 720), "why-this-rank")],
    "30-sparsify": [Shot("Sparsify", (860, 520), "sparsify")],
    "50-urelief": [Shot("URelief", (1100, 680), "urelief")],
    "60-ssl-relief": [Shot("SSL-Relief", (1100, 760), "ssl-relief")],
    "70-pct-unsupervised": [Shot("PCT Ranker", (1100, 720), "pct-ranker")],
    "80-ranking-comparison": [Shot("Ranking Comparison", (1100, 680), "ranking-comparison")],
    "90-learned-space": [Shot("Rank via ReliefE", (1100, 720), "learned-space")],
}
GENOTYPES = Shot("Rank Genotypes", (1100, 760), "rank-genotypes")
COLORS = 128  # of a picture: a quarter of the bytes, and no difference that is seen


def main() -> None:
    """One process for each theme; what Orange remembers stays away from the user's own."""
    theme, *names = sys.argv[1:] or [""]
    if theme in THEMES:
        take(theme, set(names))
        return
    with tempfile.TemporaryDirectory() as home:
        places = dict.fromkeys(("XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_CACHE_HOME"), home)
        common = {"QT_QPA_PLATFORM": "offscreen", "PYTHONPATH": str(ROOT), "QTWEBENGINE_DISABLE_SANDBOX": "1"}
        for theme in THEMES:
            command = [sys.executable, "-W", "ignore", __file__, theme, *sys.argv[1:]]
            subprocess.run(command, env={**os.environ, **common, **places}, check=True)


def take(theme: str, names: set[str]) -> None:
    """All pictures of a theme, or those whose names, or whose workflow's name, are given."""
    from orangecontrib.reliefe import tutorials
    from orangecontrib.reliefe.widgets.tests.run_workflow import application, run

    app = application()
    app.setStyle("Fusion")
    suffix = "-dark" if theme == "dark" else ""
    if suffix:
        app.setPalette(dark())
    for path in sorted(Path(tutorials.__file__).parent.glob("*.ows")):
        shots = [shot for shot in WIDGETS.get(path.stem, []) if not names or {shot.name, path.stem} & names]
        canvas = not names or path.stem in names
        if not (shots or canvas):
            continue
        with run(path, timeout=300) as result:
            if canvas:
                save(of_canvas(result.scheme), HERE / "gallery" / f"{path.stem}{suffix}.png")
            for shot in shots:
                (node,) = (node for node in result.scheme.nodes if node.title == shot.title)
                save(of_widget(result.scheme.widget_for_node(node), shot.size), image(shot, suffix))
    if not names or GENOTYPES.name in names:
        with ranked_genotypes() as widget:
            save(of_widget(widget, GENOTYPES.size), image(GENOTYPES, suffix))


def image(shot: Shot, suffix: str) -> Path:
    """File of the picture of a widget."""
    return HERE / "images" / f"{shot.name}{suffix}.png"


def dark():
    """A palette as desktops have it at night."""
    from AnyQt.QtGui import QColor, QPalette

    palette = QPalette()
    colors = {
        "Window": "#2d2d2d",
        "WindowText": "#dddddd",
        "Base": "#1f1f1f",
        "AlternateBase": "#262626",
        "Text": "#dddddd",
        "Button": "#333333",
        "ButtonText": "#dddddd",
        "Highlight": "#2a82da",
        "HighlightedText": "#ffffff",
        "Link": "#6cb2ff",
        "ToolTipBase": "#333333",
        "ToolTipText": "#dddddd",
        "PlaceholderText": "#909090",
    }
    for name, color in colors.items():
        palette.setColor(getattr(QPalette, name), QColor(color))
    for name in ("WindowText", "Text", "ButtonText"):
        palette.setColor(QPalette.Disabled, getattr(QPalette, name), QColor("#808080"))
    return palette


def of_widget(widget, size: tuple[int, int]):
    """The window of a widget as it is shown, after layouts and drawing that wait for the event loop."""
    from AnyQt.QtTest import QTest

    widget.resize(*size)
    widget.show()
    QTest.qWait(700)
    widget.resize(*size)
    QTest.qWait(300)
    picture = widget.grab().toImage()
    widget.hide()
    return picture


def of_canvas(scheme):
    """The workflow as Orange's canvas draws it."""
    from AnyQt.QtCore import QRectF, Qt
    from AnyQt.QtGui import QImage, QPainter
    from AnyQt.QtTest import QTest
    from AnyQt.QtWidgets import QApplication
    from orangecanvas.canvas.scene import CanvasScene

    from orangecontrib.reliefe.widgets.tests.run_workflow import registry

    scene = CanvasScene()
    scene.set_registry(registry())
    scene.set_scheme(scheme)
    QTest.qWait(300)
    scene.clearSelection()
    rect = scene.itemsBoundingRect().adjusted(-12, -12, 12, 12)
    picture = QImage(rect.size().toSize(), QImage.Format_RGB32)
    picture.fill(QApplication.palette().base().color())
    painter = QPainter(picture)
    painter.setRenderHints(QPainter.Antialiasing | QPainter.TextAntialiasing | QPainter.SmoothPixmapTransform)
    scene.render(painter, QRectF(picture.rect()), rect, Qt.KeepAspectRatio)
    painter.end()
    scene.clear_scene()
    return picture


@contextmanager
def ranked_genotypes() -> Iterator[object]:
    """Rank Genotypes with a simulated study of 600 people and 4,000 SNPs, three of which matter."""
    import numpy as np
    from AnyQt.QtTest import QTest

    from orangecontrib.reliefe.tests.genetics.studies import write_bed
    from orangecontrib.reliefe.widgets.owgenotypes import OWRankGenotypes
    from orangecontrib.reliefe.widgets.utils.task import IDLE

    rng = np.random.default_rng(5)
    codes = rng.binomial(2, rng.uniform(0.1, 0.5, 4000), size=(600, 4000))
    liability = codes[:, 700] + codes[:, 2100] + 1.5 * (codes[:, 3000] > 0) * (codes[:, 3400] > 0)
    ill = liability + rng.normal(size=600) > np.median(liability)
    with tempfile.TemporaryDirectory() as folder:
        widget, path = OWRankGenotypes(), write_bed(Path(folder), codes, 1 + ill)
        lines = [f"{1 + f // 182}\trs{f}\t0\t{30_000 * (f % 182)}\tA\tG" for f in range(4000)]
        path.with_suffix(".bim").write_text("\n".join(lines) + "\n")
        widget.sources.open_file(str(path))
        for _ in range(600):  # while kernels are compiled, too
            QTest.qWait(100)
            if widget.run_state == IDLE and widget.result.scored is not None:
                break
        widget.area.choose(int(widget.result.scored.order[0]))
        yield widget
        widget.onDeleteWidget()


def save(picture, path: Path) -> None:
    """Write a picture with few colours, and say how large it is."""
    from PIL import Image

    path.parent.mkdir(exist_ok=True)
    picture.save(str(path))
    with Image.open(path) as image:
        few = image.convert("RGB").quantize(COLORS, method=Image.Quantize.MAXCOVERAGE, dither=Image.Dither.NONE)
    few.save(path, optimize=True)
    sys.stdout.write(
        f"{path.relative_to(ROOT)}: {picture.width()} x {picture.height()}, {path.stat().st_size // 1024} kB\n"
    )
    sys.stdout.flush()


if __name__ == "__main__":
    main()
