"""Tables with titles that are numbers, codes with leading zeros and words among grades: read as what they are."""

import tempfile
from pathlib import Path

import numpy as np

from .kinds import Action, Case
from .mutations import pick
from .outcome import Wrong

READ_AS_NAMES = "The first line was read as names"
SEPARATORS = (",", "\t", ";")
WORDS = ("Don't know", "refused", "other", "missed", "k.A.")


def make(rng: np.random.Generator) -> Case:
    """A case: "titles" (None: no line of titles), "columns" of cells in text, their "kinds", "index", "separator"."""
    p = int(rng.integers(5, 12))  # of fewer numbers other rows have even steps by chance
    n = int(rng.integers(8, 60))
    kinds = [pick(("measured", "measured", "counts", "grades", "codes", "ids"), rng) for _ in range(p)]
    if rng.random() < 0.5:
        kinds = ["measured"] * p
    columns = [_cells(kind, n, rng) for kind in kinds]
    titles = _titles(p, rng)
    if titles is None and not {"measured", "counts"} & {*kinds}:
        titles = [f"x{j}" for j in range(p)]
    return {
        "titles": titles,
        "columns": columns,
        "kinds": kinds,
        "index": bool(titles is not None and rng.random() < 0.3),
        "separator": pick(SEPARATORS, rng),
        "order": rng.permutation(n).tolist(),
    }


def _titles(p: int, rng: np.random.Generator) -> list[str] | None:
    """Titles far from all values, or in even steps; None: no titles."""
    kind = pick(("none", "words", "from 0", "from 1", "wavenumbers", "descending", "years", "even"), rng)
    start = float(rng.integers(500_000, 600_000))
    return {
        "none": None,
        "words": [f"x{j}" for j in range(p)],
        "from 0": [str(j) for j in range(p)],
        "from 1": [str(j + 1) for j in range(p)],
        "wavenumbers": [f"{start + v:.1f}" for v in np.cumsum(rng.uniform(0.3, 9, p))],
        "descending": [f"{start - v:.1f}" for v in np.cumsum(rng.uniform(0.3, 9, p))],
        "years": [str(int(start) + 3 * j + (j > 1)) for j in range(p)],
        "even": [str(j * 5 + 500_000) for j in range(p)],
    }[kind]


def _cells(kind: str, n: int, rng: np.random.Generator) -> list[str]:
    """Cells of a column: numbers below 10,000, grades with a word, digits behind zeros that repeat, or that do not."""
    if kind == "counts":
        return [*map(str, rng.poisson(40, n))]
    if kind == "grades":
        cells = [*map(str, rng.integers(1, 6, n))]
        cells[int(rng.integers(n))] = pick(WORDS, rng)
        return cells
    if kind == "codes":
        codes = [f"0{rng.integers(1000, 9999)}", *(f"{rng.integers(10000, 99999)}" for _ in range(3))]
        cells = [codes[k] for k in rng.integers(0, 4, n)]
        cells[:2] = codes[0], codes[0]
        return cells
    if kind == "ids":
        return [f"{i:03}" for i in rng.permutation(n) + 1]
    return [f"{value:.3f}" for value in rng.normal(0, 30, n)]


def _written(case: Case, order: list[int]) -> str:
    """The text of the table with its rows in an order."""
    separator = case["separator"]
    rows = [[column[i] for column in case["columns"]] for i in order]
    if case["index"]:
        rows = [[str(k), *row] for k, row in enumerate(rows)]
    if case["titles"] is not None:
        rows.insert(0, ([""] if case["index"] else []) + case["titles"])
    return "\n".join(separator.join(row) for row in rows) + "\n"


def prepare(case: Case) -> Action:
    """Write the table in two orders of its rows; the action reads both, and compares them with what was written."""
    from orangecontrib.reliefe.tabular import read_text_table
    from orangecontrib.reliefe.tabular.columns import read_columns

    folder = tempfile.TemporaryDirectory(prefix="fuzz-titles-")
    n = len(case["columns"][0])
    orders = [[*range(n)], case["order"]]

    def read(order: list[int]) -> dict[str, str]:
        path = Path(folder.name) / "table.csv"
        path.write_text(_written(case, order))
        table = read_text_table(path)
        first = int(case["index"])
        if len(table.cells) != n:
            said = any(READ_AS_NAMES in note for note in table.notes)
            if not (case["titles"] is None and said):
                raise Wrong(f"{len(table.cells)} rows of {n}, titles {case['titles']}; {table.notes}", "rows")
            return {}
        if case["titles"] is not None and table.names[first:] != case["titles"]:
            raise Wrong(f"titles {table.names}, not {case['titles']}; {table.notes}", "titles")
        columns, _ = read_columns(table)
        named = zip(table.names[first:], columns[first:], case["kinds"], case["columns"], strict=True)
        kinds = {}
        for name, column, kind, cells in named:
            kinds[name] = "text" if column.is_text else "numbers" if column.categories is None else "categories"
            if kind in ("measured", "counts") and column.values.tolist() != [float(cells[i]) for i in order]:
                raise Wrong(f"{kind} {name} is {column.values[:3]}", "values")
            if (kind == "codes") != (name in table.possible_categories):
                raise Wrong(f"codes are {table.possible_categories}, and {name} has {kind}: {cells[:5]}", "codes")
        return kinds

    def action() -> None:
        with folder:
            kinds = [read(order) for order in orders]
        if all(kinds) and kinds[0] != kinds[1]:
            raise Wrong(f"{kinds[0]} in one order of the rows, {kinds[1]} in another one", "order of rows")

    return action
