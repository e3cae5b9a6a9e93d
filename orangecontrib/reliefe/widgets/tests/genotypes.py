"""Base of the tests of Rank Genotypes."""

import tempfile
from pathlib import Path

from orangecontrib.reliefe.widgets.owgenotypes import OWRankGenotypes
from orangecontrib.reliefe.widgets.tests import computing


class GenotypesTest(computing.ComputingTest):
    """Tests of Rank Genotypes, with a folder for files."""

    kind = OWRankGenotypes

    def setUp(self):
        super().setUp()
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)

    def opened(self, path, widget=None):
        """Open a file, and wait for the result."""
        widget = widget or self.widget
        widget.sources.open_file(str(path))
        return self.settle(widget)

    def settle(self, widget=None):
        """Wait for the task, and for views that are drawn later."""
        widget = super().settle(widget)
        self.process_events()
        return widget

    @property
    def error(self):
        """The error that is shown, or ""."""
        return " ".join(str(message) for message in self.widget.Error.active)

    def sent_nothing(self):
        """True if all outputs are None."""
        return all(self.out(name) is None for name in ("reduced", "scores", "features"))
