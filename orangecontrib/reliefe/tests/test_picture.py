"""The picture that can be dragged (doc/_static/relief.js): its numbers are ours, in node and in a browser.

The browser is that of Qt, without a screen, in a process of its own, which the last lines of this file are.
"""

import json
import os
import shutil
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import numpy as np
import pytest

from orangecontrib.reliefe.core import rank

FLAGS = "--no-sandbox --disable-gpu --disable-dev-shm-usage"
COMPUTE = "cases.map(c => ReliefPicture.scores(c[0], c[1], c[2]))"
# Actions of a reader, and what is then to be read: points, classes, neighbours, target, text, scores of the table.
SEEN = """[p.rows, p.classes, p.k, p.target, p.words.textContent,
 [...document.querySelectorAll('td.score')].map(cell => Number(cell.dataset.score)),
 [...document.querySelectorAll('line.hit')].length, [...document.querySelectorAll('line.miss')].length,
 getComputedStyle(p.home).backgroundColor, p.points.children[p.target].getAttribute('aria-label')]"""
START = "const p = ReliefPicture.pictures[0], at = i => p.points.children[i];"
ACTIONS = {
    "begin": "",
    "arrow": "at(2).dispatchEvent(new KeyboardEvent('keydown', {key: 'ArrowRight', shiftKey: true, bubbles: true}));",
    "enter": "at(3).dispatchEvent(new KeyboardEvent('keydown', {key: 'Enter'}));",
    "class": "at(3).dispatchEvent(new KeyboardEvent('keydown', {key: 'c'}));",
    "delete": "at(0).dispatchEvent(new KeyboardEvent('keydown', {key: 'Delete'}));",
    "three": "p.count.value = '3'; p.count.dispatchEvent(new Event('change'));",
    "set": "p.sets.selectedIndex = 1; p.sets.dispatchEvent(new Event('change'));",
    "drag": """{ const box = at(5).getBoundingClientRect(), x = box.x + box.width / 2, y = box.y + box.height / 2;
      const event = (name, dx, dy) => at(5).dispatchEvent(new PointerEvent(name,
        {clientX: x + dx, clientY: y + dy, pointerId: 1, pointerType: 'touch', isPrimary: true, bubbles: true}));
      at(5).setPointerCapture = () => {};
      event('pointerdown', 0, 0); event('pointermove', -60, 45);
      event('pointerup', -60, 45); event('pointermove', 0, 0); }""",
    "dark": "document.body.dataset.theme = 'dark';",
}


@pytest.fixture(scope="module")
def script(checkout) -> Path:
    return checkout / "doc" / "_static" / "relief.js"


def cases(count=60):
    """Points on coarse and fine grids, with many equal distances; classes of one point, too."""
    found = []
    for seed in range(count):
        random = np.random.default_rng(seed)
        n = int(random.integers(4, 20))
        X, y = random.integers(0, (101, 11)[seed % 2], (n, 2)), np.r_[0, 1, random.integers(0, 2, n - 2)]
        found.append((X.tolist(), y.tolist(), int(random.integers(1, 6))))
    return found


def ours(rows, classes, k):
    return rank(np.array(rows, float), np.array(classes), "relieff", n_neighbors=k).scores


def check(found, asked):
    assert len(found) == len(asked)
    for scores, case in zip(found, asked):
        np.testing.assert_allclose(scores, ours(*case), rtol=0, atol=1e-9)


def test_scores_in_node(script):
    node = shutil.which("node")
    if node is None:
        pytest.skip("needs node")
    code = f"const ReliefPicture = require({json.dumps(str(script))}), cases = {json.dumps(cases())};"
    code += f"console.log(JSON.stringify([{COMPUTE}, Object.values(ReliefPicture.SETS).map(ReliefPicture.read)]))"
    done = subprocess.run([node, "-e", code], capture_output=True, text=True, timeout=60, check=True)
    found, sets = json.loads(done.stdout)
    check(found, cases())
    assert [len(one["rows"]) for one in sets] == [10, 16, 10]


