"""The writer of the answers to "which method?" in README.md and doc/; doc/write.py calls it.

All of them are those of core/methods/choice.py, which `rank`, the command line and the window follow.
"""

from collections.abc import Iterable, Sequence
from pathlib import Path

from orangecontrib.reliefe.core import METHODS
from orangecontrib.reliefe.core.methods.choice import ADVICE, ALL, FEWEST, TOGETHER, Facts, automatic, why_usual

HOME = Path(__file__).parents[1]
BEGIN, END = "<!-- table: written by write_choice.py, {} -->", "<!-- end of table -->"
NEEDS = why_usual(p_values=True)
CHANGED = "with p-values, covariates, groups or weights of rows"
FEW, MANY = 100, 20_000  # numbers of rows, or of features, of the examples
KINDS = Facts("classification", FEW, 10), Facts("regression", FEW, 10), Facts("multi-target", FEW, 10)
DATA = {  # examples of data, by their description
    "classes": Facts("classification", FEW, 10),
    "classes, values missing": Facts("classification", FEW, 10, has_missing=True),
    "classes, more features than rows": Facts("classification", FEW, 2 * FEW),
    "classes, more than 10,000 rows": Facts("classification", MANY, 10),
    "classes, rows times features above 10\u2078": Facts("classification", 10_000, MANY),
    "1,000 classes in 3,000 rows": Facts("classification", 3_000, 50, classes=1_000),
    "a number": Facts("regression", FEW, 10),
    "several targets": Facts("multi-target", FEW, 10),
    "several targets, more features than rows": Facts("multi-target", FEW, 2 * FEW),
    "several targets, more than 10,000 rows": Facts("multi-target", MANY, 10),
    "label sets": Facts("multi-label", FEW, 10),
    "label sets, labels missing": Facts("multi-label", FEW, 10, has_partial_labels=True),
    "label sets, more than 10,000 rows": Facts("multi-label", MANY, 10),
    "a hierarchy of labels": Facts("hierarchical", FEW, 10),
    "times with censoring": Facts("survival", FEW, 10),
    "times with censoring, more than 10,000 rows": Facts("survival", MANY, 10),
    "any target, known in less than half of the rows": Facts("classification", FEW, 10, labelled_share=0.2),
    "no target": Facts("unsupervised", FEW, 10),
}
TASKS = {  # kinds of target as a page calls them
    "classes": "classification",
    "a number": "regression",
    "several classes and numbers": "multi-target",
    "label sets": "multi-label",
    "label sets in a hierarchy": "hierarchical",
    "[times with censoring](studies.md)": "survival",
    "none": "unsupervised",
}
PRESETS = {"All that matter": ALL, "Fewest that predict": FEWEST, "What acts together": TOGETHER}


def named(method: str) -> str:
    """Title and name of a method."""
    return f"{METHODS[method].title} (`{method}`)"


def table(rows: Iterable[Sequence[str]]) -> str:
    """Rows of cells in Markdown, the first one being the header."""
    header, *lines = rows
    return "\n".join(f"| {' | '.join(row)} |" for row in (header, ["---"] * len(header), *lines))


def answers() -> str:
    """The answer to each question by kind of target."""
    kinds = next(iter(ADVICE.values()))
    rows = [
        ["a first look: `auto`, *Quick*", *(named(automatic(facts)[0]) for facts in KINDS)],
        [f"the same {CHANGED}", *(named(automatic(facts, NEEDS)[0]) for facts in KINDS)],
        *([question, *(named(cells[kind][0]) for kind in kinds)] for question, cells in ADVICE.items()),
    ]
    return table([["you want", *kinds], *rows])


def rules() -> str:
    """The method of `auto` by data, and for requests that need features that repeat others ranked as high as these."""
    rows = [[data, *(named(automatic(facts, needs)[0]) for needs in ("", NEEDS))] for data, facts in DATA.items()]
    return table([["data", "`auto`, *Quick*", CHANGED], *rows])


def presets() -> str:
    """The methods that the presets of the window rank by, the leading one first."""
    kinds = next(iter(ADVICE.values()))
    rows = [
        [f"*{title}*", *(", ".join(METHODS[name].title for name in ADVICE[question][kind]) for kind in kinds)]
        for title, question in PRESETS.items()
    ]
    return table([["preset", *kinds], *rows])


def targets() -> str:
    """The methods of the Relief family that rank for each kind of target."""
    family = {method.title: method.tasks for method in METHODS.values() if method.family == "relief"}
    rows = []
    for kind, task in TASKS.items():
        able = [title for title, tasks in family.items() if task in tasks]
        rest = [title for title in family if title not in able]
        cell = ", ".join(able) if len(able) <= len(rest) else f"all but {', '.join(rest)}"
        rows.append([kind, f"`{task}`", cell.replace("*", r"\*")])
    return table([["target", "task", "Relief family"], *rows])


PAGES = {
    HOME / "README.md": {"answers": answers},
    HOME / "doc" / "targets.md": {"targets": targets},
    HOME / "doc" / "which.md": {"answers": answers, "rules": rules},
    HOME / "doc" / "widgets" / "rank-via-reliefe.md": {"presets": presets},
}


def page_text(page: Path) -> str:
    """A page with its tables as the rules are now."""
    text = page.read_text(encoding="utf-8")
    for name, write in PAGES[page].items():
        before, begin, rest = text.partition(BEGIN.format(name))
        if not begin:
            raise ValueError(f"{page.name} has no place for the table: {BEGIN.format(name)}")
        text = f"{before}{begin}\n\n{write()}\n\n{END}{rest.partition(END)[2]}"
    return text


def texts() -> dict[Path, str]:
    """Return the pages with these tables, with their texts."""
    return {page: page_text(page) for page in PAGES}
