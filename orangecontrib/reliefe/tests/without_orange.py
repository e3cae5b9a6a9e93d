"""Tests of what does without Orange and Qt, where these are installed, too: they are hidden from Python.

    python -m orangecontrib.reliefe.tests.without_orange [ARGUMENTS OF PYTEST]

As a plugin of pytest (``-p orangecontrib.reliefe.tests.without_orange``) it hides them in any run of tests.
"""

import sys

HIDDEN = {"Orange", "orangewidget", "orangecanvas", "AnyQt", "PyQt5", "PyQt6", "PySide6", "pyqtgraph"}
HOME = "orangecontrib.reliefe.tests"
CHOSEN = ("test_frames", "test_golden", "test_array_command", "tabular", "genetics", "estimators.test_rankers")


class Hiding:
    """A finder of modules that does not find the hidden ones, and passes all others on."""

    def __init__(self, finder):
        self.finder = finder

    def __getattr__(self, name):
        return getattr(self.finder, name)

    def find_spec(self, name, path=None, target=None):
        """The finder's own answer, or None."""
        if name.partition(".")[0] in HIDDEN:
            return None
        return self.finder.find_spec(name, path, target)


def hide():
    """Hide the modules; raises RuntimeError if one of them is imported already."""
    imported = HIDDEN & {name.partition(".")[0] for name in sys.modules}
    if imported:
        raise RuntimeError(f"imported already: {', '.join(sorted(imported))}")
    sys.meta_path[:] = [Hiding(finder) for finder in sys.meta_path]


hide()

if __name__ == "__main__":
    import pytest

    # Settings of the checkout name a binding of Qt, whose plugin would import it; an installed package has no settings.
    settings = ["-p", "no:pytest-qt", "-W", "ignore::pytest.PytestConfigWarning", "--import-mode=importlib"]
    settings += ["-o", "consider_namespace_packages=true", "-o", "markers=slow\nmethod"]
    chosen = sys.argv[1:] or ["-q", "-m", "not slow", "--pyargs", *(f"{HOME}.{name}" for name in CHOSEN)]
    sys.exit(pytest.main([*settings, *chosen]))
