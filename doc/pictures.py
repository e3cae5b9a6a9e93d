"""Pictures of the running widgets and of the example workflows on the canvas, light and dark, without a screen.

    python doc/pictures.py [NAME ...]

Runs every workflow of the package, and writes doc/images/NAME.png and NAME-dark.png of its widgets, and
doc/gallery/NAME.png and NAME-dark.png of the canvas.  A few windows are of no workflow: `SCENES` makes them.  NAME:
only pictures or workflows of this name.  One process for each theme, since widgets ask for the palette when they are
made.  A test compares the pictures on pages with the names here.
"""

import os
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from typing import NamedTuple

HERE = Path(__file__).parent
ROOT = HERE.parent
THEMES = "light", "dark"


class Shot(NamedTuple):
    """A picture of a window.

    title: of its node in the workflow.
    size: width and height of the window.
    name: of the picture.
    tab: title of the view that is shown; empty: the one that the workflow has chosen.
    """

    title: str
    size: tuple[int, int]
    name: str
    tab: str = ""


WIDGETS = {
    "10-first-ranking": [
        Shot("Rank via ReliefE", (1100, 720), "rank-via-reliefe"),
        Shot("Open Data", (900, 620), "open-data"),
    ],
    "14-p-values": [Shot("Rank via ReliefE", (1100, 720), "p-values")],
    "15-interactions": [Shot("Feature Interactions", (1100, 680), "feature-interactions")],
    "17-batches": [Shot("Adjusted", (1300, 820), "study")],
    "20-intrinsic-dimension": [Shot("Intrinsic Dimension", (860, 520), "intrinsic-dimension")],
    "21-why-this-rank": [Shot("Rank via ReliefE", (1300, 860), "why-this-rank")],
    "30-sparsify": [Shot("Sparsify", (860, 520), "sparsify")],
    "50-urelief": [Shot("URelief", (1100, 680), "urelief")],
    "60-ssl-relief": [Shot("SSL-Relief", (1100, 760), "ssl-relief")],
    "70-pct-unsupervised": [Shot("PCT Ranker", (1100, 720), "pct-ranker")],
    "80-ranking-comparison": [
        Shot("Ranking Comparison", (1100, 680), "ranking-comparison", "Agreement"),
        Shot("Ranking Comparison", (1100, 680), "ranking-comparison-ranks", "Ranks"),
    ],
    "90-learned-space": [
        Shot("Rank via ReliefE", (1100, 720), "learned-space"),
        Shot("Mosaic Display", (700, 600), "pair-of-snps"),
    ],
}
FARTHEST = 3 * 255**2  # squared distance of black and white
COLORS = 128  # of a picture: a quarter of the bytes, and no difference that is seen
SECONDS = 120  # that a window may need to rank, with kernels to be compiled
FOLLOW_UPS = "tests", "nulls", "stabilities", "why", "every_k", "unadjusted"  # of rankers, computed while they are seen
N_PEOPLE = 600  # of the simulated study of genotypes
N_VARIANTS = 4000
N_CARRIERS = 400  # people of the simulated markers
N_MARKERS = 40


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
                save(of_widget(result.scheme.widget_for_node(node), shot), image(shot, suffix))
    for shot, scene in SCENES.items():
        if not names or shot.name in names:
            with scene() as widget:
                save(of_widget(widget, shot), image(shot, suffix))


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


def of_widget(widget, shot: Shot):
    """The window of a widget as it is shown, after layouts and drawing that wait for the event loop."""
    from AnyQt.QtTest import QTest

    widget.resize(*shot.size)
    widget.show()
    if shot.tab:
        open_tab(widget, shot.tab)
    QTest.qWait(700)
    while any(getattr(widget, part, None) and getattr(widget, part).busy for part in FOLLOW_UPS):
        QTest.qWait(700)  # one follows the other
    widget.resize(*shot.size)
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