@pytest.fixture(scope="module")
def browser(script, tmp_path_factory) -> dict:
    """Answers of the page, after each action of a reader."""
    if find_spec("PyQt6.QtWebEngineWidgets") is None:
        pytest.skip("needs PyQt6-WebEngine")
    folder = tmp_path_factory.mktemp("picture")
    page = folder / "page.html"
    page.write_text(
        "<!doctype html><html lang=en><meta charset=utf-8><title>x</title><body data-theme=light>"
        f"<div class=relief-picture></div><script src={script.as_uri()}></script></body></html>",
        encoding="utf-8",
    )
    calls = {name: f"(() => {{ {START} {action} return {SEEN}; }})()" for name, action in ACTIONS.items()}
    calls["cases"] = f"(() => {{ const cases = {json.dumps(cases())}; return {COMPUTE}; }})()"
    calls["wide"] = "[document.documentElement.scrollWidth, window.innerWidth]"
    environment = {**os.environ, "QT_QPA_PLATFORM": "offscreen", "QTWEBENGINE_CHROMIUM_FLAGS": FLAGS}
    request = json.dumps({"page": page.as_uri(), "calls": calls})
    done = subprocess.run(
        [sys.executable, __file__],
        input=request,
        capture_output=True,
        text=True,
        timeout=120,
        env=environment,
        check=False,
    )
    if "ImportError" in done.stderr:
        pytest.skip(f"needs libraries of the system: {done.stderr.splitlines()[-1]}")
    assert done.returncode == 0, done.stderr[-2000:]
    return json.loads(done.stdout.splitlines()[-1])


def test_scores_in_a_browser(browser):
    check(browser["cases"], cases())


@pytest.mark.parametrize("name", ACTIONS)
def test_table_shows_our_scores(browser, name):
    rows, classes, k, target, text, scores, hits, misses, _, label = browser[name]
    expected = ours(rows, classes, k)
    np.testing.assert_allclose(scores, expected, rtol=0, atol=1e-9)
    for value in expected:
        assert f"{abs(value):.3f}" in text
    assert hits == min(k, classes.count(classes[target]) - 1)
    assert misses == min(k, len(classes) - classes.count(classes[target]))
    assert label.endswith(", the target")


def test_actions_do_what_they_say(browser):
    rows = {name: browser[name][0] for name in ACTIONS}
    assert rows["arrow"][2] == [rows["begin"][2][0] + 10, rows["begin"][2][1]]
    assert browser["enter"][3] == 3
    assert browser["class"][1][3] != browser["enter"][1][3]
    assert rows["delete"] == rows["class"][1:]
    assert browser["three"][2] == 3
    assert len(rows["set"]) == 16
    moved = [i for i, (a, b) in enumerate(zip(rows["set"], rows["drag"])) if a != b]
    assert moved == [5]
    assert rows["drag"][5][0] < rows["set"][5][0]
    assert rows["drag"][5][1] < rows["set"][5][1]
    assert browser["drag"][3] == 5


def test_colours_of_dark_mode(browser):
    assert browser["begin"][8] == "rgb(255, 255, 255)"
    assert browser["dark"][8] == "rgb(22, 24, 28)"


def test_a_narrow_page_is_not_wider_than_its_window(browser):
    needed, there = browser["wide"]
    assert needed <= there == 400


def answer(request: dict) -> None:
    """Load the page in Qt's browser, run the calls one after the other, and write what they return."""
    from PyQt6.QtCore import QTimer, QUrl
    from PyQt6.QtWebEngineWidgets import QWebEngineView
    from PyQt6.QtWidgets import QApplication

    app = QApplication(["picture"])
    view = QWebEngineView()
    view.resize(400, 800)
    view.show()
    found, left = {}, list(request["calls"].items())

    def follow(*_: object) -> None:
        if not left:
            sys.stdout.write(json.dumps(found) + "\n")
            sys.stdout.flush()
            app.quit()
            return
        name, code = left.pop(0)
        view.page().runJavaScript(f"JSON.stringify({code})", lambda text: keep(name, text))

    def keep(name: str, text: str) -> None:
        found[name] = json.loads(text) if text else None
        follow()

    view.loadFinished.connect(follow)
    view.load(QUrl(request["page"]))
    QTimer.singleShot(90000, lambda: app.exit(1))
    sys.exit(app.exec())


if __name__ == "__main__":
    answer(json.load(sys.stdin))
