"""Controls of running widgets, as a person meets them: names for screen readers, and tooltips."""

import re

from AnyQt.QtWidgets import QAbstractButton, QStackedWidget, QWidget

from orangecontrib.reliefe.widgets.tests import test_access
from orangecontrib.reliefe.widgets.tests.widgettest import controls


class Maker(test_access.AccessTest):
    """Makes widgets outside of a test, as tests do."""

    def runTest(self):
        """Nothing; a test case wants it."""


def described() -> dict[str, dict[str, str]]:
    """For each widget by its name: tooltips of all controls, everything unfolded, by the names of these."""
    Maker.setUpClass()
    try:
        return {make.name: controls_of(finished(make)) for make in test_access.classes()}
    finally:
        Maker.tearDownClass()


def finished(make: type) -> QWidget:
    """A widget that has ranked: some controls wait for it."""
    maker = Maker()
    maker.setUp()
    widget = maker.opened(make)
    maker.wait_until_finished(widget, timeout=120_000)
    tests = getattr(widget, "tests", None)  # p-values, whose button has another name while they are computed
    maker.process_events(lambda: tests is None or not tests.busy, timeout=120_000)
    return widget


def controls_of(widget: QWidget) -> dict[str, str]:
    """Tooltips by names, in the order in which the controls were made; without those that this widget never shows."""
    found: dict[str, str] = {}
    for control in filter(shown, controls(widget)):
        name = plain(control.accessibleName() or (control.text() if isinstance(control, QAbstractButton) else ""))
        tip = plain(control.toolTip() or control.parent().toolTip())
        if re.search(r"\w", name) and not (found.get(name) and not tip):
            found[name] = tip
    return {name: "" if tip.lower() == name.lower() else tip for name, tip in found.items()}


def shown(control: QWidget) -> bool:
    """False for what is hidden for good; pages behind others are not, nor is what is there while something runs."""
    if isinstance(control, QAbstractButton) and plain(control.text()) == "Stop":
        return True
    while control is not None and not control.isWindow():
        if control.isHidden() and not isinstance(control.parent(), QStackedWidget):
            return False
        control = control.parentWidget()
    return True


def plain(text: str) -> str:
    """Text without tags, marks of keys, and line breaks."""
    text = re.sub(r"<br ?/?>|</p>|</li>", " ", text)
    text = re.sub(r"<[^>]+>", "", text).replace("&nbsp;", " ").replace("&lt;", "<").replace("&gt;", ">")
    return re.sub(r"\s+", " ", re.sub(r"&(?=\S)", "", text.replace("&amp;", "and"))).strip(" .…")
