"""Quality of rankings as a table, with a row for each ranking, fold and number of features.

*Ranking Comparison* sends what `to_table` makes, and reads it with `from_table` when it comes from another data set.
"""

from dataclasses import replace

import numpy as np
from Orange.data import ContinuousVariable, DiscreteVariable, Domain, Table

from .quality import KINDS, REFERENCE, Quality, QualityLine

WHOLE = "All features"  # title of the rows without a ranking
DEFAULT = "default"  # learner without a name
UNNAMED = "data"  # data set without a name
METAS = ("Ranking", "Kind", "Measure", "Learner", "Data set")
COLUMNS = ("Features", "Folds", "Fold", "Test rows", "Value")
MEASURES = {
    "accuracy": "Classification accuracy",
    "f1": "F1 of the rarer class",
    "macro_f1": "F1, mean over classes",
    "rrmse": "Relative root mean squared error",
    "auprc": "Area under precision and recall",
    "micro_f1": "F1 of all labels together",
    "concordance": "Concordance",
    "reconstruction": "Reconstruction error",
}


def to_table(quality: Quality | None) -> Table | None:
    """Make a table of quality, which `from_table` reads and other widgets can draw.

    Returns
    -------
    Table or None
        The table. None without a finished fold.
    """
    if quality is None or not len(quality.whole):
        return None
    lines = [*quality.lines, QualityLine(WHOLE, REFERENCE, quality.whole[:, None])]
    rows = []
    metas = []
    for number, line in enumerate(lines):
        sizes = quality.sizes[-1:] if line.title == WHOLE else quality.sizes
        for (fold, k), value in np.ndenumerate(line.values):
            rows.append((sizes[k], quality.n_folds, fold + 1, quality.n_rows[fold], value))
            metas.append((number, KINDS.index(line.kind), 0, 0, 0))
    values_of_metas = [
        [line.title for line in lines],
        KINDS,
        [MEASURES[quality.measure]],
        [quality.learner or DEFAULT],
        [quality.name or UNNAMED],
    ]
    attributes = [ContinuousVariable(name, number_of_decimals=4 if name == "Value" else 0) for name in COLUMNS]
    variables = [DiscreteVariable(name, tuple(values)) for name, values in zip(METAS, values_of_metas, strict=True)]
    domain = Domain(attributes, metas=variables)
    table = Table.from_numpy(domain, np.array(rows, float), metas=np.array(metas, float))
    table.name = f"Quality on {quality.name or UNNAMED}"
    return table


def from_table(table: Table) -> list[Quality]:
    """Read tables of `to_table`, also of several data sets one below the other.

    Parameters
    ----------
    table : Table
        The table.

    Returns
    -------
    list of Quality
        Evaluations, one for each data set, learner and measure.

    Raises
    ------
    ValueError
        If columns are missing, or there are no rows of a known measure.
    """
    missing = [name for name in (*METAS, *COLUMNS) if name not in table.domain]
    if missing:
        raise ValueError(f"an evaluation has columns {', '.join((*METAS, *COLUMNS))}; missing: {', '.join(missing)}")
    numbers = np.column_stack([table.get_column(name).astype(float) for name in COLUMNS])
    texts = np.column_stack([_texts(table, name) for name in METAS])
    rows_of_evaluation: dict[tuple[str, ...], list[int]] = {}
    for row, key in enumerate(map(tuple, texts[:, 2:])):  # measure, learner and data set
        rows_of_evaluation.setdefault(key, []).append(row)
    measure_of_title = {title: measure for measure, title in MEASURES.items()}
    evaluations = []
    for (title, learner, name), rows in rows_of_evaluation.items():
        if title in measure_of_title:
            evaluation = _read(texts[rows], numbers[rows])
            evaluations.append(replace(evaluation, measure=measure_of_title[title], learner=learner, name=name))
    if not evaluations:
        raise ValueError(f"the evaluation has no rows of a known measure: {', '.join(measure_of_title)}")
    return evaluations


def _texts(table: Table, name: str) -> np.ndarray:
    """Values (n,) of a column as texts."""
    variable = table.domain[name]
    return np.array([variable.str_val(value) for value in table.get_column(name)], object)


def _read(texts: np.ndarray, numbers: np.ndarray) -> Quality:
    """Quality on one data set, NaN where there is no row; its measure, learner and name are still empty.

    Parameters
    ----------
    texts : (m, 5) object array
        Columns `METAS`.
    numbers : (m, 5) float64 array
        Columns `COLUMNS`.
    """
    titles, kinds = texts[:, 0], texts[:, 1]
    n_features, n_folds_column, folds_column, test_rows, values_column = numbers.T
    is_whole = titles == WHOLE
    sizes = np.unique(n_features[~is_whole])
    folds = np.unique(folds_column)
    size_index = np.searchsorted(sizes, n_features)
    fold_index = np.searchsorted(folds, folds_column)
    lines = []
    for title in dict.fromkeys(titles[~is_whole]):
        of_title = titles == title
        values = np.full((len(folds), len(sizes)), np.nan)
        values[fold_index[of_title], size_index[of_title]] = values_column[of_title]
        lines.append(QualityLine(title, kinds[of_title][0], values))
    whole = np.full(len(folds), np.nan)
    whole[fold_index[is_whole]] = values_column[is_whole]
    n_rows = np.ones(len(folds))
    n_rows[fold_index] = test_rows
    n_folds = int(n_folds_column[0]) if len(numbers) and n_folds_column[0] >= 2 else 2
    return Quality(sizes.astype(int), tuple(lines), whole, n_rows, n_folds, "", "", "")
