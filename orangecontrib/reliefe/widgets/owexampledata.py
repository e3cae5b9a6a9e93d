"""Example Data: the tables of the example workflows, wherever these are opened, without a network or a path."""

import os
from pathlib import Path
from typing import NamedTuple

from AnyQt.QtCore import QTimer
from AnyQt.QtWidgets import QLabel, QListWidget, QListWidgetItem
from Orange.data import Table
from Orange.data.table import get_sample_datasets_dir
from Orange.widgets import gui
from Orange.widgets.settings import Setting
from Orange.widgets.utils.widgetpreview import WidgetPreview
from Orange.widgets.widget import Msg, Output, OWWidget

from .. import tutorials
from ..command.target_column import read_table
from ..orange.stored_settings import one_of
from .utils.controls import name_tab_stops
from .utils.markup import plain_reports
from .utils.settings import CheckedSettings


class Example(NamedTuple):
    """A file, and what is in it; those of Orange come with Orange, the others are ours."""

    file: str
    title: str
    about: str
    orange: bool = True


EXAMPLES = {
    "cohort-first": Example("cohort-first.tab", "Cohort, first", "300 people, 40 genes; who is ill?", False),
    "cohort-second": Example("cohort-second.tab", "Cohort, second", "250 other people, the same genes", False),
    "heart-disease": Example(
        "heart_disease.tab", "Heart disease", "303 patients, 13 measurements; are the arteries of the heart narrowed?"
    ),
    "heart-disease-few-labels": Example(
        "heart-disease-few-labels.tab",
        "Heart disease, few labels",
        "The same; one patient in five has a diagnosis",
        False,
    ),
    "heart-disease-stress-tests": Example(
        "heart-disease-stress-tests.tab",
        "Heart disease, stress tests",
        "The same; the diagnosis and two results of a test are known for one patient in four",
        False,
    ),
    "housing": Example("housing.tab", "Housing", "506 districts of Boston, 13 measurements; the price of a house"),
    "iris": Example("iris.tab", "Iris", "150 flowers of three species, four measurements"),
    "mails": Example(
        "mails.tab.xz", "Mails", "767 mails, frequencies of 54 words and characters; which are spam?", False
    ),
    "pair-of-snps": Example(
        "pair-of-snps.tab.xz",
        "Pair of SNPs",
        "400 people, 1,000 genetic markers; two of them predict who is ill, but only together",
        False,
    ),
    "study-batches": Example(
        "study-batches.tab",
        "Study, batches",
        "240 people, 40 genes; the batch acts on eight genes and on who is ill",
        False,
    ),
    "study-times": Example(
        "study-times.tab",
        "Study, times",
        "250 patients, 40 genes; days until death, or until they were last seen",
        False,
    ),
    "study-visits": Example(
        "study-visits.tab",
        "Study, visits",
        "200 visits of 40 people; no measurement has to do with the illness",
        False,
    ),
    "titanic": Example("titanic.tab", "Titanic", "2,201 people on board, three categories; who survived?"),
    "yeast": Example("brown-selected.tab", "Yeast", "186 genes of yeast, 79 measurements; three functions"),
    "yeast-and-noise": Example(
        "yeast-and-noise.tab", "Yeast and noise", "The same genes; 40 columns, some of them noise, and no target", False
    ),
    "yeast-experiments": Example(
        "yeast-experiments.tab.xz",
        "Yeast experiments",
        "79 experiments, activity of 186 genes; four kinds of experiments",
        False,
    ),
    "zoo": Example("zoo.tab", "Zoo", "101 animals, 16 properties; seven types"),
    "zoo-hierarchy": Example(
        "zoo-hierarchy.tab",
        "Zoo, hierarchy",
        "The same animals; half of them have labels, which are a hierarchy",
        False,
    ),
    "zoo-types": Example(
        "zoo-types.tab",
        "Zoo, types",
        "The same animals; names are categories, so that clusterings show the type",
        False,
    ),
    "zoo-ways-of-life": Example(
        "zoo-ways-of-life.tab", "Zoo, ways of life", "The same animals; each may have several of four labels", False
    ),
}
USUAL = "heart-disease"


def path_of(example: Example) -> Path:
    """The file of an example."""
    folder = get_sample_datasets_dir() if example.orange else os.path.dirname(tutorials.__file__)
    return Path(folder, example.file)


@plain_reports
class OWExampleData(OWWidget):
    """A list; the table that is chosen goes on at once.  What is stored is its name, and no path."""

    name = "Example Data"
    description = "Data sets to try the other widgets on, as in the example workflows"
    icon = "icons/exampledata.svg"
    priority = 90
    keywords = "data set, example, sample, heart disease, housing, iris, titanic, yeast, zoo, load, read"

    want_main_area = False
    resizing_enabled = True

    class Outputs:
        data = Output("Data", Table)

    class Error(OWWidget.Error):
        unreadable = Msg("{}")

    settingsHandler = CheckedSettings()
    settings_version = 1
    example = Setting(USUAL, fits=one_of(*EXAMPLES))

    def __init__(self):
        super().__init__()
        self.data = None
        self.list, self.about = QListWidget(accessibleName="Data sets"), QLabel(wordWrap=True)
        for name, example in EXAMPLES.items():
            item = QListWidgetItem(example.title, self.list)
            item.setToolTip(example.about)
            if name == self.example:
                self.list.setCurrentItem(item)
        box = gui.vBox(self.controlArea, "Data sets")
        box.layout().addWidget(self.list)
        box.layout().addWidget(self.about)
        self.about.setMinimumHeight(2 * self.fontMetrics().lineSpacing())
        name_tab_stops(self)
        self.list.currentRowChanged.connect(self._chosen)
        self._later = QTimer(self, singleShot=True, interval=0)
        self._later.timeout.connect(self.commit)
        self._show()

    def _chosen(self, row):
        self.example = list(EXAMPLES)[row]
        self._show()

    def _show(self):
        self.about.setText(EXAMPLES[self.example].about)
        self._later.start()

    def commit(self):
        self.Error.clear()
        path = path_of(EXAMPLES[self.example])
        try:
            self.data = read_table(str(path))
        except ValueError as error:
            self.data = None
            self.Error.unreadable(error)
        self.Outputs.data.send(self.data)

    def send_report(self):
        example = EXAMPLES[self.example]
        self.report_items((("Data set", example.title), ("About", example.about)))
        self.report_data("Data", self.data)

    def onDeleteWidget(self):
        self._later.stop()
        super().onDeleteWidget()


if __name__ == "__main__":
    WidgetPreview(OWExampleData).run()