def open_tab(widget, title: str) -> None:
    """Show the view with this title, as a click on its tab does."""
    from AnyQt.QtWidgets import QTabBar

    for bar in widget.findChildren(QTabBar):
        for place in range(bar.count()):
            if bar.tabText(place).replace("&", "").lstrip("0123456789 ") == title:
                bar.setCurrentIndex(place)
                return
    raise ValueError(f"{widget.name} has no tab {title!r}")


def made(kind: type, settings: dict[str, object]):
    """A widget with stored settings, which no workflow has."""
    widget = kind.__new__(kind, stored_settings=settings)
    widget.__init__()
    return widget


def wait_for(widget, is_done) -> None:
    """Let Qt work until a function without arguments is true and nothing runs; raise TimeoutError after `SECONDS`."""
    from AnyQt.QtTest import QTest

    from orangecontrib.reliefe.widgets.utils.task import IDLE

    for _ in range(10 * SECONDS):
        QTest.qWait(100)
        if widget.run_state == IDLE and is_done():
            return
    raise TimeoutError(f"{widget.name} is still busy after {SECONDS} s")


@contextmanager
def ranked_genotypes() -> Iterator[object]:
    """Rank Genotypes with a simulated study of 600 people and 4,000 SNPs, three of which matter."""
    import numpy as np

    from orangecontrib.reliefe.tests.genetics.studies import write_bed
    from orangecontrib.reliefe.widgets.owgenotypes import OWRankGenotypes

    rng = np.random.default_rng(5)
    codes = rng.binomial(2, rng.uniform(0.1, 0.5, N_VARIANTS), size=(N_PEOPLE, N_VARIANTS))
    liability = codes[:, 700] + codes[:, 2100] + 1.5 * (codes[:, 3000] > 0) * (codes[:, 3400] > 0)
    ill = liability + rng.normal(size=N_PEOPLE) > np.median(liability)
    with tempfile.TemporaryDirectory() as folder:
        widget, path = made(OWRankGenotypes, {}), write_bed(Path(folder), codes, 1 + ill)
        lines = [f"{1 + f // 182}\trs{f}\t0\t{30_000 * (f % 182)}\tA\tG" for f in range(N_VARIANTS)]
        path.with_suffix(".bim").write_text("\n".join(lines) + "\n")
        widget.sources.open_file(str(path))
        wait_for(widget, lambda: widget.result.scored is not None)
        widget.area.choose(int(widget.result.scored.order[0]))
        yield widget
        widget.onDeleteWidget()


@contextmanager
def joined_tables() -> Iterator[object]:
    """Open Data with a table of expression whose target, the tissue, is in another one."""
    import numpy as np

    from orangecontrib.reliefe.widgets.owopendata import OWOpenData

    rng = np.random.default_rng(3)
    tissues = np.array(["muscle", "fat", "blood"])[np.arange(48) % 3]
    expression = rng.normal(size=(48, 12)) + (tissues == "fat")[:, None] * (np.arange(12) < 3)
    with tempfile.TemporaryDirectory() as folder:
        table, people = Path(folder) / "expression.csv", Path(folder) / "samples.csv"
        head = ",".join(["sample", *(f"gene {number}" for number in range(1, 13))])
        rows = [f"S{row:02},{','.join(f'{value:.2f}' for value in values)}" for row, values in enumerate(expression)]
        table.write_text("\n".join([head, *rows]) + "\n")
        known = [f"S{row:02},{tissue},{rng.integers(30, 70)}" for row, tissue in enumerate(tissues)]
        people.write_text("\n".join(["id,tissue,age", *known]) + "\n")
        reading = {"beside": [[str(people), "tissue"]], "join": ["sample=id"]}
        widget = made(OWOpenData, {"path": str(table), "target": "tissue", "reading": reading})
        wait_for(widget, lambda: widget.opened.table is not None)
        yield widget
        widget.onDeleteWidget()


