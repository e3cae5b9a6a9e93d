"""Quality of rankings as a table: a row for each ranking, fold and number of features."""

from collections.abc import Sequence

import numpy as np
from Orange.data import ContinuousVariable, DiscreteVariable, Domain, Table

from .quality import KINDS, REFERENCE, Line, Quality

WHOLE, DEFAULT, UNNAMED = "All features", "default", "data"
METAS = ("Ranking", "Kind", "Measure", "Learner", "Data set")
COLUMNS = ("Features", "Folds", "Fold", "Test rows", "Value")
MEASURES = {
    "accuracy": "Classification accuracy",
    "f1": "F1 of the rarer class",
    "macro_f1": "F1, mean over classes",
    "rrmse": "Relative root mean squared error",
    "auprc": "Area under precision and recall",
    "concordance": "Concordance",
    "reconstruction": "Reconstruction error",
}


def to_table(quality: Quality | None) -> Table | None:
    """Rows that `from_table` reads again, and that other widgets can draw; None without a finished fold."""
    if quality is None or not len(quality.whole):
        return None
    lines = [*quality.lines, Line(WHOLE, REFERENCE, quality.whole[:, None])]
    rows, metas = [], []
    for number, line in enumerate(lines):
        sizes = quality.sizes if line.title != WHOLE else quality.sizes[-1:]
        for (fold, place), value in np.ndenumerate(line.values):
            rows.append((sizes[place], quality.n_folds, fold + 1, quality.n_rows[fold], value))
            metas.append((number, KINDS.index(line.kind), 0, 0, 0))
    names = [[line.title for line in lines], KINDS, [MEASURES[quality.measure]]]
    names += [[quality.learner or DEFAULT], [quality.name or UNNAMED]]
    domain = Domain(
        [ContinuousVariable(name, number_of_decimals=4 if name == "Value" else 0) for name in COLUMNS],
        metas=[DiscreteVariable(name, tuple(values)) for name, values in zip(METAS, names, strict=True)],
    )
    table = Table.from_numpy(domain, np.array(rows, float), metas=np.array(metas, float))
    table.name = f"Quality on {quality.name or UNNAMED}"
    return table


def from_table(table: Table) -> list[Quality]:
    """Results that `to_table` made a table of, also of several data sets one below the other.

    Raises ValueError if columns are missing or nothing in them can be read.
    """
    missing = [name for name in (*METAS, *COLUMNS) if name not in table.domain]
    if missing:
        raise ValueError(f"an evaluation has columns {', '.join((*METAS, *COLUMNS))}; missing: {', '.join(missing)}")
    numbers = np.column_stack([table.get_column(name).astype(float) for name in COLUMNS])
    columns = [(table.domain[name], table.get_column(name)) for name in METAS]
    texts = np.column_stack([np.array([v.str_val(value) for value in found], object) for v, found in columns])
    groups: dict[tuple, list[int]] = {}
    for row, key in enumerate(map(tuple, texts[:, 2:])):
        groups.setdefault(key, []).append(row)
    names = {title: measure for measure, title in MEASURES.items()}
    found = [_read(names[key[0]], key, texts[rows], numbers[rows]) for key, rows in groups.items() if key[0] in names]
    if not found:
        raise ValueError(f"the evaluation has no rows of a known measure: {', '.join(names)}")
    return found


def _read(measure: str, key: Sequence[str], texts: np.ndarray, numbers: np.ndarray) -> Quality:
    """One data set; what is not there is NaN."""
    of_lines = texts[:, 0] != WHOLE
    sizes, folds = np.unique(numbers[of_lines, 0]), np.unique(numbers[:, 2])
    place, fold = np.searchsorted(sizes, numbers[:, 0]), np.searchsorted(folds, numbers[:, 2])
    lines = []
    for title in dict.fromkeys(texts[of_lines, 0]):
        own = texts[:, 0] == title
        values = np.full((len(folds), len(sizes)), np.nan)
        values[fold[own], place[own]] = numbers[own, 4]
        lines.append(Line(title, texts[own, 1][0], values))
    whole, n_rows = np.full(len(folds), np.nan), np.ones(len(folds))
    whole[fold[~of_lines]] = numbers[~of_lines, 4]
    n_rows[fold] = numbers[:, 3]
    n_folds = int(numbers[0, 1]) if len(numbers) and numbers[0, 1] >= 2 else 2
    return Quality(sizes.astype(int), tuple(lines), whole, n_rows, n_folds, measure, key[1], key[2])
