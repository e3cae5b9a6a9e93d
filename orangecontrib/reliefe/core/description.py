"""A first look at data: size, target, and findings on columns that may be something else than they seem.

Scripts call `describe` with the arguments of `rank`. `orange.description` and the command line call it for tables. The
findings are those of the notes of `rank`, each with one action.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple, cast

import numpy as np

from .checked_call import check_call
from .data import frames
from .data.arrays import NUMBER_KINDS, cells, unknown
from .data.batches import Batch
from .data.counts import Counts
from .data.diff import PRESENCE
from .data.facts import CONSTANT
from .data.frame_notes import features_in_rows
from .data.persons import RepeatedRows
from .data.sources import in_pieces
from .data.table import DataTable
from .data.transposed import sentence_on_rows
from .notes import (
    advice_on_times,
    codes_of_missing,
    study_columns,
    suspected_features,
    titles_of_features,
)
from .targets.accepts import Accepts
from .targets.column_task import task_of_column
from .targets.columns import read_column
from .targets.named_target import take_target
from .targets.targets import Target
from .targets.tasks import CLASSIFICATION, REGRESSION, UNSUPERVISED
from .targets.times import Times
from .targets.unmarked import times_of_status
from .words import counted, cut, percent, rough_percent, sentence, shown, some

# Actions
DROP = "drop"  # leave the columns out
MISSING = "missing"  # read a value as missing
CATEGORIES = "categories"  # read the columns as categories
GROUP = "group"  # keep the rows of one value together
COVARIATE = "covariate"  # adjust scores for the column
DIFF = "diff"  # compare values as this parameter says
TASK = "task"  # read the target in this way
TIMES = "times"  # rank for times with censoring
TRANSPOSE = "transpose"  # turn the table, whose rows are features

CATEGORIES_IN_DOUBT = 3  # different whole numbers of a feature that may be categories
ROWS_SAMPLED = 64  # that exclude most features with more values
MIN_ROWS = 10  # fewer show nothing
CLASSES_SHOWN = 6
MAX_COLUMNS = 20  # that a script names; dots stand for all others
PYTHON = {
    DROP: "X.drop(columns={columns!r})",
    MISSING: "X.replace({value}, float('nan'))",
    CATEGORIES: "X.astype(dict.fromkeys({columns!r}, 'category'))",
    GROUP: "groups=X[{column!r}]",
    COVARIATE: "covariates=X[[{column!r}]]",
    DIFF: "diff={value!r}",
    TASK: "task={value!r}",
    TIMES: "y=Survival(X[{columns[0]!r}], X[{columns[1]!r}])",
    TRANSPOSE: "X.T",
}
# The same for an array or sparse matrix X
PYTHON_OF_ARRAYS = {
    **PYTHON,
    DROP: "X[:, ~np.isin(np.arange(X.shape[1]), {columns})]",
    MISSING: "np.where(X == {value}, np.nan, X)",
    CATEGORIES: "nominal={columns}",
    GROUP: "groups=X[:, {column}]",
    COVARIATE: "covariates=X[:, [{column}]]",
}


class Finding(NamedTuple):
    """Column that may be something else than it seems, and an action.

    Attributes
    ----------
    text : str
        A sentence without its full stop.
    action : str
        DROP, MISSING, CATEGORIES, GROUP, COVARIATE, DIFF, TASK, TIMES or TRANSPOSE.
    columns : tuple of str
        Names of the columns, or numbers from 0 of those without a name; empty for the target or for all columns.
    value : str
        Value that is read as missing, or value of the parameter.
    is_in_target : bool
        True if the target has the value that is read as missing, besides the columns or alone.
    change : str
        The change in a script whose X is an array, or whose y is no column of X. Empty: that of a frame X.
    """

    text: str
    action: str
    columns: tuple[str, ...] = ()
    value: str = ""
    is_in_target: bool = False
    change: str = ""

    @property
    def sentence(self) -> str:
        """The text, which begins with a capital letter."""
        return sentence(self.text)

    @property
    def python(self) -> str:
        """The change in a script that acts on it."""
        return self.change or _filled(PYTHON[self.action], self.columns, self.value)


def _filled(template: str, columns: Sequence[object], value: str) -> str:
    """Return code with columns, of which dots stand for those after MAX_COLUMNS, and a value."""
    listed = [*columns[:MAX_COLUMNS], ...] if len(columns) > MAX_COLUMNS else [*columns]
    return template.format(columns=listed, column=(listed or [""])[0], value=value)


@dataclass(frozen=True)
class Description:
    """A first look at data.

    Attributes
    ----------
    rows : int
        Number of rows.
    features : int
        Number of features.
    categories : int
        Number of features that are categories, not numbers.
    missing_share : float
        Share of the values of features that are missing.
    task : str
        Kind of target: one of `core.TASKS`, or "survival".
    target : str
        Name of the target, and its values.
    left_out : tuple of str
        Sentences on the rows that a ranking leaves out.
    findings : tuple of Finding
        Columns that may be something else than they seem.
    """

    rows: int
    features: int
    categories: int
    missing_share: float
    task: str
    target: str
    left_out: tuple[str, ...] = ()
    findings: tuple[Finding, ...] = ()

    @property
    def groups(self) -> list[str]:
        """Names of the columns whose equal values may belong together."""
        return [finding.columns[0] for finding in self.findings if finding.action == GROUP]

    def lines(self) -> list[str]:
        """Lines on the size of the data, the target, and rows that are left out."""
        kinds = [
            counted(self.features - self.categories, "number"),
            counted(self.categories, "category", "categories"),
        ]
        size = f"{counted(self.rows, 'row')}, {counted(self.features, 'feature')} ({', '.join(kinds)})"
        missing = f"; {rough_percent(self.missing_share)} of the values are missing" if self.missing_share else ""
        return [f"{size}{missing}", sentence(self.target), *(f"Left out: {text}" for text in self.left_out)]

    def __str__(self) -> str:
        lines = self.lines()
        for finding in self.findings:
            lines += [f"- {finding.sentence}", f"    {finding.python}"]
        return "\n".join(lines if self.findings else [*lines, "Nothing looks suspect"])


def describe(
    X: object,
    y: object = None,
    *,
    words: Mapping[str, Sequence[str]] | None = None,
    has_groups: bool = False,
    **given: Any,
) -> Description:
    """Describe data as `rank` reads them, and find columns that may be something else than they seem.

    Parameters
    ----------
    X : array-like, sparse matrix or frame, shape (n, p)
        Features.
    y : array-like, Survival, str or None
        Target; a str is the name of a column of the frame X. None: no target.
    words : mapping of str to sequence of str, optional
        Words of the nominal columns that have two, by names of columns. None: those of the frame X.
    has_groups : bool
        True if rows have groups although no `groups` are given, as those of a table without a target. No column is
        proposed as the group then.
    **given
        Further arguments of `rank`, for example names, nominal, task, covariates, groups and event_value.

    Returns
    -------
    Description
        Its text form (`str`) has a line for each finding, with the change of a script that acts on it.

    Raises
    ------
    ValueError, TypeError
        As of `rank`.
    """
    has_groups = has_groups or given.get("groups") is not None
    has_task = given.get("task") is not None
    script = Script.of(X, y, given.get("names"))
    name = ""
    if isinstance(y, str):
        name = y
        X, y, given["names"] = take_target(X, None, y, given.get("names"))
    elif getattr(y, "name", None) is not None:
        name = str(getattr(y, "name", ""))
    request = check_call(X, y, "auto", **given)
    table, target = request.table, request.target
    is_labelled = target.labelled
    n_unknown = 0 if target.task == UNSUPERVISED else int((~request.is_ranked).sum() + (~is_labelled).sum())
    left_out = [f"{counted(n_unknown, 'row')} without a known target"] if n_unknown else []
    if words is None:
        words = _words_of_two(X) if target.task == UNSUPERVISED else {}
    rows = features_in_rows(X, has_target=y is not None)
    of_rows = [transposed_finding(rows)] if rows else []
    findings = [*of_rows, *_find(y, table, target, words, has_task, has_groups)]
    known_target = target.take(np.flatnonzero(is_labelled)) if not is_labelled.all() else target
    return Description(
        rows=len(request.is_ranked),
        features=table.shape[1],
        categories=int(table.nominal.sum()),
        missing_share=table.missing_share,
        task=target.task,
        target=_describe_target(name, known_target.inner),
        left_out=tuple(left_out),
        findings=tuple(finding._replace(change=script.change(finding)) for finding in findings),
    )


class Script(NamedTuple):
    """Data of a script as `describe` takes them, for the changes of findings.

    Attributes
    ----------
    is_frame : bool
        True if X is a frame.
    names : list of str
        Names of the columns of X; empty without names.
    is_y_apart : bool
        True if y is no column of X.
    is_y_pandas : bool
        True if y is a series or frame.
    y_names : list of str
        Names of the columns of a frame y; empty for all others.
    """

    is_frame: bool
    names: list[str]
    is_y_apart: bool
    is_y_pandas: bool
    y_names: list[str]

    @classmethod
    def of(cls, X: object, y: object, names: Sequence[str] | None) -> "Script":
        """Look at the data of a caller; names: of the columns of X if X has none."""
        is_frame = frames.is_frame(X)
        if is_frame:
            names = frames.names(X)
        elif names is None and in_pieces(X):
            names = getattr(getattr(X, "schema_arrow", getattr(X, "schema", None)), "names", None)  # those of Arrow
        of_columns = [] if names is None else [*map(str, names)]
        is_y_apart = not isinstance(y, str)
        y_names = [*map(str, frames.names(y))] if frames.is_frame(y) else []
        return cls(is_frame, of_columns, is_y_apart, is_y_apart and hasattr(y, "replace"), y_names)

    def change(self, finding: Finding) -> str:
        """Return the change that acts on a finding."""
        if finding.action == TIMES:
            time, event = map(self._column, finding.columns)
            return f"y=Survival({time}, {event})"
        columns: Sequence[object] = finding.columns
        if not self.is_frame:
            columns = [self._index(name) for name in finding.columns[: MAX_COLUMNS + 1]]  # dots stand for the rest
        of_X = _filled((PYTHON if self.is_frame else PYTHON_OF_ARRAYS)[finding.action], columns, finding.value)
        if not (finding.is_in_target and self.is_y_apart):
            return of_X
        of_y = f"np.where(y == {finding.value}, np.nan, y)"
        if self.is_y_pandas:
            of_y = f"y.replace({finding.value}, float('nan'))"
        return f"{of_X}, {of_y}" if finding.columns else of_y

    def _index(self, name: str) -> int:
        """Return the index of a column of X, whose name is its index without names."""
        return self.names.index(name) if self.names else int(name)

    def _column(self, name: str) -> str:
        """Return the code of a column of X, or of y if X has none of the name."""
        if name in self.y_names:
            return f"y[{name!r}]"
        if name not in self.names:
            return "y"
        return f"X[{name!r}]" if self.is_frame else f"X[:, {self._index(name)}]"


def range_and_median(values: np.ndarray) -> str:
    """Write the range and the median of numbers, of which NaN are left out: "from 1 to 9, half of them at most 4"."""
    minimum = np.nanmin(values)
    median = np.nanmedian(values)
    maximum = np.nanmax(values)
    return f"from {minimum:,.6g} to {maximum:,.6g}, half of them at most {median:,.6g}"


def _describe_target(name: str, target: Target) -> str:
    """Return the name of a target, and its classes with their sizes, its range, or its events."""
    if target.task == UNSUPERVISED:
        return "no target"
    title = f"target {shown(name)}" if name else "target"
    if isinstance(target, Times):
        return f"{title}: {target.description}"
    if target.task == CLASSIFICATION:
        sizes = np.bincount(target.groups.astype(int), minlength=len(target.names))  # type: ignore[union-attr]
        sizes_of = [(f"{size:,} {shown(str(label))}") for size, label in zip(sizes, target.names, strict=True) if size]
        return f"{title}: {counted(len(sizes_of), 'class', 'classes')}, {some(sizes_of, CLASSES_SHOWN)}"
    if target.task == REGRESSION:
        values = target.columns.values[:, 0]
        values = values if target.units is None else values * target.units[0]
        return f"{title}: a number {range_and_median(values)}"
    names = [cut(label) for label in target.names]
    return f"{len(names)} targets ({target.task}): {some(names)}"


def _find(
    y: object,
    table: DataTable,
    target: Target,
    words: Mapping[str, Sequence[str]],
    has_task: bool,
    has_groups: bool,
) -> list[Finding]:
    """Return the findings, the gravest first.

    words, has_groups: as of `describe`. has_task: True if the caller names the task.
    """
    findings = _suspects(table, target)
    for far in codes_of_missing(table, target):
        columns = _names(table, far.features)
        findings.append(Finding(far.clause, MISSING, columns, f"{far.code:g}", is_in_target=far.is_in_target))
    if advice := advice_on_times(y, target, table):
        findings.append(Finding(advice.clause, TIMES, (advice.time, advice.event)))
    if target.task == UNSUPERVISED:
        findings += _times(table, words)
    if target.task == REGRESSION and not has_task:
        column_task = task_of_column(read_column(y, len(np.asarray(y))), Accepts())
        if column_task.advice:
            findings.append(Finding(column_task.assumption, TASK, value=CLASSIFICATION))
    titles = titles_of_features(table)
    for column in study_columns(table, target, has_groups):
        of_feature = _names(table, [titles.index(column.name)])
        findings.append(study_finding(column)._replace(columns=of_feature))
    counts = Counts.of(table)
    are_counts = counts.expected and counts.larger
    if not are_counts:
        return [*findings, *_few_values(table)]
    text = f"{percent(counts.share)} of the numbers are 0 and none is negative, so that they look like counts"
    return [*findings, Finding(text, DIFF, value=PRESENCE)]


def _suspects(table: DataTable, target: Target) -> list[Finding]:
    """Features that identify rows, are functions of the target, or are constant: one finding for each reason."""
    features: dict[str, list[int]] = {}
    for f, reason in suspected_features(table, target).items():
        features.setdefault(reason, []).append(f)
    if table.shape[0] >= MIN_ROWS and not table.packed and table.constant.any():
        features[CONSTANT] = np.flatnonzero(table.constant).tolist()
    findings = []
    for reason, indices in features.items():
        names = _names(table, indices)
        noun = "features" if len(names) > 1 else "feature"
        findings.append(Finding(f"{noun} {reason}: {some([*map(shown, names)])}", DROP, names))
    return findings


def _names(table: DataTable, indices: Sequence[int]) -> tuple[str, ...]:
    """Names of features, or their numbers from 0."""
    return tuple(table.names[f] if table.names else str(f) for f in indices)


def _times(table: DataTable, words: Mapping[str, Sequence[str]]) -> list[Finding]:
    """The first feature that looks like an event, and that of its time, in data without a target.

    words: as `words` of `describe`.
    """
    if table.names is None or table.packed:
        return []
    values: Any = table.values
    for f in np.flatnonzero(_with_two_values(table)).tolist():
        column = values[:, [f]]
        codes = np.unique(column.toarray() if table.is_sparse else column)
        known_codes = codes[~np.isnan(codes)].tolist()
        event = table.names[f]
        times = times_of_status(event, words.get(event, known_codes), table.names, values, table.nominal)
        if times:
            text = f"{shown(event)} looks like an event, and {shown(times[0])} like its time"
            return [Finding(text, TIMES, (times[0], event))]
    return []


def _with_two_values(table: DataTable) -> np.ndarray:
    """Mask (p,) of the features that may have two values: categories, and numbers of at most two in the first rows."""
    if table.is_sparse:
        return table.nominal
    sample = np.asarray(table.values)[:ROWS_SAMPLED]
    minima, maxima = np.fmin.reduce(sample), np.fmax.reduce(sample)
    has_two = ((sample == minima) | (sample == maxima) | np.isnan(sample)).all(axis=0)
    return cast("np.ndarray", table.nominal | has_two)


def _words_of_two(X: object) -> dict[str, list[str]]:
    """Words of the columns of a frame that have two; of anything else none."""
    words = {}
    if frames.is_frame(X):
        for name, column in zip(frames.names(X), frames.columns(X), strict=True):
            column_cells = cells(column, "X")
            if column_cells.dtype.kind not in NUMBER_KINDS:
                known_words = {*map(str, column_cells[~unknown(column_cells)].tolist())}
                if len(known_words) == 2:
                    words[str(name)] = sorted(known_words)
    return words


def study_finding(column: RepeatedRows | Batch) -> Finding:
    """Finding on a column that may be the group, of persons with several rows, or a covariate, of batches."""
    return Finding(column.clause, column.role, (column.name,))


def transposed_finding(row_names: Sequence[str]) -> Finding:
    """Finding on a table whose rows look like features; row_names: names of the rows."""
    return Finding(f"{sentence_on_rows(row_names)}, and each column like a sample", TRANSPOSE)


def code_finding(names: Sequence[str]) -> Finding:
    """Finding on columns of whole numbers whose digits follow a leading 0."""
    text = f"digits follow a leading 0, as in codes, which are categories: {some([*map(shown, names)])}"
    return Finding(text, CATEGORIES, tuple(names))


def with_codes(description: Description, names: Sequence[str]) -> Description:
    """Return a description with a finding on columns that the reader of their file takes for codes, if any."""
    findings = [code_finding(names)] if names else []
    return replace(description, findings=(*description.findings, *findings))


def _few_values(table: DataTable) -> list[Finding]:
    """Features of numbers with so few different whole values that they may be categories."""
    if table.is_sparse or table.packed or table.shape[0] < MIN_ROWS:
        return []
    values = cast("np.ndarray", table.values)
    # Most features have more values in the first rows already
    first_rows = np.sort(values[:ROWS_SAMPLED], axis=0)
    n_values = 1 + (np.diff(first_rows, axis=0) > 0).sum(axis=0)
    candidates = np.flatnonzero((n_values <= CATEGORIES_IN_DOUBT) & ~table.nominal)
    features = []
    for f in candidates.tolist():
        different = np.unique(values[~np.isnan(values[:, f]), f])
        if len(different) == CATEGORIES_IN_DOUBT and (different == np.floor(different)).all():
            features.append(f)
    if not features:
        return []
    names = _names(table, features)
    return [
        Finding(
            f"{'numbers' if len(names) > 1 else 'a number'} with only {CATEGORIES_IN_DOUBT} different values may be "
            f"categories: {some([*map(shown, names)])}",
            CATEGORIES,
            names,
        )
    ]