@contextmanager
def ranked(table, settings: dict[str, object]) -> Iterator[object]:
    """Rank via ReliefE with a table and stored settings, after all that its views wait for."""
    from orangecontrib.reliefe.widgets.owreliefe import OWReliefE

    widget = made(OWReliefE, settings)
    widget.show()  # some views compute only while they are seen
    widget.set_data(table)
    widget.handleNewSignals()
    wait_for(widget, lambda: widget.area.lead is not None)
    yield widget
    widget.onDeleteWidget()


@contextmanager
def score_by_k() -> Iterator[object]:
    """Scores by number of neighbours for 40 simulated markers: one acts alone, and two act only together."""
    import numpy as np
    from Orange.data import DiscreteVariable, Domain, Table

    rng = np.random.default_rng(2)
    markers = rng.binomial(2, 0.5, size=(N_CARRIERS, N_MARKERS))
    pair = (markers[:, 1] == 1) != (markers[:, 2] == 1)
    ill = rng.random(N_CARRIERS) < 0.1 + 0.45 * pair + 0.175 * markers[:, 0]
    names = ["alone", "pair A", "pair B", *(f"snp {number}" for number in range(4, N_MARKERS + 1))]
    features = [DiscreteVariable(name, ("0", "1", "2")) for name in names]
    table = Table.from_numpy(Domain(features, DiscreteVariable("group", ("control", "case"))), markers, ill)
    panel = {"chosen": ["relieff"], "preset": "", "current": "relieff", "parameters": {}}
    with ranked(table, {"panel": panel, "selection": {"mode": "best", "n_best": 5}}) as widget:
        yield widget


@contextmanager
def boosted() -> Iterator[object]:
    """Boosted Relief beside ReliefF on genes of yeast, with the stability of its best features."""
    from Orange.data import Table

    panel = {"chosen": ["relieff", "boostedrelief"], "preset": "", "current": "boostedrelief", "parameters": {}}
    settings = {"panel": panel, "leading": "boostedrelief", "stabilities": {"ticked": True}}
    with ranked(Table("brown-selected"), settings) as widget:
        yield widget


SCENES: dict[Shot, Callable[[], AbstractContextManager[object]]] = {
    Shot("Rank Genotypes", (1100, 760), "rank-genotypes"): ranked_genotypes,
    Shot("Open Data", (900, 620), "open-data-joined"): joined_tables,
    Shot("Rank via ReliefE", (1100, 720), "score-by-k", "Score by k"): score_by_k,
    Shot("Rank via ReliefE", (1100, 720), "boosted"): boosted,
}


def save(picture, path: Path) -> None:
    """Write a picture with few colours, and say how large it is.

    A colour is chosen if it is frequent, and far from those chosen before, so that small dots keep theirs.
    """
    import numpy as np
    from PIL import Image

    path.parent.mkdir(exist_ok=True)
    picture.save(str(path))
    with Image.open(path) as image:
        pixels = np.asarray(image.convert("RGB"), np.int64)
    colors, places, counts = np.unique(pixels.reshape(-1, 3), axis=0, return_inverse=True, return_counts=True)
    chosen: list[int] = []
    distance = np.full(len(colors), FARTHEST)
    while len(chosen) < min(COLORS, len(colors)):
        chosen.append(int((counts * distance).argmax()))
        distance = np.minimum(distance, ((colors - colors[chosen[-1]]) ** 2).sum(axis=1))
    palette = colors[chosen]
    nearest = np.array([((palette - color) ** 2).sum(axis=1).argmin() for color in colors])
    few = Image.fromarray(nearest[places.ravel()].reshape(pixels.shape[:2]).astype(np.uint8), "P")
    few.putpalette(palette.astype(np.uint8).tobytes())
    few.save(path, optimize=True)
    sys.stdout.write(
        f"{path.relative_to(ROOT)}: {picture.width()} x {picture.height()}, {path.stat().st_size // 1024} kB\n"
    )
    sys.stdout.flush()


if __name__ == "__main__":
    main()
