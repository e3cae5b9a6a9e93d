"""Odd names of features and targets in every file that is written: it is read with the same names."""

import csv
import json
import re
import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path
from xml.etree import ElementTree

import numpy as np

from .kinds import Action, Case
from .mutations import WORDS, pick
from .outcome import Wrong
from .refusals import refusing

N = 8
MARKUP = "<samp>"  # a tag that Qt knows and nobody writes
NAMES = (
    *WORDS, MARKUP, f"{MARKUP}x</samp>", "&amp;", "&lt;samp&gt;", "&#0;", "]]>", "<!--", "-->", "=1+1", "@SUM(A1)",
    '=HYPERLINK("x","y")', "+1", "a;b", "a\r\nb", "\x01", "\x1b[31m", "\x7f", "\u2028", "\u202e", "\u200b",
    "\U0001d4b3", "e\u0301", "\u00e9", "\uff11", "\u0663", "m#x", "D#a", "mC#y", "#", "{0}", "%s", "%(x)s", "{{x}}",
    "$x$", "C:\\x", "name", "rank", "feature", "score", "class", "?", "1", "1.0", "nan", "None", "2020-01-01",
    " x ", "x" * 300, "\ufffe",
)  # fmt: skip
TABLES = ".tsv", ".tab", ".xlsx", ".arff"
CELLS = ".csv", ".tsv", ".tab"  # whose names are cells that no spreadsheet runs
FORMS = *TABLES, ".csv", ".json", ".fimp", ".svg", "data.arff"


def odd_names(rng: np.random.Generator, n: int) -> list[str]:
    """n odd names, all different."""
    out: dict[str, None] = {}
    while len(out) < n:
        out["".join(pick(NAMES, rng) for _ in range(int(rng.geometric(0.6))))] = None
    return list(out)


def make(rng: np.random.Generator) -> Case:
    """A case: {"names" of features and the target, "values" of the target, "form": ending of what is written}."""
    return {
        "names": odd_names(rng, int(rng.integers(2, 7))),
        "values": odd_names(rng, 2),
        "form": pick(FORMS, rng),
    }


def prepare(case: Case) -> Action:
    """A table with the names; the action ranks, writes, and reads what was written."""
    from Orange.data import ContinuousVariable, DiscreteVariable, Domain, Table

    from orangecontrib.reliefe import rank
    from orangecontrib.reliefe.command import results
    from orangecontrib.reliefe.core.words import of_cell

    *names, target = case["names"]
    X = np.random.default_rng(0).random((N, len(names)))
    domain = Domain([ContinuousVariable(name) for name in names], DiscreteVariable(target, case["values"]))
    table = Table.from_numpy(domain, X, np.arange(N) % 2)
    folder, form = tempfile.TemporaryDirectory(prefix="fuzz-names-"), case["form"]
    path = Path(folder.name) / f"x{form}"

    def action() -> None:
        with folder:
            ranking = rank(table, "relieff", n_neighbors=3)
            wanted = [names[j] for j in ranking.ranking]
            with refusing():
                if form == ".svg":
                    results.listing(ranking).plot(str(path), len(names))
                elif form.startswith("data"):
                    wanted = [*names, target]
                    table.save(str(path))
                else:
                    results.save(ranking, str(path))
            if form in TABLES:
                wanted = names  # not by rank
            found = [of_cell(name) if form in CELLS else name for name in _READERS[form](path)]
            if found != _expected(form, wanted):
                raise Wrong(f"{form}: {wanted} became {found}", form)

    return action


def _expected(form: str, names: Sequence[str]) -> list[str]:
    """The names, as far as the form can express them."""
    from orangecontrib.reliefe.command.results import NO_TEXT_OF_FIMP

    if form == ".fimp":
        return [name.translate(NO_TEXT_OF_FIMP) or "?" for name in names]
    if form == ".svg":
        return ["".join(c if c.isprintable() else "?" for c in name) for name in names]
    return [re.sub("\r\n?", "\n", name) for name in names] if form in CELLS else list(names)


def _csv(path: Path) -> list[str]:
    with path.open(encoding="utf-8", newline="") as file:
        return [row["feature"] for row in csv.DictReader(file)]


def _json(path: Path) -> list[str]:
    return [row["feature"] for row in json.loads(path.read_text(encoding="utf-8"))["features"]]


def _fimp(path: Path) -> list[str]:
    from orangecontrib.reliefe.io import read_fimp

    return list(read_fimp(path).names)


def _svg(path: Path) -> list[str]:
    rows = ElementTree.parse(path).getroot().iter("{http://www.w3.org/2000/svg}g")
    return [row[0].text.rpartition(": ")[0] for row in rows]


def _tabbed(path: Path) -> list[str]:
    """Names in a table that Orange wrote; its reader would guess which quotes there are."""
    with path.open(encoding="utf-8", newline="") as file:
        titles, _, _, *rows = csv.reader(file, delimiter="\t")
    return [row[titles.index("Feature")] for row in rows]


def _xlsx(path: Path) -> list[str]:
    from openpyxl import load_workbook
    from openpyxl.utils.escape import unescape

    titles, *rows = load_workbook(path).active.iter_rows(values_only=True)
    return [unescape(row[titles.index("Feature")]) for row in rows]


def _table(path: Path) -> list[str]:
    from Orange.data import Table

    return [str(text) for text in Table(str(path)).metas[:, :1].ravel()]


def _domain(path: Path) -> list[str]:
    from Orange.data import Table

    return [variable.name for variable in Table(str(path)).domain.variables]


_READERS: dict[str, Callable[[Path], list[str]]] = {
    ".csv": _csv, ".json": _json, ".fimp": _fimp, ".svg": _svg, "data.arff": _domain,
    ".tsv": _tabbed, ".tab": _tabbed, ".xlsx": _xlsx, ".arff": _table,
}  # fmt: skip
