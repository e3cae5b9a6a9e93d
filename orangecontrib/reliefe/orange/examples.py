"""Examples: the tables of the example workflows, wherever these are opened, without a network or a path."""

from pathlib import Path
from typing import NamedTuple

from Orange.data.table import get_sample_datasets_dir

TUTORIALS = Path(__file__).parents[1] / "tutorials"


class Example(NamedTuple):
    """A file with a table.

    Attributes
    ----------
    file : str
        Name of the file.
    title : str
        Title in the list.
    about : str
        Rows, columns, and the question.
    orange : bool
        True for files that come with Orange.
    """

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
    return Path(get_sample_datasets_dir() if example.orange else TUTORIALS, example.file)
